# SPDX-License-Identifier: MIT OR Apache-2.0
# shellcheck shell=bash
# What the scripts share. Sourcing it goes to the top of the repository.

set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

TOP=$PWD
RUST_MINIMUM=1.82

say() {
    printf '== %s\n' "$*"
}

die() {
    printf 'error: %s\n' "$*" >&2
    exit 1
}

has() {
    command -v "$1" > /dev/null 2>&1
}

# version_at_least HAVE WANT
version_at_least() {
    [ "$(printf '%s\n%s\n' "$1" "$2" | sort -V | head -n 1)" = "$2" ]
}

# Whether a Rust that bindings/rust can be built with is on the PATH.
has_rust() {
    has cargo && version_at_least "$(rustc --version | cut -d ' ' -f 2)" "$RUST_MINIMUM"
}

# Whether what the samples in bindings/ need is on the PATH: what Debian 12 has, or newer.
has_go() {
    has go && version_at_least "$(GOTOOLCHAIN=local go env GOVERSION | sed 's/^go//')" 1.19
}

has_node() {
    has npm && has node && version_at_least "$(node --version | sed 's/^v//')" 18
}

has_java() {
    has javac && version_at_least "$(javac -version 2>&1 | cut -d ' ' -f 2)" 17
}

# The CUDA version of the driver that the dynamic loader finds, e.g. 13000; nothing if there is none, or no device.
real_driver_version() {
    python3 - << 'PYTHON' 2> /dev/null || true
import ctypes
driver, version, count = ctypes.CDLL("libcuda.so.1"), ctypes.c_int(), ctypes.c_int()
if driver.cuInit(0) == 0 and driver.cuDeviceGetCount(ctypes.byref(count)) == 0 and count.value > 0:
    driver.cuDriverGetVersion(ctypes.byref(version))
    print(version.value)
PYTHON
}

# The release whose compilers suit the driver: PTX of CUDA 13 is too new for a driver of CUDA 12.
wheels_for_driver() {
    local version
    version=$(real_driver_version)
    if [ "${version:-13000}" -ge 13000 ]; then
        echo 13.0
    else
        echo 12.9
    fi
}

# build PRESET: into build/PRESET.
build() {
    cmake --preset "$1" --log-level=WARNING
    cmake --build --preset "$1"
}

# The newest version of glibc's symbols that a library asks for: with an older one it does not load.
newest_glibc() {
    nm -D --undefined-only --with-symbol-versions "$1" | sed -n 's/.*@GLIBC_//p' | sort -V | tail -n 1
}

# What programs run next take their driver, and their compilers, from.
use_simulated_driver() {
    export CUCORE_DRIVER_LIBRARY=$TOP/$1/sim/libcuda.so.1
}

use_compilers() { # unless the environment names some already
    export CUCORE_WHEELS=${CUCORE_WHEELS:-$TOP/.tools/cuda-$1}
}

# What a script of checks counts, under its own name.
passed=0
failed=0

# result 0|1 WHAT [ADVICE]: a check went well, or not.
result() {
    if [ "$1" -eq 0 ]; then
        passed=$((passed + 1))
        return
    fi
    failed=$((failed + 1))
    printf '%s: %s\n' "${0##*/}" "$2" >&2
    [ -z "${3:-}" ] || printf '    %s\n' "$3" >&2
}

# The last line of such a script, in the form that scripts/test counts, and its status.
report_results() {
    printf '%s: %d passed, %d failed\n' "${0##*/}" "$passed" "$failed"
    [ "$failed" -eq 0 ]
}
