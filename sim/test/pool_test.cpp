// SPDX-License-Identifier: MIT OR Apache-2.0
// Memory pools.

#include "support.hpp"

namespace {

constexpr uint64_t MIB = 1 << 20;

CUmemPoolProps properties_at(CUmemLocationType type, int id = 0) {
    CUmemPoolProps properties{};
    properties.allocType = CU_MEM_ALLOCATION_TYPE_PINNED;
    properties.location.type = type;
    properties.location.id = id;
    return properties;
}

CUmemoryPool make_pool(size_t max_size = 0, CUmemLocationType type = CU_MEM_LOCATION_TYPE_DEVICE) {
    CUmemoryPool pool = nullptr;
    CUmemPoolProps properties = properties_at(type);
    properties.maxSize = max_size;
    REQUIRE(cuMemPoolCreate(&pool, &properties) == CUDA_SUCCESS);
    return pool;
}

CUdeviceptr allocate_from(CUmemoryPool pool, size_t size, CUstream stream) {
    CUdeviceptr memory = 0;
    REQUIRE(cuMemAllocFromPoolAsync(&memory, size, pool, stream) == CUDA_SUCCESS);
    return memory;
}

uint64_t attribute_of(CUmemoryPool pool, CUmemPool_attribute attribute) {
    uint64_t value = 0;
    REQUIRE(cuMemPoolGetAttribute(pool, attribute, &value) == CUDA_SUCCESS);
    return value;
}

CUresult set_attribute(CUmemoryPool pool, CUmemPool_attribute attribute, uint64_t value) {
    return cuMemPoolSetAttribute(pool, attribute, &value);
}

} // namespace

TEST_CASE("a pool is made and destroyed with no context current, and listed") {
    Driver driver;
    CUmemoryPool pool = make_pool();
    CHECK(sim.live_count("pool") == 1);
    CHECK(cuMemPoolDestroy(pool) == CUDA_SUCCESS);
    CHECK(sim.live_count("pool") == 0);
    CHECK(cuMemPoolDestroy(pool) == CUDA_ERROR_INVALID_HANDLE);
    driver.expect_violation("cuMemPoolDestroy: Invalid handle: pool ");
}

TEST_CASE("a default pool cannot be destroyed, and the driver says so") {
    Driver driver;
    Words words;
    CUmemoryPool pool = nullptr;
    REQUIRE(cuDeviceGetDefaultMemPool(&pool, 0) == CUDA_SUCCESS);
    CHECK(cuMemPoolDestroy(pool) == CUDA_ERROR_INVALID_VALUE);
    CHECK(words.lines.at(0) == "Cannot destroy a default mempool");
    CHECK(sim.live_count("pool") == 0);
}

TEST_CASE("a pool is asked for at a device or at the host, as far as the driver knows that") {
    Driver driver;
    CUmemoryPool pool = nullptr;
    int can = 0;
    const auto result_at = [&](CUmemLocationType type, int id) {
        const CUmemPoolProps properties = properties_at(type, id);
        return cuMemPoolCreate(&pool, &properties);
    };
    CHECK(result_at(CU_MEM_LOCATION_TYPE_DEVICE, 1) == CUDA_SUCCESS);
    CHECK(result_at(CU_MEM_LOCATION_TYPE_DEVICE, 9) == CUDA_ERROR_INVALID_DEVICE);
    CHECK(result_at(CU_MEM_LOCATION_TYPE_HOST, 0) == CUDA_SUCCESS);
    CHECK(result_at(CU_MEM_LOCATION_TYPE_HOST_NUMA, 0) == CUDA_SUCCESS);
    CHECK(result_at(CU_MEM_LOCATION_TYPE_HOST_NUMA, 1) == CUDA_ERROR_INVALID_VALUE);
    CHECK(cuDeviceGetAttribute(&can, CU_DEVICE_ATTRIBUTE_HOST_MEMORY_POOLS_SUPPORTED, 0) == CUDA_SUCCESS);
    CHECK(can == 1);

    sim.set_driver_version(12090);
    CHECK(result_at(CU_MEM_LOCATION_TYPE_HOST, 0) == CUDA_ERROR_INVALID_VALUE);
    CHECK(result_at(CU_MEM_LOCATION_TYPE_HOST_NUMA, 0) == CUDA_SUCCESS);
    CHECK(cuDeviceGetAttribute(&can, CU_DEVICE_ATTRIBUTE_HOST_MEMORY_POOLS_SUPPORTED, 0) == CUDA_ERROR_INVALID_VALUE);
    CHECK(cuDeviceGetAttribute(&can, CU_DEVICE_ATTRIBUTE_HOST_NUMA_MEMORY_POOLS_SUPPORTED, 0) == CUDA_SUCCESS);
    sim.set_driver_version(12000);
    CHECK(result_at(CU_MEM_LOCATION_TYPE_HOST_NUMA, 0) == CUDA_ERROR_INVALID_VALUE);
}

