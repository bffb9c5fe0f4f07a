// SPDX-License-Identifier: MIT OR Apache-2.0
// The approximate reciprocals of f64 (PTX ISA, Floating Point Instructions: rcp.approx.ftz.f64, rsqrt.approx.ftz.f64). They give
// the upper 32 bits, of which 20 are the fraction's; two such guesses may lie twice 2^-20 apart.
// input: f64
// output: 32 f64 relative 2^-19, rcp.approx.ftz
// output: 32 f64 relative 2^-19, rsqrt.approx.ftz
// output: 32 f64 relative 2^-19, rsqrt.approx

#define ONE(instruction, row) asm(instruction " %0, %1;" : "=d"(out[i + 32 * row]) : "d"(a));

extern "C" __global__ void kernel(double *out, const double *in, unsigned) {
    const unsigned i = threadIdx.x;
    const double a = in[i];
    ONE("rcp.approx.ftz.f64", 0)
    ONE("rsqrt.approx.ftz.f64", 1)
    ONE("rsqrt.approx.f64", 2)
}
