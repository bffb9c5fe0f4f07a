# SPDX-License-Identifier: MIT OR Apache-2.0
# shellcheck shell=bash
# What the scripts that make packages share.

# As Debian and rpm write it: 1.0.0~dev is before 1.0.0.
package_version() {
    sed -n 's/^#define CUCORE_VERSION_TEXT "\(.*\)"/\1/p' include/cucore_v1/driver.h | tr - '~'
}

# copy_sources FOLDER: without what was built or fetched.
copy_sources() {
    mkdir -p "$1"
    tar --create --exclude-vcs --exclude=./build --exclude=./.tools --exclude=target --exclude=__pycache__ . |
        tar --extract --directory "$1"
}
