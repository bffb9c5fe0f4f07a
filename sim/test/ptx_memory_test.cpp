// SPDX-License-Identifier: MIT OR Apache-2.0
// Loads, stores, addresses, copies, fences and cache hints: what they read and write, and the faults of those that may not.

#include "ptx_support.hpp"

namespace {

struct Type {
    const char *name;
    unsigned size;
    bool is_signed;
};
const Type TYPES[] = {{"b8", 1, false},  {"u8", 1, false},  {"s8", 1, true},   {"b16", 2, false}, {"u16", 2, false},
                      {"s16", 2, true},  {"b32", 4, false}, {"u32", 4, false}, {"s32", 4, true},  {"b64", 8, false},
                      {"u64", 8, false}, {"s64", 8, true},  {"f32", 4, false}, {"f64", 8, false}};

uint64_t low_bytes(uint64_t value, unsigned size) {
    return size == 8 ? value : value & ((uint64_t{1} << size * 8) - 1);
}

uint64_t extended(uint64_t value, const Type &type) {
    const uint64_t low = low_bytes(value, type.size);
    const bool negative = type.is_signed && (value >> (type.size * 8 - 1) & 1);
    return negative ? low | ~low_bytes(ALL, type.size) : low;
}

/// Registers that may hold a value of the type: those of its width and of greater ones.
struct Register {
    const char *name;
    unsigned size;
    uint64_t Registers::*member;
};
std::vector<Register> registers_for(const Type &type) {
    if (type.name[0] == 'f')
        return {type.size == 4 ? Register{"%f", 4, &Registers::f} : Register{"%g", 8, &Registers::g}};
    std::vector<Register> fit;
    for (const Register &each : {Register{"%h", 2, &Registers::h}, {"%r", 4, &Registers::r}, {"%d", 8, &Registers::d}})
        if (each.size >= type.size)
            fit.push_back(each);
    return fit;
}

const std::vector<Given> PATTERNS = {{0x0123456789abcdef, 0, 0},
                                     {0xfedcba9876543210, 0, 0x1122334455667788},
                                     {0x80, 0, ALL},
                                     {0x7f7f7f7f7f7f7f7f, 0, 0},
                                     {0x80008000, 0, 0x8000000000000000}};

} // namespace

TEST_CASE("Loads of every type extend into registers of every width, in every form") {
    const char *const forms[] = {"ld",
                                 "ld.weak",
                                 "ld.global",
                                 "ld.weak.global.ca",
                                 "ld.global.cg",
                                 "ld.global.cs",
                                 "ld.lu",
                                 "ld.global.cv",
                                 "ld.volatile",
                                 "ld.volatile.global",
                                 "ld.relaxed.cta",
                                 "ld.relaxed.gpu.global.L1::no_allocate",
                                 "ld.acquire.sys.global",
                                 "ld.acquire.cluster",
                                 "ld.global.acquire.gpu",
                                 "ld.mmio.relaxed.sys.global",
                                 "ld.global.nc",
                                 "ld.global.nc.L1::evict_last.L2::128B",
                                 "ld.global.ca.nc.L2::256B",
                                 "ld.global.L1::no_allocate.L2::64B",
                                 "ldu.global",
                                 "ldu"};
    for (const char *form : forms)
        for (const Type &type : TYPES)
            for (const Register &into : registers_for(type)) {
                const std::string load = std::string(form) + "." + type.name + " " + into.name + ", [%out];";
                INFO(load);
                const std::vector<Registers> made = evaluate_all(load, PATTERNS);
                for (size_t i = 0; i < made.size(); i++)
                    REQUIRE(made[i].*into.member == low_bytes(extended(PATTERNS[i].a, type), into.size));
            }
}

