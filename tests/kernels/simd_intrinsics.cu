// SPDX-License-Identifier: MIT OR Apache-2.0
// The SIMD intrinsics of CUDA C++, which compilers make of plain instructions.
// output: 512 u32 exact

extern "C" __global__ void kernel(unsigned *out, const unsigned *in, unsigned) {
    const unsigned i = threadIdx.x, u = in[i], v = in[i + 32];
    out[i] = __vadd4(u, v);
    out[i + 32] = __vsub4(u, v);
    out[i + 64] = __vaddss4(u, v) ^ __vaddus4(u, v);
    out[i + 96] = __vsubss4(u, v) ^ __vsubus4(u, v);
    out[i + 128] = __vabsdiffu4(u, v) ^ __vabsdiffs4(u, v);
    out[i + 160] = __vavgu4(u, v) ^ __vavgs4(u, v) ^ __vhaddu4(u, v);
    out[i + 192] = __vminu4(u, v) ^ __vmins4(u, v);
    out[i + 224] = __vmaxu4(u, v) ^ __vmaxs4(u, v);
    out[i + 256] = __vcmpeq4(u, v) ^ __vcmpgts4(u, v) ^ __vsetltu4(u, v);
    out[i + 288] = __vsadu4(u, v) ^ __vsads4(u, v);
    out[i + 320] = __vadd2(u, v) ^ __vsub2(u, v);
    out[i + 352] = __vaddss2(u, v) ^ __vsubus2(u, v);
    out[i + 384] = __vabs4(u) ^ __vabsss4(v) ^ __vneg4(u) ^ __vnegss4(v);
    out[i + 416] = __vabs2(u) ^ __vabsss2(v) ^ __vneg2(u) ^ __vnegss2(v);
    out[i + 448] = __vabsdiffu2(u, v) ^ __vavgs2(u, v) ^ __vsadu2(u, v);
    out[i + 480] = __vmaxs2(u, v) ^ __vminu2(u, v) ^ __vcmpgeu2(u, v) ^ __vsetles2(u, v);
}
