// SPDX-License-Identifier: MIT OR Apache-2.0
// Memory resources and buffers.
#include "capturing.hpp"

namespace torture {

namespace {

/// A device's default pool, and two streams.
struct Workshop {
    explicit Workshop(Job &job)
        : device(job.make(cucore_device_open, 0)), stream(job.make(cucore_stream_create, device, nullptr)),
          other(job.make(cucore_stream_create, device, nullptr)), pool(job.make(cucore_memory_resource_device_pool, device)) {
    }
    Device device;
    Stream stream, other;
    Resource pool;
};

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
    job.expect(std::string(bytes, 64) == std::string(64, 7), "what was filled in has come through");
    job.ok(cucore_buffer_copy_from_host, of_default, size_t{0}, bytes, size_t{64}, first);
    job.ok(cucore_buffer_copy_to_host, of_default, size_t{0}, bytes, size_t{64}, first);
    job.close(source);
    job.close(pool);
}

/// A pool that is watched, limited and trimmed.
void pool_attributes(Job &job) {
    const Device device = job.make(cucore_device_open, 0);
    const Stream stream = job.make(cucore_stream_create, device, nullptr);
    const cucore_memory_pool_options options{sizeof options, 1 << 26, 1 << 20, 1, 0};
    Resource pool = job.make(cucore_memory_resource_create_pool, device, &options);
    job.ok(cucore_memory_resource_set_attribute, pool, CUCORE_POOL_ATTRIBUTE_RELEASE_THRESHOLD, uint64_t{0});
    job.ok(cucore_memory_resource_set_attribute, pool, CUCORE_POOL_ATTRIBUTE_REUSE_ALLOW_OPPORTUNISTIC, uint64_t{0});
    Buffer buffer = job.make(cucore_memory_resource_allocate, pool, size_t{4096}, stream);
    const auto used = job.read<uint64_t>(cucore_memory_resource_attribute, pool, CUCORE_POOL_ATTRIBUTE_USED_CURRENT);
    job.expect(used == 4096, "a pool knows what is in use");
    job.close(buffer);
    job.ok(cucore_stream_synchronize, stream);
    job.ok(cucore_memory_resource_trim, pool, size_t{0});
    job.ok(cucore_memory_resource_set_attribute, pool, CUCORE_POOL_ATTRIBUTE_USED_HIGH, uint64_t{0});
    const auto high = job.read<uint64_t>(cucore_memory_resource_attribute, pool, CUCORE_POOL_ATTRIBUTE_USED_HIGH);
    job.expect(high == 0, "a mark can be put back");
    job.fails(CUCORE_INVALID_ARGUMENT, cucore_memory_resource_set_attribute, pool, CUCORE_POOL_ATTRIBUTE_USED_CURRENT, uint64_t{1});
    job.close(pool);
}

/// Host memory that the device uses too, read and written by both.
void pinned_memory(Job &job) {
    const Workshop at(job);
    const Resource pinned = job.make(cucore_memory_resource_pinned, at.device);
    const Buffer host = job.make(cucore_memory_resource_allocate, pinned, size_t{16}, at.stream);
    const Buffer back = job.make(cucore_memory_resource_allocate, pinned, size_t{16}, at.other);
    const Buffer device_memory = job.make(cucore_memory_resource_allocate, at.pool, size_t{16}, at.stream);
    auto *const written = static_cast<char *>(job.get(cucore_buffer_host_pointer, host.get()));
    std::memset(written, 5, 16);
    job.ok(cucore_buffer_copy, device_memory, size_t{0}, host, size_t{0}, size_t{16}, at.stream);
    job.ok(cucore_stream_wait_stream, at.other, at.stream);
    job.ok(cucore_buffer_copy, back, size_t{0}, device_memory, size_t{0}, size_t{16}, at.other);
    job.ok(cucore_buffer_synchronize, back);
    job.expect(static_cast<const char *>(cucore_buffer_host_pointer(back))[15] == 5, "the bytes came back");
    uint64_t used = 0;
    job.fails(CUCORE_INVALID_STATE, cucore_memory_resource_attribute, pinned, CUCORE_POOL_ATTRIBUTE_USED_CURRENT, &used);
}

/// The same from a pool of such memory.
void pinned_pool(Job &job) {
    const Workshop at(job);
    Resource pool = job.make(cucore_memory_resource_create_pinned_pool, at.device, nullptr);
    job.expect(job.get(cucore_memory_resource_is_host_accessible, pool.get()) == 1, "the host can use it");
    Buffer buffer = job.make(cucore_memory_resource_allocate, pool, size_t{64}, at.stream);
    job.ok(cucore_buffer_fill, buffer, size_t{0}, size_t{64}, 9u, 1u, at.stream);
    job.ok(cucore_buffer_synchronize, buffer);
    job.expect(static_cast<const char *>(cucore_buffer_host_pointer(buffer))[0] == 9, "the host sees what the device wrote");
    job.close(pool);
    job.close(buffer);
}

/// Plain host memory into parts of a buffer and out of them.
void host_copies(Job &job) {
    const Workshop at(job);
    const Buffer buffer = job.make(cucore_memory_resource_allocate, at.pool, size_t{64}, at.stream);
    const char one[32] = {1}, two[32] = {2};
    char all[64];
    job.ok(cucore_buffer_copy_from_host, buffer, size_t{0}, one, sizeof one, at.stream);
    job.ok(cucore_buffer_copy_from_host, buffer, size_t{32}, two, sizeof two, at.other);
    job.ok(cucore_buffer_copy_to_host, buffer, size_t{0}, all, sizeof all, at.other);
    job.expect(all[0] == 1 && all[32] == 2, "each part is in its place");
    job.fails(CUCORE_INVALID_ARGUMENT, cucore_buffer_copy_to_host, buffer, size_t{1}, all, sizeof all, at.stream);
}

/// Host memory that other code pinned, copied without waiting.
void unchecked_copies(Job &job) {
    const Workshop at(job);
    const Buffer buffer = job.make(cucore_memory_resource_allocate, at.pool, size_t{64}, at.stream);
    static char in[64], out[64];
    in[63] = 4;
    job.ok(cucore_buffer_copy_from_host_unchecked, buffer, size_t{0}, in, sizeof in, at.stream);
    job.ok(cucore_stream_wait_stream, at.other, at.stream);
    job.ok(cucore_buffer_copy_to_host_unchecked, buffer, size_t{0}, out, sizeof out, at.other);
    job.ok(cucore_stream_synchronize, at.other);
    job.expect(out[63] == 4, "the bytes came back");
}

/// Copies from one buffer to another and within one, on a third stream.
void buffer_copies(Job &job) {
    const Workshop at(job);
    const Stream third = job.make(cucore_stream_default, at.device);
    const Buffer source = job.make(cucore_memory_resource_allocate, at.pool, size_t{64}, at.stream);
    const Buffer target = job.make(cucore_memory_resource_allocate, at.pool, size_t{64}, at.other);
    job.ok(cucore_buffer_fill, source, size_t{0}, size_t{64}, 6u, 1u, third);
    job.ok(cucore_buffer_copy, target, size_t{32}, source, size_t{0}, size_t{32}, third);
    job.ok(cucore_buffer_copy, target, size_t{0}, target, size_t{32}, size_t{32}, third);
    job.fails(CUCORE_INVALID_ARGUMENT, cucore_buffer_copy, target, size_t{0}, target, size_t{1}, size_t{32}, third);
    char bytes[64];
    job.ok(cucore_buffer_copy_to_host, target, size_t{0}, bytes, sizeof bytes, third);
    job.expect(bytes[0] == 6 && bytes[63] == 6, "both halves are there");
}

/// Patterns of each size.
void fills(Job &job) {
    const Workshop at(job);
    const Stream legacy = job.make(cucore_stream_default, at.device);
    const Buffer buffer = job.make(cucore_memory_resource_allocate, at.pool, size_t{64}, at.stream);
    for (const uint32_t size : {1u, 2u, 4u}) {
        job.ok(cucore_buffer_fill, buffer, size_t{8}, size_t{32}, 0x01020304u, size, at.stream);
        job.ok(cucore_buffer_fill, buffer, size_t{40}, size_t{8}, 0x01020304u, size, legacy);
    }
    uint32_t words[16];
    job.ok(cucore_buffer_copy_to_host, buffer, size_t{0}, words, sizeof words, at.stream);
    job.expect(words[2] == 0x01020304u && words[11] == 0x01020304u, "the last pattern is there");
    job.fails(CUCORE_INVALID_ARGUMENT, cucore_buffer_fill, buffer, size_t{1}, size_t{4}, 0u, 4u, at.stream);
}

/// Memory used on many streams, freed after all of them.
void many_streams(Job &job) {
    const Workshop at(job);
    const Buffer buffer = job.make(cucore_memory_resource_allocate, at.pool, size_t{256}, at.stream);
    for (int index = 0; index < 6; index++) {
        const Stream stream = job.make(cucore_stream_create, at.device, nullptr);
        job.ok(cucore_buffer_fill, buffer, size_t{0}, size_t{256}, 1u, 1u, stream);
    }
}

/// From memory to what it belongs to, and everything else released first.
void parents(Job &job) {
    Device device = job.make(cucore_device_open, 0);
    Stream stream = job.make(cucore_stream_create, device, nullptr);
    Resource pool = job.make(cucore_memory_resource_create_pool, device, nullptr);
    Buffer buffer = job.make(cucore_memory_resource_allocate, pool, size_t{64}, stream);
    const Resource again = job.hold(cucore_memory_resource_retain, pool.get());
    device.reset();
    stream.reset();
    pool.reset();
    const Device of_pool = job.hold(cucore_memory_resource_device, again.get()),
                 of_buffer = job.hold(cucore_buffer_device, buffer.get());
    const Resource resource = job.hold(cucore_buffer_resource, buffer.get());
    const Stream freeing = job.hold(cucore_buffer_stream, buffer.get());
    job.expect(job.get(cucore_memory_resource_raw, resource.get()) == cucore_memory_resource_raw(again), "the pool is the same");
    job.expect(job.get(cucore_buffer_raw, buffer.get()) != 0, "a buffer has an address");
    job.expect(job.get(cucore_buffer_size, buffer.get()) == 64, "a buffer has a size");
    const Buffer same = job.hold(cucore_buffer_retain, buffer.get());
    job.close(buffer); // not the last
    job.ok(cucore_buffer_fill, same, size_t{0}, size_t{64}, 1u, 1u, freeing);
}

/// Buffers of nothing, which are still buffers.
void empty_buffers(Job &job) {
    const Workshop at(job);
    const Buffer empty = job.make(cucore_memory_resource_allocate, at.pool, size_t{0}, at.stream);
    const Buffer other = job.make(cucore_memory_resource_allocate, at.pool, size_t{0}, at.other);
    job.expect(cucore_buffer_raw(empty) == 0, "an empty buffer has no address");
    job.ok(cucore_buffer_fill, empty, size_t{0}, size_t{0}, 1u, 1u, at.other);
    job.ok(cucore_buffer_copy, other, size_t{0}, empty, size_t{0}, size_t{0}, at.stream);
    job.ok(cucore_buffer_synchronize, empty);
}

/// Memory in a context of other code's, on a stream of other code's.
void foreign_memory(Job &job) {
    const Context lent = job.make(cucore_context_from_raw, job.foreign.lent, CUCORE_BORROW, nullptr, nullptr);
    const Device device = job.make(cucore_device_with_context, lent);
    const Resource pinned = job.make(cucore_memory_resource_pinned, device);
    const Resource pool = job.make(cucore_memory_resource_device_pool, device);
    const Stream stream = job.make(cucore_stream_from_raw, device, job.foreign.stream, CUCORE_BORROW, nullptr, nullptr);
    const Stream legacy = job.make(cucore_stream_default, device);
    const Buffer buffer = job.make(cucore_memory_resource_allocate, pool, size_t{16}, stream);
    const Buffer host = job.make(cucore_memory_resource_allocate, pinned, size_t{16}, legacy);
    job.ok(cucore_buffer_fill, buffer, size_t{0}, size_t{16}, 1u, 1u, legacy);
    job.ok(cucore_buffer_copy, host, size_t{0}, buffer, size_t{0}, size_t{16}, stream);
    job.ok(cucore_buffer_synchronize, host);
}

/// Memory given up while its streams are being captured, and freed when they no longer are.
void captured_memory(Job &job) {
    const Workshop at(job);
    Buffer own = job.make(cucore_memory_resource_allocate, at.pool, size_t{64}, at.stream);
    Buffer noted = job.make(cucore_memory_resource_allocate, at.pool, size_t{64}, at.other);
    job.ok(cucore_buffer_note_use, noted, at.stream);
    Capturing capture(job, cucore_stream_raw(at.stream));
    job.close(own);
    noted.reset();
    const auto capturing = job.read<int32_t>(cucore_stream_is_capturing, at.stream);
    job.expect(capturing == 1, "a capture survives what is given up");
    capture.end();
    job.ok(cucore_deferred_drain);
}

/// Memory that the work of a capture uses.
void memory_in_a_capture(Job &job) {
    const Workshop at(job);
    const Resource pinned = job.make(cucore_memory_resource_pinned, at.device);
    const Buffer buffer = job.make(cucore_memory_resource_allocate, at.pool, size_t{64}, at.other);
    Buffer host = job.make(cucore_memory_resource_allocate, pinned, size_t{64}, at.other);
    char bytes[64];
    Capturing capture(job, cucore_stream_raw(at.stream));
    job.ok(cucore_buffer_fill, buffer, size_t{0}, size_t{64}, 1u, 1u, at.stream);
    job.ok(cucore_buffer_copy, host, size_t{0}, buffer, size_t{0}, size_t{64}, at.stream);
    job.fails(CUCORE_INVALID_STATE, cucore_buffer_copy_to_host, buffer, size_t{0}, bytes, size_t{64}, at.stream);
    job.fails(CUCORE_INVALID_STATE, cucore_memory_resource_allocate, at.pool, size_t{64}, at.stream);
    host.reset();
    capture.end();
    job.ok(cucore_deferred_drain);
}

} // namespace

const Scenarios memory_scenarios = {
    {"memory", &memory},
    {"a pool's attributes", &pool_attributes},
    {"pinned memory", &pinned_memory, WARNS},
    {"a pinned pool", &pinned_pool},
    {"copies of host memory", &host_copies},
    {"unchecked copies", &unchecked_copies, WARNS},
    {"copies between buffers", &buffer_copies},
    {"fills", &fills},
    {"a buffer on many streams", &many_streams},
    {"parents of memory", &parents},
    {"empty buffers", &empty_buffers},
    {"memory in a foreign context", &foreign_memory},
    {"memory of captured streams", &captured_memory, WARNS},
    {"memory in a capture", &memory_in_a_capture, WARNS},
};

} // namespace torture
