// SPDX-License-Identifier: MIT OR Apache-2.0
// Pinned and registered host memory, copies that take any address, and what the driver tells of an address.

#include "support.hpp"

namespace {

void *allocate_host(size_t size) {
    void *address = nullptr;
    REQUIRE(cuMemAllocHost_v2(&address, size) == CUDA_SUCCESS);
    return address;
}

CUdeviceptr address_of(const void *pointer) {
    return reinterpret_cast<uintptr_t>(pointer);
}

template <typename Value> Value attribute_of(CUdeviceptr address, int attribute) {
    Value value{};
    REQUIRE(cuPointerGetAttribute(&value, attribute, address) == CUDA_SUCCESS);
    return value;
}

} // namespace

TEST_CASE("pinned memory is listed, and freed once, by its own call") {
    Context primary;
    void *memory = allocate_host(100);
    CHECK(sim.live_count("host memory") == 1);
    CHECK(sim.live_count("memory") == 0);
    CHECK(has(text_of(sim.live_list), "host memory 0x"));
    CHECK(cuMemFree_v2(address_of(memory)) == CUDA_ERROR_INVALID_VALUE);
    primary.expect_violation("is no device memory");
    CHECK(cuCtxSetCurrent(nullptr) == CUDA_SUCCESS);
    CHECK(cuMemFreeHost(memory) == CUDA_SUCCESS);
    CHECK(sim.live_count("host memory") == 0);
    CHECK(cuMemFreeHost(memory) == CUDA_ERROR_INVALID_VALUE);
    primary.expect_violation("cuMemFreeHost: Allocation not found");
    CHECK(cuMemFreeHost(nullptr) == CUDA_ERROR_INVALID_VALUE);
}

TEST_CASE("pinned memory needs a context, and ends with it") {
    Context primary;
    void *memory = nullptr;
    CHECK(cuMemAllocHost_v2(&memory, size_t{1} << 62) == CUDA_ERROR_OUT_OF_MEMORY);
    CHECK(cuMemAllocHost_v2(&memory, 0) == CUDA_ERROR_INVALID_VALUE);
    CHECK(memory == nullptr);
    allocate_host(64);
    REQUIRE(cuDevicePrimaryCtxRelease_v2(0) == CUDA_SUCCESS);
    CHECK(sim.live_count(nullptr) == 0);
    REQUIRE(cuCtxSetCurrent(nullptr) == CUDA_SUCCESS);
    CHECK(cuMemAllocHost_v2(&memory, 16) == CUDA_ERROR_INVALID_CONTEXT);
}

TEST_CASE("kernels and copies use pinned memory") {
    Context primary;
    CUstream stream = make_stream();
    CUdeviceptr device = 0;
    unsigned int flags = 99;
    void *memory = nullptr;
    REQUIRE(cuMemHostAlloc(&memory, 4, 2) == CUDA_SUCCESS);
    CHECK(cuMemHostGetFlags(&flags, memory) == CUDA_SUCCESS);
    CHECK(flags == 2);
    CHECK(cuMemHostGetDevicePointer_v2(&device, memory, 0) == CUDA_SUCCESS);
    CHECK(launch_store(kernel_of(load(STORE), "store"), device, 21, stream) == CUDA_SUCCESS);
    CHECK(cuStreamSynchronize(stream) == CUDA_SUCCESS);
    CHECK(*static_cast<uint32_t *>(memory) == 21);
}

TEST_CASE("host memory of the program can be registered, once at a time") {
    Context primary;
    CUdeviceptr device = 0;
    std::array<char, 64> bytes{};
    CHECK(cuMemHostGetDevicePointer_v2(&device, bytes.data(), 0) == CUDA_ERROR_INVALID_VALUE);
    CHECK(cuMemHostRegister_v2(bytes.data(), bytes.size(), 0) == CUDA_SUCCESS);
    CHECK(sim.live_count("registered memory") == 1);
    CHECK(cuMemHostGetDevicePointer_v2(&device, bytes.data() + 8, 0) == CUDA_SUCCESS);
    CHECK(device == address_of(bytes.data() + 8));
    CHECK(cuMemHostRegister_v2(bytes.data() + 32, 64, 0) == CUDA_ERROR_HOST_MEMORY_ALREADY_REGISTERED);
    CHECK(cuMemHostUnregister(bytes.data()) == CUDA_SUCCESS);
    CHECK(sim.live_count("registered memory") == 0);
    CHECK(cuMemHostUnregister(bytes.data()) == CUDA_ERROR_HOST_MEMORY_NOT_REGISTERED);
    primary.expect_violation("No memory is registered at ");
}

