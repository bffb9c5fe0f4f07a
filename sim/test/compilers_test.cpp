// SPDX-License-Identifier: MIT OR Apache-2.0
// The simulated compilers, held to what was seen of the real ones and to what cusim_compilers.h promises. Tests tagged [compiler]
// forward to NVIDIA's own, from the wheels that CUCORE_WHEELS names.

#if __has_include(<catch2/catch_test_macros.hpp>)
#include <catch2/catch_test_macros.hpp>
#else
#include <catch2/catch.hpp>
#endif

#include "../cusim_compilers.h"
extern "C" {
#include "ptx/ptx.h"
}

#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <dlfcn.h>
#include <fstream>
#include <stdexcept>
#include <string>
#include <thread>
#include <tuple>
#include <unistd.h>
#include <utility>
#include <vector>

namespace {

/// A simulated compiler, or a real one.
class Library {
  public:
    Library(const char *path, const char *prefix) : opened_(dlopen(path, RTLD_NOW | RTLD_LOCAL)), prefix_(prefix) {
        REQUIRE(opened_ != nullptr);
    }
    template <class... Arguments> int operator()(const char *name, Arguments... arguments) const {
        return find<int (*)(Arguments...)>(name)(arguments...);
    }
    template <class Result, class... Arguments> Result control(const char *name, Arguments... arguments) const {
        return find<Result (*)(Arguments...)>(prefix_ + name)(arguments...);
    }
    template <class Function> Function find(const std::string &name) const {
        void *found = dlsym(opened_, name.c_str());
        if (found == nullptr) { // no macro of Catch2, which one thread at a time may use
            throw std::runtime_error("no function " + name);
        }
        return reinterpret_cast<Function>(found);
    }

    void reset() const {
        control<void>("reset");
    }
    void fail(const char *function, uint64_t nth, int result, int sticky) const {
        control<void>("fail", function, nth, result, sticky);
    }
    uint64_t calls(const char *function) const {
        return control<uint64_t>("call_count", function);
    }
    size_t live() const {
        return control<size_t>("live_count");
    }
    uint64_t violations() const {
        return control<uint64_t>("violations");
    }
    std::string text(const char *name) const {
        std::string all(control<size_t>(name, static_cast<char *>(nullptr), size_t{0}), '\0');
        control<size_t>(name, all.data(), all.size() + 1);
        return all;
    }
    std::string options() const {
        return text("options");
    }

    /// What a pair of functions gives: its size, then its bytes.
    std::string get(const char *name, void *object) const {
        size_t size = 77;
        REQUIRE((*this)((std::string(name) + "Size").c_str(), object, &size) == 0);
        std::string bytes(size + 1, '\0');
        REQUIRE((*this)(name, object, bytes.data()) == 0);
        bytes.resize(size);
        return bytes;
    }

