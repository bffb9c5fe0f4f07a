// SPDX-License-Identifier: MIT OR Apache-2.0
// Stream capture.

#include "support.hpp"

#include <functional>
#include <thread>

namespace {

// A context in which a stream is being captured, and things that have nothing to do with that.
struct Capturing : Context {
    explicit Capturing(CUstreamCaptureMode mode = CU_STREAM_CAPTURE_MODE_GLOBAL) {
        event = make_event();
        library = load(STORE);
        kernel = kernel_of(library, "store");
        CUmemPoolProps properties{};
        properties.allocType = CU_MEM_ALLOCATION_TYPE_PINNED;
        properties.location.type = CU_MEM_LOCATION_TYPE_DEVICE;
        REQUIRE(cuMemPoolCreate(&pool, &properties) == CUDA_SUCCESS);
        REQUIRE(cuMemAlloc_v2(&memory, 64) == CUDA_SUCCESS);
        REQUIRE(cuMemAllocHost_v2(&host, 64) == CUDA_SUCCESS);
        REQUIRE(cuEventRecord(event, other) == CUDA_SUCCESS);
        pooled = allocate(64, stream);
        REQUIRE(cuStreamBeginCapture_v2(stream, mode) == CUDA_SUCCESS);
    }

    CUstreamCaptureStatus status() const {
        CUstreamCaptureStatus status = CU_STREAM_CAPTURE_STATUS_NONE;
        REQUIRE(cuStreamIsCapturing(stream, &status) == CUDA_SUCCESS);
        return status;
    }

    CUresult end() {
        return cuStreamEndCapture(stream, &graph);
    }

    size_t node_count() const {
        size_t count = 0;
        REQUIRE(cuGraphGetNodes(graph, nullptr, &count) == CUDA_SUCCESS);
        return count;
    }

    CUstream stream = make_stream();
    CUstream other = make_stream();
    CUevent event = nullptr;
    CUlibrary library = nullptr;
    CUkernel kernel = nullptr;
    CUmemoryPool pool = nullptr;
    CUdeviceptr memory = 0;
    CUdeviceptr pooled = 0;
    void *host = nullptr;
    CUgraph graph = nullptr;
};

void exchange_mode(CUstreamCaptureMode mode) {
    REQUIRE(cuThreadExchangeStreamCaptureMode(&mode) == CUDA_SUCCESS);
}

using Call = std::function<CUresult(Capturing &)>;

// The calls that were seen to invalidate a capture which they have nothing to do with.
const std::vector<std::pair<const char *, Call>> UNSAFE = {
    {"cuMemFree", [](Capturing &c) { return cuMemFree_v2(c.memory); }},
    {"cuMemFreeHost", [](Capturing &c) { return cuMemFreeHost(c.host); }},
    {"cuMemAlloc",
     [](Capturing &) {
         CUdeviceptr address = 0;
         return cuMemAlloc_v2(&address, 16);
     }},
    {"cuMemAllocHost",
     [](Capturing &) {
         void *address = nullptr;
         return cuMemAllocHost_v2(&address, 16);
     }},
    {"cuMemPoolSetAttribute",
     [](Capturing &c) {
         uint64_t threshold = 1;
         return cuMemPoolSetAttribute(c.pool, CU_MEMPOOL_ATTR_RELEASE_THRESHOLD, &threshold);
     }},
    {"cuLibraryUnload", [](Capturing &c) { return cuLibraryUnload(c.library); }},
    {"cuEventQuery", [](Capturing &c) { return cuEventQuery(c.event); }},
    {"cuStreamQuery of another", [](Capturing &c) { return cuStreamQuery(c.other); }},
    {"cuStreamSynchronize of another", [](Capturing &c) { return cuStreamSynchronize(c.other); }},
    {"cuMemFreeAsync on another", [](Capturing &c) { return cuMemFreeAsync(c.pooled, c.other); }},
};

} // namespace

