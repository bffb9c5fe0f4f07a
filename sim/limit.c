/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#include "limit.h"

#include "call.h"
#include "context.h"

#include <string.h>

enum { LIMIT_MAX_L2_FETCH_GRANULARITY = 5, LIMIT_PERSISTING_L2_CACHE_SIZE = 6, LIMITS_END = 10 };
enum { CACHE_CONFIGS = 4 };

#define L2_FETCH_GRANULARITY 64

void limits_reset(struct limits *limits) {
    static const size_t values[LIMITS_SETTABLE] = {
        [LIMIT_STACK_SIZE] = 1024, [LIMIT_PRINTF_FIFO_SIZE] = 1 << 20, [LIMIT_MALLOC_HEAP_SIZE] = 8 << 20};
    memcpy(limits->values, values, sizeof(values));
    limits->cache_config = 0;
}

int cache_config_exists(int config) {
    return config >= 0 && config < CACHE_CONFIGS;
}

/* Whether a limit is one that the driver has, and the devices too. */
static CUresult check_limit(int limit) {
    if (limit < 0 || limit >= LIMITS_END)
        return refuse(CUDA_ERROR_INVALID_VALUE, "There is no limit %d", limit);
    if (limit >= LIMITS_SETTABLE && limit != LIMIT_MAX_L2_FETCH_GRANULARITY && limit != LIMIT_PERSISTING_L2_CACHE_SIZE)
        return refuse(CUDA_ERROR_UNSUPPORTED_LIMIT, "The simulated device has no limit %d", limit);
    return CUDA_SUCCESS;
}

CUresult sim_cuCtxGetLimit(size_t *value, int limit) {
    struct context *context = NULL;
    CUresult result = value ? context_current(&context) : CUDA_ERROR_INVALID_VALUE;
    if (result == CUDA_SUCCESS)
        result = check_limit(limit);
    if (result != CUDA_SUCCESS)
        return result;
    if (limit < LIMITS_SETTABLE)
        *value = context->limits.values[limit];
    else
        *value = limit == LIMIT_MAX_L2_FETCH_GRANULARITY ? L2_FETCH_GRANULARITY : 0;
    return CUDA_SUCCESS;
}

/* What is set about the L2 cache is a hint, which a device without one need not follow. */
CUresult sim_cuCtxSetLimit(int limit, size_t value) {
    struct context *context = NULL;
    CUresult result = context_current(&context);
    if (result == CUDA_SUCCESS)
        result = check_limit(limit);
    if (result == CUDA_SUCCESS && limit < LIMITS_SETTABLE)
        context->limits.values[limit] = value;
    return result;
}

CUresult sim_cuCtxGetCacheConfig(int *config) {
    struct context *context = NULL;
    CUresult result = config ? context_current(&context) : CUDA_ERROR_INVALID_VALUE;
    if (result == CUDA_SUCCESS)
        *config = context->limits.cache_config;
    return result;
}

CUresult sim_cuCtxSetCacheConfig(int config) {
    struct context *context = NULL;
    CUresult result = context_current(&context);
    if (result == CUDA_SUCCESS && !cache_config_exists(config))
        return refuse(CUDA_ERROR_INVALID_VALUE, "There is no cache configuration %d", config);
    if (result == CUDA_SUCCESS)
        context->limits.cache_config = config;
    return result;
}
