# SPDX-License-Identifier: MIT OR Apache-2.0
# shellcheck shell=bash
# Part of scripts/check-abi: the library against abi/libcucore.abi, libabigail's description of what was released.
#
# That description is made of a library that defines the functions of the public headers and nothing else. So it names no type
# from the inside of ours, needs no build, and changes only when the headers do.

print_stubs() {
    printf '#include <cucore_v1/cucore.h>\n'
    print_declarations | sed 's/;$/ { __builtin_trap(); }/'
}

# make_stubs LIBRARY
make_stubs() {
    print_stubs > "$WORK/stubs.c"
    gcc -std=c11 -w -g "-fdebug-prefix-map=$WORK=." -fPIC -shared -Iinclude "$WORK/stubs.c" -o "$1" \
        -Wl,-soname,libcucore.so.1 -Wl,--version-script=symbols.map
}

# "name version" of each function in the baseline.
list_frozen() {
    sed -n "s/.*<elf-symbol name='\([^']*\)' version='CUCORE_\([^']*\)'.*/\1 \2/p" abi/libcucore.abi
}

# The node that functions may be added to: that of the version under work, if no release has it.
open_node() {
    local version
    version=$(sed -n 's/^#define CUCORE_VERSION_TEXT "\([0-9]*\.[0-9]*\).*/\1/p' include/cucore_v1/driver.h)
    grep -q " $version\$" "$WORK/frozen" || printf '%s\n' "$version"
}

check_baseline() {
    local report misplaced
    report=$(abidiff --no-architecture --no-added-syms --suppressions abi/suppressions abi/libcucore.abi "$SHARED" 2>&1)
    result $? "$report
$SHARED is not what abi/libcucore.abi describes" \
        "until 1.0.0: scripts/check-abi --accept-baseline; afterwards leave it as it was and add a function beside it, see abi/README.md"
    list_frozen | sort > "$WORK/frozen"
    list_exported | sort > "$WORK/exported"
    misplaced=$(comm -13 "$WORK/frozen" "$WORK/exported" | grep -v " $(open_node)\$" | tr '\n' ' ')
    holds [ -z "$misplaced" ]
    result "$MET" "functions are added to an old node: $misplaced" \
        "until 1.0.0: scripts/check-abi --accept-baseline; afterwards add them to the node of a new minor version, see abi/README.md"
}

accept_baseline() {
    local failed=0
    make_stubs "$WORK/stubs.so"
    if is_released; then
        SHARED=$WORK/stubs.so
        set +e # the check counts its own failures
        check_baseline
        set -e
        [ "$failed" -eq 0 ] || die "abi/libcucore.abi is frozen: only a new version's node is added to it"
    fi
    abidw --no-architecture --no-corpus-path --no-comp-dir-path --no-show-locs --no-elf-needed --type-id-style hash \
        --out-file abi/libcucore.abi "$WORK/stubs.so"
}
