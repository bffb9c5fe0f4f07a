// SPDX-License-Identifier: MIT OR Apache-2.0
// Atomics of vectors of half precision and bfloat16: sums, least and greatest (PTX ISA 8.1, sm_90).
// needs: 90 12.9
// input: f16
// output: 512 u32 exact

#define ATOM(text, row) \
    asm volatile(text : "=r"(old), "=r"(more) : "l"(out + 2 * i + 64 * (row)), "r"(a), "r"(b) : "memory"); \
    out[256 + 64 * (row) + 2 * i] = old; \
    out[256 + 64 * (row) + 2 * i + 1] = more;
#define RED(text, row) asm volatile(text : : "l"(out + 2 * i + 64 * (row)), "r"(a), "r"(b) : "memory");

extern "C" __global__ void kernel(unsigned *out, const unsigned *in, unsigned) {
    const unsigned i = threadIdx.x, a = in[i], b = in[i + 32];
    unsigned old, more;
    for (unsigned k = 0; k < 8; k++) {
        out[i + 32 * k] = in[(i + 32 * k + 64) % 512];
    }
    __syncwarp();
    ATOM("atom.global.min.noftz.v2.f16x2 {%0, %1}, [%2], {%3, %4};", 0)
    RED("red.global.add.noftz.v2.f16x2 [%0], {%1, %2};", 0)
    ATOM("atom.global.max.noftz.v2.bf16x2 {%0, %1}, [%2], {%3, %4};", 1)
    RED("red.global.min.noftz.v2.bf16x2 [%0], {%1, %2};", 1)
    ATOM("atom.global.add.noftz.v2.f16x2 {%0, %1}, [%2], {%3, %4};", 2)
    RED("red.global.max.noftz.v2.f16x2 [%0], {%1, %2};", 2)
    ATOM("{ .reg .b16 a, b, c, d, e, f, g, h; mov.b32 {a, b}, %3; mov.b32 {c, d}, %4; "
         "atom.global.add.noftz.v4.bf16 {e, f, g, h}, [%2], {a, b, c, d}; mov.b32 %0, {e, f}; mov.b32 %1, {g, h}; }",
         3)
    RED("{ .reg .b16 a, b; mov.b32 {a, b}, %1; red.global.min.noftz.v2.f16 [%0], {a, b}; mov.b32 {a, b}, %2; "
        "red.global.max.noftz.v2.bf16 [%0+4], {a, b}; }",
        3)
}
