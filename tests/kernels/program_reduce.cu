// SPDX-License-Identifier: MIT OR Apache-2.0
// A whole program: sum, greatest and exclusive or of an array, by warps, then blocks, then the last block to end.
// builds: -G -lineinfo
// grid: 4
// block: 128
// output: 3 u32 exact

constexpr unsigned WARPS = 4, BLOCKS = 4;

struct Summary {
    unsigned sum, greatest, parity;
};

__device__ Summary partial[BLOCKS];
__device__ unsigned ended;

__device__ Summary combine(Summary a, Summary b) {
    return {a.sum + b.sum, max(a.greatest, b.greatest), a.parity ^ b.parity};
}

__device__ Summary of_warp(Summary own) {
    for (unsigned distance = 16; distance > 0; distance /= 2) {
        const Summary other = {__shfl_down_sync(0xffffffff, own.sum, distance),
                               __shfl_down_sync(0xffffffff, own.greatest, distance),
                               __shfl_down_sync(0xffffffff, own.parity, distance)};
        own = combine(own, other);
    }
    return own;
}

__device__ Summary of_block(Summary own) {
    __shared__ Summary of_warps[WARPS];
    own = of_warp(own);
    if (threadIdx.x % 32 == 0) {
        of_warps[threadIdx.x / 32] = own;
    }
    __syncthreads();
    Summary all = of_warps[0];
    for (unsigned warp = 1; warp < WARPS; warp++) {
        all = combine(all, of_warps[warp]);
    }
    return all;
}

extern "C" __global__ void kernel(unsigned *out, const unsigned *in, unsigned) {
    const unsigned value = in[blockIdx.x * blockDim.x + threadIdx.x];
    const Summary all = of_block({value, value, value});
    if (threadIdx.x != 0) {
        return;
    }
    partial[blockIdx.x] = all;
    __threadfence();
    if (atomicAdd(&ended, 1) != BLOCKS - 1) {
        return;
    }
    __threadfence();
    Summary total = partial[0];
    for (unsigned block = 1; block < BLOCKS; block++) {
        total = combine(total, partial[block]);
    }
    out[0] = total.sum;
    out[1] = total.greatest;
    out[2] = total.parity;
}
