// SPDX-License-Identifier: MIT OR Apache-2.0
// The PTX interpreter alone: what it runs, what it refuses and how it says so, and that no text makes it crash.

#include "ptx_support.hpp"

#if __has_include(<catch2/generators/catch_generators.hpp>)
#include <catch2/generators/catch_generators.hpp>
#endif

#include <fstream>
#include <random>
#include <sstream>

namespace {

const char *const SAMPLES[] = {"saxpy", "saxpy_debug", "saxpy_linked", "fill_copy", "reduce", "structs", "unresolved"};

std::string sample(const std::string &name) {
    std::ifstream file(std::string(CUSIM_PTX_SAMPLES) + "/" + name + ".ptx", std::ios::binary);
    std::ostringstream text;
    text << file.rdbuf();
    REQUIRE(text.str().size() > 100);
    return text.str();
}

} // namespace

// ---- kernels that compilers made ----

TEST_CASE("saxpy runs, as compiled for release, for debugging, and linked from two translation units") {
    const std::string name = GENERATE("saxpy", "saxpy_debug", "saxpy_linked");
    const Module module = loaded(sample(name));
    ptx_kernel *kernel = find(module, "saxpy");
    const int count = 1000;
    std::vector<float> x(count), y(count + 24, 1.0f);
    for (int i = 0; i < count; i++)
        x[static_cast<size_t>(i)] = static_cast<float>(i);
    Memory memory;
    memory.add(x);
    memory.add(y);
    runs(kernel, {{4, 1, 1}, {256, 1, 1}}, Parameters(kernel) << 0.5f << x.data() << y.data() << count, memory);
    for (size_t i = 0; i < y.size(); i++)
        REQUIRE(y[i] == (i < x.size() ? 0.5f * x[i] + 1.0f : 1.0f));
}

TEST_CASE("Parameters have their natural layout, structs their alignment") {
    const Module saxpy = loaded(sample("saxpy"));
    const ptx_kernel *kernel = find(saxpy, "saxpy");
    REQUIRE(ptx_parameter_count(kernel) == 4);
    const size_t offsets[] = {0, 8, 16, 24}, sizes[] = {4, 8, 8, 4};
    for (size_t i = 0; i < 4; i++) {
        CHECK(ptx_parameter_offset(kernel, i) == offsets[i]);
        CHECK(ptx_parameter_size(kernel, i) == sizes[i]);
    }
    const Module structs = loaded(sample("structs"));
    CHECK(ptx_parameter_size(find(structs, "structs"), 0) == 24);
    CHECK(ptx_find(structs.get(), "struct") == nullptr);
    CHECK(ptx_find(structs.get(), "_Z9fibonaccii") == nullptr); // a .func
}

TEST_CASE("Fills and copies run") {
    const Module module = loaded(sample("fill_copy"));
    std::vector<unsigned char> bytes(1001, 1);
    std::vector<uint16_t> halves(1001, 1);
    std::vector<double> doubles(1001, 1.0);
    std::vector<float> from(4096), to(4096);
    Memory memory;
    for (size_t i = 0; i < from.size(); i++)
        from[i] = static_cast<float>(i);
    memory.add(bytes), memory.add(halves), memory.add(doubles), memory.add(from), memory.add(to);
    const Shape shape{{3, 1, 1}, {64, 1, 1}};
    const uint64_t count = 1000;
    ptx_kernel *kernel = find(module, "fill_u8");
    runs(kernel, shape, Parameters(kernel) << bytes.data() << uint8_t{0xab} << count, memory);
    kernel = find(module, "fill_u16");
    runs(kernel, shape, Parameters(kernel) << halves.data() << uint16_t{0xabcd} << count, memory);
    kernel = find(module, "fill_f64");
    runs(kernel, shape, Parameters(kernel) << doubles.data() << 2.5 << count, memory);
    kernel = find(module, "copy_float4");
    runs(kernel, {{16, 1, 1}, {64, 1, 1}}, Parameters(kernel) << to.data() << from.data() << 1024, memory);
    for (size_t i = 0; i < 1000; i++)
        REQUIRE((bytes[i] == 0xab && halves[i] == 0xabcd && doubles[i] == 2.5));
    CHECK((bytes[1000] == 1 && halves[1000] == 1 && doubles[1000] == 1.0));
    CHECK(to == from);
}

TEST_CASE("Blocks and threads have three indexes") {
    const Module module = loaded(sample("fill_copy"));
    ptx_kernel *kernel = find(module, "index_3d");
    std::vector<uint32_t> indexes(2 * 3 * 4 * 5 * 2 * 3, 0);
    Memory memory;
    memory.add(indexes);
    runs(kernel, {{2, 3, 4}, {5, 2, 3}}, Parameters(kernel) << indexes.data(), memory);
    for (size_t i = 0; i < indexes.size(); i++)
        REQUIRE(indexes[i] == i);
}

TEST_CASE("Barriers, static and dynamic shared memory, constants and initialised variables") {
    const Module module = loaded(sample("reduce"));
    ptx_kernel *kernel = find(module, "reduce");
    std::vector<float> x(10000), out(4);
    std::vector<double> sums(4), last(4);
    for (size_t i = 0; i < x.size(); i++) {
        x[i] = static_cast<float>(i % 7);
        sums[i / 128 % 4] += i % 7;
        last[i / 128 % 4] += i % 128 == 127 ? i % 7 : 0;
    }
    Memory memory;
    memory.add(x), memory.add(out);
    runs(kernel, {{4, 1, 1}, {128, 1, 1}, 512}, Parameters(kernel) << x.data() << out.data() << 10000, memory);
    for (size_t i = 0; i < 4; i++)
        CHECK(out[i] == static_cast<float>(sums[i] * (1 << i) + last[i] + 7));
}

