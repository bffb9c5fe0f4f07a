// SPDX-License-Identifier: MIT OR Apache-2.0
// The simulated driver, held to what was seen of the real one and to what cusim.h promises.

#include "support.hpp"

#include "../../src/driver/cuda_functions.h"

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <thread>
#include <unistd.h>

// Entry points

struct TableEntry {
    const char *name;
    int version;
};

#define X(name, version, parameters) {#name, version},
const TableEntry TABLES[] = {CUCORE_CUDA_ALL(X)};
#undef X

TEST_CASE("every function of the library's tables is found at the version it asks for") {
    Driver driver;
    for (const TableEntry &entry : TABLES) {
        CUdriverProcAddressQueryResult found;
        void *address = nullptr;
        INFO(entry.name);
        CHECK(cuGetProcAddress_v2(entry.name, &address, entry.version, CU_GET_PROC_ADDRESS_LEGACY_STREAM, &found) == CUDA_SUCCESS);
        CHECK(address != nullptr);
        CHECK(found == CU_GET_PROC_ADDRESS_SUCCESS);
    }
}

TEST_CASE("cuGetProcAddress says why a function is not found") {
    Driver driver;
    CUdriverProcAddressQueryResult found;
    void *address = &driver;

    SECTION("an unknown name") {
        CHECK(cuGetProcAddress_v2("cuMakeTea", &address, 13000, 0, &found) == CUDA_SUCCESS);
        CHECK(address == nullptr);
        CHECK(found == CU_GET_PROC_ADDRESS_SYMBOL_NOT_FOUND);
    }
    SECTION("a known name asked at too old a version") {
        CHECK(cuGetProcAddress_v2("cuLibraryLoadData", &address, 11080, 0, &found) == CUDA_SUCCESS);
        CHECK(address == nullptr);
        CHECK(found == CU_GET_PROC_ADDRESS_VERSION_NOT_SUFFICIENT);
    }
    SECTION("a version newer than the driver") {
        CHECK(cuGetProcAddress_v2("cuInit", &address, 14000, 0, &found) == CUDA_ERROR_INVALID_VALUE);
        CHECK(address == &driver);
    }
    SECTION("a function newer than the driver, which such a driver does not know") {
        sim.set_driver_version(12000);
        CHECK(cuGetProcAddress_v2("cuKernelGetParamInfo", &address, 12000, 0, &found) == CUDA_SUCCESS);
        CHECK(address == nullptr);
        CHECK(found == CU_GET_PROC_ADDRESS_SYMBOL_NOT_FOUND);
    }
    SECTION("a hidden function, until it is shown") {
        sim.hide("cuKernelGetParamInfo");
        CHECK(function("cuKernelGetParamInfo", 12040) == nullptr);
        sim.show("cuKernelGetParamInfo");
        CHECK(function("cuKernelGetParamInfo", 12040) != nullptr);
    }
}

TEST_CASE("the version asked for chooses the form of a function") {
    Driver driver;
    CHECK(function("cuStreamDestroy", 2000) == exported("cuStreamDestroy"));
    CHECK(function("cuStreamDestroy", 4000) == exported("cuStreamDestroy_v2"));
    CHECK(function("cuCtxCreate", 3020) == exported("cuCtxCreate_v2"));
    CHECK(function("cuCtxCreate", 12000) == exported("cuCtxCreate_v3"));
    CHECK(function("cuCtxCreate", 13000) == exported("cuCtxCreate_v4"));
    CHECK(function("cuGetProcAddress", 11080) == exported("cuGetProcAddress"));
    CHECK(function("cuGetProcAddress", 12000) == exported("cuGetProcAddress_v2"));
}

// Initialisation, devices, exit

TEST_CASE("before cuInit only the functions that need no device work") {
    sim.reset();
    int number = 0;
    CHECK(cuDriverGetVersion(&number) == CUDA_SUCCESS);
    CHECK(number == 13000);
    CHECK(cuDeviceGetCount(&number) == CUDA_ERROR_NOT_INITIALIZED);
    Words words;
    CHECK(cuCtxSetCurrent(nullptr) == CUDA_ERROR_NOT_INITIALIZED);
    CHECK(words.lines.size() == 2);
}

TEST_CASE("there are two devices, or as many as are set") {
    Driver driver;
    int number = 0;
    CHECK(cuDeviceGetCount(&number) == CUDA_SUCCESS);
    CHECK(number == 2);
    CHECK(cuDeviceGet(&number, 2) == CUDA_ERROR_INVALID_DEVICE);
    sim.set_device_count(3);
    CHECK(cuDeviceGet(&number, 2) == CUDA_SUCCESS);
    CHECK(number == 2);
    sim.set_device_count(0);
    CHECK(cuInit(0) == CUDA_ERROR_NO_DEVICE);
}

TEST_CASE("a device has a name and attributes") {
    Driver driver;
    std::array<char, 64> name{};
    int major = 0;
    int pools = 0;
    CHECK(cuDeviceGetName(name.data(), static_cast<int>(name.size()), 1) == CUDA_SUCCESS);
    CHECK(std::string(name.data()) == "Simulated CUDA device");
    CHECK(cuDeviceGetAttribute(&major, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR, 1) == CUDA_SUCCESS);
    CHECK(major == 9);
    CHECK(cuDeviceGetAttribute(&pools, CU_DEVICE_ATTRIBUTE_MEMORY_POOLS_SUPPORTED, 1) == CUDA_SUCCESS);
    CHECK(pools == 1);
    CHECK(cuDeviceGetAttribute(&pools, static_cast<CUdevice_attribute>(9999), 1) == CUDA_ERROR_INVALID_VALUE);
}

static void exit_with_0_if_deinitialised() {
    CUcontext context;
    _exit(cuCtxGetCurrent(&context) == CUDA_ERROR_DEINITIALIZED ? 0 : 1);
}

TEST_CASE("exit handler registered before cuInit", "[.][exit]") {
    std::atexit(exit_with_0_if_deinitialised);
    REQUIRE(cuInit(0) == CUDA_SUCCESS);
}

TEST_CASE("calls after the driver's exit handler answer DEINITIALIZED") {
    std::array<char, 4096> self{};
    REQUIRE(readlink("/proc/self/exe", self.data(), self.size() - 1) > 0);
    CHECK(std::system((TEST_EMULATOR " '" + std::string(self.data()) + "' '[exit]' > /dev/null").c_str()) == 0);
}

// Contexts

