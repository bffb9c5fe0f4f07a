// SPDX-License-Identifier: MIT OR Apache-2.0
// Fences of the proxy of tensor maps (PTX ISA 8.3, sm_90): nothing but order, and here nothing to be put in order.
// needs: 90 12.9
// output: 32 u32 exact

__device__ __align__(128) unsigned map[32];

extern "C" __global__ void kernel(unsigned *out, const unsigned *in, unsigned) {
    const unsigned i = threadIdx.x;
    map[i] = in[i];
    __syncwarp();
    asm volatile("fence.proxy.tensormap::generic.release.gpu;" : : : "memory");
    asm volatile("fence.proxy.tensormap::generic.acquire.gpu [%0], 128;" : : "l"(map) : "memory");
    out[i] = map[31 - i];
}
