// SPDX-License-Identifier: MIT OR Apache-2.0
// Two f32 at once: sums, products and fused products of .f32x2 (PTX ISA 8.6, sm_100). No GPU of ours runs this: what is expected
// is what the simulated device gave, and what a computation with exact fractions gave apart from it.
// needs: 100 12.9
// input: f32
// output: 384 u64 exact

#define TWO(instruction, row) asm(instruction " %0, %1, %2;" : "=l"(out[i + 32 * row]) : "l"(a), "l"(b));
#define THREE(instruction, row) asm(instruction " %0, %1, %2, %3;" : "=l"(out[i + 32 * row]) : "l"(a), "l"(b), "l"(c));

extern "C" __global__ void kernel(unsigned long long *out, const unsigned long long *in, unsigned) {
    const unsigned i = threadIdx.x;
    const unsigned long long a = in[i], b = in[i + 32], c = in[i + 64];
    TWO("add.f32x2", 0)
    TWO("add.rz.f32x2", 1)
    TWO("add.rm.ftz.f32x2", 2)
    TWO("sub.f32x2", 3)
    TWO("sub.rp.f32x2", 4)
    TWO("sub.rn.ftz.f32x2", 5)
    TWO("mul.f32x2", 6)
    TWO("mul.rz.ftz.f32x2", 7)
    TWO("mul.rp.f32x2", 8)
    THREE("fma.rn.f32x2", 9)
    THREE("fma.rm.f32x2", 10)
    THREE("fma.rp.ftz.f32x2", 11)
}
