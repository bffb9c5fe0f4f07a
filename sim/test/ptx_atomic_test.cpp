// SPDX-License-Identifier: MIT OR Apache-2.0
// atom and red: each operation alone against a computation of its own, and many threads at once on one place.

#include "ptx_support.hpp"

#include <functional>

namespace {

uint64_t cut(uint64_t value, unsigned size) {
    return size == 8 ? value : value & ((uint64_t{1} << size * 8) - 1);
}

/// What memory holds after `old`, by `b`, and `c` if the operation has that.
using Next = std::function<uint64_t(uint64_t old, uint64_t b, uint64_t c)>;

struct Operation {
    const char *name;
    const char *type;
    unsigned size;
    Next next;
    bool has_red = true;
};

template <class T> Next on(T (*function)(T, T)) {
    return [function](uint64_t old, uint64_t b, uint64_t) {
        return static_cast<uint64_t>(function(static_cast<T>(old), static_cast<T>(b)));
    };
}

template <class T> T lesser(T a, T b) {
    return std::min(a, b);
}
template <class T> T greater(T a, T b) {
    return std::max(a, b);
}
template <class T> T sum(T a, T b) {
    return static_cast<T>(static_cast<uint64_t>(a) + static_cast<uint64_t>(b));
}

uint64_t exchanged(uint64_t, uint64_t b, uint64_t) {
    return b;
}

Next swapped(unsigned size) {
    return [size](uint64_t old, uint64_t b, uint64_t c) { return cut(old, size) == cut(b, size) ? c : old; };
}

const Operation OPERATIONS[] = {
    {"add", "u32", 4, on<uint32_t>(sum)},
    {"add", "s32", 4, on<int32_t>(sum)},
    {"add", "u64", 8, on<uint64_t>(sum)},
    {"min", "u32", 4, on<uint32_t>(lesser)},
    {"min", "s32", 4, on<int32_t>(lesser)},
    {"min", "u64", 8, on<uint64_t>(lesser)},
    {"min", "s64", 8, on<int64_t>(lesser)},
    {"max", "u32", 4, on<uint32_t>(greater)},
    {"max", "s32", 4, on<int32_t>(greater)},
    {"max", "u64", 8, on<uint64_t>(greater)},
    {"max", "s64", 8, on<int64_t>(greater)},
    {"inc", "u32", 4, on<uint32_t>([](uint32_t old, uint32_t b) { return old >= b ? 0 : old + 1; })},
    {"dec", "u32", 4, on<uint32_t>([](uint32_t old, uint32_t b) { return old == 0 || old > b ? b : old - 1; })},
    {"and", "b32", 4, on<uint64_t>([](uint64_t old, uint64_t b) { return old & b; })},
    {"and", "b64", 8, on<uint64_t>([](uint64_t old, uint64_t b) { return old & b; })},
    {"or", "b32", 4, on<uint64_t>([](uint64_t old, uint64_t b) { return old | b; })},
    {"or", "b64", 8, on<uint64_t>([](uint64_t old, uint64_t b) { return old | b; })},
    {"xor", "b32", 4, on<uint64_t>([](uint64_t old, uint64_t b) { return old ^ b; })},
    {"xor", "b64", 8, on<uint64_t>([](uint64_t old, uint64_t b) { return old ^ b; })},
    {"exch", "b32", 4, exchanged, false},
    {"exch", "b64", 8, exchanged, false},
    {"cas", "b16", 2, swapped(2), false},
    {"cas", "b32", 4, swapped(4), false},
    {"cas", "b64", 8, swapped(8), false},
};

std::vector<Given> combinations() {
    const uint64_t values[] = {0,
                               1,
                               7,
                               8,
                               0x7fff,
                               0x8000,
                               0x7fffffff,
                               0x80000000,
                               0xffffffff,
                               0x7fffffffffffffff,
                               0x8000000000000000,
                               ALL,
                               0x0123456789abcdef};
    std::vector<Given> made;
    for (const uint64_t a : values)
        for (const uint64_t b : values)
            made.push_back({a, b, ~a * 3});
    return made;
}

/// Where an operation may be done, with the instructions that put the old value there and take the new one.
struct Place {
    const char *before, *address, *after;
};
const Place PLACES[] = {
    {"", "[%out]", "ld.global.b64 %d, [%out];"},
    {".shared .b64 s[2]; st.shared.b64 [s+8], %d1;", "[s+8]", "ld.shared.b64 %d, [s+8];"},
    {".shared .b64 s; st.shared.b64 [s], %d1; mov.u64 %d3, s; cvta.shared.u64 %d3, %d3;", "[%d3]", "ld.shared.b64 %d, [s];"}};
const char *const SPACES[] = {".global", ".shared", ""};

} // namespace

