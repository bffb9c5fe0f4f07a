// SPDX-License-Identifier: MIT OR Apache-2.0
// Linkers, with the real nvJitLink (and NVRTC to make the inputs). Tests of them carry the tag [compiler].
#include "support/cucore.hpp"
#include "support/driver.hpp"
#include "support/options.hpp"

#include <thread>

using namespace test;

namespace {

const std::string CALLER = "extern __device__ float helper(float);\n"
                           "extern \"C\" __global__ void apply(float *x) { x[threadIdx.x] = helper(x[threadIdx.x]); }\n";
const std::string CALLEE = "__device__ float helper(float x) { return 2 * x + 1; }\n";

/// The same for PTX that is worth more: tables, pointers to functions, memory of all kinds, calls in both directions.
const std::string MIXER = R"(
__constant__ unsigned weights[4] = {3, 5, 7, 11};
__device__ unsigned calls;
extern __device__ unsigned finish(unsigned);
__device__ __noinline__ unsigned rotate(unsigned value) { return __funnelshift_l(value, value, 7); }
__device__ __noinline__ unsigned flip(unsigned value) { return __brev(value) ^ 0x1234; }
__device__ unsigned (*const operations[2])(unsigned) = {rotate, flip};
__device__ unsigned mix(unsigned value, unsigned round) {
    atomicAdd(&calls, 1);
    return finish(operations[round & 1](value) * weights[round & 3]);
}
)";
const std::string MIXING = R"(
extern __device__ unsigned mix(unsigned, unsigned);
extern __device__ unsigned calls;
__device__ __noinline__ unsigned finish(unsigned value) { return value ^ value >> 15; }
extern "C" __global__ void apply(unsigned *out) {
    __shared__ unsigned shared[32];
    unsigned local[4], value = threadIdx.x;
    for (unsigned round = 0; round < 4; round++) {
        local[round] = value = mix(value, round);
    }
    shared[threadIdx.x] = local[value & 3];
    __syncthreads();
    out[threadIdx.x] = shared[31 - threadIdx.x] + (threadIdx.x == 0 ? calls : 0);
}
)";

uint32_t reverse_bits(uint32_t value) {
    uint32_t reversed = 0;
    for (unsigned bit = 0; bit < 32; bit++) {
        reversed |= (value >> bit & 1) << (31 - bit);
    }
    return reversed;
}

/// What MIXING makes of a thread's number.
uint32_t mixed(uint32_t value) {
    const uint32_t weights[] = {3, 5, 7, 11};
    uint32_t local[4];
    for (unsigned round = 0; round < 4; round++) {
        value = (round % 2 == 0 ? value << 7 | value >> 25 : reverse_bits(value) ^ 0x1234) * weights[round];
        local[round] = value ^= value >> 15;
    }
    return local[value & 3];
}

struct Linking {
    Device device = make(cucore_device_open, 0);

    ObjectCode lto(const std::string &source, const std::string &arch = "") const {
        const std::string relocatable = "--relocatable-device-code=true";
        const cucore_text texts[] = {text(relocatable)};
        cucore_program_options options{};
        options.struct_size = sizeof options;
        options.options = texts;
        options.option_count = 1;
        options.arch = arch.empty() ? cucore_text{} : text(arch);
        const Program program = make(cucore_program_create, device, source.data(), source.size(), &options);
        return make(cucore_program_compile, program, CUCORE_OBJECT_CODE_LTO_IR);
    }
    Linker linker(const std::vector<cucore_object_code *> &inputs, int32_t kind) const {
        cucore_linker_options options{};
        options.struct_size = sizeof options;
        options.kind = kind;
        return make(cucore_linker_create, device, inputs.data(), inputs.size(), &options);
    }
};

} // namespace

