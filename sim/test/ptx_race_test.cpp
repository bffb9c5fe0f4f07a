// SPDX-License-Identifier: MIT OR Apache-2.0
// What is looked for if asked: memory read before it is written, and races in shared memory.

#include "ptx_support.hpp"

namespace {

const Options WATCHED{1, false, true, true, 0};

/// Runs one block of 64 threads whose number is %r0, with a word of shared memory `s`, one for each thread at [%r1], the next
/// thread's at [%r2], and `flag`. All but `flag` are unwritten.
Ran watched(const std::string &body, const Options &options = WATCHED) {
    const Module module = loaded(
        kernel_of(".reg .b32 %r<20>; .reg .b64 %d<10>; .reg .pred %p<4>; .reg .b128 %q; ld.param.u64 %d0, [out];\n"
                  ".shared .align 16 .b32 words[64]; .shared .align 16 .b32 s[2]; .shared .b32 flag; .shared .align 8 .b64 b; "
                  "mov.u32 %r0, %tid.x; mov.u32 %r1, words; "
                  "mad.lo.u32 %r1, %r0, 4, %r1;\n"
                  "mov.u32 %r3, words; add.u32 %r2, %r0, 1; and.b32 %r2, %r2, 63; mad.lo.u32 %r2, %r2, 4, %r3;\n"
                  "setp.eq.u32 %p0, %r0, 0; @%p0 st.shared.u32 [flag], 0; @%p0 mbarrier.init.shared.b64 [b], 64; bar.sync 0;\n" +
                  body));
    std::vector<uint32_t> out(64);
    Memory memory;
    memory.add(out);
    ptx_kernel *kernel = find(module, "k");
    return run(kernel, {{1, 1, 1}, {64, 1, 1}}, Parameters(kernel) << out.data(), memory, options);
}

} // namespace

TEST_CASE("Accesses of several threads with nothing between are races") {
    struct Case {
        const char *body, *log;
    };
    const Case cases[] = {
        {"st.shared.u32 [%r1], 1;\nst.shared.u32 [%r2], 1;", "which thread (0,0,0) stored to on ptx line 11"},
        {"st.shared.u32 [s], %r0;",
         "a race: 4-byte shared store at 0x100, which thread (0,0,0) stored to on ptx line 10, with no barrier"},
        {"@%p0 st.shared.u32 [s], 1;\nbar.sync 0;\nld.shared.u32 %r4, [s];\n@%p0 st.shared.u32 [s], 2;",
         "4-byte shared load at 0x100, which thread (0,0,0) stored to on ptx line 13"},
        {"st.shared.u32 [%r1], 1;\nbar.warp.sync -1;\nst.shared.u32 [%r2], 1;",
         "thread (32,0,0), ptx line 10: a race: 4-byte shared store at 0x80, which thread (31,0,0) stored to on ptx line 12"},
        {"atom.shared.add.u32 %r4, [flag], 1;\nld.shared.u32 %r4, [flag];",
         "a race: 4-byte shared atomic operation at 0x108, which thread (0,0,0) loaded from on ptx line 11"},
        {"@%p0 st.shared.u8 [flag+3], 1;\natom.shared.add.u32 %r4, [flag], 1;", "which thread (0,0,0) stored to"},
        {"st.shared.u32 [s], %r0;\nred.shared.add.u32 [flag], 1;", "a race"},
        {"mov.u32 %r4, s;\ncp.async.ca.shared.global [s], [%d0], 4;", "a race: 4-byte shared store at 0x100"},
        {"@%p0 st.relaxed.cta.shared.u32 [flag], 1;\nld.shared.u32 %r4, [flag];",
         "a race: 4-byte shared load at 0x108, which thread (0,0,0) stored to on ptx line 10"},
        {"@%p0 st.shared.u32 [s], 1;\nld.acquire.cta.shared.u32 %r4, [flag];\nld.shared.u32 %r4, [s];", "stored to on ptx line 10"},
        {"@%p0 st.shared.u32 [s], 1;\n@%p0 st.release.cta.shared.u32 [flag], 1;\nld.shared.u32 %r4, [s];",
         "stored to on ptx line 10"},
        {"ld.relaxed.cta.shared.u32 %r4, [flag];\n@%p0 st.shared.u32 [flag], 1;\nld.relaxed.cta.shared.u32 %r4, [flag];", "a race"},
    };
    for (const Case &each : cases) {
        const Ran ran = watched(each.body);
        INFO(each.body);
        INFO(ran.log);
        CHECK(ran.outcome == PTX_TRAPPED);
        CHECK(has(ran.log, each.log));
        CHECK(watched(each.body, {}).outcome == PTX_RAN);
    }
}

