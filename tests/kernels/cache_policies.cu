// SPDX-License-Identifier: MIT OR Apache-2.0
// Cache policies, and what discards and demotes lines (PTX ISA 7.4, sm_80).
// needs: 80
// output: 160 u32 exact

extern "C" __global__ void kernel(unsigned *out, const unsigned *in, unsigned) {
    const unsigned i = threadIdx.x;
    unsigned long long policy, fraction, converted;
    unsigned value;
    asm volatile("createpolicy.fractional.L2::evict_last.b64 %0, 1.0;" : "=l"(policy));
    asm volatile("createpolicy.fractional.L2::evict_first.L2::evict_unchanged.b64 %0, 0.5;" : "=l"(fraction));
    asm volatile("createpolicy.range.global.L2::evict_last.L2::evict_first.b64 %0, [%1], 512, 1024;" : "=l"(converted) : "l"(in));
    asm volatile("ld.global.L2::cache_hint.u32 %0, [%1], %2;" : "=r"(value) : "l"(in + i), "l"(policy));
    out[i] = value;
    asm volatile("ld.global.nc.L2::cache_hint.u32 %0, [%1], %2;" : "=r"(value) : "l"(in + i + 32), "l"(fraction));
    asm volatile("st.global.L2::cache_hint.u32 [%0], %1, %2;" : : "l"(out + 32 + i), "r"(value), "l"(converted));
    asm volatile("ld.global.L2::256B.v4.u32 {%0, _, _, _}, [%1];" : "=r"(value) : "l"(in + 4 * i));
    out[i + 64] = value;
    asm volatile("applypriority.global.L2::evict_normal [%0], 128;" : : "l"(in));
    asm volatile("prefetch.global.L2::evict_last [%0];" : : "l"(in));
    if (i == 0) {
        asm volatile("discard.global.L2 [%0], 128;" : : "l"(out + 96));
    }
    __syncwarp();
    out[i + 96] = i;
    asm volatile("red.global.add.L2::cache_hint.u32 [%0], %1, %2;" : : "l"(out + 96 + i), "r"(5), "l"(policy));
    asm volatile("atom.global.add.L2::cache_hint.u32 %0, [%1], %2, %3;" : "=r"(value) : "l"(out + 96 + i), "r"(7), "l"(policy));
    out[i + 128] = value;
}
