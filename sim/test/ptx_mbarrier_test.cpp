// SPDX-License-Identifier: MIT OR Apache-2.0
// Waiting for each other: barriers in shared memory, named barriers, and the threads of a warp.

#include "ptx_support.hpp"

namespace {

/// Runs a body of one block whose thread number is %r0, and `out` %d0.
Ran run_block(const std::string &body, uint32_t threads, std::vector<uint32_t> &out, const Options &options = {}) {
    const Module module =
        loaded(kernel_of(".reg .b32 %r<20>; .reg .b64 %d<10>; .reg .pred %p<4>; ld.param.u64 %d0, [out]; mov.u32 %r0, %tid.x;\n"
                         "mul.wide.u32 %d1, %r0, 4; add.u64 %d1, %d0, %d1; .shared .align 8 .b64 b;\n" +
                         body));
    Memory memory;
    memory.add(out);
    ptx_kernel *kernel = find(module, "k");
    return run(kernel, {{1, 1, 1}, {threads, 1, 1}}, Parameters(kernel) << out.data(), memory, options);
}

std::vector<uint32_t> block(const std::string &body, uint32_t threads, const Options &options = {}) {
    std::vector<uint32_t> out(threads < 8 ? 8 : threads);
    const Ran ran = run_block(body, threads, out, options);
    INFO(body);
    INFO(ran.log);
    REQUIRE(ran.outcome == PTX_RAN);
    return out;
}

/// What a single thread stores at `out` after such steps on the barrier b.
uint32_t single(const std::string &steps) {
    return block(steps + " st.global.u32 [%d0], %r9;", 1)[0];
}

const std::string IS_OVER = " selp.b32 %r9, 1, 0, %p1;";

} // namespace

TEST_CASE("A phase of a barrier is over when all have arrived, and the next one begins") {
    const std::string two = "mbarrier.init.shared.b64 [b], 2;";
    const std::string arrive = " mbarrier.arrive.shared.b64 %d2, [b];", test = " mbarrier.test_wait.shared.b64 %p1, [b], %d2;";
    const std::string even = " mbarrier.test_wait.parity.shared.b64 %p1, [b], 0;",
                      odd = " mbarrier.try_wait.parity.b64 %p1, [%d3], 1;";
    const std::string generic = " mov.u64 %d3, b; cvta.shared.u64 %d3, %d3;";
    CHECK(single(two + arrive + test + IS_OVER) == 0);
    CHECK(single(two + arrive + arrive + test + IS_OVER) == 1);
    CHECK(single(two + even + IS_OVER) == 0);
    CHECK(single(two + arrive + arrive + even + IS_OVER) == 1);
    CHECK(single(two + generic + odd + IS_OVER) == 1);
    CHECK(single(two + generic + arrive + arrive + odd + IS_OVER) == 0);
    CHECK(single(two + generic + arrive + arrive + arrive + arrive + odd + IS_OVER) == 1);
    CHECK(single(two + arrive + arrive + arrive + test + IS_OVER) == 0);
    CHECK(single(two + " mbarrier.arrive.shared::cta.b64 %d2, [b], 2;" + test + IS_OVER) == 1);
    CHECK(single(two + " mbarrier.arrive.release.cta.shared::cta.b64 _, [b];" + arrive + test + IS_OVER) == 1);
    CHECK(single(two + arrive + " mbarrier.arrive.release.cluster.shared::cluster.b64 _, [b], 1;" + test + IS_OVER) == 1);
    CHECK(single(two + arrive + " mbarrier.try_wait.acquire.cta.shared::cta.b64 %p1, [b], %d2, 1000;" + IS_OVER) == 0);
    CHECK(single(two + arrive + arrive + " mbarrier.try_wait.parity.acquire.cta.shared.b64 %p1, [b], 0, %r0;" + IS_OVER) == 1);
}

TEST_CASE("Who drops out of a barrier is not waited for again") {
    const std::string three = "mbarrier.init.shared.b64 [b], 3; mbarrier.arrive_drop.shared.b64 %d2, [b];"
                              "mbarrier.arrive.noComplete.shared.b64 %d2, [b], 1; mbarrier.pending_count.b64 %r9, %d2;";
    CHECK(single(three) == 2);
    const std::string next = three + "mbarrier.arrive.shared.b64 _, [b]; mbarrier.arrive.shared.b64 %d2, [b];"
                                     "mbarrier.arrive.shared.b64 _, [b]; mbarrier.test_wait.shared.b64 %p1, [b], %d2;";
    CHECK(single(next + IS_OVER) == 1);
    CHECK(single("mbarrier.init.shared.b64 [b], 4; mbarrier.arrive_drop.noComplete.shared.b64 %d2, [b], 3;"
                 "mbarrier.arrive_drop.expect_tx.shared::cta.b64 %d2, [b], 0; mbarrier.test_wait.shared.b64 %p1, [b], %d2;" +
                 IS_OVER) == 1);
}

