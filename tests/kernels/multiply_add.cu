// SPDX-License-Identifier: MIT OR Apache-2.0
// mad of f32 and f64, which is fma by its older name.
// input: f64
// output: 160 f32 exact
// output: 64 f64 exact

#define SINGLES(instruction, row) asm(instruction " %0, %1, %2, %3;" : "=f"(out[i + 32 * row]) : "f"(a), "f"(b), "f"(c));
#define DOUBLES(instruction, row) \
    asm(instruction " %0, %1, %2, %3;" : "=d"(wide[i + 32 * row]) : "d"(in[i]), "d"(in[i + 32]), "d"(in[i + 64]));

extern "C" __global__ void kernel(float *out, const double *in, unsigned) {
    const unsigned i = threadIdx.x;
    const float a = (float)in[i], b = __uint_as_float((unsigned)__double_as_longlong(in[i + 32])), c = (float)in[i + 64];
    double *wide = (double *)(out + 160);
    SINGLES("mad.rn.f32", 0)
    SINGLES("mad.rz.f32", 1)
    SINGLES("mad.rm.ftz.f32", 2)
    SINGLES("mad.rp.sat.f32", 3)
    SINGLES("mad.rn.ftz.sat.f32", 4)
    DOUBLES("mad.rn.f64", 0)
    DOUBLES("mad.rp.f64", 1)
}