TEST_CASE("Stores of every type write their own bytes and no more, in every form") {
    const char *const forms[] = {"st",
                                 "st.weak.global",
                                 "st.global.wb",
                                 "st.cg",
                                 "st.global.cs",
                                 "st.wt",
                                 "st.volatile.global",
                                 "st.relaxed.gpu",
                                 "st.release.sys.global",
                                 "st.global.release.cta",
                                 "st.mmio.relaxed.sys.global",
                                 "st.global.L1::evict_first"};
    for (const char *form : forms)
        for (const Type &type : TYPES)
            for (const Register &from : registers_for(type)) {
                const std::string store = std::string(form) + "." + type.name + " [%out+16], " + from.name + "1;";
                INFO(store);
                const std::vector<Registers> made = evaluate_all(store + " ld.global.b64 %d, [%out+16];", PATTERNS);
                for (size_t i = 0; i < made.size(); i++)
                    REQUIRE(made[i].d == (low_bytes(PATTERNS[i].a, type.size) | (PATTERNS[i].c & ~low_bytes(ALL, type.size))));
            }
    CHECK(evaluate("st.global.u16 [%out+16], -2; ld.global.b64 %d, [%out+16];", 0).d == 0xfffe);
    CHECK(evaluate("st.global.f32 [%out+16], 0f3F800000; ld.global.b64 %d, [%out+16];", 0).d == 0x3f800000);
}

TEST_CASE("Vectors: each element its own register, and none for '_'") {
    const char *const orders[] = {"", ".volatile", ".relaxed.gpu"};
    for (const std::string order : orders) {
        INFO(order);
        CHECK(evaluate("ld" + order + ".global.v2.b32 {%r, _}, [%out];", 0x0123456789abcdef).r == 0x89abcdef);
        CHECK(evaluate("ld" + order + ".global.v4.s16 {_, %r, _, _}, [%out];", 0x0123456789abcdef).r == 0xffff89ab);
        CHECK(evaluate("ld" + order + ".global.v4.u8 {_, _, _, %h}, [%out];", 0x0123456789abcdef).h == 0x89);
        CHECK(evaluate("st" + order + ".global.v2.b64 [%out], {%d2, %d1}; ld.global.v2.b64 {%d, _}, [%out+0];", 1, 2).d == 2);
    }
    const Module module = loaded(HEAD + R"(.entry k(.param .u64 out) {
        .reg .b32 %r<9>; .reg .b64 %d<3>; .reg .b128 %q<3>;
        ld.param.u64 %d0, [out];
        ld.global.L1::no_allocate.L2::evict_first.v8.b32 {%r1, %r2, %r3, %r4, %r5, %r6, %r7, %r8}, [%d0];
        st.global.L2::evict_last.v8.b32 [%d0+32], {%r8, %r7, %r6, %r5, %r4, %r3, %r2, %r1};
        ld.relaxed.sys.global.v8.u32 {%r1, _, %r3, %r4, %r5, %r6, %r7, %r8}, [%d0+32];
        st.release.gpu.global.v8.u32 [%d0+64], {%r1, %r2, %r3, %r4, %r5, %r6, %r7, %r8};
        ld.global.b128 %q0, [%d0+16]; mov.b128 %q1, %q0; mov.b128 _, %q0;
        ld.relaxed.gpu.global.b128 %q2, [%d0];
        st.global.b128 [%d0+96], %q1; st.global.b128 [%d0+112], %q2;
        ld.global.b128 _, [%d0];
        mov.b128 %q1, {%d0, %d0}; mov.b128 _, {%d0, %d0};
        mov.b128 {%d1, %d2}, %q2; st.volatile.global.b64 [%d0+128], %d2;
        ret; })");
    struct alignas(64) Words {
        uint32_t word[40];
    };
    std::vector<Words> out(1);
    for (uint32_t i = 0; i < 8; i++)
        out[0].word[i] = i + 1;
    Memory memory;
    memory.add(out);
    ptx_kernel *kernel = find(module, "k");
    runs(kernel, {}, Parameters(kernel) << out.data(), memory);
    const uint32_t expected[] = {1, 2, 3, 4, 5, 6, 7, 8, 8, 7, 6, 5, 4, 3, 2, 1, 8,
                                 2, 6, 5, 4, 3, 2, 1, 5, 6, 7, 8, 1, 2, 3, 4, 3, 4};
    for (size_t i = 0; i < std::size(expected); i++)
        CHECK(out[0].word[i] == expected[i]);
}

