// SPDX-License-Identifier: MIT OR Apache-2.0
// Asynchronous copies that leave their source alone where a predicate says so, and write zeros (PTX ISA 8.0, sm_80).
// needs: 80
// output: 64 u32 exact

extern "C" __global__ void kernel(unsigned *out, const unsigned *in, unsigned) {
    const unsigned i = threadIdx.x;
    __shared__ __align__(16) unsigned shared[32];
    const unsigned address = (unsigned)__cvta_generic_to_shared(shared + i);
    shared[i] = 7;
    asm volatile("{ .reg .pred p; setp.ne.u32 p, %2, 0; cp.async.ca.shared.global [%0], [%1], 4, p; }"
                 :
                 : "r"(address), "l"(in + i), "r"(i % 3)
                 : "memory");
    asm volatile("cp.async.wait_all;" : : : "memory");
    __syncthreads();
    out[i] = shared[31 - i];
    __syncthreads();
    if (i % 4 == 0) {
        asm volatile("{ .reg .pred p; setp.ne.u32 p, %2, 0; cp.async.cg.shared.global [%0], [%1], 16, !p; }"
                     :
                     : "r"(address), "l"(in + 64 + i), "r"(i % 8)
                     : "memory");
    }
    asm volatile("cp.async.wait_all;" : : : "memory");
    __syncthreads();
    out[i + 32] = shared[31 - i];
}
