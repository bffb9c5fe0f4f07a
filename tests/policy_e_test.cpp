// SPDX-License-Identifier: MIT OR Apache-2.0
// POLICY, section E: compilers, and loading what they made. With the real compilers E1 is in program_test.cpp; of the driver's
// linker all is in driver_linker_test.cpp.
#include "support/contexts.hpp"
#include "support/cucore.hpp"
#include "support/fake_compilers.hpp"

#include <cstring>
#include <sys/mman.h>
#include <unistd.h>

using namespace test;

namespace {

const std::string BROKEN = "#error broken\n";
const std::string WARNS = "#warning careful\n" + SAXPY_SOURCE;
const std::string UNRESOLVED_PTX = ".version 7.0\n.target sm_90\n.address_size 64\n.extern .func missing();\n"
                                   ".visible .entry calls()\n{\n    call.uni missing, ();\n    ret;\n}\n";

Program program(const std::string &source) {
    cucore_program_options options{};
    options.struct_size = sizeof options;
    options.arch = {"sm_90", 5};
    options.lineinfo = CUCORE_ON;
    return make(cucore_program_create, nullptr, source.data(), source.size(), &options);
}

Linker linker(const std::string &code) {
    const ObjectCode input = ptx(code);
    cucore_object_code *inputs[] = {input};
    cucore_linker_options options{};
    options.struct_size = sizeof options;
    options.arch = {"sm_90", 5};
    options.verbose = CUCORE_ON;
    return make(cucore_linker_create, nullptr, inputs, size_t{1}, &options);
}

/// "NVRTC 13.0, from /path/libnvrtc.so.13", for the compiler there is.
std::string named(int32_t compiler) {
    int32_t major = 0, minor = 0;
    ok(cucore_compiler_version, compiler, &major, &minor);
    return std::string(compiler == CUCORE_COMPILER_NVRTC ? "NVRTC " : "nvJitLink ") + std::to_string(major) + "." +
           std::to_string(minor) + ", from " + cucore_compiler_path(compiler, nullptr);
}

/// What each test with the simulated compilers leaves behind: nothing.
struct Compilers : Clean {
    Compilers() : live(fake_compilers().live()), violations(fake_compilers().violations()) {
    }
    ~Compilers() {
        fake_compilers().fail_nothing();
        CHECK(fake_compilers().live() == live);
        CHECK(fake_compilers().violations() == violations);
    }
    uint64_t live;
    uint64_t violations;
};

/// Two pages of which only the first may be touched, with bytes at its very end.
class LastBytes {
  public:
    explicit LastBytes(const std::string &bytes) {
        const auto page = static_cast<size_t>(sysconf(_SC_PAGESIZE));
        size_ = 2 * page;
        pages_ = mmap(nullptr, size_, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        REQUIRE(pages_ != MAP_FAILED);
        REQUIRE(mprotect(static_cast<char *>(pages_) + page, page, PROT_NONE) == 0);
        start_ = static_cast<char *>(pages_) + page - bytes.size();
        std::memcpy(start_, bytes.data(), bytes.size());
    }
    LastBytes(const LastBytes &) = delete;
    ~LastBytes() {
        munmap(pages_, size_);
    }
    const char *start() const {
        return start_;
    }

  private:
    void *pages_;
    size_t size_;
    char *start_;
};

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
    ObjectCode code;
    {
        const LastBytes at_the_end(SAXPY_PTX);
        code = make(cucore_object_code_create, CUCORE_OBJECT_CODE_PTX, at_the_end.start(), SAXPY_PTX.size(), nullptr, size_t{0});
    }
    find(make(cucore_library_load, make(cucore_device_open, 0), code));
}

TEST_CASE_METHOD(Compilers, "E4: source, options and names that end at the end of a page are not read past their size", "[sim]") {
    const std::string name = "named.cu", arch = "sm_90", define = "N=1", expression = "saxpy";
    const LastBytes source(SAXPY_SOURCE), name_bytes(name), arch_bytes(arch), define_bytes(define), expression_bytes(expression);
    const cucore_text defines[] = {{define_bytes.start(), define.size()}};
    const cucore_text expressions[] = {{expression_bytes.start(), expression.size()}};
    cucore_program_options options{};
    options.struct_size = sizeof options;
    options.name = {name_bytes.start(), name.size()};
    options.arch = {arch_bytes.start(), arch.size()};
    options.defines = defines;
    options.name_expressions = expressions;
    options.define_count = options.name_expression_count = 1;
    const Program made = make(cucore_program_create, nullptr, source.start(), SAXPY_SOURCE.size(), &options);
    const ObjectCode code = make(cucore_program_compile, made, CUCORE_OBJECT_CODE_PTX);
    CHECK(fake_compilers().compile_options() == "--gpu-architecture=sm_90\n--define-macro=N=1\n");
    CHECK(cucore_object_code_name(code, nullptr) == name);
    CHECK(cucore_object_code_lowered_name(code, expression_bytes.start(), expression.size(), nullptr) == expression);
    const Library library = make(cucore_library_load, make(cucore_device_open, 0), code);
    make(cucore_library_kernel, library, expression_bytes.start(), expression.size());
}

TEST_CASE_METHOD(Compilers, "E1: of many name expressions the first that fails is named, and none is asked after it", "[sim]") {
    const std::string source = "extern \"C\" __global__ void first() {\n}\nextern \"C\" __global__ void second() {\n}\n"
                               "extern \"C\" __global__ void third() {\n}\n";
    const cucore_text expressions[] = {{"first", 5}, {"second", 6}, {"third", 5}};
    cucore_program_options options{};
    options.struct_size = sizeof options;
    options.arch = {"sm_90", 5};
    options.name_expressions = expressions;
    options.name_expression_count = 3;
    const auto ends_at_second = [](const Facts &facts, const char *function, uint64_t before) {
        INFO(describe(facts));
        CHECK(facts.operation == function);
        CHECK(facts.note(CUCORE_NOTE_CAUSE, "the name expression is \"second\"") != nullptr);
        CHECK(fake_compilers().nvrtc.call_count(function) == before + 2);
    };
    const FakeCompiler &nvrtc = fake_compilers().nvrtc;
    const uint64_t added = nvrtc.call_count("nvrtcAddNameExpression"), asked = nvrtc.call_count("nvrtcGetLoweredName");
    nvrtc.fail("nvrtcAddNameExpression", 2, 11, 0);
    ends_at_second(fails(cucore_program_create, nullptr, source.data(), source.size(), &options), "nvrtcAddNameExpression", added);
    const Program made = make(cucore_program_create, nullptr, source.data(), source.size(), &options);
    nvrtc.fail("nvrtcGetLoweredName", 2, 11, 0);
    ends_at_second(fails(cucore_program_compile, made, CUCORE_OBJECT_CODE_PTX), "nvrtcGetLoweredName", asked);
}

TEST_CASE_METHOD(Compilers, "E1: a compile error has NVRTC's code, the log, the options, and NVRTC's version and path", "[sim]") {
    const Facts facts = fails(cucore_program_compile, program(BROKEN), CUCORE_OBJECT_CODE_PTX);
    INFO(describe(facts));
    CHECK(facts.code == CUCORE_COMPILE);
    CHECK(facts.domain == CUCORE_DOMAIN_NVRTC);
    CHECK(facts.native == 6);
    CHECK(facts.operation == "nvrtcCompileProgram");
    CHECK_THAT(facts.log, has("program.cu(1): error: broken\n"));
    CHECK(facts.note(CUCORE_NOTE_CAUSE, named(CUCORE_COMPILER_NVRTC)) != nullptr);
    CHECK(facts.note(CUCORE_NOTE_CAUSE, "option --gpu-architecture=sm_90") != nullptr);
    CHECK(facts.note(CUCORE_NOTE_CAUSE, "option --generate-line-info") != nullptr);
}

TEST_CASE_METHOD(Compilers, "E1: a link error has nvJitLink's code, the log, the options, and its version and path", "[sim]") {
    const Linker made = linker(UNRESOLVED_PTX);
    const Facts facts = fails(cucore_linker_link, made);
    INFO(describe(facts));
    CHECK(facts.code == CUCORE_LINK);
    CHECK(facts.domain == CUCORE_DOMAIN_NVJITLINK);
    CHECK(facts.operation == "nvJitLinkComplete");
    CHECK_THAT(facts.log, has("missing"));
    CHECK(cucore_linker_error_log(made, nullptr) == facts.log);
    CHECK(facts.note(CUCORE_NOTE_CAUSE, named(CUCORE_COMPILER_NVJITLINK)) != nullptr);
    CHECK(facts.note(CUCORE_NOTE_CAUSE, "option -arch=sm_90") != nullptr);
    CHECK(facts.note(CUCORE_NOTE_CAUSE, "option -verbose") != nullptr);
}

TEST_CASE_METHOD(Compilers, "E1: of a link that was not made no log is asked for", "[sim]") {
    fake_compilers().fail("nvJitLinkCreate", 1, INJECTED, 0);
    const uint64_t asked = fake_compilers().nvjitlink.call_count("nvJitLinkGetErrorLogSize");
    CHECK(fails(cucore_linker_link, linker(SAXPY_PTX)).operation == "nvJitLinkCreate");
    CHECK(fake_compilers().nvjitlink.call_count("nvJitLinkGetErrorLogSize") == asked);
}

TEST_CASE_METHOD(Compilers, "E1: the log is there on success too", "[sim]") {
    const ObjectCode compiled = make(cucore_program_compile, program(WARNS), CUCORE_OBJECT_CODE_PTX);
    size_t size = 0;
    CHECK(cucore_object_code_log(compiled, &size) == std::string("program.cu(1): warning: careful\n"));
    CHECK(size == 32);
    const Linker made = linker(SAXPY_PTX);
    CHECK(cucore_linker_info_log(made, &size) == std::string());
    CHECK(size == 0);
    const ObjectCode linked = make(cucore_linker_link, made);
    const std::string log = cucore_linker_info_log(made, &size);
    CHECK_THAT(log, has("saxpy"));
    CHECK(log.size() == size);
    CHECK(cucore_object_code_log(linked, nullptr) == log);
    CHECK(cucore_linker_info_log(made, nullptr) == log);
    CHECK(cucore_linker_error_log(made, &size) == std::string());
    CHECK(size == 0);
}

TEST_CASE_METHOD(Compilers, "E2: a destroy that fails after a successful compile or link is one warning; the result stands",
                 "[sim]") {
    Program compiled = program(SAXPY_SOURCE);
    const ObjectCode code = make(cucore_program_compile, compiled, CUCORE_OBJECT_CODE_PTX);
    fake_compilers().fail_after("nvrtcDestroyProgram", 1, INJECTED, 0);
    compiled.reset();
    CHECK(sink.take_one().operation == "nvrtcDestroyProgram");
    fake_compilers().fail_after("nvJitLinkDestroy", 1, INJECTED, 0);
    const ObjectCode cubin = make(cucore_linker_link, linker(SAXPY_PTX));
    CHECK(sink.take_one().operation == "nvJitLinkDestroy");
    for (cucore_object_code *result : {code.get(), cubin.get()}) {
        find(make(cucore_library_load, make(cucore_device_open, 0), result));
    }
}

namespace {

/// A failure whose log could not be had: it stands, and a note tells of the log.
void check_without_log(const Facts &facts, int32_t code, const std::string &log_call) {
    INFO(describe(facts));
    CHECK(facts.code == code);
    CHECK(facts.log.empty());
    const Facts *missing = facts.note(CUCORE_NOTE_CONSEQUENCE, log_call);
    REQUIRE(missing != nullptr);
    CHECK(missing->native == INJECTED);
    CHECK(missing->note(CUCORE_NOTE_CONSEQUENCE, "the log could not be had") != nullptr);
}

} // namespace

TEST_CASE_METHOD(Compilers, "E3: a log that cannot be fetched is a note on the compile's or the link's error", "[sim]") {
    for (const std::string call : {"nvrtcGetProgramLogSize", "nvrtcGetProgramLog"}) {
        const Program broken = program(BROKEN);
        fake_compilers().fail(call, 1, INJECTED, 0);
        check_without_log(fails(cucore_program_compile, broken, CUCORE_OBJECT_CODE_PTX), CUCORE_COMPILE, call);
    }
    for (const std::string call : {"nvJitLinkGetErrorLogSize", "nvJitLinkGetErrorLog"}) {
        const Linker broken = linker(UNRESOLVED_PTX);
        fake_compilers().fail(call, 1, INJECTED, 0);
        check_without_log(fails(cucore_linker_link, broken), CUCORE_LINK, call);
    }
}

TEST_CASE_METHOD(Compilers, "E3: a log that cannot be fetched beside a success is one warning", "[sim]") {
    const Program compiled = program(WARNS);
    for (const std::string call : {"nvrtcGetProgramLogSize", "nvrtcGetProgramLog"}) {
        fake_compilers().fail(call, 1, INJECTED, 0);
        const ObjectCode code = make(cucore_program_compile, compiled, CUCORE_OBJECT_CODE_PTX);
        CHECK(sink.take_one().operation == call);
        CHECK(cucore_object_code_log(code, nullptr) == std::string());
    }
    for (const std::string call : {"nvJitLinkGetInfoLogSize", "nvJitLinkGetInfoLog"}) {
        const Linker linked = linker(SAXPY_PTX);
        fake_compilers().fail(call, 1, INJECTED, 0);
        make(cucore_linker_link, linked);
        CHECK(sink.take_one().operation == call);
        CHECK(cucore_linker_info_log(linked, nullptr) == std::string());
    }
}

TEST_CASE_METHOD(Compilers, "field case 15: neither a destroy nor a log that fails turns into anything else", "[sim]") {
    Program broken = program(BROKEN);
    fake_compilers().nvrtc.fail("nvrtcGetProgramLogSize", 1, INJECTED, 1);
    fake_compilers().nvrtc.fail_after("nvrtcDestroyProgram", 1, INJECTED, 1);
    check_without_log(fails(cucore_program_compile, broken, CUCORE_OBJECT_CODE_PTX), CUCORE_COMPILE, "nvrtcGetProgramLogSize");
    CHECK(sink.take().empty());
    broken.reset();
    CHECK(sink.take_one().operation == "nvrtcDestroyProgram");
}

TEST_CASE_METHOD(Compilers, "field case 11: an option that NVRTC refuses is told with all options, and from which NVRTC", "[sim]") {
    const std::string unknown = "--no-such-option";
    const cucore_text texts[] = {text(unknown)};
    cucore_program_options options{};
    options.struct_size = sizeof options;
    options.arch = {"sm_90", 5};
    options.options = texts;
    options.option_count = 1;
    const Program made = make(cucore_program_create, nullptr, SAXPY_SOURCE.data(), SAXPY_SOURCE.size(), &options);
    const Facts facts = fails(cucore_program_compile, made, CUCORE_OBJECT_CODE_PTX);
    INFO(describe(facts));
    CHECK(facts.code == CUCORE_INVALID_ARGUMENT);
    CHECK(facts.says("NVRTC_ERROR_INVALID_OPTION"));
    CHECK_THAT(facts.log, has(unknown));
    CHECK(facts.note(CUCORE_NOTE_CAUSE, "option --gpu-architecture=sm_90") != nullptr);
    CHECK(facts.note(CUCORE_NOTE_CAUSE, "option " + unknown) != nullptr);
    CHECK(facts.note(CUCORE_NOTE_CAUSE, named(CUCORE_COMPILER_NVRTC)) != nullptr);
}

TEST_CASE_METHOD(Clean, "field case 12: INVALID_PTX is never bare") {
    const Device device = make(cucore_device_open, 0);
    const Facts facts = load_failure(device, replaced(NOTHING_PTX, "    ret;", "    gibberish;\n    ret;"));
    CHECK(facts.native == CUDA_ERROR_INVALID_PTX);
    CHECK_THAT(facts.log, has("line 6"));
    CHECK_THAT(facts.log, has("gibberish"));
    CHECK(facts.note(CUCORE_NOTE_CAUSE, "loading PTX \"test.ptx\" for device 0") != nullptr);
}

TEST_CASE_METHOD(Clean, "E6: the JIT's log and options outlive the library, loaded or not: the driver writes to them late") {
    const Device device = make(cucore_device_open, 0);
    load(device).reset();
    load_failure(device, replaced(SAXPY_PTX, ".version 7.0", ".version 99.0"));
}

TEST_CASE_METHOD(Clean, "C3: what was half loaded is unloaded when the module cannot be had", "[sim]") {
    const Device device = make(cucore_device_open, 0);
    const auto live = sim().live();
    sim().fail("cuLibraryGetModule", 1, INJECTED, 0);
    const Facts facts = fails(cucore_library_load, device, ptx(SAXPY_PTX));
    CHECK(facts.operation == "cuLibraryGetModule");
    CHECK(sim().live_count("library") == 0);
}
