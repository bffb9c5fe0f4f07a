// SPDX-License-Identifier: MIT OR Apache-2.0
// The library's version and how it finds the driver. First uses of the driver are in processes of their own.
#include "support/cucore.hpp"
#include "support/driver.hpp"
#include "support/process.hpp"

using namespace test;

TEST_CASE("the library's version is that of the headers") {
    CHECK(cucore_version() == CUCORE_VERSION);
    CHECK(cucore_version_text() == std::string(CUCORE_VERSION_TEXT));
}

TEST_CASE("the driver's version and path are told") {
    int32_t version = 0;
    ok(cucore_driver_version, &version);
    CHECK(version >= 12000);
    CHECK(cucore_driver_is_available() == 1);
    int raw_version = 0;
    CHECK(raw().cuDriverGetVersion(&raw_version) == CUDA_SUCCESS);
    CHECK(version == raw_version);
    size_t size = 0;
    const std::string path = cucore_driver_path(&size);
    CHECK(path.size() == size);
    CHECK_THAT(path, has("libcuda.so"));
    fails_saying(CUCORE_INVALID_ARGUMENT, "version is NULL", cucore_driver_version, nullptr);
}

TEST_CASE("a loaded driver cannot be exchanged") {
    int32_t version = 0;
    ok(cucore_driver_version, &version);
    const std::string path = "/usr/lib/libcuda.so.1";
    fails_saying(CUCORE_INVALID_STATE, "already loaded", cucore_driver_use_library, path.data(), path.size());
    fails_saying(CUCORE_INVALID_STATE, "already loaded", cucore_driver_use_entry,
                 reinterpret_cast<cucore_driver_entry>(raw().entry));
}

TEST_CASE("the driver's path must be absolute") {
    fails_saying(CUCORE_INVALID_ARGUMENT, "path is NULL", cucore_driver_use_library, nullptr, size_t{4});
    fails_saying(CUCORE_INVALID_ARGUMENT, "path", cucore_driver_use_library, "", size_t{0});
    fails_saying(CUCORE_INVALID_ARGUMENT, "absolute", cucore_driver_use_library, "libcuda.so.1", size_t{12});
    fails_saying(CUCORE_INVALID_ARGUMENT, "NUL", cucore_driver_use_library, "/a\0b", size_t{4});
    fails_saying(CUCORE_INVALID_ARGUMENT, "entry is NULL", cucore_driver_use_entry, nullptr);
}

TEST_CASE("a driver library can be named before the first use", "[sim]") {
    const Ended ended = run_child({"use-library", driver_file()}, {{"CUCORE_DRIVER_LIBRARY", "/nonexistent/libcuda.so.1"}});
    INFO(ended.out << ended.err);
    CHECK(ended.code == 0);
    CHECK_THAT(ended.out, has("available: 0\navailable: 0\nuse: OK\navailable: 1\npath: " + driver_file() + "\n"));
    CHECK_THAT(ended.out, has("use again: INVALID_STATE"));
}

TEST_CASE("a driver's entry point can be handed over before the first use") {
    const Ended ended = run_child({"use-entry"});
    INFO(ended.out << ended.err);
    CHECK(ended.code == 0);
    CHECK_THAT(ended.out, has("use: OK\ncount: OK\ndevices: some\npath: NULL\nuse again: INVALID_STATE"));
}

TEST_CASE("the environment's driver library must be an absolute path") {
    const Ended ended = run_child({"first-use"}, {{"CUCORE_DRIVER_LIBRARY", "libcuda.so.1"}});
    INFO(ended.out << ended.err);
    CHECK_THAT(ended.out, has("open: NOT_FOUND"));
    CHECK_THAT(ended.out, has("CUCORE_DRIVER_LIBRARY=libcuda.so.1: not an absolute path"));
}