TEST_CASE("A phase waits for the bytes that were announced") {
    const std::string expect =
        "mbarrier.init.shared.b64 [b], 1; mbarrier.arrive.expect_tx.release.cta.shared::cta.b64 %d2, [b], 24;";
    const std::string complete = "mbarrier.complete_tx.relaxed.cta.shared::cta.b64 [b], ",
                      test = "mbarrier.test_wait.shared.b64 %p1, [b], %d2;";
    CHECK(single(expect + test + IS_OVER) == 0);
    CHECK(single(expect + complete + "8;" + test + IS_OVER) == 0);
    CHECK(single(expect + complete + "8;" + complete + "16;" + test + IS_OVER) == 1);
    CHECK(single("mbarrier.init.shared.b64 [b], 1; mbarrier.expect_tx.relaxed.cta.shared::cta.b64 [b], 8;" + complete +
                 "8;"
                 "mbarrier.test_wait.parity.shared.b64 %p1, [b], 0;" +
                 IS_OVER) == 0);
    CHECK(single("mbarrier.init.shared.b64 [b], 1;" + complete + "8; mbarrier.arrive.expect_tx.shared.b64 %d2, [b], 8;" + test +
                 IS_OVER) == 1);
}

TEST_CASE("Asynchronous copies arrive once they are done") {
    const std::string one = "mbarrier.init.shared.b64 [b], 1; ", test = " mbarrier.test_wait.parity.shared.b64 %p1, [b], 0;";
    CHECK(single(one + "cp.async.mbarrier.arrive.shared.b64 [b];" + test + IS_OVER) == 0);
    CHECK(single(one + "cp.async.mbarrier.arrive.noinc.shared::cta.b64 [b];" + test + IS_OVER) == 1);
}

TEST_CASE("A misused barrier is a fault") {
    struct Case {
        const char *body, *log;
    };
    const Case cases[] = {
        {"mbarrier.arrive.shared.b64 %d2, [b];", "no barrier was initialised at 0x0"},
        {"mbarrier.init.shared.b64 [b], 1; mbarrier.inval.shared.b64 [b]; mbarrier.test_wait.parity.shared.b64 %p1, [b], 0;",
         "no barrier was initialised"},
        {"mbarrier.init.shared.b64 [b], 0;", "a barrier for 0 arrivals"},
        {"mbarrier.init.shared.b64 [b], 1; mbarrier.arrive.shared.b64 %d2, [b], 2;",
         "2 arrivals and 0 bytes at a barrier that waits for 1"},
        {"mbarrier.init.shared.b64 [b], 1; mbarrier.expect_tx.relaxed.cta.shared::cta.b64 [b], 0x100000;", "1048576 bytes"},
    };
    for (const Case &each : cases) {
        std::vector<uint32_t> out(8);
        const Ran ran = run_block(each.body, 1, out);
        INFO(ran.log);
        CHECK(ran.outcome == PTX_ILLEGAL_INSTRUCTION);
        CHECK(has(ran.log, each.log));
    }
    std::vector<uint32_t> out(8);
    CHECK(run_block("mbarrier.init.shared.b64 [b+4], 1;", 1, out).outcome == PTX_MISALIGNED_ADDRESS);
    CHECK(run_block("mbarrier.init.shared.b64 [b+16], 1;", 1, out).outcome == PTX_ILLEGAL_ADDRESS);
}

TEST_CASE("Threads of a block exchange values round after round through a barrier in shared memory") {
    const std::string body =
        R"(.shared .b32 s[96]; mov.u32 %r1, s; mad.lo.u32 %r2, %r0, 4, %r1; sub.u32 %r3, 95, %r0; mad.lo.u32 %r3, %r3, 4, %r1;
        setp.ne.u32 %p1, %r0, 0; @!%p1 mbarrier.init.shared.b64 [b], 96; bar.sync 0; mov.u32 %r4, 0; mov.u32 %r5, 0;
        ROUND: mad.lo.u32 %r6, %r4, 1000, %r0; st.shared.u32 [%r2], %r6;
        mbarrier.arrive.release.cta.shared::cta.b64 %d2, [b];
        A: mbarrier.try_wait.acquire.cta.shared::cta.b64 %p2, [b], %d2; @!%p2 bra A;
        ld.shared.u32 %r6, [%r3]; add.u32 %r5, %r5, %r6;
        mbarrier.arrive.shared.b64 _, [b];
        B: mbarrier.test_wait.parity.shared.b64 %p2, [b], 1; @!%p2 bra B;
        add.u32 %r4, %r4, 1; setp.lt.u32 %p2, %r4, 5; @%p2 bra ROUND; st.global.u32 [%d1], %r5;)";
    for (const Options &options : {Options{}, Options{1, false, true, true, 0}}) {
        const std::vector<uint32_t> out = block(body, 96, options);
        for (uint32_t i = 0; i < 96; i++)
            REQUIRE(out[i] == 10000 + 5 * (95 - i));
    }
}

