// SPDX-License-Identifier: MIT OR Apache-2.0
// cuLink, and what it makes.

#include "support.hpp"

#include <thread>
#include <unistd.h>

namespace {

const std::string HEAD = ".version 7.0\n.target sm_70\n.address_size 64\n";

const std::string CALLER = HEAD + R"(
.extern .func (.param .b32 out) twice(.param .b32 in);
.extern .global .align 4 .u32 base;
.visible .entry run(.param .u64 address)
{
    .reg .b32 %r<4>;
    .reg .b64 %rd<3>;
    ld.param.u64 %rd1, [address];
    ld.global.u32 %r1, [base];
    {
        .param .b32 p;
        .param .b32 q;
        st.param.b32 [p], %r1;
        call.uni (q), twice, (p);
        ld.param.b32 %r2, [q];
    }
    st.global.u32 [%rd1], %r2;
    ret;
}
)";

const std::string CALLED = HEAD + R"(
.visible .global .align 4 .u32 base = 21;
.visible .func (.param .b32 out) twice(.param .b32 in)
{
    .reg .b32 %r<3>;
    ld.param.b32 %r1, [in];
    add.s32 %r2, %r1, %r1;
    st.param.b32 [out], %r2;
    ret;
}
)";

// A link with logs, in a current context.
struct Link : Context {
    Link() {
        REQUIRE(cuLinkCreate_v2(static_cast<unsigned int>(options.size()), options.data(), values.data(), &state) == CUDA_SUCCESS);
    }

    CUresult add(const std::string &data, CUjitInputType type = CU_JIT_INPUT_PTX) {
        return cuLinkAddData_v2(state, type, const_cast<char *>(data.data()), data.size(), "input", 0, nullptr, nullptr);
    }

    std::string complete() {
        void *cubin = nullptr;
        size_t size = 0;
        REQUIRE(cuLinkComplete(state, &cubin, &size) == CUDA_SUCCESS);
        return {static_cast<const char *>(cubin), size};
    }

    std::array<char, 256> info{};
    std::array<char, 256> error{};
    std::array<CUjit_option, 5> options{CU_JIT_INFO_LOG_BUFFER, CU_JIT_INFO_LOG_BUFFER_SIZE_BYTES, CU_JIT_ERROR_LOG_BUFFER,
                                        CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES, CU_JIT_LOG_VERBOSE};
    std::array<void *, 5> values{info.data(), reinterpret_cast<void *>(info.size()), error.data(),
                                 reinterpret_cast<void *>(error.size()), reinterpret_cast<void *>(1)};
    CUlinkState state = nullptr;
};

uint32_t result_of(const std::string &cubin) {
    CUstream stream = make_stream();
    CUdeviceptr memory = allocate(4, stream);
    CUkernel kernel = kernel_of(load(cubin.data()), "run");
    void *arguments[] = {&memory};
    CUlaunchConfig config = {};
    config.gridDimX = config.gridDimY = config.gridDimZ = 1;
    config.blockDimX = config.blockDimY = config.blockDimZ = 1;
    config.hStream = stream;
    REQUIRE(cuLaunchKernelEx(&config, reinterpret_cast<CUfunction>(kernel), arguments, nullptr) == CUDA_SUCCESS);
    return word_at(memory, stream);
}

} // namespace

TEST_CASE("texts are linked to machine code that runs, in either order") {
    Link link;
    SECTION("defined first") {
        CHECK(link.add(CALLED) == CUDA_SUCCESS);
        CHECK(link.add(CALLER) == CUDA_SUCCESS);
    }
    SECTION("used first") {
        CHECK(link.add(CALLER) == CUDA_SUCCESS);
        CHECK(link.add(CALLED) == CUDA_SUCCESS);
    }
    CHECK(sim.live_count("link") == 1);
    const std::string cubin = link.complete();
    CHECK(cubin.substr(0, 4) == "\177ELF");
    CHECK(cubin[18] == static_cast<char>(190));
    CHECK(std::string(link.info.data()) == "info    : 2 inputs linked for sm_90\n");
    CHECK(reinterpret_cast<size_t>(link.values[1]) == std::strlen(link.info.data()));
    CHECK(reinterpret_cast<size_t>(link.values[3]) == 0);
    CHECK(cuLinkDestroy(link.state) == CUDA_SUCCESS);
    CHECK(sim.live_count("link") == 0);
    CHECK(result_of(cubin) == 42);
    CHECK(cuLinkDestroy(link.state) == CUDA_ERROR_INVALID_HANDLE);
    link.expect_violation("cuLinkDestroy: Invalid handle: link ");
}

TEST_CASE("a link with inputs that was not completed is destroyed by the thread that made it, or it is a violation") {
    Link link;
    const auto destroy_elsewhere = [&] {
        CUresult result = CUDA_SUCCESS;
        std::thread([&] { result = cuLinkDestroy(link.state); }).join();
        return result;
    };
    REQUIRE(link.add(CALLED) == CUDA_SUCCESS);
    CHECK(destroy_elsewhere() == CUDA_ERROR_INVALID_VALUE);
    link.expect_violation("cuLinkDestroy: A link with inputs");
    link.complete();
    CHECK(destroy_elsewhere() == CUDA_SUCCESS);
}

