// SPDX-License-Identifier: MIT OR Apache-2.0
// Every exported function as a row of one table, so that what must hold for all of them is tested for all of them.
#pragma once

#include "cucore.hpp"

namespace test {

/// A handle of any type: it becomes the type that a call wants.
struct Any {
    void *handle = nullptr;
    template <class T> operator T *() const {
        return static_cast<T *>(handle);
    }
};

/// Handles for calls to use: one of each noun, and another where a call takes two of them. `pool` and `pinned` are memory
/// resources; `timed` and `later` are events that measure time.
struct Kit {
    Any device, context, stream, event, timed, resource, buffer, code, program, linker, library, kernel;
    Any peer, other_stream, later, pool, pinned, pinned_buffer;
};

/// Owns a kit on a device: events recorded and done, buffers of 1024 bytes, the saxpy library with a variable, "counter". Programs
/// and linkers are made only if `with_compilers`.
class OwnedKit {
  public:
    explicit OwnedKit(int32_t ordinal = 0, bool with_compilers = false);
    Kit kit;

  private:
    Device device_, peer_;
    Context context_;
    Stream stream_, other_stream_;
    Event event_, timed_, later_;
    Resource resource_, pool_, pinned_;
    Buffer buffer_, pinned_buffer_;
    ObjectCode code_;
    Program program_;
    Linker linker_;
    Library library_;
    Kernel kernel_;
};

/// What the call of a row gives for a bad handle where the function has no status: 0, -1 or NULL.
constexpr int32_t BAD_VALUE = -1;

/// A parameter that takes a handle, and the noun it wants.
struct HandleParameter {
    const char *name;
    Any Kit::*member;
    bool may_be_null = false;
};

/// An exported function. `call` calls it with handles of the kit, gives back what it made, and returns its code.
struct Call {
    const char *function;
    std::vector<HandleParameter> parameters; ///< none for some
    int32_t (*call)(Kit &kit, cucore_status **status);
    enum Need { DRIVER, NOTHING, COMPILER } need = DRIVER;
};

/// Every function that takes a handle of the library, and those without that reach the driver.
extern const std::vector<Call> calls;

/// The other exported functions: they take nothing of the library's, or a status, a sink or a queue, which have no type tag.
extern const std::vector<std::string> other_calls;

} // namespace test
