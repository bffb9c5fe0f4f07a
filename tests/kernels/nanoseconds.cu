// SPDX-License-Identifier: MIT OR Apache-2.0
// nanosleep, and the clock that passes meanwhile.
// output: 32 u32 exact

extern "C" __global__ void kernel(unsigned *out, const unsigned *, unsigned) {
    const long long start = clock64();
    __nanosleep(threadIdx.x & 1 ? 20 : 0);
    asm volatile("pmevent 1;\n\tpmevent.mask 3;");
    out[threadIdx.x] = clock64() >= start;
}
