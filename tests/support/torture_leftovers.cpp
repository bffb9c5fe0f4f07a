// SPDX-License-Identifier: MIT OR Apache-2.0
#include "torture_leftovers.hpp"

#include "driver.hpp"

#include <cstdint>
#include <cstdlib>

namespace test {

namespace {

/// In the order in which they are destroyed, each with the driver's function that does it. Libraries and links stay: their end
/// writes logs to memory that was given with them, which the library has freed.
const struct {
    const char *kind;
    const char *function;
} destroys[] = {
    {"graph", "cuGraphDestroy"},      {"event", "cuEventDestroy_v2"}, {"stream", "cuStreamDestroy_v2"}, {"memory", "cuMemFree_v2"},
    {"host memory", "cuMemFreeHost"}, {"pool", "cuMemPoolDestroy"},   {"context", "cuCtxDestroy_v2"},
};

/// A primary context that was not given up is held once.
bool give_up_primary(uint64_t handle) {
    for (CUdevice device = 0; device < 2; device++) {
        CUcontext context = nullptr;
        raw().cuDevicePrimaryCtxRetain(&context, device);
        raw().cuDevicePrimaryCtxRelease(device);
        if (reinterpret_cast<uintptr_t>(context) == handle) {
            raw().cuDevicePrimaryCtxRelease(device);
            return true;
        }
    }
    return false;
}

void destroy(const std::string &kind, const char *function, uint64_t handle) {
    if (kind != "context" || !give_up_primary(handle)) {
        reinterpret_cast<CUresult (*)(uint64_t)>(find_function(function))(handle);
    }
}

} // namespace

std::string handle_of(const std::string &line) {
    const size_t start = line.find("0x");
    return line.substr(start, line.find_first_not_of("0123456789abcdefx", start) - start);
}

bool names_handle(const std::string &text, const std::string &handle) {
    const size_t at = text.find(handle);
    return at != std::string::npos && text.find_first_of("0123456789abcdef", at + handle.size()) != at + handle.size();
}

void sweep(const std::vector<std::string> &lines) {
    for (const auto &row : destroys) {
        for (const std::string &line : lines) {
            if (line.compare(0, line.find(" 0x"), row.kind) == 0) {
                destroy(row.kind, row.function, std::strtoull(handle_of(line).c_str(), nullptr, 16));
            }
        }
    }
}

} // namespace test
