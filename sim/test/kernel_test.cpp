// SPDX-License-Identifier: MIT OR Apache-2.0
// What kernels, functions and libraries tell of themselves; contexts and devices too.

#include "support.hpp"

namespace {

constexpr const char *TWO_KERNELS = R"(
.version 7.0
.target sm_70
.address_size 64
.visible .global .align 4 .u32 answer = 42;
.shared .align 4 .b8 tile[1024];
.visible .entry first() { ret; }
.visible .entry second(.param .u64 pointer) { ret; }
)";

int attribute_of(CUkernel kernel, int attribute) {
    int value = -1;
    REQUIRE(cuKernelGetAttribute(&value, static_cast<CUfunction_attribute>(attribute), kernel, 0) == CUDA_SUCCESS);
    return value;
}

} // namespace

TEST_CASE("a kernel has attributes, with no context current, of which some can be set") {
    Context primary;
    CUkernel kernel = kernel_of(load(TWO_KERNELS), "first");
    REQUIRE(cuCtxSetCurrent(nullptr) == CUDA_SUCCESS);
    CHECK(attribute_of(kernel, CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK) == 1024);
    CHECK(attribute_of(kernel, 1) == 1024);
    CHECK(attribute_of(kernel, CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES) == 49152 - 1024);
    CHECK(cuKernelSetAttribute(CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, 100000, kernel, 0) == CUDA_SUCCESS);
    CHECK(attribute_of(kernel, CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES) == 100000);
    CHECK(cuKernelSetAttribute(CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, 1000000, kernel, 0) == CUDA_ERROR_INVALID_VALUE);
    CHECK(cuKernelSetAttribute(CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK, 1, kernel, 0) == CUDA_ERROR_INVALID_VALUE);
    CHECK(cuKernelSetAttribute(CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, 1, kernel, 9) == CUDA_ERROR_INVALID_DEVICE);
}

TEST_CASE("a launch may have as much shared memory as its kernel asked for") {
    Context primary;
    CUkernel kernel = kernel_of(load(TWO_KERNELS), "first");
    CUlaunchConfig config = {};
    config.gridDimX = config.gridDimY = config.gridDimZ = 1;
    config.blockDimX = config.blockDimY = config.blockDimZ = 1;
    config.sharedMemBytes = 60000;
    config.hStream = make_stream();
    CHECK(cuLaunchKernelEx(&config, reinterpret_cast<CUfunction>(kernel), nullptr, nullptr) == CUDA_ERROR_INVALID_VALUE);
    REQUIRE(cuKernelSetAttribute(CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, 60000, kernel, 0) == CUDA_SUCCESS);
    CHECK(cuLaunchKernelEx(&config, reinterpret_cast<CUfunction>(kernel), nullptr, nullptr) == CUDA_SUCCESS);
}

TEST_CASE("a library counts and lists its kernels, which have names and a library") {
    Context primary;
    CUlibrary library = load(TWO_KERNELS);
    CUlibrary found = nullptr;
    unsigned int count = 0;
    std::array<CUkernel, 2> kernels{};
    const char *name = nullptr;
    CHECK(cuLibraryGetKernelCount(&count, library) == CUDA_SUCCESS);
    CHECK(count == 2);
    CHECK(cuLibraryEnumerateKernels(kernels.data(), 2, library) == CUDA_SUCCESS);
    CHECK(kernels[1] == kernel_of(library, "second"));
    CHECK(cuKernelGetName(&name, kernels[1]) == CUDA_SUCCESS);
    CHECK(std::string(name) == "second");
    CHECK(cuKernelGetLibrary(&found, kernels[1]) == CUDA_SUCCESS);
    CHECK(found == library);
    CHECK(cuLibraryGetKernelCount(&count, load("garbage")) == CUDA_SUCCESS);
    CHECK(count == 0);
}

