// SPDX-License-Identifier: MIT OR Apache-2.0
// Devices and contexts.
#include "scenarios.hpp"

namespace torture {

namespace {

/// What a program shows of the machine it runs on.
void devices_listed(Job &job) {
    const auto version = job.read<int32_t>(cucore_driver_version);
    const auto count = job.read<int32_t>(cucore_device_count);
    job.expect(version >= 12000 && count == 2, "the simulated driver has two devices");
    cucore_device *all[2];
    const auto total = job.read<size_t>(cucore_device_open_all, all, size_t{2});
    const Device first(job, all[0]), second(job, all[1]);
    job.expect(total == 2, "all devices are opened");
    for (cucore_device *device : {first.get(), second.get()}) {
        size_t size = 0;
        job.expect(job.get(cucore_device_name, device, &size) != nullptr && size > 0, "a device has a name");
        job.expect(job.get(cucore_device_arch, device, &size) != nullptr && size > 3, "a device has an architecture");
        job.expect(job.get(cucore_device_pci_bus_id, device, &size) != nullptr && size == 12, "a device has a PCI address");
        job.expect(job.get(cucore_device_uuid, device) != nullptr, "a device has a UUID");
        job.expect(job.get(cucore_device_compute_capability, device) >= 75, "a device has a compute capability");
        job.expect(job.get(cucore_device_ordinal, device) == job.get(cucore_device_raw, device), "a CUdevice is the ordinal");
        const auto threads = job.read<int32_t>(cucore_device_attribute, device, CUCORE_DEVICE_ATTRIBUTE_MAX_THREADS_PER_BLOCK);
        const auto pools = job.read<int32_t>(cucore_device_attribute, device, CUCORE_DEVICE_ATTRIBUTE_MEMORY_POOLS_SUPPORTED);
        job.expect(threads > 0 && pools == 1, "a device has attributes");
    }
    const auto can = job.read<int32_t>(cucore_device_can_access_peer, first, second);
    job.expect(can == 0 || can == 1, "a device can use another's memory or not");
}

/// A device that is not there, and an attribute that no device has.
void devices_not_there(Job &job) {
    job.fails(CUCORE_NOT_FOUND, cucore_device_open, 99);
    const Device device = job.make(cucore_device_open, 1);
    int32_t attribute = 0;
    job.fails(CUCORE_INVALID_ARGUMENT, cucore_device_attribute, device, 100000, &attribute);
}

/// Whether there is memory enough.
void device_memory(Job &job) {
    const Device device = job.make(cucore_device_open, 0);
    uint64_t available = 0;
    const auto total = job.read<uint64_t>(cucore_device_memory_info, device, &available);
    int32_t lowest = 0;
    const auto highest = job.read<int32_t>(cucore_device_stream_priority_range, device, &lowest);
    job.expect(available <= total && highest <= lowest, "a device has memory and priorities");
    job.ok(cucore_device_synchronize, device);
}

/// The primary context, used and then given up.
void primary_context(Job &job) {
    const Device device = job.make(cucore_device_open, 1);
    {
        Context context = job.make(cucore_device_context, device);
        const Context same = job.hold(cucore_context_retain, context.get());
        job.expect(job.get(cucore_context_raw, context.get()) == job.get(cucore_context_raw, same.get()),
                   "a reference is the same");
        job.expect(job.get(cucore_context_ordinal, context.get()) == 1, "a context is of a device");
        job.ok(cucore_context_synchronize, context);
        job.close(context);
    }
    job.fails(CUCORE_INVALID_STATE, cucore_context_release_primary, 1); // the device was used
}

/// The primary context, given up and made again.
void primary_context_again(Job &job) {
    for (int round = 0; round < 2; round++) {
        {
            const Device device = job.make(cucore_device_open, 1);
            job.make(cucore_stream_create, device, nullptr);
        }
        job.ok(cucore_context_release_primary, 1);
    }
}

/// A context made current and set back, as code that calls other libraries does.
void set_current(Job &job) {
    const Device device = job.make(cucore_device_open, 0);
    const Context context = job.make(cucore_device_context, device);
    SetCurrent of_context(job, context);
    const Context current(job, job.read<cucore_context *>(cucore_context_current));
    job.expect(cucore_context_raw(current) == cucore_context_raw(context), "what was set is current");
    of_context.back();
    SetCurrent of_device(job, device);
    job.ok(cucore_device_synchronize, device);
    of_device.back();
}

/// What cucore_context_run is given.
struct Inside {
    Job &job;
    bool stopped = false;
};

/// A run may not throw, so that what stopped it is told by its result.
int32_t work_inside(void *data) {
    Inside &inside = *static_cast<Inside *>(data);
    try {
        Job &job = inside.job;
        const Device device(job, job.read<cucore_device *>(cucore_device_current));
        const Stream stream = job.make(cucore_stream_create, device, nullptr);
        job.ok(cucore_stream_synchronize, stream);
        return 7;
    } catch (const Job::Stopped &) {
        inside.stopped = true;
        return 1;
    }
}

/// Work in a context by way of a function.
void run_in_context(Job &job) {
    const Context lent = job.make(cucore_context_from_raw, job.foreign.lent, CUCORE_BORROW, nullptr, nullptr);
    Inside inside{job};
    int32_t result = 0; // which is stored also if the way back fails
    job.ok(cucore_context_run, lent, &work_inside, static_cast<void *>(&inside), nullptr, &result);
    job.expect(result == (inside.stopped ? 1 : 7), "a function's result is passed on");
    if (inside.stopped) {
        throw Job::Stopped{};
    }
}

/// Contexts of other code: found, borrowed, adopted, worked in.
void foreign_contexts(Job &job) {
    const Context current(job, job.read<cucore_context *>(cucore_context_current));
    const Device current_device(job, job.read<cucore_device *>(cucore_device_current));
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

/// A context given away with what its owner wants to hear of its end.
void adopted_context(Job &job) {
    int drops = 0;
    const auto count = [](void *data) { ++*static_cast<int *>(data); };
    const test::AtEnd dropped([&] { job.expect(drops == 1, "an owner is dropped once"); });
    Context context = job.make(cucore_context_from_raw, job.foreign.context, CUCORE_ADOPT, static_cast<void *>(&drops), +count);
    job.foreign.context_taken = true;
    job.fails(CUCORE_INVALID_STATE, cucore_context_from_raw, job.foreign.context, CUCORE_ADOPT, nullptr, nullptr);
    const Device device = job.make(cucore_device_with_context, context);
    const Resource pool = job.make(cucore_memory_resource_device_pool, device);
    const Stream stream = job.make(cucore_stream_create, device, nullptr);
    const Buffer buffer = job.make(cucore_memory_resource_allocate, pool, size_t{64}, stream);
    job.ok(cucore_buffer_fill, buffer, size_t{0}, size_t{64}, 1u, 1u, stream);
    job.ok(cucore_device_synchronize, device);
    job.close(context);
}

/// Work that goes from one device to the other and back.
void two_devices(Job &job) {
    const Device first = job.make(cucore_device_open, 0), second = job.make(cucore_device_open, 1);
    const Device same = job.hold(cucore_device_retain, first.get());
    const Stream here = job.make(cucore_stream_create, first, nullptr), there = job.make(cucore_stream_create, second, nullptr);
    const Event event = job.make(cucore_event_create, first, nullptr);
    job.ok(cucore_event_record, event, here);
    job.ok(cucore_stream_wait_event, there, event);
    job.ok(cucore_stream_wait_stream, here, there);
    job.fails(CUCORE_INVALID_HANDLE, cucore_event_record, event, there);
    job.ok(cucore_stream_synchronize, here);
}

} // namespace

const Scenarios context_scenarios = {
    {"devices listed", &devices_listed},
    {"devices that are not there", &devices_not_there},
    {"a device's memory", &device_memory},
    {"a primary context", &primary_context},
    {"a primary context made again", &primary_context_again},
    {"contexts set current", &set_current},
    {"a function run in a context", &run_in_context},
    {"foreign contexts", &foreign_contexts, WARNS},
    {"an adopted context", &adopted_context},
    {"two devices", &two_devices, WARNS},
};

} // namespace torture
