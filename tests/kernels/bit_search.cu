// SPDX-License-Identifier: MIT OR Apache-2.0
// The nth bit set from a position on, up and down (fns).
// output: 128 u32 exact

extern "C" __global__ void kernel(unsigned *out, const unsigned *in, unsigned) {
    const unsigned i = threadIdx.x, u = in[i];
    for (int k = 0; k < 4; k++) {
        const int nth = (int)(i % 7) - 3 + k;
        out[i + 32 * k] = __fns(u, i & 31, nth);
    }
}
