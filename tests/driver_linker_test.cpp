// SPDX-License-Identifier: MIT OR Apache-2.0
// The driver's own linker, which is used where there is no nvJitLink: this program runs without one. On a real driver too.
#include "support/contexts.hpp"
#include "support/cucore.hpp"

#include <thread>

using namespace test;

namespace {

/// There is no nvJitLink in this process, so that linkers are the driver's, on any machine.
const std::string ABSENT = "/nonexistent/libnvJitLink.so";
const bool absent = cucore_compiler_use_library(CUCORE_COMPILER_NVJITLINK, ABSENT.data(), ABSENT.size(), nullptr) == CUCORE_OK;

const std::string HEADER = ".version 7.0\n.target sm_52\n.address_size 64\n";
const std::string CALLER = HEADER + ".extern .func (.param .b32 result) helper(.param .b32 x);\n"
                                    R"(.visible .entry apply(.param .u64 x)
{
    .reg .f32 %f<3>;
    .reg .b64 %rd<3>;
    ld.param.u64 %rd1, [x];
    cvta.to.global.u64 %rd2, %rd1;
    ld.global.f32 %f1, [%rd2];
    {
    .param .b32 argument;
    .param .b32 answer;
    st.param.f32 [argument], %f1;
    call.uni (answer), helper, (argument);
    ld.param.f32 %f2, [answer];
    }
    st.global.f32 [%rd2], %f2;
    ret;
}
)";
const std::string CALLEE = HEADER + R"(.visible .func (.param .b32 result) helper(.param .b32 x)
{
    .reg .f32 %f<3>;
    ld.param.f32 %f1, [x];
    add.f32 %f2, %f1, %f1;
    st.param.f32 [result], %f2;
    ret;
}
)";
const std::string BAD = HEADER + ".visible .entry bad()\n{\n    nonsense;\n    ret;\n}\n";

struct Linking {
    Device device = make(cucore_device_open, 0);
    cucore_linker_options options{};
    std::vector<ObjectCode> codes;
    std::vector<cucore_object_code *> inputs;

    explicit Linking(const std::vector<std::string> &texts) {
        options.struct_size = sizeof options;
        options.verbose = CUCORE_ON;
        for (const std::string &code : texts) {
            codes.push_back(ptx(code));
            inputs.push_back(codes.back());
        }
    }
    Linker linker() const {
        return make(cucore_linker_create, device, inputs.data(), inputs.size(), &options);
    }
    Facts refused() const {
        return fails(cucore_linker_link, linker());
    }
};

float apply_to(cucore_device *device, cucore_kernel *kernel, float number) {
    const Stream stream = make(cucore_stream_create, device, nullptr);
    const Resource resource = make(cucore_memory_resource_device_pool, device);
    const Buffer buffer = make(cucore_memory_resource_allocate, resource, sizeof number, stream);
    ok(cucore_buffer_copy_from_host, buffer, size_t{0}, &number, sizeof number, stream);
    const cucore_launch_options options = shape(1, 1);
    const cucore_argument argument = object(buffer);
    ok(cucore_kernel_launch, kernel, stream, &options, &argument, size_t{1});
    ok(cucore_buffer_copy_to_host, buffer, size_t{0}, &number, sizeof number, stream);
    return number;
}

void check_error(const Facts &facts, const std::string &operation, const std::string &log) {
    INFO(describe(facts));
    CHECK(facts.domain == CUCORE_DOMAIN_DRIVER);
    CHECK(facts.operation == operation);
    CHECK_THAT(facts.log, has(log));
    CHECK(facts.note(CUCORE_NOTE_CAUSE, "the driver's linker, CUDA ") != nullptr);
    CHECK(facts.note(CUCORE_NOTE_CAUSE, cucore_driver_path(nullptr)) != nullptr);
    CHECK(facts.note(CUCORE_NOTE_CAUSE, "option -verbose") != nullptr);
}

} // namespace

TEST_CASE_METHOD(Clean, "the driver's linker joins PTX to a cubin, which runs") {
    const Linking with({CALLER, CALLEE});
    REQUIRE(absent);
    const Linker linker = with.linker();
    CHECK(cucore_linker_kind(linker) == CUCORE_LINKER_DRIVER);
    CHECK(cucore_linker_error_log(linker, nullptr) == std::string());
    CHECK(cucore_linker_info_log(linker, nullptr) == std::string());
    const ObjectCode linked = make(cucore_linker_link, linker);
    CHECK(cucore_object_code_kind(linked) == CUCORE_OBJECT_CODE_CUBIN);
    CHECK(cucore_object_code_name(linked, nullptr) == std::string("linked.cubin"));
    CHECK(apply_to(with.device, find(make(cucore_library_load, with.device, linked), "apply"), 3) == 6);
}

TEST_CASE_METHOD(Clean, "E1: the driver's linker's log is there on success, any number of times") {
    const Linking with({CALLER, CALLEE});
    const Linker linker = with.linker();
    const ObjectCode linked = make(cucore_linker_link, linker);
    size_t size = 0;
    const std::string log = cucore_linker_info_log(linker, &size);
    CHECK_THAT(log, has("info"));
    CHECK(log.size() == size);
    CHECK(cucore_linker_info_log(linker, nullptr) == log);
    CHECK(cucore_object_code_log(linked, nullptr) == log);
}