  private:
    void *opened_;
    std::string prefix_;
};

const Library &nvrtc() {
    static const Library library(CUSIM_NVRTC_FILE, "cusim_nvrtc_");
    return library;
}

const Library &nvjitlink() {
    static const Library library(CUSIM_NVJITLINK_FILE, "cusim_nvjitlink_");
    return library;
}

struct Fresh {
    Fresh() {
        nvrtc().reset();
        nvjitlink().reset();
    }
    ~Fresh() {
        CHECK(nvrtc().live() == 0);
        CHECK(nvjitlink().live() == 0);
        nvrtc().reset();
        nvjitlink().reset();
    }
};

using Texts = std::vector<const char *>;

struct Program {
    explicit Program(const std::string &source, const char *name = "test.cu") {
        const char *const *none = nullptr;
        REQUIRE(nvrtc()("nvrtcCreateProgram", &raw, source.c_str(), name, 0, none, none) == 0);
    }
    Program(const Program &) = delete;
    ~Program() {
        if (raw != nullptr) {
            CHECK(nvrtc()("nvrtcDestroyProgram", &raw) == 0);
        }
    }
    int compile(Texts options = {}) const {
        return nvrtc()("nvrtcCompileProgram", raw, static_cast<int>(options.size()),
                       static_cast<const char *const *>(options.data()));
    }
    int add(const char *expression) const {
        return nvrtc()("nvrtcAddNameExpression", raw, expression);
    }
    int lowered(const char *expression, const char **name) const {
        return nvrtc()("nvrtcGetLoweredName", raw, expression, name);
    }
    std::string ptx() const {
        return nvrtc().get("nvrtcGetPTX", raw).c_str();
    }
    std::string cubin() const {
        return nvrtc().get("nvrtcGetCUBIN", raw);
    }
    std::string lto() const {
        return nvrtc().get("nvrtcGetLTOIR", raw);
    }
    std::string log() const {
        return nvrtc().get("nvrtcGetProgramLog", raw).c_str();
    }
    void *raw = nullptr;
};

enum { CUBIN = 1, PTX = 2, LTO_IR = 3, FATBIN = 4, ANY = 10 };

struct Linker {
    explicit Linker(Texts options) {
        created = nvjitlink()("nvJitLinkCreate", &raw, static_cast<uint32_t>(options.size()), options.data());
    }
    Linker(const Linker &) = delete;
    ~Linker() {
        CHECK(nvjitlink()("nvJitLinkDestroy", &raw) == 0);
        CHECK(raw == nullptr);
    }
    int add(int type, const std::string &code, const char *name = "input") const {
        return nvjitlink()("nvJitLinkAddData", raw, type, static_cast<const void *>(code.data()), code.size(), name);
    }
    int complete() const {
        return nvjitlink()("nvJitLinkComplete", raw);
    }
    std::string errors() const {
        return nvjitlink().get("nvJitLinkGetErrorLog", raw).c_str();
    }
    std::string infos() const {
        return nvjitlink().get("nvJitLinkGetInfoLog", raw).c_str();
    }
    std::string ptx() const {
        return nvjitlink().get("nvJitLinkGetLinkedPtx", raw).c_str();
    }
    std::string cubin() const {
        size_t size = 0;
        REQUIRE(nvjitlink()("nvJitLinkGetLinkedCubinSize", raw, &size) == 0);
        std::string bytes(size, '\0');
        REQUIRE(nvjitlink()("nvJitLinkGetLinkedCubin", raw, static_cast<void *>(bytes.data())) == 0);
        return bytes;
    }
    void *raw = nullptr;
    int created = -1;
};

/// PTX, loaded as the simulated driver does.
class Module {
  public:
    explicit Module(const std::string &ptx) {
        char log[500];
        const ptx_result result = ptx_load(&raw_, ptx.data(), ptx.size(), 90, log, sizeof log);
        INFO(ptx << "\n" << log);
        REQUIRE(result == PTX_OK);
    }
    Module(const Module &) = delete;
    ~Module() {
        ptx_unload(raw_);
    }
    /// The sizes of a kernel's parameters: "48" for an int and a pointer.
    std::string parameters(const std::string &kernel) const {
        const ptx_kernel *found = ptx_find(raw_, kernel.c_str());
        if (found == nullptr) {
            return "no kernel";
        }
        std::string sizes;
        for (size_t index = 0; index < ptx_parameter_count(found); index++) {
            sizes += std::to_string(ptx_parameter_size(found, index));
        }
        return sizes;
    }

  private:
    ptx_module *raw_ = nullptr;
};

bool has(const std::string &text, const std::string &part) {
    return text.find(part) != std::string::npos;
}

const std::string ADD_ONE = "extern \"C\" __global__ void add_one(int *x, int n) { if (n) *x += 1; }\n";

/// PTX of a function, of a kernel that calls it, and of a kernel alone.
const std::string CALLEE = ".version 8.0\n.target sm_90\n.address_size 64\n"
                           ".visible .func (.param .b32 result) twice(.param .b32 x)\n{\n    .reg .b32 %r<3>;\n"
                           "    ld.param.b32 %r1, [x];\n    add.s32 %r2, %r1, %r1;\n    st.param.b32 [result], %r2;\n    ret;\n}\n";
const std::string CALLER = ".version 7.8\n.target sm_80\n.address_size 64\n// .func comment(\n"
                           ".extern .func (.param .b32 result) twice\n(\n    .param .b32 x\n)\n;\n"
                           ".visible .entry caller(.param .u32 n)\n{\n    .reg .b32 %r<3>;\n    ld.param.u32 %r1, [n];\n"
                           "    {\n    .param .b32 a;\n    .param .b32 b;\n    st.param.b32 [a], %r1;\n"
                           "    call.uni (b), twice, (a);\n    ld.param.b32 %r2, [b];\n    }\n    ret;\n}\n";
const std::string ALONE = ".version 8.0\n.target sm_90\n.address_size 64\n.visible .entry alone()\n{\n    ret;\n}\n";

std::string wheels() {
    const char *named = std::getenv("CUCORE_WHEELS");
    return named != nullptr ? named : "";
}

/// The real library of that name, in the wheels of CUDA 12 or of a later version.
std::string real_file(const std::string &file, const std::string &folder) {
    const std::string newer = wheels() + "/nvidia/cu13/lib/" + file + ".13";
    const std::string older = wheels() + "/nvidia/" + folder + "/lib/" + file + ".12";
    return access(newer.c_str(), R_OK) == 0 ? newer : older;
}

} // namespace

