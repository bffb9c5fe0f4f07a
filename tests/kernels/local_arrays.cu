// SPDX-License-Identifier: MIT OR Apache-2.0
// Arrays and structs in local memory, reached by a computed index and handed on by address.
// builds: -G -lineinfo
// output: 128 u32 exact

struct record {
    unsigned char letters[5];
    unsigned short number;
    unsigned long long wide;
    float real;
};

__device__ __noinline__ void sort(unsigned *values, int count) {
    for (int k = 1; k < count; k++) {
        for (int j = k; j > 0 && values[j - 1] > values[j]; j--) {
            const unsigned kept = values[j];
            values[j] = values[j - 1];
            values[j - 1] = kept;
        }
    }
}

__device__ __noinline__ record changed(record given, unsigned by) {
    given.letters[by % 5] += by;
    given.number ^= by;
    given.wide *= by;
    given.real += by;
    return given;
}

extern "C" __global__ void kernel(unsigned *out, const unsigned *in, unsigned) {
    const unsigned i = threadIdx.x;
    unsigned values[16];
    for (unsigned k = 0; k < 16; k++) {
        values[(k * 7 + i) & 15] = in[(i * 16 + k) & 511];
    }
    sort(values, 16);
    out[i] = values[in[i] & 15];
    out[i + 32] = values[0] ^ values[15];
    record one = {{1, 2, 3, 4, 5}, (unsigned short)in[i], 12345678901ull, 0.5f};
    for (unsigned k = 0; k < 4; k++) {
        one = changed(one, i + k);
    }
    out[i + 64] = one.letters[i % 5] + one.number + __float_as_uint(one.real);
    out[i + 96] = (unsigned)(one.wide ^ one.wide >> 32);
}
