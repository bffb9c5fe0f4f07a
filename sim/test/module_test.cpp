// SPDX-License-Identifier: MIT OR Apache-2.0
// Modules, and code that is loaded from files.

#include "support.hpp"

#include <fstream>
#include <unistd.h>

namespace {

constexpr const char *TWO_KERNELS = R"(
.version 7.0
.target sm_70
.address_size 64
.visible .entry first() { ret; }
.visible .entry second() { ret; }
)";

// A file that is there as long as this.
struct File {
    explicit File(const std::string &content) {
        const int descriptor = mkstemp(path.data());
        REQUIRE(descriptor >= 0);
        close(descriptor);
        std::ofstream(path, std::ios::binary) << content;
    }
    ~File() {
        unlink(path.c_str());
    }
    File(const File &) = delete;
    File &operator=(const File &) = delete;

    std::string path = "module_test_XXXXXX";
};

CUresult load_library(CUlibrary *library, const char *path) {
    return cuLibraryLoadFromFile(library, path, nullptr, nullptr, 0, nullptr, nullptr, 0);
}

} // namespace

TEST_CASE("code is loaded from files") {
    Context primary;
    const File file(TWO_KERNELS);
    CUmodule module = nullptr;
    CUlibrary library = nullptr;
    CUfunction function = nullptr;
    REQUIRE(cuModuleLoad(&module, file.path.c_str()) == CUDA_SUCCESS);
    CHECK(cuModuleGetFunction(&function, module, "second") == CUDA_SUCCESS);
    CHECK(cuModuleUnload(module) == CUDA_SUCCESS);
    REQUIRE(load_library(&library, file.path.c_str()) == CUDA_SUCCESS);
    CHECK(kernel_of(library, "first") != nullptr);
    CHECK(cuLibraryUnload(library) == CUDA_SUCCESS);
    CHECK(sim.live_count("module") + sim.live_count("library") == 0);
}

TEST_CASE("files that are missing, empty or hold no code are not loaded") {
    Context primary;
    CUmodule module = nullptr;
    CUlibrary library = nullptr;
    CHECK(cuModuleLoad(&module, "no such file") == CUDA_ERROR_FILE_NOT_FOUND);
    CHECK(load_library(&library, "no such file") == CUDA_ERROR_FILE_NOT_FOUND);
    CHECK(cuModuleLoad(&module, File("").path.c_str()) == CUDA_ERROR_FILE_NOT_FOUND);
    CHECK(cuModuleLoad(&module, File("garbage").path.c_str()) == CUDA_ERROR_INVALID_IMAGE);
    CHECK(cuModuleLoad(&module, File(".version 7.0 nonsense").path.c_str()) == CUDA_ERROR_INVALID_PTX);
    CHECK(cuModuleLoad(&module, File("\177ELF").path.c_str()) == CUDA_ERROR_NO_BINARY_FOR_GPU);
    CHECK(cuModuleLoadFatBinary(&module, "\x50\xed\x55\xba") == CUDA_ERROR_NO_BINARY_FOR_GPU);
    CHECK(sim.live_count("module") + sim.live_count("library") == 0);
}

TEST_CASE("a module counts and lists its functions, which know their module and are loaded") {
    Context primary;
    CUmodule module = nullptr;
    CUmodule found = nullptr;
    unsigned int count = 0;
    int state = 0;
    std::array<CUfunction, 2> functions{};
    CUfunction second = nullptr;
    REQUIRE(cuModuleLoadData(&module, TWO_KERNELS) == CUDA_SUCCESS);
    CHECK(cuModuleGetFunctionCount(&count, module) == CUDA_SUCCESS);
    CHECK(count == 2);
    CHECK(cuModuleEnumerateFunctions(functions.data(), 2, module) == CUDA_SUCCESS);
    CHECK(cuModuleGetFunction(&second, module, "second") == CUDA_SUCCESS);
    CHECK(functions[1] == second);
    CHECK(cuFuncGetModule(&found, second) == CUDA_SUCCESS);
    CHECK(found == module);
    CHECK(cuFuncIsLoaded(&state, second) == CUDA_SUCCESS);
    CHECK(state == 1);
    CHECK(cuFuncLoad(second) == CUDA_SUCCESS);
    CHECK(cuFuncGetModule(&found, reinterpret_cast<CUfunction>(kernel_of(load(TWO_KERNELS), "first"))) ==
          CUDA_ERROR_INVALID_HANDLE);
}

TEST_CASE("modules are loaded lazily") {
    Driver driver;
    int mode = 0;
    CHECK(cuModuleGetLoadingMode(&mode) == CUDA_SUCCESS);
    CHECK(mode == 2);
}
