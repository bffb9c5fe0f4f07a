// SPDX-License-Identifier: MIT OR Apache-2.0
// One thread of a warp elected to act for all (elect.sync, sm_90). Any of them may be, so only their number is looked at.
// needs: 90
// output: 64 u32 exact

extern "C" __global__ void kernel(unsigned *out, const unsigned *, unsigned) {
    const unsigned i = threadIdx.x;
    unsigned leader, chosen;
    asm volatile("{ .reg .pred p; elect.sync %0|p, -1; selp.u32 %1, 1, 0, p; }" : "=r"(leader), "=r"(chosen));
    out[i] = __popc(__ballot_sync(0xffffffff, chosen));
    out[i + 32] = __shfl_sync(0xffffffff, chosen, leader);
}
