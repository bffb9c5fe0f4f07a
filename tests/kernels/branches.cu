// SPDX-License-Identifier: MIT OR Apache-2.0
// Loops, breaks, jumps through a table, and threads of a warp that part and meet again.
// output: 160 u32 exact

extern "C" __global__ void kernel(unsigned *out, const unsigned *in, unsigned) {
    const unsigned i = threadIdx.x, u = in[i];
    unsigned value = u;
    switch (u % 11) {
    case 0:
        value += 1;
        break;
    case 1:
        value *= 3;
        break;
    case 2:
        value ^= 0x5555;
        break;
    case 3:
        value = __brev(value);
        value++;
        // fallthrough
    case 4:
        value -= 9;
        break;
    case 5:
        value >>= 3;
        break;
    case 6:
        value <<= 2;
        break;
    case 7:
        value = ~value;
        break;
    case 8:
        value /= 7;
        break;
    case 9:
        value %= 1000;
        break;
    default:
        value = 77;
    }
    out[i] = value;
    unsigned steps = 0;
    for (unsigned n = (u & 0xff) + 1; n != 1; n = n & 1 ? 3 * n + 1 : n / 2) {
        steps++;
    }
    out[i + 32] = steps;
    unsigned found = 99;
    for (unsigned k = 0; k < 16 && found == 99; k++) {
        for (unsigned j = 0; j < 16; j++) {
            if (((u >> k) ^ j) % 13 == i % 13) {
                found = k * 16 + j;
                break;
            }
            if ((u + j) % 5 == 4) {
                continue;
            }
            value += j;
        }
    }
    out[i + 64] = found + value;
    unsigned result;
    asm volatile("{\n"
                 "    .reg .u32 n;\n"
                 "    .reg .pred p;\n"
                 "    mov.u32 %0, 0;\n"
                 "    and.b32 n, %1, 3;\n"
                 "table: .branchtargets ZERO, ONE, TWO, THREE;\n"
                 "    brx.idx n, table;\n"
                 "ZERO:\n"
                 "    add.u32 %0, %0, 1;\n"
                 "ONE:\n"
                 "    add.u32 %0, %0, 10;\n"
                 "    bra END;\n"
                 "TWO:\n"
                 "    add.u32 %0, %0, 100;\n"
                 "THREE:\n"
                 "    add.u32 %0, %0, 1000;\n"
                 "    setp.eq.u32 p, n, 3;\n"
                 "    @p bra END;\n"
                 "    add.u32 %0, %0, 10000;\n"
                 "END:\n"
                 "}"
                 : "=r"(result)
                 : "r"(u));
    out[i + 96] = result;
    if (i >= 28) {
        out[i + 128] = 28;
        return; // before the others
    }
    out[i + 128] = u & 4 ? __popc(u) : __clz((int)u);
}
