// SPDX-License-Identifier: MIT OR Apache-2.0
// What a kernel does wrong, and how the driver says so: the error of each kind, and the line of the driver's log.

#include "support.hpp"

#include <unistd.h>

namespace {

constexpr size_t SIZE = 64;

/// A kernel with a pointer to SIZE bytes, run by `threads` threads of one block.
struct Run : Context {
    explicit Run(CUdevice on = 0) : Context(on), stream(make_stream()) {
    }

    /// Allocates after what the test switched on, and runs.
    CUresult operator()(const std::string &body, unsigned threads = 1, const std::string &before = "") {
        memory = memory ? memory : allocate(SIZE, stream);
        const std::string text = ".version 7.8\n.target sm_75\n.address_size 64\n" + before +
                                 ".visible .entry k(.param .u64 memory) {\n"
                                 ".reg .pred %p<4>;\n.reg .b32 %r<8>;\n.reg .b64 %d<8>;\nld.param.u64 %d0, [memory];\n" +
                                 body + "\nret;\n}\n";
        CUkernel kernel = kernel_of(load(text.c_str()), "k");
        void *arguments[] = {&memory};
        CUlaunchConfig config = {};
        config.gridDimX = config.gridDimY = config.gridDimZ = 1;
        config.blockDimX = threads;
        config.blockDimY = config.blockDimZ = 1;
        config.hStream = stream;
        REQUIRE(cuLaunchKernelEx(&config, reinterpret_cast<CUfunction>(kernel), arguments, nullptr) == CUDA_SUCCESS);
        return cuStreamSynchronize(stream);
    }

    /// That the driver's log has said so.
    void said(const std::string &part) const {
        std::string all;
        for (const std::string &line : words.lines)
            all += line + "\n";
        INFO(all);
        INFO(part);
        CHECK(has(all, part));
    }

    std::string at(size_t offset) const {
        std::array<char, 32> text{};
        std::snprintf(text.data(), text.size(), "0x%llx", static_cast<unsigned long long>(memory + offset));
        return text.data();
    }

    CUstream stream;
    CUdeviceptr memory = 0;
    Words words;
};

/// What is written to the standard output while it lives.
class Output {
  public:
    Output() : kept_(dup(1)), file_(std::tmpfile()) {
        std::fflush(stdout);
        dup2(fileno(file_), 1);
    }
    ~Output() {
        dup2(kept_, 1);
        close(kept_);
        std::fclose(file_);
    }
    Output(const Output &) = delete;
    Output &operator=(const Output &) = delete;
    std::string text() const {
        std::array<char, 4096> bytes{};
        std::fflush(stdout);
        std::rewind(file_);
        return std::string(bytes.data(), std::fread(bytes.data(), 1, bytes.size(), file_));
    }

  private:
    int kept_;
    std::FILE *file_;
};

const char *const WHERE = "kernel k, block (0,0,0), thread (0,0,0), ptx line 9: ";

} // namespace

TEST_CASE("a store beyond an allocation is an illegal address, told with the allocation") {
    Run run;
    CHECK(run("st.global.u32 [%d0+64], 1;") == CUDA_ERROR_ILLEGAL_ADDRESS);
    run.said(WHERE + ("4-byte store at " + run.at(64)) + ", 0 bytes beyond the nearest allocation, of 64 bytes at " + run.at(0));
    run.expect_violation("4-byte store");
}

TEST_CASE("a load that only begins in an allocation is an illegal address") {
    Run run;
    CHECK(run("ld.global.v4.u32 {%r0, %r1, %r2, %r3}, [%d0+64];") == CUDA_ERROR_ILLEGAL_ADDRESS);
    run.said(WHERE + ("16-byte load at " + run.at(64)));
    run.expect_violation("16-byte load");
}

TEST_CASE("an access before an allocation says how far before") {
    Run run;
    CHECK(run("ld.global.u8 %r0, [%d0+-3];") == CUDA_ERROR_ILLEGAL_ADDRESS);
    run.said(WHERE + ("1-byte load at " + run.at(-3)) + ", 3 bytes before the nearest allocation, of 64 bytes");
    run.expect_violation("1-byte load");
}

TEST_CASE("a misaligned access is told as such") {
    Run run;
    CHECK(run("ld.global.u32 %r0, [%d0+2];") == CUDA_ERROR_MISALIGNED_ADDRESS);
    run.said(WHERE + ("4-byte load at " + run.at(2)) + ", 2 bytes into the nearest allocation");
}

