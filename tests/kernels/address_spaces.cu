// SPDX-License-Identifier: MIT OR Apache-2.0
// Which space a generic address is in (isspacep), told of each space's addresses.
// output: 160 u32 exact

#define ASK(space, bit) \
    asm volatile("{ .reg .pred p; isspacep." space " p, %1; selp.u32 %0, 1, 0, p; }" : "=r"(is_in) : "l"(address)); \
    spaces |= is_in << bit;

__constant__ unsigned table[4] = {10, 20, 30, 40};
__device__ unsigned variable;

__device__ unsigned spaces_of(const void *address) {
    unsigned spaces = 0, is_in;
    ASK("global", 0)
    ASK("shared", 1)
    ASK("local", 2)
    ASK("const", 3)
    ASK("param", 4)
    return spaces;
}

extern "C" __global__ void kernel(unsigned *out, const unsigned *in, const __grid_constant__ unsigned count) {
    const unsigned i = threadIdx.x;
    __shared__ unsigned shared[32];
    unsigned local[4];
    for (int k = 0; k < 4; k++) {
        local[k] = in[i + k];
    }
    shared[i] = local[in[i] & 3];
    out[i] = spaces_of(in + i) | spaces_of(&variable) << 8;
    out[i + 32] = spaces_of(shared + i);
    out[i + 64] = spaces_of(local + (in[i] & 3));
    out[i + 96] = spaces_of(table + (i & 3));
    out[i + 128] = spaces_of(&count);
}