TEST_CASE("these work on a real stream with no context current") {
    Context primary;
    CUstream stream = make_stream();
    CUstream other = make_stream();
    CUevent event = make_event();
    CUlibrary library = load(STORE);
    CUkernel kernel = kernel_of(library, "store");
    REQUIRE(cuCtxSetCurrent(nullptr) == CUDA_SUCCESS);
    REQUIRE(current() == nullptr);

    CUdeviceptr memory = allocate(256, stream);
    uint32_t value = 7;
    CHECK(cuMemcpyHtoDAsync_v2(memory, &value, sizeof value, stream) == CUDA_SUCCESS);
    CHECK(cuMemsetD8Async(memory, 1, 256, stream) == CUDA_SUCCESS);
    CHECK(launch_store(kernel, memory, 42, stream) == CUDA_SUCCESS);
    CHECK(cuMemcpyDtoHAsync_v2(&value, memory, sizeof value, stream) == CUDA_SUCCESS);
    CHECK(cuEventRecord(event, stream) == CUDA_SUCCESS);
    CHECK(cuEventQuery(event) == CUDA_SUCCESS);
    CHECK(cuEventSynchronize(event) == CUDA_SUCCESS);
    CHECK(cuStreamWaitEvent(other, event, 0) == CUDA_SUCCESS);
    CHECK(cuStreamSynchronize(stream) == CUDA_SUCCESS);
    CHECK(value == 42);
    CHECK(cuMemFreeAsync(memory, stream) == CUDA_SUCCESS);
    CHECK(cuLibraryUnload(library) == CUDA_SUCCESS);
    CHECK(cuEventDestroy_v2(event) == CUDA_SUCCESS);
    CHECK(cuStreamDestroy_v2(other) == CUDA_SUCCESS);
    CHECK(cuStreamDestroy_v2(stream) == CUDA_SUCCESS);
    CHECK(text_of(sim.live_list) != "");
    CHECK(sim.live_count(nullptr) == 1);
    CHECK(sim.live_count("context") == 1);
}

TEST_CASE("these answer INVALID_CONTEXT with no context current") {
    Context primary;
    CUkernel kernel = kernel_of(load(STORE), "store");
    REQUIRE(cuCtxSetCurrent(nullptr) == CUDA_SUCCESS);

    CUstream stream = nullptr;
    CUevent event = nullptr;
    CUdeviceptr memory = 0;
    CUcontext context = nullptr;
    size_t offset = 0;
    CHECK(cuStreamCreateWithPriority(&stream, 0, 0) == CUDA_ERROR_INVALID_CONTEXT);
    CHECK(cuEventCreate(&event, 0) == CUDA_ERROR_INVALID_CONTEXT);
    CHECK(cuKernelGetParamInfo(kernel, 0, &offset, nullptr) == CUDA_ERROR_INVALID_CONTEXT);
    CHECK(cuMemAlloc_v2(&memory, 16) == CUDA_ERROR_INVALID_CONTEXT);
    CHECK(cuStreamSynchronize(nullptr) == CUDA_ERROR_INVALID_CONTEXT);
    CHECK(cuCtxSynchronize() == CUDA_ERROR_INVALID_CONTEXT);
    CHECK(cuCtxPopCurrent_v2(&context) == CUDA_ERROR_INVALID_CONTEXT);
}

TEST_CASE("where a destroyed context is current, copies fail and fills do not") {
    Context primary;
    CUcontext other = nullptr;
    CUcontext popped = nullptr;
    CUstream stream = nullptr;
    CUdeviceptr memory = 0;
    int byte = 0;
    REQUIRE(cuStreamCreateWithPriority(&stream, CU_STREAM_NON_BLOCKING, 0) == CUDA_SUCCESS);
    REQUIRE(cuMemAlloc_v2(&memory, sizeof(byte)) == CUDA_SUCCESS);
    REQUIRE(cuCtxCreate_v2(&other, 0, 0) == CUDA_SUCCESS);
    REQUIRE(cuCtxPushCurrent_v2(primary.context) == CUDA_SUCCESS);
    REQUIRE(cuCtxDestroy_v2(other) == CUDA_SUCCESS);
    REQUIRE(cuCtxPopCurrent_v2(&popped) == CUDA_SUCCESS);

    CHECK(current() == other);
    CHECK(cuMemcpyHtoDAsync_v2(memory, &byte, sizeof(byte), stream) == CUDA_ERROR_CONTEXT_IS_DESTROYED);
    CHECK(cuMemcpyDtoHAsync_v2(&byte, memory, sizeof(byte), stream) == CUDA_ERROR_CONTEXT_IS_DESTROYED);
    CHECK(cuMemsetD32Async(memory, 7, 1, stream) == CUDA_SUCCESS);
    CHECK(cuStreamSynchronize(stream) == CUDA_SUCCESS);

    CHECK(cuCtxPopCurrent_v2(&popped) == CUDA_SUCCESS);
    CHECK(cuMemFree_v2(memory) == CUDA_SUCCESS);
    CHECK(cuStreamDestroy_v2(stream) == CUDA_SUCCESS);
}

TEST_CASE("each thread has a stack of contexts") {
    Context primary;
    CUcontext other = nullptr;
    CUcontext popped = nullptr;
    REQUIRE(cuCtxCreate_v2(&other, 0, 1) == CUDA_SUCCESS);
    CHECK(current() == other);

    std::thread([] { CHECK(current() == nullptr); }).join();

    CUdevice device = -1;
    CHECK(cuCtxGetDevice(&device) == CUDA_SUCCESS);
    CHECK(device == 1);
    CHECK(cuCtxPopCurrent_v2(&popped) == CUDA_SUCCESS);
    CHECK(popped == other);
    CHECK(current() == primary.context);
    CHECK(cuCtxPushCurrent_v2(other) == CUDA_SUCCESS);
    CHECK(cuCtxSetCurrent(primary.context) == CUDA_SUCCESS);
    CHECK(cuCtxSetCurrent(nullptr) == CUDA_SUCCESS);
    CHECK(current() == primary.context);
}

TEST_CASE("a primary context released while current stays current, and comes back with the same handle") {
    Context primary;
    CUstream before = make_stream();
    CUstream stream = nullptr;
    CUcontext again = nullptr;

    REQUIRE(cuDevicePrimaryCtxRelease_v2(0) == CUDA_SUCCESS);
    CHECK(current() == primary.context);
    CHECK(cuCtxSynchronize() == CUDA_ERROR_CONTEXT_IS_DESTROYED);
    CHECK(cuStreamCreateWithPriority(&stream, 0, 0) == CUDA_ERROR_CONTEXT_IS_DESTROYED);
    CHECK(sim.live_count(nullptr) == 0);

    REQUIRE(cuDevicePrimaryCtxRetain(&again, 0) == CUDA_SUCCESS);
    CHECK(again == primary.context);
    CHECK(cuCtxSynchronize() == CUDA_SUCCESS);
    CHECK(cuStreamSynchronize(before) == CUDA_ERROR_CONTEXT_IS_DESTROYED);
}

TEST_CASE("primary contexts are counted") {
    Context primary;
    CUcontext again = nullptr;
    REQUIRE(cuDevicePrimaryCtxRetain(&again, 0) == CUDA_SUCCESS);
    CHECK(cuDevicePrimaryCtxRelease_v2(0) == CUDA_SUCCESS);
    CHECK(cuCtxSynchronize() == CUDA_SUCCESS);
    CHECK(cuDevicePrimaryCtxRelease_v2(0) == CUDA_SUCCESS);
    CHECK(cuDevicePrimaryCtxRelease_v2(0) == CUDA_ERROR_INVALID_CONTEXT);
}

