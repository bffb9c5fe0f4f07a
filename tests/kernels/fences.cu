// SPDX-License-Identifier: MIT OR Apache-2.0
// Fences between proxies, and fences of a part of memory (PTX ISA 8.0 and 8.6, sm_90): nothing but order.
// needs: 90 12.9
// output: 32 u32 exact

extern "C" __global__ void kernel(unsigned *out, const unsigned *in, unsigned) {
    const unsigned i = threadIdx.x;
    __shared__ unsigned shared[32];
    shared[i] = in[i];
    asm volatile("fence.proxy.alias;" : : : "memory");
    asm volatile("membar.proxy.alias;" : : : "memory");
    asm volatile("fence.proxy.async;" : : : "memory");
    asm volatile("fence.proxy.async.global;" : : : "memory");
    asm volatile("fence.proxy.async.shared::cta;" : : : "memory");
    asm volatile("fence.acquire.sync_restrict::shared::cluster.cluster;" : : : "memory");
    asm volatile("fence.release.sync_restrict::shared::cta.cluster;" : : : "memory");
    asm volatile("fence.proxy.async::generic.acquire.sync_restrict::shared::cluster.cluster;" : : : "memory");
    asm volatile("fence.proxy.async::generic.release.sync_restrict::shared::cta.cluster;" : : : "memory");
    __syncthreads();
    out[i] = shared[31 - i];
}
