/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#include "base/argument.h"

#include <stdlib.h>
#include <string.h>

static const size_t largest_options = 4096;

int32_t cucore_expect_choice(const cucore_call *call, int32_t value, const char *parameter) {
    if (value == CUCORE_DEFAULT || value == CUCORE_ON || value == CUCORE_OFF)
        return CUCORE_OK;
    return cucore_fail(call, CUCORE_INVALID_ARGUMENT, ": %s is %d, not CUCORE_DEFAULT, CUCORE_ON or CUCORE_OFF", parameter,
                       (int)value);
}

int32_t cucore_expect_flag(const cucore_call *call, int32_t value, const char *parameter) {
    if (value == 0 || value == 1)
        return CUCORE_OK;
    return cucore_fail(call, CUCORE_INVALID_ARGUMENT, ": %s is %d, not 0 or 1", parameter, (int)value);
}

int32_t cucore_expect_unset(const cucore_call *call, bool has, uint64_t value, const char *parameter) {
    if (has || !value)
        return CUCORE_OK;
    return cucore_fail(call, CUCORE_INVALID_ARGUMENT, ": options->%s is given, but options->has_%s is 0", parameter, parameter);
}

int32_t cucore_expect_ownership(const cucore_call *call, int32_t ownership) {
    if (ownership == CUCORE_BORROW || ownership == CUCORE_ADOPT)
        return CUCORE_OK;
    return cucore_fail(call, CUCORE_INVALID_ARGUMENT, ": ownership is %d, not CUCORE_BORROW or CUCORE_ADOPT", (int)ownership);
}

int32_t cucore_expect_list(const cucore_call *call, const void *elements, size_t capacity, const size_t *total, const char *name) {
    int32_t code = cucore_expect_pointer(call, total, "total");
    return code || !capacity ? code : cucore_expect_pointer(call, elements, name);
}

int32_t cucore_expect_zero(const cucore_call *call, uint64_t value, const char *parameter) {
    return value ? cucore_fail(call, CUCORE_INVALID_ARGUMENT, ": %s is reserved and must be 0", parameter) : CUCORE_OK;
}

int32_t cucore_expect_range(const cucore_call *call, size_t offset, size_t size, size_t total, const char *what) {
    if (offset <= total && size <= total - offset)
        return CUCORE_OK;
    return cucore_fail(call, CUCORE_INVALID_ARGUMENT, ": %zu bytes from offset %zu on are not within the %s's %zu bytes", size,
                       offset, what, total);
}

int32_t cucore_expect_text(const cucore_call *call, const char *data, size_t size, const char *parameter) {
    if (!data && size)
        return cucore_fail(call, CUCORE_INVALID_ARGUMENT, ": %s is NULL", parameter);
    if (size && memchr(data, '\0', size))
        return cucore_fail(call, CUCORE_INVALID_ARGUMENT, ": %s has a NUL among its %zu bytes", parameter, size);
    return CUCORE_OK;
}

int32_t cucore_expect_path(const cucore_call *call, const char *data, size_t size, const char *parameter) {
    int32_t code = cucore_expect_given_text(call, data, size, parameter);
    if (!code && data[0] != '/')
        code = cucore_fail(call, CUCORE_INVALID_ARGUMENT, ": %s is not an absolute path", parameter);
    return code;
}

static bool all_zero(const unsigned char *bytes, size_t size) {
    for (size_t i = 0; i < size; i++)
        if (bytes[i])
            return false;
    return true;
}

int32_t cucore_read_other_options(const cucore_call *call, const void *options, void *known, size_t known_size, size_t first_size) {
    size_t size = 0;
    memcpy(&size, options, sizeof size);
    if (size < first_size || size > largest_options)
        return cucore_fail(call, CUCORE_INVALID_ARGUMENT,
                           ": options->struct_size is %zu, not from %zu to %zu; set it to the struct's size", size, first_size,
                           largest_options);
    size_t common = size < known_size ? size : known_size;
    if (!all_zero((const unsigned char *)options + common, size - common))
        return cucore_fail(call, CUCORE_INVALID_ARGUMENT,
                           ": options has fields beyond byte %zu that this version of libcucore does not know", common);
    memcpy(known, options, common);
    return CUCORE_OK;
}

char *cucore_copy_text(const cucore_call *call, const char *data, size_t size) {
    char *copy = malloc(size + 1);
    if (!copy) {
        cucore_fail(call, CUCORE_OUT_OF_MEMORY, ": no memory for %zu bytes of text", size);
        return NULL;
    }
    if (size)
        memcpy(copy, data, size);
    copy[size] = '\0';
    return copy;
}
