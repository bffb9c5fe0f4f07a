// SPDX-License-Identifier: MIT OR Apache-2.0
// Global variables with initialisers: numbers, arrays, structs, texts, and addresses of variables and functions.
// block: 16
// output: 112 u32 exact

struct node {
    const node *next;
    unsigned value;
    short pair[2];
};

__device__ node last = {nullptr, 22, {-3, 4}};
__device__ node middle = {&last, 11, {1, -2}};
__device__ const node first = {&middle, 33, {5, -6}};
__device__ unsigned char bytes[6] = {1, 2, 3, 250, 251, 252};
__device__ double reals[] = {1.5, -2.25, 1e-310};
__device__ float single = -0.0f;
__device__ unsigned sparse[10] = {0, 0, 7};
__device__ const char *names[] = {"zero", "one", "two"};
__device__ unsigned *inside = sparse + 2;

__device__ __noinline__ unsigned twice(unsigned value) {
    return value * 2;
}
__device__ __noinline__ unsigned squared(unsigned value) {
    return value * value;
}
__device__ unsigned (*functions[2])(unsigned) = {twice, squared};

extern "C" __global__ void kernel(unsigned *out, const unsigned *in, unsigned) {
    const unsigned i = threadIdx.x;
    const node *at = &first;
    for (unsigned k = 0; k < i % 3; k++) {
        at = at->next;
    }
    out[i] = at->value + at->pair[0] * 3 + at->pair[1] * 5;
    out[i + 16] = bytes[i % 6];
    out[i + 32] = (unsigned)(__double_as_longlong(reals[i % 3]) >> 32) ^ (unsigned)__double_as_longlong(reals[i % 3]);
    out[i + 48] = __float_as_uint(single) + sparse[i % 10] + *inside;
    out[i + 64] = names[i % 3][i % 4];
    out[i + 80] = functions[in[i] & 1](i + 3);
    __syncthreads();
    if (i == 0) {
        bytes[0] = 99; // a launch leaves what it wrote
        sparse[9] += 1;
    }
    __syncthreads();
    out[i + 96] = bytes[0] + sparse[9];
}