TEST_CASE("unsafe calls make a capture of this thread invalid") {
    for (const CUstreamCaptureMode mode : {CU_STREAM_CAPTURE_MODE_GLOBAL, CU_STREAM_CAPTURE_MODE_THREAD_LOCAL}) {
        for (const auto &[name, call] : UNSAFE) {
            INFO(name);
            Capturing capturing(mode);
            CHECK(call(capturing) == CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED);
            CHECK(capturing.status() == CU_STREAM_CAPTURE_STATUS_INVALIDATED);
            CHECK(capturing.end() == CUDA_ERROR_STREAM_CAPTURE_INVALIDATED);
            CHECK(capturing.graph == nullptr);
            CHECK(capturing.status() == CU_STREAM_CAPTURE_STATUS_NONE);
            CHECK(sim.live_count("graph") == 0);
        }
    }
}

TEST_CASE("unsafe calls are fine on a relaxed thread, and in a relaxed capture") {
    for (const auto &[name, call] : UNSAFE) {
        INFO(name);
        {
            Capturing capturing;
            exchange_mode(CU_STREAM_CAPTURE_MODE_RELAXED);
            CHECK(call(capturing) == CUDA_SUCCESS);
            exchange_mode(CU_STREAM_CAPTURE_MODE_GLOBAL);
            CHECK(capturing.end() == CUDA_SUCCESS);
        }
        Capturing relaxed(CU_STREAM_CAPTURE_MODE_RELAXED);
        CHECK(call(relaxed) == CUDA_SUCCESS);
        CHECK(relaxed.end() == CUDA_SUCCESS);
    }
}

TEST_CASE("making and destroying events and streams is fine during a capture") {
    Capturing capturing;
    CHECK(cuEventDestroy_v2(make_event()) == CUDA_SUCCESS);
    CHECK(cuStreamDestroy_v2(make_stream()) == CUDA_SUCCESS);
    CHECK(capturing.status() == CU_STREAM_CAPTURE_STATUS_ACTIVE);
    CHECK(capturing.end() == CUDA_SUCCESS);
}

TEST_CASE("to wait for the context makes a capture invalid on a relaxed thread too") {
    Capturing capturing;
    exchange_mode(CU_STREAM_CAPTURE_MODE_RELAXED);
    CHECK(cuCtxSynchronize() == CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED);
    CHECK(capturing.end() == CUDA_ERROR_STREAM_CAPTURE_INVALIDATED);
}

TEST_CASE("another thread's capture forbids unsafe calls here if both are global") {
    Capturing capturing;
    CUresult global = CUDA_SUCCESS;
    CUresult local = CUDA_SUCCESS;
    std::thread([&] {
        CUstreamCaptureMode mode = CU_STREAM_CAPTURE_MODE_THREAD_LOCAL;
        cuThreadExchangeStreamCaptureMode(&mode);
        local = cuStreamQuery(capturing.other);
    }).join();
    CHECK(local == CUDA_SUCCESS);
    CHECK(capturing.status() == CU_STREAM_CAPTURE_STATUS_ACTIVE);
    std::thread([&] { global = cuStreamQuery(capturing.other); }).join();
    CHECK(global == CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED);
    CHECK(capturing.status() == CU_STREAM_CAPTURE_STATUS_INVALIDATED);

    Capturing of_this_thread(CU_STREAM_CAPTURE_MODE_THREAD_LOCAL);
    std::thread([&] { global = cuStreamQuery(of_this_thread.other); }).join();
    CHECK(global == CUDA_SUCCESS);
}

TEST_CASE("to wait for a capturing stream, or ask it, makes its capture invalid in every mode") {
    Capturing capturing(CU_STREAM_CAPTURE_MODE_RELAXED);
    SECTION("query") {
        CHECK(cuStreamQuery(capturing.stream) == CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED);
    }
    SECTION("synchronize") {
        CHECK(cuStreamSynchronize(capturing.stream) == CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED);
    }
    SECTION("a stream callback") {
        CHECK(cuStreamAddCallback(
                  capturing.stream, [](CUstream, CUresult, void *) {}, nullptr, 0) == CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED);
    }
    CHECK(capturing.end() == CUDA_ERROR_STREAM_CAPTURE_INVALIDATED);
}

TEST_CASE("ordinary memory cannot be freed on the capturing stream, and trying does no harm") {
    Capturing capturing;
    CHECK(cuMemFreeAsync(capturing.pooled, capturing.stream) == CUDA_ERROR_INVALID_VALUE);
    CHECK(capturing.end() == CUDA_SUCCESS);
    CHECK(cuMemFreeAsync(capturing.pooled, capturing.stream) == CUDA_SUCCESS);
}