TEST_CASE("what is linked is for the device's architecture") {
    Link link;
    CHECK(sim.set_compute_capability(12, 0) == 1);
    CHECK(link.add(CALLED) == CUDA_SUCCESS);
    CHECK(link.add(CALLER) == CUDA_SUCCESS);
    const std::string cubin = link.complete();
    CHECK(cubin[48] == 120); // the flags of an ELF file
    CHECK(std::string(link.info.data()) == "info    : 2 inputs linked for sm_120\n");
    CHECK(result_of(cubin) == 42);
}

TEST_CASE("what was linked can be linked again") {
    Link link;
    REQUIRE(link.add(CALLED) == CUDA_SUCCESS);
    const std::string part = link.complete();
    REQUIRE(cuLinkDestroy(link.state) == CUDA_SUCCESS);
    Link again;
    CHECK(again.add(part, CU_JIT_INPUT_CUBIN) == CUDA_SUCCESS);
    CHECK(again.add(CALLER) == CUDA_SUCCESS);
    CHECK(result_of(again.complete()) == 42);
}

TEST_CASE("a linked library is a module too") {
    Link link;
    CUmodule module = nullptr;
    REQUIRE(link.add(CALLED) == CUDA_SUCCESS);
    const std::string cubin = link.complete();
    CHECK(cuModuleLoadData(&module, cubin.data()) == CUDA_SUCCESS);
}

TEST_CASE("what cannot be linked is refused, and the log says why") {
    Link link;
    SECTION("no PTX") {
        CHECK(link.add("garbage") == CUDA_ERROR_INVALID_PTX);
        CHECK(has(link.error.data(), "error   : input: This is no PTX"));
    }
    SECTION("wrong PTX") {
        CHECK(link.add(HEAD + "nonsense") == CUDA_ERROR_INVALID_PTX);
        CHECK(has(link.error.data(), "line 4"));
    }
    SECTION("machine code of another device") {
        CHECK(link.add(std::string("\177ELF\2\1\1") + std::string(80, '\0'), CU_JIT_INPUT_CUBIN) == CUDA_ERROR_INVALID_IMAGE);
        CHECK(has(link.error.data(), "links PTX"));
    }
    SECTION("a function that is defined nowhere") {
        void *cubin = nullptr;
        CHECK(link.add(CALLER) == CUDA_SUCCESS);
        CHECK(cuLinkComplete(link.state, &cubin, nullptr) == CUDA_ERROR_INVALID_PTX);
        CHECK(has(link.error.data(), "error   : link: "));
        CHECK(cubin == nullptr);
    }
    CHECK(reinterpret_cast<size_t>(link.values[3]) == std::strlen(link.error.data()));
}

TEST_CASE("a link needs a current context to be created") {
    Link link;
    CUlinkState state = nullptr;
    REQUIRE(cuCtxSetCurrent(nullptr) == CUDA_SUCCESS);
    CHECK(cuLinkCreate_v2(0, nullptr, nullptr, &state) == CUDA_ERROR_INVALID_CONTEXT);
    CHECK(link.add(CALLED) == CUDA_SUCCESS);
    CHECK(cuLinkDestroy(link.state) == CUDA_SUCCESS);
}

TEST_CASE("a link writes to its logs when it is destroyed") {
    Link link;
    REQUIRE(link.add(CALLED) == CUDA_SUCCESS);
    link.complete();
    link.info.fill('x');
    link.values[1] = nullptr;
    REQUIRE(cuLinkDestroy(link.state) == CUDA_SUCCESS);
    CHECK(has(link.info.data(), "1 inputs linked"));
    CHECK(reinterpret_cast<size_t>(link.values[1]) == std::strlen(link.info.data()));
}

TEST_CASE("a library writes to its logs when it is unloaded") {
    Context primary;
    std::array<char, 64> log{};
    CUjit_option options[] = {CU_JIT_ERROR_LOG_BUFFER, CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES};
    void *values[] = {log.data(), reinterpret_cast<void *>(log.size())};
    CUlibrary library = nullptr;
    REQUIRE(cuLibraryLoadData(&library, CALLED.c_str(), options, values, 2, nullptr, nullptr, 0) == CUDA_SUCCESS);
    log.fill('x');
    REQUIRE(cuLibraryUnload(library) == CUDA_SUCCESS);
    CHECK(log[0] == '\0');
    CHECK(values[1] == nullptr);
}

TEST_CASE("a file is linked too") {
    Link link;
    std::array<char, 32> path{"/tmp/cusim-XXXXXX"};
    const int file = mkstemp(path.data());
    REQUIRE(file >= 0);
    REQUIRE(write(file, CALLED.data(), CALLED.size()) == static_cast<ssize_t>(CALLED.size()));
    close(file);
    CHECK(cuLinkAddFile_v2(link.state, CU_JIT_INPUT_PTX, path.data(), 0, nullptr, nullptr) == CUDA_SUCCESS);
    unlink(path.data());
    CHECK(cuLinkAddFile_v2(link.state, CU_JIT_INPUT_PTX, path.data(), 0, nullptr, nullptr) == CUDA_ERROR_FILE_NOT_FOUND);
    CHECK(link.add(CALLER) == CUDA_SUCCESS);
    CHECK(result_of(link.complete()) == 42);
}
