// SPDX-License-Identifier: MIT OR Apache-2.0
// A whole program: 512 keys with what belongs to them, sorted by a bitonic network in shared memory.
// builds: -G -lineinfo
// block: 256
// output: 1024 u32 exact

constexpr unsigned COUNT = 512;

struct Item {
    unsigned key, value;
};

__device__ bool is_before(const Item &a, const Item &b) {
    return a.key != b.key ? a.key < b.key : a.value < b.value;
}

__device__ void put_in_order(Item &a, Item &b, bool rising) {
    if (is_before(b, a) == rising) {
        const Item kept = a;
        a = b;
        b = kept;
    }
}

extern "C" __global__ void kernel(unsigned *out, const unsigned *in, unsigned) {
    __shared__ Item items[COUNT];
    const unsigned i = threadIdx.x;
    for (unsigned k = i; k < COUNT; k += blockDim.x) {
        items[k] = {in[k], k};
    }
    for (unsigned size = 2; size <= COUNT; size *= 2) {
        for (unsigned distance = size / 2; distance > 0; distance /= 2) {
            __syncthreads();
            const unsigned low = 2 * i - (i & (distance - 1));
            put_in_order(items[low], items[low + distance], (low & size) == 0);
        }
    }
    __syncthreads();
    for (unsigned k = i; k < COUNT; k += blockDim.x) {
        out[k] = items[k].key;
        out[COUNT + k] = items[k].value;
    }
}
