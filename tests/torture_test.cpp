// SPDX-License-Identifier: MIT OR Apache-2.0
// Torture (support/torture.hpp): the main job and its parts, rerun with one call after another failing, once and sticky. On the
// simulated driver with the simulated compilers.
#include "support/contexts.hpp"
#include "support/process.hpp"
#include "support/torture.hpp"

#include <algorithm>
#include <atomic>
#include <iostream>
#include <memory>

using namespace test;

namespace {

constexpr int32_t COUNT = 64;

/// From PTX to a verified result: streams, events, pool memory, copies, a fill, a launch.
void main_job(Job &job) {
    const Device device = job.make(cucore_device_open, 0);
    const Stream stream = job.make(cucore_stream_create, device, nullptr);
    const Stream other = job.make(cucore_stream_create, device, nullptr);
    const cucore_event_options timing{sizeof timing, CUCORE_ON, CUCORE_DEFAULT};
    const Event start = job.make(cucore_event_create, device, &timing), end = job.make(cucore_event_create, device, &timing);
    const Resource resource = job.make(cucore_memory_resource_device_pool, device);
    const Buffer x = job.make(cucore_memory_resource_allocate, resource, COUNT * sizeof(float), stream);
    const Buffer y = job.make(cucore_memory_resource_allocate, resource, COUNT * sizeof(float), stream);
    const std::vector<float> ones(COUNT, 1.0f);
    job.ok(cucore_buffer_copy_from_host, x, size_t{0}, ones.data(), COUNT * sizeof(float), stream);
    job.ok(cucore_buffer_fill, y, size_t{0}, COUNT * sizeof(float), 0x40000000u, 4u, stream); // 2.0f
    const ObjectCode code =
        job.make(cucore_object_code_create, CUCORE_OBJECT_CODE_PTX, SAXPY_PTX.data(), SAXPY_PTX.size(), "job.ptx", size_t{7});
    const Library library = job.make(cucore_library_load, device, code);
    const Kernel kernel = job.make(cucore_library_kernel, library, "saxpy", size_t{5});
    const auto parameters = job.read<size_t>(cucore_kernel_parameter_count, kernel);
    CHECK(parameters == 4);
    const cucore_launch_options options = shape(2, 32);
    const cucore_argument arguments[] = {value(3.0f), object(x), object(y), value(COUNT)};
    job.ok(cucore_event_record, start, stream);
    job.ok(cucore_stream_wait_event, other, start);
    job.ok(cucore_kernel_launch, kernel, other, &options, arguments, size_t{4});
    job.ok(cucore_event_record, end, other);
    job.ok(cucore_event_synchronize, end);
    const auto milliseconds = job.read<float>(cucore_event_elapsed, start, end);
    CHECK(milliseconds >= 0);
    std::vector<float> result(COUNT);
    job.ok(cucore_buffer_copy_to_host, y, size_t{0}, result.data(), COUNT * sizeof(float), stream);
    CHECK(result == std::vector<float>(COUNT, 5.0f));
    job.ok(cucore_stream_synchronize, other);
}

/// Memory used on many streams, freed after all of them.
void many_streams(Job &job) {
    const Device device = job.make(cucore_device_open, 0);
    const Stream home = job.make(cucore_stream_create, device, nullptr);
    const Resource resource = job.make(cucore_memory_resource_device_pool, device);
    const Buffer buffer = job.make(cucore_memory_resource_allocate, resource, size_t{256}, home);
    for (int index = 0; index < 6; index++) {
        const Stream stream = job.make(cucore_stream_create, device, nullptr);
        job.ok(cucore_buffer_fill, buffer, size_t{0}, size_t{256}, 1u, 1u, stream);
    }
}

/// Callbacks on a stream, dropped once each whatever fails.
void stream_callbacks(Job &job) {
    const Device device = job.make(cucore_device_open, 0);
    const Stream stream = job.make(cucore_stream_create, device, nullptr);
    static std::atomic<int> runs, drops;
    runs = drops = 0;
    const auto count = [](const cucore_status *, void *) { runs++; };
    const auto drop = [](void *) { drops++; };
    const Stream legacy = job.make(cucore_stream_default, device);
    for (cucore_stream *each : {stream.get(), legacy.get(), stream.get()}) {
        job.ok(cucore_stream_add_callback, each, +count, static_cast<void *>(nullptr), +drop);
    }
    job.ok(cucore_stream_synchronize, stream);
    job.ok(cucore_stream_synchronize, legacy);
    job.ok(cucore_deferred_drain);
    CHECK(runs <= drops);
}

/// While it lives the scenario captures a stream. If the scenario ends early the capture is ended with nothing failing.
class Capturing {
  public:
    Capturing(Job &job, CUstream stream) : job_(job) {
        job.direct("cuStreamBeginCapture", raw().cuStreamBeginCapture(stream, CU_STREAM_CAPTURE_MODE_THREAD_LOCAL));
        stream_ = stream;
    }
    Capturing(const Capturing &) = delete;
    ~Capturing() {
        if (stream_ != nullptr) {
            sim().fail_nothing();
            CUgraph graph = nullptr;
            raw().cuStreamEndCapture(stream_, &graph);
            raw().cuGraphDestroy(graph);
        }
    }
    void end() {
        CUgraph graph = nullptr;
        job_.direct("cuStreamEndCapture", raw().cuStreamEndCapture(stream_, &graph));
        stream_ = nullptr;
        const CUresult result = raw().cuGraphDestroy(graph);
        if (result != CUDA_SUCCESS) {
            sim().fail_nothing();
            raw().cuGraphDestroy(graph);
        }
        job_.direct("cuGraphDestroy", result);
    }

