// SPDX-License-Identifier: MIT OR Apache-2.0
// POLICY, section E, as far as it is about loading code; E1 is in program_test.cpp.
#include "support/contexts.hpp"
#include "support/cucore.hpp"

#include <cstring>
#include <sys/mman.h>
#include <unistd.h>

using namespace test;

namespace {

Facts load_failure(cucore_device *device, const std::string &code) {
    const Facts facts = fails(cucore_library_load, device, ptx(code));
    INFO(describe(facts));
    CHECK(facts.domain == CUCORE_DOMAIN_DRIVER);
    CHECK((facts.operation == "cuLibraryGetModule" || facts.operation == "cuLibraryLoadData"));
    return facts;
}

std::string replaced(std::string code, const std::string &what, const std::string &with) {
    return code.replace(code.find(what), what.size(), with);
}

} // namespace

TEST_CASE_METHOD(Clean, "E5: bad PTX fails at load, with the JIT's log") {
    const Device device = make(cucore_device_open, 0);
    const Facts facts = load_failure(device, replaced(SAXPY_PTX, "fma.rn.f32 %f4, %f2, %f1, %f3;", "nonsense.f32 %f4;"));
    CHECK(facts.code == CUCORE_COMPILE);
    CHECK(facts.native == CUDA_ERROR_INVALID_PTX);
    CHECK_THAT(facts.log, has("nonsense"));
}

TEST_CASE_METHOD(Clean, "E5: garbage fails at load") {
    const Device device = make(cucore_device_open, 0);
    const Facts facts = load_failure(device, "this is no code of any kind");
    CHECK(facts.code == CUCORE_COMPILE);
}

TEST_CASE_METHOD(Clean, "E5: PTX of a newer ISA fails at load") {
    const Device device = make(cucore_device_open, 0);
    const Facts facts = load_failure(device, replaced(SAXPY_PTX, ".version 7.0", ".version 99.0"));
    CHECK(facts.native == CUDA_ERROR_UNSUPPORTED_PTX_VERSION);
    CHECK((facts.code == CUCORE_COMPILE || facts.code == CUCORE_NOT_SUPPORTED));
}

TEST_CASE_METHOD(Clean, "E5: what is not simulated fails at load, naming the instruction", "[sim]") {
    const Device device = make(cucore_device_open, 0);
    const Facts facts = load_failure(
        device, replaced(NOTHING_PTX, "    ret;", "    .reg .b32 %r<2>;\n    brev.b32 %r1, %r1;\n    wmma.fence;\n    ret;"));
    INFO(describe(facts));
    CHECK_FALSE(facts.log.empty());
}

TEST_CASE_METHOD(Clean, "E4: PTX that ends at the end of a page is not read past its size") {
    const auto page = static_cast<size_t>(sysconf(_SC_PAGESIZE));
    void *pages = mmap(nullptr, 2 * page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    REQUIRE(pages != MAP_FAILED);
    REQUIRE(mprotect(static_cast<char *>(pages) + page, page, PROT_NONE) == 0);
    char *start = static_cast<char *>(pages) + page - SAXPY_PTX.size();
    std::memcpy(start, SAXPY_PTX.data(), SAXPY_PTX.size());
    const ObjectCode code = make(cucore_object_code_create, CUCORE_OBJECT_CODE_PTX, start, SAXPY_PTX.size(), nullptr, size_t{0});
    munmap(pages, 2 * page);
    find(make(cucore_library_load, make(cucore_device_open, 0), code));
}

TEST_CASE_METHOD(Clean, "C3: what was half loaded is unloaded when the module cannot be had", "[sim]") {
    const Device device = make(cucore_device_open, 0);
    const auto live = sim().live();
    sim().fail("cuLibraryGetModule", 1, INJECTED, 0);
    const Facts facts = fails(cucore_library_load, device, ptx(SAXPY_PTX));
    CHECK(facts.operation == "cuLibraryGetModule");
    CHECK(sim().live_count("library") == 0);
}
