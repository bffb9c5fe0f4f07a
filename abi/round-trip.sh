# SPDX-License-Identifier: MIT OR Apache-2.0
# shellcheck shell=bash
# Part of scripts/check-abi: the Rust bindings, which bindgen made of our headers, go back to C through cbindgen, and must
# declare what the headers declare.

CBINDGEN_VERSION=0.29.2

# Unoptimised, it is built in a third of the time, and fast enough.
install_cbindgen() {
    local tools=.tools/cbindgen-$CBINDGEN_VERSION
    CBINDGEN=$TOP/$tools/bin/cbindgen
    [ -x "$CBINDGEN" ] || cargo install cbindgen --version "$CBINDGEN_VERSION" --locked --quiet --debug --root "$tools"
}

# The bindings as a library that offers those functions, which is what cbindgen makes headers of. Structs without the mark
# repr(C) become incomplete ones in C: those that the bindings do not know inside, or, if the word is "all", every one.
print_rust_stubs() {
    local inside='_unused'
    [ "${1:-}" != all ] || inside=''
    perl -0777 -pe '
        s/#\[doc = "(?:[^"\\]|\\.)*"\]\s*//g;
        s/#\[repr\(C\)\]\n(?=[^{]*\{\s*'"$inside"')//g;
        s/^unsafe extern "C" \{\n(.*?)^\}\n/$1/ms;
        s/^ *pub fn ([^;]*);/#[no_mangle] pub unsafe extern "C" fn $1 { loop {} }/mg;
    ' bindings/rust/cucore-sys/src/bindings.rs
}

# make_header FILE [all]
make_header() {
    print_rust_stubs "${2:-}" > "$WORK/stubs.rs"
    "$CBINDGEN" --quiet --config abi/cbindgen.toml --output "$1" "$WORK/stubs.rs"
}

# Twice the same declaration is nothing to C, two different ones are an error.
check_functions_come_back() {
    make_header "$WORK/functions.h" all
    grep -oE '\bcucore_[a-z0-9_]+\(' "$WORK/functions.h" | tr -d '(' | sort > "$WORK/come-back"
    list_declared | sort > "$WORK/declared"
    same "the functions of the Rust bindings, in C, against the headers" "run scripts/bindings" "$WORK/declared" "$WORK/come-back"
    printf '#include <cucore_v1/cucore.h>\n#include "functions.h"\n' > "$WORK/both.c"
    gcc -std=c11 -Wall -Werror -Iinclude -fsyntax-only "$WORK/both.c"
    result $? "a function or callback of the Rust bindings is, in C, another one than in the headers" "run scripts/bindings"
}

check_layouts_come_back() {
    mkdir -p "$WORK/come-back-headers/cucore_v1"
    make_header "$WORK/come-back-headers/cucore_v1/cucore.h"
    abi/list-layouts "$WORK/come-back-headers" | sed 's/\(, .*\)struct cucore_/\1cucore_/' | sort > "$WORK/layouts-come-back"
    sort abi/layouts | diff -u - "$WORK/layouts-come-back" >&2
    result $? "structs or constants of the Rust bindings are, in C, others than in abi/layouts" "run scripts/bindings"
}

check_round_trip() {
    if has_rust; then
        install_cbindgen
        check_functions_come_back
        check_layouts_come_back
    else
        printf 'check-abi: the Rust bindings are not brought back to C: no Rust %s or newer\n' "$RUST_MINIMUM"
    fi
}