  private:
    Job &job_;
    CUstream stream_ = nullptr;
};

/// A call that has to be set back, which is done with nothing failing if it has to be.
void set_back(Job &job, cucore_context *previous) {
    try {
        job.ok(cucore_context_set_current, previous, nullptr);
    } catch (const Job::Stopped &) {
        sim().fail_nothing();
        raw().cuCtxSetCurrent(cucore_context_raw(previous));
        throw;
    }
}

/// Devices and their contexts: asked, waited for, set and set back.
void devices_and_contexts(Job &job) {
    const auto version = job.read<int32_t>(cucore_driver_version);
    const auto count = job.read<int32_t>(cucore_device_count);
    CHECK((version >= 12000 && count == 2));
    cucore_device *all[2];
    const auto total = job.read<size_t>(cucore_device_open_all, all, size_t{2});
    const Device device(all[0]), peer(all[1]);
    CHECK(total == 2);
    const auto threads = job.read<int32_t>(cucore_device_attribute, device, 1);
    const auto can = job.read<int32_t>(cucore_device_can_access_peer, device, peer);
    CHECK((threads > 0 && can >= 0));
    uint64_t available = 0;
    const auto memory = job.read<uint64_t>(cucore_device_memory_info, device, &available);
    int32_t lowest = 0;
    const auto highest = job.read<int32_t>(cucore_device_stream_priority_range, device, &lowest);
    CHECK((memory >= available && highest <= lowest));
    Context context = job.make(cucore_device_context, device);
    job.ok(cucore_context_synchronize, context);
    job.ok(cucore_device_synchronize, device);
    const Context previous(job.read<cucore_context *>(cucore_context_set_current, context));
    set_back(job, previous);
    const Context before(job.read<cucore_context *>(cucore_device_set_current, device));
    set_back(job, before);
    const auto seven = [](void *) { return int32_t{7}; };
    int32_t result = 0; // which is stored also if the way back fails
    job.ok(cucore_context_run, context, seven, nullptr, nullptr, &result);
    CHECK(result == 7);
    job.close(context);
    job.ok(cucore_context_release_primary, 1); // of which nothing is held
}

/// Contexts of other code: found, borrowed, adopted, worked in.
void foreign_contexts(Job &job) {
    const Context current(job.read<cucore_context *>(cucore_context_current));
    const Device current_device(job.read<cucore_device *>(cucore_device_current));
    const Context lent = job.make(cucore_context_from_raw, job.foreign.lent, CUCORE_BORROW, nullptr, nullptr);
    Context adopted = job.make(cucore_context_from_raw, job.foreign.context, CUCORE_ADOPT, nullptr, nullptr);
    job.foreign.context_taken = true;
    const Context borrower = job.make(cucore_context_from_raw, job.foreign.context, CUCORE_BORROW, nullptr, nullptr);
    Device device = job.make(cucore_device_with_context, lent);
    const Stream stream = job.make(cucore_stream_from_raw, device, job.foreign.stream, CUCORE_ADOPT, nullptr, nullptr);
    job.foreign.stream_taken = true;
    const Stream other = job.make(cucore_stream_create, job.make(cucore_device_with_context, adopted), nullptr);
    job.ok(cucore_stream_wait_stream, stream, other);
    job.ok(cucore_stream_synchronize, stream);
    job.close(adopted);
    job.close(device);
}

/// Streams and events: of every kind, asked everything, waiting for each other.
void streams_and_events(Job &job) {
    const Device device = job.make(cucore_device_open, 0);
    cucore_stream_options options{};
    options.struct_size = sizeof options;
    options.has_priority = 1;
    Stream stream = job.make(cucore_stream_create, device, &options);
    const Stream first = job.make(cucore_stream_default, device);
    const Stream borrower = job.make(cucore_stream_from_raw, device, cucore_stream_raw(stream), CUCORE_BORROW, nullptr, nullptr);
    for (cucore_stream *asked : {stream.get(), first.get()}) {
        const auto priority = job.read<int32_t>(cucore_stream_priority, asked);
        const auto flags = job.read<uint32_t>(cucore_stream_flags, asked);
        const auto id = job.read<uint64_t>(cucore_stream_id, asked);
        const auto capturing = job.read<int32_t>(cucore_stream_is_capturing, asked);
        const auto done = job.read<int32_t>(cucore_stream_is_done, asked);
        CHECK((priority <= 0 && flags <= 1 && id > 0 && capturing == 0 && done == 1));
    }
    Event event = job.make(cucore_event_create, device, nullptr);
    job.ok(cucore_event_record, event, first);
    job.ok(cucore_stream_wait_event, stream, event);
    job.ok(cucore_stream_wait_stream, stream, first);
    job.ok(cucore_stream_wait_stream, first, stream);
    const auto done = job.read<int32_t>(cucore_event_is_done, event);
    CHECK(done == 1);
    job.ok(cucore_event_synchronize, event);
    job.ok(cucore_stream_synchronize, first);
    job.close(event);
    job.close(stream);
}

/// Memory of every kind, copied in every way.
void memory(Job &job) {
    const Device device = job.make(cucore_device_open, 0);
    const Stream stream = job.make(cucore_stream_create, device, nullptr), other = job.make(cucore_stream_create, device, nullptr);
    const Stream first = job.make(cucore_stream_default, device);
    cucore_memory_pool_options options{};
    options.struct_size = sizeof options;
    options.max_size = 1 << 26;
    Resource pool = job.make(cucore_memory_resource_create_pool, device, &options);
    const Resource host_pool = job.make(cucore_memory_resource_create_pinned_pool, device, nullptr);
    const Resource pinned = job.make(cucore_memory_resource_pinned, device);
    job.ok(cucore_memory_resource_set_attribute, pool, CUCORE_POOL_ATTRIBUTE_RELEASE_THRESHOLD, uint64_t{0});
    Buffer source = job.make(cucore_memory_resource_allocate, pool, size_t{64}, stream);
    const Buffer copy = job.make(cucore_memory_resource_allocate, host_pool, size_t{64}, stream);
    const Buffer host = job.make(cucore_memory_resource_allocate, pinned, size_t{64}, stream);
    const Buffer of_default = job.make(cucore_memory_resource_allocate, pool, size_t{64}, first);
    job.ok(cucore_buffer_fill, source, size_t{0}, size_t{64}, 7u, 1u, stream);
    job.ok(cucore_buffer_copy, copy, size_t{0}, source, size_t{0}, size_t{64}, stream);
    job.ok(cucore_buffer_copy, host, size_t{0}, copy, size_t{0}, size_t{64}, stream);
    job.ok(cucore_buffer_copy, of_default, size_t{0}, source, size_t{0}, size_t{64}, first);
    job.ok(cucore_buffer_note_use, source, other);
    static char bytes[64];
    job.ok(cucore_buffer_copy_to_host_unchecked, host, size_t{0}, bytes, size_t{64}, stream);
    job.ok(cucore_buffer_copy_from_host_unchecked, source, size_t{0}, bytes, size_t{64}, stream);
    job.ok(cucore_buffer_synchronize, source);
    CHECK(std::string(bytes, 64) == std::string(64, 7));
    job.ok(cucore_buffer_copy_from_host, of_default, size_t{0}, bytes, size_t{64}, first);
    job.ok(cucore_buffer_copy_to_host, of_default, size_t{0}, bytes, size_t{64}, first);
    job.close(source);
    const auto used = job.read<uint64_t>(cucore_memory_resource_attribute, pool, CUCORE_POOL_ATTRIBUTE_USED_CURRENT);
    CHECK(used == 64);
    job.ok(cucore_memory_resource_trim, pool, size_t{0});
    job.close(pool);
}

/// Memory given up while its streams are being captured, and freed when they no longer are.
void captured_memory(Job &job) {
    const Device device = job.make(cucore_device_open, 0);
    const Stream stream = job.make(cucore_stream_create, device, nullptr), other = job.make(cucore_stream_create, device, nullptr);
    const Resource resource = job.make(cucore_memory_resource_device_pool, device);
    Buffer own = job.make(cucore_memory_resource_allocate, resource, size_t{64}, stream);
    Buffer noted = job.make(cucore_memory_resource_allocate, resource, size_t{64}, other);
    job.ok(cucore_buffer_note_use, noted, stream);
    Capturing capture(job, cucore_stream_raw(stream));
    job.close(own);
    noted.reset();
    const auto capturing = job.read<int32_t>(cucore_stream_is_capturing, stream);
    CHECK(capturing == 1);
    capture.end();
    job.ok(cucore_deferred_drain);
}

/// Everything given up in a callback, and destroyed by the library's thread.
void callback(Job &job) {
    const Device device = job.make(cucore_device_open, 0);
    Stream stream = job.make(cucore_stream_create, device, nullptr);
    Event event = job.make(cucore_event_create, device, nullptr);
    const Resource pool = job.make(cucore_memory_resource_create_pool, device, nullptr);
    Buffer buffer = job.make(cucore_memory_resource_allocate, pool, size_t{64}, stream);
    job.ok(cucore_buffer_note_use, buffer, job.make(cucore_stream_create, device, nullptr));
    job.ok(cucore_callback_enter);
    buffer.reset();
    stream.reset();
    Status status;
    const int32_t code = cucore_event_close(event.give(), nullptr, status);
    cucore_callback_leave();
    CHECK(code == CUCORE_OK);
    job.ok(cucore_deferred_drain);
}

/// CUDA C++ to a library: compiled with all there is of options, linked, loaded, and asked for what is in it.
void compilation(Job &job) {
    const auto minor = [&] {
        int32_t major = 0;
        return job.read<int32_t>(cucore_compiler_version, CUCORE_COMPILER_NVRTC, &major);
    }();
    CHECK(minor >= 0);
    const Device device = job.make(cucore_device_open, 0);
    const cucore_text define = {"N=4", 3}, name = {"saxpy", 5};
    cucore_program_options options{};
    options.struct_size = sizeof options;
    options.defines = &define;
    options.define_count = 1;
    options.name_expressions = &name;
    options.name_expression_count = 1;
    options.lineinfo = CUCORE_ON;
    Program program = job.make(cucore_program_create, device, SAXPY_SOURCE.data(), SAXPY_SOURCE.size(), &options);
    ObjectCode lto = job.make(cucore_program_compile, program, CUCORE_OBJECT_CODE_LTO_IR);
    job.close(program);
    cucore_object_code *inputs[] = {lto};
    cucore_linker_options linking{};
    linking.struct_size = sizeof linking;
    linking.kind = CUCORE_OBJECT_CODE_PTX;
    linking.verbose = CUCORE_ON;
    Linker linker = job.make(cucore_linker_create, device, inputs, size_t{1}, &linking);
    const ObjectCode linked = job.make(cucore_linker_link, linker);
    job.close(linker);
    job.close(lto);
    const Library library = job.make(cucore_library_load, device, linked);
    job.make(cucore_library_kernel, library, "saxpy", size_t{5});
}

/// A library and its kernel, asked everything.
void library_and_kernel(Job &job) {
    const Device device = job.make(cucore_device_open, 0);
    const std::string code = SAXPY_PTX + ".visible .global .align 4 .u32 counter;\n";
    const ObjectCode object_code =
        job.make(cucore_object_code_create, CUCORE_OBJECT_CODE_PTX, code.data(), code.size(), nullptr, size_t{0});
    Library library = job.make(cucore_library_load, device, object_code);
    const auto count = job.read<size_t>(cucore_library_kernel_count, library);
    cucore_kernel *kernels[1];
    const auto total = job.read<size_t>(cucore_library_kernels, library, kernels, size_t{1});
    Kernel kernel(kernels[0]);
    uint64_t address = 0;
    const auto size = job.read<size_t>(cucore_library_global, library, "counter", size_t{7}, &address);
    const auto parameter = job.read<size_t>(cucore_kernel_parameter_size, kernel, size_t{1});
    const auto offset = job.read<size_t>(cucore_kernel_parameter_offset, kernel, size_t{1});
    const auto threads = job.read<int32_t>(cucore_kernel_attribute, kernel, CUCORE_KERNEL_ATTRIBUTE_MAX_THREADS_PER_BLOCK, nullptr);
    CHECK((count == 1 && total == 1 && size == 4 && parameter == 8 && offset == 8 && threads > 0));
    job.ok(cucore_kernel_set_attribute, kernel, CUCORE_KERNEL_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE, device, 1024);
    job.close(library);
    job.close(kernel);
}

/// Two inputs joined by the driver's linker.
void driver_linker(Job &job) {
    const Device device = job.make(cucore_device_open, 0);
    const auto input = [&](const std::string &code) {
        return job.make(cucore_object_code_create, CUCORE_OBJECT_CODE_PTX, code.data(), code.size(), "input", size_t{5});
    };
    const ObjectCode first = input(SAXPY_PTX), second = input(NOTHING_PTX);
    cucore_object_code *inputs[] = {first, second};
    cucore_linker_options options{};
    options.struct_size = sizeof options;
    options.max_registers = 32;
    Linker linker = job.make(cucore_linker_create, device, inputs, size_t{2}, &options);
    CHECK(cucore_linker_kind(linker) == CUCORE_LINKER_DRIVER);
    const ObjectCode linked = job.make(cucore_linker_link, linker);
    job.close(linker);
    job.make(cucore_library_load, device, linked);
}

/// What needs no driver: sinks, queues, object code, the list of live handles, where compilers are looked for.
void host_only(Job &job) {
    const auto nothing = [](const cucore_status *, void *) { return int32_t{0}; };
    const std::unique_ptr<cucore_warning_sink, decltype(&cucore_warning_sink_release)> sink(
        job.take(cucore_warning_sink_register, nothing, nullptr, nullptr), &cucore_warning_sink_release);
    const std::unique_ptr<cucore_warning_queue, decltype(&cucore_warning_queue_release)> queue(
        job.take(cucore_warning_queue_create, size_t{4}), &cucore_warning_queue_release);
    ObjectCode code = job.make(cucore_object_code_create, CUCORE_OBJECT_CODE_PTX, "code", size_t{4}, "name", size_t{4});
    cucore_live_list_enable();
    cucore_live_list_release(job.take(cucore_live_list_create));
    job.close(code);
    job.ok(cucore_compiler_use_wheels, "/nonexistent", size_t{12});
}

const Scenario MAIN_JOB = {"the main job", &main_job};
const Scenario STREAM_CALLBACKS = {"callbacks on a stream", &stream_callbacks};
const Scenario MANY_STREAMS = {"a buffer on many streams", &many_streams};
const Scenario DEVICES_AND_CONTEXTS = {"devices and contexts", &devices_and_contexts};
const Scenario FOREIGN_CONTEXTS = {"foreign contexts", &foreign_contexts};
const Scenario STREAMS_AND_EVENTS = {"streams and events", &streams_and_events};
const Scenario MEMORY = {"memory", &memory};
const Scenario CAPTURED_MEMORY = {"memory of captured streams", &captured_memory};
const Scenario CALLBACK = {"a callback", &callback};
const Scenario COMPILATION = {"compilation", &compilation};
const Scenario DRIVER_LINKER = {"the driver's linker", &driver_linker, 1}; // why nvJitLink is not used
const Scenario LIBRARY_AND_KERNEL = {"a library and its kernel", &library_and_kernel};
const Scenario HOST_ONLY = {"the host alone", &host_only};

/// Those that call the driver.
const Scenario *const driver_scenarios[] = {&MAIN_JOB,           &MANY_STREAMS, &DEVICES_AND_CONTEXTS, &FOREIGN_CONTEXTS,
                                            &STREAMS_AND_EVENTS, &MEMORY,       &CAPTURED_MEMORY,      &CALLBACK,
                                            &STREAM_CALLBACKS,   &COMPILATION,  &LIBRARY_AND_KERNEL};

const std::vector<std::string> functions_with_status = {
#include "functions_with_status.inc"
};

/// Functions that no scenario calls, and where they are made to fail instead.
const char *const exceptions[] = {
    "cucore_driver_use_library",   // only before the first use of the driver: torture_child
    "cucore_driver_use_entry",     // likewise
    "cucore_compiler_use_library", // only before the first use of the compiler: torture_child
};

/// The runs look at warnings and at what is left alive themselves.
struct Tortured : Clean {
    Tortured() {
        sink.release();
        expect_any_leaks();
    }
};

/// The same with no context current and with the caller's own.
void torture_in_both(const Scenario &scenario, const FaultSource &source) {
    torture(scenario, source);
    const ForeignContext foreign;
    torture(scenario, source);
}

} // namespace

