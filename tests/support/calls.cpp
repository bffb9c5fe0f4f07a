// SPDX-License-Identifier: MIT OR Apache-2.0
#include "calls.hpp"

#include "code.hpp"
#include "driver.hpp"

namespace test {

namespace {

using S = cucore_status **;

/// The code of a call that makes a handle, which is given back.
template <class T> int32_t made(T *handle, S status) {
    if (handle == nullptr) {
        return status != nullptr ? cucore_status_code(*status) : BAD_VALUE;
    }
    Noun<T>::release(handle);
    return CUCORE_OK;
}

/// The code of a call without a status: of an accessor that gives a new reference, and of one that gives a plain value.
template <class T> int32_t gave(T *handle) {
    Handle<T> reference(handle);
    return handle != nullptr ? CUCORE_OK : BAD_VALUE;
}
int32_t good(bool value_is_good) {
    return value_is_good ? CUCORE_OK : BAD_VALUE;
}

/// close() of a reference of its own, where the handle is good enough to give one.
template <class T> int32_t closed(Any handle, S status) {
    T *reference = Noun<T>::retain(handle);
    return Noun<T>::close(reference != nullptr ? reference : static_cast<T *>(handle), nullptr, status);
}

/// release() likewise; it has no result.
template <class T> int32_t released(Any handle) {
    T *reference = Noun<T>::retain(handle);
    Noun<T>::release(reference != nullptr ? reference : static_cast<T *>(handle));
    return CUCORE_OK;
}

/// The code of a call that stores one value about a handle.
template <class H, class V> int32_t reads(int32_t (*function)(H *, V *, S), Any handle, S status) {
    V value;
    return function(handle, &value, status);
}

int32_t open_all(S status) {
    cucore_device *devices[8];
    size_t total = 0;
    const int32_t code = cucore_device_open_all(devices, 8, &total, status);
    for (size_t index = 0; code == CUCORE_OK && index < total; index++) {
        cucore_device_release(devices[index]);
    }
    return code;
}

int32_t device_current(S status) {
    cucore_device *current = nullptr;
    const int32_t code = cucore_device_current(&current, status);
    cucore_device_release(current);
    return code;
}

int32_t context_current(S status) {
    cucore_context *current = nullptr;
    const int32_t code = cucore_context_current(&current, status);
    cucore_context_release(current);
    return code;
}

int32_t memory_info(Kit &kit, S status) {
    uint64_t available = 0, total = 0;
    return cucore_device_memory_info(kit.device, &available, &total, status);
}

int32_t priority_range(Kit &kit, S status) {
    int32_t lowest = 0, highest = 0;
    return cucore_device_stream_priority_range(kit.device, &lowest, &highest, status);
}

/// The caller's context may be one that was destroyed, which must not be set current again. So the call is made behind another.
template <class Function> int32_t behind_bound(Kit &kit, bool usable, Function call) {
    CUcontext popped = nullptr;
    if (usable) {
        raw().cuCtxPushCurrent(cucore_context_raw(kit.context));
    }
    cucore_context *previous = nullptr;
    const int32_t code = call(&previous);
    cucore_context_release(previous);
    if (usable) {
        raw().cuCtxPopCurrent(&popped);
    }
    return code;
}

int32_t set_context_current(Kit &kit, S status) {
    return behind_bound(kit, cucore_context_ordinal(kit.context) >= 0,
                        [&](cucore_context **previous) { return cucore_context_set_current(kit.context, previous, status); });
}

int32_t set_device_current(Kit &kit, S status) {
    return behind_bound(kit, cucore_device_ordinal(kit.device) >= 0,
                        [&](cucore_context **previous) { return cucore_device_set_current(kit.device, previous, status); });
}

int32_t run_in_context(Kit &kit, S status) {
    int32_t result = 0;
    const auto seven = [](void *) { return int32_t{7}; };
    const int32_t code = cucore_context_run(kit.context, seven, nullptr, nullptr, &result, status);
    return code != CUCORE_OK || result == 7 ? code : BAD_VALUE;
}

int32_t enter_and_leave(S status) {
    const int32_t code = cucore_callback_enter(status);
    if (code == CUCORE_OK) {
        cucore_callback_leave();
    }
    return code;
}

int32_t copy_unchecked(Kit &kit, S status, bool to_host) {
    static char bytes[64]; // which outlives the copy
    return to_host ? cucore_buffer_copy_to_host_unchecked(kit.buffer, 0, bytes, sizeof bytes, kit.stream, status)
                   : cucore_buffer_copy_from_host_unchecked(kit.buffer, 0, bytes, sizeof bytes, kit.stream, status);
}

int32_t create_program(Kit &kit, S status) {
    return made(cucore_program_create(kit.device, SAXPY_SOURCE.data(), SAXPY_SOURCE.size(), nullptr, status), status);
}

int32_t create_linker(Kit &kit, S status) {
    cucore_object_code *inputs[] = {kit.code};
    return made(cucore_linker_create(kit.device, inputs, 1, nullptr, status), status);
}

int32_t list_kernels(Kit &kit, S status) {
    cucore_kernel *kernels[4];
    size_t total = 0;
    const int32_t code = cucore_library_kernels(kit.library, kernels, 4, &total, status);
    for (size_t index = 0; code == CUCORE_OK && index < total; index++) {
        cucore_kernel_release(kernels[index]);
    }
    return code;
}

int32_t find_global(Kit &kit, S status) {
    uint64_t address = 0;
    size_t size = 0;
    return cucore_library_global(kit.library, "counter", 7, &address, &size, status);
}

int32_t launch(Kit &kit, S status) {
    const cucore_launch_options options = shape(1, 32);
    const cucore_argument arguments[] = {value(2.0f), object(kit.buffer), object(kit.buffer, 512), value(int32_t{32})};
    return cucore_kernel_launch(kit.kernel, kit.stream, &options, arguments, 4, status);
}

} // namespace

// In these `parameter` is the parameter's name, and the kit's member for it.
#define ROW(function, parameter, call, need) \
    {#function, {{#parameter, &Kit::parameter}}, [](Kit &k, S s) -> int32_t { return (static_cast<void>(s), call); }, need},
#define RETAIN_RELEASE_CLOSE(noun, parameter, need) \
    ROW(cucore_##noun##_retain, parameter, gave(cucore_##noun##_retain(k.parameter)), need) \
    ROW(cucore_##noun##_release, parameter, released<cucore_##noun>(k.parameter), need) \
    ROW(cucore_##noun##_close, parameter, closed<cucore_##noun>(k.parameter, s), need)
#define PARENT(noun, parent, parameter) \
    ROW(cucore_##noun##_##parent, parameter, gave(cucore_##noun##_##parent(k.parameter)), Call::DRIVER)
#define VALUE(noun, accessor, parameter, bad, need) \
    ROW(cucore_##noun##_##accessor, parameter, good(cucore_##noun##_##accessor(k.parameter) != bad), need)
#define TEXT(noun, accessor, parameter, need) \
    ROW(cucore_##noun##_##accessor, parameter, good(cucore_##noun##_##accessor(k.parameter, nullptr) != nullptr), need)

#define READ(function, parameter) ROW(function, parameter, reads(function, k.parameter, s), Call::DRIVER)
#define NO_HANDLE(function, call) {#function, {}, [](Kit &, S s) -> int32_t { return (static_cast<void>(s), call); }},
#define CODE(accessor, condition) \
    ROW(cucore_object_code_##accessor, code, good(k.code.handle != nullptr && (condition)), Call::NOTHING)

// clang-format off
const std::vector<Call> calls = {
    NO_HANDLE(cucore_driver_version, [&] { int32_t version; return cucore_driver_version(&version, s); }())
    NO_HANDLE(cucore_callback_enter, enter_and_leave(s))
    NO_HANDLE(cucore_deferred_drain, cucore_deferred_drain(s))

    RETAIN_RELEASE_CLOSE(device, device, Call::DRIVER)
    VALUE(device, ordinal, device, -1, Call::DRIVER)
    VALUE(device, raw, device, -1, Call::DRIVER)
    TEXT(device, name, device, Call::DRIVER)
    TEXT(device, arch, device, Call::DRIVER)
    VALUE(device, uuid, device, nullptr, Call::DRIVER)
    TEXT(device, pci_bus_id, device, Call::DRIVER)
    VALUE(device, compute_capability, device, 0, Call::DRIVER)
    NO_HANDLE(cucore_device_count, [&] { int32_t count; return cucore_device_count(&count, s); }())
    NO_HANDLE(cucore_device_open, made(cucore_device_open(0, s), s))
    NO_HANDLE(cucore_device_open_all, open_all(s))
    NO_HANDLE(cucore_device_current, device_current(s))
    {"cucore_device_with_context", {{"context", &Kit::context}},
     [](Kit &k, S s) { return made(cucore_device_with_context(k.context, s), s); }},
    {"cucore_device_attribute", {{"device", &Kit::device}},
     [](Kit &k, S s) { int32_t value; return cucore_device_attribute(k.device, 1, &value, s); }},
    {"cucore_device_can_access_peer", {{"device", &Kit::device}, {"peer", &Kit::peer}},
     [](Kit &k, S s) { int32_t can; return cucore_device_can_access_peer(k.device, k.peer, &can, s); }},
    {"cucore_device_memory_info", {{"device", &Kit::device}}, &memory_info},
    {"cucore_device_stream_priority_range", {{"device", &Kit::device}}, &priority_range},
    {"cucore_device_synchronize", {{"device", &Kit::device}},
     [](Kit &k, S s) { return cucore_device_synchronize(k.device, s); }},
    {"cucore_device_set_current", {{"device", &Kit::device}}, &set_device_current},
    {"cucore_device_context", {{"device", &Kit::device}},
     [](Kit &k, S s) { return made(cucore_device_context(k.device, s), s); }},

    RETAIN_RELEASE_CLOSE(context, context, Call::DRIVER)
    VALUE(context, raw, context, nullptr, Call::DRIVER)
    VALUE(context, ordinal, context, -1, Call::DRIVER)
    NO_HANDLE(cucore_context_current, context_current(s))
    {"cucore_context_from_raw", {},
     [](Kit &k, S s) {
         return made(cucore_context_from_raw(cucore_context_raw(k.context), CUCORE_BORROW, nullptr, nullptr, s), s);
     }},
    {"cucore_context_synchronize", {{"context", &Kit::context}},
     [](Kit &k, S s) { return cucore_context_synchronize(k.context, s); }},
    {"cucore_context_set_current", {{"context", &Kit::context, true}}, &set_context_current},
    {"cucore_context_run", {{"context", &Kit::context}}, &run_in_context},

    RETAIN_RELEASE_CLOSE(stream, stream, Call::DRIVER)
    VALUE(stream, raw, stream, nullptr, Call::DRIVER)
    PARENT(stream, device, stream)
    PARENT(stream, context, stream)
    READ(cucore_stream_priority, stream)
    READ(cucore_stream_flags, stream)
    READ(cucore_stream_id, stream)
    READ(cucore_stream_is_capturing, stream)
    READ(cucore_stream_is_done, stream)
    {"cucore_stream_create", {{"device", &Kit::device}},
     [](Kit &k, S s) { return made(cucore_stream_create(k.device, nullptr, s), s); }},
    {"cucore_stream_default", {{"device", &Kit::device}},
     [](Kit &k, S s) { return made(cucore_stream_default(k.device, s), s); }},
    {"cucore_stream_from_raw", {{"device", &Kit::device}},
     [](Kit &k, S s) {
         CUstream raw_stream = cucore_stream_raw(k.other_stream);
         return made(cucore_stream_from_raw(k.device, raw_stream, CUCORE_BORROW, nullptr, nullptr, s), s);
     }},
    {"cucore_stream_synchronize", {{"stream", &Kit::stream}},
     [](Kit &k, S s) { return cucore_stream_synchronize(k.stream, s); }},
    {"cucore_stream_wait_stream", {{"stream", &Kit::stream}, {"awaited", &Kit::other_stream}},
     [](Kit &k, S s) { return cucore_stream_wait_stream(k.stream, k.other_stream, s); }},
    {"cucore_stream_add_callback", {{"stream", &Kit::stream}},
     [](Kit &k, S s) {
         return cucore_stream_add_callback(k.stream, [](const cucore_status *, void *) {}, nullptr, nullptr, s);
     }},
    {"cucore_stream_wait_event", {{"stream", &Kit::stream}, {"event", &Kit::event}},
     [](Kit &k, S s) { return cucore_stream_wait_event(k.stream, k.event, s); }},

    RETAIN_RELEASE_CLOSE(event, event, Call::DRIVER)
    VALUE(event, raw, event, nullptr, Call::DRIVER)
    PARENT(event, device, event)
    PARENT(event, context, event)
    VALUE(event, has_timing, timed, 0, Call::DRIVER)
    VALUE(event, is_blocking_sync, timed, 0, Call::DRIVER)
    READ(cucore_event_is_done, event)
    {"cucore_event_create", {{"device", &Kit::device}},
     [](Kit &k, S s) { return made(cucore_event_create(k.device, nullptr, s), s); }},
    {"cucore_event_record", {{"event", &Kit::event}, {"stream", &Kit::stream}},
     [](Kit &k, S s) { return cucore_event_record(k.event, k.stream, s); }},
    {"cucore_event_synchronize", {{"event", &Kit::event}},
     [](Kit &k, S s) { return cucore_event_synchronize(k.event, s); }},
    {"cucore_event_elapsed", {{"start", &Kit::timed}, {"end", &Kit::later}},
     [](Kit &k, S s) { float ms; return cucore_event_elapsed(k.timed, k.later, &ms, s); }},

    RETAIN_RELEASE_CLOSE(memory_resource, resource, Call::DRIVER)
    VALUE(memory_resource, raw, resource, nullptr, Call::DRIVER)
    VALUE(memory_resource, is_host_accessible, pinned, 0, Call::DRIVER)
    PARENT(memory_resource, device, resource)
    {"cucore_memory_resource_device_pool", {{"device", &Kit::device}},
     [](Kit &k, S s) { return made(cucore_memory_resource_device_pool(k.device, s), s); }},
    {"cucore_memory_resource_create_pool", {{"device", &Kit::device}},
     [](Kit &k, S s) { return made(cucore_memory_resource_create_pool(k.device, nullptr, s), s); }},
    {"cucore_memory_resource_create_pinned_pool", {{"device", &Kit::device}},
     [](Kit &k, S s) { return made(cucore_memory_resource_create_pinned_pool(k.device, nullptr, s), s); }},
    {"cucore_memory_resource_pinned", {{"device", &Kit::device}},
     [](Kit &k, S s) { return made(cucore_memory_resource_pinned(k.device, s), s); }},
    {"cucore_memory_resource_attribute", {{"resource", &Kit::pool}},
     [](Kit &k, S s) {
         uint64_t value;
         return cucore_memory_resource_attribute(k.pool, CUCORE_POOL_ATTRIBUTE_USED_CURRENT, &value, s);
     }},
    {"cucore_memory_resource_set_attribute", {{"resource", &Kit::pool}},
     [](Kit &k, S s) {
         return cucore_memory_resource_set_attribute(k.pool, CUCORE_POOL_ATTRIBUTE_RELEASE_THRESHOLD, 1 << 20, s);
     }},
    {"cucore_memory_resource_trim", {{"resource", &Kit::pool}},
     [](Kit &k, S s) { return cucore_memory_resource_trim(k.pool, 0, s); }},
    {"cucore_memory_resource_allocate", {{"resource", &Kit::resource}, {"stream", &Kit::stream}},
     [](Kit &k, S s) { return made(cucore_memory_resource_allocate(k.resource, 64, k.stream, s), s); }},

    RETAIN_RELEASE_CLOSE(buffer, buffer, Call::DRIVER)
    VALUE(buffer, raw, buffer, 0, Call::DRIVER)
    VALUE(buffer, size, buffer, 0, Call::DRIVER)
    VALUE(buffer, host_pointer, pinned_buffer, nullptr, Call::DRIVER)
    PARENT(buffer, device, buffer)
    PARENT(buffer, resource, buffer)
    PARENT(buffer, stream, buffer)
    {"cucore_buffer_note_use", {{"buffer", &Kit::buffer}, {"stream", &Kit::other_stream}},
     [](Kit &k, S s) { return cucore_buffer_note_use(k.buffer, k.other_stream, s); }},
    {"cucore_buffer_synchronize", {{"buffer", &Kit::buffer}},
     [](Kit &k, S s) { return cucore_buffer_synchronize(k.buffer, s); }},
    {"cucore_buffer_copy", {{"destination", &Kit::buffer}, {"source", &Kit::pinned_buffer}, {"stream", &Kit::stream}},
     [](Kit &k, S s) { return cucore_buffer_copy(k.buffer, 64, k.pinned_buffer, 0, 64, k.stream, s); }},
    {"cucore_buffer_copy_from_host", {{"buffer", &Kit::buffer}, {"stream", &Kit::stream}},
     [](Kit &k, S s) { const char b[64] = {}; return cucore_buffer_copy_from_host(k.buffer, 0, b, sizeof b, k.stream, s); }},
    {"cucore_buffer_copy_to_host", {{"buffer", &Kit::buffer}, {"stream", &Kit::stream}},
     [](Kit &k, S s) { char b[64]; return cucore_buffer_copy_to_host(k.buffer, 0, b, sizeof b, k.stream, s); }},
    {"cucore_buffer_copy_from_host_unchecked", {{"buffer", &Kit::buffer}, {"stream", &Kit::stream}},
     [](Kit &k, S s) { return copy_unchecked(k, s, false); }},
    {"cucore_buffer_copy_to_host_unchecked", {{"buffer", &Kit::buffer}, {"stream", &Kit::stream}},
     [](Kit &k, S s) { return copy_unchecked(k, s, true); }},
    {"cucore_buffer_fill", {{"buffer", &Kit::buffer}, {"stream", &Kit::stream}},
     [](Kit &k, S s) { return cucore_buffer_fill(k.buffer, 0, 64, 0, 4, k.stream, s); }},

    RETAIN_RELEASE_CLOSE(program, program, Call::COMPILER)
    VALUE(program, raw, program, nullptr, Call::COMPILER)
    {"cucore_program_create", {{"device", &Kit::device}}, &create_program, Call::COMPILER},
    {"cucore_program_compile", {{"program", &Kit::program}},
     [](Kit &k, S s) { return made(cucore_program_compile(k.program, CUCORE_OBJECT_CODE_PTX, s), s); }, Call::COMPILER},

    RETAIN_RELEASE_CLOSE(linker, linker, Call::COMPILER)
    VALUE(linker, kind, linker, 0, Call::COMPILER)
    ROW(cucore_linker_error_log, linker, good(cucore_linker_error_log(k.linker, nullptr)[0] == '\0'), Call::COMPILER)
    ROW(cucore_linker_info_log, linker, good(cucore_linker_info_log(k.linker, nullptr)[0] == '\0'), Call::COMPILER)
    {"cucore_linker_create", {{"device", &Kit::device}, {"inputs", &Kit::code}}, &create_linker, Call::COMPILER},
    {"cucore_linker_link", {{"linker", &Kit::linker}},
     [](Kit &k, S s) { return made(cucore_linker_link(k.linker, s), s); }, Call::COMPILER},

    RETAIN_RELEASE_CLOSE(object_code, code, Call::NOTHING)
    VALUE(object_code, kind, code, 0, Call::NOTHING)
    TEXT(object_code, raw, code, Call::NOTHING)
    CODE(name, cucore_object_code_name(k.code, nullptr)[0] != '\0')
    CODE(lowered_name, cucore_object_code_lowered_name(k.code, "f<int>", 6, nullptr) == nullptr)
    CODE(log, cucore_object_code_log(k.code, nullptr)[0] == '\0')

    RETAIN_RELEASE_CLOSE(library, library, Call::DRIVER)
    VALUE(library, raw, library, nullptr, Call::DRIVER)
    PARENT(library, device, library)
    PARENT(library, code, library)
    READ(cucore_library_kernel_count, library)
    {"cucore_library_load", {{"device", &Kit::device}, {"code", &Kit::code}},
     [](Kit &k, S s) { return made(cucore_library_load(k.device, k.code, s), s); }},
    {"cucore_library_kernel", {{"library", &Kit::library}},
     [](Kit &k, S s) { return made(cucore_library_kernel(k.library, "saxpy", 5, s), s); }},
    {"cucore_library_kernels", {{"library", &Kit::library}}, &list_kernels},
    {"cucore_library_global", {{"library", &Kit::library}}, &find_global},

    RETAIN_RELEASE_CLOSE(kernel, kernel, Call::DRIVER)
    VALUE(kernel, raw, kernel, nullptr, Call::DRIVER)
    TEXT(kernel, name, kernel, Call::DRIVER)
    PARENT(kernel, library, kernel)
    READ(cucore_kernel_parameter_count, kernel)
    {"cucore_kernel_parameter_size", {{"kernel", &Kit::kernel}},
     [](Kit &k, S s) { size_t n; return cucore_kernel_parameter_size(k.kernel, 0, &n, s); }},
    {"cucore_kernel_parameter_offset", {{"kernel", &Kit::kernel}},
     [](Kit &k, S s) { size_t n; return cucore_kernel_parameter_offset(k.kernel, 0, &n, s); }},
    {"cucore_kernel_attribute", {{"kernel", &Kit::kernel}, {"device", &Kit::device, true}},
     [](Kit &k, S s) {
         int32_t value;
         return cucore_kernel_attribute(k.kernel, CUCORE_KERNEL_ATTRIBUTE_REGISTERS, k.device, &value, s);
     }},
    {"cucore_kernel_set_attribute", {{"kernel", &Kit::kernel}, {"device", &Kit::device, true}},
     [](Kit &k, S s) {
         return cucore_kernel_set_attribute(k.kernel, CUCORE_KERNEL_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE, k.device, 1024, s);
     }},
    {"cucore_kernel_launch", {{"kernel", &Kit::kernel}, {"stream", &Kit::stream}, {"arguments", &Kit::buffer}}, &launch},
};
// clang-format on

const std::vector<std::string> other_calls = {
    "cucore_callback_leave",       "cucore_compiler_path",         "cucore_compiler_use_library",
    "cucore_compiler_use_wheels",  "cucore_compiler_version",      "cucore_context_release_primary",
    "cucore_driver_is_available",  "cucore_driver_path",           "cucore_driver_use_entry",
    "cucore_driver_use_library",   "cucore_live_list_count",       "cucore_live_list_create",
    "cucore_live_list_enable",     "cucore_live_list_function",    "cucore_live_list_references",
    "cucore_live_list_release",    "cucore_live_list_text",        "cucore_live_list_type",
    "cucore_object_code_create",   "cucore_status_code",           "cucore_status_code_name",
    "cucore_status_create",        "cucore_status_domain",         "cucore_status_log",
    "cucore_status_message",       "cucore_status_native_code",    "cucore_status_native_description",
    "cucore_status_native_name",   "cucore_status_note",           "cucore_status_note_count",
    "cucore_status_note_kind",     "cucore_status_operation",      "cucore_status_release",
    "cucore_status_resource",      "cucore_status_retain",         "cucore_version",
    "cucore_version_text",         "cucore_warning_queue_create",  "cucore_warning_queue_lost",
    "cucore_warning_queue_poll",   "cucore_warning_queue_release", "cucore_warning_sink_register",
    "cucore_warning_sink_release",
};

OwnedKit::OwnedKit(int32_t ordinal, bool with_compilers)
    : device_(make(cucore_device_open, ordinal)), peer_(make(cucore_device_open, ordinal)),
      context_(make(cucore_device_context, device_)), stream_(make(cucore_stream_create, device_, nullptr)),
      other_stream_(make(cucore_stream_create, device_, nullptr)), event_(make(cucore_event_create, device_, nullptr)),
      resource_(make(cucore_memory_resource_device_pool, device_)),
      pool_(make(cucore_memory_resource_create_pool, device_, nullptr)), pinned_(make(cucore_memory_resource_pinned, device_)),
      buffer_(make(cucore_memory_resource_allocate, resource_, 1024, stream_)),
      pinned_buffer_(make(cucore_memory_resource_allocate, pinned_, 1024, stream_)),
      code_(ptx(SAXPY_PTX + ".visible .global .align 4 .u32 counter;\n")), library_(make(cucore_library_load, device_, code_)),
      kernel_(find(library_)) {
    const cucore_event_options timing{sizeof timing, CUCORE_ON, CUCORE_ON};
    timed_ = make(cucore_event_create, device_, &timing);
    later_ = make(cucore_event_create, device_, &timing);
    for (cucore_event *event : {event_.get(), timed_.get(), later_.get()}) {
        ok(cucore_event_record, event, stream_);
    }
    ok(cucore_buffer_fill, buffer_, 0, 1024, 0, 1, stream_);
    ok(cucore_buffer_fill, pinned_buffer_, 0, 1024, 0, 1, stream_);
    ok(cucore_stream_synchronize, stream_);
    if (with_compilers) {
        cucore_object_code *inputs[] = {code_};
        program_ = make(cucore_program_create, device_, SAXPY_SOURCE.data(), SAXPY_SOURCE.size(), nullptr);
        linker_ = make(cucore_linker_create, device_, inputs, 1, nullptr);
    }
    kit = {{device_}, {context_}, {stream_}, {event_}, {timed_},        {resource_}, {buffer_}, {code_},   {program_},
           {linker_}, {library_}, {kernel_}, {peer_},  {other_stream_}, {later_},    {pool_},   {pinned_}, {pinned_buffer_}};
}

} // namespace test