TEST_CASE("Each atomic operation gives what was there and leaves what it says, in every space") {
    const std::vector<Given> rows = combinations();
    for (const Operation &each : OPERATIONS)
        for (size_t place = 0; place < 3; place++)
            for (const bool gives : {true, false}) {
                if (!gives && !each.has_red)
                    continue;
                const std::string kind = each.size == 2 ? "h" : each.size == 4 ? "r" : "d";
                const bool swaps = std::string(each.name) == "cas";
                const std::string third = swaps ? ", %" + kind + "3" : "";
                if (swaps && place == 2 && each.size == 8)
                    continue; // %d3 is the address there
                const std::string text = std::string(PLACES[place].before) + (gives ? " atom" : " red") + SPACES[place] + "." +
                                         each.name + "." + each.type + (gives ? " %" + kind + "," : "") + " " +
                                         PLACES[place].address + ", %" + kind + "2" + third + "; mov.b64 %g, %d; " +
                                         PLACES[place].after;
                // a value of 64 bits goes on to %g, as %d is for what memory then holds
                INFO(text);
                const std::vector<Registers> made = evaluate_all(text, rows);
                for (size_t i = 0; i < rows.size(); i++) {
                    const uint64_t next = each.next(rows[i].a, rows[i].b, rows[i].c);
                    const uint64_t kept = rows[i].a & ~cut(ALL, each.size);
                    REQUIRE(made[i].d == (cut(next, each.size) | kept));
                    const uint64_t old = kind == "h" ? made[i].h : kind == "r" ? made[i].r : made[i].g;
                    REQUIRE((!gives || old == cut(rows[i].a, each.size)));
                }
            }
}

TEST_CASE("Orders, scopes and spaces come in any order, with hints or none") {
    const char *const forms[] = {"atom.add.release.gpu.u32", "atom.relaxed.gpu.global.add.u32",
                                 "atom.acquire.cta.add.u32", "atom.acq_rel.sys.global.add.u32",
                                 "atom.global.cta.add.u32",  "atom.global.cluster.relaxed.add.u32",
                                 "atom.add.acq_rel.cta.u32", "atom.global.add.L2::cache_hint.u32"};
    for (const std::string form : forms) {
        INFO(form);
        const std::string policy = has(form, "hint") ? ", %d3" : "";
        const Registers made = evaluate(form + " %r, [%out], %r2" + policy + "; ld.global.b64 %d, [%out];", 40, 2);
        CHECK(made.r == 40);
        CHECK(made.d == 42);
        const std::string red = has(form, "acq") ? "red.global.release.gpu.add.u32" : "red" + form.substr(4);
        CHECK(evaluate(red + " [%out], %r2" + policy + "; ld.global.b64 %d, [%out];", 40, 2).d == 42);
        CHECK(evaluate(form + " _, [%out], 5" + policy + "; ld.global.b64 %d, [%out];", 40).d == 45);
    }
}

