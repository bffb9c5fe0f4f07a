// SPDX-License-Identifier: MIT OR Apache-2.0
#include "code.hpp"

#include <cstring>

namespace test {

const std::string SAXPY_PTX = R"(.version 7.0
.target sm_52
.address_size 64
.visible .entry saxpy(.param .f32 a, .param .u64 x, .param .u64 y, .param .u32 n)
{
    .reg .pred %p<2>;
    .reg .f32 %f<5>;
    .reg .b32 %r<6>;
    .reg .b64 %rd<8>;
    ld.param.f32 %f1, [a];
    ld.param.u64 %rd1, [x];
    ld.param.u64 %rd2, [y];
    ld.param.u32 %r2, [n];
    mov.u32 %r3, %ctaid.x;
    mov.u32 %r4, %ntid.x;
    mov.u32 %r5, %tid.x;
    mad.lo.s32 %r1, %r3, %r4, %r5;
    setp.ge.s32 %p1, %r1, %r2;
    @%p1 bra DONE;
    cvta.to.global.u64 %rd3, %rd2;
    cvta.to.global.u64 %rd4, %rd1;
    mul.wide.s32 %rd5, %r1, 4;
    add.s64 %rd6, %rd4, %rd5;
    ld.global.f32 %f2, [%rd6];
    add.s64 %rd7, %rd3, %rd5;
    ld.global.f32 %f3, [%rd7];
    fma.rn.f32 %f4, %f2, %f1, %f3;
    st.global.f32 [%rd7], %f4;
DONE:
    ret;
}
)";

const std::string NOTHING_PTX = R"(.version 7.0
.target sm_52
.address_size 64
.visible .entry nothing()
{
    ret;
}
)";

const std::string SAXPY_SOURCE = R"(extern "C" __global__ void saxpy(float a, const float *x, float *y, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) y[i] = a * x[i] + y[i];
}
)";

cucore_argument value_of(const void *data, uint32_t size) {
    cucore_argument argument{};
    argument.kind = CUCORE_ARGUMENT_VALUE;
    argument.size = size;
    std::memcpy(&argument.value, data, size);
    return argument;
}

cucore_argument object(cucore_buffer *buffer, uint64_t offset) {
    cucore_argument argument{};
    argument.kind = CUCORE_ARGUMENT_OBJECT;
    argument.object = buffer;
    argument.value = offset;
    return argument;
}

cucore_launch_options shape(uint32_t blocks, uint32_t threads) {
    cucore_launch_options options{};
    options.struct_size = sizeof options;
    options.grid[0] = blocks;
    options.block[0] = threads;
    options.grid[1] = options.grid[2] = options.block[1] = options.block[2] = 1;
    return options;
}

} // namespace test