TEST_CASE_METHOD(Fresh, "a source becomes PTX with an empty kernel for each of its own") {
    const Program program("/* extern \"C\" __global__ void no(int) {} */\n"
                          "extern \"C\" __global__ void plain() {}\n"
                          "extern \"C\" __global__ void declared(int);\n"
                          "extern \"C\" __global__ void __launch_bounds__(256, 2)\nall(const float *x, float a, double b, int n,\n"
                          "    unsigned long long m, size_t k, short s, unsigned char c, bool t, uint32_t u) { f(x, n); }\n"
                          "__global__ void mangled(int) {}\n");
    REQUIRE(program.compile({"--gpu-architecture=sm_90"}) == 0);
    CHECK(program.log().empty());
    CHECK(has(program.ptx(), ".target sm_90\n"));
    const Module module(program.ptx());
    CHECK(module.parameters("plain").empty());
    CHECK(module.parameters("all") == "8484882114");
    for (const char *absent : {"no", "declared", "mangled"}) {
        CHECK(module.parameters(absent) == "no kernel");
    }
}

TEST_CASE_METHOD(Fresh, "a source may bring its PTX in a comment") {
    const Program program(ADD_ONE + "/* cusim-ptx:\n" + ALONE + "*/\n#warning behind it\n");
    REQUIRE(program.compile() == 0);
    CHECK(Module(program.ptx()).parameters("alone").empty());
    CHECK_FALSE(has(program.ptx(), "add_one"));
    CHECK(program.log() == "test.cu(11): warning: behind it\n");
}

TEST_CASE_METHOD(Fresh, "a parameter of a type that is not known is an error") {
    const Program program("struct S { int a; };\nextern \"C\" __global__ void k(int n,\n    S s) {}\n");
    CHECK(program.compile() == 6);
    CHECK(has(program.log(), "test.cu(3): error: "));
}

TEST_CASE_METHOD(Fresh, "#error fails, #warning does not; both are in the log with file and line") {
    const Program broken("// #error no\n  # error this is wrong\n#warning and this is odd\n");
    CHECK(broken.compile() == 6);
    CHECK(broken.log() == "test.cu(2): error: this is wrong\ntest.cu(3): warning: and this is odd\n"
                          "\n1 error detected in the compilation of \"test.cu\".\n");
    CHECK(broken.ptx().empty());
    const Program warned(ADD_ONE + "#warning only odd\n", nullptr);
    CHECK(warned.compile() == 0);
    CHECK(warned.log() == "default_program(2): warning: only odd\n");
}

TEST_CASE_METHOD(Fresh, "what is made follows from the options") {
    const Program program(ADD_ONE);
    CHECK(nvrtc().get("nvrtcGetPTX", program.raw).size() == 1); // its NUL
    REQUIRE(program.compile({"-arch", "compute_90"}) == 0);
    CHECK_FALSE(program.ptx().empty());
    CHECK(program.cubin().empty());
    REQUIRE(program.compile({"-arch=sm_90a"}) == 0);
    CHECK(program.cubin().substr(0, 4) == "\177ELF");
    CHECK(program.lto().empty());
    REQUIRE(program.compile({"-arch=sm_90", "-dlto"}) == 0);
    CHECK(program.ptx().empty());
    CHECK(program.cubin().empty());
    CHECK_FALSE(program.lto().empty());
    CHECK(nvrtc().options() == "-arch=sm_90\n-dlto\n");
}

