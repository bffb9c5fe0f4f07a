// SPDX-License-Identifier: MIT OR Apache-2.0
// Sums, orders and logic over a warp (redux; PTX ISA 7.0, sm_80).
// needs: 80
// output: 320 u32 exact

extern "C" __global__ void kernel(unsigned *out, const unsigned *in, unsigned) {
    const unsigned i = threadIdx.x, u = in[i], full = 0xffffffff;
    out[i] = __reduce_add_sync(full, u);
    out[i + 32] = (unsigned)__reduce_add_sync(full, (int)u);
    out[i + 64] = __reduce_min_sync(full, u);
    out[i + 96] = (unsigned)__reduce_min_sync(full, (int)u);
    out[i + 128] = __reduce_max_sync(full, u);
    out[i + 160] = (unsigned)__reduce_max_sync(full, (int)u);
    out[i + 192] = __reduce_and_sync(full, u | 0xff);
    out[i + 224] = __reduce_or_sync(full, u & 0xff00);
    out[i + 256] = __reduce_xor_sync(full, u);
    out[i + 288] = i < 12 ? __reduce_add_sync(0xfff, u) : __reduce_max_sync(0xfffff000, u);
}
