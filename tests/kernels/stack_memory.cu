// SPDX-License-Identifier: MIT OR Apache-2.0
// Stack memory of a size known only as it runs (alloca, stacksave and stackrestore, PTX ISA 7.3).
// builds: -G -lineinfo
// output: 64 u32 exact

typedef unsigned long long u64;

__device__ __noinline__ unsigned on_stack(unsigned count, const unsigned *from) {
    u64 saved, first, second;
    asm volatile("stacksave.u64 %0;" : "=l"(saved));
    asm volatile("alloca.u64 %0, %1;" : "=l"(first) : "l"((u64)count * 4) : "memory");
    asm volatile("alloca.u64 %0, %1, 16;" : "=l"(second) : "l"((u64)count * 4) : "memory");
    for (unsigned k = 0; k < count; k++) {
        asm volatile("st.local.u32 [%0], %1;" : : "l"(first + 4 * k), "r"(from[k] * (k + 1)) : "memory");
        asm volatile("st.local.u32 [%0], %1;" : : "l"(second + 4 * k), "r"(k) : "memory");
    }
    unsigned total = second % 16 != 0, value, other;
    for (unsigned k = 0; k < count; k++) {
        asm volatile("ld.local.u32 %0, [%1];" : "=r"(value) : "l"(first + 4 * (k * 5 % count)) : "memory");
        asm volatile("ld.local.u32 %0, [%1];" : "=r"(other) : "l"(second + 4 * k) : "memory");
        total = total * 3 + value + other;
    }
    asm volatile("stackrestore.u64 %0;" : : "l"(saved) : "memory");
    return total;
}

__device__ __noinline__ unsigned nested(unsigned depth, const unsigned *from) {
    return depth == 0 ? 1 : on_stack(depth * 3 + 1, from) + nested(depth - 1, from + 1);
}

extern "C" __global__ void kernel(unsigned *out, const unsigned *in, unsigned) {
    const unsigned i = threadIdx.x;
    out[i] = on_stack(i + 1, in);
    out[i + 32] = nested(i % 5, in + i);
}