TEST_CASE_METHOD(Fresh, "the simulated driver loads what the simulated compilers make") {
    const Program program(ADD_ONE);
    REQUIRE(program.compile({"-arch=sm_90"}) == 0);
    const Linker linker({"-arch=sm_90"});
    CHECK(linker.add(CUBIN, program.cubin()) == 0);
    REQUIRE(linker.complete() == 0);
    static const Library driver(CUSIM_FILE, "cusim_");
    REQUIRE(driver("cuInit", 0u) == 0);
    void *context = nullptr;
    REQUIRE(driver("cuDevicePrimaryCtxRetain", &context, 0) == 0);
    REQUIRE(driver("cuCtxSetCurrent", context) == 0);
    for (const std::string &code : {program.ptx(), program.cubin(), linker.cubin()}) {
        void *module = nullptr, *function = nullptr;
        REQUIRE(driver("cuModuleLoadData", &module, static_cast<const void *>(code.c_str())) == 0);
        CHECK(driver("cuModuleGetFunction", &function, module, "add_one") == 0);
        CHECK(driver("cuModuleUnload", module) == 0);
    }
    void *none = nullptr;
    CHECK(driver("cuCtxSetCurrent", none) == 0);
    CHECK(driver("cuDevicePrimaryCtxRelease_v2", 0) == 0);
}

TEST_CASE_METHOD(Fresh, "options are those of the real NVRTC, with values of their kind") {
    const Program program(ADD_ONE);
    for (const Texts &known : {Texts{"--fmad=false", "--use_fast_math", "-lineinfo", "-G", "-DNAME=1", "--define-macro=A"},
                               Texts{"-I", "folder", "-Ifolder", "--std=c++17", "-maxrregcount=32", "--dopt", "-dopt=on"}}) {
        CHECK(program.compile(known) == 0);
    }
    const std::vector<std::pair<const char *, const char *>> refused = {
        {"--no-such-option", "nvrtc: error: unrecognized option --no-such-option found\n"},
        {"folder", "nvrtc: error: unrecognized option folder found\n"},
        {"--use_fast_math=true", "nvrtc: error: --use_fast_math (-use_fast_math) does not accept any argument\n"},
        {"--fmad", "nvrtc: error: --fmad (-fmad) expects true or false\n"},
        {"-ftz=1", "nvrtc: error: --ftz (-ftz) expects true or false\n"},
        {"--maxrregcount=many", "nvrtc: error: --maxrregcount (-maxrregcount) expects an integer value\n"},
        {"-arch=sm_12", "nvrtc: error: invalid value for --gpu-architecture (-arch)\n"},
        {"-arch=nonsense", "nvrtc: error: invalid value for --gpu-architecture (-arch)\n"},
    };
    for (const auto &[option, log] : refused) {
        CHECK(program.compile({option}) == 5);
        CHECK(program.log() == log);
    }
}

TEST_CASE_METHOD(Fresh, "name expressions are added before, and lowered after the compilation") {
    const Program program("namespace my {\ntemplate <typename T, int N>\n__global__ void scale(T *x, T a, int n) {}\n"
                          "__global__ void plain(float) {}\n}\n" +
                          ADD_ONE);
    const char *name = nullptr;
    for (const char *expression : {"my::scale<float, 3>", "my::scale<double,4>", "my::plain", "add_one"}) {
        CHECK(program.add(expression) == 0);
        CHECK(program.lowered(expression, &name) == 9);
    }
    REQUIRE(program.compile() == 0);
    CHECK(program.add("my::plain") == 8);
    CHECK(program.lowered("my::other", &name) == 10);
    const Module module(program.ptx());
    REQUIRE(program.lowered("my::scale<float, 3>", &name) == 0);
    CHECK(std::string(name) == "_Zcusim_my_3a_3ascale_3cfloat_2c_203_3e");
    CHECK(module.parameters(name) == "844");
    REQUIRE(program.lowered("my::scale<double,4>", &name) == 0);
    CHECK(module.parameters(name) == "884");
    REQUIRE(program.lowered("my::plain", &name) == 0);
    CHECK(module.parameters(name) == "4");
    REQUIRE(program.lowered("add_one", &name) == 0);
    CHECK(std::string(name) == "add_one");
}

TEST_CASE_METHOD(Fresh, "a name expression of no kernel fails the compilation") {
    const Program program(ADD_ONE);
    CHECK(program.add("nowhere<int>") == 0);
    CHECK(program.compile() == 6);
    CHECK(has(program.log(), "nowhere<int>"));
    const char *name = nullptr;
    CHECK(program.lowered("nowhere<int>", &name) == 9);
}

namespace {

int cancel(void *data, void *) {
    auto *calls = static_cast<int *>(data);
    ++*calls;
    CHECK(nvrtc().live() == 1); // no lock is held
    return *calls > 1;
}

} // namespace