// ---- named barriers ----

TEST_CASE("Producers arrive and go on, consumers wait for them") {
    // Warp 0 fills a buffer and warp 1 empties it, eight times; barrier 1 says full and 2 says empty.
    const std::string body =
        R"(.shared .b32 s[32]; and.b32 %r1, %r0, 31; mov.u32 %r2, s; mad.lo.u32 %r2, %r1, 4, %r2; mov.u32 %r3, 0; mov.u32 %r4, 0;
        setp.lt.u32 %p1, %r0, 32; @!%p1 bra CONSUME;
        PRODUCE: bar.sync 2, 64; add.u32 %r5, %r3, %r1; st.shared.u32 [%r2], %r5; bar.arrive 1, 64;
        add.u32 %r3, %r3, 1; setp.lt.u32 %p2, %r3, 8; @%p2 bra PRODUCE; bra END;
        CONSUME: bar.arrive 2, 64; bar.sync 1, 64; ld.shared.u32 %r5, [%r2]; mad.lo.u32 %r4, %r4, 2, %r5;
        add.u32 %r3, %r3, 1; setp.lt.u32 %p2, %r3, 8; @%p2 bra CONSUME;
        END: st.global.u32 [%d1], %r4;)";
    for (const Options &options : {Options{}, Options{1, false, true, true, 0}}) {
        const std::vector<uint32_t> out = block(body, 64, options);
        for (uint32_t i = 0; i < 32; i++) {
            uint32_t expected = 0;
            for (uint32_t round = 0; round < 8; round++)
                expected = expected * 2 + round + i;
            REQUIRE(out[i + 32] == expected);
        }
    }
}

TEST_CASE("Threads that exited are not waited for, at barriers and in warps") {
    const std::string exits = "and.b32 %r1, %r0, 3; setp.eq.u32 %p1, %r1, 0; @%p1 exit;";
    for (const char *wait :
         {"bar.sync 0;", "barrier.sync 3;", "bar.warp.sync 0xffffffff;", "shfl.sync.idx.b32 %r2, %r0, 1, 31, -1;"}) {
        const std::vector<uint32_t> out = block(exits + wait + "st.global.u32 [%d1], 7;", 40);
        for (uint32_t i = 0; i < 40; i++)
            REQUIRE(out[i] == (i % 4 ? 7u : 0u));
    }
}

// ---- warps ----

TEST_CASE("Halves of a warp meet among themselves, each in its own loop") {
    const std::string body = R"(setp.lt.u32 %p1, %r0, 16; mov.u32 %r1, 0xffff; @!%p1 mov.u32 %r1, 0xffff0000; mov.u32 %r2, %r0;
        @!%p1 bra UPPER;
        mov.u32 %r3, 4;
        LOWER: shfl.sync.bfly.b32 %r4, %r2, %r3, 31, %r1; add.u32 %r2, %r2, %r4; bar.warp.sync %r1; shr.u32 %r3, %r3, 1;
        setp.ne.u32 %p2, %r3, 0; @%p2 bra LOWER; bra END;
        UPPER: shfl.sync.bfly.b32 %r4, %r2, 8, 31, 0xffff0000; add.u32 %r2, %r2, %r4;
        END: bar.warp.sync -1; st.global.u32 [%d1], %r2;)";
    const std::vector<uint32_t> out = block(body, 32);
    for (uint32_t i = 0; i < 16; i++) {
        REQUIRE(out[i] == (i / 8 * 8 + 3) * 8 + 4);
        REQUIRE(out[i + 16] == (i + 16) + ((i + 16) ^ 8));
    }
}

TEST_CASE("The active ones are those that came the same way") {
    const std::string body = R"(and.b32 %r1, %r0, 1; setp.eq.u32 %p1, %r1, 0; @%p1 bra EVEN;
        activemask.b32 %r2; bra END;
        EVEN: activemask.b32 %r2;
        END: bar.warp.sync -1; st.global.u32 [%d1], %r2;)";
    const std::vector<uint32_t> out = block(body, 32);
    for (uint32_t i = 0; i < 32; i++)
        REQUIRE(out[i] == (i % 2 ? 0xaaaaaaaa : 0x55555555));
    CHECK(block("activemask.b32 %r2; st.global.u32 [%d1], %r2;", 40)[39] == 0xff);
}

TEST_CASE("Threads of a warp pass a flag on, one after the other, though they run the same loop") {
    const std::string body = R"(mov.u32 %r1, 0;
        L: ld.volatile.global.u32 %r2, [%d0]; setp.ne.u32 %p1, %r2, %r0; @%p1 bra L;
        add.u32 %r2, %r2, 1; st.volatile.global.u32 [%d0], %r2;)";
    CHECK(block(body, 64)[0] == 64);
}