TEST_CASE("Sums of floats round once, and flush subnormals in global memory only") {
    const auto global = [](float a, float b) {
        return evaluate("atom.global.add.f32 %f, [%out], %f2; ld.global.b32 %r, [%out];", bits(a), bits(b)).r;
    };
    const auto shared = [](float a, float b) {
        return evaluate(".shared .f32 s; st.shared.f32 [s], %f1; atom.shared.add.f32 %f, [s], %f2; ld.shared.b32 %r, [s];", bits(a),
                        bits(b))
            .r;
    };
    for (const auto &add : {std::function<uint64_t(float, float)>(global), std::function<uint64_t(float, float)>(shared)}) {
        CHECK(add(1.5f, 2.25f) == bits(3.75f));
        CHECK(add(1.0f, 0x1p-24f) == bits(1.0f));
        CHECK(add(1.0f, 0x1.8p-24f) == bits(1.0f + 0x1p-23f));
        CHECK(add(INFINITE, -INFINITE) == DEVICE_NAN);
        CHECK(add(NOT_A_NUMBER, 1.0f) == DEVICE_NAN);
        CHECK(add(-0.0f, -0.0f) == bits(-0.0f));
    }
    CHECK(global(TINY, TINY) == 0);
    CHECK(global(0x1.8p-126f, -0x1p-126f) == 0);
    CHECK(global(-0x1.8p-126f, 0x1p-126f) == bits(-0.0f));
    CHECK(shared(TINY, TINY) == bits(2 * TINY));
    CHECK(evaluate("red.add.f32 [%out], %f2; ld.global.b32 %r, [%out];", bits(TINY), bits(TINY)).r == 0);
    CHECK(evaluate("atom.add.f64 %g, [%out], %g2; ld.global.b64 %d, [%out];", bits(0.1), bits(0.2)).d == bits(0.1 + 0.2));
    CHECK(evaluate("red.global.add.f64 [%out], %g2; ld.global.b64 %d, [%out];", bits(5e-324), bits(5e-324)).d == bits(1e-323));
    CHECK(evaluate("atom.global.add.f64 %g, [%out], 0d3FF0000000000000;", bits(0.5)).g == bits(0.5));
}

