// SPDX-License-Identifier: MIT OR Apache-2.0
// Every destroy that the library makes at a last release, as a row of one table.
#pragma once

#include "cucore.hpp"
#include "driver.hpp"
#include "fake_compilers.hpp"

#include <functional>

namespace test {

/// A handle with the only reference to a raw resource.
struct Owned {
    uint64_t raw;
    std::function<void()> release;
    std::function<int32_t(int32_t *destroyed, cucore_status **status)> close;
};

template <class T, class Raw> Owned owned(Handle<T> handle, Raw raw) {
    T *reference = handle.give();
    return {reinterpret_cast<uint64_t>(raw), [=] { Noun<T>::release(reference); },
            [=](int32_t *destroyed, cucore_status **status) { return Noun<T>::close(reference, destroyed, status); }};
}

struct Destroy {
    const char *operation;
    int32_t domain;
    Owned (*make)(cucore_device *device);

    /// Makes the next such destroy say `result`, although it happens.
    void fail(int result) const {
        if (domain == CUCORE_DOMAIN_DRIVER) {
            sim().fail_after(operation, 1, result, 0);
        } else {
            fake_compilers().fail_after(operation, 1, result, 0);
        }
    }
};

/// The table. Without NVRTC it has no program.
const std::vector<Destroy> &destroys();

/// Whether linkers are the driver's in this process: where nvJitLink is absent or too old.
bool linkers_are_the_drivers();

} // namespace test
