// SPDX-License-Identifier: MIT OR Apache-2.0
// Launches: arguments in `extra`, cooperative ones, and what cannot be launched.

#include "support.hpp"

namespace {

// What a program writes for STORE's parameters.
struct Parameters {
    CUdeviceptr address;
    uint32_t value;
};

struct Store : Context {
    Store() {
        kernel = kernel_of(load(STORE), "store");
        stream = make_stream();
        memory = allocate(64, stream);
        REQUIRE(cuMemsetD32Async(memory, 0, 1, stream) == CUDA_SUCCESS);
    }

    CUfunction function() const {
        return reinterpret_cast<CUfunction>(kernel);
    }

    CUresult launch(void **arguments, void **extra) const {
        return cuLaunchKernel(function(), 1, 1, 1, 1, 1, 1, 0, stream, arguments, extra);
    }

    CUresult launch_cooperative(unsigned int blocks, unsigned int threads) {
        uint32_t value = 7;
        void *arguments[] = {&memory, &value};
        return cuLaunchCooperativeKernel(function(), blocks, 1, 1, threads, 1, 1, 0, stream, arguments);
    }

    CUkernel kernel = nullptr;
    CUstream stream = nullptr;
    CUdeviceptr memory = 0;
};

// Each of two blocks writes its own word, and waits for the other's.
constexpr const char *MEET = R"(
.version 7.0
.target sm_70
.address_size 64
.visible .entry meet(.param .u64 words)
{
    .reg .pred %p;
    .reg .b32 %r<3>;
    .reg .b64 %rd<6>;
    ld.param.u64 %rd1, [words];
    mov.u32 %r1, %ctaid.x;
    mul.wide.u32 %rd2, %r1, 4;
    add.s64 %rd3, %rd1, %rd2;
    xor.b64 %rd4, %rd2, 4;
    add.s64 %rd5, %rd1, %rd4;
    st.volatile.global.u32 [%rd3], 1;
WAIT:
    ld.volatile.global.u32 %r2, [%rd5];
    setp.eq.u32 %p, %r2, 0;
    @%p bra WAIT;
    ret;
}
)";

void *const END = nullptr;
void *const BUFFER_POINTER = reinterpret_cast<void *>(1);
void *const BUFFER_SIZE = reinterpret_cast<void *>(2);

} // namespace

TEST_CASE("arguments are given in a buffer, whose end may be padded") {
    Store driver;
    Parameters parameters = {driver.memory, 42};
    size_t size = GENERATE(sizeof(CUdeviceptr) + sizeof(uint32_t), sizeof(Parameters));
    void *extra[] = {BUFFER_SIZE, &size, BUFFER_POINTER, &parameters, END};
    CHECK(driver.launch(nullptr, extra) == CUDA_SUCCESS);
    CHECK(word_at(driver.memory, driver.stream) == 42);
}

TEST_CASE("a buffer of arguments is refused that lacks some, or is no buffer") {
    Store driver;
    Parameters parameters = {driver.memory, 42};
    size_t size = sizeof(parameters);
    size_t small = sizeof(CUdeviceptr);
    void *arguments[] = {&parameters.address, &parameters.value};
    void *whole[] = {BUFFER_POINTER, &parameters, BUFFER_SIZE, &size, END};
    void *too_small[] = {BUFFER_POINTER, &parameters, BUFFER_SIZE, &small, END};
    void *no_size[] = {BUFFER_POINTER, &parameters, END};
    void *no_buffer[] = {BUFFER_SIZE, &size, END};
    void *unknown[] = {reinterpret_cast<void *>(3), &parameters, END};
    CHECK(driver.launch(arguments, whole) == CUDA_ERROR_INVALID_VALUE);
    for (void **extra : {too_small, no_size, no_buffer, unknown})
        CHECK(driver.launch(nullptr, extra) == CUDA_ERROR_INVALID_VALUE);
    CHECK(word_at(driver.memory, driver.stream) == 0);
}

TEST_CASE("a cooperative launch runs, of as many blocks as the device runs at once") {
    Store driver;
    const unsigned int most = 4 * 2; // multiprocessors, and blocks of 1024 threads on each
    CHECK(driver.launch_cooperative(most, 1024) == CUDA_SUCCESS);
    CHECK(word_at(driver.memory, driver.stream) == 7);
    CHECK(driver.launch_cooperative(most + 1, 1024) == CUDA_ERROR_COOPERATIVE_LAUNCH_TOO_LARGE);
    CHECK(driver.launch_cooperative(0x7fffffff, 1) == CUDA_ERROR_COOPERATIVE_LAUNCH_TOO_LARGE);
}

TEST_CASE("the blocks of a cooperative launch run at once") {
    Store driver;
    void *arguments[] = {&driver.memory};
    const auto meet = reinterpret_cast<CUfunction>(kernel_of(load(MEET), "meet"));
    REQUIRE(cuMemsetD32Async(driver.memory, 0, 2, driver.stream) == CUDA_SUCCESS);
    sim.set_step_limit(100000);
    CHECK(cuLaunchCooperativeKernel(meet, 2, 1, 1, 1, 1, 1, 0, driver.stream, arguments) == CUDA_SUCCESS);
    CHECK(word_at(driver.memory + 4, driver.stream) == 1);
}

TEST_CASE("an attribute makes a launch cooperative, others are not simulated") {
    Store driver;
    uint32_t value = 7;
    void *arguments[] = {&driver.memory, &value};
    CUlaunchAttribute attribute = {};
    CUlaunchConfig config = {};
    config.gridDimX = 1000;
    config.gridDimY = config.gridDimZ = config.blockDimX = config.blockDimY = config.blockDimZ = 1;
    config.hStream = driver.stream;
    config.attrs = &attribute;
    config.numAttrs = 1;
    attribute.id = CU_LAUNCH_ATTRIBUTE_COOPERATIVE;
    CHECK(cuLaunchKernelEx(&config, driver.function(), arguments, nullptr) == CUDA_SUCCESS);
    attribute.value.pad[0] = 1;
    CHECK(cuLaunchKernelEx(&config, driver.function(), arguments, nullptr) == CUDA_ERROR_COOPERATIVE_LAUNCH_TOO_LARGE);
    config.gridDimX = 1;
    CHECK(cuLaunchKernelEx(&config, driver.function(), arguments, nullptr) == CUDA_SUCCESS);
    attribute.id = static_cast<CUlaunchAttributeID>(4); // the shape of clusters
    CHECK(cuLaunchKernelEx(&config, driver.function(), arguments, nullptr) == CUDA_ERROR_NOT_SUPPORTED);
}