TEST_CASE("a dead context is never made current") {
    Context primary;
    CUcontext dead = nullptr;
    REQUIRE(cuCtxCreate_v2(&dead, 0, 0) == CUDA_SUCCESS);
    REQUIRE(cuCtxDestroy_v2(dead) == CUDA_SUCCESS);
    REQUIRE(current() == primary.context);

    CHECK(cuCtxPushCurrent_v2(dead) == CUDA_ERROR_CONTEXT_IS_DESTROYED);
    primary.expect_violation("cuCtxPushCurrent: Context ");
    CHECK(cuCtxSetCurrent(dead) == CUDA_ERROR_CONTEXT_IS_DESTROYED);
    primary.expect_violation("cuCtxSetCurrent: Context ");
    CHECK(cuCtxSetCurrent(foreign<CUcontext>()) == CUDA_ERROR_INVALID_HANDLE);
    primary.expect_violation("is no context");
    CHECK(current() == primary.context);
}

TEST_CASE("the caller's context destroyed while another is current: push and pop around the work live") {
    Context primary;
    CUcontext callers = nullptr;
    CUcontext popped = nullptr;
    REQUIRE(cuCtxCreate_v2(&callers, 0, 0) == CUDA_SUCCESS);
    REQUIRE(cuCtxPushCurrent_v2(primary.context) == CUDA_SUCCESS);
    std::thread([&] { CHECK(cuCtxDestroy_v2(callers) == CUDA_SUCCESS); }).join();

    CHECK(cuCtxPopCurrent_v2(&popped) == CUDA_SUCCESS);
    CHECK(current() == callers);
    CHECK(cuCtxSynchronize() == CUDA_ERROR_CONTEXT_IS_DESTROYED);
    CHECK(cuCtxSetCurrent(primary.context) == CUDA_SUCCESS);
    CHECK(cuCtxSynchronize() == CUDA_SUCCESS);
}

TEST_CASE("what belongs to a context dies with it") {
    Context primary;
    CUcontext context = nullptr;
    CUdeviceptr memory = 0;
    REQUIRE(cuCtxCreate_v2(&context, 0, 0) == CUDA_SUCCESS);
    CUstream stream = make_stream();
    CUevent event = make_event();
    REQUIRE(cuMemAlloc_v2(&memory, 64) == CUDA_SUCCESS);
    REQUIRE(cuCtxDestroy_v2(context) == CUDA_SUCCESS);

    CHECK(sim.live_count(nullptr) == 1);
    CHECK(cuStreamSynchronize(stream) == CUDA_ERROR_CONTEXT_IS_DESTROYED);
    CHECK(cuStreamDestroy_v2(stream) == CUDA_ERROR_CONTEXT_IS_DESTROYED);
    CHECK(cuEventDestroy_v2(event) == CUDA_ERROR_CONTEXT_IS_DESTROYED);
}

// Streams

TEST_CASE("a priority out of range is brought into it") {
    Context primary;
    const auto priority_for = [](int asked) {
        CUstream stream = nullptr;
        int priority = 99;
        REQUIRE(cuStreamCreateWithPriority(&stream, 0, asked) == CUDA_SUCCESS);
        REQUIRE(cuStreamGetPriority(stream, &priority) == CUDA_SUCCESS);
        return priority;
    };
    int least = 99;
    int greatest = 99;
    CHECK(cuCtxGetStreamPriorityRange(&least, &greatest) == CUDA_SUCCESS);
    CHECK(least == 0);
    CHECK(greatest == -5);
    CHECK(priority_for(99) == 0);
    CHECK(priority_for(-3) == -3);
    CHECK(priority_for(-99) == -5);
}

TEST_CASE("a stream belongs to the context it was made in") {
    Context primary(1);
    CUstream stream = make_stream();
    CUcontext context = nullptr;
    REQUIRE(cuCtxSetCurrent(nullptr) == CUDA_SUCCESS);
    CHECK(cuStreamGetCtx(stream, &context) == CUDA_SUCCESS);
    CHECK(context == primary.context);
}

TEST_CASE("a destroyed stream, a foreign one and NULL are no streams to destroy") {
    Context primary;
    CUstream stream = make_stream();
    REQUIRE(cuStreamDestroy_v2(stream) == CUDA_SUCCESS);
    CHECK(cuStreamDestroy_v2(stream) == CUDA_ERROR_INVALID_HANDLE);
    primary.expect_violation("cuStreamDestroy: Invalid handle: stream ");
    CHECK(cuStreamSynchronize(foreign<CUstream>()) == CUDA_ERROR_INVALID_HANDLE);
    primary.expect_violation("is no stream");
    CHECK(cuStreamDestroy_v2(reinterpret_cast<CUstream>(make_event())) == CUDA_ERROR_INVALID_HANDLE);
    primary.expect_violation("is no stream");
    CHECK(cuStreamDestroy_v2(nullptr) == CUDA_ERROR_INVALID_HANDLE);
}

TEST_CASE("a held stream does its work when it is released, in order") {
    Context primary;
    CUstream stream = make_stream();
    CUdeviceptr memory = allocate(4, stream);
    uint32_t seen = 0;
    uint32_t later = 0;
    sim.hold(stream);
    CHECK(cuMemsetD32Async(memory, 1, 1, stream) == CUDA_SUCCESS);
    CHECK(cuMemcpyDtoHAsync_v2(&seen, memory, 4, stream) == CUDA_SUCCESS);
    CHECK(cuMemsetD32Async(memory, 2, 1, stream) == CUDA_SUCCESS);
    CHECK(cuMemcpyDtoHAsync_v2(&later, memory, 4, stream) == CUDA_SUCCESS);
    CHECK(cuStreamQuery(stream) == CUDA_ERROR_NOT_READY);
    CHECK(seen == 0);

    CHECK(cuStreamSynchronize(stream) == CUDA_ERROR_NOT_READY);
    primary.expect_violation("would wait for ever");
    CHECK(cuCtxSynchronize() == CUDA_ERROR_NOT_READY);
    primary.expect_violation("would wait for ever");

    sim.release(stream);
    CHECK(cuStreamSynchronize(stream) == CUDA_SUCCESS);
    CHECK(seen == 1);
    CHECK(later == 2);
}

TEST_CASE("the work of a destroyed stream is still done") {
    Context primary;
    CUstream stream = make_stream();
    CUstream other = make_stream();
    CUdeviceptr memory = allocate(4, stream);
    REQUIRE(cuMemsetD32Async(memory, 0, 1, stream) == CUDA_SUCCESS);
    sim.hold(stream);
    REQUIRE(cuMemsetD32Async(memory, 5, 1, stream) == CUDA_SUCCESS);
    REQUIRE(cuStreamDestroy_v2(stream) == CUDA_SUCCESS);
    CHECK(word_at(memory, other) == 0);
    sim.release(stream);
    CHECK(word_at(memory, other) == 5);
}