TEST_CASE("Parameters of functions and kernels are reached in vectors, and through their addresses") {
    const Module module = loaded(HEAD + R"(
        .func (.param .align 16 .b8 r[16]) swap(.param .align 16 .b8 p[16]) { .reg .b32 %r<5>; .reg .b64 %d<2>;
            ld.param.v4.b32 {%r1, %r2, %r3, %r4}, [p];
            st.param.v2.b32 [r+8], {%r1, %r2}; st.param.v2.b32 [r], {%r3, %r4}; ret; }
        .entry k(.param .u64 out, .param .align 16 .b8 s[16]) { .reg .b32 %r<5>; .reg .b64 %d<4>; .reg .pred %p<3>;
            ld.param.v2.u64 {%d1, %d2}, [s];
            { .param .align 16 .b8 a[16]; .param .align 16 .b8 b[16];
              st.param.v2.b64 [a], {%d1, %d2}; call.uni (b), swap, (a); ld.param.v4.u32 {%r1, %r2, %r3, %r4}, [b]; }
            ld.param.u64 %d0, [out]; st.global.v4.u32 [%d0], {%r1, %r2, %r3, %r4};
            mov.b64 %d1, s; cvta.param.u64 %d1, %d1; ld.v2.u32 {%r1, %r2}, [%d1+8]; st.global.v2.u32 [%d0+16], {%r1, %r2};
            isspacep.param %p1, %d1; isspacep.param::entry %p2, %d0; selp.u32 %r1, 1, 0, %p1; selp.u32 %r2, 1, 0, %p2;
            st.global.v2.u32 [%d0+24], {%r1, %r2}; ret; })");
    struct alignas(16) Words {
        uint32_t word[8];
    };
    std::vector<Words> out(1);
    Memory memory;
    memory.add(out);
    ptx_kernel *kernel = find(module, "k");
    runs(kernel, {}, Parameters(kernel) << out.data() << std::array<uint32_t, 4>{1, 2, 3, 4}, memory);
    const uint32_t expected[] = {3, 4, 1, 2, 3, 4, 1, 0};
    for (size_t i = 0; i < std::size(expected); i++)
        CHECK(out[0].word[i] == expected[i]);
}

TEST_CASE("Pieces are registers or literals, and one register's are read before it is written") {
    CHECK(evaluate("mov.b32 %r, {0, %h1};", 0x1234).r == 0x12340000);
    CHECK(evaluate("mov.b32 %r, {%h1, -1};", 0x1234).r == 0xffff1234);
    CHECK(evaluate("mov.b64 %d, {%r1, 7};", 0xfffffffe).d == 0x7fffffffe);
    CHECK(evaluate("mov.b64 %d, {%h1, %h2, 3, %h1};", 1, 2).d == 0x0001000300020001);
    CHECK(evaluate("mov.b64 {%r, _}, %d1;", 0x1122334455667788).r == 0x55667788);
    CHECK(evaluate("mov.b32 {_, %h}, %r1;", 0x11223344).h == 0x1122);
    CHECK(evaluate("mov.b64 %d, %d1; mov.b64 {%r, %r2}, %d; mov.b64 %d, {%r2, %r};", 0x1122334455667788).d == 0x5566778811223344);
    CHECK(evaluate("{.reg.b16 x; .reg.b32 y; mov.b16 x, %h1; mov.b32 %r, {x, x}; }", 5).r == 0x50005);
}

// ---- addresses ----

TEST_CASE("A generic address is in one space, and parameters are in the global one too") {
    struct Case {
        const char *address;
        const char *spaces;
    };
    const Case cases[] = {{"mov.u64 %a, %out;", "global"},
                          {"mov.u64 %a, g;", "global"},
                          {"mov.u64 %a, 0;", "global"},
                          {"mov.u64 %a, c; cvta.const.u64 %a, %a;", "const"},
                          {".shared .b32 s; mov.u64 %a, s; cvta.shared.u64 %a, %a;", "shared shared::cta shared::cluster"},
                          {".local .b32 l; mov.u64 %a, l; cvta.local.u64 %a, %a;", "local"},
                          {"mov.u64 %a, out; cvta.param.u64 %a, %a;", "param param::entry global"}};
    for (const Case &each : cases)
        for (const std::string space :
             {"const", "global", "local", "shared", "shared::cta", "shared::cluster", "param", "param::entry"}) {
            const Module module = loaded(HEAD + ".const .b32 c; .global .b32 g; .entry k(.param .u64 out) { .reg .b64 %out, %a; " +
                                         ".reg .pred %p; .reg .b32 %r; ld.param.u64 %out, [out]; " + each.address + " isspacep." +
                                         space + " %p, %a; selp.b32 %r, 1, 0, %p; st.global.b32 [%out], %r; ret; }");
            std::vector<uint32_t> out{7};
            Memory memory;
            memory.add(out);
            ptx_kernel *kernel = find(module, "k");
            runs(kernel, {}, Parameters(kernel) << out.data(), memory);
            INFO(each.address << " " << space);
            CHECK(out[0] == has(std::string(" ") + each.spaces + " ", " " + space + " "));
        }
}

