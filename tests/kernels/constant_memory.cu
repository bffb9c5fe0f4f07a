// SPDX-License-Identifier: MIT OR Apache-2.0
// Constant memory with initialisers, at fixed and at computed places.
// output: 160 u32 exact

struct entry {
    unsigned char small;
    unsigned short medium;
    unsigned large;
    double real;
    float pair[2];
};

__constant__ unsigned words[8] = {1, 2, 3, 5, 8, 13, 21, 34};
__constant__ entry entries[3] = {{1, 2, 3, 0.5, {1.5f, -2}}, {255, 65535, 0xffffffff, -1e300, {0, 3}}, {7, 8, 9, 0, {4, 5}}};
__constant__ char text[] = "constant text";
__constant__ long long wide[] = {-1, 0x123456789abcdef0};
__constant__ unsigned zeros[16];

extern "C" __global__ void kernel(unsigned *out, const unsigned *in, unsigned) {
    const unsigned i = threadIdx.x;
    const entry &one = entries[i % 3];
    out[i] = words[in[i] & 7] + words[3];
    out[i + 32] = one.small + one.medium + one.large + (unsigned)__double_as_longlong(one.real) +
                  (unsigned)(__double_as_longlong(one.real) >> 32);
    out[i + 64] = __float_as_uint(one.pair[i & 1]);
    out[i + 96] = text[i % sizeof text] + zeros[i & 15];
    out[i + 128] = (unsigned)(wide[i & 1] >> i);
}