TEST_CASE("a kernel has a function in the current context") {
    Context primary;
    CUkernel kernel = kernel_of(load(TWO_KERNELS), "second");
    CUfunction function = nullptr;
    CUfunction again = nullptr;
    int value = 0;
    int blocks = 0;
    const char *name = nullptr;
    CHECK(cuKernelGetFunction(&function, kernel) == CUDA_SUCCESS);
    CHECK(cuKernelGetFunction(&again, kernel) == CUDA_SUCCESS);
    CHECK(function == again);
    CHECK(cuFuncGetName(&name, function) == CUDA_SUCCESS);
    CHECK(std::string(name) == "second");
    CHECK(cuFuncSetAttribute(function, CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, 1 << 16) == CUDA_SUCCESS);
    CHECK(cuFuncGetAttribute(&value, CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, function) == CUDA_SUCCESS);
    CHECK(value == 1 << 16);
    CHECK(cuOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, function, 256, 0) == CUDA_SUCCESS);
    CHECK(blocks == 8);
    CHECK(cuOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, function, 256, 1 << 16) == CUDA_SUCCESS);
    CHECK(blocks == 3);
    REQUIRE(cuCtxSetCurrent(nullptr) == CUDA_SUCCESS);
    CHECK(cuKernelGetFunction(&again, kernel) == CUDA_ERROR_INVALID_CONTEXT);
}

static size_t no_bytes_from_512_threads_on(int threads) {
    return threads < 512 ? 1 << 15 : 0;
}

TEST_CASE("occupancy: the block size that keeps most threads busy, and the shared memory left to blocks") {
    Context primary;
    CUfunction function = reinterpret_cast<CUfunction>(kernel_of(load(TWO_KERNELS), "first"));
    int blocks = 0;
    int size = 0;
    size_t bytes = 0;
    CHECK(cuOccupancyMaxPotentialBlockSize(&blocks, &size, function, nullptr, 0, 0) == CUDA_SUCCESS);
    CHECK(size == 1024);
    CHECK(blocks == 4 * 2);
    CHECK(cuOccupancyMaxPotentialBlockSize(&blocks, &size, function, nullptr, 0, 300) == CUDA_SUCCESS);
    CHECK(size == 256);
    CHECK(cuOccupancyMaxPotentialBlockSizeWithFlags(&blocks, &size, function, no_bytes_from_512_threads_on, 1 << 20, 600, 0) ==
          CUDA_SUCCESS);
    CHECK(size == 512);
    CHECK(cuOccupancyMaxPotentialBlockSize(&blocks, &size, function, nullptr, 1 << 20, 0) == CUDA_ERROR_INVALID_VALUE);
    CHECK(cuOccupancyMaxPotentialBlockSizeWithFlags(&blocks, &size, function, nullptr, 0, 0, 2) == CUDA_ERROR_INVALID_VALUE);

    CHECK(cuOccupancyAvailableDynamicSMemPerBlock(&bytes, function, 8, 256) == CUDA_SUCCESS);
    CHECK(bytes == (228 << 10) / 8 - 1024 - 1024); // the kernel's own, and the system's
    CHECK(cuOccupancyAvailableDynamicSMemPerBlock(&bytes, function, 1, 256) == CUDA_SUCCESS);
    CHECK(bytes == (48 << 10) - 1024);
    CHECK(cuOccupancyAvailableDynamicSMemPerBlock(&bytes, function, 9, 256) == CUDA_ERROR_INVALID_VALUE);
}

TEST_CASE("cache configurations are taken, of kernels, functions and contexts") {
    Context primary;
    CUkernel kernel = kernel_of(load(TWO_KERNELS), "first");
    int config = -1;
    CHECK(cuKernelSetCacheConfig(kernel, 3, 0) == CUDA_SUCCESS);
    CHECK(cuKernelSetCacheConfig(kernel, 4, 0) == CUDA_ERROR_INVALID_VALUE);
    CHECK(cuFuncSetCacheConfig(reinterpret_cast<CUfunction>(kernel), 1) == CUDA_SUCCESS);
    CHECK(cuFuncSetCacheConfig(reinterpret_cast<CUfunction>(kernel), -1) == CUDA_ERROR_INVALID_VALUE);
    CHECK(cuCtxGetCacheConfig(&config) == CUDA_SUCCESS);
    CHECK(config == 0);
    CHECK(cuCtxSetCacheConfig(2) == CUDA_SUCCESS);
    CHECK(cuCtxGetCacheConfig(&config) == CUDA_SUCCESS);
    CHECK(config == 2);
    CHECK(cuCtxSetCacheConfig(4) == CUDA_ERROR_INVALID_VALUE);
}

