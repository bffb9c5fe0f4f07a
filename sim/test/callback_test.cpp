// SPDX-License-Identifier: MIT OR Apache-2.0
// Host functions and stream callbacks.

#include "support.hpp"

#include <thread>

namespace {

// What a callback saw.
struct Seen {
    int count = 0;
    CUresult status = CUDA_SUCCESS;
    CUresult call = CUDA_SUCCESS;
    const char *name = nullptr;
    CUstream stream = nullptr;
    std::thread::id thread;

    void note() {
        CUdevice device = 0;
        count++;
        thread = std::this_thread::get_id();
        call = cuCtxGetDevice(&device);
        cuGetErrorName(CUDA_ERROR_NOT_READY, &name);
    }
};

void host_function(void *data) {
    static_cast<Seen *>(data)->note();
}

void callback(CUstream stream, CUresult status, void *data) {
    Seen *seen = static_cast<Seen *>(data);
    seen->status = status;
    seen->stream = stream;
    seen->note();
}

} // namespace

TEST_CASE("host functions run in order, on the driver's thread, where calls are not permitted") {
    Context primary;
    CUstream stream = make_stream();
    Seen seen;
    const uint64_t before = sim.callback_thread_calls();
    CHECK(cuLaunchHostFunc(stream, host_function, &seen) == CUDA_SUCCESS);
    CHECK(seen.count == 1);
    CHECK(seen.thread != std::this_thread::get_id());
    CHECK(seen.call == CUDA_ERROR_NOT_PERMITTED);
    CHECK(std::string(seen.name) == "CUDA_ERROR_NOT_READY");
    CHECK(sim.callback_thread_calls() == before + 1);
}

TEST_CASE("a host function waits for its stream") {
    Context primary;
    CUstream stream = make_stream();
    Seen seen;
    sim.hold(stream);
    CHECK(cuLaunchHostFunc(stream, host_function, &seen) == CUDA_SUCCESS);
    CHECK(cuStreamAddCallback(stream, callback, &seen, 0) == CUDA_SUCCESS);
    CHECK(seen.count == 0);
    sim.release(stream);
    CHECK(seen.count == 2);
    CHECK(seen.status == CUDA_SUCCESS);
    CHECK(seen.stream == stream);
    CHECK(cuStreamAddCallback(stream, callback, &seen, 1) == CUDA_ERROR_INVALID_VALUE);
}

TEST_CASE("after a fault host functions never run, and callbacks are told") {
    Context primary;
    CUstream stream = make_stream();
    Seen of_function;
    Seen of_callback;
    sim.hold(stream);
    REQUIRE(launch_store(kernel_of(load(STORE), "store"), 0x10, 1, stream) == CUDA_SUCCESS);
    REQUIRE(cuLaunchHostFunc(stream, host_function, &of_function) == CUDA_SUCCESS);
    REQUIRE(cuStreamAddCallback(stream, callback, &of_callback, 0) == CUDA_SUCCESS);
    sim.release(stream);
    primary.expect_violation("0x10");
    CHECK(of_function.count == 0);
    CHECK(of_callback.count == 1);
    CHECK(of_callback.status == CUDA_ERROR_ILLEGAL_ADDRESS);
    CHECK(cuLaunchHostFunc(stream, host_function, &of_function) == CUDA_ERROR_ILLEGAL_ADDRESS);
}

TEST_CASE("a callback may let a held stream go") {
    Context primary;
    CUstream stream = make_stream();
    static CUstream held;
    held = make_stream();
    Seen seen;
    sim.hold(held);
    REQUIRE(cuLaunchHostFunc(held, host_function, &seen) == CUDA_SUCCESS);
    REQUIRE(cuLaunchHostFunc(
                stream, [](void *) { sim.release(held); }, nullptr) == CUDA_SUCCESS);
    CHECK(seen.count == 1);
}

TEST_CASE("several threads' callbacks run one after another") {
    Context primary;
    static int running;
    static int overlaps;
    static int done;
    running = overlaps = done = 0;
    std::vector<std::thread> threads;
    for (int i = 0; i < 4; i++) {
        threads.emplace_back([&] {
            cuCtxSetCurrent(primary.context);
            CUstream stream = nullptr;
            cuStreamCreateWithPriority(&stream, CU_STREAM_NON_BLOCKING, 0);
            for (int round = 0; round < 50; round++) {
                cuLaunchHostFunc(
                    stream,
                    [](void *) {
                        overlaps += running++;
                        done++;
                        running--;
                    },
                    nullptr);
            }
        });
    }
    for (std::thread &thread : threads) {
        thread.join();
    }
    CHECK(overlaps == 0);
    CHECK(done == 200);
}
