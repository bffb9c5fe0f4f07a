// SPDX-License-Identifier: MIT OR Apache-2.0
// Controls: hooks, faults without a kernel, orders from the environment.

#include "support.hpp"

#include <cstdlib>

namespace {

// A hook that counts itself and makes a call.
void count_and_call(void *data) {
    CUdevice device = 0;
    ++*static_cast<int *>(data);
    cuCtxGetDevice(&device);
}

void destroy_stream(void *data) {
    cuStreamDestroy_v2(static_cast<CUstream>(data));
}

} // namespace

TEST_CASE("a hook runs once, before the nth call of a function") {
    Context primary;
    int count = 0;
    sim.hook("cuCtxSynchronize", 2, count_and_call, &count);
    CHECK(cuCtxSynchronize() == CUDA_SUCCESS);
    CHECK(count == 0);
    CHECK(cuCtxSynchronize() == CUDA_SUCCESS);
    CHECK(count == 1);
    CHECK(cuCtxSynchronize() == CUDA_SUCCESS);
    CHECK(count == 1);
}

TEST_CASE("a hook may be before any call, and changes what the call meets") {
    Context primary;
    CUstream stream = make_stream();
    sim.hook(nullptr, 1, destroy_stream, stream);
    CHECK(cuStreamQuery(stream) == CUDA_ERROR_INVALID_HANDLE);
    primary.expect_violation("was destroyed");
}

TEST_CASE("hooks are taken back") {
    Context primary;
    int count = 0;
    sim.hook("cuCtxSynchronize", 1, count_and_call, &count);
    sim.unhook();
    CHECK(cuCtxSynchronize() == CUDA_SUCCESS);
    sim.hook("cuInit", 1, count_and_call, &count);
    sim.reset();
    CHECK(cuInit(0) == CUDA_SUCCESS);
    CHECK(count == 0);
}

TEST_CASE("a sticky fault needs no kernel") {
    Context primary;
    CUstream stream = make_stream();
    CUcontext other = nullptr;
    sim.sticky_fault(0, CUDA_ERROR_ILLEGAL_ADDRESS);
    CHECK(cuStreamSynchronize(stream) == CUDA_ERROR_ILLEGAL_ADDRESS);
    CHECK(cuCtxSynchronize() == CUDA_ERROR_ILLEGAL_ADDRESS);
    CHECK(cuStreamDestroy_v2(stream) == CUDA_ERROR_ILLEGAL_ADDRESS);
    REQUIRE(cuDevicePrimaryCtxRetain(&other, 1) == CUDA_SUCCESS);
    REQUIRE(cuCtxSetCurrent(other) == CUDA_SUCCESS);
    CHECK(cuCtxSynchronize() == CUDA_SUCCESS);
    REQUIRE(cuDevicePrimaryCtxRelease_v2(0) == CUDA_SUCCESS);
    REQUIRE(cuDevicePrimaryCtxRetain(&other, 0) == CUDA_SUCCESS);
    REQUIRE(cuCtxSetCurrent(other) == CUDA_SUCCESS);
    CHECK(cuCtxSynchronize() == CUDA_SUCCESS);
}

TEST_CASE("the environment gives orders, which a reset brings back") {
    REQUIRE(setenv("CUSIM_CONTROL",
                   "version=12040 devices=1 hide=cuStreamGetId fail=cuCtxSynchronize:2:719 fail_always=cuMemAlloc:1:2", 1) == 0);
    {
        Context primary;
        int number = 0;
        CUdeviceptr memory = 0;
        CHECK(cuDriverGetVersion(&number) == CUDA_SUCCESS);
        CHECK(number == 12040);
        CHECK(cuDeviceGetCount(&number) == CUDA_SUCCESS);
        CHECK(number == 1);
        CHECK(function("cuStreamGetId", 12000) == nullptr);
        CHECK(cuCtxSynchronize() == CUDA_SUCCESS);
        CHECK(cuCtxSynchronize() == CUDA_ERROR_LAUNCH_FAILED);
        CHECK(cuMemAlloc_v2(&memory, 16) == CUDA_ERROR_OUT_OF_MEMORY);
        CHECK(cuMemAlloc_v2(&memory, 16) == CUDA_ERROR_OUT_OF_MEMORY);
    }
    unsetenv("CUSIM_CONTROL");
    sim.reset();
    CHECK(function("cuStreamGetId", 12000) != nullptr);
}
