// SPDX-License-Identifier: MIT OR Apache-2.0
// Dynamic shared memory, shared out between arrays of several types, beside static shared memory.
// grid: 2
// block: 64
// shared: 1024
// output: 256 u32 exact

extern __shared__ double dynamic[];

extern "C" __global__ void kernel(unsigned *out, const unsigned *in, unsigned) {
    __shared__ unsigned fixed[64];
    __shared__ unsigned char bytes[64];
    const unsigned i = threadIdx.x, at = blockIdx.x * 64 + i;
    double *reals = dynamic;
    unsigned *words = (unsigned *)(dynamic + 64);
    unsigned short *shorts = (unsigned short *)(words + 64);
    reals[i] = in[at] * 0.5;
    words[i] = in[at] * 3;
    shorts[i] = (unsigned short)in[at];
    fixed[i] = ~in[at];
    bytes[i] = (unsigned char)(in[at] >> 4);
    __syncthreads();
    const unsigned j = 63 - i;
    out[at] = (unsigned)(__double_as_longlong(reals[j]) >> 32) ^ words[j];
    out[at + 128] = shorts[j] + fixed[j] + bytes[j];
}
