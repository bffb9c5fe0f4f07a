// SPDX-License-Identifier: MIT OR Apache-2.0
// Barriers that reduce a predicate: in all their forms, of all threads and of two warps.
// block: 128
// output: 384 u32 exact

#define REDUCE(to_count, to_all, to_any) \
    asm volatile("{ .reg .pred p, q; setp.ne.u32 p, %1, 0;\n\t" to_count ";\n\t" to_all ";\n\t@q add.u32 %0, %0, 1000;\n\t" to_any \
                 ";\n\t@q add.u32 %0, %0, 2000; }" \
                 : "=r"(result) \
                 : "r"(in[i] & 1), "r"(barrier) \
                 : "memory");

extern "C" __global__ void kernel(unsigned *out, const unsigned *in, unsigned) {
    const unsigned i = threadIdx.x;
    unsigned result, barrier = 3;
    REDUCE("bar.red.popc.u32 %0, 1, p", "bar.red.and.pred q, 1, p", "bar.cta.red.or.pred q, %2, !p")
    out[i] = result;
    REDUCE("barrier.cta.red.popc.aligned.u32 %0, 2, p", "barrier.red.and.pred q, %2, !p", "barrier.cta.red.or.aligned.pred q, 2, p")
    out[i + 128] = result;
    barrier = 4 + i / 64;
    REDUCE("barrier.red.popc.u32 %0, %2, 64, p", "barrier.cta.red.and.aligned.pred q, %2, 64, p",
           "barrier.red.or.pred q, %2, 64, !p")
    out[i + 256] = result;
}