TEST_CASE("Addresses convert to a space and back, and a cluster is its one block") {
    CHECK(evaluate(".shared .b32 s[4]; mov.u64 %d, s; cvta.shared.u64 %d, %d; cvta.to.shared.u64 %d, %d;", 0).d == 0);
    CHECK(evaluate(".local .b32 l[4]; mov.u64 %d, l+8; cvta.local.u64 %d, %d; st.u32 [%d], %r1; ld.local.u32 %r, [l+8];", 9).r ==
          9);
    CHECK(evaluate("cvta.global.u64 %d, %d1; cvta.to.global.u64 %d, %d;", 0x1234567890).d == 0x1234567890);
    CHECK(evaluate("mapa.shared::cluster.u32 %r, %r1, 0;", 77).r == 77);
    CHECK(evaluate("mapa.u64 %d, %d1, %r2;", 77, 0).d == 77);
    CHECK(evaluate("mov.b32 %r, 5; getctarank.shared::cluster.u32 %r, %r1; getctarank.u64 %r3, %d1; add.u32 %r, %r, %r3;", 77).r ==
          0);
    CHECK(evaluate(".shared .b32 s; mov.u32 %r, s; st.shared::cluster.u32 [%r], 6; ld.shared::cta.u32 %r, [%r];", 0).r == 6);
}

// ---- fences and hints ----

TEST_CASE("Fences and hints are taken in every form and change nothing") {
    const char *const forms[] = {"membar.cta;",
                                 "membar.gl;",
                                 "membar.sys;",
                                 "membar.proxy.alias;",
                                 "fence.cta;",
                                 "fence.acq_rel.gpu;",
                                 "fence.sc.sys;",
                                 "fence.acquire.cluster;",
                                 "fence.release.cta;",
                                 "fence.gpu.sc;",
                                 "fence.mbarrier_init.release.cluster;",
                                 "fence.proxy.alias;",
                                 "fence.proxy.async;",
                                 "fence.proxy.async.global;",
                                 "fence.proxy.async.shared::cta;",
                                 "fence.acquire.sync_restrict::shared::cluster.cluster;",
                                 "fence.proxy.async::generic.release.sync_restrict::shared::cta.cluster;",
                                 "fence.proxy.tensormap::generic.release.gpu;",
                                 "fence.proxy.tensormap::generic.acquire.sys [%d1], 128;",
                                 "prefetch.global.L1 [%d1];",
                                 "prefetch.local.L2 [%d1];",
                                 "prefetch.L1 [%d1+8];",
                                 "prefetch.global.L2::evict_last [%d1];",
                                 "prefetchu.L1 [%d1];",
                                 "applypriority.global.L2::evict_normal [%d1], 128;",
                                 "discard.global.L2 [%d1], 128;",
                                 "createpolicy.fractional.L2::evict_last.b64 %d3;",
                                 "createpolicy.fractional.L2::evict_last.b64 %d3, 0f3F000000;",
                                 "createpolicy.fractional.L2::evict_normal.L2::evict_first.b64 %d3, 0.5;",
                                 "createpolicy.range.global.L2::evict_last.L2::evict_unchanged.b64 %d3, [%d1], 512, %r1;",
                                 "createpolicy.cvt.L2.b64 %d3, %d1;",
                                 "ld.global.L2::cache_hint.u32 %r, [%out], %d1;",
                                 "st.global.L2::cache_hint.u32 [%out], %r1, %d1;"};
    for (const char *form : forms) {
        const Registers made = evaluate(std::string(form) + " mov.b64 %d, %d1; mov.b32 %r, %r2;", 16, 5);
        CHECK(made.d == 16);
        CHECK(made.r == 5);
    }
}

TEST_CASE("Decimal literals are doubles, or the singles nearest to them") {
    CHECK(evaluate("mov.f32 %f, 1.5e+3;", 0).f == bits(1500.0f));
    CHECK(evaluate("mov.f64 %g, 0.1;", 0).g == bits(0.1));
    CHECK(evaluate("mov.f64 %g, -2.;", 0).g == bits(-2.0));
    CHECK(evaluate("add.f32 %f, %f1, -0.5;", bits(1.0f)).f == bits(0.5f));
}