TEST_CASE_METHOD(Tortured, "torture: driver calls", "[sim]") {
    for (const Scenario *scenario : driver_scenarios) {
        torture_in_both(*scenario, DRIVER_CALLS);
    }
}

TEST_CASE_METHOD(Tortured, "torture: compiler calls of a compilation", "[sim]") {
    torture_in_both(COMPILATION, NVRTC_CALLS);
    torture_in_both(COMPILATION, NVJITLINK_CALLS);
}

TEST_CASE_METHOD(Tortured, "torture: allocations", "[sim]") {
    for (const Scenario *scenario : driver_scenarios) {
        torture_in_both(*scenario, LIBRARY_ALLOCATIONS);
    }
    torture(HOST_ONLY, LIBRARY_ALLOCATIONS);
}

// Run by itself, with an nvJitLink that is older than the driver (CMakeLists.txt).
TEST_CASE_METHOD(Tortured, "torture: the driver's linker", "[.][sim][driver-linker]") {
    torture_in_both(DRIVER_LINKER, DRIVER_CALLS);
    torture_in_both(DRIVER_LINKER, LIBRARY_ALLOCATIONS);
}

TEST_CASE_METHOD(Tortured, "torture: the scenarios call every exported function that takes a status", "[sim]") {
    for (const Scenario *scenario : driver_scenarios) {
        run_untouched(*scenario);
    }
    run_untouched(HOST_ONLY);
    for (const std::string &function : functions_with_status) {
        INFO(function);
        CHECK(was_called(function) == (std::count(std::begin(exceptions), std::end(exceptions), function) == 0));
    }
}

