// SPDX-License-Identifier: MIT OR Apache-2.0
// cooperative_groups: blocks, tiles, coalesced threads, and what they compute together.
// architectures: 75 90 120
// block: 64
// output: 512 u32 exact

#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>

namespace cg = cooperative_groups;

extern "C" __global__ void kernel(unsigned *out, const unsigned *in, unsigned) {
    const unsigned i = threadIdx.x;
    __shared__ unsigned shared[64];
    const cg::thread_block block = cg::this_thread_block();
    shared[block.thread_rank()] = in[i];
    block.sync();
    out[i] = shared[block.size() - 1 - block.thread_rank()];
    const auto tile = cg::tiled_partition<8>(block);
    unsigned sum = in[i];
    for (unsigned step = tile.size() / 2; step > 0; step /= 2) {
        sum += tile.shfl_xor(sum, step);
    }
    out[i + 64] = sum + tile.meta_group_rank() * 1000;
    const auto warp = cg::tiled_partition<32>(block);
    out[i + 128] = warp.ballot(in[i] & 1) ^ warp.match_any(in[i] & 1) ^ (unsigned)(warp.any(i == 4) + 2 * warp.all(i < 64));
    out[i + 192] = cg::reduce(tile, in[i], cg::plus<unsigned>());
    out[i + 256] = (unsigned)cg::reduce(warp, (int)in[i], cg::less<int>());
    out[i + 320] = cg::reduce(warp, in[i], cg::bit_xor<unsigned>());
    unsigned place = 0;
    if (in[i] & 2) {
        const cg::coalesced_group active = cg::coalesced_threads();
        place = active.thread_rank() * 100 + active.size();
        place += active.shfl(i, 0);
    }
    out[i + 384] = place;
    warp.sync();
    const cg::thread_group dynamic = cg::tiled_partition(block, 16);
    out[i + 448] = (unsigned)(dynamic.thread_rank() + dynamic.size() * 100);
}
