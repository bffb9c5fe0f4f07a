/* SPDX-License-Identifier: MIT OR Apache-2.0 */

/* The exported driver functions, made from the rows of functions.h, and how programs find them. */

#include "call.h"

#include "cusim.h"

#include <string.h>

/* ARGUMENTS(a, b, c) is the initialiser of an array of struct argument. */
#define ARGUMENT_KIND(a) \
    _Generic((a), const char *: ARGUMENT_TEXT, int: ARGUMENT_NUMBER, unsigned char: ARGUMENT_NUMBER, \
             unsigned short: ARGUMENT_NUMBER, unsigned int: ARGUMENT_NUMBER, size_t: ARGUMENT_NUMBER, default: ARGUMENT_ADDRESS)
/* clang-format off */
#define ARGUMENT(a) {ARGUMENT_KIND(a), (uint64_t)(a)}
/* clang-format on */
#define ARGUMENTS_1(a) ARGUMENT(a)
#define ARGUMENTS_2(a, ...) ARGUMENT(a), ARGUMENTS_1(__VA_ARGS__)
#define ARGUMENTS_3(a, ...) ARGUMENT(a), ARGUMENTS_2(__VA_ARGS__)
#define ARGUMENTS_4(a, ...) ARGUMENT(a), ARGUMENTS_3(__VA_ARGS__)
#define ARGUMENTS_5(a, ...) ARGUMENT(a), ARGUMENTS_4(__VA_ARGS__)
#define ARGUMENTS_6(a, ...) ARGUMENT(a), ARGUMENTS_5(__VA_ARGS__)
#define ARGUMENTS_7(a, ...) ARGUMENT(a), ARGUMENTS_6(__VA_ARGS__)
#define ARGUMENTS_8(a, ...) ARGUMENT(a), ARGUMENTS_7(__VA_ARGS__)
#define ARGUMENTS_9(a, ...) ARGUMENT(a), ARGUMENTS_8(__VA_ARGS__)
#define ARGUMENTS_10(a, ...) ARGUMENT(a), ARGUMENTS_9(__VA_ARGS__)
#define ARGUMENTS_11(a, ...) ARGUMENT(a), ARGUMENTS_10(__VA_ARGS__)
#define TWELFTH(a, b, c, d, e, f, g, h, i, j, k, l, ...) l
#define ARGUMENTS_OF(...) \
    TWELFTH(__VA_ARGS__, ARGUMENTS_11, ARGUMENTS_10, ARGUMENTS_9, ARGUMENTS_8, ARGUMENTS_7, ARGUMENTS_6, ARGUMENTS_5, ARGUMENTS_4, \
            ARGUMENTS_3, ARGUMENTS_2, ARGUMENTS_1, 0)
#define ARGUMENTS(...) ARGUMENTS_OF(__VA_ARGS__)(__VA_ARGS__)

/* Each function's place in functions[]. */
enum {
#define PLACE(name, symbol, ...) PLACE_##symbol,
    CUSIM_FUNCTIONS(PLACE, PLACE)
#undef PLACE
};

#define EXPORT(name, symbol, version, parameters, arguments) \
    CUSIM_API CUresult symbol parameters; \
    CUresult symbol parameters { \
        struct call call; \
        if (call_begin(&call, &functions[PLACE_##symbol])) \
            call.result = sim_##symbol arguments; \
        const struct argument given[] = {ARGUMENTS arguments}; \
        return call_end(&call, given, sizeof(given) / sizeof(given[0])); \
    }
#define EXPORT0(name, symbol, version) \
    CUSIM_API CUresult symbol(void); \
    CUresult symbol(void) { \
        struct call call; \
        if (call_begin(&call, &functions[PLACE_##symbol])) \
            call.result = sim_##symbol(); \
        return call_end(&call, NULL, 0); \
    }
CUSIM_FUNCTIONS(EXPORT, EXPORT0)

#define EXPORT_OTHER(name, symbol, version, same_as) CUSIM_API extern __typeof__(same_as) symbol __attribute__((alias(#same_as)));
CUSIM_OTHER_SYMBOLS(EXPORT_OTHER)

#define ROW(name, symbol, version, ...) {#name, #symbol, version, (void (*)(void))symbol, 0, 0},
#define ROW0(name, symbol, version) ROW(name, symbol, version, )
struct function functions[] = {CUSIM_FUNCTIONS(ROW, ROW0) CUSIM_OTHER_SYMBOLS(ROW)};
const size_t functions_count = sizeof(functions) / sizeof(functions[0]);

/* The newest form of `name` that is not newer than `version`. `*found` says why there is none. */
static const struct function *find_function(const char *name, int version, CUdriverProcAddressQueryResult *found) {
    const struct function *newest = NULL;
    int is_known = 0;
    for (const struct function *row = functions; row < functions + functions_count; row++) {
        if (strcmp(row->name, name) != 0 || row->hidden || row->version > simulator.driver_version)
            continue;
        is_known = 1;
        if (row->version <= version && (!newest || row->version > newest->version))
            newest = row;
    }
    *found = newest     ? CU_GET_PROC_ADDRESS_SUCCESS
             : is_known ? CU_GET_PROC_ADDRESS_VERSION_NOT_SUFFICIENT
                        : CU_GET_PROC_ADDRESS_SYMBOL_NOT_FOUND;
    return newest;
}

CUresult sim_cuGetProcAddress_v2(const char *name, void **address, int version, cuuint64_t flags,
                                 CUdriverProcAddressQueryResult *found) {
    if (!name || !address || flags > 2)
        return CUDA_ERROR_INVALID_VALUE;
    if (version > simulator.driver_version)
        return refuse(CUDA_ERROR_INVALID_VALUE, "Version %d is newer than the driver's %d", version, simulator.driver_version);
    CUdriverProcAddressQueryResult why;
    const struct function *function = find_function(name, version, &why);
    *address = function ? (void *)(uintptr_t)function->address : NULL;
    if (found)
        *found = why;
    return CUDA_SUCCESS;
}

CUresult sim_cuGetProcAddress(const char *name, void **address, int version, cuuint64_t flags) {
    CUresult result = sim_cuGetProcAddress_v2(name, address, version, flags, NULL);
    if (result == CUDA_SUCCESS && !*address)
        return refuse(CUDA_ERROR_NOT_FOUND, "Function (%s) cannot be found", name);
    return result;
}
