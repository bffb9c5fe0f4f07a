// SPDX-License-Identifier: MIT OR Apache-2.0
// Atomic sums of f32 and f64, whose order does not matter to these numbers.
// block: 64
// output: 66 f64 exact

extern "C" __global__ void kernel(double *out, const unsigned *in, unsigned) {
    const unsigned i = threadIdx.x;
    __shared__ float shared;
    __shared__ double wide;
    if (i == 0) {
        shared = 0;
        wide = 0.25;
    }
    __syncthreads();
    const float value = (float)(in[i] & 0xffff) * 0.5f;
    atomicAdd(&shared, value);
    atomicAdd(&wide, (double)value);
    atomicAdd((float *)out, value);
    atomicAdd(out + 1, (double)value * 3);
    __syncthreads();
    out[2 + i] = value + (i & 1 ? shared : wide);
}
