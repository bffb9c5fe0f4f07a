// SPDX-License-Identifier: MIT OR Apache-2.0
// Default streams, their order, and what is freed under the work of a stream.

#include "support.hpp"

#include <thread>

namespace {

CUstream make_blocking_stream() {
    CUstream stream = nullptr;
    REQUIRE(cuStreamCreate(&stream, CU_STREAM_DEFAULT) == CUDA_SUCCESS);
    return stream;
}

unsigned long long id_of(CUstream stream) {
    unsigned long long id = 0;
    REQUIRE(cuStreamGetId(stream, &id) == CUDA_SUCCESS);
    return id;
}

} // namespace

TEST_CASE("default streams are those of the current context") {
    Context primary;
    CUcontext other = nullptr;
    CUcontext context = nullptr;
    CUevent event = make_event();
    REQUIRE(cuCtxCreate_v2(&other, 0, 1) == CUDA_SUCCESS);
    for (const CUstream stream : {static_cast<CUstream>(nullptr), CU_STREAM_LEGACY, CU_STREAM_PER_THREAD}) {
        CHECK(cuStreamGetCtx(stream, &context) == CUDA_SUCCESS);
        CHECK(context == other);
        CHECK(cuEventRecord(event, stream) == CUDA_ERROR_INVALID_HANDLE);
    }
    REQUIRE(cuCtxSetCurrent(primary.context) == CUDA_SUCCESS);
    for (const CUstream stream : {static_cast<CUstream>(nullptr), CU_STREAM_LEGACY, CU_STREAM_PER_THREAD}) {
        CUdeviceptr memory = 0;
        CHECK(cuStreamGetCtx(stream, &context) == CUDA_SUCCESS);
        CHECK(context == primary.context);
        CHECK(cuEventRecord(event, stream) == CUDA_SUCCESS);
        CHECK(cuMemAllocAsync(&memory, 16, stream) == CUDA_SUCCESS);
        CHECK(cuMemsetD8Async(memory, 1, 16, stream) == CUDA_SUCCESS);
        CHECK(cuMemFreeAsync(memory, stream) == CUDA_SUCCESS);
        CHECK(cuStreamSynchronize(stream) == CUDA_SUCCESS);
    }
}

TEST_CASE("without a current context there are no default streams") {
    Driver driver;
    CUcontext context = nullptr;
    for (const CUstream stream : {static_cast<CUstream>(nullptr), CU_STREAM_LEGACY, CU_STREAM_PER_THREAD}) {
        CHECK(cuStreamGetCtx(stream, &context) == CUDA_ERROR_INVALID_CONTEXT);
        CHECK(cuStreamSynchronize(stream) == CUDA_ERROR_INVALID_CONTEXT);
    }
}

TEST_CASE("streams have ids: the default ones 1 and 2, no two others the same") {
    Context primary;
    CHECK(id_of(nullptr) == 1);
    CHECK(id_of(CU_STREAM_LEGACY) == 1);
    CHECK(id_of(CU_STREAM_PER_THREAD) == 2);
    CHECK(id_of(make_stream()) != id_of(make_stream()));
}

TEST_CASE("a stream tells its device and context") {
    Context primary(1);
    CUstream stream = make_stream();
    CUdevice device = -1;
    CUcontext context = nullptr;
    CUgreenCtx green = nullptr;
    CHECK(cuStreamGetDevice(stream, &device) == CUDA_SUCCESS);
    CHECK(device == 1);
    CHECK(cuStreamGetCtx_v2(stream, &context, &green) == CUDA_SUCCESS);
    CHECK(context == primary.context);
    CHECK(green == nullptr);
}

TEST_CASE("each thread has a default stream of its own") {
    Context primary;
    std::thread([&] {
        cuCtxSetCurrent(primary.context);
        sim.hold(CU_STREAM_PER_THREAD);
        CUevent event = nullptr;
        cuEventCreate(&event, 0);
        cuEventRecord(event, CU_STREAM_PER_THREAD);
        const CUresult here = cuStreamQuery(CU_STREAM_PER_THREAD);
        sim.release(CU_STREAM_PER_THREAD);
        CHECK(here == CUDA_ERROR_NOT_READY);
    }).join();
    sim.hold(CU_STREAM_PER_THREAD);
    CHECK(cuStreamQuery(CU_STREAM_PER_THREAD) == CUDA_SUCCESS);
    sim.release(CU_STREAM_PER_THREAD);
}

