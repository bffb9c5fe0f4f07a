// SPDX-License-Identifier: MIT OR Apache-2.0
// What needs no driver: statuses, warnings, object code.
#include "scenarios.hpp"

namespace torture {

namespace {

/// A failure taken apart.
void statuses(Job &job) {
    const std::string message = "the disk is full";
    cucore_status *own = job.get(cucore_status_create, CUCORE_OS, message.data(), message.size());
    cucore_status *same = job.get(cucore_status_retain, static_cast<const cucore_status *>(own));
    job.get(cucore_status_release, own);
    job.intend(same);
    const test::AtEnd release([&] { job.get(cucore_status_release, same); });
    const cucore_status *status = same;
    size_t size = 0;
    job.expect(job.get(cucore_status_code, status) == CUCORE_OS, "a status has its code");
    job.expect(job.get(cucore_status_domain, status) == CUCORE_DOMAIN_CUCORE, "a status of the library's says so");
    job.expect(job.get(cucore_status_native_code, status) == 0, "it has no other code");
    job.expect(job.get(cucore_status_resource, status) == 0, "it is of no resource");
    job.expect(job.get(cucore_status_message, status, &size) != nullptr && size > 0, "a status has a message");
    job.expect(job.get(cucore_status_log, status, &size) != nullptr && size == 0, "it has no log");
    job.expect(job.get(cucore_status_operation, status, &size) != nullptr, "a status may name an operation");
    job.expect(job.get(cucore_status_note_count, status) == 0, "it has no notes");
    job.expect(job.get(cucore_status_note, status, size_t{0}) == nullptr, "so there is no first one");
    job.expect(job.get(cucore_status_note_kind, status, size_t{0}) == 0, "and it has no kind");
    job.expect(job.get(cucore_status_code_name, CUCORE_OS) == std::string("OS"), "codes have names");
    job.expect(job.get(cucore_status_native_name, CUCORE_DOMAIN_DRIVER, int64_t{2}) == std::string("CUDA_ERROR_OUT_OF_MEMORY"),
               "so have the driver's");
    job.expect(job.get(cucore_status_native_description, CUCORE_DOMAIN_DRIVER, int64_t{2}) != nullptr, "and descriptions");
}

/// Sinks, one that delivers and one that cannot.
void sinks(Job &job) {
    int drops = 0;
    const auto count = [](void *data) { ++*static_cast<int *>(data); };
    const auto delivers = [](const cucore_status *, void *) { return int32_t{0}; };
    const auto cannot = [](const cucore_status *, void *) { return int32_t{1}; };
    {
        cucore_warning_sink *first = job.take(cucore_warning_sink_register, delivers, static_cast<void *>(&drops), count);
        const test::AtEnd release([&] { job.get(cucore_warning_sink_release, first); });
        cucore_warning_sink *second = job.take(cucore_warning_sink_register, cannot, static_cast<void *>(&drops), count);
        job.get(cucore_warning_sink_release, second);
        job.expect(drops == 1, "a sink's data is dropped once");
    }
    job.expect(drops == 2, "a sink's data is dropped once");
}

/// A queue that is polled while a stream's end may fail.
void queue(Job &job) {
    cucore_warning_queue *queue = job.take(cucore_warning_queue_create, size_t{1});
    const test::AtEnd release([&] {
        while (cucore_status *warning = job.get(cucore_warning_queue_poll, queue)) {
            job.expect(cucore_status_code(warning) != CUCORE_OK, "a warning is a failure");
            cucore_status_release(warning);
        }
        job.get(cucore_warning_queue_release, queue);
    });
    {
        const Device device = job.make(cucore_device_open, 0);
        const Stream stream = job.make(cucore_stream_create, device, nullptr);
        const Event event = job.make(cucore_event_create, device, nullptr);
    }
    job.expect(job.get(cucore_warning_queue_lost, queue) <= 1, "a queue of one loses at most the second of two");
}

/// Code that the caller has, of each kind.
void object_codes(Job &job) {
    ObjectCode code = job.make(cucore_object_code_create, CUCORE_OBJECT_CODE_LTO_IR, "code", size_t{4}, "name", size_t{4});
    const ObjectCode same = job.hold(cucore_object_code_retain, code.get());
    job.close(code);
    size_t size = 0;
    job.expect(job.get(cucore_object_code_kind, same.get()) == CUCORE_OBJECT_CODE_LTO_IR, "code has a kind");
    job.expect(job.get(cucore_object_code_raw, same.get(), &size) == std::string("code") && size == 4, "code is bytes");
    job.expect(job.get(cucore_object_code_name, same.get(), &size) == std::string("name"), "code has a name");
    job.expect(job.get(cucore_object_code_log, same.get(), &size) == std::string(), "nobody said anything about it");
    job.expect(job.get(cucore_object_code_lowered_name, same.get(), "f", size_t{1}, &size) == nullptr, "it has no names");
    job.fails(CUCORE_INVALID_ARGUMENT, cucore_object_code_create, CUCORE_OBJECT_CODE_CUBIN, "code", size_t{4}, nullptr, size_t{0});
}

/// What is alive, listed.
void live_list(Job &job) {
    job.get(cucore_live_list_enable);
    const ObjectCode code = job.make(cucore_object_code_create, CUCORE_OBJECT_CODE_PTX, "code", size_t{4}, "name", size_t{4});
    cucore_live_list *list = job.take(cucore_live_list_create);
    const test::AtEnd release([&] { job.get(cucore_live_list_release, list); });
    const cucore_live_list *same = list;
    size_t size = 0;
    const size_t last = job.get(cucore_live_list_count, same) - 1;
    job.expect(job.get(cucore_live_list_type, same, last, &size) == std::string("object code"), "the youngest handle is the code");
    job.expect(job.get(cucore_live_list_function, same, last, &size) == std::string("cucore_object_code_create"), "made by this");
    job.expect(job.get(cucore_live_list_references, same, last) == 1, "and it has one reference");
    job.expect(job.get(cucore_live_list_text, same, &size) != nullptr && size > 0, "the list has a text");
}

/// What a program says of its environment.
void versions(Job &job) {
    job.expect(job.get(cucore_version) >= CUCORE_VERSION, "the library is as new as its headers");
    job.expect(job.get(cucore_version_text) == std::string(CUCORE_VERSION_TEXT), "and says so in words");
    job.expect(job.get(cucore_driver_is_available) == 1, "there is a driver");
    size_t size = 0;
    job.expect(job.get(cucore_driver_path, &size) != nullptr && size > 0, "it came from a file");
    for (const int32_t compiler : {CUCORE_COMPILER_NVRTC, CUCORE_COMPILER_NVJITLINK}) {
        int32_t major = 0;
        const auto minor = job.read<int32_t>(cucore_compiler_version, compiler, &major);
        job.expect(major >= 12 && minor >= 0, "a compiler has a version");
        job.expect(job.get(cucore_compiler_path, compiler, &size) != nullptr && size > 0, "it came from a file");
    }
    job.ok(cucore_compiler_use_wheels, "/nonexistent", size_t{12});
}

} // namespace

const Scenarios host_scenarios = {
    {"statuses", &statuses},      {"sinks", &sinks},       {"a queue of warnings", &queue}, {"object code", &object_codes},
    {"live handles", &live_list}, {"versions", &versions},
};

} // namespace torture