TEST_CASE("Variables keep their values from launch to launch") {
    const Module module = loaded(sample("reduce"));
    ptx_kernel *kernel = find(module, "count_launches");
    std::vector<int> seen(1);
    Memory memory;
    memory.add(seen);
    for (int i = 8; i < 11; i++) {
        runs(kernel, {}, Parameters(kernel) << seen.data(), memory);
        CHECK(seen[0] == i);
    }
}

TEST_CASE("Structs by value, functions called and called again, local memory") {
    struct Pair {
        int number;
        double factor;
        char letter;
        short parts[3];
    };
    const Module module = loaded(sample("structs"));
    std::vector<Pair> out(32);
    std::vector<int> fibonacci(8), bins(4 * 16), where(100);
    Memory memory;
    memory.add(out), memory.add(fibonacci), memory.add(bins), memory.add(where);
    ptx_kernel *kernel = find(module, "structs");
    runs(kernel, {{1, 1, 1}, {32, 1, 1}}, Parameters(kernel) << Pair{100, 1.5, 'x', {1, 2, 3}} << out.data(), memory);
    for (int i = 0; i < 32; i++) {
        const Pair &pair = out[static_cast<size_t>(i)];
        REQUIRE((pair.number == 100 + i && pair.factor == 3.0 && pair.letter == 'x'));
        REQUIRE((pair.parts[0] == 1 && pair.parts[1] == i && pair.parts[2] == 3));
    }
    kernel = find(module, "recurse");
    runs(kernel, {{1, 1, 1}, {8, 1, 1}}, Parameters(kernel) << fibonacci.data() << 5, memory);
    CHECK(fibonacci == std::vector<int>{5, 8, 13, 21, 34, 55, 89, 144});
    for (size_t i = 0; i < where.size(); i++)
        where[i] = static_cast<int>(i * 7 % 16);
    kernel = find(module, "scatter");
    runs(kernel, {{1, 1, 1}, {4, 1, 1}}, Parameters(kernel) << bins.data() << where.data() << 100, memory);
    std::vector<int> expected(4 * 16);
    for (size_t thread = 0; thread < 4; thread++)
        for (size_t i = 0; i < where.size(); i++)
            expected[thread * 16 + static_cast<size_t>(where[i])] += static_cast<int>(i + thread);
    CHECK(bins == expected);
}

// ---- instructions ----

TEST_CASE("Integer arithmetic wraps at its width") {
    CHECK(evaluate("add.s32 %r, %r1, %r2;", 0x7fffffff, 1).r == 0x80000000);
    CHECK(evaluate("add.s32 %r, %r1, -5;", 3).r == 0xfffffffe);
    CHECK(evaluate("sub.u16 %h, %h1, %h2;", 0, 1).h == 0xffff);
    CHECK(evaluate("sub.u64 %d, %d1, %d2;", 0, 1).d == ALL);
    CHECK(evaluate("mul.lo.s32 %r, %r1, %r2;", 0x10001, 0x10001).r == 0x20001);
    CHECK(evaluate("mul.lo.u16 %h, %h1, %h2;", 0xffff, 0xffff).h == 1);
    CHECK(evaluate("mul.hi.s32 %r, %r1, %r2;", 0xffffffff, 5).r == 0xffffffff);
    CHECK(evaluate("mul.hi.u32 %r, %r1, %r2;", 0xffffffff, 5).r == 4);
    CHECK(evaluate("mul.hi.s64 %d, %d1, %d2;", ALL, 5).d == ALL);
    CHECK(evaluate("mul.hi.u64 %d, %d1, %d2;", ALL, ALL).d == ALL - 1);
    CHECK(evaluate("mul.hi.u16 %h, %h1, %h2;", 0xffff, 0xffff).h == 0xfffe);
    CHECK(evaluate("mul.wide.s32 %d, %r1, %r2;", 0xffffffff, 4).d == ALL - 3);
    CHECK(evaluate("mul.wide.u32 %d, %r1, 4;", 0xffffffff).d == UINT64_C(0x3fffffffc));
    CHECK(evaluate("mul.wide.s16 %r, %h1, %h2;", 0x8000, 0x8000).r == 0x40000000);
    CHECK(evaluate("mad.lo.s32 %r, %r1, %r2, %r3;", 7, 6, 0xffffffff).r == 41);
    CHECK(evaluate("mad.hi.u32 %r, %r1, %r2, %r3;", 0x80000000, 4, 1).r == 3);
    CHECK(evaluate("mad.wide.s32 %d, %r1, %r2, %d3;", 0xffffffff, 1, 10).d == 9);
    CHECK(evaluate("neg.s32 %r, %r1;", 0x80000000).r == 0x80000000);
    CHECK(evaluate("abs.s64 %d, %d1;", ALL).d == 1);
    CHECK(evaluate("min.s32 %r, %r1, %r2;", 0xffffffff, 1).r == 0xffffffff);
    CHECK(evaluate("min.u32 %r, %r1, %r2;", 0xffffffff, 1).r == 1);
    CHECK(evaluate("max.s16 %h, %h1, %h2;", 0xffff, 1).h == 1);
}

