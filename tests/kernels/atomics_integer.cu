// SPDX-License-Identifier: MIT OR Apache-2.0
// Atomics of 32 and 64 bits on global memory: what memory holds at the end, and what they return where that is determined.
// grid: 2
// block: 64
// output: 64 u64 exact
// output: 128 u64 exact

typedef unsigned long long u64;

extern "C" __global__ void kernel(u64 *out, const unsigned *in, unsigned) {
    const unsigned i = threadIdx.x + blockIdx.x * blockDim.x, value = in[i];
    unsigned *words = (unsigned *)out; // 32 of them, then 16 u64
    atomicAdd(words + 0, value);
    atomicSub(words + 1, value);
    atomicAnd(words + 2, value | 0xff00ff00); // of 0
    atomicOr(words + 3, value & 0x10101010u << (i & 3));
    atomicXor(words + 4, value);
    atomicMax(words + 5, value);
    atomicMax((int *)words + 6, (int)value);
    atomicMin((int *)words + 7, (int)value);
    atomicMin(words + 8, value);
    atomicInc(words + 9, 10);
    atomicDec(words + 10, 7);
    atomicExch(words + 11, 42u);
    atomicCAS(words + 12, 0u, 9u);
    u64 *wides = out + 16;
    const u64 wide = (u64)value << 32 | in[i ^ 1];
    atomicAdd(wides + 0, wide);
    atomicMax(wides + 1, wide);
    atomicMax((long long *)wides + 2, (long long)wide);
    atomicMin((long long *)wides + 3, (long long)wide);
    atomicMin(wides + 4, wide);
    atomicOr(wides + 5, wide & 0x1111111111111111ull << (i & 3));
    atomicXor(wides + 6, wide);
    atomicAnd(wides + 7, wide);
    atomicExch(wides + 8, 1234567890123ull);
    atomicCAS(wides + 9, 0ull, 17ull);
    u64 old;
    out[64 + i] = wide;
    out[64 + i] = old = atomicAdd(out + 64 + i, 3ull);
    old = old * 3 + atomicMax(out + 64 + i, 1ull << 40);
    old = old * 3 + atomicCAS(out + 64 + i, old, 5ull);
    old = old * 3 + atomicExch(out + 64 + i, 77ull);
    old = old * 3 + atomicXor(out + 64 + i, wide) + atomicAnd(out + 64 + i, ~0xffull) + atomicOr(out + 64 + i, 1ull);
    unsigned *own = (unsigned *)(out + 64 + i);
    old =
        old * 3 + atomicAdd(own, 1u) + atomicInc(own, 5u) + atomicDec(own, 6u) + atomicMin((int *)own, -5) + atomicExch(own, value);
    old = old * 3 + atomicCAS(own, value, 1u) + atomicSub(own, 2u) + atomicAnd(own, 0xffffu) + atomicOr(own, 0x100u) +
          atomicXor(own, 3u);
    out[64 + i] = old;
}
