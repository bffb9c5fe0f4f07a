/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#ifndef CUCORE_DRIVER_WORDS_H
#define CUCORE_DRIVER_WORDS_H

/* The driver's own words about a call that failed (cuLogsRegisterCallback, CUDA 12.9 on). The driver calls back on the failing
 * thread before the call returns: first a sentence, then "Returning 1 (CUDA_ERROR_INVALID_VALUE) from cuStreamDestroy". Both are
 * kept in a small table by thread, and taken by whoever makes the status of that call. A call that succeeds does nothing here,
 * and words about calls that are not ours are overwritten, unused. */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define CUCORE_WORDS_SIZE 512

/* cucore_words_heard is told what the driver said on this thread. */
void cucore_words_heard(const char *text, size_t size);

/* cucore_words_forget drops what was said on this thread: after a call that was meant to fail, or one that the driver talks about
 * although it works. */
void cucore_words_forget(void);

/* cucore_words_take copies the sentence about the latest failure on this thread to `words`, a buffer of CUCORE_WORDS_SIZE bytes,
 * if that failure was of `operation` with `code`. */
bool cucore_words_take(const char *operation, int64_t code, char *words);

#endif
