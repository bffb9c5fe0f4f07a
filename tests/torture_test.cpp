// SPDX-License-Identifier: MIT OR Apache-2.0
// Torture (support/torture.hpp): the main job and its parts, rerun with one call after another failing, once and sticky. On the
// simulated driver with the simulated compilers.
#include "support/contexts.hpp"
#include "support/process.hpp"
#include "support/torture.hpp"

#include <iostream>

using namespace test;

namespace {

constexpr int32_t COUNT = 64;

/// CUDA C++ to a library: compiled to LTO-IR, linked, loaded.
Library compile_and_link(Job &job, cucore_device *device) {
    const std::string source = SAXPY_SOURCE + "#warning so that there is a log to get\n";
    const Program program = job.make(cucore_program_create, device, source.data(), source.size(), nullptr);
    const ObjectCode lto = job.make(cucore_program_compile, program, CUCORE_OBJECT_CODE_LTO_IR);
    cucore_object_code *inputs[] = {lto};
    cucore_linker_options options{};
    options.struct_size = sizeof options;
    options.kind = CUCORE_OBJECT_CODE_PTX;
    const cucore_text time = {"-time", 5}; // which makes a log too
    options.options = &time;
    options.option_count = 1;
    const Linker linker = job.make(cucore_linker_create, device, inputs, size_t{1}, &options);
    return job.make(cucore_library_load, device, job.make(cucore_linker_link, linker));
}

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

/// Contexts: asked for, waited for, set and set back.
void contexts(Job &job) {
    const Device device = job.make(cucore_device_open, 0);
    const auto threads = job.read<int32_t>(cucore_device_attribute, device, 1);
    const auto count = job.read<int32_t>(cucore_device_count);
    CHECK((threads > 0 && count > 0));
    const Context context = job.make(cucore_device_context, device);
    job.ok(cucore_context_synchronize, context);
    const Context previous(job.read<cucore_context *>(cucore_context_set_current, context));
    try {
        job.ok(cucore_context_set_current, previous, nullptr);
    } catch (const Job::Stopped &) { // set back behind the library's back
        sim().fail_nothing();
        raw().cuCtxSetCurrent(cucore_context_raw(previous));
        throw;
    }
}

/// From CUDA C++ to a kernel.
void compilation(Job &job) {
    const Device device = job.make(cucore_device_open, 0);
    const Library library = compile_and_link(job, device);
    job.make(cucore_library_kernel, library, "saxpy", size_t{5});
}

const Scenario MAIN_JOB = {"the main job", &main_job};
const Scenario MANY_STREAMS = {"a buffer on many streams", &many_streams};
const Scenario CONTEXTS = {"contexts", &contexts};
const Scenario COMPILATION = {"compilation", &compilation};

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

TEST_CASE_METHOD(Tortured, "torture: driver calls of the main job", "[sim]") {
    torture_in_both(MAIN_JOB, DRIVER_CALLS);
}

TEST_CASE_METHOD(Tortured, "torture: driver calls of a buffer on many streams", "[sim]") {
    torture_in_both(MANY_STREAMS, DRIVER_CALLS);
}

TEST_CASE_METHOD(Tortured, "torture: driver calls of contexts", "[sim]") {
    torture_in_both(CONTEXTS, DRIVER_CALLS);
}

TEST_CASE_METHOD(Tortured, "torture: driver calls of a compilation", "[sim]") {
    torture_in_both(COMPILATION, DRIVER_CALLS);
}

TEST_CASE_METHOD(Tortured, "torture: compiler calls of a compilation", "[sim]") {
    torture_in_both(COMPILATION, NVRTC_CALLS);
    torture_in_both(COMPILATION, NVJITLINK_CALLS);
}

TEST_CASE_METHOD(Tortured, "torture: allocations", "[sim]") {
    for (const Scenario *scenario : {&MAIN_JOB, &MANY_STREAMS, &CONTEXTS, &COMPILATION}) {
        torture_in_both(*scenario, LIBRARY_ALLOCATIONS);
    }
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
