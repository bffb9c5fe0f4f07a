// SPDX-License-Identifier: MIT OR Apache-2.0
// A trap.
// outcome: 719

extern "C" __global__ void kernel(unsigned *out, const unsigned *in, unsigned) {
    out[threadIdx.x] = 1;
    if (in[threadIdx.x] != 0x12345678) {
        __trap();
    }
}