TEST_CASE("memory that was freed is told as such") {
    Run run;
    const CUdeviceptr freed = run.memory = allocate(SIZE, run.stream);
    const CUdeviceptr other = allocate(SIZE, run.stream);
    REQUIRE(cuMemFreeAsync(freed, run.stream) == CUDA_SUCCESS);
    REQUIRE(cuStreamSynchronize(run.stream) == CUDA_SUCCESS);
    CHECK(run("st.global.u32 [%d0+8], 1;") == CUDA_ERROR_ILLEGAL_ADDRESS);
    run.said(WHERE + ("4-byte store at " + run.at(8)) + ", 8 bytes into the 64 bytes at " + run.at(0) + " that were freed");
    run.expect_violation("that were freed");
    CHECK(cuMemFreeAsync(other, run.stream) == CUDA_ERROR_ILLEGAL_ADDRESS);
}

TEST_CASE("faults in shared, local and constant memory name their space") {
    Run run;
    SECTION("shared") {
        CHECK(run("mov.u32 %r0, tile; st.shared.u32 [%r0+16], 1;", 1, ".shared .align 4 .b8 tile[16];\n") ==
              CUDA_ERROR_ILLEGAL_ADDRESS);
        run.said("4-byte shared store at 0x10");
        run.expect_violation("shared store");
    }
    SECTION("local") {
        CHECK(run(".local .align 4 .b8 mine[8]; mov.u64 %d1, mine; ld.local.u32 %r0, [%d1+8];") == CUDA_ERROR_ILLEGAL_ADDRESS);
        run.said("4-byte local load at 0x8");
        run.expect_violation("local load");
    }
    SECTION("constant") {
        CHECK(run("mov.u64 %d1, table; cvta.const.u64 %d1, %d1; st.u32 [%d1], 1;", 1, ".const .align 4 .u32 table = 5;\n") ==
              CUDA_ERROR_ILLEGAL_ADDRESS);
        run.said("4-byte store at 0x");
        run.expect_violation("4-byte store");
    }
}

TEST_CASE("the source line of a fault is told if the PTX has it") {
    Run run;
    CHECK(run(".loc 1 42 7\nst.global.u32 [%d0+64], 1;", 1, ".file 1 \"sum.cu\"\n") == CUDA_ERROR_ILLEGAL_ADDRESS);
    run.said("thread (0,0,0), ptx line 11 (sum.cu:42): 4-byte store");
    run.expect_violation("sum.cu:42");
}

TEST_CASE("trap and a failed assertion have errors of their own") {
    Run run;
    SECTION("trap") {
        CHECK(run("trap;") == CUDA_ERROR_LAUNCH_FAILED);
        run.said(WHERE + std::string("trap"));
    }
    SECTION("assert") {
        CHECK(run("{ .param .b64 a; .param .b64 b; .param .b32 c; .param .b64 d; .param .b64 e;\n"
                  "mov.u64 %d1, what; cvta.global.u64 %d1, %d1; st.param.b64 [a], %d1;\n"
                  "mov.u64 %d1, file; cvta.global.u64 %d1, %d1; st.param.b64 [b], %d1; st.param.b32 [c], 7;\n"
                  "st.param.b64 [d], %d1; st.param.b64 [e], 1; call __assertfail, (a, b, c, d, e); }",
                  1,
                  ".extern .func __assertfail(.param .b64 a, .param .b64 b, .param .b32 c, .param .b64 d, .param .b64 e);\n"
                  ".global .align 1 .b8 what[6] = {105, 32, 60, 32, 49, 0};\n"
                  ".global .align 1 .b8 file[5] = {97, 46, 99, 117, 0};\n") == CUDA_ERROR_ASSERT);
        run.said("a.cu:7: Assertion `i < 1` failed");
    }
}

TEST_CASE("a kernel that does not end is ended by the step limit") {
    Run run;
    sim.set_step_limit(100000);
    CHECK(run("AGAIN: bra AGAIN;") == CUDA_ERROR_LAUNCH_TIMEOUT);
    run.said("the launch has run more than 100000 instructions");
    CHECK(sim.instructions_run() > 100000);
    CHECK(sim.instructions_run() < 200000);
}

TEST_CASE("a launch under the step limit is not ended") {
    Run run;
    sim.set_step_limit(100000);
    CHECK(run("mov.u32 %r0, 0; AGAIN: add.u32 %r0, %r0, 1; setp.lt.u32 %p0, %r0, 1000; @%p0 bra AGAIN;") == CUDA_SUCCESS);
}

TEST_CASE("a barrier that not all can reach is told as a timeout") {
    Run run;
    CHECK(run("mov.u32 %r0, %tid.x; setp.eq.u32 %p0, %r0, 0; @%p0 bra DONE; bar.sync 0, 64; DONE:", 33) ==
          CUDA_ERROR_LAUNCH_TIMEOUT);
    run.said("waits for ever at barrier 0");
}

