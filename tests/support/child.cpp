// SPDX-License-Identifier: MIT OR Apache-2.0
// What tests need a process of its own for: the first use of the driver, and a process's end. `test_child <what> [arguments]`;
// prints what it found, one fact a line.

#include "code.hpp"
#include "driver.hpp"
#include "facts.hpp"
#include "faults.hpp"

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <map>
#include <thread>
#include <unistd.h>

namespace {

using test::describe;
using test::facts_of;
using test::sim;

void print_status(const char *what, cucore_status *status) {
    std::printf("%s: %s", what, status != nullptr ? describe(facts_of(status)).c_str() : "OK\n");
    cucore_status_release(status);
}

bool is_mapped(const char *part) {
    std::ifstream maps("/proc/self/maps");
    for (std::string line; std::getline(maps, line);) {
        if (line.find(part) != std::string::npos) {
            return true;
        }
    }
    return false;
}

/// Loading the library, and what needs no driver.
int load_only(char **) {
    std::printf("version %u\n", cucore_version());
    std::printf("libcuda mapped: %d\n", is_mapped("libcuda.so"));
    std::printf("driver path: %s\n", cucore_driver_path(nullptr) != nullptr ? "set" : "NULL");
    return 0;
}

/// The first calls that need the driver, twice.
int first_use(char **) {
    for (int round = 0; round < 2; round++) {
        cucore_status *status = nullptr;
        cucore_device *device = cucore_device_open(0, &status);
        print_status("open", status);
        cucore_device_release(device);
        int32_t version = -1;
        cucore_driver_version(&version, &status);
        print_status("version", status);
        std::printf("version stored: %d\n", version);
    }
    std::printf("available: %d\n", cucore_driver_is_available());
    std::printf("names: %s %s\n", cucore_status_native_name(CUCORE_DOMAIN_DRIVER, 700), cucore_status_code_name(5));
    return 0;
}

/// Names the driver: before its first use, and when it is too late.
int use_library(char **arguments) {
    cucore_status *status = nullptr;
    cucore_driver_use_library(arguments[0], std::strlen(arguments[0]), &status);
    print_status("use", status);
    std::printf("available: %d\n", cucore_driver_is_available());
    std::printf("path: %s\n", cucore_driver_path(nullptr));
    cucore_driver_use_library(arguments[0], std::strlen(arguments[0]), &status);
    print_status("use again", status);
    return 0;
}

int use_entry(char **) {
    cucore_status *status = nullptr;
    const auto entry = reinterpret_cast<cucore_driver_entry>(test::raw().entry);
    cucore_driver_use_entry(entry, &status);
    print_status("use", status);
    int32_t count = -1;
    cucore_device_count(&count, &status);
    print_status("count", status);
    std::printf("devices: %s\n", count > 0 ? "some" : "none");
    std::printf("path: %s\n", cucore_driver_path(nullptr) != nullptr ? "set" : "NULL");
    cucore_driver_use_entry(entry, &status);
    print_status("use again", status);
    return 0;
}

/// No device: a count of 0, and nothing to open.
int no_device(char **) {
    sim().set_device_count(0);
    int32_t count = -1;
    cucore_status *status = nullptr;
    cucore_device_count(&count, &status);
    print_status("count", status);
    std::printf("devices: %d\n", count);
    cucore_device_open(0, &status);
    print_status("open", status);
    return 0;
}

/// A failed destroy with no sink, and then the process's sudden end.
int die(char **) {
    cucore_device *device = cucore_device_open(0, nullptr);
    cucore_stream *stream = cucore_stream_create(device, nullptr, nullptr);
    sim().fail("cuStreamDestroy", 1, test::INJECTED, 0);
    cucore_stream_release(stream);
    _exit(3);
}

/// A driver that lacks a function: what can be opened, and memory.
int hide(char **arguments) {
    sim().hide(arguments[0]);
    cucore_status *status = nullptr;
    cucore_device *device = cucore_device_open(0, &status);
    print_status("open", status);
    cucore_memory_resource *resource = cucore_memory_resource_device_pool(device, &status);
    print_status("pool", status);
    cucore_memory_resource_release(resource);
    cucore_device_release(device);
    return 0;
}

/// A failed call on a driver of this version.
int old_driver(char **arguments) {
    sim().set_driver_version(std::atoi(arguments[0]));
    cucore_status *status = nullptr;
    cucore_device *device = cucore_device_open(0, &status);
    print_status("open", status);
    cucore_stream *stream = cucore_stream_create(device, nullptr, &status);
    print_status("stream", status);
    sim().fail("cuStreamSynchronize", 1, test::INJECTED, 0);
    cucore_stream_synchronize(stream, &status);
    print_status("synchronize", status);
    cucore_stream_release(stream);
    cucore_device_release(device);
    return 0;
}

/// A kernel on a driver of this version.
int old_kernel(char **arguments) {
    sim().set_driver_version(std::atoi(arguments[0]));
    cucore_device *device = cucore_device_open(0, nullptr);
    cucore_stream *stream = cucore_stream_create(device, nullptr, nullptr);
    const std::string &ptx = test::NOTHING_PTX;
    cucore_object_code *code = cucore_object_code_create(CUCORE_OBJECT_CODE_PTX, ptx.data(), ptx.size(), nullptr, 0, nullptr);
    cucore_library *library = cucore_library_load(device, code, nullptr);
    cucore_kernel *kernel = cucore_library_kernel(library, "nothing", 7, nullptr);
    size_t size = 0;
    cucore_status *status = nullptr;
    cucore_kernel_parameter_count(kernel, &size, &status);
    print_status("count", status);
    cucore_kernel_parameter_size(kernel, 0, &size, &status);
    print_status("size", status);
    const cucore_launch_options options = test::shape(1, 1);
    cucore_kernel_launch(kernel, stream, &options, nullptr, 0, &status);
    print_status("launch", status);
    cucore_stream_synchronize(stream, &status);
    print_status("synchronize", status);
    cucore_kernel_release(kernel);
    cucore_library_release(library);
    cucore_object_code_release(code);
    cucore_stream_release(stream);
    cucore_device_release(device);
    return 0;
}

/// Threads that race for the first load.
int race(char **) {
    std::thread threads[4];
    int32_t codes[4];
    for (int index = 0; index < 4; index++) {
        threads[index] = std::thread([&code = codes[index]] {
            int32_t version = 0;
            code = cucore_driver_version(&version, nullptr);
        });
    }
    for (std::thread &thread : threads) {
        thread.join();
    }
    for (const int32_t code : codes) {
        std::printf("code %d\n", code);
    }
    std::thread opening[4];
    cucore_device *devices[4];
    for (int index = 0; index < 4; index++) {
        opening[index] = std::thread([&devices, index] { devices[index] = cucore_device_open(0, nullptr); });
    }
    for (int index = 0; index < 4; index++) {
        opening[index].join();
        std::printf("device %s\n", devices[index] != nullptr ? "open" : "NULL");
        cucore_device_release(devices[index]);
    }
    if (test::simulator() != nullptr) {
        std::printf("cuInit calls: %d\n", static_cast<int>(sim().call_count("cuInit")));
    }
    return 0;
}

/// The first use of the driver with call `nth` of a kind failing, and then without: <kind> <nth> <sticky>.
int fail_loading(char **arguments) {
    const bool driver = std::strcmp(arguments[0], "driver") == 0;
    const auto nth = std::strtoull(arguments[1], nullptr, 10);
    const bool sticky = arguments[2][0] == '1';
    sim(); // looked up before anything fails
    if (driver) {
        sim().fail(nullptr, nth, test::INJECTED, sticky);
    } else {
        test::fail_library_call(std::strcmp(arguments[0], "allocation") == 0 ? nullptr : arguments[0], nth, sticky);
    }
    cucore_status *status = nullptr;
    cucore_device *device = cucore_device_open(0, &status);
    std::printf("failures %d\n", static_cast<int>(driver ? sim().failures_injected() : test::library_failures()));
    std::printf("device %s\ncode %s\n", device != nullptr ? "open" : "NULL", cucore_status_code_name(cucore_status_code(status)));
    print_status("first", status);
    cucore_device_release(device);
    sim().fail_nothing();
    test::fail_no_library_call();
    device = cucore_device_open(0, &status);
    print_status("second", status);
    cucore_device_release(device);
    return 0;
}

const std::map<std::string, int (*)(char **)> actions = {
    {"load-only", &load_only}, {"first-use", &first_use},       {"use-library", &use_library},
    {"use-entry", &use_entry}, {"no-device", &no_device},       {"die", &die},
    {"hide", &hide},           {"old-driver", &old_driver},     {"old-kernel", &old_kernel},
    {"race", &race},           {"fail-loading", &fail_loading},
};

} // namespace

int main(int count, char **arguments) {
    const auto action = actions.find(count > 1 ? arguments[1] : "");
    if (action == actions.end()) {
        std::fprintf(stderr, "usage: test_child <what> [arguments]\n");
        return 2;
    }
    return action->second(arguments + 2);
}