TEST_CASE("the capture mode is the thread's, and exchanged") {
    Driver driver;
    CUstreamCaptureMode mode = CU_STREAM_CAPTURE_MODE_RELAXED;
    CHECK(cuThreadExchangeStreamCaptureMode(&mode) == CUDA_SUCCESS);
    CHECK(mode == CU_STREAM_CAPTURE_MODE_GLOBAL);
    CHECK(cuThreadExchangeStreamCaptureMode(&mode) == CUDA_SUCCESS);
    CHECK(mode == CU_STREAM_CAPTURE_MODE_RELAXED);
}

// Events

TEST_CASE("an event is done when its stream gets there, and others wait for it until then") {
    Context primary;
    CUstream first = make_stream();
    CUstream second = make_stream();
    CUevent event = make_event();
    CUdeviceptr memory = allocate(4, first);
    REQUIRE(cuMemsetD32Async(memory, 0, 1, first) == CUDA_SUCCESS);

    sim.hold(first);
    REQUIRE(cuMemsetD32Async(memory, 3, 1, first) == CUDA_SUCCESS);
    REQUIRE(cuEventRecord(event, first) == CUDA_SUCCESS);
    REQUIRE(cuStreamWaitEvent(second, event, 0) == CUDA_SUCCESS);
    uint32_t seen = 99;
    REQUIRE(cuMemcpyDtoHAsync_v2(&seen, memory, 4, second) == CUDA_SUCCESS);
    CHECK(cuEventQuery(event) == CUDA_ERROR_NOT_READY);
    CHECK(cuStreamQuery(second) == CUDA_ERROR_NOT_READY);
    CHECK(seen == 99);
    CHECK(cuEventSynchronize(event) == CUDA_ERROR_NOT_READY);
    primary.expect_violation("cuEventSynchronize: The record of event ");

    sim.release(first);
    CHECK(cuEventQuery(event) == CUDA_SUCCESS);
    CHECK(cuStreamQuery(second) == CUDA_SUCCESS);
    CHECK(seen == 3);
}

TEST_CASE("a wait is for the record before it, not for a later one") {
    Context primary;
    CUstream first = make_stream();
    CUstream second = make_stream();
    CUevent event = make_event();
    REQUIRE(cuEventRecord(event, first) == CUDA_SUCCESS);
    sim.hold(second);
    REQUIRE(cuStreamWaitEvent(second, event, 0) == CUDA_SUCCESS);
    sim.hold(first);
    REQUIRE(cuEventRecord(event, first) == CUDA_SUCCESS);
    sim.release(second);
    CHECK(cuStreamQuery(second) == CUDA_SUCCESS);
    CHECK(cuEventQuery(event) == CUDA_ERROR_NOT_READY);
    CHECK(cuEventDestroy_v2(event) == CUDA_SUCCESS);
    sim.release(first);
}

TEST_CASE("an event that was never recorded is done") {
    Context primary;
    CUstream stream = make_stream();
    CUevent event = make_event();
    CHECK(cuEventQuery(event) == CUDA_SUCCESS);
    CHECK(cuEventSynchronize(event) == CUDA_SUCCESS);
    CHECK(cuStreamWaitEvent(stream, event, 0) == CUDA_SUCCESS);
    CHECK(cuStreamQuery(stream) == CUDA_SUCCESS);
}

TEST_CASE("elapsed time is between two recorded, timed and finished events") {
    Context primary;
    CUstream stream = make_stream();
    CUevent start = make_event();
    CUevent end = make_event();
    CUevent untimed = make_event(CU_EVENT_DISABLE_TIMING);
    float milliseconds = -1;
    CHECK(cuEventElapsedTime(&milliseconds, start, end) == CUDA_ERROR_INVALID_HANDLE);
    REQUIRE(cuEventRecord(start, stream) == CUDA_SUCCESS);
    REQUIRE(cuEventRecord(untimed, stream) == CUDA_SUCCESS);
    CHECK(cuEventElapsedTime(&milliseconds, start, untimed) == CUDA_ERROR_INVALID_HANDLE);

    sim.hold(stream);
    REQUIRE(cuEventRecord(end, stream) == CUDA_SUCCESS);
    CHECK(cuEventElapsedTime(&milliseconds, start, end) == CUDA_ERROR_NOT_READY);
    CHECK(milliseconds == -1);
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
    sim.release(stream);
    CHECK(cuEventElapsedTime(&milliseconds, start, end) == CUDA_SUCCESS);
    CHECK(milliseconds >= 2);
}

TEST_CASE("an event is recorded with flags, but not for a graph's outside") {
    Context primary;
    CUstream stream = make_stream();
    CUevent event = make_event();
    sim.hold(stream);
    CHECK(cuEventRecordWithFlags(event, stream, 0) == CUDA_SUCCESS);
    CHECK(cuEventQuery(event) == CUDA_ERROR_NOT_READY);
    sim.release(stream);
    CHECK(cuEventQuery(event) == CUDA_SUCCESS);
    CHECK(cuEventRecordWithFlags(event, stream, 1) == CUDA_ERROR_NOT_SUPPORTED);
    CHECK(cuEventRecordWithFlags(event, stream, 2) == CUDA_ERROR_INVALID_VALUE);
}

TEST_CASE("an event is recorded in its own context only, but waited for in any") {
    Context primary;
    CUstream here = make_stream();
    CUcontext other = nullptr;
    REQUIRE(cuCtxCreate_v2(&other, 0, 1) == CUDA_SUCCESS);
    CUevent event = make_event();
    CHECK(cuEventRecord(event, here) == CUDA_ERROR_INVALID_HANDLE);
    CHECK(cuEventRecord(event, nullptr) == CUDA_SUCCESS);
    CHECK(cuStreamWaitEvent(here, event, 0) == CUDA_SUCCESS);
}

// Memory

TEST_CASE("memory is aligned, listed, and gone when it was freed") {
    Context primary;
    CUstream stream = make_stream();
    CUdeviceptr memory = allocate(100, stream);
    CHECK(memory % 256 == 0);
    CHECK(sim.live_count("memory") == 1);
    CHECK(has(text_of(sim.live_list), " of 100 bytes of device 0\n"));
    CHECK(cuMemFreeAsync(memory, stream) == CUDA_SUCCESS);
    CHECK(sim.live_count("memory") == 0);
}

