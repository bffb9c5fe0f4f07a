// SPDX-License-Identifier: MIT OR Apache-2.0
// Asynchronous copies that arrive at an mbarrier when they are done, as one arrival more (PTX ISA 7.0, sm_80).
// needs: 80
// output: 64 u32 exact

extern "C" __global__ void kernel(unsigned *out, const unsigned *in, unsigned) {
    const unsigned i = threadIdx.x;
    __shared__ unsigned long long barrier;
    __shared__ unsigned shared[64];
    const unsigned address = (unsigned)__cvta_generic_to_shared(&barrier);
    const unsigned place = (unsigned)__cvta_generic_to_shared(shared + i);
    unsigned long long state;
    unsigned done;
    if (i == 0) {
        asm volatile("mbarrier.init.shared.b64 [%0], 32;" : : "r"(address) : "memory");
    }
    __syncthreads();
    asm volatile("cp.async.ca.shared.global [%0], [%1], 4;" : : "r"(place), "l"(in + i) : "memory");
    asm volatile("cp.async.mbarrier.arrive.shared.b64 [%0];" : : "r"(address) : "memory");
    asm volatile("cp.async.ca.shared.global [%0+128], [%1], 4;" : : "r"(place), "l"(in + i + 32) : "memory");
    asm volatile("cp.async.mbarrier.arrive.b64 [%0];" : : "l"(&barrier) : "memory");
    asm volatile("mbarrier.arrive.shared.b64 %0, [%1];" : "=l"(state) : "r"(address) : "memory");
    do {
        asm volatile("{ .reg .pred p; mbarrier.test_wait.shared.b64 p, [%1], %2; selp.u32 %0, 1, 0, p; }"
                     : "=r"(done)
                     : "r"(address), "l"(state)
                     : "memory");
    } while (!done);
    out[i] = shared[31 - i];
    out[i + 32] = shared[63 - i];
}