TEST_CASE("Division has no trap") {
    CHECK(evaluate("div.s32 %r, %r1, %r2;", 0xfffffff9, 2).r == 0xfffffffd);
    CHECK(evaluate("rem.s32 %r, %r1, %r2;", 0xfffffff9, 2).r == 0xffffffff);
    CHECK(evaluate("div.u32 %r, %r1, %r2;", 0xfffffff9, 2).r == 0x7ffffffc);
    CHECK(evaluate("div.s32 %r, %r1, %r2;", 0x80000000, 0xffffffff).r == 0x80000000);
    CHECK(evaluate("rem.s64 %d, %d1, %d2;", UINT64_C(1) << 63, ALL).d == 0);
    CHECK(evaluate("div.u64 %d, %d1, %d2;", 5, 0).d == ALL);
    CHECK(evaluate("rem.s32 %r, %r1, %r2;", 5, 0).r == 0xffffffff);
    CHECK(evaluate("div.s16 %h, %h1, %h2;", 0x8000, 0xffff).h == 0x8000);
}

TEST_CASE("Bits, and shifts that are clamped") {
    CHECK(evaluate("and.b32 %r, %r1, 0xff;", 0x1234).r == 0x34);
    CHECK(evaluate("or.b64 %d, %d1, %d2;", 1, UINT64_C(1) << 40).d == (UINT64_C(1) << 40) + 1);
    CHECK(evaluate("xor.b16 %h, %h1, %h2;", 0xff00, 0xffff).h == 0xff);
    CHECK(evaluate("not.b32 %r, %r1;", 0).r == 0xffffffff);
    CHECK(evaluate("shl.b32 %r, %r1, 31;", 3).r == 0x80000000);
    CHECK(evaluate("shl.b32 %r, %r1, %r2;", 3, 32).r == 0);
    CHECK(evaluate("shl.b64 %d, %d1, 200;", 3).d == 0);
    CHECK(evaluate("shr.s32 %r, %r1, 40;", 0x80000000).r == 0xffffffff);
    CHECK(evaluate("shr.u32 %r, %r1, 31;", 0x80000000).r == 1);
    CHECK(evaluate("shr.s16 %h, %h1, 15;", 0x8000).h == 0xffff);
    CHECK(evaluate("shr.b64 %d, %d1, 63;", ALL).d == 1);
}

TEST_CASE("Predicates: comparisons, combinations, selections, guards") {
    CHECK(evaluate("setp.lt.s32 %p, %r1, %r2;", 0xffffffff, 1).p == 1);
    CHECK(evaluate("setp.lt.u32 %p, %r1, %r2;", 0xffffffff, 1).p == 0);
    CHECK(evaluate("setp.hi.u32 %p, %r1, %r2;", 0xffffffff, 1).p == 1);
    CHECK(evaluate("setp.ls.u64 %p, %d1, 7;", 7).p == 1);
    CHECK(evaluate("setp.eq.b16 %p, %h1, %h2;", 0x10005, 5).p == 1);
    const Registers both = evaluate("setp.ge.s64 %p|%q, %d1, %d2;", 3, 4);
    CHECK((both.p == 0 && both.q == 1));
    CHECK(evaluate("setp.eq.and.s32 %p, %r1, 1, %p2;", 1, 0).p == 0);
    CHECK(evaluate("setp.eq.and.s32 %p, %r1, 1, !%p2;", 1, 0).p == 1);
    CHECK(evaluate("setp.eq.or.s32 %p, %r1, 9, %p2;", 1, 1).p == 1);
    CHECK(evaluate("setp.eq.xor.s32 %p, %r1, 1, %p2;", 1, 1).p == 0);
    CHECK(evaluate("and.pred %p, %p1, %p2; not.pred %q, %p;", 1, 0).q == 1);
    CHECK(evaluate("mov.pred %p, -1;", 0).p == 1);
    CHECK(evaluate("selp.b64 %d, %d1, 9, %p2;", 5, 1).d == 5);
    CHECK(evaluate("selp.f32 %f, %f1, 0f3F800000, %p2;", 5, 2).f == 0x3f800000);
    CHECK(evaluate("mov.u32 %r, 1; @%p1 mov.u32 %r, 2; @!%p1 bra DONE; add.u32 %r, %r, 40; DONE:", 1).r == 42);
    CHECK(evaluate("mov.u32 %r, 1; @%p1 mov.u32 %r, 2; @!%p1 bra DONE; add.u32 %r, %r, 40; DONE:", 0).r == 1);
}

TEST_CASE("Single precision rounds once, and flushes only when told to") {
    CHECK(f32("add.f32 %f, %f1, %f2;", 1.0f, TINY) == bits(1.0f));
    CHECK(f32("add.rn.f32 %f, %f1, %f2;", TINY, TINY) == 2);
    CHECK(f32("add.ftz.f32 %f, %f1, %f2;", TINY, -TINY) == 0);
    CHECK(f32("add.ftz.f32 %f, %f1, %f2;", -TINY, -TINY) == bits(-0.0f));
    CHECK(f32("mul.ftz.f32 %f, %f1, %f2;", 1e-30f, 1e-10f) == 0);
    CHECK(f32("sub.sat.f32 %f, %f1, %f2;", 5.0f, 1.0f) == bits(1.0f));
    CHECK(f32("add.sat.f32 %f, %f1, %f2;", NOT_A_NUMBER, 1.0f) == 0);
    CHECK(f32("add.f32 %f, %f1, %f2;", INFINITE, -INFINITE) == DEVICE_NAN);
    const float a = 1.0f + 0x1p-12f;
    CHECK(f32("fma.rn.f32 %f, %f1, %f2, %f3;", a, a, -1.0f) == bits(std::fma(a, a, -1.0f)));
    CHECK(bits(std::fma(a, a, -1.0f)) != bits(a * a - 1.0f));
    CHECK(f32("mad.rn.f32 %f, %f1, %f2, %f3;", a, a, -1.0f) == bits(std::fma(a, a, -1.0f)));
    CHECK(f32("div.rn.f32 %f, %f1, %f2;", 1.0f, 3.0f) == bits(1.0f / 3.0f));
    CHECK(f32("div.rn.f32 %f, %f1, %f2;", 1.0f, 0.0f) == bits(INFINITE));
    CHECK(f32("sqrt.rn.f32 %f, %f1;", 2.0f) == bits(std::sqrt(2.0f)));
    CHECK(f32("sqrt.rn.f32 %f, %f1;", -2.0f) == DEVICE_NAN);
    CHECK(f32("neg.f32 %f, %f1;", 0.0f) == bits(-0.0f));
    CHECK(f32("abs.f32 %f, %f1;", -3.0f) == bits(3.0f));
}

