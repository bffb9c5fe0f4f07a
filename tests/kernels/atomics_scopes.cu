// SPDX-License-Identifier: MIT OR Apache-2.0
// Atomics with every order and scope, on global, shared and generic addresses, of f16 and 16 bits too.
// needs: 75
// output: 480 u32 exact

#define ATOM(text, row, ...) \
    asm volatile("atom." text : "=r"(old) : "l"(out + 32 * row + i), ##__VA_ARGS__ : "memory"); \
    out[32 * row + i] = out[32 * row + i] * 5 + old;

extern "C" __global__ void kernel(unsigned *out, const unsigned *in, unsigned) {
    const unsigned i = threadIdx.x, u = in[i];
    __shared__ unsigned shared[64];
    unsigned old;
    for (int row = 0; row < 15; row++) {
        out[32 * row + i] = in[(i + row) & 511];
    }
    ATOM("relaxed.gpu.global.add.u32 %0, [%1], %2;", 0, "r"(u))
    ATOM("acquire.cta.global.xor.b32 %0, [%1], %2;", 1, "r"(u))
    ATOM("release.sys.global.exch.b32 %0, [%1], %2;", 2, "r"(u))
    ATOM("acq_rel.gpu.global.cas.b32 %0, [%1], %2, %3;", 3, "r"(in[i + 3]), "r"(u))
    ATOM("acq_rel.sys.max.s32 %0, [%1], %2;", 4, "r"(u))
    ATOM("relaxed.cta.min.u32 %0, [%1], %2;", 5, "r"(u))
    ATOM("global.add.noftz.f16x2 %0, [%1], %2;", 6, "r"(0x3c003c00 + (i << 20)))
    shared[i] = in[i];
    shared[i + 32] = 0;
    __syncwarp();
    const unsigned address = (unsigned)__cvta_generic_to_shared(shared + i), sum = (unsigned)__cvta_generic_to_shared(shared + 32);
    asm volatile("atom.shared.add.u32 %0, [%1], %2;" : "=r"(old) : "r"(address), "r"(u) : "memory");
    asm volatile("atom.acq_rel.cta.shared.and.b32 %0, [%1], %2;" : "=r"(old) : "r"(address), "r"(old ^ 0xff) : "memory");
    asm volatile("atom.shared.inc.u32 %0, [%1], %2;" : "=r"(old) : "r"(sum), "r"(100) : "memory");
    __syncwarp();
    out[224 + i] = shared[i] + shared[32];
    unsigned short half;
    asm volatile("atom.global.cas.b16 %0, [%1], %2, %3;"
                 : "=h"(half)
                 : "l"(out + 256 + i), "h"((unsigned short)in[i + 8]), "h"((unsigned short)u)
                 : "memory");
    out[288 + i] = half;
    atomicAdd_block(out + 320 + i, 3u);
    atomicAdd_system(out + 352 + i, 4u);
    out[384 + i] = atomicMax_block((int *)out + 320 + i, -3) + atomicCAS_system(out + 352 + i, 5u, 6u);
    unsigned long long *wide = (unsigned long long *)(out + 416) + i;
    unsigned long long long_old;
    asm volatile("atom.relaxed.sys.global.add.u64 %0, [%1], %2;" : "=l"(long_old) : "l"(wide), "l"(~0ull) : "memory");
    asm volatile("atom.global.max.s64 %0, [%1], %2;" : "=l"(long_old) : "l"(wide), "l"(long_old >> 1) : "memory");
    asm volatile("atom.global.and.b64 %0, [%1], %2;" : "=l"(long_old) : "l"(wide), "l"(long_old ^ u) : "memory");
}