TEST_CASE("captured work is not done: it becomes the nodes of a graph") {
    Capturing capturing;
    uint32_t value = 0;
    REQUIRE(cuMemsetD32Async(capturing.pooled, 9, 1, capturing.other) == CUDA_SUCCESS);
    CHECK(cuMemsetD32Async(capturing.pooled, 1, 1, capturing.stream) == CUDA_SUCCESS);
    CHECK(launch_store(capturing.kernel, capturing.pooled, 2, capturing.stream) == CUDA_SUCCESS);
    CHECK(cuMemcpyDtoHAsync_v2(&value, capturing.pooled, sizeof value, capturing.stream) == CUDA_SUCCESS);
    CHECK(cuLaunchHostFunc(
              capturing.stream, [](void *data) { *static_cast<uint32_t *>(data) = 77; }, &value) == CUDA_SUCCESS);
    CHECK(sim.live_count("graph") == 0);
    REQUIRE(capturing.end() == CUDA_SUCCESS);
    CHECK(sim.live_count("graph") == 1);
    CHECK(capturing.node_count() == 4);
    CHECK(value == 0);
    CHECK(word_at(capturing.pooled, capturing.other) == 9);

    std::array<CUgraphNode, 4> nodes{};
    std::array<int, 4> types{};
    size_t count = nodes.size();
    REQUIRE(cuGraphGetNodes(capturing.graph, nodes.data(), &count) == CUDA_SUCCESS);
    for (size_t i = 0; i < nodes.size(); i++) {
        CHECK(cuGraphNodeGetType(nodes[i], &types[i]) == CUDA_SUCCESS);
    }
    CHECK(types == std::array<int, 4>{CU_GRAPH_NODE_TYPE_MEMSET, CU_GRAPH_NODE_TYPE_KERNEL, CU_GRAPH_NODE_TYPE_MEMCPY,
                                      CU_GRAPH_NODE_TYPE_HOST});
    CHECK(cuGraphDestroy(capturing.graph) == CUDA_SUCCESS);
    CHECK(sim.live_count("graph") == 0);
    CHECK(cuGraphDestroy(capturing.graph) == CUDA_ERROR_INVALID_HANDLE);
    capturing.expect_violation("graph");
}

TEST_CASE("memory allocated in a capture belongs to the graph") {
    Capturing capturing;
    CUdeviceptr memory = 0;
    const size_t before = sim.live_count("memory");
    CHECK(cuMemAllocAsync(&memory, 64, capturing.stream) == CUDA_SUCCESS);
    CHECK(cuMemsetD8Async(memory, 1, 64, capturing.stream) == CUDA_SUCCESS);
    CHECK(cuMemFreeAsync(memory, capturing.stream) == CUDA_SUCCESS);
    REQUIRE(capturing.end() == CUDA_SUCCESS);
    CHECK(capturing.node_count() == 3);
    CHECK(sim.live_count("memory") == before);
    CHECK(cuMemFreeAsync(memory, capturing.stream) == CUDA_ERROR_INVALID_VALUE);
    CHECK(cuGraphDestroy(capturing.graph) == CUDA_SUCCESS);
}

TEST_CASE("a stream that waits for a captured event joins the capture, and must be joined again") {
    Capturing capturing;
    CUevent forked = make_event();
    CUevent joined = make_event();
    CUstreamCaptureStatus status = CU_STREAM_CAPTURE_STATUS_NONE;
    REQUIRE(cuEventRecord(forked, capturing.stream) == CUDA_SUCCESS);
    REQUIRE(cuStreamWaitEvent(capturing.other, forked, 0) == CUDA_SUCCESS);
    CHECK(cuStreamIsCapturing(capturing.other, &status) == CUDA_SUCCESS);
    CHECK(status == CU_STREAM_CAPTURE_STATUS_ACTIVE);
    CHECK(cuMemsetD8Async(capturing.pooled, 0, 64, capturing.other) == CUDA_SUCCESS);

    SECTION("it is") {
        REQUIRE(cuEventRecord(joined, capturing.other) == CUDA_SUCCESS);
        REQUIRE(cuStreamWaitEvent(capturing.stream, joined, 0) == CUDA_SUCCESS);
        CHECK(capturing.end() == CUDA_SUCCESS);
        CHECK(capturing.node_count() == 1);
    }
    SECTION("it is not") {
        CHECK(capturing.end() == CUDA_ERROR_STREAM_CAPTURE_UNJOINED);
        CHECK(capturing.graph == nullptr);
    }
    SECTION("it is, before its last work") {
        REQUIRE(cuEventRecord(joined, capturing.other) == CUDA_SUCCESS);
        REQUIRE(cuStreamWaitEvent(capturing.stream, joined, 0) == CUDA_SUCCESS);
        CHECK(cuMemsetD8Async(capturing.pooled, 0, 64, capturing.other) == CUDA_SUCCESS);
        CHECK(capturing.end() == CUDA_ERROR_STREAM_CAPTURE_UNJOINED);
    }
    SECTION("it cannot end the capture itself") {
        CHECK(cuStreamEndCapture(capturing.other, &capturing.graph) == CUDA_ERROR_STREAM_CAPTURE_UNMATCHED);
        CHECK(capturing.end() == CUDA_ERROR_STREAM_CAPTURE_UNJOINED);
    }
    CHECK(cuStreamIsCapturing(capturing.other, &status) == CUDA_SUCCESS);
    CHECK(status == CU_STREAM_CAPTURE_STATUS_NONE);
}