TEST_CASE("a pool gives no more than its maximum") {
    Context primary;
    CUstream stream = make_stream();
    CUmemoryPool pool = make_pool(4 * MIB);
    CUdeviceptr memory = allocate_from(pool, 3 * MIB, stream);
    CUdeviceptr more = 0;
    CHECK(cuMemAllocFromPoolAsync(&more, 2 * MIB, pool, stream) == CUDA_ERROR_OUT_OF_MEMORY);
    CHECK(cuMemFreeAsync(memory, stream) == CUDA_SUCCESS);
    CHECK(cuMemAllocFromPoolAsync(&more, 2 * MIB, pool, stream) == CUDA_SUCCESS);
}

TEST_CASE("a pool counts what is used, and what it holds in reserve") {
    Context primary;
    CUstream stream = make_stream();
    CUmemoryPool pool = make_pool();
    CUdeviceptr memory = allocate_from(pool, 3 * MIB, stream);
    CHECK(attribute_of(pool, CU_MEMPOOL_ATTR_USED_MEM_CURRENT) == 3 * MIB);
    CHECK(attribute_of(pool, CU_MEMPOOL_ATTR_RESERVED_MEM_CURRENT) == 4 * MIB);
    CHECK(cuMemFreeAsync(memory, stream) == CUDA_SUCCESS);
    CHECK(attribute_of(pool, CU_MEMPOOL_ATTR_USED_MEM_CURRENT) == 0);
    CHECK(attribute_of(pool, CU_MEMPOOL_ATTR_USED_MEM_HIGH) == 3 * MIB);
    CHECK(attribute_of(pool, CU_MEMPOOL_ATTR_RESERVED_MEM_CURRENT) == 4 * MIB);
    CHECK(attribute_of(pool, CU_MEMPOOL_ATTR_RESERVED_MEM_HIGH) == 4 * MIB);

    SECTION("a synchronisation gives the reserve back") {
        CHECK(cuStreamSynchronize(stream) == CUDA_SUCCESS);
        CHECK(attribute_of(pool, CU_MEMPOOL_ATTR_RESERVED_MEM_CURRENT) == 0);
    }
    SECTION("but not what the release threshold says") {
        CHECK(set_attribute(pool, CU_MEMPOOL_ATTR_RELEASE_THRESHOLD, UINT64_MAX) == CUDA_SUCCESS);
        CHECK(cuStreamSynchronize(stream) == CUDA_SUCCESS);
        CHECK(cuCtxSynchronize() == CUDA_SUCCESS);
        CHECK(attribute_of(pool, CU_MEMPOOL_ATTR_RESERVED_MEM_CURRENT) == 4 * MIB);
        CHECK(attribute_of(pool, CU_MEMPOOL_ATTR_RELEASE_THRESHOLD) == UINT64_MAX);
        CHECK(cuMemPoolTrimTo(pool, 2 * MIB) == CUDA_SUCCESS);
        CHECK(attribute_of(pool, CU_MEMPOOL_ATTR_RESERVED_MEM_CURRENT) == 2 * MIB);
        CHECK(cuMemPoolTrimTo(pool, 0) == CUDA_SUCCESS);
        CHECK(attribute_of(pool, CU_MEMPOOL_ATTR_RESERVED_MEM_CURRENT) == 0);
    }
    SECTION("high watermarks are reset to 0 only") {
        CHECK(set_attribute(pool, CU_MEMPOOL_ATTR_USED_MEM_HIGH, 1) == CUDA_ERROR_INVALID_VALUE);
        CHECK(set_attribute(pool, CU_MEMPOOL_ATTR_USED_MEM_HIGH, 0) == CUDA_SUCCESS);
        CHECK(attribute_of(pool, CU_MEMPOOL_ATTR_USED_MEM_HIGH) == 0);
        CHECK(set_attribute(pool, CU_MEMPOOL_ATTR_USED_MEM_CURRENT, 0) == CUDA_ERROR_INVALID_VALUE);
    }
}

TEST_CASE("a pool's ways of reuse are numbers of 32 bits, on at first") {
    Driver driver;
    CUmemoryPool pool = make_pool();
    std::array<int, 2> value{-1, -1};
    for (const CUmemPool_attribute attribute :
         {CU_MEMPOOL_ATTR_REUSE_FOLLOW_EVENT_DEPENDENCIES, CU_MEMPOOL_ATTR_REUSE_ALLOW_OPPORTUNISTIC,
          CU_MEMPOOL_ATTR_REUSE_ALLOW_INTERNAL_DEPENDENCIES}) {
        CHECK(cuMemPoolGetAttribute(pool, attribute, value.data()) == CUDA_SUCCESS);
        CHECK(value == std::array<int, 2>{1, -1});
        value[0] = 0;
        CHECK(cuMemPoolSetAttribute(pool, attribute, value.data()) == CUDA_SUCCESS);
        CHECK(cuMemPoolGetAttribute(pool, attribute, value.data()) == CUDA_SUCCESS);
        CHECK(value[0] == 0);
    }
    CHECK(cuMemPoolGetAttribute(pool, static_cast<CUmemPool_attribute>(99), value.data()) == CUDA_ERROR_INVALID_VALUE);
}

