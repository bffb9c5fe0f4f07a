/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#ifndef DOUBLED_H
#define DOUBLED_H

/* A kernel for NVRTC, the real one and the simulated one, which takes the PTX from the comment. */
static const char doubled_source[] = "/* cusim-ptx:\n"
                                     ".version 8.0\n"
                                     ".target sm_75\n"
                                     ".address_size 64\n"
                                     ".visible .entry doubled(.param .u64 values) {\n"
                                     "    .reg .u32 %r<2>;\n"
                                     "    .reg .f32 %f<2>;\n"
                                     "    .reg .u64 %d<3>;\n"
                                     "    ld.param.u64 %d1, [values];\n"
                                     "    mov.u32 %r1, %tid.x;\n"
                                     "    mul.wide.u32 %d2, %r1, 4;\n"
                                     "    add.u64 %d1, %d1, %d2;\n"
                                     "    ld.global.f32 %f1, [%d1];\n"
                                     "    add.f32 %f1, %f1, %f1;\n"
                                     "    st.global.f32 [%d1], %f1;\n"
                                     "    ret;\n"
                                     "}\n"
                                     "*/\n"
                                     "extern \"C\" __global__ void doubled(float *values) { values[threadIdx.x] *= 2; }\n";

#endif