TEST_CASE("more memory than there is, or none at all, is not to be had") {
    Context primary;
    CUmemoryPool pool = nullptr;
    CUdeviceptr memory = 77;
    size_t total = 0;
    REQUIRE(cuDeviceTotalMem_v2(&total, 0) == CUDA_SUCCESS);
    REQUIRE(cuDeviceGetDefaultMemPool(&pool, 0) == CUDA_SUCCESS);
    CHECK(cuMemAllocFromPoolAsync(&memory, total + 1, pool, nullptr) == CUDA_ERROR_OUT_OF_MEMORY);
    CHECK(cuMemAllocFromPoolAsync(&memory, SIZE_MAX, pool, nullptr) == CUDA_ERROR_OUT_OF_MEMORY);
    CHECK(cuMemAllocFromPoolAsync(&memory, 0, pool, nullptr) == CUDA_ERROR_INVALID_VALUE);
    CHECK(memory == 77);
}

TEST_CASE("memory is freed once, whole, and by its own address") {
    Context primary;
    CUstream stream = make_stream();
    CUdeviceptr memory = allocate(64, stream);
    CHECK(cuMemFreeAsync(memory + 16, stream) == CUDA_ERROR_INVALID_VALUE);
    primary.expect_violation("cuMemFreeAsync: Allocation not found");
    CHECK(cuMemFreeAsync(memory, stream) == CUDA_SUCCESS);
    CHECK(cuMemFreeAsync(memory, stream) == CUDA_ERROR_INVALID_VALUE);
    primary.expect_violation("was freed already");
    CHECK(cuMemFree_v2(memory) == CUDA_ERROR_INVALID_VALUE);
    primary.expect_violation("was freed already");
}

TEST_CASE("a free on a held stream happens when the stream gets there") {
    Context primary;
    CUstream stream = make_stream();
    CUdeviceptr memory = allocate(64, stream);
    sim.hold(stream);
    CHECK(cuMemFreeAsync(memory, stream) == CUDA_SUCCESS);
    CHECK(sim.live_count("memory") == 1);
    CHECK(cuMemFreeAsync(memory, stream) == CUDA_ERROR_INVALID_VALUE);
    primary.expect_violation("was freed already");
    CHECK(cuMemsetD8Async(memory, 0, 64, stream) == CUDA_ERROR_INVALID_VALUE);
    primary.expect_violation("already given to cuMemFreeAsync");
    sim.release(stream);
    CHECK(sim.live_count("memory") == 0);
}

TEST_CASE("work that was put in before memory was freed, and is done after, is found") {
    Context primary;
    CUstream stream = make_stream();
    CUstream held = make_stream();
    CUdeviceptr memory = allocate(64, stream);
    sim.hold(held);
    REQUIRE(cuMemsetD8Async(memory, 0, 64, held) == CUDA_SUCCESS);
    REQUIRE(cuMemFreeAsync(memory, stream) == CUDA_SUCCESS);
    primary.expect_violation("has unfinished work that uses it");
    sim.release(held);
    primary.expect_violation("were freed before the stream got to use them");
    CHECK(cuStreamSynchronize(held) == CUDA_ERROR_ILLEGAL_ADDRESS);
}

TEST_CASE("copies and fills stay within live memory") {
    Context primary;
    CUstream stream = make_stream();
    CUdeviceptr memory = allocate(64, stream);
    std::array<char, 65> bytes{};
    CHECK(cuMemcpyHtoDAsync_v2(memory, bytes.data(), 65, stream) == CUDA_ERROR_INVALID_VALUE);
    primary.expect_violation("65 bytes at ");
    CHECK(cuMemcpyDtoHAsync_v2(bytes.data(), memory + 60, 5, stream) == CUDA_ERROR_INVALID_VALUE);
    primary.expect_violation("5 bytes at ");
    CHECK(cuMemsetD32Async(memory, 0, 17, stream) == CUDA_ERROR_INVALID_VALUE);
    primary.expect_violation("68 bytes at ");
    CHECK(cuMemsetD8Async(0x10, 0, 1, stream) == CUDA_ERROR_INVALID_VALUE);
    primary.expect_violation("1 bytes at 0x10 ");
    CHECK(cuMemsetD16Async(memory + 1, 0, 1, stream) == CUDA_ERROR_INVALID_VALUE);
    CHECK(cuMemcpyHtoDAsync_v2(memory, bytes.data(), 0, stream) == CUDA_SUCCESS);
}

TEST_CASE("fills repeat their value") {
    Context primary;
    CUstream stream = make_stream();
    CUdeviceptr memory = allocate(16, stream);
    REQUIRE(cuMemsetD32Async(memory, 0x11223344, 4, stream) == CUDA_SUCCESS);
    CHECK(word_at(memory + 12, stream) == 0x11223344);
    REQUIRE(cuMemsetD16Async(memory, 0xabcd, 8, stream) == CUDA_SUCCESS);
    CHECK(word_at(memory + 12, stream) == 0xabcdabcd);
    REQUIRE(cuMemsetD8Async(memory, 0x5a, 16, stream) == CUDA_SUCCESS);
    CHECK(word_at(memory + 12, stream) == 0x5a5a5a5a);
}

// Code

// The beginning of an ELF file.
const std::array<char, 64> MACHINE_CODE{"\177ELF\2\1\1"};

TEST_CASE("fills of areas leave what is between their rows") {
    Context primary;
    CUstream stream = make_stream();
    CUdeviceptr memory = 0;
    REQUIRE(cuMemAlloc_v2(&memory, 64) == CUDA_SUCCESS);
    REQUIRE(cuMemsetD8_v2(memory, 0, 64) == CUDA_SUCCESS);
    CHECK(cuMemsetD2D8_v2(memory, 16, 0x11, 4, 3) == CUDA_SUCCESS);
    CHECK(cuMemsetD2D16_v2(memory + 4, 16, 0x2222, 2, 2) == CUDA_SUCCESS);
    CHECK(cuMemsetD2D32Async(memory + 8, 16, 0x33333333, 1, 4, stream) == CUDA_SUCCESS);
    CHECK(cuMemsetD2D8Async(memory + 12, 0, 0x44, 4, 1, stream) == CUDA_SUCCESS); // one row needs no pitch
    CHECK(cuMemsetD2D16Async(memory, 16, 0x5555, 0, 4, stream) == CUDA_SUCCESS);
    const uint32_t expected[] = {0x11111111, 0x22222222, 0x33333333, 0x44444444, 0x11111111, 0x22222222, 0x33333333, 0,
                                 0x11111111, 0,          0x33333333, 0,          0,          0,          0x33333333, 0};
    for (size_t i = 0; i < 16; i++)
        CHECK(word_at(memory + 4 * i, stream) == expected[i]);

    CHECK(cuMemsetD2D32_v2(memory, 8, 0, 3, 2) == CUDA_ERROR_INVALID_VALUE);  // rows that overlap
    CHECK(cuMemsetD2D32_v2(memory, 18, 0, 3, 2) == CUDA_ERROR_INVALID_VALUE); // or are not aligned
    CHECK(cuMemsetD2D32_v2(memory, SIZE_MAX - 3, 0, 3, 3) == CUDA_ERROR_INVALID_VALUE);
    CHECK(cuMemsetD2D8_v2(memory, 16, 0, 4, 5) == CUDA_ERROR_INVALID_VALUE);
    primary.expect_violation("are not in live device memory");
}