TEST_CASE_METHOD(Fresh, "a callback can cancel the compilation") {
    const Program program(ADD_ONE);
    int calls = 0;
    REQUIRE(nvrtc()("nvrtcSetFlowCallback", program.raw, &cancel, static_cast<void *>(&calls)) == 0);
    CHECK(program.compile() == 0);
    CHECK(program.compile() == 16);
    CHECK(calls == 2);
}

TEST_CASE_METHOD(Fresh, "the version can be set, and the architectures follow it") {
    int major = 0, minor = 0, count = 0;
    CHECK(nvrtc()("nvrtcVersion", &major, &minor) == 0);
    CHECK((major == 13 && minor == 0));
    CHECK(Program(ADD_ONE).compile({"-arch=sm_60"}) == 5);
    nvrtc().control<void>("set_version", 12, 9);
    CHECK(nvrtc()("nvrtcVersion", &major, &minor) == 0);
    CHECK((major == 12 && minor == 9));
    CHECK(Program(ADD_ONE).compile({"-arch=sm_60"}) == 0);
    CHECK(nvrtc()("nvrtcGetNumSupportedArchs", &count) == 0);
    std::vector<int> archs(static_cast<size_t>(count));
    CHECK(nvrtc()("nvrtcGetSupportedArchs", archs.data()) == 0);
    CHECK(archs.front() == 50);
    nvrtc().control<void>("set_version", 13, 1);
    CHECK(nvrtc()("nvrtcGetSupportedArchs", archs.data()) == 0);
    CHECK(archs.front() == 75);
    setenv("CUSIM_NVRTC_VERSION", "12.3", 1);
    nvrtc().reset();
    CHECK(nvrtc()("nvrtcVersion", &major, &minor) == 0);
    CHECK((major == 12 && minor == 3));
    unsetenv("CUSIM_NVRTC_VERSION");
    unsigned int linker_major = 0, linker_minor = 0;
    nvjitlink().control<void>("set_version", 12, 8);
    CHECK(nvjitlink()("nvJitLinkVersion", &linker_major, &linker_minor) == 0);
    CHECK((linker_major == 12 && linker_minor == 8));
}

TEST_CASE_METHOD(Fresh, "results have names") {
    const auto name = nvrtc().find<const char *(*)(int)>("nvrtcGetErrorString");
    CHECK(std::string(name(0)) == "NVRTC_SUCCESS");
    CHECK(std::string(name(6)) == "NVRTC_ERROR_COMPILATION");
    CHECK(std::string(name(99)) == "NVRTC_ERROR unknown");
}

TEST_CASE_METHOD(Fresh, "a program that is not alive is refused, and a violation") {
    void *none = nullptr, *late = nullptr;
    {
        const Program program(ADD_ONE);
        late = program.raw;
    }
    size_t size = 0;
    CHECK(nvrtc()("nvrtcGetPTXSize", none, &size) == 4);
    CHECK(nvrtc()("nvrtcDestroyProgram", &none) == 4);
    CHECK(nvrtc().violations() == 0);
    CHECK(nvrtc()("nvrtcGetPTXSize", late, &size) == 4);
    CHECK(nvrtc()("nvrtcDestroyProgram", &late) == 4);
    CHECK(nvrtc().violations() == 2);
    CHECK(has(nvrtc().text("violation_list"), "is no live program\n"));
    CHECK(nvjitlink()("nvJitLinkComplete", late) == 10);
    CHECK(nvjitlink().violations() == 1);
}

TEST_CASE_METHOD(Fresh, "a link that another thread than its maker destroys is refused, and a violation") {
    Linker linker({"-arch=sm_90"});
    std::thread([&] { CHECK(nvjitlink()("nvJitLinkDestroy", &linker.raw) == 6); }).join();
    CHECK(linker.raw != nullptr);
    CHECK(nvjitlink().violations() == 1);
    CHECK(has(nvjitlink().text("violation_list"), "is destroyed on another thread than made it\n"));
}

