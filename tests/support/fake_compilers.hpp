// SPDX-License-Identifier: MIT OR Apache-2.0
// The simulated NVRTC and nvJitLink (sim/cusim_compilers.h) that this process uses, as one.
#pragma once

#include <cstdint>
#include <string>

namespace test {

/// The controls of one of them, looked up in its library.
struct FakeCompiler {
    void (*fail)(const char *function, uint64_t nth, int result, int sticky);
    void (*fail_after)(const char *function, uint64_t nth, int result, int sticky);
    void (*fail_nothing)();
    uint64_t (*failures_injected)();
    const char *(*failed_call)(uint64_t index);
    uint64_t (*call_count)(const char *function);
    size_t (*options)(char *text, size_t size);
    size_t (*live_count)();
    uint64_t (*violations)();
};

struct FakeCompilers {
    FakeCompiler nvrtc;
    FakeCompiler nvjitlink;

    /// Makes calls of `function` fail instead of doing their work, or after it: the nth from now, and all after it if `sticky`.
    /// What was armed before is disarmed. With `nth` 0 none fails.
    void fail(const std::string &function, uint64_t nth, int result, int sticky) const;
    void fail_after(const std::string &function, uint64_t nth, int result, int sticky) const;
    void fail_nothing() const;

    /// The options of the last compilation, and of the last link, a line each.
    std::string compile_options() const;
    std::string link_options() const;

    /// The programs and linkers alive, and the uses of others.
    uint64_t live() const;
    uint64_t violations() const;

  private:
    const FakeCompiler &of(const std::string &function) const;
};

/// Those that the environment variables CUCORE_NVRTC_LIBRARY and CUCORE_NVJITLINK_LIBRARY must name.
const FakeCompilers &fake_compilers();

} // namespace test
