// SPDX-License-Identifier: MIT OR Apache-2.0
// The driver under the library, as tests see it: its raw functions, and the controls of the simulated one.
#pragma once

#include "../../sim/cusim.h"
#include "../../src/driver/cuda_abi.h"

#include <string>
#include <vector>

namespace test {

/// Codes to inject: one that no table knows, and two that the library does not act on.
constexpr int UNKNOWN_CODE = 12345;
constexpr int INJECTED = 999;     // CUDA_ERROR_UNKNOWN
constexpr int INJECTED_TOO = 719; // CUDA_ERROR_LAUNCH_FAILED

/// Of the driver's interface, what only tests use.
using CUgraph = struct CUgraph_st *;
using CUhostFn = void (*)(void *user_data);

#define TEST_SIMULATOR_FUNCTIONS(X) \
    X(set_driver_version) \
    X(set_device_count) \
    X(hide) \
    X(show) \
    X(fail) \
    X(fail_nothing) \
    X(fail_after) \
    X(failures_injected) \
    X(fallible_calls) \
    X(call_count) \
    X(log_size) \
    X(log_entry) \
    X(log_clear) \
    X(live_count) \
    X(live_list) \
    X(violations) \
    X(violation_list) \
    X(hold) \
    X(release) \
    X(log_callback_count) \
    X(hook) \
    X(unhook) \
    X(sticky_fault) \
    X(callback_thread_calls)

/// The controls of the simulated driver (sim/cusim.h), looked up in the driver that this process uses.
struct Simulator {
#define X(name) decltype(&cusim_##name) name;
    TEST_SIMULATOR_FUNCTIONS(X)
#undef X

    /// The call log from entry `first` on: "cuStreamDestroy(0x5581) = 0".
    std::vector<std::string> log(size_t first = 0) const;
    /// The objects alive, a line each: "stream 0x5581 of context 0x5580".
    std::vector<std::string> live() const;
    std::string violation_text() const;
};

/// The lines of `now` that are not in `before`.
std::vector<std::string> new_lines(const std::vector<std::string> &before, const std::vector<std::string> &now);

/// The simulated driver, or NULL on a real one.
const Simulator *simulator();

/// The simulated driver. Tests that need it carry the tag [sim], which the runs on a real driver exclude.
const Simulator &sim();

/// Driver functions that tests call behind the library's back: (name, exported symbol, parameters).
#define TEST_RAW_FUNCTIONS(X) \
    X(cuInit, "cuInit", (unsigned int flags)) \
    X(cuDriverGetVersion, "cuDriverGetVersion", (int *version)) \
    X(cuDeviceGetCount, "cuDeviceGetCount", (int *count)) \
    X(cuCtxCreate, "cuCtxCreate_v2", (CUcontext * context, unsigned int flags, CUdevice device)) \
    X(cuCtxDestroy, "cuCtxDestroy_v2", (CUcontext context)) \
    X(cuCtxGetCurrent, "cuCtxGetCurrent", (CUcontext * context)) \
    X(cuCtxSetCurrent, "cuCtxSetCurrent", (CUcontext context)) \
    X(cuCtxPushCurrent, "cuCtxPushCurrent_v2", (CUcontext context)) \
    X(cuCtxPopCurrent, "cuCtxPopCurrent_v2", (CUcontext * context)) \
    X(cuDevicePrimaryCtxRetain, "cuDevicePrimaryCtxRetain", (CUcontext * context, CUdevice device)) \
    X(cuDevicePrimaryCtxRelease, "cuDevicePrimaryCtxRelease_v2", (CUdevice device)) \
    X(cuStreamCreate, "cuStreamCreate", (CUstream * stream, unsigned int flags)) \
    X(cuStreamDestroy, "cuStreamDestroy_v2", (CUstream stream)) \
    X(cuStreamGetCtx, "cuStreamGetCtx", (CUstream stream, CUcontext * context)) \
    X(cuStreamSynchronize, "cuStreamSynchronize", (CUstream stream)) \
    X(cuStreamBeginCapture, "cuStreamBeginCapture_v2", (CUstream stream, CUstreamCaptureMode mode)) \
    X(cuStreamEndCapture, "cuStreamEndCapture", (CUstream stream, CUgraph * graph)) \
    X(cuGraphDestroy, "cuGraphDestroy", (CUgraph graph)) \
    X(cuThreadExchangeStreamCaptureMode, "cuThreadExchangeStreamCaptureMode", (CUstreamCaptureMode * mode)) \
    X(cuLaunchHostFunc, "cuLaunchHostFunc", (CUstream stream, CUhostFn function, void *user_data))

struct RawDriver {
#define X(name, symbol, parameters) CUresult(*name) parameters;
    TEST_RAW_FUNCTIONS(X)
#undef X
    void *entry; ///< cuGetProcAddress_v2
};

/// The driver's functions; the driver is initialised.
const RawDriver &raw();

/// A function of the driver's that few tests call, by its exported symbol; NULL if it has none of that name.
void *find_function(const char *symbol);

/// The file that the library will load its driver from.
std::string driver_file();

} // namespace test
