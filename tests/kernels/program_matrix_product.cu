// SPDX-License-Identifier: MIT OR Apache-2.0
// A whole program: the product of two f32 matrices, 32 by 48 and 48 by 32, by tiles in shared memory.
// builds: -G -lineinfo
// grid: 2 2
// block: 16 16
// output: 1024 f32 exact

constexpr unsigned TILE = 16, WIDTH = 32, INNER = 48;

__device__ float element(const unsigned *in, unsigned row, unsigned column) {
    const int small = (int)(in[(row * 37 + column * 11) % 512] & 1023) - 512;
    return (float)small / 64;
}

extern "C" __global__ void kernel(float *out, const unsigned *in, unsigned) {
    __shared__ float a[TILE][TILE], b[TILE][TILE + 1];
    const unsigned x = threadIdx.x, y = threadIdx.y, column = blockIdx.x * TILE + x, row = blockIdx.y * TILE + y;
    float sum = 0;
    for (unsigned first = 0; first < INNER; first += TILE) {
        a[y][x] = element(in, row, first + x);
        b[y][x] = element(in, first + y + 100, column);
        __syncthreads();
        for (unsigned k = 0; k < TILE; k++) {
            sum = __fmaf_rn(a[y][k], __fmul_rn(b[k][x], 1.1f), sum);
        }
        __syncthreads();
    }
    out[row * WIDTH + column] = sum;
}
