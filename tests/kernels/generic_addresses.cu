// SPDX-License-Identifier: MIT OR Apache-2.0
// Generic addresses of global, shared, local, constant and parameter memory, and which of these an address is in.
// needs: 75
// output: 256 u32 exact

__constant__ unsigned table[4] = {10, 20, 30, 40};
__device__ unsigned counter[32];

__device__ __noinline__ unsigned sum(const unsigned *from, unsigned count) {
    unsigned total = 0;
    for (unsigned k = 0; k < count; k++) {
        total = total * 3 + from[k];
    }
    return total;
}

extern "C" __global__ void kernel(unsigned *out, const unsigned *in, const __grid_constant__ unsigned count) {
    const unsigned i = threadIdx.x;
    __shared__ unsigned shared[33];
    unsigned local[4];
    shared[i] = in[i];
    shared[32] = 9;
    counter[i] = in[i + 32];
    for (int k = 0; k < 4; k++) {
        local[k] = in[(i + k) & 31] + k;
    }
    __syncthreads();
    const unsigned *places[] = {in + i, shared + i, local, table};
    const unsigned *chosen = places[in[i] & 3];
    out[i] = sum(chosen, (in[i] & 3) == 1 ? 1 : 4);
    out[i + 32] = sum(local, 4) + sum(counter + i, 1) + sum(table, 4);
    out[i + 64] = __isGlobal(in) | __isShared(shared) << 1 | __isLocal(local) << 2 | __isConstant(table) << 3 |
                  __isGlobal(shared) << 4 | __isShared(local) << 5 | __isLocal(in) << 6 | __isConstant(in) << 7 |
                  __isGlobal(counter) << 8;
    const unsigned *parameter = &count;
    out[i + 96] = sum(parameter, 1) + __isGridConstant(parameter);
    unsigned narrow = (unsigned)__cvta_generic_to_shared(shared + i), value;
    asm volatile("ld.shared.u32 %0, [%1];" : "=r"(value) : "r"(narrow));
    out[i + 128] = value;
    asm volatile("{ .reg .u64 a; cvta.shared.u64 a, %1; ld.u32 %0, [a]; }" : "=r"(value) : "l"((unsigned long long)narrow));
    out[i + 160] = value;
    asm volatile("ld.global.u32 %0, [%1+4];" : "=r"(value) : "l"(__cvta_generic_to_global(in + i)));
    out[i + 192] = value;
    *(unsigned *)(i & 1 ? out + 224 + i : shared + i) = 5;
    __syncthreads();
    if (!(i & 1)) {
        out[i + 224] = shared[i] + 1;
    }
}
