// SPDX-License-Identifier: MIT OR Apache-2.0
// A whole program: running sums of an array, each with and without its own element, by warps and then by the block.
// builds: -G -lineinfo
// block: 512
// output: 1024 u32 exact

__device__ unsigned scan_warp(unsigned value) {
    const unsigned lane = threadIdx.x % 32;
    for (unsigned distance = 1; distance < 32; distance *= 2) {
        const unsigned before = __shfl_up_sync(0xffffffff, value, distance);
        value += lane >= distance ? before : 0;
    }
    return value;
}

extern "C" __global__ void kernel(unsigned *out, const unsigned *in, unsigned count) {
    const unsigned i = threadIdx.x, warp = i / 32;
    __shared__ unsigned totals[16];
    unsigned sum = scan_warp(in[i]);
    if (i % 32 == 31) {
        totals[warp] = sum;
    }
    __syncthreads();
    if (warp == 0) {
        const unsigned total = scan_warp(i < 16 ? totals[i] : 0);
        if (i < 16) {
            totals[i] = total;
        }
    }
    __syncthreads();
    sum += warp > 0 ? totals[warp - 1] : 0;
    out[i] = sum;
    out[count / 2 + i] = sum - in[i];
}