TEST_CASE("memory is copied from one context to another") {
    Context primary;
    CUcontext other = nullptr;
    CUdeviceptr here = 0;
    CUdeviceptr there = 0;
    uint32_t value = 0;
    REQUIRE(cuMemAlloc_v2(&here, 4) == CUDA_SUCCESS);
    REQUIRE(cuMemsetD32_v2(here, 42, 1) == CUDA_SUCCESS);
    REQUIRE(cuCtxCreate_v2(&other, 0, 1) == CUDA_SUCCESS);
    REQUIRE(cuMemAlloc_v2(&there, 4) == CUDA_SUCCESS);
    CHECK(cuMemcpyPeer(there, other, here, primary.context, 4) == CUDA_SUCCESS);
    CHECK(cuMemcpyDtoH_v2(&value, there, 4) == CUDA_SUCCESS);
    CHECK(value == 42);
    CUstream stream = make_stream();
    REQUIRE(cuMemsetD32_v2(there, 43, 1) == CUDA_SUCCESS);
    CHECK(cuMemcpyPeerAsync(here, primary.context, there, other, 4, stream) == CUDA_SUCCESS);
    CHECK(word_at(here, stream) == 43);
    CHECK(cuMemcpyPeer(there, other, here, foreign<CUcontext>(), 4) == CUDA_ERROR_INVALID_HANDLE);
    primary.expect_violation("cuMemcpyPeer");
}

TEST_CASE("loading is lazy, and fails when the module is asked for") {
    Context primary;
    const auto module_result = [](const char *code) {
        CUmodule module = nullptr;
        return cuLibraryGetModule(&module, load(code));
    };
    CHECK(module_result("garbage") == CUDA_ERROR_INVALID_IMAGE);
    CHECK(module_result("") == CUDA_ERROR_INVALID_IMAGE);
    CHECK(module_result("// a comment\n.version 7.0\n.target sm_70\nnonsense") == CUDA_ERROR_INVALID_PTX);
    CHECK(module_result(".version 99.0\n.target sm_70\n.address_size 64\n") == CUDA_ERROR_UNSUPPORTED_PTX_VERSION);
    CHECK(module_result(MACHINE_CODE.data()) == CUDA_ERROR_NO_BINARY_FOR_GPU);
    CHECK(module_result(STORE) == CUDA_SUCCESS);
}

TEST_CASE("the JIT log given at load is filled by the time the module was asked for") {
    Context primary;
    std::array<char, 512> log{};
    CUjit_option options[] = {CU_JIT_ERROR_LOG_BUFFER, CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES};
    void *values[] = {log.data(), reinterpret_cast<void *>(log.size())};
    CUlibrary library = nullptr;
    CUmodule module = nullptr;
    const auto load_with_log = [&](const char *code) {
        REQUIRE(cuLibraryLoadData(&library, code, options, values, 2, nullptr, nullptr, 0) == CUDA_SUCCESS);
        CHECK(std::string(log.data()).empty());
        CHECK(cuLibraryGetModule(&module, library) != CUDA_SUCCESS);
        CHECK(reinterpret_cast<size_t>(values[1]) == std::strlen(log.data()));
        return std::string(log.data());
    };

    SECTION("by the line that is wrong") {
        CHECK(has(load_with_log(".version 7.0\n.target sm_70\nnonsense"), "line 3"));
    }
    SECTION("by why machine code is not run") {
        CHECK(has(load_with_log(MACHINE_CODE.data()), "PTX only"));
    }
}

TEST_CASE("a library needs a context for its module, and none for its kernels") {
    Context primary;
    CUlibrary library = load(STORE);
    CUmodule module = nullptr;
    CUmodule again = nullptr;
    CHECK(cuLibraryGetModule(&module, library) == CUDA_SUCCESS);
    CHECK(cuLibraryGetModule(&again, library) == CUDA_SUCCESS);
    CHECK(again == module);
    REQUIRE(cuCtxSetCurrent(nullptr) == CUDA_SUCCESS);
    CHECK(cuLibraryGetModule(&again, library) == CUDA_ERROR_INVALID_CONTEXT);
    CHECK(kernel_of(library, "store") == kernel_of(library, "store"));
}

TEST_CASE("a kernel is not found by a name it has not") {
    Context primary;
    Words words;
    CUkernel kernel = nullptr;
    CHECK(cuLibraryGetKernel(&kernel, load(STORE), "nope") == CUDA_ERROR_NOT_FOUND);
    REQUIRE(words.lines.size() == 2);
    CHECK(words.lines[0] == "Kernel (nope) cannot be found in library");
}

TEST_CASE("a kernel tells of its parameters") {
    Context primary;
    Words words;
    CUkernel kernel = kernel_of(load(STORE), "store");
    size_t offset = 99;
    size_t size = 99;
    CHECK(cuKernelGetParamInfo(kernel, 1, &offset, &size) == CUDA_SUCCESS);
    CHECK(offset == 8);
    CHECK(size == 4);
    CHECK(cuKernelGetParamInfo(kernel, 2, &offset, &size) == CUDA_ERROR_INVALID_VALUE);
    REQUIRE(words.lines.size() == 2);
    CHECK(words.lines[0] == "paramIndex 2 outside of kernel parameter count 2");
}

TEST_CASE("a library's kernels go with it, but a launch that waits is still done") {
    Context primary;
    CUlibrary library = load(STORE);
    CUkernel kernel = kernel_of(library, "store");
    CUstream stream = make_stream();
    CUdeviceptr memory = allocate(4, stream);
    sim.hold(stream);
    REQUIRE(launch_store(kernel, memory, 6, stream) == CUDA_SUCCESS);
    REQUIRE(cuLibraryUnload(library) == CUDA_SUCCESS);
    CHECK(launch_store(kernel, memory, 7, stream) == CUDA_ERROR_INVALID_HANDLE);
    primary.expect_violation("cuLaunchKernelEx: Invalid handle: kernel ");
    CHECK(cuLibraryUnload(library) == CUDA_ERROR_INVALID_HANDLE);
    primary.expect_violation("cuLibraryUnload: Invalid handle: library ");
    sim.release(stream);
    CHECK(word_at(memory, stream) == 6);
}