TEST_CASE("Double precision") {
    CHECK(f64("add.f64 %g, %g1, %g2;", 0.1, 0.2) == bits(0.1 + 0.2));
    CHECK(f64("sub.rn.f64 %g, %g1, %g2;", 0.1, 0.2) == bits(0.1 - 0.2));
    CHECK(f64("mul.f64 %g, %g1, 0d4000000000000000;", 0.1) == bits(0.2));
    CHECK(f64("fma.rn.f64 %g, %g1, %g2, %g3;", 0.1, 10.0, -1.0) == bits(std::fma(0.1, 10.0, -1.0)));
    CHECK(f64("div.rn.f64 %g, %g1, %g2;", 1.0, 3.0) == bits(1.0 / 3.0));
    CHECK(f64("sqrt.rn.f64 %g, %g1;", 2.0) == bits(std::sqrt(2.0)));
    CHECK(f64("neg.f64 %g, %g1;", 2.0) == bits(-2.0));
}

TEST_CASE("Minimum and maximum prefer numbers, and tell the zeros apart") {
    CHECK(f32("min.f32 %f, %f1, %f2;", NOT_A_NUMBER, 1.0f) == bits(1.0f));
    CHECK(f32("max.f32 %f, %f1, %f2;", 1.0f, NOT_A_NUMBER) == bits(1.0f));
    CHECK(f32("max.f32 %f, %f1, %f2;", NOT_A_NUMBER, NOT_A_NUMBER) == DEVICE_NAN);
    CHECK(f32("min.f32 %f, %f1, %f2;", 0.0f, -0.0f) == bits(-0.0f));
    CHECK(f32("max.f32 %f, %f1, %f2;", -0.0f, 0.0f) == bits(0.0f));
    CHECK(f64("min.f64 %g, %g1, %g2;", 1.0, 2.0) == bits(1.0));
}

TEST_CASE("Comparisons of floats: ordered ones fail on a NaN, unordered ones hold") {
    const auto compare = [](const std::string &how, float a, float b) {
        return evaluate("setp." + how + ".f32 %p, %f1, %f2;", bits(a), bits(b)).p == 1;
    };
    for (const char *how : {"eq", "ne", "lt", "le", "gt", "ge", "num"})
        CHECK_FALSE(compare(how, 1.0f, NOT_A_NUMBER));
    for (const char *how : {"equ", "neu", "ltu", "leu", "gtu", "geu", "nan"})
        CHECK(compare(how, 1.0f, NOT_A_NUMBER));
    CHECK((compare("lt", 1.0f, 2.0f) && compare("leu", 2.0f, 2.0f) && compare("num", 1.0f, 2.0f)));
    CHECK_FALSE((compare("gt", 1.0f, 2.0f) || compare("neu", 2.0f, 2.0f) || compare("nan", 1.0f, 2.0f)));
    CHECK(compare("eq", 0.0f, -0.0f));
    CHECK(evaluate("setp.eq.ftz.f32 %p, %f1, %f2;", 1, 0).p == 1);
    CHECK(evaluate("setp.gt.f64 %p, %g1, %g2;", bits(2.0), bits(1.0)).p == 1);
}

TEST_CASE("Conversions among integers extend, cut and saturate") {
    CHECK(evaluate("cvt.s64.s32 %d, %r1;", 0xffffffff).d == ALL);
    CHECK(evaluate("cvt.u64.u32 %d, %r1;", 0xffffffff).d == 0xffffffff);
    CHECK(evaluate("cvt.u32.u64 %r, %d1;", UINT64_C(0x123456789)).r == 0x23456789);
    CHECK(evaluate("cvt.s32.s8 %r, %r1;", 0x80).r == 0xffffff80);
    CHECK(evaluate("cvt.u32.u8 %r, %h1;", 0x1ff).r == 0xff);
    CHECK(evaluate("cvt.s8.s32 %h, %r1;", 0xff).h == 0xffff);
    CHECK(evaluate("cvt.sat.u8.s32 %r, %r1;", 0xffffff00).r == 0);
    CHECK(evaluate("cvt.sat.s8.s32 %r, %r1;", 1000).r == 127);
    CHECK(evaluate("cvt.sat.s32.u32 %r, %r1;", 0xffffffff).r == 0x7fffffff);
}