TEST_CASE("a variable of a library is memory until the library is unloaded") {
    Context primary;
    CUlibrary library = load(TWO_KERNELS);
    CUdeviceptr answer = 0;
    size_t size = 0;
    const size_t live = sim.live_count(nullptr);
    CHECK(cuLibraryGetGlobal(&answer, &size, library, "nope") == CUDA_ERROR_NOT_FOUND);
    REQUIRE(cuLibraryGetGlobal(&answer, &size, library, "answer") == CUDA_SUCCESS);
    CHECK(size == 4);
    CHECK(word_at(answer, make_stream()) == 42);
    CHECK(sim.live_count(nullptr) == live + 1); // the stream
    CHECK(cuLibraryUnload(library) == CUDA_SUCCESS);
    CHECK(cuMemsetD32_v2(answer, 1, 1) == CUDA_ERROR_INVALID_VALUE);
    primary.expect_violation("are not in live device memory");

    CUmodule module = nullptr;
    REQUIRE(cuModuleLoadData(&module, TWO_KERNELS) == CUDA_SUCCESS);
    CHECK(cuModuleGetGlobal_v2(&answer, nullptr, module, "answer") == CUDA_SUCCESS);
    CHECK(cuModuleUnload(module) == CUDA_SUCCESS);
}

TEST_CASE("devices have addresses on the bus") {
    Driver driver;
    std::array<char, 16> text{};
    CUdevice device = -1;
    CHECK(cuDeviceGetPCIBusId(text.data(), static_cast<int>(text.size()), 1) == CUDA_SUCCESS);
    CHECK(std::string(text.data()) == "0000:02:00.0");
    CHECK(cuDeviceGetByPCIBusId(&device, text.data()) == CUDA_SUCCESS);
    CHECK(device == 1);
    CHECK(cuDeviceGetByPCIBusId(&device, "02:00.0") == CUDA_SUCCESS);
    CHECK(cuDeviceGetByPCIBusId(&device, "0000:09:00.0") == CUDA_ERROR_INVALID_DEVICE);
    CHECK(cuDeviceGetByPCIBusId(&device, "nowhere") == CUDA_ERROR_INVALID_VALUE);
}

TEST_CASE("contexts tell their device, flags and ids") {
    Context primary;
    CUcontext other = nullptr;
    CUdevice device = -1;
    unsigned int flags = 0;
    unsigned int version = 0;
    unsigned long long first = 0;
    unsigned long long second = 0;
    REQUIRE(cuCtxCreate_v2(&other, 4, 1) == CUDA_SUCCESS);
    CHECK(cuCtxGetFlags(&flags) == CUDA_SUCCESS);
    CHECK(flags == 4);
    CHECK(cuCtxGetDevice_v2(&device, primary.context) == CUDA_SUCCESS);
    CHECK(device == 0);
    CHECK(cuCtxGetDevice_v2(&device, nullptr) == CUDA_SUCCESS);
    CHECK(device == 1);
    CHECK(cuCtxGetId(primary.context, &first) == CUDA_SUCCESS);
    CHECK(cuCtxGetId(nullptr, &second) == CUDA_SUCCESS);
    CHECK(first != second);
    CHECK(cuCtxGetApiVersion(primary.context, &version) == CUDA_SUCCESS);
    CHECK(version == 3020);
    CHECK(cuCtxSynchronize_v2(primary.context) == CUDA_SUCCESS);
}

TEST_CASE("contexts have limits, of which the stack, the printf buffer and the heap can be set") {
    Context primary;
    size_t value = 0;
    CHECK(cuCtxGetLimit(&value, 0) == CUDA_SUCCESS);
    CHECK(value == 1024);
    CHECK(cuCtxSetLimit(0, 4096) == CUDA_SUCCESS);
    CHECK(cuCtxGetLimit(&value, 0) == CUDA_SUCCESS);
    CHECK(value == 4096);
    CHECK(cuCtxSetLimit(5, 128) == CUDA_SUCCESS); // a hint
    CHECK(cuCtxGetLimit(&value, 5) == CUDA_SUCCESS);
    CHECK(value == 64);
    CHECK(cuCtxSetLimit(3, 1) == CUDA_ERROR_UNSUPPORTED_LIMIT);
    CHECK(cuCtxGetLimit(&value, 10) == CUDA_ERROR_INVALID_VALUE);

    CUcontext other = nullptr;
    REQUIRE(cuCtxCreate_v2(&other, 0, 0) == CUDA_SUCCESS);
    CHECK(cuCtxGetLimit(&value, 0) == CUDA_SUCCESS);
    CHECK(value == 1024);
}

