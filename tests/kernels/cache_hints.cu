// SPDX-License-Identifier: MIT OR Apache-2.0
// Loads and stores with cache operators and eviction priorities, volatile, and prefetches.
// output: 448 u32 exact

extern "C" __global__ void kernel(unsigned *out, const unsigned *in, unsigned) {
    const unsigned i = threadIdx.x;
    __shared__ volatile unsigned shared[32];
    unsigned value;
    out[i] = __ldg(in + i);
    out[i + 32] = __ldcg(in + i) + __ldca(in + 32 + i) + __ldcs(in + 64 + i);
    out[i + 64] = __ldlu(in + i) ^ __ldcv(in + 32 + i);
    __stwb(out + 96 + i, in[i]);
    __stcg(out + 128 + i, in[i] + 1);
    __stcs(out + 160 + i, in[i] + 2);
    __stwt(out + 192 + i, in[i] + 3);
    ((uint2 *)(out + 224))[i] = __ldg((const uint2 *)in + i);
    shared[i] = in[i];
    *(volatile unsigned *)(out + 288 + i) = shared[i] + 4;
    asm volatile("prefetch.global.L2 [%0];\n\tprefetch.global.L1 [%0];\n\tprefetch.L1 [%0];\n\tprefetchu.L1 [%0];" : : "l"(in + i));
    asm volatile("ld.global.nc.u32 %0, [%1];" : "=r"(value) : "l"(in + i + 32));
    out[i + 320] = value;
    asm volatile("ld.global.L1::no_allocate.u32 %0, [%1];" : "=r"(value) : "l"(in + i + 64));
    out[i + 352] = value;
    asm volatile("ld.global.nc.L1::evict_last.L2::128B.u32 %0, [%1];" : "=r"(value) : "l"(in + i + 96));
    asm volatile("st.global.L1::evict_first.u32 [%0], %1;" : : "l"(out + 384 + i), "r"(value));
    asm volatile("ldu.global.u32 %0, [%1];" : "=r"(value) : "l"(in + 7));
    out[i + 416] = value;
}