/// Runs `torture_child <action> <kind> <nth> <sticky>` with one call after another failing, until one run is left untouched. A lack
/// of memory passes, but what was not found is remembered.
int torture_child(const std::string &action, const std::string &kind) {
    const bool passes = kind != "dlopen" && kind != "dlsym";
    int runs = 0;
    for (const std::string sticky : {"0", "1"}) {
        for (int nth = 1;; nth++, runs++) {
            const Ended ended = run_program("torture_child", {action, kind, std::to_string(nth), sticky});
            INFO(action << " " << kind << " " << nth << " " << sticky << "\n" << ended.out << ended.err);
            REQUIRE(ended.code == 0);
            CHECK_THAT(ended.out, has("second: OK\n") || (passes ? has("never") : has("second: NOT_")));
            if (ended.out.find("failures 0\n") == 0) {
                CHECK_THAT(ended.out, has("first: OK\n"));
                break;
            }
            CHECK_THAT(ended.out, has("consistent\n"));
        }
    }
    return runs;
}

TEST_CASE("torture: the first use of the compilers", "[sim]") {
    int runs = 0;
    for (const char *kind : {"allocation", "dlopen", "dlsym"}) {
        runs += torture_child("compilers", kind);
    }
    std::cout << "torture: the first use of the compilers: " << runs << " runs\n";
}