// Stores the address that malloc gives for its second parameter where the first one points.
constexpr const char *ALLOCATE = R"(
.version 7.0
.target sm_70
.address_size 64
.extern .func (.param .b64 result) malloc (.param .b64 size);
.visible .entry allocate(.param .u64 to, .param .u64 bytes)
{
    .reg .b64 %rd<4>;
    .param .b64 size;
    .param .b64 result;
    ld.param.u64 %rd1, [to];
    ld.param.u64 %rd2, [bytes];
    st.param.b64 [size], %rd2;
    call.uni (result), malloc, (size);
    ld.param.b64 %rd3, [result];
    st.global.u64 [%rd1], %rd3;
    ret;
}
)";

static bool heap_has(uint64_t bytes) {
    CUdeviceptr memory = 0;
    uint64_t given = 0;
    CUkernel kernel = kernel_of(load(ALLOCATE), "allocate");
    REQUIRE(cuMemAlloc_v2(&memory, sizeof given) == CUDA_SUCCESS);
    void *arguments[] = {&memory, &bytes};
    REQUIRE(cuLaunchKernel(reinterpret_cast<CUfunction>(kernel), 1, 1, 1, 1, 1, 1, 0, nullptr, arguments, nullptr) == CUDA_SUCCESS);
    REQUIRE(cuMemcpyDtoH_v2(&given, memory, sizeof given) == CUDA_SUCCESS);
    return given != 0;
}

TEST_CASE("malloc in a kernel has the heap of its context's limit") {
    Context primary;
    CHECK(heap_has(8 << 20));
    CHECK_FALSE(heap_has(1));
    CHECK(cuCtxSetLimit(2, 9 << 20) == CUDA_SUCCESS);
    CHECK(heap_has(1 << 20));
    CHECK_FALSE(heap_has(1));
}

TEST_CASE("a primary context has the flags that were set, before or after it was retained") {
    Driver driver;
    CUcontext context = nullptr;
    unsigned int flags = 0;
    int active = 1;
    CHECK(cuDevicePrimaryCtxSetFlags_v2(0, 4) == CUDA_SUCCESS);
    CHECK(cuDevicePrimaryCtxGetState(0, &flags, &active) == CUDA_SUCCESS);
    CHECK(flags == 4);
    CHECK(active == 0);
    REQUIRE(cuDevicePrimaryCtxRetain(&context, 0) == CUDA_SUCCESS);
    REQUIRE(cuCtxSetCurrent(context) == CUDA_SUCCESS);
    CHECK(cuCtxGetFlags(&flags) == CUDA_SUCCESS);
    CHECK(flags == 4);
    CHECK(cuDevicePrimaryCtxSetFlags_v2(0, 8 + 1) == CUDA_SUCCESS);
    CHECK(cuCtxGetFlags(&flags) == CUDA_SUCCESS);
    CHECK(flags == 9);
    CHECK(cuDevicePrimaryCtxSetFlags_v2(0, 3) == CUDA_ERROR_INVALID_VALUE); // two ways to wait
    CHECK(cuDevicePrimaryCtxSetFlags_v2(0, 0x100) == CUDA_ERROR_INVALID_VALUE);
}

TEST_CASE("a context is created with parameters that ask for nothing") {
    Driver driver;
    CUcontext context = nullptr;
    CUctxCreateParams parameters = {};
    CHECK(cuCtxCreate_v4(&context, &parameters, 0, 0) == CUDA_SUCCESS);
    parameters.cigParams = foreign<CUctxCigParam *>();
    CHECK(cuCtxCreate_v4(&context, &parameters, 0, 0) == CUDA_ERROR_NOT_SUPPORTED);
    parameters = {};
    parameters.numExecAffinityParams = 1;
    CHECK(cuCtxCreate_v4(&context, &parameters, 0, 0) == CUDA_ERROR_NOT_SUPPORTED);
}

TEST_CASE("a profiler may be started and stopped where a context is current") {
    Context primary;
    CHECK(cuProfilerStart() == CUDA_SUCCESS);
    CHECK(cuProfilerStop() == CUDA_SUCCESS);
    REQUIRE(cuCtxSetCurrent(nullptr) == CUDA_SUCCESS);
    CHECK(cuProfilerStart() == CUDA_ERROR_INVALID_CONTEXT);
}
