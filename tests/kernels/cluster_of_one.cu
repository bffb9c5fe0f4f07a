// SPDX-License-Identifier: MIT OR Apache-2.0
// Addresses of shared memory in a cluster, here of one block: mapa, getctarank, .shared::cluster (PTX ISA 7.8, sm_90).
// needs: 90
// output: 160 u32 exact

extern "C" __global__ void kernel(unsigned *out, const unsigned *in, unsigned) {
    const unsigned i = threadIdx.x;
    __shared__ unsigned shared[32];
    const unsigned own = (unsigned)__cvta_generic_to_shared(shared + i);
    unsigned there, value;
    unsigned long long generic;
    shared[i] = in[i];
    __syncthreads();
    asm volatile("mapa.shared::cluster.u32 %0, %1, 0;" : "=r"(there) : "r"(own));
    asm volatile("ld.shared::cluster.u32 %0, [%1];" : "=r"(value) : "r"(there));
    out[i] = value;
    asm volatile("getctarank.shared::cluster.u32 %0, %1;" : "=r"(out[i + 32]) : "r"(there));
    asm volatile("mapa.u64 %0, %1, %2;" : "=l"(generic) : "l"(shared + i), "r"(0));
    asm volatile("ld.u32 %0, [%1];" : "=r"(value) : "l"(generic));
    out[i + 64] = value;
    asm volatile("getctarank.u64 %0, %1;" : "=r"(out[i + 96]) : "l"(generic));
    asm volatile("{ .reg .pred p; isspacep.shared::cluster p, %1; selp.u32 %0, 1, 0, p; }" : "=r"(value) : "l"(generic));
    out[i + 128] = value;
}
