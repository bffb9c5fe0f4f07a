// SPDX-License-Identifier: MIT OR Apache-2.0
// mbarrier: arriving, waiting, dropping out and counting (PTX ISA 7.0, sm_80).
// needs: 80
// block: 64
// output: 192 u32 exact

extern "C" __global__ void kernel(unsigned *out, const unsigned *in, unsigned) {
    const unsigned i = threadIdx.x;
    __shared__ unsigned long long barrier, second;
    __shared__ unsigned shared[64];
    const unsigned address = (unsigned)__cvta_generic_to_shared(&barrier), other = (unsigned)__cvta_generic_to_shared(&second);
    if (i == 0) {
        asm volatile("mbarrier.init.shared.b64 [%0], 64;" : : "r"(address) : "memory");
        asm volatile("mbarrier.init.b64 [%0], %1;" : : "l"(&second), "r"(66) : "memory");
    }
    __syncthreads();
    unsigned long long state;
    unsigned done, total = 0, pending;
    for (unsigned round = 0; round < 3; round++) {
        shared[i] = in[i] + round;
        asm volatile("mbarrier.arrive.shared.b64 %0, [%1];" : "=l"(state) : "r"(address) : "memory");
        do {
            asm volatile("{ .reg .pred p; mbarrier.test_wait.shared.b64 p, [%1], %2; selp.u32 %0, 1, 0, p; }"
                         : "=r"(done)
                         : "r"(address), "l"(state)
                         : "memory");
        } while (!done);
        total = total * 3 + shared[63 - i];
        __syncthreads();
    }
    out[i] = total;
    if (i < 2) { // these leave once and for all
        asm volatile("mbarrier.arrive_drop.b64 %0, [%1];" : "=l"(state) : "l"(&second) : "memory");
    }
    __syncthreads();
    if (i == 5) {
        asm volatile("mbarrier.arrive.noComplete.b64 %0, [%1], 60;" : "=l"(state) : "l"(&second) : "memory");
        asm volatile("mbarrier.pending_count.b64 %0, %1;" : "=r"(pending) : "l"(state));
        out[64 + i] = pending;
    } else {
        out[64 + i] = 0;
    }
    __syncthreads();
    if (i < 4) {
        asm volatile("mbarrier.arrive.shared.b64 %0, [%1];" : "=l"(state) : "r"(other) : "memory");
        do {
            asm volatile("{ .reg .pred p; mbarrier.test_wait.parity.shared.b64 p, [%1], 0; selp.u32 %0, 1, 0, p; }"
                         : "=r"(done)
                         : "r"(other)
                         : "memory");
        } while (!done);
    }
    __syncthreads();
    out[128 + i] = shared[i];
    if (i == 0) {
        asm volatile("mbarrier.inval.shared.b64 [%0];\n\tmbarrier.inval.b64 [%1];" : : "r"(address), "l"(&second) : "memory");
    }
}
