// SPDX-License-Identifier: MIT OR Apache-2.0
// Votes of a warp, of some of its threads, and which threads are active.
// output: 288 u32 exact

extern "C" __global__ void kernel(unsigned *out, const unsigned *in, unsigned) {
    const unsigned i = threadIdx.x, u = in[i], full = 0xffffffff;
    out[i] = __ballot_sync(full, u & 1);
    out[i + 32] =
        __all_sync(full, u != 1) | __all_sync(full, u & 1) << 1 | __any_sync(full, i == 7) << 2 | __any_sync(full, i > 31) << 3;
    unsigned result;
    asm volatile("{ .reg .pred p, q; setp.ne.u32 p, %1, 0; vote.sync.uni.pred q, p, -1; selp.u32 %0, 1, 0, q; }"
                 : "=r"(result)
                 : "r"(u & 2));
    out[i + 64] = result;
    asm volatile("{ .reg .pred p, q; setp.ge.u32 p, %1, 0; vote.sync.uni.pred q, !p, -1; selp.u32 %0, 1, 0, q; }"
                 : "=r"(result)
                 : "r"(i));
    out[i + 96] = result;
    const unsigned some = __ballot_sync(full, u & 4);
    if (u & 4) {
        out[i + 128] = __ballot_sync(some, i & 1) + (__activemask() >> i & 1);
    } else {
        out[i + 128] = __ballot_sync(~some, i & 2) + (__activemask() != 0);
    }
    __syncwarp();
    const unsigned half = i < 16 ? 0xffff : 0xffff0000;
    out[i + 160] = __ballot_sync(half, u & 8);
    out[i + 192] = __all_sync(half, i != 3) | __any_sync(half, i == 20) << 1;
    if (i % 3 == 0) {
        out[i + 224] = __ballot_sync(0x49249249, i > 10);
    } else {
        out[i + 224] = __ballot_sync(~0x49249249u, i > 20);
    }
    __syncwarp();
    out[i + 256] = __popc(__activemask());
}