TEST_CASE("Conversions between integers and floats round and clamp") {
    const auto to_s32 = [](const std::string &rounding, float value) {
        return evaluate("cvt." + rounding + ".s32.f32 %r, %f1;", bits(value)).r;
    };
    CHECK(to_s32("rzi", -2.75f) == 0xfffffffe);
    CHECK(to_s32("rmi", -2.25f) == 0xfffffffd);
    CHECK(to_s32("rpi", 2.25f) == 3);
    CHECK(to_s32("rni", 2.5f) == 2);
    CHECK(to_s32("rzi", 1e20f) == 0x7fffffff);
    CHECK(to_s32("rzi", -INFINITE) == 0x80000000);
    CHECK(to_s32("rzi", NOT_A_NUMBER) == 0);
    CHECK(evaluate("cvt.rzi.u32.f32 %r, %f1;", bits(-5.0f)).r == 0);
    CHECK(evaluate("cvt.rzi.u64.f64 %d, %g1;", bits(1e30)).d == ALL);
    CHECK(evaluate("cvt.rzi.s64.f32 %d, %f1;", bits(NOT_A_NUMBER)).d == UINT64_C(1) << 63);
    CHECK(evaluate("cvt.rn.f32.s32 %f, %r1;", 0xffffffff).f == bits(-1.0f));
    CHECK(evaluate("cvt.rn.f32.u64 %f, %d1;", ALL).f == bits(0x1p64f));
    CHECK(evaluate("cvt.rn.f64.u32 %g, %r1;", 0xffffffff).g == bits(4294967295.0));
    CHECK(evaluate("cvt.rn.f32.f64 %f, %g1;", bits(0.1)).f == bits(0.1f));
    CHECK(evaluate("cvt.f64.f32 %g, %f1;", bits(0.1f)).g == bits(static_cast<double>(0.1f)));
    CHECK(evaluate("cvt.rmi.f32.f32 %f, %f1;", bits(-0.5f)).f == bits(-1.0f));
    CHECK(evaluate("cvt.ftz.f64.f32 %g, %f1;", 1).g == 0);
}

TEST_CASE("Registers are packed and unpacked, and literals have several forms") {
    CHECK(evaluate("mov.b64 %d, {%r1, %r2};", 1, 2).d == UINT64_C(0x200000001));
    CHECK(evaluate("mov.b64 {%r, _}, %d1;", UINT64_C(0x200000001)).r == 1);
    CHECK(evaluate("mov.b32 {_, %h}, %r1;", 0x20001).h == 2);
    CHECK(evaluate("mov.b64 %d, {%h1, %h2, %h3, %h1};", 1, 2, 3).d == UINT64_C(0x0001000300020001));
    CHECK(evaluate("mov.u32 %r, 0x1F;", 0).r == 31);
    CHECK(evaluate("mov.u32 %r, 017;", 0).r == 15);
    CHECK(evaluate("mov.u32 %r, 0b101;", 0).r == 5);
    CHECK(evaluate("mov.u32 %r, 7U;", 0).r == 7);
    CHECK(evaluate("mov.f32 %f, 0d3FF0000000000000;", 0).f == bits(1.0f));
    CHECK(evaluate("mov.f64 %g, 0f3F800000;", 0).g == bits(1.0));
    CHECK(evaluate("mov.b32 %r, 0f3F800000;", 0).r == 0x3f800000);
    CHECK(evaluate("mov.u32 %r, WARP_SZ;", 0).r == 32);
}

TEST_CASE("Blocks have registers, labels and memory of their own") {
    const std::string block = "{ .reg .b32 %t; .reg .pred %u; setp.eq.s32 %u, %r1, 0; @%u bra AGAIN;\n"
                              "add.s32 %r, %r, %r1; AGAIN: mov.b32 %t, 1; add.s32 %r, %r, %t; }\n";
    CHECK(evaluate(block + block, 5).r == 12);
    CHECK(evaluate(block + block, 0).r == 2);
}

TEST_CASE("Generic addresses reach shared, local, constant and parameter memory") {
    const Module module = loaded(HEAD + R"(
        .const .u32 c = 5;
        .global .u32 g[2] = {6, 7};
        .global .u64 to_g = generic(g)+4;
        .visible .entry k(.param .u64 out, .param .align 8 .b8 given[8])
        {
            .shared .align 4 .b8 s[8];
            .local .align 4 .b8 l[8];
            .reg .b32 %r<9>; .reg .b64 %d<9>;
            ld.param.u64 %d0, [out];
            mov.u64 %d1, s; cvta.shared.u64 %d2, %d1; st.u32 [%d2+4], 1; ld.shared.u32 %r1, [s+4];
            cvta.to.shared.u64 %d1, %d2; cvt.u32.u64 %r0, %d1; ld.shared.u32 %r2, [%r0+4];
            mov.u64 %d1, l; cvta.local.u64 %d2, %d1; st.u32 [%d2], 2; ld.local.u32 %r3, [l];
            mov.u64 %d1, c; ld.const.u32 %r4, [%d1]; cvta.const.u64 %d2, %d1; ld.u32 %r5, [%d2];
            mov.b64 %d1, given; cvta.param.u64 %d2, %d1; ld.u32 %r6, [%d2+4];
            ld.global.u64 %d1, [to_g]; ld.global.u32 %r7, [%d1]; ld.global.u32 %r8, [g];
            st.global.v4.u32 [%d0], {%r1, %r2, %r3, %r4}; st.global.v4.b32 [%d0+16], {%r5, %r6, %r7, %r8};
        })");
    ptx_kernel *kernel = find(module, "k");
    std::vector<std::array<uint64_t, 2>> storage(2);
    Memory memory;
    memory.add(storage);
    runs(kernel, {}, Parameters(kernel) << storage.data() << std::array<uint32_t, 2>{8, 9}, memory);
    std::array<uint32_t, 8> out;
    std::memcpy(out.data(), storage.data(), sizeof out);
    CHECK(out == std::array<uint32_t, 8>{1, 1, 2, 5, 5, 9, 7, 6});
}

// ---- faults ----

