// SPDX-License-Identifier: MIT OR Apache-2.0
// Predicates combined, negated and moved, and instructions that they guard.
// output: 64 u32 exact

extern "C" __global__ void kernel(unsigned *out, const unsigned *in, unsigned) {
    const unsigned i = threadIdx.x, u = in[i], v = in[i + 32];
    unsigned result;
    asm("{\n"
        "    .reg .pred a, b, c, d;\n"
        "    setp.lt.u32 a, %1, %2;\n"
        "    setp.lt.s32 b, %1, %2;\n"
        "    and.pred c, a, b;\n"
        "    selp.u32 %0, 1, 0, c;\n"
        "    or.pred c, a, b;\n"
        "    @c or.b32 %0, %0, 2;\n"
        "    xor.pred c, a, b;\n"
        "    @!c or.b32 %0, %0, 4;\n"
        "    not.pred d, a;\n"
        "    @d or.b32 %0, %0, 8;\n"
        "    mov.pred d, b;\n"
        "    @d or.b32 %0, %0, 16;\n"
        "    @!b bra SKIP;\n"
        "    @a or.b32 %0, %0, 32;\n"
        "    @a bra.uni SKIP;\n"
        "    or.b32 %0, %0, 64;\n"
        "SKIP:\n"
        "}"
        : "=r"(result)
        : "r"(u), "r"(v));
    out[i] = result;
    const bool low = u & 1, high = (int)v<0, some = __popc(u)> 15;
    out[i + 32] = (low ? high : some) + 2 * (low ^ high ^ some) + 4 * ((low && high) || (some && !high));
}