TEST_CASE("programs that use modules and functions work too") {
    Context primary;
    CUmodule module = nullptr;
    CUfunction store = nullptr;
    CUdeviceptr memory = 0;
    uint32_t value = 8;
    void *arguments[] = {&memory, &value};
    REQUIRE(cuModuleLoadData(&module, STORE) == CUDA_SUCCESS);
    REQUIRE(cuModuleGetFunction(&store, module, "store") == CUDA_SUCCESS);
    REQUIRE(cuMemAlloc_v2(&memory, sizeof value) == CUDA_SUCCESS);
    CHECK(cuLaunchKernel(store, 1, 1, 1, 1, 1, 1, 0, nullptr, arguments, nullptr) == CUDA_SUCCESS);
    value = 0;
    CHECK(cuMemcpyDtoH_v2(&value, memory, sizeof value) == CUDA_SUCCESS);
    CHECK(value == 8);
    CHECK(cuMemFree_v2(memory) == CUDA_SUCCESS);
    CHECK(sim.live_count("module") == 1);
    CHECK(cuModuleUnload(module) == CUDA_SUCCESS);
    CHECK(sim.live_count(nullptr) == 1);
}

TEST_CASE("a launch that the device cannot do is refused in the driver's words") {
    Context primary;
    Words words;
    CUkernel kernel = kernel_of(load(STORE), "store");
    CUlaunchConfig config = {};
    config.gridDimX = config.gridDimY = config.gridDimZ = 1;
    config.blockDimX = 4096;
    config.blockDimY = config.blockDimZ = 1;
    CHECK(cuLaunchKernelEx(&config, reinterpret_cast<CUfunction>(kernel), nullptr, nullptr) == CUDA_ERROR_INVALID_VALUE);
    REQUIRE(words.lines.size() == 2);
    CHECK(words.lines[0] == "One or more of block dimensions of (4096,1,1) exceeds correspsonding maximum value of (1024,1024,64)");
}

// Faults

TEST_CASE("after a kernel fault nearly everything answers with the fault") {
    Faulted faulted;
    CUstream stream = nullptr;
    CHECK(cuStreamSynchronize(faulted.stream) == CUDA_ERROR_ILLEGAL_ADDRESS);
    CHECK(cuCtxSynchronize() == CUDA_ERROR_ILLEGAL_ADDRESS);
    CHECK(cuStreamCreateWithPriority(&stream, 0, 0) == CUDA_ERROR_ILLEGAL_ADDRESS);
    CHECK(cuMemsetD8Async(faulted.memory, 0, 64, faulted.stream) == CUDA_ERROR_ILLEGAL_ADDRESS);
    CHECK(launch_store(faulted.kernel, faulted.memory, 1, faulted.stream) == CUDA_ERROR_ILLEGAL_ADDRESS);
    CHECK(cuEventRecord(faulted.event, faulted.stream) == CUDA_ERROR_ILLEGAL_ADDRESS);
    CHECK(cuEventSynchronize(faulted.event) == CUDA_ERROR_ILLEGAL_ADDRESS);
}

TEST_CASE("after a kernel fault destroys answer with it too, and leave nothing alive") {
    Faulted faulted;
    CHECK(cuMemFreeAsync(faulted.memory, faulted.stream) == CUDA_ERROR_ILLEGAL_ADDRESS);
    CHECK(cuEventDestroy_v2(faulted.event) == CUDA_ERROR_ILLEGAL_ADDRESS);
    CHECK(cuStreamDestroy_v2(faulted.stream) == CUDA_ERROR_ILLEGAL_ADDRESS);
    CHECK(cuLibraryUnload(faulted.library) == CUDA_SUCCESS);
    CHECK(cuDevicePrimaryCtxRelease_v2(0) == CUDA_SUCCESS);
    CHECK(text_of(sim.live_list) == "");
}

TEST_CASE("after a kernel fault push, pop, set and get still succeed") {
    Faulted faulted;
    CHECK(cuCtxPushCurrent_v2(faulted.context) == CUDA_SUCCESS);
    CHECK(cuCtxPopCurrent_v2(nullptr) == CUDA_SUCCESS);
    CHECK(cuCtxSetCurrent(faulted.context) == CUDA_SUCCESS);
    CHECK(current() == faulted.context);
}

TEST_CASE("a fault is one context's: other contexts work, and so does the device's next primary context") {
    Faulted faulted;
    CUcontext other = nullptr;
    REQUIRE(cuDevicePrimaryCtxRetain(&other, 1) == CUDA_SUCCESS);
    REQUIRE(cuCtxSetCurrent(other) == CUDA_SUCCESS);
    CHECK(cuCtxSynchronize() == CUDA_SUCCESS);
    REQUIRE(cuDevicePrimaryCtxRelease_v2(0) == CUDA_SUCCESS);
    REQUIRE(cuDevicePrimaryCtxRetain(&other, 0) == CUDA_SUCCESS);
    REQUIRE(cuCtxSetCurrent(other) == CUDA_SUCCESS);
    CHECK(cuCtxSynchronize() == CUDA_SUCCESS);
}

TEST_CASE("a kernel reaches no memory of another device") {
    Context primary;
    CUstream stream = make_stream();
    CUkernel kernel = kernel_of(load(STORE), "store");
    CUdeviceptr elsewhere = allocate(4, stream, 1);
    CHECK(launch_store(kernel, elsewhere, 1, stream) == CUDA_SUCCESS);
    CHECK(cuStreamSynchronize(stream) == CUDA_ERROR_ILLEGAL_ADDRESS);
    primary.expect_violation("store");
}

// The driver's words

TEST_CASE("a failing call says why, and then that it fails, before it returns") {
    Context primary;
    Words words;
    REQUIRE(cuCtxSetCurrent(nullptr) == CUDA_SUCCESS);
    CHECK(words.lines.empty());
    CUevent event = nullptr;
    CHECK(cuEventCreate(&event, 0) == CUDA_ERROR_INVALID_CONTEXT);
    CHECK(words.lines == std::vector<std::string>{"No CUDA context is current to the calling thread",
                                                  "Returning 201 (CUDA_ERROR_INVALID_CONTEXT) from cuEventCreate"});
    CHECK(sim.log_callback_count() == 2);
}

TEST_CASE("an injected failure is put into words too") {
    Context primary;
    Words words;
    sim.fail("cuCtxSynchronize", 1, CUDA_ERROR_LAUNCH_FAILED, 0);
    CHECK(cuCtxSynchronize() == CUDA_ERROR_LAUNCH_FAILED);
    REQUIRE(words.lines.size() == 2);
    CHECK(words.lines[1] == "Returning 719 (CUDA_ERROR_LAUNCH_FAILED) from cuCtxSynchronize");
}

TEST_CASE("a successful call makes no words") {
    Context primary;
    Words words;
    CHECK(cuCtxSynchronize() == CUDA_SUCCESS);
    CHECK(cuStreamDestroy_v2(make_stream()) == CUDA_SUCCESS);
    CHECK(sim.log_callback_count() == 0);
}

// Injected failures, log and counts

