// SPDX-License-Identifier: MIT OR Apache-2.0
// Calls of functions through pointers, which differ among a warp's threads, and virtual functions.
// builds: -G -lineinfo
// output: 96 u32 exact

typedef unsigned (*operation)(unsigned, unsigned);

__device__ __noinline__ unsigned plus(unsigned a, unsigned b) {
    return a + b;
}
__device__ __noinline__ unsigned times(unsigned a, unsigned b) {
    return a * b;
}
__device__ __noinline__ unsigned mixed(unsigned a, unsigned b) {
    return a ^ __brev(b);
}

struct shape {
    __device__ virtual unsigned area() const = 0;
    unsigned width;
};
struct square : shape {
    __device__ unsigned area() const override {
        return width * width;
    }
};
struct box : shape {
    unsigned height;
    __device__ unsigned area() const override {
        return width * height;
    }
};

__device__ __noinline__ unsigned twice_area(const shape &given) {
    return 2 * given.area();
}

__constant__ operation operations[3] = {plus, times, mixed};

extern "C" __global__ void kernel(unsigned *out, const unsigned *in, unsigned) {
    const unsigned i = threadIdx.x;
    const operation one = in[i] & 1 ? plus : in[i] & 2 ? times : mixed;
    out[i] = one(in[i], i);
    out[i + 32] = operations[i % 3](in[i], in[i + 32]);
    square first;
    first.width = i;
    box second;
    second.width = i;
    second.height = 3;
    out[i + 64] = i & 1 ? twice_area(first) : twice_area(second);
}