TEST_CASE("Vectors of floats: each element by itself, though registers change places") {
    const Module module = loaded(kernel_of(R"(.reg .f32 %f<5>; .reg .b64 %d; ld.param.u64 %d, [out];
        mov.f32 %f1, 0f3F800000; mov.f32 %f2, 0f40000000;
        atom.global.add.v2.f32 {%f2, %f1}, [%d], {%f1, %f2};
        st.global.v2.f32 [%d+16], {%f1, %f2};
        red.relaxed.gpu.global.add.v4.f32 [%d], {%f1, %f1, %f2, %f2};
        atom.add.v4.f32 {%f1, _, %f2, _}, [%d], {%f1, %f1, %f1, %f1};
        st.global.v2.f32 [%d+24], {%f1, %f2};)"));
    struct alignas(16) Floats {
        float item[8];
    };
    std::vector<Floats> out{{{10, 20, 30, 40}}};
    Memory memory;
    memory.add(out);
    ptx_kernel *kernel = find(module, "k");
    runs(kernel, {}, Parameters(kernel) << out.data(), memory);
    const float expected[] = {51, 62, 60, 70, 20, 10, 31, 40};
    for (size_t i = 0; i < 8; i++)
        CHECK(out[0].item[i] == expected[i]);
}

TEST_CASE("Halves, alone, in pairs and in vectors") {
    // 0x3c00 is 1, 0x4000 2, 0x4200 3 of .f16; 0x3f80, 0x4000, 0x4040 of .bf16. The smallest subnormals are kept.
    CHECK(evaluate("atom.global.add.noftz.f16 %h, [%out], %h2; ld.global.b64 %d, [%out];", 0x3c003c00, 0x4000).d == 0x3c004200);
    CHECK(evaluate("atom.add.noftz.f16 %h, [%out], %h2;", 0x3c00, 0x4000).h == 0x3c00);
    CHECK(evaluate("red.global.add.noftz.bf16 [%out+2], %h2; ld.global.b64 %d, [%out];", 0x3f803f80, 0x4000).d == 0x40403f80);
    CHECK(evaluate("atom.add.noftz.f16x2 %r, [%out], %r2; ld.global.b64 %d, [%out];", 0x00013c00, 0x00014000).d == 0x00024200);
    CHECK(evaluate("red.relaxed.cta.global.add.noftz.bf16x2 [%out], %r2; ld.global.b64 %d, [%out];", 0x00013f80, 0x00014000).d ==
          0x00024040);
    CHECK(evaluate("atom.global.add.noftz.v2.f16x2 {%r, _}, [%out], {%r2, %r3}; ld.global.b64 %d, [%out];", 0x3c003c0000003c00,
                   0x4000, 0x40000000)
              .d == 0x42003c0000004200);
    CHECK(evaluate("atom.global.min.noftz.v4.bf16 {%h, _, _, _}, [%out], {%h2, %h2, %h3, %h3}; ld.global.b64 %d, [%out];",
                   0x3f80404040403f80, 0x4000, 0xbf80)
              .d == 0xbf80bf8040003f80);
    CHECK(evaluate("red.max.noftz.L2::cache_hint.v2.f16x2 [%out], {%r2, %r3}, %d1; ld.global.b64 %d, [%out];", 0x3c003c007e003c00,
                   0x40000000, 0x42004200)
              .d == 0x4200420040003c00);
    const Module module = loaded(kernel_of(R"(.reg .b16 %h<9>; .reg .b64 %d; ld.param.u64 %d, [out]; mov.b16 %h0, 0x3c00;
        atom.global.add.noftz.v8.f16 {%h1, %h2, %h3, %h4, %h5, %h6, %h7, %h8}, [%d], {%h0, %h0, %h0, %h0, %h0, %h0, %h0, %h0};
        st.global.v4.b16 [%d+16], {%h5, %h6, %h7, %h8};
        red.global.add.noftz.v8.f16 [%d], {%h0, %h0, %h0, %h0, %h0, %h0, %h0, %h0};)"));
    struct alignas(16) Halves {
        uint16_t item[16];
    };
    std::vector<Halves> out{{{0, 0x3c00, 0, 0x3c00, 0, 0, 0x4000, 0x3c00}}};
    Memory memory;
    memory.add(out);
    ptx_kernel *kernel = find(module, "k");
    runs(kernel, {}, Parameters(kernel) << out.data(), memory);
    const uint16_t expected[] = {0x4000, 0x4200, 0x4000, 0x4200, 0x4000, 0x4000, 0x4400, 0x4200, 0, 0, 0x4000, 0x3c00};
    for (size_t i = 0; i < 12; i++)
        CHECK(out[0].item[i] == expected[i]);
}

TEST_CASE("128 bits are exchanged and compared whole") {
    const Module module = loaded(kernel_of(R"(.reg .b128 %q<4>; .reg .b64 %d<9>; ld.param.u64 %d0, [out];
        mov.b64 %d1, 1; mov.b64 %d2, 2; mov.b64 %d3, 3; mov.b128 %q1, {%d1, %d2}; mov.b128 %q2, {%d3, %d3};
        atom.global.cas.b128 %q3, [%d0], %q1, %q2;
        mov.b128 {%d4, %d5}, %q3; st.global.v2.b64 [%d0+16], {%d4, %d5};
        mov.b128 %q1, {%d1, %d1}; atom.cas.b128 _, [%d0], %q1, %q1;
        atom.exch.b128 %q3, [%d0], %q1;
        mov.b128 {%d4, %d5}, %q3; st.global.v2.b64 [%d0+32], {%d4, %d5};
        atom.relaxed.gpu.global.exch.b128 _, [%d0], %q2;
        .shared .align 16 .b64 s[2]; st.shared.v2.b64 [s], {%d1, %d2}; atom.shared.exch.b128 %q3, [s], %q2;
        mov.b128 {%d4, %d5}, %q3; st.global.v2.b64 [%d0+48], {%d4, %d5};)"));
    struct alignas(16) Words {
        uint64_t word[8];
    };
    std::vector<Words> out{{{1, 2}}};
    Memory memory;
    memory.add(out);
    ptx_kernel *kernel = find(module, "k");
    runs(kernel, {}, Parameters(kernel) << out.data(), memory);
    const uint64_t expected[] = {3, 3, 1, 2, 3, 3, 1, 2};
    for (size_t i = 0; i < 8; i++)
        CHECK(out[0].word[i] == expected[i]);
}

// ---- many threads at once ----

namespace {

/// Runs a kernel of `out`, an array of 32-bit words, on so many blocks of so many threads, by four workers.
std::vector<uint32_t> many(const std::string &body, Shape shape, size_t words, Options options = {4, false, false, false, 0}) {
    const Module module =
        loaded(kernel_of(".reg .b32 %r<20>; .reg .b64 %d<10>; .reg .f32 %f<4>; .reg .f64 %g<4>; .reg .pred %p<4>;\n"
                         "ld.param.u64 %d0, [out]; mov.u32 %r0, %tid.x;\n" +
                         body));
    std::vector<uint32_t> out(words);
    Memory memory;
    memory.add(out);
    ptx_kernel *kernel = find(module, "k");
    const Ran ran = run(kernel, shape, Parameters(kernel) << out.data(), memory, options);
    INFO(ran.log);
    REQUIRE(ran.outcome == PTX_RAN);
    return out;
}

const Shape MANY{{40, 1, 1}, {64, 1, 1}};

/// A loop of 25 rounds around `step`, with %r1 counting down.
std::string rounds(const std::string &step) {
    return "mov.u32 %r1, 25;\nL: " + step + "\nsub.u32 %r1, %r1, 1; setp.ne.u32 %p1, %r1, 0; @%p1 bra L;\n";
}

} // namespace

TEST_CASE("No increment of many threads is lost, whatever the operation") {
    const uint32_t total = 40 * 64 * 25;
    CHECK(many(rounds("red.global.add.u32 [%d0], 1;"), MANY, 1)[0] == total);
    CHECK(many(rounds("atom.inc.u32 %r2, [%d0], -1;"), MANY, 1)[0] == total);
    CHECK(many(rounds("atom.dec.u32 %r2, [%d0], -1;"), MANY, 1)[0] == 0 - total);
    CHECK(many(rounds("red.add.f32 [%d0], 0f3F800000;"), MANY, 1)[0] == bits(static_cast<float>(total)));
    CHECK(many(rounds("atom.global.add.u64 %d1, [%d0], 0x100000001;"), MANY, 4) == std::vector<uint32_t>{total, total, 0, 0});
    CHECK(many(rounds("red.global.add.f64 [%d0], 0d3FE0000000000000;") + "bar.sync 0;", MANY, 2)[1] == bits(total * 0.5) >> 32);
    CHECK(many("red.add.noftz.f16x2 [%d0], 0x3c003800;", MANY, 1)[0] == 0x68006400); // 2048, where 1 is lost, and 1024
    const std::string by_cas = "ld.relaxed.gpu.u32 %r2, [%d0];\nAGAIN: mov.u32 %r3, %r2; add.u32 %r4, %r2, 1;\n"
                               "atom.cas.b32 %r2, [%d0], %r3, %r4; setp.ne.u32 %p2, %r2, %r3; @%p2 bra AGAIN;";
    CHECK(many(rounds(by_cas), MANY, 1)[0] == total);
    CHECK(many(rounds("and.b32 %r2, %r1, 1; mul.lo.u32 %r2, %r2, 0x10000; red.xor.b32 [%d0], 3; red.max.u32 [%d0+4], %r1;"), MANY,
               2) == std::vector<uint32_t>{0, 25});
}

TEST_CASE("Pairs of 64 bits are never seen half written") {
    // Even blocks write ever new numbers twice, odd ones count how often they read two numbers.
    const std::string body = R"(.reg .b128 %q<3>; mov.u32 %r5, %ctaid.x;
        and.b32 %r6, %r5, 1; setp.eq.u32 %p3, %r6, 0; mov.u32 %r1, 40000;
        @%p3 bra WRITE;
        READ: ld.relaxed.gpu.global.v2.b64 {%d2, %d3}, [%d0]; setp.ne.u64 %p2, %d2, %d3; @%p2 red.global.add.u32 [%d0+16], 1;
        sub.u32 %r1, %r1, 1; setp.ne.u32 %p1, %r1, 0; @%p1 bra READ; bra END;
        WRITE: cvt.u64.u32 %d1, %r1; st.relaxed.gpu.global.v2.b64 [%d0], {%d1, %d1};
        add.u64 %d1, %d1, 1000000; mov.b128 %q1, {%d1, %d1}; atom.global.exch.b128 %q2, [%d0], %q1;
        sub.u32 %r1, %r1, 1; setp.ne.u32 %p1, %r1, 0; @%p1 bra WRITE;
        END:)";
    CHECK(many(body, {{8, 1, 1}, {1, 1, 1}}, 8)[4] == 0);
}

namespace {

/// Adds 1 to out[1] by a load and a store, which only a lock makes one.
const std::string CRITICAL = "membar.gl; ld.global.u32 %r8, [%d0+4]; add.u32 %r8, %r8, 1; st.global.u32 [%d0+4], %r8; membar.gl;";

const std::string SPIN =
    "SPIN: atom.cas.b32 %r2, [%d0], 0, 1; setp.ne.u32 %p2, %r2, 0; @%p2 bra SPIN;\n" + CRITICAL + "atom.exch.b32 %r2, [%d0], 0;";

const std::string TICKET = "atom.add.u32 %r2, [%d0], 1;\nWAIT: ld.acquire.gpu.u32 %r3, [%d0+8]; setp.ne.u32 %p2, %r3, %r2;\n"
                           "@%p2 bra WAIT;\n" +
                           CRITICAL + "add.u32 %r3, %r3, 1; st.release.gpu.u32 [%d0+8], %r3;";

} // namespace

TEST_CASE("Locks let one thread in at a time, of a warp and of several blocks") {
    const Shape shape{{6, 1, 1}, {48, 1, 1}};
    for (const Options &options : {Options{4, false, false, false, 0}, Options{1, true, false, false, 0}}) {
        CHECK(many(rounds(SPIN), shape, 2, options)[1] == 6 * 48 * 25);
        CHECK(many(rounds(TICKET), shape, 3, options)[1] == 6 * 48 * 25);
    }
}

TEST_CASE("A flag that is set after the data hands it over: by fences, and by release and acquire") {
    // Block 0 produces 8 numbers one by one; block 1 takes each and says so. They wait for each other.
    const auto handed = [](const std::string &set, const std::string &get) {
        const std::string body = R"(mov.u32 %r4, %ctaid.x; setp.eq.u32 %p1, %r4, 1; mov.u32 %r1, 1; mov.u32 %r6, 0;
            @%p1 bra CONSUME;
            PRODUCE: mul.lo.u32 %r5, %r1, 100; st.global.u32 [%d0], %r5; mov.u32 %r7, %r1; add.u64 %d1, %d0, 4;)" +
                                 set + R"(add.u64 %d1, %d0, 8;
            TAKEN: )" + get + R"(setp.ne.u32 %p2, %r7, %r1; @%p2 bra TAKEN;
            add.u32 %r1, %r1, 1; setp.le.u32 %p2, %r1, 8; @%p2 bra PRODUCE; bra END;
            CONSUME: add.u64 %d1, %d0, 4;
            THERE: )" + get + R"(setp.ne.u32 %p2, %r7, %r1; @%p2 bra THERE;
            ld.global.u32 %r5, [%d0]; add.u32 %r6, %r6, %r5; add.u64 %d1, %d0, 8; mov.u32 %r7, %r1;)" +
                                 set + R"(add.u32 %r1, %r1, 1; setp.le.u32 %p2, %r1, 8; @%p2 bra CONSUME;
            st.global.u32 [%d0+12], %r6; END:)";
        return many(body, {{2, 1, 1}, {1, 1, 1}}, 4, {1, true, false, false, 0})[3];
    };
    CHECK(handed("membar.gl; st.volatile.global.u32 [%d1], %r7;", "ld.volatile.global.u32 %r7, [%d1]; membar.gl;") == 3600);
    CHECK(handed("st.release.gpu.u32 [%d1], %r7;", "ld.acquire.gpu.u32 %r7, [%d1];") == 3600);
    CHECK(handed("fence.acq_rel.gpu; atom.exch.b32 _, [%d1], %r7;", "atom.or.b32 %r7, [%d1], 0; fence.acq_rel.gpu;") == 3600);
}