TEST_CASE_METHOD(Clean, "E1: an input that the driver's linker refuses is told with the log, the options and the driver") {
    const Facts facts = Linking({NOTHING_PTX, BAD}).refused();
    check_error(facts, "cuLinkAddData", "nonsense");
    CHECK(facts.note(CUCORE_NOTE_CAUSE, "the input is test.ptx") != nullptr);
}

TEST_CASE_METHOD(Clean, "E1: a missing symbol fails the driver's link, with the log, the options and the driver") {
    check_error(Linking({CALLER}).refused(), "cuLinkComplete", "helper");
}

TEST_CASE_METHOD(Clean, "the driver's linker links and ends on any thread") {
    const Linking with({CALLER, CALLEE});
    Linker unused = with.linker(), used = with.linker();
    ObjectCode result;
    std::thread([&] { result = ObjectCode(cucore_linker_link(used, nullptr)); }).join();
    CHECK(result.get() != nullptr);
    std::thread([&] {
        unused.reset();
        used.reset();
    }).join();
    make(cucore_linker_link, with.linker());
}

TEST_CASE_METHOD(Clean, "the driver's linker takes every option it knows, and an architecture") {
    Linking with({NOTHING_PTX});
    const std::string arch = cucore_device_arch(with.device, nullptr);
    with.options.arch = text(arch);
    with.options.debug = CUCORE_ON;
    with.options.has_optimization_level = 1;
    with.options.max_registers = 32;
    const ObjectCode linked = make(cucore_linker_link, with.linker());
    find(make(cucore_library_load, with.device, linked), "nothing");
}

/// A real driver takes only a cubin with relocatable code, for which a compiler is needed.
TEST_CASE_METHOD(Clean, "a cubin is an input too", "[sim]") {
    const Linking with({NOTHING_PTX});
    const ObjectCode cubin = make(cucore_linker_link, with.linker());
    cucore_object_code *inputs[] = {cubin};
    const ObjectCode again = make(cucore_linker_link, make(cucore_linker_create, with.device, inputs, size_t{1}, nullptr));
    find(make(cucore_library_load, with.device, again), "nothing");
}

TEST_CASE_METHOD(Clean, "E6: logs and options outlive the driver's linker: the driver writes to them late") {
    const Linking with({CALLER, CALLEE});
    with.linker().reset();
    Linker linker = with.linker();
    make(cucore_linker_link, linker);
    linker.reset();
    Linking({NOTHING_PTX, BAD}).refused();
}

TEST_CASE_METHOD(Clean, "B1: a driver's linker links in its device's context, whichever is current") {
    const Linking with({CALLER, CALLEE});
    const ForeignContext foreign;
    const Linker linker = with.linker();
    CHECK(current_context() == foreign.get());
    make(cucore_linker_link, linker);
    CHECK(current_context() == foreign.get());
}

TEST_CASE_METHOD(Clean, "a driver's linker keeps its device, and so the context that it linked in") {
    ok(cucore_context_release_primary, 0);
    Linking with({CALLER, CALLEE});
    const Linker linker = with.linker();
    make(cucore_linker_link, linker);
    with.device.reset();
    fails_saying(CUCORE_INVALID_STATE, "", cucore_context_release_primary, 0);
}

TEST_CASE_METHOD(Clean, "B4: a driver's link is undone if the caller's context could not be restored", "[sim]") {
    const Linking with({CALLER, CALLEE});
    find(load(with.device));
    sim().fail("cuCtxPopCurrent", 1, INJECTED, 0);
    const Facts facts = with.refused();
    CHECK(facts.operation == "cuCtxPopCurrent");
    CHECK(facts.note(CUCORE_NOTE_CONSEQUENCE, "could not be restored") != nullptr);
    CHECK(sim().live_count("link") == 0);
    CUcontext popped = nullptr;
    raw().cuCtxPopCurrent(&popped);
}

TEST_CASE_METHOD(Clean, "E2: a destroy of the driver's linker that fails after the link is one warning; the result stands",
                 "[sim]") {
    const Linking with({CALLER, CALLEE});
    sim().fail_after("cuLinkDestroy", 1, INJECTED, 0);
    const ObjectCode linked = make(cucore_linker_link, with.linker());
    const Facts warning = sink.take_one();
    CHECK(warning.operation == "cuLinkDestroy");
    CHECK_THAT(sim().log().back(), has("cuLinkDestroy(" + hex(warning.resource) + ")"));
    CHECK(warning.note(CUCORE_NOTE_CONSEQUENCE, hex(warning.resource) + " may be leaked") != nullptr);
    find(make(cucore_library_load, with.device, linked), "apply");
}

TEST_CASE_METHOD(Clean, "the driver's linker keeps its device", "[sim]") {
    Linking with({NOTHING_PTX});
    const Linker linker = with.linker();
    with.device.reset();
    make(cucore_linker_link, linker);
}