TEST_CASE_METHOD(Fresh, "calls fail when told to: the nth, all after it, before or after their work") {
    Program program(ADD_ONE);
    nvrtc().fail("nvrtcCompileProgram", 2, 11, 0);
    CHECK(program.compile() == 0);
    CHECK(program.compile() == 11);
    CHECK(program.compile() == 0);
    CHECK(nvrtc().calls("nvrtcCompileProgram") == 3);
    nvrtc().fail(nullptr, 1, 1, 1);
    size_t size = 0;
    CHECK(nvrtc()("nvrtcGetPTXSize", program.raw, &size) == 1);
    CHECK(nvrtc()("nvrtcDestroyProgram", &program.raw) == 1);
    CHECK(nvrtc().live() == 1);
    CHECK(nvrtc().control<uint64_t>("failures_injected") == 3);
    const auto failed = [](uint64_t index) { return nvrtc().control<const char *>("failed_call", index); };
    CHECK(std::string(failed(0)) == "nvrtcCompileProgram");
    CHECK(std::string(failed(2)) == "nvrtcDestroyProgram");
    CHECK(failed(3) == nullptr);
    nvrtc().control<void>("fail_nothing");
    CHECK(nvrtc().control<uint64_t>("failures_injected") == 0);
    nvrtc().control<void>("fail_after", "nvrtcDestroyProgram", uint64_t{1}, 11, 0);
    CHECK(nvrtc()("nvrtcDestroyProgram", &program.raw) == 11);
    CHECK(nvrtc().live() == 0);
}

TEST_CASE_METHOD(Fresh, "code of every form links to a cubin, and LTO-IR to PTX") {
    const Program program(ADD_ONE);
    REQUIRE(program.compile({"-arch=sm_90"}) == 0);
    {
        const Linker linker({"-arch=sm_90"});
        CHECK(linker.add(CUBIN, program.cubin()) == 0);
        CHECK(linker.add(PTX, ALONE) == 0);
        CHECK(linker.complete() == 0);
        CHECK(linker.errors().empty());
        CHECK(linker.infos().empty());
        const Linker again({"-arch=sm_90"});
        CHECK(again.add(ANY, linker.cubin()) == 0);
        CHECK(again.complete() == 0);
        CHECK(again.cubin() == linker.cubin());
        CHECK(again.complete() == 6);
    }
    REQUIRE(program.compile({"-arch=sm_90", "-dlto"}) == 0);
    const Linker linker({"-arch=sm_90", "-lto", "-ptx", "-verbose", "-time"});
    CHECK(linker.add(LTO_IR, program.lto()) == 0);
    CHECK(linker.complete() == 0);
    CHECK(Module(linker.ptx()).parameters("add_one") == "84");
    CHECK(linker.infos() == "info    : Function properties for 'add_one':\nnvJitLinkComplete time to finish: 0.000000\n");
    size_t size = 0;
    CHECK(nvjitlink()("nvJitLinkGetLinkedCubinSize", linker.raw, &size) == 6);
    CHECK(nvjitlink().options() == "-arch=sm_90\n-lto\n-ptx\n-verbose\n-time\n");
}

TEST_CASE_METHOD(Fresh, "functions of one input are found by another") {
    for (const bool callee_first : {false, true}) {
        const Program callee("/* cusim-ptx:\n" + CALLEE + "*/"), caller("/* cusim-ptx:\n" + CALLER + "*/");
        REQUIRE(callee.compile({"-dlto"}) == 0);
        REQUIRE(caller.compile({"-dlto"}) == 0);
        const Linker linker({"-arch=sm_90", "-lto", "-ptx"});
        CHECK(linker.add(LTO_IR, callee_first ? callee.lto() : caller.lto()) == 0);
        CHECK(linker.add(LTO_IR, callee_first ? caller.lto() : callee.lto()) == 0);
        REQUIRE(linker.complete() == 0);
        CHECK(has(linker.ptx(), ".version 8.0\n.target sm_90\n"));
        CHECK(Module(linker.ptx()).parameters("caller") == "4");
    }
}

TEST_CASE_METHOD(Fresh, "an undefined function and one defined twice are errors with names") {
    {
        const Linker linker({"-arch=sm_90"});
        CHECK(linker.add(PTX, CALLER, "caller.ptx") == 0);
        CHECK(linker.complete() == 6);
        CHECK(linker.errors() == "error   : Undefined reference to 'twice' in 'caller.ptx'\nERROR 9: finish\n");
        size_t size = 0;
        CHECK(nvjitlink()("nvJitLinkGetLinkedCubinSize", linker.raw, &size) == 6);
        CHECK(linker.complete() == 6);
    }
    const Linker linker({"-arch=sm_90"});
    CHECK(linker.add(PTX, ALONE, "one") == 0);
    CHECK(linker.add(PTX, ALONE, "two") == 0);
    CHECK(linker.complete() == 6);
    CHECK(linker.errors() == "error   : Multiple definition of 'alone' in 'two', first defined in 'one'\nERROR 9: finish\n");
}

