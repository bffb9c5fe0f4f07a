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
    grep -qF -- "$1" <<< "$REPORT"
    result $? "a mistake is not found: $1" "the report was: ${REPORT:-empty}"
}

# The tree's copy, to make mistakes in.
copy_tree() {
    rm -rf "$COPY"
    mkdir -p "$COPY/bindings/rust/cucore-sys/src"
    cp -r abi include src symbols.map CHANGELOG.md "$COPY"
    cp bindings/rust/Cargo.toml "$COPY/bindings/rust"
    cp bindings/rust/cucore-sys/src/bindings.rs "$COPY/bindings/rust/cucore-sys/src"
}

# edit FILE EDIT: of the copy, by sed, which must change it.
edit() {
    sed -i -E "$2" "$COPY/$1"
    lacks cmp -s "$1" "$COPY/$1"
    result $? "the mistake '$2' changes nothing in $1" "mend abi/mistakes.sh"
}

# mistake CHECK FILE EDIT REPORT
mistake() {
    copy_tree
    edit "$2" "$3"
    run_check "$1"
    names "$4"
}

find_mistakes_in_lists() {
    mistake check_lists symbols.map '/cucore_event_record;/d' 'symbols.map against the headers: missing: cucore_event_record'
    mistake check_lists symbols.map 's/^( *)cucore_event_record;/&\n\1cucore_event_erase;/' 'not declared: cucore_event_erase'
    mistake check_lists symbols.map 's/^CUCORE_1.0/CUCORE_1.1/' 'exports of'
    mistake check_lists symbols.map 's/^( *)cucore_buffer_close;/\1cucore_stream_close;\n&/' 'symbols.map is not sorted'
    mistake check_lists include/cucore_v1/event.h 's/cucore_event_record\(/cucore_event_erase(/' 'missing: cucore_event_erase'
    mistake check_lists abi/symbols-in-versions '/^cucore_event_record /d' 'abi/symbols-in-versions against symbols.map: missing: cucore_event_record 1.0'
    mistake check_lists abi/symbols-in-versions 's/^cucore_event_record .*/cucore_event_record 1.1/' 'abi/symbols-in-versions against'
    mistake check_lists bindings/rust/cucore-sys/src/bindings.rs 's/pub fn cucore_event_record/pub fn cucore_event_erase/' \
        'the Rust bindings against'
    mistake check_lists bindings/rust/cucore-sys/src/bindings.rs '/pub const CUCORE_LINK:/d' 'Rust bindings against the headers: missing: CUCORE_LINK'
    mistake check_lists bindings/rust/cucore-sys/src/bindings.rs 's/(CUCORE_LINK: )i32/\1u32/' 'missing: CUCORE_LINK'
    mistake check_lists include/cucore_v1/status.h 's/(CUCORE_LINK) .*/\1 (5 + 5)/' 'not declared: CUCORE_LINK'
}

find_mistakes_in_layouts() {
    mistake check_layouts include/cucore_v1/launch.h 's/uint32_t block\[3\]/uint32_t block[4]/' 'launch_options.block: offset 20, size 16'
    mistake check_layouts include/cucore_v1/stream.h 's/int32_t priority;/uint32_t priority;/' 'priority: offset 12, size 4, uint32_t'
    mistake check_layouts include/cucore_v1/status.h 's/#define CUCORE_NOT_READY 6/#define CUCORE_NOT_READY 99/' '+CUCORE_NOT_READY 99'
    mistake check_layouts abi/layouts '/CUCORE_NOT_READY/d' '+CUCORE_NOT_READY 6'
    mistake check_layouts include/cucore_v1/event.h 's/int32_t timing;.*/&\nint64_t padding;/' '+cucore_event_options.padding: offset 16, size 8, int64_t'
    mistake check_layouts include/cucore_v1/event.h '/ int32_t timing;/{h;d};/ int32_t blocking_sync;/G' \
        '+cucore_event_options.blocking_sync: offset 8, size 4, int32_t'
    mistake check_layouts abi/driver-errors.def 's/^(X\(CUDA_ERROR_NOT_FOUND, )500/\1501/' '+driver CUDA_ERROR_NOT_FOUND 501 NOT_FOUND 0'
    mistake check_layouts abi/driver-errors.def 's/^(X\(CUDA_ERROR_NOT_FOUND, [0-9]+), NOT_FOUND/\1, INVALID_STATE/' \
        '+driver CUDA_ERROR_NOT_FOUND 500 INVALID_STATE 0'
    mistake check_layouts abi/nvrtc-errors.def '/^X\(NVRTC_ERROR_COMPILATION,/d' '-nvrtc NVRTC_ERROR_COMPILATION 6 COMPILE 0'
}

