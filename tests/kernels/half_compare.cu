// SPDX-License-Identifier: MIT OR Apache-2.0
// Comparisons of half precision, one number and two at once, by setp, set and the functions of cuda_fp16.h.
// input: f16
// output: 320 u32 exact

#include <cuda_fp16.h>

#define COMPARE(name, bit) \
    asm("{ .reg .pred p, q, r; setp." name ".f16x2 p|q, %1, %2; setp." name \
        ".f16 r, %3, %4; selp.u32 %0, 1, 0, p; @q add.u32 %0, %0, 2; " \
        "@r add.u32 %0, %0, 4; }" \
        : "=r"(result) \
        : "r"(a), "r"(b), "h"((unsigned short)a), "h"((unsigned short)b)); \
    out[i + 32 * (bit / 10)] |= result << 3 * (bit % 10);

extern "C" __global__ void kernel(unsigned *out, const unsigned *in, unsigned) {
    const unsigned i = threadIdx.x, a = in[i], b = i % 5 ? in[i + 32] : a;
    unsigned result;
    unsigned short single;
    out[i] = out[i + 32] = 0;
    COMPARE("eq", 0)
    COMPARE("ne", 1)
    COMPARE("lt", 2)
    COMPARE("le", 3)
    COMPARE("gt", 4)
    COMPARE("ge", 5)
    COMPARE("equ", 6)
    COMPARE("neu", 7)
    COMPARE("ltu", 8)
    COMPARE("leu", 9)
    COMPARE("gtu", 10)
    COMPARE("geu", 11)
    COMPARE("num", 12)
    COMPARE("nan", 13)
    asm("set.lt.f16x2.f16x2 %0, %1, %2;" : "=r"(out[i + 64]) : "r"(a), "r"(b));
    asm("set.geu.ftz.f16x2.f16x2 %0, %1, %2;" : "=r"(out[i + 96]) : "r"(a), "r"(b));
    asm("set.ne.u32.f16 %0, %1, %2;" : "=r"(result) : "h"((unsigned short)a), "h"((unsigned short)b));
    asm("set.gt.f16.f16 %0, %1, %2;" : "=h"(single) : "h"((unsigned short)a), "h"((unsigned short)b));
    out[i + 128] = (result & 1) << 16 | single;
    const __half2 x = *(const __half2 *)&a, y = *(const __half2 *)&b;
    const __half2 equal = __heq2(x, y), less = __hltu2(x, y);
    out[i + 160] = *(const unsigned *)&equal;
    out[i + 192] = *(const unsigned *)&less;
    out[i + 224] = __hbeq2(x, y) | __hbne2(x, y) << 1 | __hbltu2(x, y) << 2 | __hbge2(x, y) << 3;
    out[i + 256] = __hlt(x.x, y.x) | __hgeu(x.y, y.y) << 1 | __hisnan(x.x) << 2 | (__hisinf(x.y) & 3) << 3;
    asm("{ .reg .pred p, q; setp.lt.f16 p, %1, %2; setp.gt.and.ftz.f16x2 p|q, %3, %4, p; selp.u32 %0, 1, 0, p; @q add.u32 %0, %0, "
        "2; }"
        : "=r"(out[i + 288])
        : "h"((unsigned short)a), "h"((unsigned short)b), "r"(a), "r"(b));
}
