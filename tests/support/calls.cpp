// SPDX-License-Identifier: MIT OR Apache-2.0
#include "calls.hpp"

#include "code.hpp"

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

int32_t create_program(Kit &kit, S status) {
    return made(cucore_program_create(kit.device, SAXPY_SOURCE.data(), SAXPY_SOURCE.size(), nullptr, status), status);
}

int32_t create_linker(Kit &kit, S status) {
    cucore_object_code *inputs[] = {kit.code};
    return made(cucore_linker_create(kit.device, inputs, 1, nullptr, status), status);
}

int32_t launch(Kit &kit, S status) {
    const cucore_launch_options options = shape(1, 32);
    const cucore_argument arguments[] = {value(2.0f), object(kit.buffer), object(kit.buffer, 512), value(int32_t{32})};
    return cucore_kernel_launch(kit.kernel, kit.stream, &options, arguments, 4, status);
}

int32_t set_current(Kit &kit, S status) {
    cucore_context *previous = nullptr;
    const int32_t code = cucore_context_set_current(kit.context, &previous, status);
    if (code == CUCORE_OK) {
        cucore_context_set_current(previous, nullptr, nullptr);
        cucore_context_release(previous);
    }
    return code;
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

// clang-format off
const std::vector<Call> calls = {
    RETAIN_RELEASE_CLOSE(device, device, Call::DRIVER)
    VALUE(device, ordinal, device, -1, Call::DRIVER)
    VALUE(device, raw, device, -1, Call::DRIVER)
    TEXT(device, name, device, Call::DRIVER)
    TEXT(device, arch, device, Call::DRIVER)
    {"cucore_device_attribute", {{"device", &Kit::device}},
     [](Kit &k, S s) { int32_t value; return cucore_device_attribute(k.device, 1, &value, s); }},
    {"cucore_device_context", {{"device", &Kit::device}},
     [](Kit &k, S s) { return made(cucore_device_context(k.device, s), s); }},

    RETAIN_RELEASE_CLOSE(context, context, Call::DRIVER)
    VALUE(context, raw, context, nullptr, Call::DRIVER)
    VALUE(context, ordinal, context, -1, Call::DRIVER)
    {"cucore_context_synchronize", {{"context", &Kit::context}},
     [](Kit &k, S s) { return cucore_context_synchronize(k.context, s); }},
    {"cucore_context_set_current", {{"context", &Kit::context, true}}, &set_current},

    RETAIN_RELEASE_CLOSE(stream, stream, Call::DRIVER)
    VALUE(stream, raw, stream, nullptr, Call::DRIVER)
    PARENT(stream, device, stream)
    PARENT(stream, context, stream)
    {"cucore_stream_create", {{"device", &Kit::device}},
     [](Kit &k, S s) { return made(cucore_stream_create(k.device, nullptr, s), s); }},
    {"cucore_stream_synchronize", {{"stream", &Kit::stream}},
     [](Kit &k, S s) { return cucore_stream_synchronize(k.stream, s); }},
    {"cucore_stream_wait_event", {{"stream", &Kit::stream}, {"event", &Kit::event}},
     [](Kit &k, S s) { return cucore_stream_wait_event(k.stream, k.event, s); }},

    RETAIN_RELEASE_CLOSE(event, event, Call::DRIVER)
    VALUE(event, raw, event, nullptr, Call::DRIVER)
    PARENT(event, device, event)
    PARENT(event, context, event)
    {"cucore_event_create", {{"device", &Kit::device}},
     [](Kit &k, S s) { return made(cucore_event_create(k.device, nullptr, s), s); }},
    {"cucore_event_record", {{"event", &Kit::event}, {"stream", &Kit::stream}},
     [](Kit &k, S s) { return cucore_event_record(k.event, k.stream, s); }},
    {"cucore_event_synchronize", {{"event", &Kit::event}},
     [](Kit &k, S s) { return cucore_event_synchronize(k.event, s); }},
    {"cucore_event_elapsed", {{"start", &Kit::timed}},
     [](Kit &k, S s) { float ms; return cucore_event_elapsed(k.timed, k.timed, &ms, s); }},

    RETAIN_RELEASE_CLOSE(memory_resource, resource, Call::DRIVER)
    VALUE(memory_resource, raw, resource, nullptr, Call::DRIVER)
    PARENT(memory_resource, device, resource)
    {"cucore_memory_resource_device_pool", {{"device", &Kit::device}},
     [](Kit &k, S s) { return made(cucore_memory_resource_device_pool(k.device, s), s); }},
    {"cucore_memory_resource_allocate", {{"resource", &Kit::resource}, {"stream", &Kit::stream}},
     [](Kit &k, S s) { return made(cucore_memory_resource_allocate(k.resource, 64, k.stream, s), s); }},

    RETAIN_RELEASE_CLOSE(buffer, buffer, Call::DRIVER)
    VALUE(buffer, raw, buffer, 0, Call::DRIVER)
    VALUE(buffer, size, buffer, 0, Call::DRIVER)
    PARENT(buffer, resource, buffer)
    PARENT(buffer, stream, buffer)
    {"cucore_buffer_copy_from_host", {{"buffer", &Kit::buffer}, {"stream", &Kit::stream}},
     [](Kit &k, S s) { const char b[64] = {}; return cucore_buffer_copy_from_host(k.buffer, 0, b, sizeof b, k.stream, s); }},
    {"cucore_buffer_copy_to_host", {{"buffer", &Kit::buffer}, {"stream", &Kit::stream}},
     [](Kit &k, S s) { char b[64]; return cucore_buffer_copy_to_host(k.buffer, 0, b, sizeof b, k.stream, s); }},
    {"cucore_buffer_fill", {{"buffer", &Kit::buffer}, {"stream", &Kit::stream}},
     [](Kit &k, S s) { return cucore_buffer_fill(k.buffer, 0, 64, 0, 4, k.stream, s); }},

    RETAIN_RELEASE_CLOSE(program, program, Call::COMPILER)
    VALUE(program, raw, program, nullptr, Call::COMPILER)
    {"cucore_program_create", {{"device", &Kit::device}}, &create_program, Call::COMPILER},
    {"cucore_program_compile", {{"program", &Kit::program}},
     [](Kit &k, S s) { return made(cucore_program_compile(k.program, CUCORE_OBJECT_CODE_PTX, s), s); }, Call::COMPILER},

    RETAIN_RELEASE_CLOSE(linker, linker, Call::COMPILER)
    VALUE(linker, raw, linker, nullptr, Call::COMPILER)
    {"cucore_linker_create", {{"device", &Kit::device}, {"inputs", &Kit::code}}, &create_linker, Call::COMPILER},
    {"cucore_linker_link", {{"linker", &Kit::linker}},
     [](Kit &k, S s) { return made(cucore_linker_link(k.linker, s), s); }, Call::COMPILER},

    RETAIN_RELEASE_CLOSE(object_code, code, Call::NOTHING)
    VALUE(object_code, kind, code, 0, Call::NOTHING)
    TEXT(object_code, raw, code, Call::NOTHING)
    ROW(cucore_object_code_name, code, good(cucore_object_code_name(k.code, nullptr)[0] != '\0'), Call::NOTHING)
    ROW(cucore_object_code_log, code, good(k.code.handle != nullptr && cucore_object_code_log(k.code, nullptr)[0] == '\0'),
        Call::NOTHING)

    RETAIN_RELEASE_CLOSE(library, library, Call::DRIVER)
    VALUE(library, raw, library, nullptr, Call::DRIVER)
    PARENT(library, device, library)
    {"cucore_library_load", {{"device", &Kit::device}, {"code", &Kit::code}},
     [](Kit &k, S s) { return made(cucore_library_load(k.device, k.code, s), s); }},
    {"cucore_library_kernel", {{"library", &Kit::library}},
     [](Kit &k, S s) { return made(cucore_library_kernel(k.library, "saxpy", 5, s), s); }},

    RETAIN_RELEASE_CLOSE(kernel, kernel, Call::DRIVER)
    VALUE(kernel, raw, kernel, nullptr, Call::DRIVER)
    TEXT(kernel, name, kernel, Call::DRIVER)
    PARENT(kernel, library, kernel)
    {"cucore_kernel_parameter_count", {{"kernel", &Kit::kernel}},
     [](Kit &k, S s) { size_t n; return cucore_kernel_parameter_count(k.kernel, &n, s); }},
    {"cucore_kernel_parameter_size", {{"kernel", &Kit::kernel}},
     [](Kit &k, S s) { size_t n; return cucore_kernel_parameter_size(k.kernel, 0, &n, s); }},
    {"cucore_kernel_launch", {{"kernel", &Kit::kernel}, {"stream", &Kit::stream}, {"arguments", &Kit::buffer}}, &launch},
};
// clang-format on

const std::vector<std::string> calls_without_handles = {
    "cucore_compiler_path",
    "cucore_compiler_use_library",
    "cucore_compiler_use_wheels",
    "cucore_compiler_version",
    "cucore_context_release_primary",
    "cucore_device_count",
    "cucore_device_open",
    "cucore_driver_is_available",
    "cucore_driver_path",
    "cucore_driver_use_entry",
    "cucore_driver_use_library",
    "cucore_driver_version",
    "cucore_object_code_create",
    "cucore_status_code",
    "cucore_status_code_name",
    "cucore_status_create",
    "cucore_status_domain",
    "cucore_status_log",
    "cucore_status_message",
    "cucore_status_native_code",
    "cucore_status_native_description",
    "cucore_status_native_name",
    "cucore_status_note",
    "cucore_status_note_count",
    "cucore_status_note_kind",
    "cucore_status_operation",
    "cucore_status_release",
    "cucore_status_resource",
    "cucore_status_retain",
    "cucore_version",
    "cucore_version_text",
    "cucore_warning_sink_register",
    "cucore_warning_sink_release",
};

OwnedKit::OwnedKit(int32_t ordinal, bool with_compilers)
    : device_(make(cucore_device_open, ordinal)), context_(make(cucore_device_context, device_)),
      stream_(make(cucore_stream_create, device_, nullptr)), event_(make(cucore_event_create, device_, nullptr)),
      resource_(make(cucore_memory_resource_device_pool, device_)),
      buffer_(make(cucore_memory_resource_allocate, resource_, 1024, stream_)), code_(ptx(SAXPY_PTX)), library_(load(device_)),
      kernel_(find(library_)) {
    cucore_event_options timing{};
    timing.struct_size = sizeof timing;
    timing.timing = CUCORE_ON;
    timed_ = make(cucore_event_create, device_, &timing);
    ok(cucore_event_record, timed_, stream_);
    ok(cucore_event_record, event_, stream_);
    ok(cucore_buffer_fill, buffer_, 0, 1024, 0, 1, stream_);
    ok(cucore_stream_synchronize, stream_);
    if (with_compilers) {
        cucore_object_code *inputs[] = {code_};
        program_ = make(cucore_program_create, device_, SAXPY_SOURCE.data(), SAXPY_SOURCE.size(), nullptr);
        linker_ = make(cucore_linker_create, device_, inputs, 1, nullptr);
    }
    kit = {{device_}, {context_}, {stream_},  {event_},  {timed_},   {resource_},
           {buffer_}, {code_},    {program_}, {linker_}, {library_}, {kernel_}};
}

} // namespace test
