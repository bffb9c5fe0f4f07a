// SPDX-License-Identifier: MIT OR Apache-2.0
// libcucore in C++17, in one header: a sample to copy from and add to, not the whole library.
//
// Each handle is owned by a unique one, which can be moved and not copied. Its destructor releases: what fails in that is a
// warning. close throws it instead.

#ifndef CUCORE_HPP
#define CUCORE_HPP

#include <cucore_v1/cucore.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

namespace cucore {

// How a reference is given up, for each type of handle.
template <typename T> struct end;

#define CUCORE_END_OF(noun) \
    template <> struct end<cucore_##noun> { \
        static constexpr auto release = cucore_##noun##_release; \
        static constexpr auto close = cucore_##noun##_close; \
    };

CUCORE_END_OF(device)
CUCORE_END_OF(stream)
CUCORE_END_OF(event)
CUCORE_END_OF(memory_resource)
CUCORE_END_OF(buffer)
CUCORE_END_OF(program)
CUCORE_END_OF(object_code)
CUCORE_END_OF(library)
CUCORE_END_OF(kernel)

#undef CUCORE_END_OF

// These have no close: nothing can fail in their end.
template <> struct end<cucore_status> { static constexpr auto release = cucore_status_release; };

template <> struct end<cucore_warning_queue> { static constexpr auto release = cucore_warning_queue_release; };

template <typename T> struct release {
    void operator()(T *handle) const noexcept {
        end<T>::release(handle);
    }
};

// One reference. unique_ptr has all that it needs: get, release (which here means "let go of"), bool, moves.
template <typename T> using unique = std::unique_ptr<T, release<T>>;

// A failure: code is what to decide by. An exception must be copyable, hence the shared status.
class error : public std::runtime_error {
  public:
    explicit error(unique<cucore_status> status)
        : std::runtime_error(cucore_status_message(status.get(), nullptr)), status_(std::move(status)) {
    }

    std::int32_t code() const noexcept {
        return cucore_status_code(status_.get());
    }

    std::string operation() const {
        return cucore_status_operation(status_.get(), nullptr);
    }

    std::string log() const {
        std::size_t size = 0;
        const char *data = cucore_status_log(status_.get(), &size);
        return {data, size};
    }

    std::vector<std::string> notes() const {
        std::vector<std::string> notes;
        for (std::size_t i = 0; i < cucore_status_note_count(status_.get()); i++)
            notes.emplace_back(cucore_status_message(cucore_status_note(status_.get(), i), nullptr));
        return notes;
    }

  private:
    std::shared_ptr<cucore_status> status_;
};

template <typename T> struct is_handle : std::false_type {};
template <typename T> struct is_handle<T *> : std::true_type {};

// Calls a function of the library, whose last argument, the status, it adds, and throws what that fails with. A handle comes back
// owned, a code not at all.
template <typename... Parameters, typename Result, typename... Arguments>
auto call(Result (*function)(Parameters...), Arguments... arguments) {
    cucore_status *status = nullptr;
    Result result = function(arguments..., &status);
    if (status)
        throw error(unique<cucore_status>(status));
    if constexpr (is_handle<Result>::value)
        return unique<std::remove_pointer_t<Result>>(result);
}

// Gives a reference up, and throws what failed in destroying the resource.
template <typename T> void close(unique<T> handle) {
    call(end<T>::close, handle.release(), nullptr);
}

// The failures that no call can return, in a queue: a sink is called in the midst of any thread's work, and must not throw.
class warnings {
  public:
    explicit warnings(std::size_t capacity = 256) : queue_(call(cucore_warning_queue_create, capacity)) {
    }

    std::optional<error> poll() {
        unique<cucore_status> status(cucore_warning_queue_poll(queue_.get()));
        if (!status)
            return std::nullopt;
        return error(std::move(status));
    }

  private:
    unique<cucore_warning_queue> queue_;
};

inline unique<cucore_object_code> compile(cucore_device *device, std::string_view source) {
    auto program = call(cucore_program_create, device, source.data(), source.size(), nullptr);
    return call(cucore_program_compile, program.get(), CUCORE_OBJECT_CODE_PTX);
}

inline unique<cucore_buffer> allocate(cucore_device *device, std::size_t size, cucore_stream *stream) {
    auto pool = call(cucore_memory_resource_device_pool, device);
    return call(cucore_memory_resource_allocate, pool.get(), size, stream);
}

// Copies all of a vector, and waits for that.
template <typename T> void copy(cucore_buffer *to, const std::vector<T> &from, cucore_stream *stream) {
    static_assert(std::is_trivially_copyable_v<T>);
    call(cucore_buffer_copy_from_host, to, std::size_t{0}, from.data(), from.size() * sizeof(T), stream);
}

template <typename T> void copy(std::vector<T> &to, cucore_buffer *from, cucore_stream *stream) {
    static_assert(std::is_trivially_copyable_v<T>);
    call(cucore_buffer_copy_to_host, from, std::size_t{0}, to.data(), to.size() * sizeof(T), stream);
}

inline cucore_argument argument(const unique<cucore_buffer> &buffer) {
    cucore_argument argument{};
    argument.kind = CUCORE_ARGUMENT_OBJECT;
    argument.object = buffer.get();
    return argument;
}

// Any other value, which is read during the launch.
template <typename T> cucore_argument argument(const T &value) {
    static_assert(std::is_trivially_copyable_v<T>);
    cucore_argument argument{};
    argument.kind = CUCORE_ARGUMENT_BYTES;
    argument.size = sizeof value;
    argument.bytes = &value;
    return argument;
}

// Puts a kernel on the stream. The types of the values have to be the kernel's: 2.5f for a float, std::int32_t for an int.
template <typename... Values>
void launch(cucore_kernel *kernel, cucore_stream *stream, std::uint32_t grid, std::uint32_t block, const Values &...values) {
    const cucore_launch_options options{sizeof options, {grid, 1, 1}, {block, 1, 1}, 0, 0};
    const cucore_argument arguments[] = {argument(values)...};
    call(cucore_kernel_launch, kernel, stream, &options, arguments, sizeof...(values));
}

} // namespace cucore

#endif
