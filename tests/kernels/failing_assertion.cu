// SPDX-License-Identifier: MIT OR Apache-2.0
// An assertion that does not hold in one thread.
// builds: -G -lineinfo
// block: 64
// outcome: 710

extern "C" __global__ void kernel(unsigned *out, const unsigned *in, unsigned) {
    assert(threadIdx.x != 37 || in == out);
}
