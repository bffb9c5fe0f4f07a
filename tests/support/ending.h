// SPDX-License-Identifier: MIT OR Apache-2.0
// The sudden end of a process.
#pragma once

#include <unistd.h>

#ifdef __cplusplus
extern "C" {
#endif
void __gcov_dump(void) __attribute__((weak)); // there in a build that counts what runs of the library
#ifdef __cplusplus
}
#endif

/// _exit, once the counts of what ran are written.
__attribute__((noreturn)) static inline void end_process(int code) {
    if (__gcov_dump) {
        __gcov_dump();
    }
    _exit(code);
}
