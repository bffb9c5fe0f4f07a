// SPDX-License-Identifier: MIT OR Apache-2.0
// Shuffles of a warp in their four modes and every width, of 32 and 64 bits, with what says whether the source was in range.
// output: 512 u32 exact

#define SHUFFLE(mode, b, c, row) \
    asm volatile("{ .reg .pred p; shfl.sync." mode ".b32 %0|p, %1, %2, %3, -1; selp.u32 %1, 1, 0, p; }" \
                 : "=r"(value), "+r"(within) \
                 : "r"(b), "r"(c)); \
    out[i + 32 * row] = value ^ within << 31;

extern "C" __global__ void kernel(unsigned *out, const unsigned *in, unsigned) {
    const unsigned i = threadIdx.x, u = in[i], full = 0xffffffff;
    unsigned value, within;
    out[i] = __shfl_sync(full, u, 5);
    out[i + 32] = __shfl_sync(full, u, (int)(i * 7) & 31);
    out[i + 64] = __shfl_up_sync(full, u, 3);
    out[i + 96] = __shfl_down_sync(full, u, 9);
    out[i + 128] = __shfl_xor_sync(full, u, 17);
    out[i + 160] = __shfl_sync(full, u, (int)i + 3, 8);
    out[i + 192] = __shfl_up_sync(full, u, 1, 4);
    out[i + 224] = __shfl_down_sync(full, u, 5, 16);
    out[i + 256] = __shfl_xor_sync(full, u, 9, 8);
    within = u;
    SHUFFLE("up", i & 7, 0x0800, 9)
    within = u;
    SHUFFLE("down", i & 7, 0x181f, 10)
    within = u;
    SHUFFLE("bfly", i & 15, 0x1c1f, 11)
    within = u;
    SHUFFLE("idx", u & 31, 0x100f, 12)
    const unsigned long long wide = __shfl_xor_sync(full, (unsigned long long)u << 32 | in[i + 32], 1);
    const double real = __shfl_down_sync(full, (double)u, 4);
    out[i + 416] = (unsigned)(wide ^ wide >> 32);
    out[i + 448] = (unsigned)(__double_as_longlong(real) >> 32);
    out[i + 480] = i < 20 ? __shfl_sync(0xfffff, u, 19 - (int)i) : 0;
}
