// SPDX-License-Identifier: MIT OR Apache-2.0
// Memory that kernels allocate and free.
// block: 64
// output: 128 u32 exact

struct link {
    link *next;
    unsigned value;
};

extern "C" __global__ void kernel(unsigned *out, const unsigned *in, unsigned) {
    const unsigned i = threadIdx.x;
    link *list = nullptr;
    for (unsigned k = 0; k < i % 9; k++) {
        link *one = (link *)malloc(sizeof(link));
        one->next = list;
        one->value = in[i] + k;
        list = one;
    }
    unsigned total = 0;
    while (list) {
        link *next = list->next;
        total = total * 3 + list->value;
        free(list);
        list = next;
    }
    out[i] = total;
    unsigned *words = new unsigned[i + 1];
    memset(words, 0xab, (i + 1) * sizeof *words);
    words[i / 2] = i;
    unsigned *copies = new unsigned[i + 1];
    memcpy(copies, words, (i + 1) * sizeof *words);
    delete[] words;
    out[i + 64] = copies[0] ^ copies[i] ^ copies[i / 2] ^ ((unsigned long long)copies % 16 != 0);
    delete[] copies;
    void *none = malloc(1ull << 60);
    out[i + 64] += none == nullptr;
    free(none);
}