namespace {

/// The outcome of a kernel with this body, `out` being `cells`.
Ran outcome_of(const std::string &body, std::vector<uint64_t> &cells, const Shape &shape = {}) {
    const Module module =
        loaded(kernel_of(".reg .b64 %d<4>; .reg .b32 %r<4>; .reg .pred %p<2>; ld.param.u64 %d0, [out];\n" + body));
    ptx_kernel *kernel = find(module, "k");
    Memory memory;
    memory.add(cells);
    return run(kernel, shape, Parameters(kernel) << cells.data(), memory);
}

} // namespace

TEST_CASE("An access outside live memory stops the launch, and the log says where") {
    std::vector<float> x(8), y(8);
    const Module module = loaded(sample("saxpy"));
    ptx_kernel *kernel = find(module, "saxpy");
    Memory memory;
    memory.add(x), memory.add(y);
    const Ran null = run(kernel, {{2, 1, 1}, {4, 1, 1}}, Parameters(kernel) << 1.0f << uint64_t{16} << y.data() << 8, memory);
    CHECK(null.outcome == PTX_ILLEGAL_ADDRESS);
    CHECK(null.log == "kernel saxpy, block (0,0,0), thread (0,0,0), ptx line 35: 4-byte load at 0x10");
    const Ran past = run(kernel, {{4, 1, 1}, {4, 1, 1}}, Parameters(kernel) << 1.0f << x.data() << y.data() << 9, memory);
    CHECK(past.outcome == PTX_ILLEGAL_ADDRESS);
    CHECK(has(past.log, "block (2,0,0), thread (0,0,0)"));
}

TEST_CASE("Faults of every kind") {
    std::vector<uint64_t> cells(4);
    struct Case {
        const char *body;
        ptx_outcome outcome;
        const char *log;
    };
    const Case cases[] = {
        {"st.global.u32 [%d0+2], 1;", PTX_MISALIGNED_ADDRESS, "ptx line 7: 4-byte store at 0x"},
        {"ld.global.v4.u32 {%r0, %r1, %r2, %r3}, [%d0+8];", PTX_MISALIGNED_ADDRESS, "16-byte load"},
        {"ld.global.u32 %r1, [0];", PTX_ILLEGAL_ADDRESS, "4-byte load at 0x0"},
        {"st.global.u64 [%d0+32], %d0;", PTX_ILLEGAL_ADDRESS, "8-byte store"},
        {".shared .b32 s[4]; ld.shared.u32 %r1, [s+16];", PTX_ILLEGAL_ADDRESS, "4-byte shared load at 0x10"},
        {".local .b32 l; st.local.u32 [l-4], 1;", PTX_ILLEGAL_ADDRESS, "4-byte local store"},
        {"mov.b64 %d1, out; st.param.u32 [%d1], 1;", PTX_ILLEGAL_ADDRESS, "4-byte param store"},
        {".shared .b32 s; mov.u64 %d1, s; cvta.shared.u64 %d1, %d1; ld.global.u32 %r1, [%d1];", PTX_ILLEGAL_ADDRESS, "load at"},
        {"trap;", PTX_TRAPPED, "thread (0,0,0), ptx line 7: trap"},
        {"bar.sync 16;", PTX_ILLEGAL_INSTRUCTION, "there is no barrier 16"},
    };
    for (const Case &each : cases) {
        INFO(each.body);
        const Ran ran = outcome_of(each.body, cells);
        INFO(ran.log);
        CHECK(ran.outcome == each.outcome);
        CHECK(has(ran.log, each.log));
    }
}

TEST_CASE("A variable's end is the end of what can be reached, and constants are not written") {
    const auto with_variable = [](const std::string &body) {
        const Module module =
            loaded(HEAD + ".const .u32 c[2] = {1, 2}; .global .u32 g[2];\n.entry k() { .reg .b64 %d<2>; " + body + " }");
        ptx_kernel *kernel = find(module, "k");
        Memory memory;
        return run(kernel, {}, Parameters(kernel), memory).outcome;
    };
    CHECK(with_variable("st.global.u32 [g+4], 1;") == PTX_RAN);
    CHECK(with_variable("st.global.u32 [g+8], 1;") == PTX_ILLEGAL_ADDRESS);
    CHECK(with_variable("mov.u64 %d1, c; st.u32 [%d1], 1;") == PTX_ILLEGAL_ADDRESS);
}

TEST_CASE("Barriers: exited threads are not waited for, named ones and counts work, a hang is a fault") {
    std::vector<uint64_t> cells(8);
    const Shape four{{1, 1, 1}, {4, 1, 1}};
    const std::string thread = "mov.u32 %r1, %tid.x; setp.lt.u32 %p1, %r1, 2;\n";
    CHECK(outcome_of(thread + "@%p1 exit; bar.sync 0;", cells, four).outcome == PTX_RAN);
    CHECK(
        outcome_of(thread + "@%p1 bra B; bar.sync 1, 2; B: @!%p1 bra E; bar.sync 2, 2; E: barrier.sync 0;", cells, four).outcome ==
        PTX_RAN);
    const Ran hang = outcome_of(thread + "@%p1 bra B; bar.sync 1; B: bar.sync 0;", cells, four);
    CHECK(hang.outcome == PTX_TIMED_OUT);
    CHECK(has(hang.log, "waits for ever at barrier"));
}

TEST_CASE("Endless recursion is a fault") {
    const Module module = loaded(HEAD + ".func f;\n.func f { call f; ret; }\n.entry k() { call.uni f; ret; }");
    ptx_kernel *kernel = find(module, "k");
    Memory memory;
    const Ran ran = run(kernel, {}, Parameters(kernel), memory);
    CHECK(ran.outcome == PTX_ILLEGAL_ADDRESS);
    CHECK(has(ran.log, "the call stack is full"));
}

