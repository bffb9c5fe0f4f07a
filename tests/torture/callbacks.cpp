// SPDX-License-Identifier: MIT OR Apache-2.0
// Callbacks, and what they leave to the library's thread.
#include "scenarios.hpp"

#include <atomic>

namespace torture {

namespace {

/// Brackets a callback, as foreign code does.
template <class Action> void in_callback(Job &job, Action action) {
    job.ok(cucore_callback_enter);
    const test::AtEnd leave([&] { job.get(cucore_callback_leave); });
    action();
}

/// Everything given up in a callback, and destroyed by the library's thread.
void memory_in_a_callback(Job &job) {
    const Device device = job.make(cucore_device_open, 0);
    Stream stream = job.make(cucore_stream_create, device, nullptr);
    Event event = job.make(cucore_event_create, device, nullptr);
    const Resource pool = job.make(cucore_memory_resource_create_pool, device, nullptr);
    Buffer buffer = job.make(cucore_memory_resource_allocate, pool, size_t{64}, stream);
    job.ok(cucore_buffer_note_use, buffer, job.make(cucore_stream_create, device, nullptr));
    in_callback(job, [&] {
        buffer.reset();
        stream.reset();
        event.reset();
        job.expect(cucore_deferred_drain(nullptr) == CUCORE_INVALID_STATE, "a callback does not wait");
    });
    job.ok(cucore_deferred_drain);
}

/// The same of a kernel and all that it came from.
void code_in_a_callback(Job &job) {
    const Device device = job.make(cucore_device_open, 0);
    Program program = job.make(cucore_program_create, device, test::SAXPY_SOURCE.data(), test::SAXPY_SOURCE.size(), nullptr);
    ObjectCode code = job.make(cucore_program_compile, program, CUCORE_OBJECT_CODE_PTX);
    Library library = job.make(cucore_library_load, device, code);
    Kernel kernel = job.make(cucore_library_kernel, library, "saxpy", size_t{5});
    in_callback(job, [&] {
        job.ok(cucore_callback_enter); // calls nest
        program.reset();
        code.reset();
        library.reset();
        kernel.reset();
        job.get(cucore_callback_leave);
    });
    job.ok(cucore_deferred_drain);
}

/// A context, and pinned memory, whose free waits.
void context_in_a_callback(Job &job) {
    Context context = job.make(cucore_context_from_raw, job.foreign.context, CUCORE_ADOPT, nullptr, nullptr);
    job.foreign.context_taken = true;
    Device device = job.make(cucore_device_with_context, context);
    Resource pinned = job.make(cucore_memory_resource_pinned, device);
    Stream stream = job.make(cucore_stream_create, device, nullptr);
    Buffer buffer = job.make(cucore_memory_resource_allocate, pinned, size_t{64}, stream);
    in_callback(job, [&] {
        context.reset();
        device.reset();
        pinned.reset();
        stream.reset();
        buffer.reset();
    });
    job.ok(cucore_deferred_drain);
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
    job.expect(runs == 3 && drops == 3, "each callback ran and was dropped");
}

/// A buffer that lives until a stream got to its callback.
void buffer_kept_by_a_callback(Job &job) {
    const Device device = job.make(cucore_device_open, 0);
    Stream stream = job.make(cucore_stream_create, device, nullptr);
    const Resource pool = job.make(cucore_memory_resource_device_pool, device);
    Buffer buffer = job.make(cucore_memory_resource_allocate, pool, size_t{64}, stream);
    const Event done = job.make(cucore_event_create, device, nullptr);
    const auto look = [](const cucore_status *, void *held) { cucore_buffer_size(static_cast<cucore_buffer *>(held)); };
    const auto drop = [](void *held) { cucore_buffer_release(static_cast<cucore_buffer *>(held)); };
    job.ok(cucore_buffer_fill, buffer, size_t{0}, size_t{64}, 1u, 1u, stream);
    job.ok(cucore_stream_add_callback, stream, +look, static_cast<void *>(buffer.give()), +drop);
    job.ok(cucore_event_record, done, stream);
    stream.reset();
    job.ok(cucore_event_synchronize, done);
    job.ok(cucore_deferred_drain);
}

} // namespace

const Scenarios callback_scenarios = {
    {"memory in a callback", &memory_in_a_callback, WARNS},
    {"code in a callback", &code_in_a_callback, WARNS},
    {"a context in a callback", &context_in_a_callback, WARNS},
    {"callbacks on a stream", &stream_callbacks},
    {"a buffer kept by a callback", &buffer_kept_by_a_callback, WARNS},
};

} // namespace torture
