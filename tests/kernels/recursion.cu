// SPDX-License-Identifier: MIT OR Apache-2.0
// Functions that call themselves and each other.
// builds: -G -lineinfo
// output: 128 u32 exact

__device__ __noinline__ unsigned fibonacci(unsigned n) {
    return n < 2 ? n : fibonacci(n - 1) + fibonacci(n - 2);
}

__device__ __noinline__ unsigned ackermann(unsigned m, unsigned n) {
    return m == 0 ? n + 1 : n == 0 ? ackermann(m - 1, 1) : ackermann(m - 1, ackermann(m, n - 1));
}

__device__ bool is_odd(unsigned n);
__device__ __noinline__ bool is_even(unsigned n) {
    return n == 0 || is_odd(n - 1);
}
__device__ __noinline__ bool is_odd(unsigned n) {
    return n != 0 && is_even(n - 1);
}

__device__ __noinline__ unsigned permutations(unsigned char *items, unsigned at, unsigned count) {
    if (at == count) {
        unsigned folded = 0;
        for (unsigned k = 0; k < count; k++) {
            folded = folded * 7 + items[k];
        }
        return folded;
    }
    unsigned total = 0;
    for (unsigned k = at; k < count; k++) {
        const unsigned char kept = items[at];
        items[at] = items[k];
        items[k] = kept;
        total = total * 5 + permutations(items, at + 1, count);
        items[k] = items[at];
        items[at] = kept;
    }
    return total;
}

extern "C" __global__ void kernel(unsigned *out, const unsigned *in, unsigned) {
    const unsigned i = threadIdx.x;
    unsigned char items[4] = {(unsigned char)in[i], (unsigned char)(in[i] >> 8), 3, 4};
    out[i] = fibonacci(i % 12);
    out[i + 32] = ackermann(i & 1, i % 7);
    out[i + 64] = is_even(i) + 2 * is_odd(in[i] & 31);
    out[i + 96] = permutations(items, 0, 4);
}
