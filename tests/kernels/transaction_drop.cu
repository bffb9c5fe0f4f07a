// SPDX-License-Identifier: MIT OR Apache-2.0
// A thread that announces bytes to an mbarrier and leaves it in one step (PTX ISA 8.0, sm_90).
// needs: 90
// output: 64 u32 exact

#define WAIT(parity) \
    do { \
        asm volatile("{ .reg .pred p; mbarrier.try_wait.parity.shared::cta.b64 p, [%1], " parity ", 1000; selp.u32 %0, 1, 0, p; }" \
                     : "=r"(done) \
                     : "r"(address) \
                     : "memory"); \
    } while (!done);

extern "C" __global__ void kernel(unsigned *out, const unsigned *in, unsigned) {
    const unsigned i = threadIdx.x;
    __shared__ unsigned long long barrier;
    __shared__ unsigned shared[32];
    const unsigned address = (unsigned)__cvta_generic_to_shared(&barrier);
    unsigned long long state;
    unsigned done;
    if (i == 0) {
        asm volatile("mbarrier.init.shared::cta.b64 [%0], 32;" : : "r"(address) : "memory");
    }
    __syncthreads();
    shared[i] = in[i];
    if (i == 7) {
        asm volatile("mbarrier.arrive_drop.expect_tx.shared::cta.b64 %0, [%1], 64;" : "=l"(state) : "r"(address) : "memory");
        asm volatile("mbarrier.complete_tx.relaxed.cta.shared::cta.b64 [%0], 64;" : : "r"(address) : "memory");
    } else {
        asm volatile("mbarrier.arrive.shared::cta.b64 %0, [%1];" : "=l"(state) : "r"(address) : "memory");
    }
    WAIT("0")
    out[i] = shared[31 - i];
    __syncthreads();
    shared[i] = in[i + 32];
    __syncthreads();
    if (i != 7) { // who left is not waited for
        asm volatile("mbarrier.arrive.shared::cta.b64 %0, [%1];" : "=l"(state) : "r"(address) : "memory");
    }
    WAIT("1")
    out[i + 32] = shared[31 - i];
}