TEST_CASE("an event recorded in a capture cannot be asked about") {
    Capturing capturing;
    float milliseconds = 0;
    CUevent inside = make_event();
    REQUIRE(cuEventRecord(inside, capturing.stream) == CUDA_SUCCESS);
    exchange_mode(CU_STREAM_CAPTURE_MODE_RELAXED);
    SECTION("while the capture goes on") {
        CHECK(cuEventQuery(inside) == CUDA_ERROR_CAPTURED_EVENT);
        CHECK(capturing.end() == CUDA_ERROR_STREAM_CAPTURE_INVALIDATED);
    }
    SECTION("nor when it has ended") {
        CHECK(capturing.end() == CUDA_SUCCESS);
        CHECK(cuEventSynchronize(inside) == CUDA_ERROR_CAPTURED_EVENT);
        CHECK(cuStreamWaitEvent(capturing.other, inside, 0) == CUDA_ERROR_CAPTURED_EVENT);
        CHECK(cuEventElapsedTime(&milliseconds, inside, inside) == CUDA_ERROR_INVALID_HANDLE);
        CHECK(cuEventRecord(inside, capturing.other) == CUDA_SUCCESS);
        CHECK(cuEventQuery(inside) == CUDA_SUCCESS);
    }
}

TEST_CASE("a capturing stream cannot wait for what is not captured, nor for another capture") {
    Capturing capturing;
    SECTION("not captured") {
        CHECK(cuStreamWaitEvent(capturing.stream, capturing.event, 0) == CUDA_ERROR_STREAM_CAPTURE_ISOLATION);
    }
    SECTION("another capture") {
        CUevent elsewhere = make_event();
        CUgraph graph = nullptr;
        REQUIRE(cuStreamBeginCapture_v2(capturing.other, CU_STREAM_CAPTURE_MODE_GLOBAL) == CUDA_SUCCESS);
        REQUIRE(cuEventRecord(elsewhere, capturing.other) == CUDA_SUCCESS);
        CHECK(cuStreamWaitEvent(capturing.stream, elsewhere, 0) == CUDA_ERROR_STREAM_CAPTURE_MERGE);
        CHECK(cuStreamEndCapture(capturing.other, &graph) == CUDA_ERROR_STREAM_CAPTURE_INVALIDATED);
    }
    CHECK(capturing.end() == CUDA_ERROR_STREAM_CAPTURE_INVALIDATED);
}

TEST_CASE("an event outside of the capture can be waited for as an external one") {
    Capturing capturing;
    CHECK(cuStreamWaitEvent(capturing.stream, capturing.event, CU_EVENT_WAIT_EXTERNAL) == CUDA_SUCCESS);
    CHECK(capturing.end() == CUDA_SUCCESS);
    CHECK(capturing.node_count() == 1);
}

