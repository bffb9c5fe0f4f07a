// SPDX-License-Identifier: MIT OR Apache-2.0
// Sums, products and fused products of f64 in the four roundings.
// input: f64
// output: 512 f64 exact

#define ROUNDINGS(name, row, ...) \
    out[i + 32 * row] = name##_rn(__VA_ARGS__); \
    out[i + 32 * row + 32] = name##_rz(__VA_ARGS__); \
    out[i + 32 * row + 64] = name##_rd(__VA_ARGS__); \
    out[i + 32 * row + 96] = name##_ru(__VA_ARGS__);

extern "C" __global__ void kernel(double *out, const double *in, unsigned) {
    const unsigned i = threadIdx.x;
    const double a = in[i], b = in[i + 32], c = in[i + 64];
    ROUNDINGS(__dadd, 0, a, b)
    ROUNDINGS(__dsub, 4, b, c)
    ROUNDINGS(__dmul, 8, a, b)
    ROUNDINGS(__fma, 12, a, b, c)
}