TEST_CASE("a call of no function is an invalid program counter") {
    Run run;
    CHECK(run("call %d0, ();") == CUDA_ERROR_INVALID_PC);
    run.said("is not the address of a function that fits the call");
}

TEST_CASE("unwritten device memory is found if asked for") {
    Run run;
    const char *const load = "ld.global.u32 %r0, [%d0+8];";
    SECTION("not unless asked for") {
        CHECK(run(load) == CUDA_SUCCESS);
    }
    SECTION("read before any write") {
        sim.find_unwritten(1);
        CHECK(run(load) == CUDA_ERROR_LAUNCH_FAILED);
        run.said(WHERE + ("memory that was never written is read: 4-byte load at " + run.at(8)));
    }
    SECTION("one byte of four unwritten") {
        sim.find_unwritten(1);
        run.memory = allocate(SIZE, run.stream);
        REQUIRE(cuMemsetD8Async(run.memory + 8, 1, 3, run.stream) == CUDA_SUCCESS);
        CHECK(run(load) == CUDA_ERROR_LAUNCH_FAILED);
    }
    SECTION("written by a fill, a copy, and a kernel") {
        sim.find_unwritten(1);
        const uint32_t word = 5;
        run.memory = allocate(SIZE, run.stream);
        REQUIRE(cuMemsetD32Async(run.memory + 8, 1, 1, run.stream) == CUDA_SUCCESS);
        CHECK(run(load) == CUDA_SUCCESS);
        REQUIRE(cuMemcpyHtoDAsync_v2(run.memory + 12, &word, sizeof word, run.stream) == CUDA_SUCCESS);
        CHECK(run("ld.global.u32 %r0, [%d0+12]; st.global.u32 [%d0+16], %r0;") == CUDA_SUCCESS);
        CHECK(run("ld.global.u32 %r0, [%d0+16];") == CUDA_SUCCESS);
    }
    SECTION("a copy of unwritten memory is unwritten") {
        sim.find_unwritten(1);
        run.memory = allocate(SIZE, run.stream);
        const CUdeviceptr other = allocate(SIZE, run.stream);
        REQUIRE(cuMemcpyDtoDAsync_v2(run.memory, other, SIZE, run.stream) == CUDA_SUCCESS);
        CHECK(run(load) == CUDA_ERROR_LAUNCH_FAILED);
    }
}

TEST_CASE("unwritten shared memory is found if asked for") {
    Run run;
    sim.find_unwritten(1);
    const char *const tile = ".shared .align 4 .b8 tile[16];\n";
    SECTION("unwritten") {
        CHECK(run("mov.u32 %r0, tile; ld.shared.u32 %r1, [%r0+4];", 1, tile) == CUDA_ERROR_LAUNCH_FAILED);
        run.said("memory that was never written is read: 4-byte shared load at 0x4");
    }
    SECTION("written") {
        CHECK(run("mov.u32 %r0, tile; st.shared.u32 [%r0+4], 1; ld.shared.u32 %r1, [%r0+4];", 1, tile) == CUDA_SUCCESS);
    }
}

TEST_CASE("races in shared memory are found if asked for") {
    Run run;
    const char *const tile = ".shared .align 4 .b8 tile[1024];\n";
    const std::string store = "mov.u32 %r0, %tid.x; shl.b32 %r1, %r0, 2; mov.u32 %r2, tile; add.u32 %r3, %r2, %r1;\n"
                              "st.shared.u32 [%r3], %r0;\n";
    const std::string neighbour = "xor.b32 %r4, %r1, 128; add.u32 %r5, %r2, %r4; ld.shared.u32 %r6, [%r5];\n";
    SECTION("not unless asked for") {
        CHECK(run(store + neighbour, 64, tile) == CUDA_SUCCESS);
    }
    sim.find_races(1);
    SECTION("no barrier between") {
        CHECK(run(store + neighbour, 64, tile) == CUDA_ERROR_LAUNCH_FAILED);
        run.said("a race: 4-byte shared ");
        run.said("with no barrier between");
    }
    SECTION("a barrier between") {
        CHECK(run(store + "bar.sync 0;\n" + neighbour, 64, tile) == CUDA_SUCCESS);
    }
    SECTION("two stores") {
        CHECK(run("mov.u32 %r2, tile; st.shared.u32 [%r2], 1;", 2, tile) == CUDA_ERROR_LAUNCH_FAILED);
        run.said("4-byte shared store at 0x0, which thread (0,0,0) stored to");
    }
    SECTION("two loads") {
        CHECK(run("mov.u32 %r2, tile; ld.shared.u32 %r3, [%r2];", 64, tile) == CUDA_SUCCESS);
    }
    SECTION("in a warp, with and without bar.warp.sync") {
        const std::string inside = "xor.b32 %r4, %r1, 4; add.u32 %r5, %r2, %r4; ld.shared.u32 %r6, [%r5];\n";
        CHECK(run(store + "bar.warp.sync 0xffffffff;\n" + inside, 32, tile) == CUDA_SUCCESS);
        CHECK(run(store + inside, 32, tile) == CUDA_ERROR_LAUNCH_FAILED);
    }
}

