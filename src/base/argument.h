/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#ifndef CUCORE_BASE_ARGUMENT_H
#define CUCORE_BASE_ARGUMENT_H

/* Checks of what callers pass. Each fails the call with a message that names the parameter and the rule, and returns the code;
 * CUCORE_OK means that it holds. */

#include "base/object.h"

/* cucore_expect_pointer: not NULL. Inline, so that what follows is known not to be. */
static inline int32_t cucore_expect_pointer(const cucore_call *call, const void *pointer, const char *parameter) {
    if (pointer)
        return CUCORE_OK;
    cucore_fail(call, CUCORE_INVALID_ARGUMENT, ": %s is NULL", parameter);
    return CUCORE_INVALID_ARGUMENT;
}

/* cucore_expect_choice: CUCORE_DEFAULT, CUCORE_ON or CUCORE_OFF. */
int32_t cucore_expect_choice(const cucore_call *call, int32_t value, const char *parameter);

/* cucore_expect_flag: 0 or 1. */
int32_t cucore_expect_flag(const cucore_call *call, int32_t value, const char *parameter);

/* cucore_expect_unset: a field that is not said to be given is 0: what is given and ignored would be a trap. */
int32_t cucore_expect_unset(const cucore_call *call, bool has, uint64_t value, const char *parameter);

/* cucore_expect_ownership: CUCORE_BORROW or CUCORE_ADOPT. */
int32_t cucore_expect_ownership(const cucore_call *call, int32_t ownership);

/* cucore_expect_list: room for a list that the caller wants, `capacity` elements at `elements`, and for how many there are. */
int32_t cucore_expect_list(const cucore_call *call, const void *elements, size_t capacity, const size_t *total, const char *name);

/* cucore_expect_zero: a reserved field is 0. */
int32_t cucore_expect_zero(const cucore_call *call, uint64_t value, const char *parameter);

/* cucore_expect_range: `size` bytes from `offset` on lie within `total`. */
int32_t cucore_expect_range(const cucore_call *call, size_t offset, size_t size, size_t total, const char *what);

/* cucore_expect_text: `size` bytes at `data`, no NUL among them; {NULL, 0} is fine. */
int32_t cucore_expect_text(const cucore_call *call, const char *data, size_t size, const char *parameter);

/* cucore_expect_given_text: the same, and not empty. */
static inline int32_t cucore_expect_given_text(const cucore_call *call, const char *data, size_t size, const char *parameter) {
    int32_t code = cucore_expect_pointer(call, data, parameter);
    if (!code && !size)
        code = cucore_fail(call, CUCORE_INVALID_ARGUMENT, ": %s is empty", parameter);
    return code ? code : cucore_expect_text(call, data, size, parameter);
}

/* cucore_expect_path: the same, and an absolute path. */
int32_t cucore_expect_path(const cucore_call *call, const char *data, size_t size, const char *parameter);

/* cucore_read_options copies a caller's options struct to `known`, a struct of `known_size` bytes of this version; NULL gives all
 * zeros. `first_size` is the struct's size in 1.0. The first member of both is the struct's size. Inline for the usual callers:
 * those without options, and those with this version's struct. */
int32_t cucore_read_other_options(const cucore_call *call, const void *options, void *known, size_t known_size, size_t first_size);
static inline int32_t cucore_read_options(const cucore_call *call, const void *options, void *known, size_t known_size,
                                          size_t first_size) {
    size_t size = 0;
    memset(known, 0, known_size);
    if (!options)
        return CUCORE_OK;
    memcpy(&size, options, sizeof size);
    if (size != known_size)
        return cucore_read_other_options(call, options, known, known_size, first_size);
    memcpy(known, options, known_size);
    return CUCORE_OK;
}

/* cucore_copy_text gives `size` bytes of text with a NUL behind them, to be freed; NULL, and the call failed, with no memory. */
char *cucore_copy_text(const cucore_call *call, const char *data, size_t size);

#endif
