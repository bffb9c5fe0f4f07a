// SPDX-License-Identifier: MIT OR Apache-2.0
// Special registers: those that every device gives alike, and what must hold of the others.
// grid: 3
// block: 48 2
// shared: 256
// output: 288 u32 exact
// output: 288 u32 exact

#define READ(name) \
    ([] { \
        unsigned value; \
        asm volatile("mov.u32 %0, %%" name ";" : "=r"(value)); \
        return value; \
    })()
#define READ_WIDE(name) \
    ([] { \
        unsigned long long value; \
        asm volatile("mov.u64 %0, %%" name ";" : "=l"(value)); \
        return value; \
    })()

extern "C" __global__ void kernel(unsigned *out, const unsigned *, unsigned) {
    const unsigned thread = threadIdx.x + blockDim.x * threadIdx.y, i = thread + 96 * blockIdx.x;
    out[i] = READ("tid.x") | READ("tid.y") << 6 | READ("tid.z") << 8 | READ("ntid.x") << 9 | READ("ntid.y") << 16 |
             READ("ntid.z") << 19 | READ("ctaid.x") << 20 | READ("ctaid.y") << 24 | READ("nctaid.x") << 26 | READ("nctaid.z") << 30;
    const unsigned masks = READ("lanemask_eq") ^ READ("lanemask_le") * 3 ^ READ("lanemask_lt") * 5 ^ READ("lanemask_ge") * 7 ^
                           READ("lanemask_gt") * 11;
    const unsigned long long clock = READ_WIDE("clock64"), time = READ_WIDE("globaltimer");
    const unsigned low = READ("clock"), high = READ("clock_hi"), time_low = READ("globaltimer_lo"),
                   time_high = READ("globaltimer_hi");
    unsigned holds = READ("warpid") < 32;
    holds |= (READ("nwarpid") >= READ("warpid")) << 1;
    holds |= (READ("smid") < READ("nsmid")) << 2;
    holds |= (READ_WIDE("clock64") >= clock) << 3;
    holds |= (READ_WIDE("globaltimer") >= time) << 4;
    holds |= (low != high || low == high) << 5;
    holds |= ((unsigned long long)time_high << 32 | time_low) >= time ? 64 : 0;
    holds |= (READ("dynamic_smem_size") == 256) << 7;
    holds |= (READ("total_smem_size") >= 256) << 8;
    holds |= (READ_WIDE("gridid") == READ_WIDE("gridid")) << 9;
    out[i + 288] = masks + READ("laneid") * 13 + (holds << 16);
}