TEST_CASE("the nth call fails and does nothing") {
    Context primary;
    CUstream stream = nullptr;
    sim.fail("cuStreamCreateWithPriority", 2, CUDA_ERROR_OUT_OF_MEMORY, 0);
    CHECK(cuStreamCreateWithPriority(&stream, 0, 0) == CUDA_SUCCESS);
    CUstream untouched = nullptr;
    CHECK(cuStreamCreateWithPriority(&untouched, 0, 0) == CUDA_ERROR_OUT_OF_MEMORY);
    CHECK(untouched == nullptr);
    CHECK(cuStreamCreateWithPriority(&stream, 0, 0) == CUDA_SUCCESS);
    CHECK(sim.live_count("stream") == 2);
    CHECK(sim.failures_injected() == 1);
}

TEST_CASE("a sticky failure stays until all are disarmed") {
    Context primary;
    sim.fail("cuCtxSynchronize", 1, 999, 1);
    CHECK(cuCtxSynchronize() == 999);
    CHECK(cuCtxSynchronize() == 999);
    sim.fail_nothing();
    CHECK(cuCtxSynchronize() == CUDA_SUCCESS);
    CHECK(sim.failures_injected() == 2);
}

TEST_CASE("any fallible call can be the nth, but for those that only look up names") {
    Context primary;
    const char *name = nullptr;
    CUdevice device = 0;
    const uint64_t before = sim.fallible_calls();
    sim.fail(nullptr, 2, 999, 0);
    CHECK(cuCtxSynchronize() == CUDA_SUCCESS);
    CHECK(cuGetErrorName(CUDA_ERROR_NOT_READY, &name) == CUDA_SUCCESS);
    CHECK(name == std::string("CUDA_ERROR_NOT_READY"));
    CHECK(cuCtxGetDevice(&device) == 999);
    CHECK(sim.fallible_calls() == before + 2);

    void *address = nullptr;
    sim.fail(nullptr, 1, 999, 0);
    CHECK(cuGetProcAddress_v2("cuInit", &address, 2000, 0, nullptr) == 999);
}

TEST_CASE("several failures can be armed at once") {
    Context primary;
    sim.fail("cuCtxSynchronize", 1, 1001, 0);
    sim.fail("cuCtxSynchronize", 2, 1002, 0);
    sim.fail(nullptr, 4, 1003, 0);
    CHECK(cuCtxSynchronize() == 1001);
    CHECK(cuCtxSynchronize() == 1002);
    CHECK(cuCtxSynchronize() == CUDA_SUCCESS);
    CHECK(cuCtxSynchronize() == 1003);
}

TEST_CASE("a call can fail although it did its work") {
    Context primary;
    CUstream stream = make_stream();
    sim.fail_after("cuStreamDestroy", 1, 999, 0);
    CHECK(cuStreamDestroy_v2(stream) == 999);
    CHECK(sim.live_count("stream") == 0);
    CHECK(sim.failures_injected() == 1);
}

TEST_CASE("calls are logged and counted under their base names") {
    Context primary;
    CUstream stream = make_stream();
    sim.log_clear();
    REQUIRE(cuStreamDestroy_v2(stream) == CUDA_SUCCESS);
    REQUIRE(cuCtxSynchronize() == CUDA_SUCCESS);
    std::array<char, 64> expected{};
    std::snprintf(expected.data(), expected.size(), "cuStreamDestroy(%p) = 0", static_cast<void *>(stream));
    CHECK(sim.log_size() == 2);
    CHECK(log_entry(0) == expected.data());
    CHECK(log_entry(1) == "cuCtxSynchronize() = 0");
    CHECK(log_entry(2) == "none");
    CHECK(sim.call_count("cuStreamDestroy") == 1);
    CHECK(sim.call_count("cuStreamCreateWithPriority") == 0);
    CHECK(sim.call_count(nullptr) == 2);
}

TEST_CASE("live objects are listed with their context") {
    Context primary;
    CUstream stream = make_stream();
    std::array<char, 128> expected{};
    std::snprintf(expected.data(), expected.size(), "context %p\nstream %p of context %p\n", static_cast<void *>(primary.context),
                  static_cast<void *>(stream), static_cast<void *>(primary.context));
    CHECK(text_of(sim.live_list) == expected.data());

    std::array<char, 8> short_text{};
    CHECK(sim.live_list(short_text.data(), short_text.size()) == std::strlen(expected.data()));
    CHECK(std::string(short_text.data()) == "context");
}

// Threads

TEST_CASE("threads use different streams at the same time") {
    Context primary;
    CUkernel kernel = kernel_of(load(STORE), "store");
    std::array<uint32_t, 4> sums{};
    std::vector<std::thread> threads;
    for (uint32_t index = 0; index < sums.size(); index++) {
        threads.emplace_back([&, index] {
            cuCtxSetCurrent(primary.context);
            CUstream stream = nullptr;
            CUmemoryPool pool = nullptr;
            cuStreamCreateWithPriority(&stream, 0, 0);
            cuDeviceGetDefaultMemPool(&pool, 0);
            for (uint32_t round = 0; round < 100; round++) {
                CUdeviceptr memory = 0;
                uint32_t value = 0;
                cuMemAllocFromPoolAsync(&memory, 256, pool, stream);
                cuMemsetD8Async(memory, 0, 256, stream);
                launch_store(kernel, memory, index + round, stream);
                cuMemcpyDtoHAsync_v2(&value, memory, sizeof value, stream);
                cuMemFreeAsync(memory, stream);
                cuStreamSynchronize(stream);
                sums[index] += value;
            }
            cuStreamDestroy_v2(stream);
        });
    }
    for (std::thread &thread : threads) {
        thread.join();
    }
    for (uint32_t index = 0; index < sums.size(); index++) {
        CHECK(sums[index] == 4950 + 100 * index);
    }
    CHECK(sim.live_count("memory") == 0);
    CHECK(sim.live_count("stream") == 0);
}

TEST_CASE("threads that share a stream and an event wait for each other's work") {
    Context primary;
    CUkernel kernel = kernel_of(load(STORE), "store");
    CUstream shared = make_stream();
    CUdeviceptr memory = allocate(4, shared);
    std::array<int, 4> failures{};
    std::vector<std::thread> threads;
    for (size_t index = 0; index < failures.size(); index++) {
        threads.emplace_back([&, index] {
            cuCtxSetCurrent(primary.context);
            CUstream own = nullptr;
            CUevent event = nullptr;
            cuStreamCreateWithPriority(&own, 0, 0);
            cuEventCreate(&event, 0);
            for (uint32_t round = 0; round < 100; round++) {
                failures[index] += launch_store(kernel, memory, round, shared) != CUDA_SUCCESS;
                failures[index] += cuEventRecord(event, shared) != CUDA_SUCCESS;
                failures[index] += cuStreamWaitEvent(own, event, 0) != CUDA_SUCCESS;
                failures[index] += cuStreamSynchronize(own) != CUDA_SUCCESS;
                failures[index] += cuEventQuery(event) != CUDA_SUCCESS;
            }
        });
    }
    for (std::thread &thread : threads) {
        thread.join();
    }
    CHECK(failures == std::array<int, 4>{});
    CHECK(cuCtxSynchronize() == CUDA_SUCCESS);
}
