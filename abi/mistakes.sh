# SPDX-License-Identifier: MIT OR Apache-2.0
# shellcheck shell=bash
# scripts/check-abi --self-test: mistakes in a copy of the tree, or in a library made for it, which its checks must find.

COPY=$WORK/copy

# run_check CHECK: on the copy; keeps its report in REPORT.
run_check() {
    REPORT=$(cd "$COPY" && "$1" 2>&1)
}

# names WHAT: the report does.
names() {
    grep -qF "$1" <<< "$REPORT"
    result $? "a mistake is not found: $1" "the report was: ${REPORT:-empty}"
}

copy_tree() {
    rm -rf "$COPY"
    mkdir -p "$COPY/bindings/rust/cucore-sys/src"
    cp -r abi include symbols.map CHANGELOG.md "$COPY"
    cp bindings/rust/Cargo.toml "$COPY/bindings/rust"
    cp bindings/rust/cucore-sys/src/bindings.rs "$COPY/bindings/rust/cucore-sys/src"
}

# mistake CHECK FILE EDIT REPORT: the edit is one of sed's, and must change the file.
mistake() {
    local check=$1 file=$2 edit=$3 expected=$4
    copy_tree
    sed -i -E "$edit" "$COPY/$file"
    lacks cmp -s "$file" "$COPY/$file"
    result $? "the mistake '$edit' changes nothing in $file" "mend abi/mistakes.sh"
    run_check "$check"
    names "$expected"
}

find_mistakes_in_lists() {
    mistake check_lists symbols.map '/cucore_event_record;/d' 'symbols.map against the headers: missing: cucore_event_record'
    mistake check_lists symbols.map 's/^( *)cucore_event_record;/&\n\1cucore_event_erase;/' 'not declared: cucore_event_erase'
    mistake check_lists symbols.map 's/^CUCORE_1.0/CUCORE_1.1/' 'exports of'
    mistake check_lists symbols.map 's/^( *)cucore_buffer_close;/\1cucore_stream_close;\n&/' 'symbols.map is not sorted'
    mistake check_lists include/cucore_v1/event.h 's/cucore_event_record\(/cucore_event_erase(/' 'missing: cucore_event_erase'
    mistake check_lists abi/symbols-in-versions 's/^cucore_event_record .*/cucore_event_record 1.1/' 'abi/symbols-in-versions against'
    mistake check_lists bindings/rust/cucore-sys/src/bindings.rs 's/pub fn cucore_event_record/pub fn cucore_event_erase/' \
        'the Rust bindings against'
}

find_mistakes_in_layouts() {
    mistake check_layouts include/cucore_v1/launch.h 's/uint32_t block\[3\]/uint32_t block[4]/' 'launch_options.block: offset 20, size 16'
    mistake check_layouts include/cucore_v1/stream.h 's/int32_t priority;/uint32_t priority;/' 'priority: offset 12, size 4, uint32_t'
    mistake check_layouts include/cucore_v1/status.h 's/#define CUCORE_NOT_READY 6/#define CUCORE_NOT_READY 99/' '+CUCORE_NOT_READY 99'
    mistake check_layouts abi/layouts '/CUCORE_NOT_READY/d' '+CUCORE_NOT_READY 6'
}

find_mistakes_in_tables() {
    mistake check_error_tables abi/driver-errors.def 's/, INVALID_ARGUMENT, 0, "invalid arg/, 0, "invalid arg/' 'no row of a native code'
    mistake check_error_tables abi/driver-errors.def 's/^(X\(CUDA_ERROR_NOT_FOUND, )[0-9]+/\11/' 'has twice: 1'
    mistake check_error_tables abi/nvrtc-errors.def 's/^(X\(.*), OUT_OF_MEMORY,/\1, OUT_OF_MIND,/' 'CUCORE_OUT_OF_MIND'
    mistake check_error_tables abi/nvjitlink-errors.def 's/^(X\(.*), LINK,/\1, OK,/' 'CUCORE_OK'
}

find_mistakes_in_notes() {
    mistake check_notes abi/dlopen 's/^recommended/suggested/' 'not declared: recommended libcuda.so.1'
    mistake check_notes abi/dlopen '/libnvJitLink/d' 'not declared: suggested libnvJitLink.so.13 libnvJitLink.so.12'
    mistake check_notes abi/dlopen 's/ libnvrtc.so.12//' 'missing: suggested libnvrtc.so.13 ;'
}

find_mistakes_in_headers() {
    mistake check_headers include/cucore_v1/cucore.h '/"event.h"/d' 'cucore.h does not include'
    mistake check_headers include/cucore_v1/event.h '/"types.h"/d' 'event.h alone does not compile with gcc -std=c99'
    mistake check_headers include/cucore_v1/event.h 's/int32_t timing;/int8_t timing;/' 'event.h alone does not compile with g++ -std=c++11'
    mistake check_versions include/cucore_v1/driver.h 's/(define CUCORE_VERSION) .*/\1 1/' 'CUCORE_VERSION 1 is not'
}

# A library that does everything that ours must not, in place of ours.
make_wrong_library() {
    mkdir -p "$WORK/wrong/CMakeFiles/cucore.dir" "$WORK/wrong/CMakeFiles/cucore_static.dir"
    cat > "$WORK/wrong.c" << 'SOURCE'
#include <math.h>
_Thread_local char kept[100];
volatile double result = 2;
char *foreign(void) { return kept; }
__attribute__((constructor)) static void start(void) { result = cos(result); }
SOURCE
    gcc -O1 -fPIC -c "$WORK/wrong.c" -o "$WORK/wrong/CMakeFiles/cucore.dir/wrong.c.o"
    ar rcs "$WORK/wrong/libcucore.a" "$WORK/wrong/CMakeFiles/cucore.dir/wrong.c.o"
    gcc -shared -Wl,-soname,libcucore.so.2 -Wl,-z,execstack -Wl,-z,norelro -Wl,-z,lazy -Wl,--no-as-needed \
        "$WORK/wrong/CMakeFiles/cucore.dir/wrong.c.o" -lm -o "$WORK/wrong/libcucore.so.1"
}

find_mistakes_in_files() {
    local real_info=$INFO
    make_wrong_library
    copy_tree
    use_build "$WORK/wrong"
    run_check check_objects
    names 'global names of others: foreign kept result'
    names 'the library has constructors or destructors'
    names 'objects have thread-local storage that is not initial-exec'
    run_check check_file
    names 'another SONAME'
    names 'lacks full RELRO'
    names 'wants an executable stack'
    names 'can be unmapped'
    names 'has 100 bytes of thread-local storage'
    names 'libcucore.so.1 has thread-local storage that is not initial-exec'
    names "more at its load or unload than the compiler's own"
    names 'needs libm.so.6'
    INFO=$real_info # it looks for libraries that this one has no notes of
    run_check check_notes
    names 'missing: recommended libcuda.so.1'
    names 'sees no note'
    names 'opens what no note tells: libcuda.so.1 libnvJitLink.so.12'
}

find_mistakes() {
    find_mistakes_in_lists
    find_mistakes_in_layouts
    find_mistakes_in_tables
    find_mistakes_in_notes
    find_mistakes_in_headers
    find_mistakes_in_files
}