# What a library is that is built from the headers and the symbol map of the copy.
check_rebuilt() {
    make_stubs "$WORK/rebuilt.so"
    SHARED=$WORK/rebuilt.so
    check_baseline
}

find_mistakes_in_library() {
    local headers=include/cucore_v1
    mistake check_rebuilt $headers/event.h '/ cucore_event_has_timing\(/d' "[D] 'function int32_t cucore_event_has_timing"
    mistake check_rebuilt $headers/event.h 's/int32_t( cucore_event_has_timing)/int64_t\1/' 'return type changed'
    mistake check_rebuilt $headers/device.h 's/(cucore_device_open\()int32_t/\1int64_t/' "parameter 1 of type 'typedef int32_t' changed"
    mistake check_rebuilt $headers/device.h 's/(cucore_device_open\()int32_t/\1uint32_t/' "parameter 1 of type 'typedef int32_t' changed"
    mistake check_rebuilt $headers/event.h 's/(cucore_event_has_timing\([^)]*)/\1, int32_t more/' "'typedef int32_t' was added"
    mistake check_rebuilt $headers/types.h 's/\(\*cucore_drop_function\)\(/&int32_t reason, /' 'cucore_drop_function'
    mistake check_rebuilt $headers/types.h 's/const char \*data;/size_t used;\n&/' 'size_t used'
    mistake check_rebuilt $headers/launch.h 's/uint32_t block\[3\];/uint32_t block[4];/' 'uint32_t block'
    mistake check_rebuilt symbols.map 's/^CUCORE_1.0/CUCORE_0.9/' 'cucore_event_record@@CUCORE_1.0'
    add_function_to_old_node
}

declare_new_function() {
    edit include/cucore_v1/event.h 's/^CUCORE_END/CUCORE_API void cucore_event_erase(cucore_event *event);\n&/'
}

add_function_to_old_node() {
    copy_tree
    declare_new_function
    edit symbols.map 's/^( *)cucore_event_elapsed;/&\n\1cucore_event_erase;/'
    run_check check_rebuilt
    names 'functions are added to an old node: cucore_event_erase 1.0'
}

# release VERSION: the copy is under work after 1.0.0.
release() {
    copy_tree
    edit include/cucore_v1/driver.h "s/1\.0\.0-dev/$1/"
}

find_mistakes_after_release() {
    release 1.0.1-dev
    edit include/cucore_v1/status.h '/define CUCORE_LINK /d'
    run_check accept_layouts
    names 'abi/layouts is frozen: it would lose: CUCORE_LINK 10'
    release 1.0.1-dev
    edit include/cucore_v1/device.h 's/(cucore_device_open\()int32_t/\1int64_t/'
    run_check accept_baseline
    names 'abi/libcucore.abi is frozen'
}

# allows CHECK: it finds nothing in the copy.
allows() {
    run_check "$1"
    grep -q '^check-abi: \|^error: ' <<< "$REPORT"
    [ $? -eq 1 ]
    result $? "$1 refuses what is allowed" "$REPORT"
}

