// SPDX-License-Identifier: MIT OR Apache-2.0
// f32 with subnormal numbers taken for zero (.ftz), and results held within [0, 1] (.sat).
// input: f32
// output: 512 f32 exact

#define ONE(instruction, row) asm(instruction " %0, %1;" : "=f"(out[i + 32 * row]) : "f"(a));
#define TWO(instruction, row) asm(instruction " %0, %1, %2;" : "=f"(out[i + 32 * row]) : "f"(a), "f"(b));
#define THREE(instruction, row) asm(instruction " %0, %1, %2, %3;" : "=f"(out[i + 32 * row]) : "f"(a), "f"(b), "f"(c));

extern "C" __global__ void kernel(float *out, const float *in, unsigned) {
    const unsigned i = threadIdx.x;
    const float a = in[i], b = in[i + 32], c = in[i + 64];
    TWO("add.rn.ftz.f32", 0)
    TWO("sub.rz.ftz.sat.f32", 1)
    TWO("mul.rp.ftz.f32", 2)
    TWO("mul.rn.ftz.sat.f32", 3)
    THREE("fma.rn.ftz.f32", 4)
    THREE("fma.rm.ftz.sat.f32", 5)
    THREE("fma.rn.sat.f32", 6)
    TWO("add.rm.sat.f32", 7)
    TWO("div.rn.ftz.f32", 8)
    ONE("rcp.rn.ftz.f32", 9)
    ONE("sqrt.rn.ftz.f32", 10)
    ONE("abs.ftz.f32", 11)
    ONE("neg.ftz.f32", 12)
    TWO("min.ftz.f32", 13)
    TWO("max.ftz.f32", 14)
    ONE("cvt.rni.ftz.sat.f32.f32", 15)
}
