// SPDX-License-Identifier: MIT OR Apache-2.0
// Loads and stores of 256 bits (PTX ISA 8.8, sm_100). No GPU of ours runs this: what is expected is what the simulated device
// gave, and what the input put in that order is.
// needs: 100 12.9
// output: 512 u32 exact

extern "C" __global__ void kernel(unsigned *out, const unsigned *in, unsigned) {
    const unsigned i = threadIdx.x;
    unsigned v[8];
    unsigned long long l[4];
    asm volatile("ld.global.v8.b32 {%0, %1, %2, %3, %4, %5, %6, %7}, [%8];"
                 : "=r"(v[0]), "=r"(v[1]), "=r"(v[2]), "=r"(v[3]), "=r"(v[4]), "=r"(v[5]), "=r"(v[6]), "=r"(v[7])
                 : "l"(in + 8 * i));
    asm volatile("st.global.v8.b32 [%0], {%1, %2, %3, %4, %5, %6, %7, %8};"
                 :
                 : "l"(out + 8 * i), "r"(v[7]), "r"(v[6]), "r"(v[5]), "r"(v[4]), "r"(v[3]), "r"(v[2]), "r"(v[1]), "r"(v[0]));
    asm volatile("ld.global.v4.b64 {%0, %1, %2, %3}, [%4];" : "=l"(l[0]), "=l"(l[1]), "=l"(l[2]), "=l"(l[3]) : "l"(in + 8 * i));
    asm volatile("st.global.v4.b64 [%0], {%1, %2, %3, %4};" : : "l"(out + 256 + 8 * i), "l"(l[1]), "l"(l[0]), "l"(l[3]), "l"(l[2]));
}
