// SPDX-License-Identifier: MIT OR Apache-2.0
// fp8: from and to f32, f16 and bf16 by cuda_fp8.h, which has instructions from sm_89 on and plain code before.
// input: f32
// output: 320 u32 exact

#include <cuda_fp8.h>

extern "C" __global__ void kernel(unsigned *out, const float *in, unsigned) {
    const unsigned i = threadIdx.x;
    const float a = in[i], moderate = (float)((int)__float_as_uint(a) >> 8) * 0x1p-14f;
    out[i] = __nv_cvt_float_to_fp8(a, __NV_SATFINITE, __NV_E4M3);
    out[i + 32] = __nv_cvt_float_to_fp8(a, __NV_SATFINITE, __NV_E5M2);
    out[i + 64] = __nv_cvt_float_to_fp8(moderate, __NV_SATFINITE, __NV_E4M3);
    out[i + 96] = __nv_cvt_float_to_fp8(moderate, __NV_NOSAT, __NV_E5M2);
    out[i + 128] = __nv_cvt_float2_to_fp8x2(make_float2(moderate, in[i + 32]), __NV_SATFINITE, __NV_E4M3);
    out[i + 160] = __nv_cvt_double_to_fp8(moderate, __NV_SATFINITE, __NV_E5M2);
    out[i + 192] = __half_raw(__nv_cvt_fp8_to_halfraw((__nv_fp8_storage_t)(i * 8), __NV_E4M3)).x;
    out[i + 224] = __half_raw(__nv_cvt_fp8_to_halfraw((__nv_fp8_storage_t)(i * 8 + 3), __NV_E5M2)).x;
    const __half2_raw pair = __nv_cvt_fp8x2_to_halfraw2((__nv_fp8x2_storage_t)(i * 1999), __NV_E4M3);
    out[i + 256] = pair.x | pair.y << 16;
    out[i + 288] = __nv_cvt_halfraw_to_fp8(__half_raw{(unsigned short)__float_as_uint(a)}, __NV_SATFINITE, __NV_E4M3);
}
