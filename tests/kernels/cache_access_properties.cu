// SPDX-License-Identifier: MIT OR Apache-2.0
// A cache policy made of the access properties of CUDA C++, createpolicy.cvt, and one of all accesses (PTX ISA 7.4, sm_80).
// needs: 80
// output: 64 u32 exact

constexpr unsigned long long NORMAL = 0x10F0000000000000; // cuda::access_property::normal

extern "C" __global__ void kernel(unsigned *out, const unsigned *in, unsigned) {
    unsigned long long policy;
    unsigned value;
    asm volatile("createpolicy.cvt.L2.b64 %0, %1;" : "=l"(policy) : "l"(NORMAL));
    asm volatile("ld.global.L2::cache_hint.u32 %0, [%1], %2;" : "=r"(value) : "l"(in + threadIdx.x), "l"(policy));
    out[threadIdx.x] = value + 1;
    asm volatile("createpolicy.fractional.L2::evict_last.b64 %0;" : "=l"(policy));
    asm volatile("ld.global.L2::cache_hint.u32 %0, [%1], %2;" : "=r"(value) : "l"(in + 32 + threadIdx.x), "l"(policy));
    out[threadIdx.x + 32] = value + 2;
}
