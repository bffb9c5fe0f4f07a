// SPDX-License-Identifier: MIT OR Apache-2.0
// Barriers of a block: all threads, some of them by number, arriving without waiting, and with a reduction.
// block: 128
// output: 512 u32 exact

extern "C" __global__ void kernel(unsigned *out, const unsigned *in, unsigned) {
    const unsigned i = threadIdx.x, warp = i / 32;
    __shared__ volatile unsigned shared[128];
    unsigned result;
    shared[i] = in[i];
    __syncthreads();
    out[i] = shared[127 - i];
    out[i + 128] = __syncthreads_count(in[i] & 1) | __syncthreads_and(in[i] != 0) << 8 | __syncthreads_or(i == 77) << 9 |
                   (__syncthreads_and(i != 3) != 0) << 10;
    shared[i] = 0;
    __syncthreads();
    if (warp < 2) { // two warps meet at barrier 3
        shared[i] = in[i] * 3;
        asm volatile("bar.sync 3, 64;" : : : "memory");
        result = shared[63 - i];
        asm volatile("barrier.sync %0, 64;" : : "r"(5) : "memory");
    } else if (warp == 2) { // one warp makes, the other takes
        shared[i] = in[i] + 7;
        __threadfence_block();
        asm volatile("bar.arrive 4, 64;" : : : "memory");
        result = 1;
    } else {
        asm volatile("bar.sync 4, 64;" : : : "memory");
        result = shared[i - 32];
    }
    out[i + 256] = result;
    __syncthreads();
    if (warp & 1) {
        asm volatile("{ .reg .pred p, q; setp.gt.s32 p, %1, 0; bar.red.popc.u32 %0, 6, 64, p; bar.red.and.pred q, 6, 64, p; @q "
                     "add.u32 %0, %0, 100; "
                     "bar.red.or.pred q, 6, 64, !p; @q add.u32 %0, %0, 1000; }"
                     : "=r"(result)
                     : "r"(in[i])
                     : "memory");
    } else {
        asm volatile("barrier.cta.sync.aligned 7, 64;\n\tbarrier.cta.arrive 8, 128;" : : : "memory");
        result = 9;
        asm volatile("{ .reg .pred p; setp.ne.s32 p, %1, 0; barrier.cta.red.popc.aligned.u32 %0, 7, 64, p; }"
                     : "=r"(result)
                     : "r"(in[i])
                     : "memory");
    }
    if (warp & 1) {
        asm volatile("barrier.cta.sync 8, 128;" : : : "memory");
    }
    out[i + 384] = result;
}
