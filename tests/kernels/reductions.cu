// SPDX-License-Identifier: MIT OR Apache-2.0
// red: atomics without a result, of every type.
// needs: 75
// block: 64
// output: 64 u32 exact

#define RED(text, at, letter, value) asm volatile("red." text " [%0], %1;" : : "l"(out + (at)), letter(value) : "memory");

extern "C" __global__ void kernel(unsigned *out, const unsigned *in, unsigned) {
    const unsigned i = threadIdx.x, u = in[i];
    const unsigned long long wide = (unsigned long long)u << 32 | in[i + 64];
    __shared__ unsigned shared[2];
    shared[i & 1] = 0;
    __syncthreads();
    RED("global.add.u32", 0, "r", u)
    RED("global.add.s32", 1, "r", u)
    RED("global.min.s32", 2, "r", u)
    RED("global.max.s32", 3, "r", u)
    RED("global.max.u32", 4, "r", u)
    RED("global.or.b32", 5, "r", u & 0x01010101u << (i & 3))
    RED("global.xor.b32", 6, "r", u)
    RED("global.inc.u32", 7, "r", 50)
    RED("global.dec.u32", 8, "r", 50)
    RED("global.and.b32", 9, "r", u)
    RED("global.min.u32", 10, "r", u)
    RED("relaxed.gpu.global.add.f32", 11, "f", (float)(u & 0xff))
    RED("release.sys.global.add.u64", 12, "l", wide)
    RED("global.max.u64", 14, "l", wide)
    RED("global.min.s64", 16, "l", wide)
    RED("global.xor.b64", 18, "l", wide)
    RED("add.f64", 20, "d", (double)(u & 0xff))
    RED("relaxed.cta.add.u32", 22, "r", u)
    RED("global.add.noftz.f16x2", 23, "r", (u & 1) * 0x3c00)
    RED("global.max.s64", 24, "l", wide)
    RED("global.or.b64", 26, "l", wide & 0x101010101010101ull << (i & 3))
    asm volatile("red.shared.add.u32 [%0], %1;" : : "r"((unsigned)__cvta_generic_to_shared(shared + (i & 1))), "r"(u) : "memory");
    __syncthreads();
    if (i < 2) {
        out[28 + i] = shared[i];
    }
}