TEST_CASE_METHOD(Fresh, "a linker's options are those of the real nvJitLink") {
    for (const bool newer : {false, true}) {
        nvjitlink().control<void>("set_version", newer ? 13 : 12, newer ? 0 : 9);
        const std::vector<std::tuple<Texts, int, const char *>> refused = {
            {{}, 2, ""},
            {{"-arch=sm_90", "-bogus"}, 1, "unrecognized option: -bogus\n"},
            {{"-arch=sm_90", "bogus"}, 1, "unrecognized option: bogus\n"},
            {{"-arch=sm_90", "-maxrregcount"}, 1, "unrecognized option: -maxrregcount\n"},
            {{"-arch=sm_90", "-ptx"}, newer ? 11 : 3, "ERROR: -ptx requires -lto\n"},
            {{"-arch=foo"}, 1, "ERROR NVJITLINK_ERROR_UNRECOGNIZED_OPTION: missing option value (-arch=foo)\n"},
        };
        for (const auto &[options, result, errors] : refused) {
            const Linker linker(options);
            CHECK(linker.created == result);
            CHECK(linker.errors() == errors);
        }
        const Linker linker({"-arch=sm_90", "-O3", "-g", "-lineinfo", "-ftz=true", "-kernels-used=a,b", "-Xptxas=-v", "-no-cache",
                             "--device-stack-protector=true", "-split-compile=2", "-variables-used=c"});
        CHECK(linker.created == 0);
    }
}

TEST_CASE_METHOD(Fresh, "inputs that are not what they are said to be are refused, with the log") {
    const Program program(ADD_ONE);
    REQUIRE(program.compile({"-arch=sm_90", "-dlto"}) == 0);
    nvjitlink().control<void>("set_version", 12, 9);
    const Linker linker({"-arch=sm_90"});
    const std::string header_only = "\177ELF\2\1\1";
    for (const int type : {CUBIN, PTX, LTO_IR}) {
        CHECK(linker.add(type, "garbage", "bad") == 3);
        CHECK(linker.add(type, header_only + std::string(64, '\377'), "bad") == 3);
    }
    CHECK(linker.add(ANY, "garbage", "bad") == 8);
    CHECK(linker.add(FATBIN, ALONE, "bad") == 3);
    CHECK(linker.add(PTX, "", "bad") == 3);
    CHECK(linker.add(LTO_IR, program.lto(), "lto") == 6);
    CHECK(has(linker.errors(), "does not match type NVJITLINK_INPUT_CUBIN: bad\n"));
    CHECK(has(linker.errors(), "ERROR 1: LTO-IR input cannot be used without LTO enabled (-lto)\n"));
    nvjitlink().control<void>("set_version", 13, 0);
    CHECK(linker.add(PTX, "garbage", "bad") == 12);
    CHECK(linker.add(PTX, "", "bad") == 10);
    CHECK(linker.add(LTO_IR, program.lto(), "lto") == 18);
    CHECK(linker.complete() == 0); // of nothing
    const Linker lto({"-arch=sm_90", "-lto"});
    CHECK(lto.add(PTX, ALONE) == 0);
    CHECK(lto.complete() == 5);
    const Linker to_ptx({"-arch=sm_90", "-lto", "-ptx"});
    CHECK(to_ptx.add(PTX, ALONE) == 0);
    CHECK(to_ptx.complete() == 12);
}

TEST_CASE_METHOD(Fresh, "an input can be a file") {
    const std::string path = "compilers_test.ptx";
    std::ofstream(path) << ALONE;
    const Linker linker({"-arch=sm_90"});
    CHECK(nvjitlink()("nvJitLinkAddFile", linker.raw, int{PTX}, path.c_str()) == 0);
    CHECK(nvjitlink()("nvJitLinkAddFile", linker.raw, int{PTX}, "nowhere.ptx") == 3);
    CHECK(linker.errors() == "cannot open input file: nowhere.ptx\n");
    CHECK(linker.complete() == 0);
    std::remove(path.c_str());
}

TEST_CASE_METHOD(Fresh, "the names of each version of CUDA 12 are there") {
    for (int minor = 0; minor <= 9; minor++) {
        const std::string suffix = "_12_" + std::to_string(minor);
        void *linker = nullptr;
        Texts options = {"-arch=sm_90"};
        CHECK(nvjitlink()(("__nvJitLinkCreate" + suffix).c_str(), &linker, uint32_t{1}, options.data()) == 0);
        CHECK(nvjitlink()(("__nvJitLinkDestroy" + suffix).c_str(), &linker) == 0);
    }
    CHECK(nvjitlink().calls("nvJitLinkCreate") == 10);
}

