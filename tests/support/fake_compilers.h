/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#ifndef TEST_FAKE_COMPILERS_H
#define TEST_FAKE_COMPILERS_H

/* Controls of the fake NVRTC and nvJitLink: one library that stands in for both. It compiles any source to the PTX of saxpy with
 * a warning in the log, except one with "#error" in it, which it refuses; it links anything to that PTX. */

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* fake_fail makes calls of `function` (NULL: any that can fail) fail with `result`: the `nth` from now, counted from 1, and, if
 * `sticky`, all after it. With `nth` 0 none fails. */
void fake_fail(const char *function, uint64_t nth, int result, int sticky);

/* Counts since the last fake_fail: of calls that it named, and of those that it failed. */
uint64_t fake_calls(void);
uint64_t fake_failures(void);

/* fake_failed gives the name of failed call `index` since the last fake_fail, NULL if there were fewer (64 are kept). */
const char *fake_failed(uint64_t index);

/* fake_live counts the programs and linkers alive. */
uint64_t fake_live(void);

/* fake_options gives the options of the last compilation or link, a line each. */
const char *fake_options(void);

#ifdef __cplusplus
}
#endif

#endif