TEST_CASE("The last block to finish sees what all others wrote") {
    const std::string body = R"(mov.u32 %r4, %ctaid.x; mul.wide.u32 %d1, %r4, 4; add.u64 %d1, %d0, %d1;
        setp.ne.u32 %p1, %r0, 0; @%p1 bra END;
        add.u32 %r5, %r4, 1; st.global.u32 [%d1+8], %r5;
        membar.gl; atom.global.inc.u32 %r2, [%d0], 39; membar.gl;
        setp.ne.u32 %p2, %r2, 39; @%p2 bra END;
        mov.u32 %r3, 0; mov.u32 %r1, 40; add.u64 %d1, %d0, 8;
        SUM: ld.global.u32 %r2, [%d1]; add.u32 %r3, %r3, %r2; add.u64 %d1, %d1, 4;
        sub.u32 %r1, %r1, 1; setp.ne.u32 %p1, %r1, 0; @%p1 bra SUM;
        st.global.u32 [%d0+4], %r3; END:)";
    CHECK(many(body, MANY, 42)[1] == 820);
}

TEST_CASE("All blocks of a cooperative grid wait for each other, at the word that the system has for it") {
    // As cooperative groups do it: the first word of the workspace is its size, the second the barrier.
    const std::string sync = R"({ .reg .b32 %n, %o, %c; .reg .pred %q;
        barrier.sync 0; setp.ne.u32 %q, %r0, 0; @%q bra DONE;
        mov.u32 %n, 1; setp.ne.u32 %q, %r4, 0; @%q bra ARRIVE; mov.u32 %c, %nctaid.x; sub.u32 %c, %c, 1; sub.u32 %n, 0x80000000, %c;
        ARRIVE: atom.add.release.gpu.u32 %o, [%d9+4], %n;
        POLL: ld.acquire.gpu.u32 %c, [%d9+4]; xor.b32 %c, %c, %o; setp.ge.s32 %q, %c, 0; @%q bra POLL;
        DONE: barrier.sync 0; })";
    const std::string body = R"(mov.u32 %r4, %ctaid.x; mov.u32 %r1, %envreg2; mov.u32 %r2, %envreg1; mov.b64 %d9, {%r1, %r2};
        mad.lo.u32 %r5, %r4, 32, %r0; mul.wide.u32 %d1, %r5, 4; add.u64 %d1, %d0, %d1; st.global.u32 [%d1], %r5;)" +
                             sync +
                             R"(sub.u32 %r6, 191, %r5; mul.wide.u32 %d2, %r6, 4; add.u64 %d2, %d0, %d2;
        ld.global.u32 %r7, [%d2];)" +
                             sync + "st.global.u32 [%d1], %r7;";
    const std::vector<uint32_t> out = many(body, {{6, 1, 1}, {32, 1, 1}}, 192, {4, true, false, false, 0});
    for (uint32_t i = 0; i < 192; i++)
        REQUIRE(out[i] == 191 - i);
    const std::string alone = "mov.u32 %r1, %envreg1; mov.u32 %r2, %envreg2; or.b32 %r1, %r1, %r2; st.global.u32 [%d0], %r1;";
    CHECK(many("st.global.u32 [%d0], 9;" + alone, {}, 1)[0] == 0);
}

TEST_CASE("A step limit ends threads that wait for ever for a lock") {
    const Module module = loaded(kernel_of(".reg .b32 %r; .reg .b64 %d; .reg .pred %p; ld.param.u64 %d, [out];\n"
                                           "L: atom.cas.b32 %r, [%d], 1, 2;\nsetp.ne.u32 %p, %r, 1; @%p bra L;"));
    std::vector<uint32_t> out(1);
    Memory memory;
    memory.add(out);
    ptx_kernel *kernel = find(module, "k");
    const Ran ran = run(kernel, MANY, Parameters(kernel) << out.data(), memory, {4, false, false, false, 200000});
    CHECK(ran.outcome == PTX_TIMED_OUT);
    CHECK(has(ran.log, "the launch has run more than 200000 instructions"));
}
