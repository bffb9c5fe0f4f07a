/* SPDX-License-Identifier: MIT OR Apache-2.0 */

/* How many blocks a multiprocessor holds at once: by their threads, their shared memory, and its own limit. */

#include "call.h"
#include "library.h"

#define NO_CACHING_OVERRIDE 1u

static size_t round_up(size_t number, size_t unit) {
    return (number + unit - 1) / unit * unit;
}

static size_t smaller(size_t a, size_t b) {
    return a < b ? a : b;
}

static size_t blocks_by_threads(size_t block_size) {
    const struct architecture *architecture = devices_architecture();
    size_t by_threads = (size_t)architecture->threads_per_multiprocessor / round_up(block_size, WARP_SIZE);
    return smaller(by_threads, (size_t)architecture->blocks_per_multiprocessor);
}

int kernel_active_blocks(const struct kernel *kernel, size_t block_size, size_t dynamic_bytes) {
    if (block_size > MAX_THREADS_PER_BLOCK || dynamic_bytes > kernel_shared_bytes_limit(kernel))
        return 0;
    const struct architecture *architecture = devices_architecture();
    size_t shared = dynamic_bytes + ptx_shared_size(kernel->entry) + (size_t)architecture->shared_bytes_reserved;
    size_t by_threads = blocks_by_threads(block_size);
    size_t by_shared = shared ? (size_t)architecture->shared_bytes_per_multiprocessor / shared : by_threads;
    return (int)smaller(by_threads, by_shared);
}

CUresult sim_cuOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int *blocks, CUfunction function, int blockSize,
                                                                  size_t dynamicBytes, unsigned int flags) {
    struct kernel *found = NULL;
    if (!blocks || blockSize <= 0 || flags > NO_CACHING_OVERRIDE)
        return CUDA_ERROR_INVALID_VALUE;
    CUresult result = object_find(OBJECT_KERNEL, function, &found);
    if (result == CUDA_SUCCESS)
        *blocks = kernel_active_blocks(found, (size_t)blockSize, dynamicBytes);
    return result;
}

CUresult sim_cuOccupancyMaxActiveBlocksPerMultiprocessor(int *blocks, CUfunction function, int blockSize, size_t dynamicBytes) {
    return sim_cuOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(blocks, function, blockSize, dynamicBytes, 0);
}

/* The program's own function runs without the lock, as all of them do. */
static size_t bytes_of_block(CUoccupancyB2DSize bytesOfBlockSize, int block_size, size_t bytes) {
    if (!bytesOfBlockSize)
        return bytes;
    simulator_unlock();
    size_t told = bytesOfBlockSize(block_size);
    simulator_lock();
    return told;
}

CUresult sim_cuOccupancyMaxPotentialBlockSizeWithFlags(int *minGridSize, int *blockSize, CUfunction function,
                                                       CUoccupancyB2DSize bytesOfBlockSize, size_t dynamicBytes, int blockSizeLimit,
                                                       unsigned int flags) {
    struct kernel *found = NULL;
    if (!minGridSize || !blockSize || blockSizeLimit < 0 || flags > NO_CACHING_OVERRIDE)
        return CUDA_ERROR_INVALID_VALUE;
    CUresult result = object_find(OBJECT_KERNEL, function, &found);
    if (result != CUDA_SUCCESS)
        return result;
    int limit = blockSizeLimit && blockSizeLimit < MAX_THREADS_PER_BLOCK ? blockSizeLimit : MAX_THREADS_PER_BLOCK;
    int most_threads = 0;
    for (int size = limit; size > 0; size = (size - 1) / WARP_SIZE * WARP_SIZE) {
        int blocks = kernel_active_blocks(found, (size_t)size, bytes_of_block(bytesOfBlockSize, size, dynamicBytes));
        if (blocks * size > most_threads) {
            most_threads = blocks * size;
            *blockSize = size;
            *minGridSize = blocks * MULTIPROCESSORS;
        }
    }
    return most_threads ? CUDA_SUCCESS : refuse(CUDA_ERROR_INVALID_VALUE, "No block of the kernel fits a multiprocessor");
}

CUresult sim_cuOccupancyMaxPotentialBlockSize(int *minGridSize, int *blockSize, CUfunction function,
                                              CUoccupancyB2DSize bytesOfBlockSize, size_t dynamicBytes, int blockSizeLimit) {
    return sim_cuOccupancyMaxPotentialBlockSizeWithFlags(minGridSize, blockSize, function, bytesOfBlockSize, dynamicBytes,
                                                         blockSizeLimit, 0);
}

CUresult sim_cuOccupancyAvailableDynamicSMemPerBlock(size_t *bytes, CUfunction function, int blocks, int blockSize) {
    struct kernel *found = NULL;
    if (!bytes || blocks <= 0 || blockSize <= 0)
        return CUDA_ERROR_INVALID_VALUE;
    CUresult result = object_find(OBJECT_KERNEL, function, &found);
    if (result != CUDA_SUCCESS)
        return result;
    if (blockSize > MAX_THREADS_PER_BLOCK || (size_t)blocks > blocks_by_threads((size_t)blockSize))
        return refuse(CUDA_ERROR_INVALID_VALUE, "A multiprocessor does not hold %d blocks of %d threads", blocks, blockSize);
    const struct architecture *architecture = devices_architecture();
    size_t used = ptx_shared_size(found->entry) + (size_t)architecture->shared_bytes_reserved;
    size_t share = (size_t)architecture->shared_bytes_per_multiprocessor / (size_t)blocks;
    *bytes = share > used ? smaller(share - used, kernel_shared_bytes_limit(found)) : 0;
    return CUDA_SUCCESS;
}
