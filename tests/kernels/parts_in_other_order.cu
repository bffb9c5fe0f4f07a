// SPDX-License-Identifier: MIT OR Apache-2.0
// Instructions with their parts in another order than the PTX ISA's syntax gives: the driver takes them, and so do we.
// needs: 90
// output: 320 u32 exact

#define MODE(mode, row) asm("prmt." mode ".b32 %0, %1, %2, %3;" : "=r"(out[i + 32 * row]) : "r"(u), "r"(v), "r"(i));
#define PAIR(instruction, row) asm(instruction " %0, %1, %2;" : "=r"(out[i + 32 * row]) : "r"(u), "r"(v));

extern "C" __global__ void kernel(unsigned *out, const unsigned *in, unsigned) {
    const unsigned i = threadIdx.x, u = in[i], v = in[i + 32];
    MODE("f4e", 0)
    MODE("b4e", 1)
    MODE("rc8", 2)
    MODE("ecl", 3)
    MODE("ecr", 4)
    MODE("rc16", 5)
    PAIR("min.s32.relu", 6)
    PAIR("max.s32.relu", 7)
    PAIR("min.s16x2.relu", 8)
    PAIR("max.s16x2.relu", 9)
    asm volatile("fence.cta.sc;\n\tfence.gpu.acq_rel;" : : : "memory");
}