TEST_CASE("What barriers, warps, atomics and fences order is no race") {
    const std::string store = "st.shared.u32 [%r1], %r0;", load = "ld.shared.u32 %r4, [%r2];";
    const std::string spin = "SPIN: atom.shared.cas.b32 %r5, [flag], 0, 1; setp.ne.u32 %p1, %r5, 0; @%p1 bra SPIN;";
    const std::string count = "@%p0 st.shared.u32 [s], 0; bar.sync 0;",
                      add = "ld.shared.u32 %r6, [s]; add.u32 %r6, %r6, 1; st.shared.u32 [s], %r6;";
    const std::string bodies[] = {
        store + "bar.sync 0;" + load + "bar.sync 0;" + store,
        store + "barrier.sync 1;" + load,
        "st.shared.u32 [%r1], 1; bar.warp.sync -1; xor.b32 %r4, %r1, 4; ld.shared.u32 %r4, [%r4]; bar.warp.sync -1; st.shared.u32 "
        "[%r1], 2;",
        store + "mbarrier.arrive.shared.b64 %d2, [b]; W: mbarrier.test_wait.shared.b64 %p1, [b], %d2; @!%p1 bra W;" + load,
        "atom.shared.add.u32 %r4, [flag], 1; red.shared.max.u32 [flag], %r0; ld.volatile.shared.u32 %r4, [flag];",
        "ld.shared.u32 %r4, [flag]; ld.shared.u8 %r4, [flag+1];",
        count + spin + "membar.cta;" + add + "membar.cta; atom.shared.exch.b32 %r5, [flag], 0;",
        count + "SPIN: atom.acquire.cta.shared.cas.b32 %r5, [flag], 0, 1; setp.ne.u32 %p1, %r5, 0; @%p1 bra SPIN;" + add +
            "st.release.cta.shared.u32 [flag], 0;",
        "@!%p0 bra GET; st.shared.u32 [s], 5; st.release.cta.shared.u32 [flag], 1; bra END;"
        "GET: ld.acquire.cta.shared.u32 %r4, [flag]; setp.eq.u32 %p1, %r4, 0; @%p1 bra GET; ld.shared.u32 %r4, [s]; END:",
        // one thread of each warp for all: what the warp did before, and does after
        store +
            "bar.warp.sync -1; and.b32 %r5, %r0, 31; setp.ne.u32 %p1, %r5, 0; @%p1 bra WAIT;"
            "atom.add.acq_rel.cta.shared.u32 %r5, [flag], 1; POLL: ld.acquire.cta.shared.u32 %r5, [flag];"
            "setp.lt.u32 %p2, %r5, 2; @%p2 bra POLL; WAIT: bar.warp.sync -1;" +
            load,
        "cp.async.ca.shared.global [%r1], [%d0], 4; cp.async.wait_all; bar.sync 0;" + load,
    };
    for (const std::string &body : bodies) {
        const Ran ran = watched(body);
        INFO(body);
        INFO(ran.log);
        CHECK(ran.outcome == PTX_RAN);
    }
}

TEST_CASE("Shared memory is unwritten until a thread of the block writes it, by whatever instruction") {
    const char *const faults[] = {"ld.shared.u32 %r4, [s];",
                                  "atom.shared.add.u32 %r4, [s], 1;",
                                  "red.shared.or.b32 [s], 1;",
                                  "@%p0 st.shared.u8 [s], 1;\nbar.sync 0;\nld.shared.u32 %r4, [s];",
                                  "mov.u64 %d2, s; cvta.shared.u64 %d2, %d2; ld.u8 %r4, [%d2+3];",
                                  "ld.volatile.shared.v2.u32 {%r4, %r5}, [s];"};
    for (const char *body : faults) {
        const Ran ran = watched(body);
        INFO(body);
        INFO(ran.log);
        CHECK(ran.outcome == PTX_TRAPPED);
        CHECK(has(ran.log, "memory that was never written is read"));
        CHECK(watched(body, {}).outcome == PTX_RAN);
    }
    const char *const fine[] = {"@%p0 st.shared.v2.u16 [s], {%r0, %r0};", "@%p0 cp.async.ca.shared.global [s], [%d0], 4;",
                                "@%p0 st.volatile.shared.u32 [s], 1;"};
    for (const char *body : fine) {
        std::string text = body;
        if (has(text, "u16"))
            text = ".reg .b16 %h; @%p0 st.shared.v2.u16 [s], {%h, %h};";
        CHECK(watched(text + " bar.sync 0; atom.shared.add.u32 %r4, [s], 1; ld.volatile.shared.u32 %r4, [s];").outcome == PTX_RAN);
    }
}

TEST_CASE("Device memory is unwritten until the host or a kernel writes it") {
    const auto read_after = [](const std::string &write, const std::string &read) {
        const Module module = loaded(kernel_of(".reg .b32 %r<3>; .reg .b64 %d; ld.param.u64 %d, [out];\n" + write + read));
        std::vector<uint32_t> out(4);
        std::vector<unsigned char> written(2);
        written[0] = 0x0f; // the first four bytes
        Memory memory;
        memory.add(out, written.data());
        ptx_kernel *kernel = find(module, "k");
        return run(kernel, {}, Parameters(kernel) << out.data(), memory, WATCHED);
    };
    CHECK(read_after("", "ld.global.u32 %r1, [%d];").outcome == PTX_RAN);
    for (const char *read :
         {"ld.global.u32 %r1, [%d+4];", "atom.global.add.u32 %r1, [%d+4], 1;", "red.or.b32 [%d+4], 1;",
          "ld.acquire.gpu.v2.u32 {%r1, %r2}, [%d];", ".shared .b64 s; cp.async.ca.shared.global [s], [%d], 8;"}) {
        INFO(read);
        const Ran ran = read_after("", read);
        CHECK(ran.outcome == PTX_TRAPPED);
        CHECK(has(ran.log, "memory that was never written is read"));
        CHECK(read_after("st.global.u32 [%d+4], 1;", read).outcome == PTX_RAN);
        CHECK(read_after("st.release.gpu.u8 [%d+4], 1; st.global.u8 [%d+5], 1; st.global.u8 [%d+6], 1;", read).outcome ==
              PTX_TRAPPED);
    }
    CHECK(read_after("", ".shared .b64 s; cp.async.ca.shared.global [s], [%d], 8, 4;").outcome == PTX_RAN);
}