TEST_CASE("the legacy stream and the blocking streams wait for each other") {
    Context primary;
    CUstream blocking = make_blocking_stream();
    CUstream free_stream = make_stream();
    CUdeviceptr memory = allocate(4, free_stream);
    REQUIRE(cuMemsetD32Async(memory, 0, 1, free_stream) == CUDA_SUCCESS);

    SECTION("the legacy stream for a blocking one") {
        sim.hold(blocking);
        REQUIRE(cuMemsetD32Async(memory, 1, 1, blocking) == CUDA_SUCCESS);
        REQUIRE(cuMemsetD32Async(memory, 2, 1, nullptr) == CUDA_SUCCESS);
        CHECK(word_at(memory, free_stream) == 0);
        CHECK(cuStreamQuery(nullptr) == CUDA_ERROR_NOT_READY);
        sim.release(blocking);
    }
    SECTION("a blocking one for the legacy stream") {
        sim.hold(nullptr);
        REQUIRE(cuMemsetD32Async(memory, 1, 1, nullptr) == CUDA_SUCCESS);
        REQUIRE(cuMemsetD32Async(memory, 2, 1, blocking) == CUDA_SUCCESS);
        CHECK(word_at(memory, free_stream) == 0);
        CHECK(cuStreamQuery(blocking) == CUDA_ERROR_NOT_READY);
        sim.release(nullptr);
    }
    CHECK(cuStreamQuery(nullptr) == CUDA_SUCCESS);
    CHECK(cuStreamQuery(blocking) == CUDA_SUCCESS);
    CHECK(word_at(memory, free_stream) == 2);
}

TEST_CASE("the legacy stream is done when the blocking streams are") {
    Context primary;
    CUstream blocking = make_blocking_stream();
    CUevent event = make_event();
    sim.hold(blocking);
    REQUIRE(cuEventRecord(event, blocking) == CUDA_SUCCESS);
    CHECK(cuStreamQuery(nullptr) == CUDA_ERROR_NOT_READY);
    CHECK(cuStreamSynchronize(nullptr) == CUDA_ERROR_NOT_READY);
    primary.expect_violation("would wait for ever");
    sim.release(blocking);
    CHECK(cuStreamSynchronize(nullptr) == CUDA_SUCCESS);
}

TEST_CASE("other streams do not wait for the legacy stream") {
    Context primary;
    CUstream stream = make_stream();
    CUdeviceptr memory = allocate(4, stream);
    sim.hold(nullptr);
    REQUIRE(cuMemsetD32Async(memory, 1, 1, nullptr) == CUDA_SUCCESS);
    REQUIRE(cuMemsetD32Async(memory, 2, 1, stream) == CUDA_SUCCESS);
    CHECK(word_at(memory, stream) == 2);
    sim.release(nullptr);
    CHECK(word_at(memory, stream) == 1);
}

TEST_CASE("memory freed under another stream's unfinished work is found, and both are named") {
    Context primary;
    CUstream stream = make_stream();
    CUstream held = make_stream();
    CUkernel kernel = kernel_of(load(STORE), "store");
    CUdeviceptr memory = allocate(64, stream);
    std::array<char, 32> held_name{};
    std::snprintf(held_name.data(), held_name.size(), "stream %p", static_cast<void *>(held));
    sim.hold(held);

    SECTION("a kernel's") {
        REQUIRE(launch_store(kernel, memory + 8, 1, held) == CUDA_SUCCESS);
    }
    SECTION("a copy's") {
        std::array<char, 4> bytes{};
        REQUIRE(cuMemcpyHtoDAsync_v2(memory + 60, bytes.data(), bytes.size(), held) == CUDA_SUCCESS);
    }
    CHECK(cuMemFreeAsync(memory, stream) == CUDA_SUCCESS);
    primary.expect_violation(held_name.data());
    CHECK(has(text_of(sim.violation_list), "cuMemFreeAsync: memory 0x"));
    CHECK(cuStreamDestroy_v2(held) == CUDA_SUCCESS);
}

TEST_CASE("memory freed after a wait for the work that uses it is freed in time") {
    Context primary;
    CUstream stream = make_stream();
    CUstream held = make_stream();
    CUevent event = make_event();
    CUdeviceptr memory = allocate(64, stream);
    sim.hold(held);
    REQUIRE(cuMemsetD8Async(memory, 1, 64, held) == CUDA_SUCCESS);
    REQUIRE(cuEventRecord(event, held) == CUDA_SUCCESS);
    REQUIRE(cuStreamWaitEvent(stream, event, 0) == CUDA_SUCCESS);
    REQUIRE(cuMemFreeAsync(memory, stream) == CUDA_SUCCESS);
    CHECK(sim.live_count("memory") == 1);
    sim.release(held);
    CHECK(sim.live_count("memory") == 0);
}

TEST_CASE("pinned memory and memory freed at once are held to that too") {
    Context primary;
    CUstream held = make_stream();
    CUdeviceptr memory = 0;
    void *host = nullptr;
    REQUIRE(cuMemAlloc_v2(&memory, 64) == CUDA_SUCCESS);
    REQUIRE(cuMemAllocHost_v2(&host, 64) == CUDA_SUCCESS);
    sim.hold(held);
    REQUIRE(cuMemcpyHtoDAsync_v2(memory, host, 64, held) == CUDA_SUCCESS);
    CHECK(cuMemFreeHost(host) == CUDA_SUCCESS);
    primary.expect_violation("cuMemFreeHost: host memory 0x");
    CHECK(cuMemFree_v2(memory) == CUDA_SUCCESS);
    primary.expect_violation("cuMemFree: memory 0x");
    CHECK(cuStreamDestroy_v2(held) == CUDA_SUCCESS);
}
