// SPDX-License-Identifier: MIT OR Apache-2.0
#include "fake_compilers.hpp"

#include <cstdlib>
#include <dlfcn.h>
#include <stdexcept>

namespace test {

namespace {

template <class Function> void look_up(Function &function, void *library, const std::string &symbol) {
    function = reinterpret_cast<Function>(library != nullptr ? dlsym(library, symbol.c_str()) : nullptr);
    if (function == nullptr) {
        throw std::runtime_error("no simulated compiler has " + symbol);
    }
}

FakeCompiler load(const char *variable, const std::string &prefix) {
    const char *named = std::getenv(variable);
    void *library = named != nullptr ? dlopen(named, RTLD_NOW) : nullptr;
    FakeCompiler loaded{};
    look_up(loaded.fail, library, prefix + "fail");
    look_up(loaded.fail_after, library, prefix + "fail_after");
    look_up(loaded.fail_nothing, library, prefix + "fail_nothing");
    look_up(loaded.failures_injected, library, prefix + "failures_injected");
    look_up(loaded.failed_call, library, prefix + "failed_call");
    look_up(loaded.call_count, library, prefix + "call_count");
    look_up(loaded.options, library, prefix + "options");
    look_up(loaded.live_count, library, prefix + "live_count");
    look_up(loaded.violations, library, prefix + "violations");
    return loaded;
}

std::string options_of(const FakeCompiler &compiler) {
    std::string text(compiler.options(nullptr, 0) + 1, '\0');
    text.resize(compiler.options(text.data(), text.size()));
    return text;
}

} // namespace

const FakeCompiler &FakeCompilers::of(const std::string &function) const {
    return function.rfind("nvrtc", 0) == 0 ? nvrtc : nvjitlink;
}

void FakeCompilers::fail(const std::string &function, uint64_t nth, int result, int sticky) const {
    fail_nothing();
    if (nth != 0) {
        of(function).fail(function.c_str(), nth, result, sticky);
    }
}

void FakeCompilers::fail_after(const std::string &function, uint64_t nth, int result, int sticky) const {
    fail_nothing();
    of(function).fail_after(function.c_str(), nth, result, sticky);
}

void FakeCompilers::fail_nothing() const {
    nvrtc.fail_nothing();
    nvjitlink.fail_nothing();
}

std::string FakeCompilers::compile_options() const {
    return options_of(nvrtc);
}

std::string FakeCompilers::link_options() const {
    return options_of(nvjitlink);
}

uint64_t FakeCompilers::live() const {
    return nvrtc.live_count() + nvjitlink.live_count();
}

uint64_t FakeCompilers::violations() const {
    return nvrtc.violations() + nvjitlink.violations();
}

const FakeCompilers &fake_compilers() {
    static const FakeCompilers loaded{load("CUCORE_NVRTC_LIBRARY", "cusim_nvrtc_"),
                                      load("CUCORE_NVJITLINK_LIBRARY", "cusim_nvjitlink_")};
    return loaded;
}

} // namespace test