TEST_CASE_METHOD(Fresh, "several threads compile and link at once") {
    std::vector<std::thread> threads;
    std::atomic<int> worked{0};
    for (int index = 0; index < 4; index++) {
        threads.emplace_back([&] {
            for (int round = 0; round < 50; round++) {
                void *program = nullptr;
                const char *const *none = nullptr;
                worked += nvrtc()("nvrtcCreateProgram", &program, ADD_ONE.c_str(), "t.cu", 0, none, none) == 0;
                worked += nvrtc()("nvrtcCompileProgram", program, 0, none) == 0;
                worked += nvrtc()("nvrtcDestroyProgram", &program) == 0;
            }
        });
    }
    for (std::thread &thread : threads) {
        thread.join();
    }
    CHECK(worked == 600);
    CHECK(nvrtc().calls(nullptr) == 600);
}

TEST_CASE_METHOD(Fresh, "forwarding to what is no compiler is refused") {
    CHECK(nvrtc().control<int>("forward", "/nonexistent/libnvrtc.so.12") == 0);
    CHECK(nvrtc().control<int>("forward", static_cast<const char *>(CUSIM_NVJITLINK_FILE)) == 0);
    CHECK(Program(ADD_ONE).compile() == 0);
}

TEST_CASE_METHOD(Fresh, "calls go on to the real NVRTC, counted, recorded and failed", "[compiler]") {
    const std::string path = real_file("libnvrtc.so", "cuda_nvrtc");
    REQUIRE(nvrtc().control<int>("forward", path.c_str()) == 1);
    const Program program("template <class T> __global__ void k(T *x) { *x = 1; int unused; }\n");
    CHECK(program.add("k<int>") == 0);
    nvrtc().fail("nvrtcCompileProgram", 1, 11, 0);
    CHECK(program.compile({"-arch=sm_90"}) == 11);
    REQUIRE(program.compile({"-arch=sm_90"}) == 0);
    CHECK(nvrtc().options() == "-arch=sm_90\n");
    CHECK(has(program.log(), "unused"));
    CHECK(has(program.ptx(), "NVIDIA"));
    const char *name = nullptr;
    REQUIRE(program.lowered("k<int>", &name) == 0);
    CHECK(std::string(name) == "_Z1kIiEvPT_");
    CHECK(program.compile({"--no-such-option"}) == 5);
    int major = 0, minor = 0, count = 0;
    CHECK(nvrtc()("nvrtcVersion", &major, &minor) == 0);
    CHECK(has(path, "." + std::to_string(major)));
    CHECK(nvrtc()("nvrtcGetNumSupportedArchs", &count) == 0);
    CHECK(count > 5);
    REQUIRE(nvrtc().control<int>("forward", static_cast<const char *>(nullptr)) == 1);
    CHECK(Program(ADD_ONE).compile() == 0);
    CHECK(has(program.log(), "no-such-option")); // is still the real one's
}

TEST_CASE_METHOD(Fresh, "calls go on to the real nvJitLink", "[compiler]") {
    const std::string path = real_file("libnvJitLink.so", "nvjitlink");
    setenv("CUSIM_NVJITLINK_FORWARD", path.c_str(), 1);
    nvjitlink().reset();
    unsetenv("CUSIM_NVJITLINK_FORWARD");
    {
        const Linker linker({"-arch=sm_90"});
        REQUIRE(linker.created == 0);
        CHECK(linker.add(PTX, ALONE) == 0);
        nvjitlink().fail("nvJitLinkComplete", 1, 6, 0);
        CHECK(linker.complete() == 6);
        REQUIRE(linker.complete() == 0);
        CHECK(has(linker.cubin(), "alone"));
        CHECK_FALSE(has(linker.cubin(), ".cusim.ptx"));
        CHECK(nvjitlink().options() == "-arch=sm_90\n");
    }
    const Linker refused({"-arch=sm_90", "-bogus"});
    CHECK(refused.created == 1);
    CHECK(refused.errors() == "unrecognized option: -bogus\n");
    unsigned int major = 0, minor = 0;
    CHECK(nvjitlink()("nvJitLinkVersion", &major, &minor) == 0);
    CHECK(has(path, "." + std::to_string(major)));
}
