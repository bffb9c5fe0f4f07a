// SPDX-License-Identifier: MIT OR Apache-2.0
// Threads of a warp that hold the same value (match).
// output: 192 u32 exact

extern "C" __global__ void kernel(unsigned *out, const unsigned *in, unsigned) {
    const unsigned i = threadIdx.x, u = in[i] & 3, full = 0xffffffff;
    int same;
    out[i] = __match_any_sync(full, u);
    out[i + 32] = __match_any_sync(full, (unsigned long long)u << 33);
    out[i + 64] = __match_all_sync(full, u, &same) ^ same;
    out[i + 96] = __match_all_sync(full, 7ull, &same) + same;
    if (i & 1) {
        out[i + 128] = __match_any_sync(0xaaaaaaaa, u);
        out[i + 160] = __match_all_sync(0xaaaaaaaa, i & 1, &same) + same;
    } else {
        out[i + 128] = __match_any_sync(0x55555555, i % 3);
        out[i + 160] = 0;
    }
}