// ---- asynchronous copies ----

TEST_CASE("Asynchronous copies fill with zeros what they do not read") {
    const std::string shared = ".shared .align 16 .b64 s[2]; st.shared.b64 [s], -1; st.shared.b64 [s+8], -1;";
    const std::string back = "cp.async.commit_group; cp.async.wait_group 0; cp.async.wait_all; ld.shared.b64 %d, [s];";
    const auto low = [&](const std::string &copy) { return evaluate(shared + copy + back, 0x0123456789abcdef, 3, 4).d; };
    const uint64_t rest = 0xffffffff00000000;
    CHECK(low("cp.async.ca.shared.global [s], [%out], 4;") == (0x89abcdef | rest));
    CHECK(low("cp.async.ca.shared::cta.global.L2::128B [s], [%out], 8;") == 0x0123456789abcdef);
    CHECK(low("cp.async.ca.shared.global.L2::cache_hint [s], [%out], 4, %d1;") == (0x89abcdef | rest));
    CHECK(low("mov.b32 %r, s; cp.async.ca.shared.global [%r], [%out], 8, 3;") == 0xabcdef);
    CHECK(low("cp.async.ca.shared.global [s], [%out], 8, %r2;") == 0xabcdef);
    CHECK(low("cp.async.ca.shared.global [s], [0], 4, 0;") == rest);
    CHECK(low("setp.eq.u32 %p, %r2, 3; cp.async.ca.shared.global [s], [0], 8, %p;") == 0);
    CHECK(low("setp.eq.u32 %p, %r2, 3; cp.async.ca.shared.global [s], [%out], 8, !%p;") == 0x0123456789abcdef);
    const Module module = loaded(kernel_of(".reg .b64 %d<3>; ld.param.u64 %d0, [out]; .shared .align 16 .b64 s[2];\n"
                                           "cp.async.cg.shared.global [s], [%d0], 16, 12; ld.shared.v2.b64 {%d1, %d2}, [s];\n"
                                           "st.global.v2.b64 [%d0], {%d1, %d2};"));
    struct alignas(16) Pair {
        uint64_t word[2];
    };
    std::vector<Pair> out{{{ALL, ALL}}};
    Memory memory;
    memory.add(out);
    ptx_kernel *kernel = find(module, "k");
    runs(kernel, {}, Parameters(kernel) << out.data(), memory);
    CHECK(out[0].word[0] == ALL);
    CHECK(out[0].word[1] == 0xffffffff);
}

// ---- faults ----

namespace {

struct alignas(16) Cell {
    uint64_t word[2];
};

/// The outcome of one thread whose %d0 is the first of two live cells.
Ran fault_of(const std::string &body, std::vector<Cell> &live) {
    const Module module = loaded(HEAD +
                                 ".const .align 8 .b64 c; .global .align 8 .b64 g;\n.entry k(.param .u64 out)\n{\n"
                                 ".reg .b64 %d<4>; .reg .b32 %r<9>; .reg .pred %p<2>; .reg .b128 %q<2>; "
                                 "ld.param.u64 %d0, [out];\n" +
                                 body + "\nret;\n}\n");
    Memory memory;
    memory.add(live);
    ptx_kernel *kernel = find(module, "k");
    return run(kernel, {}, Parameters(kernel) << live.data(), memory);
}

std::string hex(uint64_t value) {
    char text[32];
    snprintf(text, sizeof text, "0x%llx", static_cast<unsigned long long>(value));
    return text;
}

} // namespace

