// SPDX-License-Identifier: MIT OR Apache-2.0
// Bytes of two words in another order: by a selector, and in prmt's six modes.
// output: 256 u32 exact

#define MODE(mode, row) asm("prmt.b32" mode " %0, %1, %2, %3;" : "=r"(out[i + 32 * row]) : "r"(u), "r"(v), "r"(i));

extern "C" __global__ void kernel(unsigned *out, const unsigned *in, unsigned) {
    const unsigned i = threadIdx.x, u = in[i], v = in[i + 32], selector = in[i + 64];
    out[i] = __byte_perm(u, v, selector & 0x7777);
    asm("prmt.b32 %0, %1, %2, %3;" : "=r"(out[i + 32]) : "r"(u), "r"(v), "r"(selector));
    MODE(".f4e", 2)
    MODE(".b4e", 3)
    MODE(".rc8", 4)
    MODE(".ecl", 5)
    MODE(".ecr", 6)
    MODE(".rc16", 7)
}
