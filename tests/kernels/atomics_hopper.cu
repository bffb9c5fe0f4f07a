// SPDX-License-Identifier: MIT OR Apache-2.0
// Atomics of bf16, of vectors and of 128 bits (PTX ISA 8.1 and 8.3, sm_90).
// needs: 90 12.9
// output: 448 u32 exact

extern "C" __global__ void kernel(unsigned *out, const unsigned *in, unsigned) {
    const unsigned i = threadIdx.x;
    unsigned old, more;
    unsigned short half;
    for (int row = 0; row < 14; row++) {
        out[32 * row + i] = row < 4 ? 0x3f803f80 : row < 8 ? __float_as_uint(1.5f) : in[(i + row) & 511];
    }
    __syncwarp();
    asm volatile("atom.global.add.noftz.bf16x2 %0, [%1], %2;" : "=r"(old) : "l"(out + i), "r"(0x40004000 + i) : "memory");
    out[32 + i] = old;
    asm volatile("atom.global.add.noftz.bf16 %0, [%1], %2;"
                 : "=h"(half)
                 : "l"(out + 64 + i), "h"((unsigned short)0x4000)
                 : "memory");
    out[96 + i] = half;
    float f0, f1;
    asm volatile("atom.global.add.v2.f32 {%0, %1}, [%2], {%3, %4};"
                 : "=f"(f0), "=f"(f1)
                 : "l"(out + 128 + 2 * i), "f"((float)i), "f"(0.25f)
                 : "memory");
    out[192 + i] = __float_as_uint(f0 + f1);
    out[224 + i] = 0;
    asm volatile("red.global.add.v2.f32 [%0], {%1, %2};" : : "l"(out + 128 + 2 * i), "f"(1.0f), "f"(2.0f) : "memory");
    unsigned long long *wide = (unsigned long long *)(out + 256) + 2 * i, l0, l1;
    asm volatile("{\n    .reg .b128 a, b, c;\n    mov.b128 b, {%3, %4};\n    mov.b128 c, {%5, %6};\n"
                 "    atom.global.cas.b128 a, [%2], b, c;\n    mov.b128 c, a;\n    atom.global.exch.b128 b, [%2], c;\n    mov.b128 {%0, %1}, b;\n}"
                 : "=l"(l0), "=l"(l1)
                 : "l"(wide), "l"(wide[0] ^ (i & 1)), "l"(wide[1]), "l"(5ull + i), "l"(6ull)
                 : "memory");
    out[384 + i] = (unsigned)(l0 ^ l0 >> 32 ^ l1);
    asm volatile("atom.global.add.noftz.v2.f16x2 {%0, %1}, [%2], {%3, %4};"
                 : "=r"(old), "=r"(more)
                 : "l"(out + 128 + 2 * i), "r"(0x3c003c00), "r"(0x40003c00)
                 : "memory");
    out[416 + i] = old ^ more;
}