TEST_CASE("An access is within live memory to the byte, and where its size wants it") {
    struct Case {
        const char *body;
        ptx_outcome outcome;
        const char *what;
        int offset;
    };
    const ptx_outcome outside = PTX_ILLEGAL_ADDRESS, misaligned = PTX_MISALIGNED_ADDRESS;
    const Case cases[] = {
        {"ld.global.u8 %r1, [%d0-1];", outside, "1-byte load", -1},
        {"ld.global.u8 %r1, [%d0+32];", outside, "1-byte load", 32},
        {"st.u8 [%d0-1], %r1;", outside, "1-byte store", -1},
        {"st.u8 [%d0+32], %r1;", outside, "1-byte store", 32},
        {"ld.global.v4.u32 {%r1, %r2, %r3, %r4}, [%d0+32];", outside, "16-byte load", 32},
        {"st.relaxed.gpu.v2.u64 [%d0-16], {%d1, %d1};", outside, "16-byte store", -16},
        {"ld.acquire.gpu.u16 %r1, [%d0+1];", misaligned, "2-byte load", 1},
        {"ld.global.v2.u32 {%r1, %r2}, [%d0+4];", misaligned, "8-byte load", 4},
        {"st.global.v4.u16 [%d0+12], {%r1, %r1, %r1, %r1};", misaligned, "8-byte store", 12},
        {"ld.global.v8.u32 {%r1, %r2, %r3, %r4, %r5, %r6, %r7, %r8}, [%d0+4];", misaligned, "32-byte load", 4},
        {"ld.global.b128 %q1, [%d0+8];", misaligned, "16-byte load", 8},
        {"atom.global.add.u32 %r1, [%d0+32], 1;", outside, "4-byte atomic operation", 32},
        {"red.global.add.u64 [%d0-8], 1;", outside, "8-byte atomic operation", -8},
        {"atom.add.u32 %r1, [%d0+2], 1;", misaligned, "4-byte atomic operation", 2},
        {".reg .b16 %h; atom.cas.b16 %h, [%d0+33], %h, %h;", misaligned, "2-byte atomic operation", 33},
        {".reg .f32 %f; atom.global.add.v2.f32 {%f, %f}, [%d0+4], {%f, %f};", misaligned, "8-byte atomic operation", 4},
        {"atom.global.exch.b128 %q1, [%d0+8], %q1;", misaligned, "16-byte atomic operation", 8},
        {".shared .b64 s; cp.async.ca.shared.global [s], [%d0+32], 8;", outside, "8-byte load", 32},
        {".shared .b64 s; cp.async.ca.shared.global [s], [%d0+4], 8;", misaligned, "8-byte asynchronous copy from", 4},
    };
    for (const Case &each : cases) {
        std::vector<Cell> live(2);
        const Ran ran = fault_of(each.body, live);
        INFO(each.body);
        CHECK(ran.outcome == each.outcome);
        const std::string where = hex(reinterpret_cast<uintptr_t>(live.data()) + static_cast<uint64_t>(each.offset));
        const std::string joint = has(each.what, "copy from") ? " " : " at ";
        CHECK(ran.log == std::string("kernel k, block (0,0,0), thread (0,0,0), ptx line 8: ") + each.what + joint + where);
    }
}

TEST_CASE("An access is in the space that it names") {
    struct Case {
        const char *body;
        const char *log;
    };
    const Case cases[] = {
        {"ld.global.u32 %r1, [0];", "4-byte load at 0x0"},
        {"ld.u32 %r1, [4];", "4-byte load at 0x4"},
        {"atom.global.add.u32 %r1, [0], 1;", "4-byte atomic operation at 0x0"},
        {"mov.u64 %d1, c; st.global.u64 [%d1], %d0;", "8-byte store at 0x"},
        {"mov.u64 %d1, c; atom.add.u32 %r1, [%d1], 1;", "4-byte atomic operation at 0x"},
        {"mov.u64 %d1, g; ld.global.u64 %d1, [%d1+8];", "8-byte load at 0x"},
        {".shared .b32 s; ld.shared.u32 %r1, [s+4];", "4-byte shared load at 0x4"},
        {".shared .b32 s; ld.shared.u8 %r1, [s-1];", "1-byte shared load at 0xffffffffffffffff"},
        {".shared .b32 s; atom.shared.inc.u32 %r1, [s+4], 1;", "4-byte shared atomic operation at 0x4"},
        {".shared .b32 s; mov.u64 %d1, s; cvta.shared.u64 %d1, %d1; st.u64 [%d1], %d0;", "8-byte shared store at 0x0"},
        {".shared .b32 s; mov.u64 %d1, s; cvta.shared.u64 %d1, %d1; ld.global.u32 %r1, [%d1];",
         "4-byte load at 0x1000000000000000"},
        {".shared .b32 s; ld.shared.u32 %r1, [%d0];", "4-byte shared load at 0x"},
        {".local .b32 l; ld.local.u32 %r1, [l+4];", "4-byte local load at 0x4"},
        {".local .b32 l; mov.u64 %d1, l; cvta.local.u64 %d1, %d1; st.u32 [%d1-4], 1;", "4-byte shared store at 0xffffffffffffffc"},
        {".local .b32 l; mov.u64 %d1, l; cvta.local.u64 %d1, %d1; st.u32 [%d1+4], 1;", "4-byte local store at 0x4"},
        {"ld.local.u32 %r1, [%d0];", "4-byte local load at 0x"},
        {"ld.param.u64 %d1, [out+8];", "8-byte param load at 0x3000000000000008"},
        {"mov.u64 %d1, out; st.u32 [%d1], 1;", "4-byte store at 0x3000000000000000"},
        {"mov.u64 %d1, out; atom.exch.b32 %r1, [%d1], 1;", "4-byte atomic operation at 0x3000000000000000"},
        {"mov.u64 %d1, -8; ld.u64 %d1, [%d1];", "8-byte load at 0xfffffffffffffff8"},
        {".shared .b32 s; cp.async.ca.shared.global [s], [%d0], 8;", "8-byte shared store at 0x0"},
        {"mbarrier.init.b64 [%d0], 1;", "is not in shared memory, where barriers are"},
        {"mapa.u64 %d1, %d0, 1;", "the cluster has one block, none of rank 1"},
    };
    for (const Case &each : cases) {
        std::vector<Cell> live(2);
        const Ran ran = fault_of(each.body, live);
        INFO(each.body);
        INFO(ran.log);
        CHECK(ran.outcome == PTX_ILLEGAL_ADDRESS);
        CHECK(has(ran.log, std::string("kernel k, block (0,0,0), thread (0,0,0), ptx line 8: ")));
        CHECK(has(ran.log, each.log));
    }
}

