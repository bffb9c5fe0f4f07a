// SPDX-License-Identifier: MIT OR Apache-2.0
// Streams and events.
#include "capturing.hpp"

namespace torture {

namespace {

const cucore_event_options TIMING{sizeof TIMING, CUCORE_ON, CUCORE_DEFAULT};

/// Streams and events: of every kind, asked everything, waiting for each other.
void streams_and_events(Job &job) {
    const Device device = job.make(cucore_device_open, 0);
    Stream stream = job.make(cucore_stream_create, device, nullptr);
    const Stream first = job.make(cucore_stream_default, device);
    const Stream borrower = job.make(cucore_stream_from_raw, device, cucore_stream_raw(stream), CUCORE_BORROW, nullptr, nullptr);
    for (cucore_stream *asked : {stream.get(), first.get()}) {
        const auto priority = job.read<int32_t>(cucore_stream_priority, asked);
        const auto flags = job.read<uint32_t>(cucore_stream_flags, asked);
        const auto id = job.read<uint64_t>(cucore_stream_id, asked);
        const auto capturing = job.read<int32_t>(cucore_stream_is_capturing, asked);
        const auto done = job.read<int32_t>(cucore_stream_is_done, asked);
        job.expect(priority <= 0 && flags <= 1 && id > 0 && capturing == 0 && done == 1, "a stream can be asked");
    }
    Event event = job.make(cucore_event_create, device, nullptr);
    job.ok(cucore_event_record, event, first);
    job.ok(cucore_stream_wait_event, stream, event);
    job.ok(cucore_stream_wait_stream, stream, first);
    job.ok(cucore_stream_wait_stream, first, stream);
    const auto done = job.read<int32_t>(cucore_event_is_done, event);
    job.expect(done == 1, "what was recorded is done");
    job.ok(cucore_event_synchronize, event);
    job.ok(cucore_stream_synchronize, first);
    job.close(event);
    job.close(stream);
}

/// The time that work takes which one stream begins and another ends.
void timing(Job &job) {
    const Device device = job.make(cucore_device_open, 0);
    const Stream first = job.make(cucore_stream_create, device, nullptr), second = job.make(cucore_stream_create, device, nullptr);
    const Event start = job.make(cucore_event_create, device, &TIMING), end = job.make(cucore_event_create, device, &TIMING);
    const Event untimed = job.make(cucore_event_create, device, nullptr);
    job.expect(job.get(cucore_event_has_timing, start.get()) == 1, "an event with timing has it");
    job.ok(cucore_event_record, start, first);
    job.ok(cucore_stream_wait_event, second, start);
    job.ok(cucore_event_record, end, second);
    job.ok(cucore_event_record, untimed, second);
    job.ok(cucore_event_synchronize, end);
    const auto milliseconds = job.read<float>(cucore_event_elapsed, start, end);
    job.expect(milliseconds >= 0, "time goes on");
    float none = 0;
    job.fails(CUCORE_INVALID_STATE, cucore_event_elapsed, start, untimed, &none);
}

/// Urgent work beside other work.
void priorities(Job &job) {
    const Device device = job.make(cucore_device_open, 0);
    int32_t lowest = 0;
    const auto highest = job.read<int32_t>(cucore_device_stream_priority_range, device, &lowest);
    for (const int32_t priority : {lowest, highest}) {
        const cucore_stream_options options{sizeof options, 1, priority, CUCORE_ON, 0};
        const Stream stream = job.make(cucore_stream_create, device, &options);
        const auto has = job.read<int32_t>(cucore_stream_priority, stream);
        const auto flags = job.read<uint32_t>(cucore_stream_flags, stream);
        job.expect(has == priority && flags == 0, "a stream is what was asked for");
    }
    const cucore_stream_options outside{sizeof outside, 1, highest - 1, CUCORE_DEFAULT, 0};
    job.fails(CUCORE_INVALID_ARGUMENT, cucore_stream_create, device, &outside);
}

/// From a stream or an event to what it belongs to, all of it released in the wrong order.
void parents(Job &job) {
    Device device = job.make(cucore_device_open, 0);
    Stream stream = job.make(cucore_stream_create, device, nullptr);
    const cucore_event_options sleeping{sizeof sleeping, CUCORE_DEFAULT, CUCORE_ON};
    Event event = job.make(cucore_event_create, device, &sleeping);
    job.expect(job.get(cucore_event_is_blocking_sync, event.get()) == 1, "who waits for the event sleeps");
    device.reset();
    const Stream again = job.hold(cucore_stream_retain, stream.get());
    const Event same = job.hold(cucore_event_retain, event.get());
    stream.reset();
    event.reset();
    const Device of_stream = job.hold(cucore_stream_device, again.get()), of_event = job.hold(cucore_event_device, same.get());
    const Context one = job.hold(cucore_stream_context, again.get()), two = job.hold(cucore_event_context, same.get());
    job.expect(cucore_context_raw(one) == cucore_context_raw(two), "both are in the device's context");
    job.expect(job.get(cucore_event_raw, same.get()) != nullptr, "an event has a raw handle");
    job.expect(job.get(cucore_stream_raw, again.get()) != nullptr, "a stream has a raw handle");
    job.ok(cucore_event_record, same, again);
    job.ok(cucore_event_synchronize, same);
}

/// A program that knows of no streams.
void default_stream(Job &job) {
    const Device device = job.make(cucore_device_open, 0);
    const Stream legacy = job.make(cucore_stream_default, device);
    const cucore_stream_options blocking{sizeof blocking, 0, 0, CUCORE_ON, 0};
    const Stream stream = job.make(cucore_stream_create, device, &blocking);
    const Resource pool = job.make(cucore_memory_resource_device_pool, device);
    const Buffer buffer = job.make(cucore_memory_resource_allocate, pool, size_t{32}, legacy);
    job.ok(cucore_buffer_fill, buffer, size_t{0}, size_t{32}, 3u, 1u, legacy);
    char bytes[32];
    job.ok(cucore_buffer_copy_to_host, buffer, size_t{0}, bytes, sizeof bytes, stream);
    job.expect(bytes[31] == 3, "a blocking stream waits for the default stream");
    const Event event = job.make(cucore_event_create, device, nullptr);
    job.ok(cucore_event_record, event, legacy);
    job.ok(cucore_stream_synchronize, legacy);
}

/// A stream of other code, given away with what its owner wants to hear of its end.
void adopted_stream(Job &job) {
    const Context lent = job.make(cucore_context_from_raw, job.foreign.lent, CUCORE_BORROW, nullptr, nullptr);
    const Device device = job.make(cucore_device_with_context, lent);
    int drops = 0;
    const auto count = [](void *data) { ++*static_cast<int *>(data); };
    const test::AtEnd dropped([&] { job.expect(drops == 1, "an owner is dropped once"); });
    Stream stream = job.make(cucore_stream_from_raw, device, job.foreign.stream, CUCORE_ADOPT, static_cast<void *>(&drops), +count);
    job.foreign.stream_taken = true;
    const Event event = job.make(cucore_event_create, device, nullptr);
    job.ok(cucore_event_record, event, stream);
    job.close(stream);
    job.ok(cucore_event_synchronize, event);
}

/// A stream of other code, lent.
void borrowed_stream(Job &job) {
    const Context lent = job.make(cucore_context_from_raw, job.foreign.lent, CUCORE_BORROW, nullptr, nullptr);
    const Device device = job.make(cucore_device_with_context, lent), other = job.make(cucore_device_open, 0);
    const Stream stream = job.make(cucore_stream_from_raw, device, job.foreign.stream, CUCORE_BORROW, nullptr, nullptr);
    job.fails(CUCORE_INVALID_HANDLE, cucore_stream_from_raw, other, job.foreign.stream, CUCORE_BORROW, nullptr, nullptr);
    const Stream own = job.make(cucore_stream_create, other, nullptr);
    job.ok(cucore_stream_wait_stream, own, stream);
    job.ok(cucore_stream_wait_stream, stream, own);
    job.ok(cucore_stream_synchronize, stream);
}

/// A producer and a consumer on streams of their own, that take turns.
void pipeline(Job &job) {
    const Device device = job.make(cucore_device_open, 0);
    const Stream producer = job.make(cucore_stream_create, device, nullptr),
                 consumer = job.make(cucore_stream_create, device, nullptr);
    const Resource pool = job.make(cucore_memory_resource_device_pool, device);
    const Buffer shared = job.make(cucore_memory_resource_allocate, pool, size_t{64}, producer);
    const Buffer result = job.make(cucore_memory_resource_allocate, pool, size_t{64}, consumer);
    const Event full = job.make(cucore_event_create, device, nullptr), empty = job.make(cucore_event_create, device, nullptr);
    for (uint32_t round = 1; round <= 2; round++) {
        job.ok(cucore_stream_wait_event, producer, empty);
        job.ok(cucore_buffer_fill, shared, size_t{0}, size_t{64}, round, 1u, producer);
        job.ok(cucore_event_record, full, producer);
        job.ok(cucore_stream_wait_event, consumer, full);
        job.ok(cucore_buffer_copy, result, size_t{0}, shared, size_t{0}, size_t{64}, consumer);
        job.ok(cucore_event_record, empty, consumer);
    }
    char bytes[64];
    job.ok(cucore_buffer_copy_to_host, result, size_t{0}, bytes, sizeof bytes, consumer);
    job.expect(bytes[63] == 2, "the last round's bytes are there");
}

/// Work on two streams captured into one graph, which forks and joins.
void captured_work(Job &job) {
    const Device device = job.make(cucore_device_open, 0);
    const Stream stream = job.make(cucore_stream_create, device, nullptr), branch = job.make(cucore_stream_create, device, nullptr);
    const Resource pool = job.make(cucore_memory_resource_device_pool, device);
    const Buffer buffer = job.make(cucore_memory_resource_allocate, pool, size_t{64}, stream);
    const Event fork = job.make(cucore_event_create, device, nullptr), join = job.make(cucore_event_create, device, nullptr);
    Capturing capture(job, cucore_stream_raw(stream));
    job.ok(cucore_event_record, fork, stream);
    job.ok(cucore_stream_wait_event, branch, fork);
    job.ok(cucore_buffer_fill, buffer, size_t{0}, size_t{64}, 1u, 1u, branch);
    job.ok(cucore_event_record, join, branch);
    job.ok(cucore_stream_wait_event, stream, join);
    const auto capturing = job.read<int32_t>(cucore_stream_is_capturing, branch);
    job.expect(capturing == 1, "a branch is captured too");
    job.fails(
        CUCORE_INVALID_STATE, cucore_stream_add_callback, stream, [](const cucore_status *, void *) {}, nullptr, nullptr);
    job.make(cucore_event_create, device, nullptr);
    job.make(cucore_stream_create, device, nullptr);
    capture.end();
}

} // namespace

const Scenarios stream_scenarios = {
    {"streams and events", &streams_and_events, WARNS},
    {"timing between two streams", &timing},
    {"priorities", &priorities},
    {"parents of streams and events", &parents},
    {"the default stream", &default_stream},
    {"an adopted stream", &adopted_stream},
    {"a borrowed stream", &borrowed_stream, WARNS},
    {"a pipeline", &pipeline},
    {"captured work", &captured_work},
};

} // namespace torture