// ---- what is refused ----

TEST_CASE("Loads fail with what and where") {
    struct Case {
        std::string text;
        ptx_result result;
        const char *log;
    };
    const std::string deep(100, '{');
    const Case cases[] = {
        {"", PTX_INVALID, "ptx line 1: expected .version, found the end"},
        {"\177ELF", PTX_INVALID, "ptx line 1: "},
        {".version 9.1\n.target sm_90\n", PTX_TOO_NEW, "ptx line 1: .version 9.1 is newer than the simulated driver's 9.0"},
        {".version 99999999999.0\n", PTX_TOO_NEW, "is newer"},
        {".version 8.x\n", PTX_INVALID, "expected a version, found '8.x'"},
        {".version 8.0\n.target sm_100\n", PTX_INVALID, "ptx line 2: target sm_100 is newer than the simulated device (sm_90)"},
        {".version 8.0\n.target sm_120a\n", PTX_INVALID, "target sm_120a is newer"},
        {".version 8.0\n.target sm_80a\n", PTX_INVALID, "target sm_80a is not for the simulated device"},
        {".version 8.0\n.target compute_90\n", PTX_INVALID, "'compute_90' is not a target"},
        {".version 8.0\n.target sm_75\n.address_size 32\n", PTX_NOT_SUPPORTED, "64-bit addresses"},
        {HEAD + "nonsense", PTX_INVALID, "ptx line 4: expected a directive or an instruction, found 'nonsense'"},
        {HEAD + ".texref t;", PTX_NOT_SUPPORTED, "'.texref' is not simulated here"},
        {HEAD + ".extern .global .u32 g;", PTX_INVALID, "variable 'g' is defined nowhere in this module"},
        {HEAD + ".global .u32 g = {1, 2};", PTX_INVALID, "more initial values than 'g' holds"},
        {HEAD + ".global .u8 g[99999999999];", PTX_INVALID, "'g' is too large"},
        {HEAD + ".global .align 3 .u32 g;", PTX_INVALID, "power of two"},
        {HEAD + ".const .b8 c[65537];", PTX_INVALID, "'c' does not fit"},
        {HEAD + ".entry k() { ret; } .entry k() { ret; }", PTX_INVALID, "'k' is defined twice"},
        {HEAD + ".func f(.param .b32 a); .func f(.param .b64 a) { ret; }", PTX_INVALID, "'f' is declared twice, differently"},
        {HEAD + ".entry k();", PTX_INVALID, "kernel 'k' has no body"},
        {HEAD + ".entry k() .maxntid 32, 1, 1 .explicitcluster { ret; }", PTX_NOT_SUPPORTED, "'.explicitcluster'"},
        {HEAD + ".entry k() { ret; ", PTX_INVALID, "found the end"},
        {HEAD + ".entry k() " + deep, PTX_INVALID, "blocks nested deeper than 64"},
        {HEAD + ".func f(.param .b32 a) { ret; } .entry k() { call f; }", PTX_INVALID, "does not fit the declaration of 'f'"},
        {HEAD + ".func f(.reg .b32 a) { ret; }", PTX_NOT_SUPPORTED, "a parameter in a register"},
        {sample("unresolved"), PTX_INVALID, "function 'axpy' is defined nowhere in this module"},
        {kernel_of("mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32 {%r1}, {%r2};"), PTX_NOT_SUPPORTED,
         "ptx line 6: instruction 'mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32' is not simulated"},
        {kernel_of("add.rs.f32 %f1, %f2, %f3;"), PTX_NOT_SUPPORTED, "instruction 'add.rs.f32' is not simulated"},
        {kernel_of("this is not ptx;"), PTX_INVALID, "ptx line 6: 'this' is not an instruction"},
        {kernel_of("add.s32 %r1, %r2, %r3;"), PTX_INVALID, "'%r1' is not declared"},
        {kernel_of(".reg .b32 %r<2>; add.s32 %r1, %r0, %r2;"), PTX_INVALID, "'%r2' is not declared"},
        {kernel_of(".reg .b32 %r<2>; .reg .b64 %d;\nadd.s32 %r1, %r0, %d;"), PTX_INVALID,
         "ptx line 7: the operands do not fit instruction 'add.s32'"},
        {kernel_of(".reg .b32 %r; add.s32 %r, %r;"), PTX_INVALID, "the operands do not fit"},
        {kernel_of(".reg .b32 %r; add.s32 1, %r, %r;"), PTX_INVALID, "the operands do not fit"},
        {kernel_of(".reg .b32 %r; mov.u32 %tid.x, %r;"), PTX_INVALID, "the operands do not fit"},
        {kernel_of(".reg .b32 %r; @%r ret;"), PTX_INVALID, "'%r' is not a predicate"},
        {kernel_of(".reg .b32 %r; mov.u32 %r, %tid.w;"), PTX_INVALID, "'%tid.w' is not declared"},
        {kernel_of(".reg .b32 %r; .reg .f32 %r;"), PTX_INVALID, "'%r' is declared twice"},
        {kernel_of(".reg .b32 %r<4000000000>;"), PTX_INVALID, "more registers than"},
        {HEAD + ".entry j() { .reg .b32 %r<1000000>; } .entry k() { .reg .b32 %r<1000000>; }", PTX_INVALID, "more registers than"},
        {kernel_of(".reg .f32 %f; mov.f32 %f, 1.5e;"), PTX_INVALID, "ptx line 6: expected a literal, found '1.5e'"},
        {kernel_of(".reg .f32 %f; mov.f32 %f, -0f3F800000;"), PTX_INVALID, "a literal in bits has no sign"},
        {kernel_of(".reg .f32 %f; mov.f32 %f, ;"), PTX_INVALID, "expected a literal, found ';'"},
        {HEAD + ".global .f32 f = 1;", PTX_INVALID, "ptx line 4: the initial value is not of the variable's type"},
        {kernel_of("bra NOWHERE;"), PTX_INVALID, "there is no label 'NOWHERE'"},
        {kernel_of("A: A: bra A;"), PTX_INVALID, "'A' is declared twice"},
        {kernel_of("{ IN: } bra IN;"), PTX_INVALID, "there is no label 'IN'"},
        {kernel_of("T: .branchtargets A, B;"), PTX_INVALID, "there is no label 'A'"},
        {kernel_of(".loc 1\n ret;"), PTX_INVALID, "'.loc' needs a file and a line"},
        {kernel_of("ret; \"unfinished"), PTX_INVALID, "unfinished string"},
    };
    for (const Case &each : cases) {
        INFO(each.text);
        const Loaded made = load(each.text);
        INFO(made.log);
        CHECK(made.result == each.result);
        CHECK(has(made.log, each.log));
    }
}