TEST_CASE("A copy's size is one of three") {
    std::vector<Cell> live(2);
    const Ran ran = fault_of(".shared .b64 s; cp.async.ca.shared.global [s], [%d0], 12;", live);
    CHECK(ran.outcome == PTX_ILLEGAL_INSTRUCTION);
    CHECK(has(ran.log, "an asynchronous copy of 12 bytes, not 4, 8 or 16"));
}

// ---- what is not there ----

TEST_CASE("Forms that PTX has not are refused, and those that are not simulated named") {
    struct Case {
        const char *text;
        ptx_result result;
    };
    const Case cases[] = {{"atom.global.and.f32 %f, [%d], %f;", PTX_NOT_SUPPORTED},
                          {"atom.global.add.u32 %r, [%d];", PTX_INVALID},
                          {"red.global.exch.b32 [%d], %r;", PTX_NOT_SUPPORTED},
                          {"ld.global.f16 %h, [%d];", PTX_NOT_SUPPORTED},
                          {"ld.global.u32 %h, [%d];", PTX_INVALID},
                          {"ld.global.v3.u32 {%r, %r, %r}, [%d];", PTX_NOT_SUPPORTED},
                          {"ld.global.v2.u32 {%r, %r, %r}, [%d];", PTX_INVALID},
                          {"ld.global.L2::cache_hint.u32 %r, [%d];", PTX_INVALID},
                          {"st.global.u32 [%d], _;", PTX_INVALID},
                          {"cp.async.ca.shared.global [%r], [%d];", PTX_INVALID},
                          {"cp.async.bulk.commit_group;", PTX_NOT_SUPPORTED},
                          {"mbarrier.try_wait.b64 %p, [%r], %r;", PTX_INVALID},
                          {"mov.b128 {%d, %d}, 5;", PTX_INVALID},
                          {"mov.b128 {%r, %r, %r, %r}, %q;", PTX_INVALID},
                          {"st.global.b128 [%d], 5;", PTX_INVALID},
                          {"atom.global.exch.b128 %q, [%d], %d;", PTX_INVALID},
                          {"fence;", PTX_NOT_SUPPORTED},
                          {"red.async.relaxed.cluster.global.add.u32 [%d], %r;", PTX_NOT_SUPPORTED}};
    for (const Case &each : cases) {
        INFO(each.text);
        CHECK(
            load(kernel_of(std::string(".reg .b16 %h; .reg .b32 %r; .reg .b64 %d; .reg .f32 %f; .reg .pred %p; .reg .b128 %q;\n") +
                           each.text))
                .result == each.result);
    }
}