TEST_CASE("a pool destroyed before its memory lives on for it") {
    Context primary;
    CUstream stream = make_stream();
    CUmemoryPool pool = make_pool();
    CUdeviceptr memory = allocate_from(pool, 16, stream);
    CHECK(cuMemPoolDestroy(pool) == CUDA_SUCCESS);
    CHECK(cuMemsetD8Async(memory, 1, 16, stream) == CUDA_SUCCESS);
    CHECK(cuMemFreeAsync(memory, stream) == CUDA_SUCCESS);
    CHECK(sim.live_count("memory") == 0);
}

TEST_CASE("cuMemAllocAsync takes from the device's pool, which can be another than the default") {
    Context primary;
    CUstream stream = make_stream();
    CUmemoryPool pool = make_pool();
    CUmemoryPool standard = nullptr;
    CUmemoryPool found = nullptr;
    CUdeviceptr memory = 0;
    REQUIRE(cuDeviceGetDefaultMemPool(&standard, 0) == CUDA_SUCCESS);
    CHECK(cuDeviceGetMemPool(&found, 0) == CUDA_SUCCESS);
    CHECK(found == standard);
    CHECK(cuDeviceSetMemPool(1, pool) == CUDA_ERROR_INVALID_VALUE);
    CHECK(cuDeviceSetMemPool(0, pool) == CUDA_SUCCESS);
    CHECK(cuMemAllocAsync(&memory, 64, stream) == CUDA_SUCCESS);
    CHECK(attribute_of(pool, CU_MEMPOOL_ATTR_USED_MEM_CURRENT) == 64);
    CHECK(cuMemPoolDestroy(pool) == CUDA_SUCCESS);
    CHECK(cuDeviceGetMemPool(&found, 0) == CUDA_SUCCESS);
    CHECK(found == standard);
}

TEST_CASE("kernels of another device use a pool's memory once they may") {
    Context primary(1);
    CUstream stream = make_stream();
    CUkernel kernel = kernel_of(load(STORE), "store");
    CUmemoryPool pool = make_pool();
    CUmemoryPool host_pool = make_pool(0, CU_MEM_LOCATION_TYPE_HOST);
    CUdeviceptr memory = allocate_from(pool, 4, stream);
    CUdeviceptr host = allocate_from(host_pool, 4, stream);
    CUmemAccess_flags flags = CU_MEM_ACCESS_FLAGS_PROT_READWRITE;
    CUmemAccessDesc access{};
    access.location.type = CU_MEM_LOCATION_TYPE_DEVICE;
    access.location.id = 1;
    access.flags = CU_MEM_ACCESS_FLAGS_PROT_READWRITE;
    CHECK(cuMemPoolGetAccess(&flags, pool, &access.location) == CUDA_SUCCESS);
    CHECK(flags == CU_MEM_ACCESS_FLAGS_PROT_NONE);

    REQUIRE(cuMemPoolSetAccess(pool, &access, 1) == CUDA_SUCCESS);
    CHECK(cuMemPoolGetAccess(&flags, pool, &access.location) == CUDA_SUCCESS);
    CHECK(flags == CU_MEM_ACCESS_FLAGS_PROT_READWRITE);
    CHECK(launch_store(kernel, memory, 5, stream) == CUDA_SUCCESS);
    CHECK(launch_store(kernel, host, 6, stream) == CUDA_SUCCESS);
    CHECK(word_at(memory, stream) == 5);
    CHECK(word_at(host, stream) == 6);

    access.flags = CU_MEM_ACCESS_FLAGS_PROT_NONE;
    REQUIRE(cuMemPoolSetAccess(pool, &access, 1) == CUDA_SUCCESS);
    CHECK(launch_store(kernel, memory, 5, stream) == CUDA_SUCCESS);
    CHECK(cuStreamSynchronize(stream) == CUDA_ERROR_ILLEGAL_ADDRESS);
    primary.expect_violation("store");
}

TEST_CASE("a pool's own device keeps its access") {
    Driver driver;
    CUmemAccessDesc access{};
    access.location.type = CU_MEM_LOCATION_TYPE_DEVICE;
    access.flags = CU_MEM_ACCESS_FLAGS_PROT_NONE;
    CHECK(cuMemPoolSetAccess(make_pool(), &access, 1) == CUDA_ERROR_INVALID_VALUE);
}