TEST_CASE("a copy between any two addresses finds out where they are") {
    Context primary;
    CUstream stream = make_stream();
    CUdeviceptr memory = allocate(4, stream);
    uint32_t plain = 3;
    auto *pinned = static_cast<uint32_t *>(allocate_host(4));
    CHECK(cuMemcpyAsync(memory, address_of(&plain), 4, stream) == CUDA_SUCCESS);
    CHECK(cuMemcpyAsync(address_of(pinned), memory, 4, stream) == CUDA_SUCCESS);
    CHECK(cuStreamSynchronize(stream) == CUDA_SUCCESS);
    CHECK(*pinned == 3);
    CHECK(cuMemsetD32_v2(memory, 8, 1) == CUDA_SUCCESS);
    CHECK(cuMemcpy(address_of(&plain), memory, 4) == CUDA_SUCCESS);
    CHECK(plain == 8);
    CHECK(cuMemcpyAsync(memory + 1, address_of(&plain), 4, stream) == CUDA_ERROR_INVALID_VALUE);
    primary.expect_violation("4 bytes at ");
    CHECK(cuMemFreeAsync(memory, stream) == CUDA_SUCCESS);
    CHECK(cuMemcpyAsync(memory, address_of(&plain), 4, stream) == CUDA_ERROR_INVALID_VALUE);
    primary.expect_violation("4 bytes at ");
}

TEST_CASE("an address tells where it is") {
    Context primary(1);
    CUstream stream = make_stream();
    CUdeviceptr memory = allocate(64, stream, 1);
    CUdeviceptr base = 0;
    size_t size = 0;
    int value = 0;
    CUmemoryPool pool = nullptr;
    void *host = allocate_host(32);
    REQUIRE(cuDeviceGetDefaultMemPool(&pool, 1) == CUDA_SUCCESS);
    CHECK(attribute_of<unsigned>(memory + 5, 2) == CU_MEMORYTYPE_DEVICE);
    CHECK(attribute_of<int>(memory, 9) == 1);
    CHECK(attribute_of<CUdeviceptr>(memory + 5, 11) == memory);
    CHECK(attribute_of<size_t>(memory, 12) == 64);
    CHECK(attribute_of<CUmemoryPool>(memory, 17) == pool);
    CHECK(attribute_of<unsigned>(address_of(host), 2) == CU_MEMORYTYPE_HOST);
    CHECK(attribute_of<CUcontext>(address_of(host), 1) == primary.context);
    CHECK(attribute_of<void *>(address_of(host), 4) == host);
    CHECK(cuPointerGetAttribute(&value, 2, address_of(&value)) == CUDA_ERROR_INVALID_VALUE);
    CHECK(cuPointerGetAttribute(&value, 4, memory) == CUDA_ERROR_INVALID_VALUE);
    CHECK(cuPointerGetAttribute(&value, 99, memory) == CUDA_ERROR_INVALID_VALUE);
    CHECK(cuMemGetAddressRange_v2(&base, &size, memory + 63) == CUDA_SUCCESS);
    CHECK(base == memory);
    CHECK(size == 64);
    CHECK(cuMemGetAddressRange_v2(&base, &size, memory + 64) == CUDA_ERROR_NOT_FOUND);
}

TEST_CASE("after a kernel fault pinned memory is freed, and says so") {
    Faulted faulted;
    void *memory = nullptr;
    CHECK(cuMemAllocHost_v2(&memory, 16) == CUDA_ERROR_ILLEGAL_ADDRESS);
    CHECK(sim.live_count("host memory") == 0);
}

TEST_CASE("kernels reach a peer's memory once its context was enabled") {
    Context primary;
    CUcontext peer = nullptr;
    CUdeviceptr memory = 0;
    CUstream stream = make_stream();
    CUkernel kernel = kernel_of(load(STORE), "store");
    int can = 0;
    REQUIRE(cuCtxCreate_v2(&peer, 0, 1) == CUDA_SUCCESS);
    REQUIRE(cuMemAlloc_v2(&memory, 4) == CUDA_SUCCESS);
    REQUIRE(cuCtxSetCurrent(primary.context) == CUDA_SUCCESS);
    CHECK(cuDeviceCanAccessPeer(&can, 0, 1) == CUDA_SUCCESS);
    CHECK(can == 1);
    CHECK(cuDeviceCanAccessPeer(&can, 1, 1) == CUDA_SUCCESS);
    CHECK(can == 0);
    CHECK(cuCtxDisablePeerAccess(peer) == CUDA_ERROR_PEER_ACCESS_NOT_ENABLED);
    CHECK(cuCtxEnablePeerAccess(peer, 0) == CUDA_SUCCESS);
    CHECK(cuCtxEnablePeerAccess(peer, 0) == CUDA_ERROR_PEER_ACCESS_ALREADY_ENABLED);
    CHECK(launch_store(kernel, memory, 4, stream) == CUDA_SUCCESS);
    CHECK(word_at(memory, stream) == 4);
    CHECK(cuCtxDisablePeerAccess(peer) == CUDA_SUCCESS);
    CHECK(launch_store(kernel, memory, 4, stream) == CUDA_SUCCESS);
    primary.expect_violation("store");
}
