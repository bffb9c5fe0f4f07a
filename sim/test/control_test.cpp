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

int device_attribute(int attribute) {
    int value = -1;
    REQUIRE(cuDeviceGetAttribute(&value, static_cast<CUdevice_attribute>(attribute), 0) == CUDA_SUCCESS);
    return value;
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

TEST_CASE("devices have the compute capability that is set, and what goes with it") {
    Context primary;
    int value = 0;
    int minor = 0;
    CHECK(sim.set_compute_capability(12, 1) == 1);
    CHECK(cuDeviceComputeCapability(&value, &minor, 1) == CUDA_SUCCESS);
    CHECK(value == 12);
    CHECK(minor == 1);
    CHECK(device_attribute(75) == 12);
    CHECK(device_attribute(76) == 1);
    CHECK(device_attribute(39) == 1536);
    CHECK(device_attribute(81) == 100 << 10);
    CHECK(device_attribute(97) == 99 << 10);
    CHECK(device_attribute(106) == 24);
    CHECK(device_attribute(111) == 1 << 10);
    CUkernel kernel = kernel_of(load(STORE), "store");
    CHECK(cuKernelGetAttribute(&value, static_cast<CUfunction_attribute>(6), kernel, 0) == CUDA_SUCCESS);
    CHECK(value == 121);
    CHECK(cuKernelSetAttribute(CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, 99 << 10, kernel, 0) == CUDA_SUCCESS);
    CHECK(cuKernelSetAttribute(CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, (99 << 10) + 1, kernel, 0) ==
          CUDA_ERROR_INVALID_VALUE);
    sim.reset();
    REQUIRE(cuInit(0) == CUDA_SUCCESS);
    CHECK(device_attribute(75) == 9);
    CHECK(device_attribute(76) == 0);
}

TEST_CASE("these compute capabilities are simulated, and no others") {
    Driver driver;
    for (int known : {75, 80, 86, 87, 89, 90, 100, 103, 110, 120, 121}) {
        CHECK(sim.set_compute_capability(known / 10, known % 10) == 1);
        CHECK(10 * device_attribute(75) + device_attribute(76) == known);
    }
    for (int unknown : {0, 70, 79, 88, 91, 101, 130})
        CHECK(sim.set_compute_capability(unknown / 10, unknown % 10) == 0);
    CHECK(sim.set_compute_capability(8, 10) == 0);
    CHECK(device_attribute(75) == 12);
}

TEST_CASE("a device loads the PTX of its compute capability and older ones") {
    Context primary;
    CUmodule module = nullptr;
    const std::string newer = ".version 8.8\n.target sm_120\n.address_size 64\n.entry k() { ret; }\n";
    CHECK(cuModuleLoadData(&module, newer.c_str()) == CUDA_ERROR_INVALID_PTX);
    CHECK(sim.set_compute_capability(12, 0) == 1);
    CHECK(cuModuleLoadData(&module, newer.c_str()) == CUDA_SUCCESS);
    CHECK(cuModuleLoadData(&module, STORE) == CUDA_SUCCESS);
}

TEST_CASE("the environment gives orders, which a reset brings back") {
    REQUIRE(setenv("CUSIM_CONTROL",
                   "version=12040 devices=1 arch=103 hide=cuStreamGetId fail=cuCtxSynchronize:2:719 fail_always=cuMemAlloc:1:2",
                   1) == 0);
    {
        Context primary;
        int number = 0;
        CUdeviceptr memory = 0;
        CHECK(cuDriverGetVersion(&number) == CUDA_SUCCESS);
        CHECK(number == 12040);
        CHECK(cuDeviceGetCount(&number) == CUDA_SUCCESS);
        CHECK(number == 1);
        CHECK(10 * device_attribute(75) + device_attribute(76) == 103);
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