TEST_CASE_METHOD(Clean, "two translation units of LTO-IR link to PTX, which runs", "[compiler]") {
    const Linking with;
    const ObjectCode caller = with.lto(CALLER), callee = with.lto(CALLEE);
    const Linker linker = with.linker({caller, callee}, CUCORE_OBJECT_CODE_PTX);
    const ObjectCode linked = make(cucore_linker_link, linker);
    CHECK(cucore_object_code_kind(linked) == CUCORE_OBJECT_CODE_PTX);
    const Kernel kernel = find(make(cucore_library_load, with.device, linked), "apply");
    const Stream stream = make(cucore_stream_create, with.device, nullptr);
    const Resource resource = make(cucore_memory_resource_device_pool, with.device);
    const Buffer buffer = make(cucore_memory_resource_allocate, resource, 4 * sizeof(float), stream);
    float numbers[4] = {0, 1, 2, 3};
    ok(cucore_buffer_copy_from_host, buffer, size_t{0}, numbers, sizeof numbers, stream);
    const cucore_launch_options options = shape(1, 4);
    const cucore_argument argument = object(buffer);
    ok(cucore_kernel_launch, kernel, stream, &options, &argument, size_t{1});
    ok(cucore_buffer_copy_to_host, buffer, size_t{0}, numbers, sizeof numbers, stream);
    CHECK(std::vector<float>(numbers, numbers + 4) == std::vector<float>{1, 3, 5, 7});
}

TEST_CASE_METHOD(Clean, "PTX that nvJitLink makes runs, for each architecture and with or without debugging", "[compiler][ptx]") {
    const Linking with;
    const std::string number = GENERATE("75", "80", "86", "89", "90");
    const bool debug = GENERATE(false, true), lineinfo = GENERATE(false, true);
    CAPTURE(number, debug, lineinfo);
    if (std::stoi(number) > cucore_device_compute_capability(with.device)) {
        return;
    }
    const std::string lto_arch = "compute_" + number, arch = "sm_" + number;
    const ObjectCode mixer = with.lto(MIXER, lto_arch), mixing = with.lto(MIXING, lto_arch);
    cucore_object_code *inputs[] = {mixer, mixing};
    cucore_linker_options options{};
    options.struct_size = sizeof options;
    options.kind = CUCORE_OBJECT_CODE_PTX;
    options.arch = text(arch);
    options.debug = debug ? CUCORE_ON : CUCORE_DEFAULT;
    options.lineinfo = lineinfo ? CUCORE_ON : CUCORE_DEFAULT;
    const ObjectCode linked = make(cucore_linker_link, make(cucore_linker_create, with.device, inputs, size_t{2}, &options));
    const Kernel kernel = find(make(cucore_library_load, with.device, linked), "apply");
    const Stream stream = make(cucore_stream_create, with.device, nullptr);
    const Resource resource = make(cucore_memory_resource_device_pool, with.device);
    const Buffer buffer = make(cucore_memory_resource_allocate, resource, 32 * sizeof(uint32_t), stream);
    const cucore_launch_options launch = shape(1, 32);
    const cucore_argument argument = object(buffer);
    ok(cucore_kernel_launch, kernel, stream, &launch, &argument, size_t{1});
    uint32_t numbers[32];
    ok(cucore_buffer_copy_to_host, buffer, size_t{0}, numbers, sizeof numbers, stream);
    CHECK(numbers[0] == mixed(31) + 128);
    for (uint32_t i = 1; i < 32; i++) {
        CHECK(numbers[i] == mixed(31 - i));
    }
}

TEST_CASE_METHOD(Clean, "inputs link to a cubin by default", "[compiler]") {
    const Linking with;
    const ObjectCode caller = with.lto(CALLER), callee = with.lto(CALLEE);
    const ObjectCode linked = make(cucore_linker_link, with.linker({caller, callee}, 0));
    CHECK(cucore_object_code_kind(linked) == CUCORE_OBJECT_CODE_CUBIN);
    CHECK(std::string(cucore_object_code_raw(linked, nullptr), 4) == "\177ELF");
}

TEST_CASE_METHOD(Clean, "a missing symbol is LINK, with the log, the options and the linker's version", "[compiler]") {
    const Linking with;
    const ObjectCode caller = with.lto(CALLER);
    const Facts facts = fails(cucore_linker_link, with.linker({caller}, 0));
    INFO(describe(facts));
    CHECK(facts.code == CUCORE_LINK);
    CHECK(facts.domain == CUCORE_DOMAIN_NVJITLINK);
    CHECK(facts.operation == "nvJitLinkComplete");
    CHECK_THAT(facts.log, has("helper"));
    CHECK_THAT(describe(facts), has(std::string("-arch=") + cucore_device_arch(with.device, nullptr)));
    CHECK_THAT(describe(facts), has(cucore_compiler_path(CUCORE_COMPILER_NVJITLINK, nullptr)));
}