TEST_CASE("torture: the start of the library's thread", "[sim]") {
    int runs = 0;
    for (const char *kind : {"allocation", "dlopen", "pthread_create"}) {
        runs += torture_child("thread", kind);
    }
    std::cout << "torture: the start of the library's thread: " << runs << " runs\n";
}

TEST_CASE("torture: naming the driver and a compiler", "[sim]") {
    const int runs = torture_child("names", "allocation");
    std::cout << "torture: naming the driver and a compiler: " << runs << " runs\n";
}

TEST_CASE("torture: the first use of the driver", "[sim]") {
    int runs = 0;
    for (const std::string kind : {"driver", "allocation", "dlopen", "dlsym"}) {
        for (const std::string sticky : {"0", "1"}) {
            for (int nth = 1;; nth++, runs++) {
                const Ended ended = run_child({"fail-loading", kind, std::to_string(nth), sticky});
                INFO(kind << " " << nth << " " << sticky << "\n" << ended.out << ended.err);
                REQUIRE(ended.code == 0);
                if (ended.out.find("failures 0\n") == 0) {
                    CHECK_THAT(ended.out, has("device open\ncode OK\n"));
                    break;
                }
                if (kind == "allocation") { // not remembered
                    CHECK_THAT(ended.out, has("device NULL\ncode OUT_OF_MEMORY\n") || has("device open\ncode OK\n"));
                    CHECK_THAT(ended.out, has("second: OK\n"));
                }
                CHECK_THAT(ended.out, has("device NULL\n") || has("device open\ncode OK\n"));
            }
        }
    }
    std::cout << "torture: the first use of the driver: " << runs << " runs\n";
}
