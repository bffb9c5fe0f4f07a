// SPDX-License-Identifier: MIT OR Apache-2.0
// Threads of a warp on different ways, which wait for each other (bar.warp.sync) and hand values on.
// builds: -G -lineinfo
// output: 128 u32 exact

extern "C" __global__ void kernel(unsigned *out, const unsigned *in, unsigned) {
    const unsigned i = threadIdx.x;
    __shared__ volatile unsigned shared[32];
    __shared__ volatile unsigned turn;
    unsigned value = in[i];
    for (unsigned round = 0; round < 5; round++) {
        shared[i] = value;
        __syncwarp();
        value += shared[(i + 1) & 31];
        __syncwarp();
    }
    out[i] = value;
    if (i & 1) {
        shared[i] = value;
        __syncwarp(0xaaaaaaaa);
        value ^= shared[(i + 2) & 31];
    } else {
        for (unsigned k = 0; k < (in[i] & 7); k++) {
            value = value * 3 + k;
        }
        shared[i] = value;
        __syncwarp(0x55555555);
        value -= shared[(i + 2) & 31];
    }
    out[i + 32] = value;
    turn = 0;
    __syncwarp();
    unsigned waited = 0;
    while (turn != i) { // threads go on one after another, which takes independent scheduling
        waited = 1;
    }
    shared[i] = i == 0 ? 1 : shared[i - 1] * 3 + i;
    __threadfence_block();
    turn = i + 1;
    __syncwarp();
    out[i + 64] = shared[i];
    out[i + 96] = waited <= 1;
}
