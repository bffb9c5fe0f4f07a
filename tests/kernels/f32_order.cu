// SPDX-License-Identifier: MIT OR Apache-2.0
// min, max, abs, neg and copysign of f32 and f64, with NaNs and zeros of both signs.
// needs: 80
// input: f32
// output: 384 f32 exact

#define ONE(instruction, row) asm(instruction " %0, %1;" : "=f"(out[i + 32 * row]) : "f"(a));
#define TWO(instruction, row) asm(instruction " %0, %1, %2;" : "=f"(out[i + 32 * row]) : "f"(a), "f"(b));

extern "C" __global__ void kernel(float *out, const float *in, unsigned) {
    const unsigned i = threadIdx.x;
    const float a = in[i], b = in[i + 32];
    TWO("min.f32", 0)
    TWO("max.f32", 1)
    TWO("min.NaN.f32", 2)
    TWO("max.NaN.f32", 3)
    TWO("min.ftz.NaN.f32", 4)
    TWO("max.ftz.NaN.f32", 5)
    ONE("abs.f32", 6)
    ONE("neg.f32", 7)
    TWO("copysign.f32", 8)
    out[i + 288] = fminf(a, b);
    out[i + 320] = fmaxf(a, b);
    out[i + 352] = fabsf(a) - -b;
}