TEST_CASE("the legacy stream is not captured, and not used while a blocking stream is") {
    Context primary;
    CUstream blocking = nullptr;
    CUgraph graph = nullptr;
    CUstreamCaptureStatus status = CU_STREAM_CAPTURE_STATUS_NONE;
    CUevent event = make_event();
    REQUIRE(cuStreamCreate(&blocking, CU_STREAM_DEFAULT) == CUDA_SUCCESS);
    CHECK(cuStreamBeginCapture_v2(nullptr, CU_STREAM_CAPTURE_MODE_GLOBAL) == CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED);
    CHECK(cuStreamBeginCapture_v2(CU_STREAM_PER_THREAD, CU_STREAM_CAPTURE_MODE_GLOBAL) == CUDA_SUCCESS);
    CHECK(cuStreamEndCapture(CU_STREAM_PER_THREAD, &graph) == CUDA_SUCCESS);

    REQUIRE(cuStreamBeginCapture_v2(blocking, CU_STREAM_CAPTURE_MODE_RELAXED) == CUDA_SUCCESS);
    CHECK(cuStreamIsCapturing(nullptr, &status) == CUDA_ERROR_STREAM_CAPTURE_IMPLICIT);
    CHECK(cuStreamIsCapturing(blocking, &status) == CUDA_SUCCESS);
    CHECK(status == CU_STREAM_CAPTURE_STATUS_ACTIVE);
    CHECK(cuEventRecord(event, nullptr) == CUDA_ERROR_STREAM_CAPTURE_IMPLICIT);
    CHECK(cuStreamEndCapture(blocking, &graph) == CUDA_ERROR_STREAM_CAPTURE_INVALIDATED);
}

TEST_CASE("only the thread that began a capture ends it, unless it is relaxed") {
    Capturing capturing;
    CUresult result = CUDA_SUCCESS;
    std::thread([&] { result = capturing.end(); }).join();
    CHECK(result == CUDA_ERROR_STREAM_CAPTURE_WRONG_THREAD);
    CHECK(capturing.status() == CU_STREAM_CAPTURE_STATUS_ACTIVE);
    CHECK(capturing.end() == CUDA_SUCCESS);

    Capturing relaxed(CU_STREAM_CAPTURE_MODE_RELAXED);
    std::thread([&] { result = relaxed.end(); }).join();
    CHECK(result == CUDA_SUCCESS);
}

TEST_CASE("what is wrong with an end is put into words") {
    Capturing capturing;
    Words words;
    CUgraph graph = nullptr;
    CHECK(cuStreamEndCapture(capturing.other, &graph) == CUDA_ERROR_ILLEGAL_STATE);
    CHECK(words.lines.at(0) == "Stream is not actively capturing");
    CHECK(cuStreamQuery(capturing.other) == CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED);
    words.lines.clear();
    CHECK(cuMemsetD8Async(capturing.pooled, 0, 1, capturing.stream) == CUDA_ERROR_STREAM_CAPTURE_INVALIDATED);
    CHECK(words.lines.at(0) == "Capture was invalidated by a prior API call");
    CHECK(capturing.end() == CUDA_ERROR_STREAM_CAPTURE_INVALIDATED);
    CHECK(words.lines.at(2) == "Capture was invalidated by a prior API call");
}

TEST_CASE("a capture has an id and a graph while it goes on") {
    Capturing capturing;
    CUstreamCaptureStatus status = CU_STREAM_CAPTURE_STATUS_NONE;
    cuuint64_t id = 0;
    CUgraph graph = nullptr;
    CHECK(cuStreamBeginCapture_v2(capturing.stream, CU_STREAM_CAPTURE_MODE_GLOBAL) == CUDA_ERROR_ILLEGAL_STATE);
    CHECK(cuStreamGetCaptureInfo_v2(capturing.stream, &status, &id, &graph, nullptr, nullptr) == CUDA_SUCCESS);
    CHECK(status == CU_STREAM_CAPTURE_STATUS_ACTIVE);
    CHECK(id != 0);
    CHECK(capturing.end() == CUDA_SUCCESS);
    CHECK(capturing.graph == graph);
    CHECK(cuStreamGetCaptureInfo_v3(capturing.stream, &status, &id, &graph, nullptr, nullptr, nullptr) == CUDA_SUCCESS);
    CHECK(id == 0);
    CHECK(graph == nullptr);
}

TEST_CASE("a capture ends with the stream that began it") {
    Capturing capturing;
    REQUIRE(cuStreamDestroy_v2(capturing.stream) == CUDA_SUCCESS);
    CHECK(cuStreamQuery(capturing.other) == CUDA_SUCCESS);
    CHECK(sim.live_count("graph") == 0);
}
