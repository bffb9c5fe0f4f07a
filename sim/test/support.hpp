// SPDX-License-Identifier: MIT OR Apache-2.0
#ifndef CUSIM_TEST_SUPPORT_HPP
#define CUSIM_TEST_SUPPORT_HPP

// What the tests of the simulated driver share. It is used as programs use the real one: opened by dlopen, its functions asked of
// cuGetProcAddress.

#if __has_include(<catch2/catch_test_macros.hpp>)
#include <catch2/catch_test_macros.hpp>
#include <catch2/generators/catch_generators.hpp>
#else
#include <catch2/catch.hpp>
#endif

#include "../cusim.h"
#include "../driver_types.h"
#include "../functions.h"

#include <array>
#include <cstdio>
#include <cstring>
#include <dlfcn.h>
#include <string>
#include <vector>

#define CONTROLS(X) \
    X(reset) \
    X(set_driver_version) \
    X(set_device_count) \
    X(set_compute_capability) \
    X(hide) \
    X(show) \
    X(fail) \
    X(fail_nothing) \
    X(fail_after) \
    X(hook) \
    X(unhook) \
    X(sticky_fault) \
    X(callback_thread_calls) \
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
    X(set_step_limit) \
    X(set_workers) \
    X(find_unwritten) \
    X(find_races) \
    X(instructions_run)

inline void *exported(const char *name) {
    static void *const library = dlopen(CUSIM_FILE, RTLD_NOW | RTLD_LOCAL);
    return library ? dlsym(library, name) : nullptr;
}

template <typename Function> Function exported_as(const char *name) {
    return reinterpret_cast<Function>(exported(name));
}

inline void *function(const char *name, int version) {
    static const auto look_up =
        exported_as<CUresult (*)(const char *, void **, int, cuuint64_t, CUdriverProcAddressQueryResult *)>("cuGetProcAddress_v2");
    void *address = nullptr;
    look_up(name, &address, version, 0, nullptr);
    return address;
}

