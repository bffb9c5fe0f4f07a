// SPDX-License-Identifier: MIT OR Apache-2.0
// Failures of the C library, for libcucore alone.
//
// A shared library calls malloc through a slot of its own global offset table, which the dynamic loader fills in. Here the slots
// of libcucore.so.1 are pointed at functions that count, fail when told to, and else call the real one as this test program
// does: the library is the production binary, nobody else's malloc fails, and a sanitizer's malloc stays in place.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace test {

/// Patches the library's slots; done once, and never undone. Throws if the library has none, as a static one has.
void patch_library();

/// Makes the library's call number `nth` from now, counted from 1, of any patched function fail, and all after it if `sticky`.
/// `function` names one of them ("malloc", "pthread_create"); NULL means those that allocate. With `nth` 0 they are counted only.
void fail_library_call(const char *function, uint64_t nth, bool sticky);
void fail_no_library_call();

/// Has `action` called when a call has been made to fail, each time, until the next fail_library_call.
void after_library_failure(void (*action)());

/// How many of the calls that the last fail_library_call named were made since, and how many of them it failed.
uint64_t library_calls();
uint64_t library_failures();

/// No memory for the library, from the construction to the destruction.
class NoMemory {
  public:
    NoMemory() {
        fail_library_call(nullptr, 1, true);
    }
    NoMemory(const NoMemory &) = delete;
    ~NoMemory() {
        fail_no_library_call();
    }
};

/// Has `action` done before the library's next call of a patched function on this thread, once, up to the destruction: what
/// another thread does in just that moment. "pthread_mutex_lock" and "pthread_mutex_unlock" are patched for this alone.
class BeforeLibraryCall {
  public:
    BeforeLibraryCall(const char *function, std::function<void()> action);
    BeforeLibraryCall(const BeforeLibraryCall &) = delete;
    ~BeforeLibraryCall();
    void see(const std::string &function);

  private:
    std::string function_;
    std::function<void()> action_;
};

/// From the construction to the destruction, what the library frees stays as it left it, so that a handle that has ended can be
/// looked at.
class KeptMemory {
  public:
    KeptMemory();
    KeptMemory(const KeptMemory &) = delete;
    ~KeptMemory();
};

/// The functions and variables that the library takes from other libraries.
std::vector<std::string> library_imports();

} // namespace test
