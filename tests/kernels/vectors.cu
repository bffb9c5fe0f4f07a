// SPDX-License-Identifier: MIT OR Apache-2.0
// Loads and stores of two and four elements, of every width. Not for compute_100 and newer: there NVRTC 12.9 and 13.0, when they
// optimise, take h.y and h.z from the address of s (seen in their PTX).
// architectures: 75 80 86 89 90
// builds: -G -lineinfo
// output: 416 u32 exact

extern "C" __global__ void kernel(unsigned *out, const unsigned *in, unsigned) {
    const unsigned i = threadIdx.x;
    ((uint4 *)out)[i] = ((const uint4 *)in)[31 - i];
    ((uint2 *)(out + 128))[i] = ((const uint2 *)in)[i ^ 5];
    const float4 f = ((const float4 *)in)[i];
    const double2 d = ((const double2 *)in)[i];
    const ulonglong2 l = ((const ulonglong2 *)in)[i];
    const ushort4 h = ((const ushort4 *)in)[i];
    const short2 s = ((const short2 *)in)[i];
    const uchar4 b = ((const uchar4 *)in)[i];
    const char2 c = ((const char2 *)in)[i];
    out[i + 192] = __float_as_uint(f.x) ^ __float_as_uint(f.y) << 1 ^ __float_as_uint(f.z) << 2 ^ __float_as_uint(f.w) << 3;
    out[i + 224] = (unsigned)(__double_as_longlong(d.x) >> 32 ^ __double_as_longlong(d.y));
    out[i + 256] = (unsigned)(l.x >> 7 ^ l.y >> 9);
    out[i + 288] =
        h.x + h.y * 3 + h.z * 5 + h.w * 7 + s.x * 11 + s.y * 13 + b.x * 17 + b.y * 19 + b.z * 23 + b.w * 29 + c.x * 31 + c.y * 37;
    ((uchar4 *)(out + 320))[i] = make_uchar4(h.x, h.y, h.z, h.w);
    ((ushort2 *)(out + 352))[i] = make_ushort2(b.x, c.y);
    unsigned v0, v1, v2, v3;
    asm volatile("ld.global.v4.u8 {%0, %1, %2, %3}, [%4];" : "=r"(v0), "=r"(v1), "=r"(v2), "=r"(v3) : "l"(in + i));
    asm volatile("st.global.v2.u16 [%0], {%1, %2};"
                 :
                 : "l"(out + 384 + i), "h"((unsigned short)(v0 + v1 * 3)), "h"((unsigned short)(v2 + v3 * 3)));
}