TEST_CASE("what a kernel prints comes to the standard output") {
    Run run;
    Output output;
    CHECK(run("{ .param .b64 f; .param .b64 v; .param .b32 r; .local .align 8 .b8 values[16];\n"
              "mov.u64 %d1, text; cvta.global.u64 %d1, %d1; st.param.b64 [f], %d1;\n"
              "mov.u64 %d2, values; mov.u32 %r0, -5; st.local.u32 [%d2], %r0; mov.b64 %d3, 0d3FF8000000000000;\n"
              "st.local.b64 [%d2+8], %d3; cvta.local.u64 %d2, %d2; st.param.b64 [v], %d2;\n"
              "call (r), vprintf, (f, v); ld.param.b32 %r1, [r]; st.global.u32 [%d0], %r1; }",
              1,
              ".extern .func (.param .b32 r) vprintf(.param .b64 f, .param .b64 v);\n"
              ".global .align 1 .b8 text[15] = {37, 48, 52, 100, 44, 32, 37, 46, 50, 102, 37, 37, 10, 0};\n") == CUDA_SUCCESS);
    CHECK(output.text() == "-005, 1.50%\n");
    CHECK(word_at(run.memory, run.stream) == 2);
}

TEST_CASE("kernels allocate and free memory of their context") {
    Run run;
    const char *const declared = ".extern .func (.param .b64 r) malloc(.param .b64 size);\n.extern .func free(.param .b64 a);\n";
    const std::string allocate_one = "{ .param .b64 s; .param .b64 r; st.param.b64 [s], 16; call (r), malloc, (s); "
                                     "ld.param.b64 %d1, [r]; st.global.b64 [%d0], %d1; }\n";
    const std::string free_one = "{ .param .b64 a; ld.global.b64 %d1, [%d0]; st.param.b64 [a], %d1; call free, (a); }\n";
    CHECK(run(allocate_one + "st.u32 [%d1+12], 7;", 1, declared) == CUDA_SUCCESS);
    CHECK(sim.live_count("heap memory") == 1);
    CHECK(run("ld.global.b64 %d1, [%d0]; ld.u32 %r0, [%d1+12]; st.global.u32 [%d0+8], %r0;\n" + free_one, 1, declared) ==
          CUDA_SUCCESS);
    CHECK(word_at(run.memory + 8, run.stream) == 7);
    CHECK(sim.live_count("heap memory") == 0);
    CHECK(run(free_one, 1, declared) == CUDA_ERROR_LAUNCH_FAILED);
    run.said("which malloc did not give");
}

TEST_CASE("several workers run the blocks of a launch and give the same") {
    Run run;
    sim.set_workers(4);
    run.memory = allocate(sizeof(uint32_t) * 1000, run.stream);
    CUkernel kernel = kernel_of(load(".version 7.8\n.target sm_75\n.address_size 64\n.visible .entry k(.param .u64 memory) {\n"
                                     ".reg .b32 %r<4>; .reg .b64 %d<4>; ld.param.u64 %d0, [memory]; mov.u32 %r0, %ctaid.x;\n"
                                     "mul.wide.u32 %d1, %r0, 4; add.u64 %d2, %d0, %d1; mul.lo.u32 %r1, %r0, 3;\n"
                                     "st.global.u32 [%d2], %r1; ret; }\n"),
                                "k");
    void *arguments[] = {&run.memory};
    CUlaunchConfig config = {};
    config.gridDimX = 1000;
    config.gridDimY = config.gridDimZ = config.blockDimX = config.blockDimY = config.blockDimZ = 1;
    config.hStream = run.stream;
    REQUIRE(cuLaunchKernelEx(&config, reinterpret_cast<CUfunction>(kernel), arguments, nullptr) == CUDA_SUCCESS);
    for (uint32_t i = 0; i < 1000; i += 111)
        CHECK(word_at(run.memory + i * 4, run.stream) == i * 3);
}
