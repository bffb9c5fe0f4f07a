// SPDX-License-Identifier: MIT OR Apache-2.0
// What a device makes of the quotients that PTX leaves open (PTX ISA, div and rem): by zero, and of the lowest number by -1.
// block: 1
// output: 24 u64 exact

typedef unsigned long long u64;

template <class T> __device__ T hidden(T value) {
    asm volatile("" : "+l"(value));
    return value;
}

extern "C" __global__ void kernel(u64 *out, const unsigned *, unsigned) {
    const u64 values[] = {12345, 0x8000000000000000, (u64)-77};
    for (int k = 0; k < 3; k++) {
        const u64 a = hidden(values[k]), low = hidden(k == 1 ? 0x80000000ull : values[k]), zero = hidden(0ull),
                  minus = hidden(~0ull);
        u64 *row = out + 8 * k;
        unsigned narrow;
        asm("div.u32 %0, %1, %2;" : "=r"(narrow) : "r"((unsigned)low), "r"((unsigned)zero));
        row[0] = narrow;
        asm("rem.u32 %0, %1, %2;" : "=r"(narrow) : "r"((unsigned)low), "r"((unsigned)zero));
        row[1] = narrow;
        asm("div.s32 %0, %1, %2;" : "=r"(narrow) : "r"((unsigned)low), "r"((unsigned)minus));
        row[2] = narrow;
        asm("rem.s32 %0, %1, %2;" : "=r"(narrow) : "r"((unsigned)low), "r"((unsigned)minus));
        row[3] = narrow;
        asm("div.u64 %0, %1, %2;" : "=l"(row[4]) : "l"(a), "l"(zero));
        asm("rem.u64 %0, %1, %2;" : "=l"(row[5]) : "l"(a), "l"(zero));
        asm("div.s64 %0, %1, %2;" : "=l"(row[6]) : "l"(a), "l"(minus));
        asm("rem.s64 %0, %1, %2;" : "=l"(row[7]) : "l"(a), "l"(minus));
    }
}
