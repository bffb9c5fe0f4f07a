// SPDX-License-Identifier: MIT OR Apache-2.0
// Quotients and remainders of every width and sign; the divisor is never 0.
// output: 512 u32 exact

extern "C" __global__ void kernel(unsigned *out, const unsigned *in, unsigned) {
    const unsigned i = threadIdx.x, u = in[i], v = in[i + 32] | 1, small = (in[i + 64] & 0xff) + 1;
    const int a = u, b = v == 0xffffffff ? 3 : v;
    const unsigned long long lu = (unsigned long long)u << 32 | v, lv = (unsigned long long)(v & 0xffff) << 20 | small;
    const long long la = lu, lb = -(long long)lv;
    const unsigned short us = u, vs = v;
    const short as = u, bs = b == -1 || (short)b == -1 ? 7 : b;
    out[i] = u / v;
    out[i + 32] = u % v;
    out[i + 64] = a / b;
    out[i + 96] = a % b;
    out[i + 128] = u / small;
    out[i + 160] = u % small;
    out[i + 192] = a / (int)small;
    out[i + 224] = a % -(int)small;
    out[i + 256] = lu / lv;
    out[i + 288] = lu % lv;
    out[i + 320] = la / lb;
    out[i + 352] = la % lb;
    unsigned short quotient, remainder;
    asm("div.u16 %0, %1, %2;" : "=h"(quotient) : "h"(us), "h"(vs));
    asm("rem.u16 %0, %1, %2;" : "=h"(remainder) : "h"(us), "h"(vs));
    out[i + 384] = quotient << 16 | remainder;
    asm("div.s16 %0, %1, %2;" : "=h"(quotient) : "h"(as), "h"(bs));
    asm("rem.s16 %0, %1, %2;" : "=h"(remainder) : "h"(as), "h"(bs));
    out[i + 416] = quotient << 16 | remainder;
    out[i + 448] = u / 10 * 7 + u % 1000003;
    out[i + 480] = a / 10 * 7 + a % 641 + (unsigned)(lu / 1000000007 + la % 97);
}
