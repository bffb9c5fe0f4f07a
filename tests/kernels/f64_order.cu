// SPDX-License-Identifier: MIT OR Apache-2.0
// min, max, abs, neg and copysign of f64.
// input: f64
// output: 256 f64 exact

#define ONE(instruction, row) asm(instruction " %0, %1;" : "=d"(out[i + 32 * row]) : "d"(a));
#define TWO(instruction, row) asm(instruction " %0, %1, %2;" : "=d"(out[i + 32 * row]) : "d"(a), "d"(b));

extern "C" __global__ void kernel(double *out, const double *in, unsigned) {
    const unsigned i = threadIdx.x;
    const double a = in[i], b = in[i + 32];
    TWO("min.f64", 0)
    TWO("max.f64", 1)
    ONE("abs.f64", 2)
    ONE("neg.f64", 3)
    TWO("copysign.f64", 4)
    out[i + 160] = fmin(a, b);
    out[i + 192] = fmax(a, b);
    out[i + 224] = i & 1 ? floor(a) : ceil(b);
}
