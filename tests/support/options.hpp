// SPDX-License-Identifier: MIT OR Apache-2.0
// The rules that hold for every options struct.
#pragma once

#include "cucore.hpp"

#include <cstring>
#include <functional>

namespace test {

/// The code of a call that makes a handle, which is given back.
template <class T> int32_t made_code(T *handle, cucore_status **status) {
    Handle<T> made(handle);
    return handle != nullptr ? CUCORE_OK : cucore_status_code(*status);
}

/// A call with some options.
using WithOptions = std::function<int32_t(const void *options, cucore_status **status)>;

inline void refuses_options(const WithOptions &call, const void *options, const std::string &part) {
    Status status;
    CHECK(call(options, status) == CUCORE_INVALID_ARGUMENT);
    INFO(describe(status.facts()));
    CHECK_THAT(status.facts().message, has(part));
}

/// Checks the rules of struct_size on options that are otherwise `valid`: the size of today; a larger struct whose unknown part is
/// zero; but no smaller one, none above 4096, and none with an unknown part that is not zero.
template <class Options> void check_options(const WithOptions &call, Options valid = {}) {
    const auto is_fine = [&](const void *options) {
        Status status;
        const int32_t code = call(options, status);
        INFO(describe(status.facts()));
        CHECK(code == CUCORE_OK);
    };
    valid.struct_size = sizeof valid;
    is_fine(&valid);
    for (const size_t size : {size_t{0}, size_t{8}, sizeof valid - 1, size_t{4097}, SIZE_MAX}) {
        INFO(size);
        Options bad = valid;
        bad.struct_size = size;
        refuses_options(call, &bad, "struct_size");
    }
    alignas(Options) unsigned char larger[4096] = {};
    for (const size_t size : {sizeof valid + 8, sizeof larger}) {
        INFO(size);
        valid.struct_size = size;
        std::memcpy(larger, &valid, sizeof valid);
        is_fine(larger);
        larger[size - 1] = 1;
        refuses_options(call, larger, "options");
        larger[size - 1] = 0;
    }
}

} // namespace test
