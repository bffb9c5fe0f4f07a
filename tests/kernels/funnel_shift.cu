// SPDX-License-Identifier: MIT OR Apache-2.0
// Shifts of two words joined, left and right, wrapped and clamped.
// output: 256 u32 exact

extern "C" __global__ void kernel(unsigned *out, const unsigned *in, unsigned) {
    const unsigned i = threadIdx.x, u = in[i], v = in[i + 32], n = i < 24 ? i * 3 : in[i + 64];
    out[i] = __funnelshift_l(u, v, n);
    out[i + 32] = __funnelshift_r(u, v, n);
    out[i + 64] = __funnelshift_lc(u, v, n);
    out[i + 96] = __funnelshift_rc(u, v, n);
    out[i + 128] = u << (n & 31) | u >> (-n & 31);
    out[i + 160] = __funnelshift_l(u, v, 5);
    out[i + 192] = __funnelshift_rc(u, v, 32);
    out[i + 224] = (unsigned)(((unsigned long long)u << 32 | v) >> (n & 63));
}
