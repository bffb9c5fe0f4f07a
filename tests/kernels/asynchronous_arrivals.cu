// SPDX-License-Identifier: MIT OR Apache-2.0
// Asynchronous copies that arrive at an mbarrier when they are done, as one arrival more; and a thread that leaves an mbarrier in
// the name of several (PTX ISA 7.0, sm_80).
// needs: 80
// output: 128 u32 exact

extern "C" __global__ void kernel(unsigned *out, const unsigned *in, unsigned) {
    const unsigned i = threadIdx.x;
    __shared__ unsigned long long barrier, second;
    __shared__ unsigned shared[64];
    const unsigned address = (unsigned)__cvta_generic_to_shared(&barrier), other = (unsigned)__cvta_generic_to_shared(&second);
    const unsigned place = (unsigned)__cvta_generic_to_shared(shared + i);
    unsigned long long state;
    unsigned done;
    if (i == 0) {
        asm volatile("mbarrier.init.shared.b64 [%0], 32;" : : "r"(address) : "memory");
        asm volatile("mbarrier.init.shared.b64 [%0], 40;" : : "r"(other) : "memory");
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
    if (i == 0) {
        asm volatile("mbarrier.arrive_drop.noComplete.shared.b64 %0, [%1], 8;" : "=l"(state) : "r"(other) : "memory");
    }
    __syncthreads();
    for (unsigned phase = 0; phase < 2; phase++) { // 40 arrivals, of which 8 have been, and then 32
        asm volatile("mbarrier.arrive.shared.b64 %0, [%1];" : "=l"(state) : "r"(other) : "memory");
        __syncthreads();
        asm volatile("{ .reg .pred p; mbarrier.test_wait.parity.shared.b64 p, [%1], %2; selp.u32 %0, 1, 0, p; }"
                     : "=r"(out[i + 64 + 32 * phase])
                     : "r"(other), "r"(phase)
                     : "memory");
        __syncthreads();
    }
}
