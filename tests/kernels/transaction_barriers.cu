// SPDX-License-Identifier: MIT OR Apache-2.0
// mbarrier with counts of transactions, and waits that may suspend (PTX ISA 7.8 and 8.0, sm_90).
// needs: 90
// block: 32
// output: 64 u32 exact

extern "C" __global__ void kernel(unsigned *out, const unsigned *in, unsigned) {
    const unsigned i = threadIdx.x;
    __shared__ unsigned long long barrier;
    __shared__ unsigned shared[32];
    const unsigned address = (unsigned)__cvta_generic_to_shared(&barrier);
    if (i == 0) {
        asm volatile("mbarrier.init.shared::cta.b64 [%0], 33;" : : "r"(address) : "memory");
        asm volatile("fence.mbarrier_init.release.cluster;" : : : "memory");
    }
    __syncthreads();
    unsigned long long state;
    unsigned done;
    shared[i] = in[i];
    asm volatile("mbarrier.arrive.release.cta.shared::cta.b64 %0, [%1], %2;" : "=l"(state) : "r"(address), "r"(1) : "memory");
    if (i == 3) {
        asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 %0, [%1], 100;" : "=l"(state) : "r"(address) : "memory");
        asm volatile("mbarrier.expect_tx.relaxed.cta.shared::cta.b64 [%0], 28;" : : "r"(address) : "memory");
        asm volatile("mbarrier.complete_tx.relaxed.cta.shared::cta.b64 [%0], 128;" : : "r"(address) : "memory");
    }
    do {
        asm volatile("{ .reg .pred p; mbarrier.try_wait.parity.shared::cta.b64 p, [%1], 0; selp.u32 %0, 1, 0, p; }"
                     : "=r"(done)
                     : "r"(address)
                     : "memory");
    } while (!done);
    out[i] = shared[31 - i];
    __syncthreads();
    asm volatile("mbarrier.arrive.shared::cta.b64 _, [%0];" : : "r"(address) : "memory");
    if (i == 3) {
        asm volatile("mbarrier.arrive.shared::cta.b64 %0, [%1];" : "=l"(state) : "r"(address) : "memory");
        do {
            asm volatile("{ .reg .pred p; mbarrier.try_wait.acquire.cta.shared::cta.b64 p, [%1], %2, %3; selp.u32 %0, 1, 0, p; }"
                         : "=r"(done)
                         : "r"(address), "l"(state), "r"(1000)
                         : "memory");
        } while (!done);
    }
    out[i + 32] = done;
}
