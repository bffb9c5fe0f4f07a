// SPDX-License-Identifier: MIT OR Apache-2.0
// cp.async: copies from global to shared memory in groups, with zeros behind, and tied to a barrier (PTX ISA 7.0, sm_80).
// needs: 80
// block: 32
// output: 320 u32 exact

extern "C" __global__ void kernel(unsigned *out, const unsigned *in, unsigned) {
    const unsigned i = threadIdx.x;
    __shared__ __align__(16) unsigned shared[320];
    __shared__ unsigned long long barrier;
    const unsigned address = (unsigned)__cvta_generic_to_shared(shared), wait = (unsigned)__cvta_generic_to_shared(&barrier);
    if (i == 0) {
        asm volatile("mbarrier.init.shared.b64 [%0], 32;" : : "r"(wait) : "memory");
    }
    __syncthreads();
    asm volatile("cp.async.ca.shared.global [%0], [%1], 4;" : : "r"(address + 4 * i), "l"(in + i) : "memory");
    asm volatile("cp.async.commit_group;" : : : "memory");
    asm volatile("cp.async.ca.shared.global [%0], [%1], 8;" : : "r"(address + 128 + 8 * i), "l"(in + 32 + 2 * i) : "memory");
    asm volatile("cp.async.commit_group;\n\tcp.async.wait_group 1;" : : : "memory");
    __syncthreads();
    out[i] = shared[31 - i];
    asm volatile("cp.async.wait_group 0;" : : : "memory");
    __syncthreads();
    out[i + 32] = shared[95 - i];
    out[i + 64] = shared[32 + i];
    asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" : : "r"(address + 384 + 16 * i), "l"(in + 4 * i) : "memory");
    asm volatile("cp.async.ca.shared.global [%0], [%1], 8, %2;"
                 :
                 : "r"(address + 896 + 8 * i), "l"(in + 128 + 2 * i), "r"((i & 1) * 4)
                 : "memory");
    asm volatile("cp.async.mbarrier.arrive.noinc.shared.b64 [%0];\n\tcp.async.wait_all;" : : "r"(wait) : "memory");
    unsigned done;
    do {
        asm volatile("{ .reg .pred p; mbarrier.test_wait.parity.shared.b64 p, [%1], 0; selp.u32 %0, 1, 0, p; }"
                     : "=r"(done)
                     : "r"(wait)
                     : "memory");
    } while (!done);
    for (unsigned k = 0; k < 6; k++) {
        out[96 + 32 * k + i] = shared[96 + 32 * k + i];
    }
    out[288 + i] = shared[288 + i];
}
