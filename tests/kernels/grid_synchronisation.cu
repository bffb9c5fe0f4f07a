// SPDX-License-Identifier: MIT OR Apache-2.0
// All blocks of a grid wait for each other.
// grid: 4
// architectures: 75 90 120
// block: 32
// cooperative
// output: 256 u32 exact

#include <cooperative_groups.h>

extern "C" __global__ void kernel(unsigned *out, const unsigned *in, unsigned) {
    const cooperative_groups::grid_group grid = cooperative_groups::this_grid();
    const unsigned i = (unsigned)grid.thread_rank();
    out[i] = in[i];
    grid.sync();
    const unsigned other = ((volatile unsigned *)out)[127 - i];
    grid.sync();
    out[i] = other * 3;
    grid.sync();
    out[i + 128] = ((volatile unsigned *)out)[(i + 37) & 127] + (unsigned)grid.size() + grid.is_valid();
}