TEST_CASE_METHOD(Clean, "an input that is not what it says is refused, with the log", "[compiler]") {
    const Linking with;
    const ObjectCode bad = make(cucore_object_code_create, CUCORE_OBJECT_CODE_LTO_IR, "garbage", size_t{7}, "bad.lto", size_t{7});
    cucore_object_code *inputs[] = {bad};
    const Facts facts = fails(cucore_linker_link, make(cucore_linker_create, with.device, inputs, size_t{1}, nullptr));
    INFO(describe(facts));
    CHECK((facts.code == CUCORE_LINK || facts.code == CUCORE_INVALID_ARGUMENT)); // as nvJitLink 13.0 says, and 12.9
    CHECK_FALSE(facts.log.empty());
}

TEST_CASE_METHOD(Clean, "a linker links once", "[compiler]") {
    const Linking with;
    const ObjectCode callee = with.lto(CALLEE);
    const Linker linker = with.linker({callee}, CUCORE_OBJECT_CODE_PTX);
    make(cucore_linker_link, linker);
    fails_saying(CUCORE_INVALID_STATE, "", cucore_linker_link, linker);
}

TEST_CASE_METHOD(Clean, "a linker needs inputs, and LTO-IR among them to make PTX") {
    const Linking with;
    const ObjectCode code = ptx(SAXPY_PTX);
    cucore_object_code *inputs[] = {code};
    fails_saying(CUCORE_INVALID_ARGUMENT, "inputs is NULL", cucore_linker_create, with.device, nullptr, size_t{1}, nullptr);
    fails_saying(CUCORE_INVALID_ARGUMENT, "count", cucore_linker_create, with.device, inputs, size_t{0}, nullptr);
    cucore_linker_options options{};
    options.struct_size = sizeof options;
    options.kind = CUCORE_OBJECT_CODE_PTX;
    fails_saying(CUCORE_INVALID_ARGUMENT, "LTO-IR", cucore_linker_create, with.device, inputs, size_t{1}, &options);
    options.kind = CUCORE_OBJECT_CODE_LTO_IR;
    fails_saying(CUCORE_INVALID_ARGUMENT, "kind", cucore_linker_create, with.device, inputs, size_t{1}, &options);
}

TEST_CASE_METHOD(Clean, "a linker needs an architecture from somewhere", "[compiler]") {
    const ObjectCode code = ptx(SAXPY_PTX);
    cucore_object_code *inputs[] = {code};
    fails_saying(CUCORE_INVALID_ARGUMENT, "arch", cucore_linker_create, nullptr, inputs, size_t{1}, nullptr);
}

TEST_CASE_METHOD(Clean, "linker options follow the rules of options", "[compiler]") {
    const Linking with;
    const ObjectCode callee = with.lto(CALLEE);
    cucore_object_code *inputs[] = {callee};
    check_options<cucore_linker_options>([&](const void *options, cucore_status **status) {
        return made_code(cucore_linker_create(with.device, inputs, 1, static_cast<const cucore_linker_options *>(options), status),
                         status);
    });
}

/// nvJitLink 12.9 and 13.0 crash in the thread that made a link which another destroyed.
TEST_CASE_METHOD(Clean, "a linker is made, links and ends on any thread", "[compiler]") {
    const Linking with;
    const ObjectCode caller = with.lto(CALLER), callee = with.lto(CALLEE);
    for (int turn = 0; turn < 4; turn++) {
        Linker linked = with.linker({caller, callee}, 0), unused = with.linker({caller, callee}, 0),
               failing = with.linker({caller}, 0);
        ObjectCode result, nothing;
        std::thread([&] {
            result = ObjectCode(cucore_linker_link(linked, nullptr));
            nothing = ObjectCode(cucore_linker_link(failing, nullptr));
        }).join();
        CHECK(result.get() != nullptr);
        CHECK(nothing.get() == nullptr);
        std::thread([&] {
            linked.reset();
            unused.reset();
            failing.reset();
        }).join();
        make(cucore_linker_link, with.linker({caller, callee}, 0));
    }
}

TEST_CASE_METHOD(Clean, "a linker keeps its inputs", "[compiler]") {
    const Linking with;
    Linker linker;
    {
        const ObjectCode code = ptx(NOTHING_PTX);
        linker = with.linker({code}, 0);
    }
    CHECK(cucore_object_code_kind(make(cucore_linker_link, linker)) == CUCORE_OBJECT_CODE_CUBIN);
}

