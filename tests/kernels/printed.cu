// SPDX-License-Identifier: MIT OR Apache-2.0
// printf, of one thread and of all, with every kind of conversion. What it prints is compared too.
// builds: -G -lineinfo
// block: 4
// output: 4 u32 exact
// prints

extern "C" __global__ void kernel(unsigned *out, const unsigned *, unsigned) {
    const unsigned i = threadIdx.x;
    if (i == 0) {
        out[0] = (unsigned)printf("plain text, no arguments\n");
        printf("%d %i %u %x %X %o %c %%\n", -5, 6, 4000000000u, 0xbeef, 0xBEEF, 8, 'q');
        printf("%f %e %g %.3f %10.2f|%-8d|%08d|%+d\n", 1.5, -2.25e100, 1e-5, 3.14159f, 2.5, 7, 42, 9);
        printf("%s, %20s, %-6s|\n", "a string", "to the right", "left");
        printf("%ld %lld %llu %lx\n", -1234567890123l, -1ll, ~0ull, 0x123456789abcdefl);
        printf("%5c\n", 'z');
        printf("%.2s\n", "cut");
        printf("%d %s\n", 1, "no newline at the end");
        printf("%a %G %E\n", 1.0, 1e20, 0.5);
    }
    __syncwarp();
    for (unsigned k = 0; k < 4; k++) {
        if (k == i && i > 0) {
            out[i] = (unsigned)printf("thread %u of %u\n", i, blockDim.x);
        }
        __syncwarp();
    }
}
