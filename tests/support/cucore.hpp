// SPDX-License-Identifier: MIT OR Apache-2.0
// What every test uses of the library: handles that release themselves, statuses taken apart, and calls that must work or fail.
#pragma once

#include "catch.h"
#include "code.hpp"
#include "facts.hpp"

#include <mutex>
#include <string>
#include <utility>
#include <vector>

namespace test {

/// Owns what a call stores through its `status` parameter, which is what it converts to. The call must store something.
class Status {
  public:
    Status() = default;
    Status(const Status &) = delete;
    ~Status();
    operator cucore_status **();
    /// The same for a call that may be of a function without a status, which then stores nothing.
    cucore_status **maybe();
    /// The status that the last call stored; fails the test if it stored nothing.
    const cucore_status *get() const;
    Facts facts() const {
        return facts_of(get());
    }

  private:
    cucore_status *held_ = nullptr;
};

/// The nouns: retain, release and close of a handle type.
template <class T> struct Noun;
#define TEST_NOUNS(X) \
    X(device) \
    X(context) \
    X(stream) \
    X(event) \
    X(memory_resource) \
    X(buffer) \
    X(program) \
    X(linker) \
    X(object_code) \
    X(library) \
    X(kernel)
#define X(noun) \
    template <> struct Noun<cucore_##noun> { \
        static constexpr const char *name = #noun; \
        static constexpr auto retain = &cucore_##noun##_retain; \
        static constexpr auto release = &cucore_##noun##_release; \
        static constexpr auto close = &cucore_##noun##_close; \
    };
TEST_NOUNS(X)
#undef X

/// A reference to a handle, released at the end of its scope.
template <class T> class Handle {
  public:
    Handle() = default;
    explicit Handle(T *handle) : handle_(handle) {
    }
    Handle(Handle &&other) noexcept : handle_(other.give()) {
    }
    Handle &operator=(Handle &&other) noexcept {
        reset();
        handle_ = other.give();
        return *this;
    }
    ~Handle() {
        reset();
    }
    operator T *() const {
        return handle_;
    }
    T *get() const {
        return handle_;
    }
    /// Gives the reference to the caller.
    T *give() {
        return std::exchange(handle_, nullptr);
    }
    void reset() {
        Noun<T>::release(give());
    }

  private:
    T *handle_ = nullptr;
};

using Device = Handle<cucore_device>;
using Context = Handle<cucore_context>;
using Stream = Handle<cucore_stream>;
using Event = Handle<cucore_event>;
using Resource = Handle<cucore_memory_resource>;
using Buffer = Handle<cucore_buffer>;
using Program = Handle<cucore_program>;
using Linker = Handle<cucore_linker>;
using ObjectCode = Handle<cucore_object_code>;
using Library = Handle<cucore_library>;
using Kernel = Handle<cucore_kernel>;

/// Calls a function that makes a handle, and requires that it worked: make(cucore_stream_create, device, nullptr).
template <class T, class... Parameters, class... Arguments>
Handle<T> make(T *(*function)(Parameters...), Arguments &&...arguments) {
    Status status;
    Handle<T> made(function(std::forward<Arguments>(arguments)..., status));
    if (made.get() == nullptr || status.get() != nullptr) {
        FAIL("a handle was expected, not " << describe(status.facts()));
    }
    return made;
}

/// Calls a function that returns a code, and requires that it worked: ok(cucore_stream_synchronize, stream).
template <class... Parameters, class... Arguments> void ok(int32_t (*function)(Parameters...), Arguments &&...arguments) {
    Status status;
    const int32_t code = function(std::forward<Arguments>(arguments)..., status);
    if (code != CUCORE_OK || status.get() != nullptr) {
        FAIL("success was expected, not " << code << ", " << describe(status.facts()));
    }
}

/// Whether what a function returned says that it failed, as its status does.
inline bool failed(int32_t code, const cucore_status *status) {
    return code != CUCORE_OK && code == cucore_status_code(status);
}
template <class T> bool failed(T *handle, const cucore_status *status) {
    return handle == nullptr && cucore_status_code(status) != CUCORE_OK;
}

/// Calls a function that must fail, and gives the facts of its status.
template <class R, class... Parameters, class... Arguments> Facts fails(R (*function)(Parameters...), Arguments &&...arguments) {
    Status status;
    const R result = function(std::forward<Arguments>(arguments)..., status);
    const Facts facts = status.facts();
    INFO(describe(facts));
    REQUIRE(failed(result, status.get()));
    REQUIRE_FALSE(facts.message.empty());
    REQUIRE(facts.message.find('\n') == std::string::npos);
    return facts;
}

/// A call that must fail with this code, and say `part`.
template <class R, class... Parameters, class... Arguments>
void fails_saying(int32_t code, const std::string &part, R (*function)(Parameters...), Arguments &&...arguments) {
    const Facts facts = fails(function, std::forward<Arguments>(arguments)...);
    INFO(describe(facts));
    CHECK(cucore_status_code_name(facts.code) == std::string(cucore_status_code_name(code)));
    CHECK_THAT(facts.message, has(part));
}

/// A warning sink that records what it gets, from any thread.
class Sink {
  public:
    Sink();
    Sink(const Sink &) = delete;
    ~Sink();
    /// What came since the last take.
    std::vector<Facts> take();
    /// The one warning that came since the last take; fails the test unless it was just one.
    Facts take_one();
    /// Removes the sink, so that warnings go to stderr.
    void release();

  private:
    static int32_t record(const cucore_status *warning, void *sink);
    std::mutex mutex_;
    std::vector<Facts> seen_;
    cucore_warning_sink *sink_;
};

/// What every test with a driver must leave behind: nothing. At its end no handle is bound to a device, the driver has no object
/// alive that it had not before, the current context is the one from before, the simulated driver saw no violation, and no
/// warning came that the test did not take.
class Clean {
  public:
    Clean();
    Clean(const Clean &) = delete;
    ~Clean();

    Sink sink;
    /// Accepts that the test left objects alive in the simulated driver: that is what a failed destroy does.
    void expect_leaks(size_t count) {
        expected_leaks_ = count;
    }
    /// The same for a test that has checked each of them itself.
    void expect_any_leaks() {
        checks_leaks_ = false;
    }

  private:
    CUctx_st *current_;
    std::vector<std::string> live_;
    uint64_t violations_ = 0;
    size_t expected_leaks_ = 0;
    bool checks_leaks_ = true;
};

/// PTX as object code, loaded, and a kernel of it.
inline ObjectCode ptx(const std::string &code) {
    return make(cucore_object_code_create, CUCORE_OBJECT_CODE_PTX, code.data(), code.size(), "test.ptx", 8);
}

inline Library load(cucore_device *device, const std::string &code = SAXPY_PTX) {
    return make(cucore_library_load, device, ptx(code));
}

inline Kernel find(cucore_library *library, const std::string &name = "saxpy") {
    return make(cucore_library_kernel, library, name.data(), name.size());
}

/// A cucore_text of a literal or string that outlives it.
inline cucore_text text(const std::string &string) {
    return {string.data(), string.size()};
}
cucore_text text(std::string &&) = delete;

} // namespace test