TEST_CASE_METHOD(Clean, "a linker lives until its last reference", "[compiler]") {
    const Linking with;
    const ObjectCode callee = with.lto(CALLEE);
    Linker linker = with.linker({callee}, 0);
    cucore_linker *second = cucore_linker_retain(linker);
    int32_t destroyed = -1;
    ok(cucore_linker_close, linker.give(), &destroyed);
    CHECK(destroyed == 0);
    ok(cucore_linker_close, second, &destroyed);
    CHECK(destroyed == 1);
}

TEST_CASE_METHOD(Clean, "PTX and cubins link too", "[compiler]") {
    const Linking with;
    const Program program = make(cucore_program_create, with.device, SAXPY_SOURCE.data(), SAXPY_SOURCE.size(), nullptr);
    for (const int32_t kind : {CUCORE_OBJECT_CODE_PTX, CUCORE_OBJECT_CODE_CUBIN}) {
        const ObjectCode code = make(cucore_program_compile, program, kind);
        const Linker linker = with.linker({code}, 0);
        CHECK(cucore_linker_kind(linker) == CUCORE_LINKER_NVJITLINK);
        const ObjectCode linked = make(cucore_linker_link, linker);
        CHECK(std::string(cucore_object_code_raw(linked, nullptr), 4) == "\177ELF");
    }
}

TEST_CASE_METHOD(Clean, "a linker's logs are read any number of times", "[compiler]") {
    const Linking with;
    const ObjectCode callee = with.lto(CALLEE), caller = with.lto(CALLER);
    cucore_linker_options options{};
    options.struct_size = sizeof options;
    options.verbose = CUCORE_ON;
    cucore_object_code *inputs[] = {caller, callee};
    const Linker linker = make(cucore_linker_create, with.device, inputs, size_t{2}, &options);
    CHECK(cucore_linker_info_log(linker, nullptr) == std::string());
    const ObjectCode linked = make(cucore_linker_link, linker);
    size_t size = 0;
    const std::string log = cucore_linker_info_log(linker, &size);
    CHECK_FALSE(log.empty());
    CHECK(log.size() == size);
    CHECK(cucore_linker_info_log(linker, nullptr) == log);
    CHECK(cucore_object_code_log(linked, nullptr) == log);

    const Linker broken = with.linker({caller}, 0);
    const Facts facts = fails(cucore_linker_link, broken);
    CHECK(cucore_linker_error_log(broken, nullptr) == facts.log);
    CHECK(cucore_linker_kind(nullptr) == 0);
    CHECK(cucore_linker_error_log(nullptr, &size) == std::string());
}

TEST_CASE_METHOD(Clean, "every field of a linker's options is one that nvJitLink takes", "[compiler]") {
    const Linking with;
    const ObjectCode caller = with.lto(CALLER), callee = with.lto(CALLEE);
    cucore_object_code *inputs[] = {caller, callee};
    for (const int32_t choice : {CUCORE_ON, CUCORE_OFF}) {
        cucore_linker_options options{};
        options.struct_size = sizeof options;
        options.lineinfo = options.ftz = options.prec_sqrt = options.prec_div = options.fma = choice;
        options.verbose = options.time = choice;
        options.has_optimization_level = 1;
        options.optimization_level = 3;
        options.max_registers = 64;
        make(cucore_linker_link, make(cucore_linker_create, with.device, inputs, size_t{2}, &options));
    }
    cucore_linker_options options{};
    options.struct_size = sizeof options;
    options.debug = CUCORE_ON;
    make(cucore_linker_link, make(cucore_linker_create, with.device, inputs, size_t{2}, &options));
}

TEST_CASE_METHOD(Clean, "name expressions are known in what was linked", "[compiler]") {
    const Linking with;
    const std::string source = "template <class T> __global__ void set(T *x, T value) { *x = value; }", expression = "set<int>";
    const cucore_text expressions[] = {text(expression)};
    cucore_program_options options{};
    options.struct_size = sizeof options;
    options.name_expressions = expressions;
    options.name_expression_count = 1;
    options.relocatable_device_code = CUCORE_ON;
    const Program program = make(cucore_program_create, with.device, source.data(), source.size(), &options);
    const ObjectCode callee = with.lto(CALLEE), templates = make(cucore_program_compile, program, CUCORE_OBJECT_CODE_LTO_IR);
    const ObjectCode linked = make(cucore_linker_link, with.linker({callee, templates}, CUCORE_OBJECT_CODE_PTX));
    CHECK(cucore_object_code_lowered_name(linked, "set<int>", 8, nullptr) == std::string("_Z3setIiEvPT_S0_"));
    find(make(cucore_library_load, with.device, linked), "set<int>");
}
