// SPDX-License-Identifier: MIT OR Apache-2.0
#include "fake_compilers.hpp"

#include <cstdlib>
#include <dlfcn.h>
#include <stdexcept>
#include <string>

namespace test {

namespace {

void *library() {
    const char *named = std::getenv("CUCORE_NVRTC_LIBRARY");
    void *opened = dlopen(named != nullptr ? named : "", RTLD_NOW);
    if (opened == nullptr || dlsym(opened, "fake_fail") == nullptr) {
        throw std::runtime_error("CUCORE_NVRTC_LIBRARY does not name the fake compilers");
    }
    return opened;
}

template <class Function> void look_up(Function &function, const char *symbol) {
    function = reinterpret_cast<Function>(dlsym(library(), symbol));
}

FakeCompilers load() {
    FakeCompilers loaded{};
    look_up(loaded.fail, "fake_fail");
    look_up(loaded.calls, "fake_calls");
    look_up(loaded.failures, "fake_failures");
    look_up(loaded.failed, "fake_failed");
    look_up(loaded.live, "fake_live");
    look_up(loaded.options, "fake_options");
    return loaded;
}

} // namespace

const FakeCompilers &fake_compilers() {
    static const FakeCompilers loaded = load();
    return loaded;
}

} // namespace test