// Every function of the simulated driver, by the symbol of its form.
#define X(name, symbol, version, parameters, arguments) \
    inline const auto symbol = reinterpret_cast<CUresult(*) parameters>(function(#name, version));
#define X0(name, symbol, version) inline const auto symbol = reinterpret_cast<CUresult (*)()>(function(#name, version));
CUSIM_FUNCTIONS(X, X0)
#undef X
#undef X0

struct Controls {
#define X(name) decltype(&cusim_##name) name = exported_as<decltype(&cusim_##name)>("cusim_" #name);
    CONTROLS(X)
#undef X
};
inline const Controls sim;

inline std::string text_of(size_t (*list)(char *, size_t)) {
    std::string text(list(nullptr, 0) + 1, '\0');
    list(text.data(), text.size());
    text.pop_back();
    return text;
}

inline std::string log_entry(size_t index) {
    std::array<char, 256> text{};
    return sim.log_entry(index, text.data(), text.size()) ? text.data() : "none";
}

inline bool has(const std::string &text, const std::string &part) {
    return text.find(part) != std::string::npos;
}

inline const void *const FOREIGN = "no handle of the driver's";

template <typename Handle> Handle foreign() {
    return static_cast<Handle>(const_cast<void *>(FOREIGN));
}

// A driver as just loaded and initialised. What a test does not say otherwise about breaks no rule.
struct Driver {
    Driver() {
        sim.reset();
        REQUIRE(cuInit(0) == CUDA_SUCCESS);
    }
    ~Driver() {
        CHECK(text_of(sim.violation_list) == expected_violations);
        sim.reset();
    }
    Driver(const Driver &) = delete;
    Driver &operator=(const Driver &) = delete;

    // The test provoked one violation, which names `part`.
    void expect_violation(const std::string &part) {
        const std::string all = text_of(sim.violation_list);
        REQUIRE(all.rfind(expected_violations, 0) == 0);
        CHECK(has(all.substr(expected_violations.size()), part));
        CHECK(sim.violations() == ++expected_count);
        expected_violations = all;
    }

  private:
    std::string expected_violations;
    uint64_t expected_count = 0;
};

// The primary context of a device, retained and current.
struct Context : Driver {
    explicit Context(CUdevice on = 0) : device(on) {
        REQUIRE(cuDevicePrimaryCtxRetain(&context, device) == CUDA_SUCCESS);
        REQUIRE(cuCtxSetCurrent(context) == CUDA_SUCCESS);
    }

    CUdevice device;
    CUcontext context = nullptr;
};

inline CUcontext current() {
    CUcontext context = foreign<CUcontext>();
    REQUIRE(cuCtxGetCurrent(&context) == CUDA_SUCCESS);
    return context;
}

inline CUstream make_stream() {
    CUstream stream = nullptr;
    REQUIRE(cuStreamCreateWithPriority(&stream, CU_STREAM_NON_BLOCKING, 0) == CUDA_SUCCESS);
    return stream;
}

inline CUevent make_event(unsigned int flags = CU_EVENT_DEFAULT) {
    CUevent event = nullptr;
    REQUIRE(cuEventCreate(&event, flags) == CUDA_SUCCESS);
    return event;
}

inline CUdeviceptr allocate(size_t size, CUstream stream, CUdevice device = 0) {
    CUmemoryPool pool = nullptr;
    CUdeviceptr address = 0;
    REQUIRE(cuDeviceGetDefaultMemPool(&pool, device) == CUDA_SUCCESS);
    REQUIRE(cuMemAllocFromPoolAsync(&address, size, pool, stream) == CUDA_SUCCESS);
    return address;
}

inline CUlibrary load(const char *code) {
    CUlibrary library = nullptr;
    REQUIRE(cuLibraryLoadData(&library, code, nullptr, nullptr, 0, nullptr, nullptr, 0) == CUDA_SUCCESS);
    return library;
}

inline CUkernel kernel_of(CUlibrary library, const char *name) {
    CUkernel kernel = nullptr;
    REQUIRE(cuLibraryGetKernel(&kernel, library, name) == CUDA_SUCCESS);
    return kernel;
}

// Stores its second parameter where the first one points.
constexpr const char *STORE = R"(
.version 7.0
.target sm_70
.address_size 64
.visible .entry store(.param .u64 store_address, .param .u32 store_value)
{
    .reg .b32 %r<2>;
    .reg .b64 %rd<3>;
    ld.param.u64 %rd1, [store_address];
    ld.param.u32 %r1, [store_value];
    cvta.to.global.u64 %rd2, %rd1;
    st.global.u32 [%rd2], %r1;
    ret;
}
)";

inline CUresult launch_store(CUkernel kernel, CUdeviceptr address, uint32_t value, CUstream stream) {
    void *arguments[] = {&address, &value};
    CUlaunchConfig config = {};
    config.gridDimX = config.gridDimY = config.gridDimZ = 1;
    config.blockDimX = config.blockDimY = config.blockDimZ = 1;
    config.hStream = stream;
    return cuLaunchKernelEx(&config, reinterpret_cast<CUfunction>(kernel), arguments, nullptr);
}

inline uint32_t word_at(CUdeviceptr address, CUstream stream) {
    uint32_t value = 0;
    REQUIRE(cuMemcpyDtoHAsync_v2(&value, address, sizeof value, stream) == CUDA_SUCCESS);
    REQUIRE(cuStreamSynchronize(stream) == CUDA_SUCCESS);
    return value;
}

// A context whose kernel has just written to 0x10.
struct Faulted : Context {
    Faulted() {
        kernel = kernel_of(library = load(STORE), "store");
        stream = make_stream();
        event = make_event();
        memory = allocate(64, stream);
        REQUIRE(launch_store(kernel, 0x10, 1, stream) == CUDA_SUCCESS);
        expect_violation("0x10");
    }

    CUlibrary library = nullptr;
    CUkernel kernel = nullptr;
    CUstream stream = nullptr;
    CUevent event = nullptr;
    CUdeviceptr memory = 0;
};

// What the driver said through cuLogsRegisterCallback.
struct Words {
    Words() {
        CUlogsCallbackHandle handle = nullptr;
        REQUIRE(cuLogsRegisterCallback(keep, this, &handle) == CUDA_SUCCESS);
    }

    static void keep(void *data, CUlogLevel, char *message, size_t length) {
        static_cast<Words *>(data)->lines.emplace_back(message, length);
    }

    std::vector<std::string> lines;
};

#endif
