// SPDX-License-Identifier: MIT OR Apache-2.0
// Loads and stores that are relaxed, acquire and release in each scope, and fences.
// block: 64
// output: 320 u32 exact

#define SCOPE(scope, row) \
    asm volatile("st.relaxed." scope ".global.u32 [%0], %1;" : : "l"(out + 64 * row + i), "r"(in[i] + row) : "memory"); \
    asm volatile("fence.acq_rel." scope ";\n\tfence.sc." scope ";" : : : "memory"); \
    asm volatile("ld.acquire." scope ".global.u32 %0, [%1];" : "=r"(value) : "l"(out + 64 * row + i) : "memory"); \
    asm volatile("st.release." scope ".global.u32 [%0], %1;" : : "l"(out + 64 * row + i), "r"(value * 3) : "memory"); \
    asm volatile("ld.relaxed." scope ".u32 %0, [%1];" : "=r"(value) : "l"(out + 64 * row + i) : "memory"); \
    asm volatile("st.relaxed." scope ".u32 [%0], %1;" : : "l"(out + 64 * row + i), "r"(value + 1) : "memory");

extern "C" __global__ void kernel(unsigned *out, const unsigned *in, unsigned) {
    const unsigned i = threadIdx.x;
    __shared__ unsigned data[64];
    __shared__ unsigned ready;
    unsigned value;
    SCOPE("cta", 0)
    SCOPE("gpu", 1)
    SCOPE("sys", 2)
    data[i] = in[i];
    __threadfence_block();
    __threadfence();
    __threadfence_system();
    asm volatile("membar.cta;\n\tmembar.gl;\n\tmembar.sys;" : : : "memory");
    if (i == 0) {
        ready = 0;
    }
    __syncthreads();
    const unsigned address = (unsigned)__cvta_generic_to_shared(&ready);
    if (i == 5) {
        data[5] = 77;
        asm volatile("st.release.cta.shared.u32 [%0], %1;" : : "r"(address), "r"(1) : "memory");
    } else {
        do {
            asm volatile("ld.acquire.cta.shared.u32 %0, [%1];" : "=r"(value) : "r"(address) : "memory");
        } while (value == 0);
    }
    out[192 + i] = data[5] + (i != 5 ? data[i] : 0);
    asm volatile("st.volatile.global.u32 [%0], %1;\n\tld.volatile.global.u32 %1, [%0];"
                 :
                 : "l"(out + 256 + i), "r"(data[63 - i])
                 : "memory");
}