TEST_CASE("Targets up to the device's are taken, with what is not code beside") {
    for (const char *target : {"sm_50", "sm_75", "sm_89", "sm_90", "sm_90a", "sm_90, debug", "sm_90, texmode_independent"})
        loaded(std::string("// a comment\n/* another\n */ .version 9.0\n.target ") + target + "\n.address_size 64\n");
    loaded(
        HEAD +
        ".file 1 \"a.cu\", 1, 2\n.visible .entry k() .maxntid 64 .minnctapersm 2 { .loc 1 2 3, function_name $L, inlined_at 1 2 3\n"
        ".pragma \"nounroll\"; ret; }\n.section .debug_str { $L: .b8 1 }\n");
    loaded(HEAD + std::string("\0 the rest is not read", 22));
}

TEST_CASE("A device takes older targets, and those with a letter that are its own or of its family") {
    struct Case {
        unsigned device;
        const char *target;
        ptx_result result;
    };
    const Case cases[] = {
        {75, "sm_75", PTX_OK},       {75, "sm_80", PTX_INVALID},    {89, "sm_86", PTX_OK},         {89, "sm_90a", PTX_INVALID},
        {90, "sm_90a", PTX_OK},      {100, "sm_90a", PTX_INVALID},  {100, "sm_100a", PTX_OK},      {103, "sm_100a", PTX_INVALID},
        {103, "sm_100f", PTX_OK},    {100, "sm_103f", PTX_INVALID}, {110, "sm_100f", PTX_INVALID}, {120, "sm_100f", PTX_INVALID},
        {121, "sm_120f", PTX_OK},    {121, "sm_121a", PTX_OK},      {121, "sm_120a", PTX_INVALID}, {120, "sm_103", PTX_OK},
        {89, "sm_86f", PTX_INVALID},
    };
    for (const Case &each : cases) {
        INFO(each.target << " on " << each.device);
        const Loaded made = load(".version 9.0\n.target " + std::string(each.target) + "\n.entry k() { ret; }\n", each.device);
        INFO(made.log);
        CHECK(made.result == each.result);
    }
}

TEST_CASE("A log that is too short is cut, and none is needed") {
    ptx_module *module = nullptr;
    char log[8];
    CHECK(ptx_load(&module, "nonsense", 8, 90, log, sizeof log) == PTX_INVALID);
    CHECK(std::string(log) == "ptx lin");
    CHECK(ptx_load(&module, "nonsense", 8, 90, log, 1) == PTX_INVALID);
    CHECK(log[0] == '\0');
    CHECK(ptx_load(&module, "nonsense", 8, 90, nullptr, 0) == PTX_INVALID);
    ptx_unload(nullptr);
}

TEST_CASE("A sample cut anywhere loads or fails with a line") {
    for (const char *name : SAMPLES) {
        const std::string text = sample(name);
        for (size_t size = 0; size < text.size(); size++) {
            const Loaded made = load(text.substr(0, size));
            if (made.result != PTX_OK && (made.result == PTX_NO_MEMORY || made.log.rfind("ptx line ", 0) != 0))
                FAIL(name << " cut to " << size << ": " << made.result << " " << made.log);
        }
    }
}

TEST_CASE("A sample changed at random loads or fails with a line") {
    std::mt19937 random(20261202);
    const std::string marks = "{}[]()<>,;:+-*=@!|.%$_ \n\"0123456789abcdefxU\x01\xff";
    for (const char *name : SAMPLES) {
        const std::string original = sample(name);
        for (int round = 0; round < 1500; round++) {
            std::string text = original;
            for (unsigned i = 0; i <= random() % 4; i++) {
                const size_t at = random() % text.size();
                switch (random() % 4) {
                case 0:
                    text[at] = marks[random() % marks.size()];
                    break;
                case 1:
                    text.erase(at, random() % 20);
                    break;
                case 2:
                    text.insert(at, original.substr(random() % original.size(), random() % 40));
                    break;
                default:
                    text.insert(at, 1, marks[random() % marks.size()]);
                }
            }
            const Loaded made = load(text);
            if (made.result != PTX_OK && made.log.rfind("ptx line ", 0) != 0)
                FAIL(name << ", round " << round << ": " << made.result << " " << made.log);
        }
    }
}