find_what_is_allowed_after_release() {
    release 1.1.0-dev
    declare_new_function
    printf 'CUCORE_1.1 {\nglobal:\n    cucore_event_erase;\n} CUCORE_1.0;\n' >> "$COPY/symbols.map"
    edit include/cucore_v1/event.h 's/int32_t blocking_sync;.*/&\nint64_t new_choice;/'
    printf '[suppress_type]\nname = cucore_event_options\n' >> "$COPY/abi/suppressions"
    allows check_rebuilt
    allows accept_layouts
    allows accept_baseline
}

find_mistakes_in_round_trip() {
    local bindings=bindings/rust/cucore-sys/src/bindings.rs
    has_rust || return 0
    mistake check_round_trip $bindings 's/(fn cucore_device_open\(ordinal: )i32/\1i64/' "conflicting types for 'cucore_device_open'"
    mistake check_round_trip $bindings 's/(unsafe extern "C" fn\(user_data: \*mut ::core::ffi::c_void)\)>/\1, _: i32)>/' \
        "conflicting types for 'cucore_drop_function'"
    mistake check_round_trip $bindings 's/pub fn cucore_event_record\(/pub fn cucore_event_erase(/' 'missing: cucore_event_record'
    mistake check_round_trip $bindings 's/pub blocking_sync: i32/pub blocking_sync: u32/' 'blocking_sync: offset 12, size 4, uint32_t'
    mistake check_round_trip $bindings 's/(CUCORE_LINK: i32 =) .*/\1 11;/' '+CUCORE_LINK 11'
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
    mistake check_glibc abi/glibc-floor 's/.*/2.2.5/' 'abi/glibc-floor says 2.2.5'
    mistake check_sources src/driver/words.c 's/number_at\(returning/atoll(returning/' 'needs glibc 2.38 where it is built with that: src/driver/words.c'
    mistake check_versions include/cucore_v1/driver.h 's/(define CUCORE_VERSION) .*/\1 1/' 'CUCORE_VERSION 1 is not'
}

# A library that does everything that ours must not, in place of ours.
make_wrong_library() {
    local unprotected=-fcf-protection=none
    [ "$(uname -m)" = x86_64 ] || unprotected=-mbranch-protection=none
    mkdir -p "$WORK/wrong/CMakeFiles/cucore.dir" "$WORK/wrong/CMakeFiles/cucore_static.dir"
    cat > "$WORK/wrong.c" << 'SOURCE'
#include <math.h>
_Thread_local char kept[100];
volatile double result = 2;
char *foreign(void) { return kept; }
__asm__(".pushsection .text\n.quad foreign\n.popsection\n"
        ".pushsection written_and_executed, \"awx\"\n.quad 0\n.popsection");
__attribute__((constructor)) static void start(void) { result = cos(result); }
SOURCE
    gcc -O1 -fPIC "$unprotected" -c "$WORK/wrong.c" -o "$WORK/wrong/CMakeFiles/cucore.dir/wrong.c.o"
    ar rcs "$WORK/wrong/libcucore.a" "$WORK/wrong/CMakeFiles/cucore.dir/wrong.c.o"
    gcc -shared -Wl,-soname,libcucore.so.2 -Wl,-z,execstack -Wl,-z,norelro -Wl,-z,lazy -Wl,-z,notext \
        -Wl,--no-warn-rwx-segments -Wl,--no-as-needed "$WORK/wrong/CMakeFiles/cucore.dir/wrong.c.o" -lm -o "$WORK/wrong/libcucore.so.1"
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
    names 'are not marked for control-flow protection'
    run_check check_lists
    names 'not declared: foreign kept result'
    run_check check_programs
    names "a c program of all functions does not link with $SHARED"
    run_check check_branches
    names 'called through pointers, and not marked for that: foreign start'
    run_check check_file
    names 'another SONAME'
    names 'lacks full RELRO'
    names 'wants an executable stack'
    names 'has a segment that is both written and executed'
    names 'has text relocations'
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
    find_mistakes_in_library
    find_mistakes_after_release
    find_what_is_allowed_after_release
    find_mistakes_in_round_trip
    find_mistakes_in_files
}
