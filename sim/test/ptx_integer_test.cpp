// SPDX-License-Identifier: MIT OR Apache-2.0
// Integer arithmetic, comparisons and selections.

#include "ptx_reference.hpp"

namespace {

/// The upper half of a product, by adding shifted factors up.
template <class T> T upper_half(T a, T b) {
    const bool negative = (a < 0) != (b < 0);
    WideUnsigned factor = a < 0 ? 0 - static_cast<WideUnsigned>(a) : static_cast<WideUnsigned>(a);
    const uint64_t times = b < 0 ? 0 - static_cast<uint64_t>(b) : static_cast<uint64_t>(b);
    WideUnsigned product = 0;
    for (int i = 0; i < 64; i++, factor <<= 1)
        product += times >> i & 1 ? factor : 0;
    product = negative ? 0 - product : product;
    return static_cast<T>(static_cast<std::make_unsigned_t<T>>(product >> Type<T>::bits));
}

} // namespace

TEST_CASE("Sums, differences and products of every type") {
    for_all_types([](auto zero) {
        using T = decltype(zero);
        agrees_on<T>("add", 2, [](T a, T b, T) { return Wide{a} + b; });
        agrees_on<T>("sub", 2, [](T a, T b, T) { return Wide{a} - b; });
        agrees_on<T>("mul.lo", 2, [](T a, T b, T) { return static_cast<WideUnsigned>(a) * static_cast<WideUnsigned>(b); });
        agrees_on<T>("mad.lo", 3, [](T a, T b, T c) {
            return static_cast<WideUnsigned>(a) * static_cast<WideUnsigned>(b) + static_cast<WideUnsigned>(c);
        });
        agrees_on<T>("mul.hi", 2, [](T a, T b, T) { return upper_half(a, b); });
        agrees_on<T>("mad.hi", 3, [](T a, T b, T c) { return Wide{upper_half(a, b)} + c; });
        agrees_on<T>("sad", 3, [](T a, T b, T c) { return Wide{c} + std::max(a, b) - std::min(a, b); });
    });
    for_types<int16_t, int32_t, int64_t>([](auto zero) {
        using T = decltype(zero);
        agrees_on<T>("neg", 1, [](T a, T, T) { return -Wide{a}; });
        agrees_on<T>("abs", 1, [](T a, T, T) { return a < 0 ? -Wide{a} : Wide{a}; });
    });
}

TEST_CASE("Products twice as wide as their factors") {
    const auto wide = [](auto zero, auto wide_zero) {
        using T = decltype(zero);
        using W = decltype(wide_zero);
        using Result = std::make_unsigned_t<W>;
        const std::string narrow = Type<T>::letter(), broad = Type<W>::letter();
        agrees(text("mul.wide." + Type<T>::name(), broad + narrow + narrow), Type<W>::result, pairs(),
               [](const Given &given) { return static_cast<Result>(W{static_cast<T>(given.a)} * W{static_cast<T>(given.b)}); });
        agrees(
            text("mad.wide." + Type<T>::name(), broad + narrow + narrow + broad), Type<W>::result, pairs(), [](const Given &given) {
                return static_cast<Result>(Wide{W{static_cast<T>(given.a)} * W{static_cast<T>(given.b)}} + static_cast<W>(given.c));
            });
    };
    wide(uint16_t{}, uint32_t{});
    wide(int16_t{}, int32_t{});
    wide(uint32_t{}, uint64_t{});
    wide(int32_t{}, int64_t{});
}

TEST_CASE("Sums that saturate") {
    agrees_on<int32_t>("add.sat", 2, [](int32_t a, int32_t b, int32_t) { return clamped<int32_t>(Wide{a} + b); });
    agrees_on<int32_t>("sub.sat", 2, [](int32_t a, int32_t b, int32_t) { return clamped<int32_t>(Wide{a} - b); });
    agrees_on<int32_t>("mad.hi.sat", 3,
                       [](int32_t a, int32_t b, int32_t c) { return clamped<int32_t>(Wide{upper_half(a, b)} + c); });
}

TEST_CASE("Products of 24 bits") {
    const auto check = [](auto zero) {
        using T = decltype(zero);
        const auto product = [](T a, T b) {
            const auto cut = [](T value) {
                const int64_t low = static_cast<int64_t>(value & 0xffffff);
                return std::is_signed<T>::value && low >= 1 << 23 ? low - (1 << 24) : low;
            };
            return Wide{cut(a)} * cut(b);
        };
        const auto high = [product](T a, T b) {
            return static_cast<T>(static_cast<uint32_t>(static_cast<uint64_t>(product(a, b)) >> 16));
        };
        agrees_on<T>("mul24.lo", 2, [=](T a, T b, T) { return product(a, b); });
        agrees_on<T>("mul24.hi", 2, [=](T a, T b, T) { return high(a, b); });
        agrees_on<T>("mad24.lo", 3, [=](T a, T b, T c) { return product(a, b) + c; });
        agrees_on<T>("mad24.hi", 3, [=](T a, T b, T c) { return Wide{high(a, b)} + c; });
        if (std::is_signed<T>::value)
            agrees_on<T>("mad24.hi.sat", 3, [=](T a, T b, T c) { return clamped<T>(Wide{high(a, b)} + c); });
    };
    for_types<uint32_t, int32_t>(check);
}

TEST_CASE("Quotients and remainders of every type") {
    for_all_types([](auto zero) {
        using T = decltype(zero);
        agrees_on<T>("div", 2, [](T a, T b, T) { return b == 0 ? Wide{-1} : Wide{a} / b; });
        agrees_on<T>("rem", 2, [](T a, T b, T) { return b == 0 ? Wide{-1} : Wide{a} % b; });
    });
}

TEST_CASE("Lesser and greater numbers, of which .relu makes no negative one") {
    for_all_types([](auto zero) {
        using T = decltype(zero);
        agrees_on<T>("min", 2, [](T a, T b, T) { return std::min(a, b); });
        agrees_on<T>("max", 2, [](T a, T b, T) { return std::max(a, b); });
    });
    const auto lesser = [](const Given &given) {
        return std::max(std::min(static_cast<int32_t>(given.a), static_cast<int32_t>(given.b)), 0);
    };
    const auto greater = [](const Given &given) {
        return std::max({static_cast<int32_t>(given.a), static_cast<int32_t>(given.b), 0});
    };
    for (const char *name : {"min.relu.s32", "min.s32.relu"})
        agrees(text(name, "rrr"), &Registers::r, pairs(), lesser);
    for (const char *name : {"max.relu.s32", "max.s32.relu"})
        agrees(text(name, "rrr"), &Registers::r, pairs(), greater);
}

// ---- packed numbers ----

TEST_CASE("Pairs of 16-bit numbers") {
    const auto check = [](const std::string &name, auto zero, auto expected) {
        using T = decltype(zero);
        agrees(text(name, "rrr"), &Registers::r, pairs(), [&](const Given &given) {
            uint32_t both = 0;
            for (int shift = 0; shift < 32; shift += 16)
                both |=
                    uint32_t{static_cast<uint16_t>(expected(static_cast<T>(given.a >> shift), static_cast<T>(given.b >> shift)))}
                    << shift;
            return both;
        });
    };
    for (const char *name : {"add.u16x2", "add.s16x2"})
        check(name, uint16_t{}, [](int a, int b) { return a + b; });
    check("min.u16x2", uint16_t{}, [](int a, int b) { return std::min(a, b); });
    check("max.u16x2", uint16_t{}, [](int a, int b) { return std::max(a, b); });
    check("min.s16x2", int16_t{}, [](int a, int b) { return std::min(a, b); });
    check("max.s16x2", int16_t{}, [](int a, int b) { return std::max(a, b); });
    for (const char *name : {"min.relu.s16x2", "min.s16x2.relu"})
        check(name, int16_t{}, [](int a, int b) { return std::max(std::min(a, b), 0); });
    for (const char *name : {"max.relu.s16x2", "max.s16x2.relu"})
        check(name, int16_t{}, [](int a, int b) { return std::max({a, b, 0}); });
}

TEST_CASE("Dot products of bytes, and of halves and bytes") {
    /// Number `i` of the parts of so many bits, as a number of its type.
    const auto part = [](uint64_t value, int bits, int i, bool is_signed) {
        const int64_t unsigned_part = static_cast<int64_t>(value >> (bits * i) & ((1u << bits) - 1));
        return is_signed && unsigned_part >> (bits - 1) ? unsigned_part - (int64_t{1} << bits) : unsigned_part;
    };
    for (int signs = 0; signs < 4; signs++) {
        const bool sign_a = signs & 1, sign_b = signs & 2;
        const std::string types = std::string(sign_a ? ".s32" : ".u32") + (sign_b ? ".s32" : ".u32");
        agrees(text("dp4a" + types, "rrrr"), &Registers::r, pairs(), [&](const Given &given) {
            int64_t sum = static_cast<int64_t>(given.c & 0xffffffff);
            for (int i = 0; i < 4; i++)
                sum += part(given.a, 8, i, sign_a) * part(given.b, 8, i, sign_b);
            return static_cast<uint32_t>(sum);
        });
        for (int high = 0; high < 2; high++)
            agrees(text((high ? "dp2a.hi" : "dp2a.lo") + types, "rrrr"), &Registers::r, pairs(), [&](const Given &given) {
                int64_t sum = static_cast<int64_t>(given.c & 0xffffffff);
                for (int i = 0; i < 2; i++)
                    sum += part(given.a, 16, i, sign_a) * part(given.b, 8, 2 * high + i, sign_b);
                return static_cast<uint32_t>(sum);
            });
    }
}

// ---- extended precision ----

namespace {

/// `mnemonic`, with a carry of 0 or 1 to begin with: its result and, read by addc, the carry after it.
template <class T, class Reference> void carries(const std::string &mnemonic, size_t operands, Reference exact) {
    const bool reads = has(mnemonic, "addc") || has(mnemonic, "subc") || has(mnemonic, "madc");
    const bool writes = has(mnemonic, ".cc");
    const bool narrow = Type<T>::bits == 32;
    for (int carry = 0; carry < 2; carry++) {
        const std::string before = carry ? "add.cc.u32 %r, 1, -1; " : "add.cc.u32 %r, 0, 0; ";
        const std::string body = before + text_of<T>(mnemonic, operands + 1);
        const auto whole = [&](const Given &given) {
            return exact(static_cast<T>(given.a), static_cast<T>(given.b), static_cast<T>(given.c), reads ? carry : 0);
        };
        agrees(body, Type<T>::result, pairs(),
               [&](const Given &given) { return static_cast<std::make_unsigned_t<T>>(whole(given)); });
        agrees(body + (narrow ? " addc.u64 %d, 0, 0;" : " addc.u32 %r, 0, 0;"), narrow ? &Registers::d : &Registers::r, pairs(),
               [&](const Given &given) { return writes ? static_cast<int>(whole(given) >> Type<T>::bits & 1) : carry; });
    }
}

} // namespace

TEST_CASE("Carries and borrows go from one instruction to the next") {
    for_types<uint32_t, int32_t, uint64_t, int64_t>([](auto zero) {
        using T = decltype(zero);
        using U = std::make_unsigned_t<T>;
        for (const char *name : {"add.cc", "addc", "addc.cc"})
            carries<T>(name, 2, [](T a, T b, T, int carry) { return Wide{U(a)} + U(b) + carry; });
        for (const char *name : {"sub.cc", "subc", "subc.cc"})
            carries<T>(name, 2, [=](T a, T b, T, int carry) { /* what it leaves is a carry: no borrow */
                                                              const Wide difference =
                                                                  Wide{U(a)} - U(b) -
                                                                  (std::string(name) == "sub.cc" ? 0 : 1 - carry);
                                                              return difference + (Wide{1} << Type<T>::bits);
            });
        for (const char *name : {"mad.lo.cc", "madc.lo", "madc.lo.cc"})
            carries<T>(name, 3,
                       [](T a, T b, T c, int carry) { return Wide{static_cast<U>(WideUnsigned{U(a)} * U(b))} + U(c) + carry; });
        for (const char *name : {"mad.hi.cc", "madc.hi", "madc.hi.cc"})
            carries<T>(name, 3, [](T a, T b, T c, int carry) { return Wide{U(upper_half(a, b))} + U(c) + carry; });
    });
}

TEST_CASE("A product of 128 bits from 32-bit pieces") {
    const std::string body = "mov.b64 {%r1, %r2}, %d1; mov.b64 {%r3, %r4}, %d2;\n"
                             "mul.lo.u32 %w0, %r1, %r3; mul.hi.u32 %w1, %r1, %r3;\n"
                             "mad.lo.cc.u32 %w1, %r2, %r3, %w1; madc.hi.u32 %w2, %r2, %r3, 0;\n"
                             "mad.lo.cc.u32 %w1, %r1, %r4, %w1; madc.hi.cc.u32 %w2, %r1, %r4, %w2; addc.u32 %w3, 0, 0;\n"
                             "mad.lo.cc.u32 %w2, %r2, %r4, %w2; madc.hi.u32 %w3, %r2, %r4, %w3;\n";
    const std::string declared = ".reg .b32 %w<4>, %r4; ";
    agrees(declared + body + "mov.b64 %d, {%w0, %w1};", &Registers::d, pairs(),
           [](const Given &given) { return given.a * given.b; });
    agrees(declared + body + "mov.b64 %d, {%w2, %w3};", &Registers::d, pairs(),
           [](const Given &given) { return upper_half(given.a, given.b); });
}

TEST_CASE("A carry is a thread's own, and none to begin with") {
    CHECK(evaluate("addc.u32 %r, 0, 0;", 0).r == 0);
    const Module module = loaded(kernel_of(".reg .b32 %r<3>; .reg .b64 %d<2>; ld.param.u64 %d0, [out];\n"
                                           "mov.u32 %r0, %tid.x; add.cc.u32 %r1, %r0, -2; bar.sync 0; addc.u32 %r1, 0, 0;\n"
                                           "mad.wide.u32 %d1, %r0, 8, %d0; st.global.u32 [%d1], %r1;"));
    std::vector<uint64_t> cells(4);
    Memory memory;
    memory.add(cells);
    ptx_kernel *kernel = find(module, "k");
    runs(kernel, {{1, 1, 1}, {4, 1, 1}}, Parameters(kernel) << cells.data(), memory);
    CHECK(cells == std::vector<uint64_t>{0, 0, 1, 1});
}

// ---- comparisons and selections ----

namespace {

template <class T> bool compares(const std::string &how, T a, T b) {
    return how == "eq"                  ? a == b
           : how == "ne"                ? a != b
           : how == "lt" || how == "lo" ? a < b
           : how == "le" || how == "ls" ? a <= b
           : how == "gt" || how == "hi" ? a > b
                                        : a >= b;
}

template <class T> std::vector<std::string> comparisons() {
    std::vector<std::string> names{"eq", "ne", "lt", "le", "gt", "ge"};
    if (std::is_unsigned<T>::value)
        names.insert(names.end(), {"lo", "ls", "hi", "hs"});
    return names;
}

bool combined(const std::string &how, bool a, bool b) {
    return how == "and" ? a && b : how == "or" ? a || b : a != b;
}

} // namespace

TEST_CASE("Comparisons of integers into predicates, alone, in pairs and combined") {
    for_all_types([](auto zero) {
        using T = decltype(zero);
        const std::string letter = Type<T>::letter();
        const std::string sources = "%" + letter + "1, %" + letter + "2";
        for (const std::string &how : comparisons<T>()) {
            const auto holds = [&](const Given &given) { return compares(how, static_cast<T>(given.a), static_cast<T>(given.b)); };
            const std::string name = "setp." + how + "." + Type<T>::name() + " ";
            agrees(name + "%p, " + sources + ";", &Registers::p, pairs(), holds);
            agrees(name + "%p|%q, " + sources + ";", &Registers::q, pairs(), [&](const Given &given) { return !holds(given); });
            for (const char *with : {"and", "or", "xor"})
                for (const bool negated : {false, true}) {
                    const std::string longer = "setp." + how + "." + with + "." + Type<T>::name() + " %p|%q, " + sources +
                                               (negated ? ", !%p3;" : ", %p3;");
                    const auto c = [&](const Given &given) { return (given.c & 1) != negated; };
                    agrees(longer, &Registers::p, pairs(),
                           [&](const Given &given) { return combined(with, holds(given), c(given)); });
                    agrees(longer, &Registers::q, pairs(),
                           [&](const Given &given) { return combined(with, !holds(given), c(given)); });
                }
        }
    });
    for (const char *type : {"b16 %p, %h1, %h2;", "b32 %p, %r1, %r2;", "b64 %p, %d1, %d2;"}) {
        const uint64_t mask = type[1] == '1' ? 0xffff : type[1] == '3' ? 0xffffffff : ALL;
        agrees(std::string("setp.eq.") + type, &Registers::p, pairs(), [&](const Given &g) { return !((g.a ^ g.b) & mask); });
        agrees(std::string("setp.ne.") + type, &Registers::p, pairs(), [&](const Given &g) { return !!((g.a ^ g.b) & mask); });
    }
}

TEST_CASE("Comparisons into registers: all ones, or 1.0") {
    for_all_types([](auto zero) {
        using T = decltype(zero);
        for (const std::string &how : comparisons<T>()) {
            const auto holds = [&](const Given &given) { return compares(how, static_cast<T>(given.a), static_cast<T>(given.b)); };
            const std::string letters = Type<T>::letter() + std::string(Type<T>::letter());
            const std::string type = "." + Type<T>::name();
            agrees(text("set." + how + ".u32" + type, "r" + letters), &Registers::r, pairs(),
                   [&](const Given &given) { return holds(given) ? 0xffffffff : 0; });
            agrees(text("set." + how + ".f32" + type, "f" + letters), &Registers::f, pairs(),
                   [&](const Given &given) { return holds(given) ? bits(1.0f) : 0; });
            std::string longer = text("set." + how + ".xor.s32" + type, "r" + letters);
            longer.insert(longer.size() - 1, ", !%p3");
            agrees(longer, &Registers::r, pairs(),
                   [&](const Given &given) { return holds(given) != !(given.c & 1) ? 0xffffffff : 0; });
        }
    });
    agrees("set.ne.s32.b16 %r, %h1, %h2;", &Registers::r, pairs(),
           [](const Given &given) { return uint16_t(given.a) != uint16_t(given.b) ? 0xffffffff : 0; });
}

TEST_CASE("Comparisons of floats into registers") {
    const auto single = [](const std::string &how, float a, float b) {
        return evaluate("set." + how + ".u32.f32 %r, %f1, %f2;", bits(a), bits(b)).r;
    };
    for (const char *how : {"eq", "ne", "lt", "le", "gt", "ge", "num"})
        CHECK(single(how, NOT_A_NUMBER, 1.0f) == 0);
    for (const char *how : {"equ", "neu", "ltu", "leu", "gtu", "geu", "nan"})
        CHECK(single(how, NOT_A_NUMBER, 1.0f) == 0xffffffff);
    CHECK(single("lt", -INFINITE, 1.0f) == 0xffffffff);
    CHECK(single("eq", 0.0f, -0.0f) == 0xffffffff);
    CHECK(single("gtu", 1.0f, 2.0f) == 0);
    CHECK(single("num", 1.0f, 2.0f) == 0xffffffff);
    CHECK(single("nan", 1.0f, 2.0f) == 0);
    CHECK(evaluate("set.gt.f32.f32 %f, %f1, %f2;", bits(TINY), 0).f == bits(1.0f));
    CHECK(evaluate("set.gt.ftz.f32.f32 %f, %f1, %f2;", bits(TINY), 0).f == 0);
    CHECK(evaluate("set.gt.and.ftz.u32.f32 %r, %f1, %f2, %p3;", bits(2.0f), bits(1.0f), 1).r == 0xffffffff);
    CHECK(evaluate("set.gt.and.ftz.u32.f32 %r, %f1, %f2, !%p3;", bits(2.0f), bits(1.0f), 1).r == 0);
    CHECK(evaluate("set.le.s32.f64 %r, %g1, %g2;", bits(0.1), bits(0.1)).r == 0xffffffff);
    CHECK(evaluate("set.ltu.or.f32.f64 %f, %g1, %g2, %p3;", bits(0.2), bits(0.1), 1).f == bits(1.0f));
}

TEST_CASE("Selections by a sign and by a predicate, of every type") {
    const char *const types[] = {"b16", "u16", "s16", "b32", "u32", "s32", "f32", "b64", "u64", "s64", "f64"};
    for (const std::string type : types) {
        const std::string letter = type == "f32" ? "f" : type == "f64" ? "g" : type[1] == '1' ? "h" : type[1] == '3' ? "r" : "d";
        const uint64_t mask = type[1] == '1' ? 0xffff : type[1] == '3' ? 0xffffffff : ALL;
        uint64_t Registers::*result = letter == "f"   ? &Registers::f
                                      : letter == "g" ? &Registers::g
                                      : letter == "h" ? &Registers::h
                                      : letter == "r" ? &Registers::r
                                                      : &Registers::d;
        agrees(text("slct." + type + ".s32", letter + letter + letter + "r"), result, pairs(),
               [&](const Given &given) { return (static_cast<int32_t>(given.c) >= 0 ? given.a : given.b) & mask; });
        const std::string chosen = " %" + letter + ", %" + letter + "1, %" + letter + "2, ";
        agrees("selp." + type + chosen + "%p3;", result, pairs(),
               [&](const Given &given) { return (given.c & 1 ? given.a : given.b) & mask; });
        agrees("selp." + type + chosen + "!%p3;", result, pairs(),
               [&](const Given &given) { return (given.c & 1 ? given.b : given.a) & mask; });
    }
    const auto by_float = [](const std::string &name, uint64_t c) { return evaluate(name + " %r, %r1, %r2, %f3;", 1, 2, c).r; };
    for (const char *name : {"slct.u32.f32", "slct.ftz.b32.f32"}) {
        CHECK((by_float(name, bits(1.0f)) == 1 && by_float(name, bits(-1.0f)) == 2));
        CHECK((by_float(name, bits(0.0f)) == 1 && by_float(name, bits(-0.0f)) == 1));
        CHECK((by_float(name, bits(INFINITE)) == 1 && by_float(name, bits(-INFINITE)) == 2));
        CHECK(by_float(name, bits(NOT_A_NUMBER)) == 2);
    }
    CHECK(by_float("slct.u32.f32", bits(-TINY)) == 2);
    CHECK(by_float("slct.ftz.u32.f32", bits(-TINY)) == 1);
}

TEST_CASE("What a type does not have is refused") {
    const char *const refused[] = {
        "setp.lt.b32 %p, %r1, %r2;",
        "setp.hi.s32 %p, %r1, %r2;",
        "set.lt.u32.b32 %r, %r1, %r2;",
        "set.lo.u32.s32 %r, %r1, %r2;",
        "set.lt.ftz.u32.s32 %r, %r1, %r2;",
        "add.sat.u32 %r, %r1, %r2;",
        "mad.lo.sat.s32 %r, %r1, %r2, %r3;",
        "mad24.lo.sat.s32 %r, %r1, %r2, 1;",
        "mad.lo.cc.u16 %h, %h1, %h2, %h3;",
        "addc.cc.b32 %r, %r1, %r2;",
        "sub.u16x2 %r, %r1, %r2;",
        "slct.u32.u32 %r, %r1, %r2, %r3;",
        "slct.pred.s32 %p, %p1, %p2, %r3;",
        "cnot.pred %p, %p1;",
        "bfe.b32 %r, %r1, %r2, %r3;",
        "lop3.xor.b32 %r|%p, %r1, 1, 1, 0, %p2;",
        "bfind.b32 %r, %r1;",
        "bfind.u32 %d, %r1;",
    };
    for (const char *instruction : refused) {
        INFO(instruction);
        CHECK(load(kernel_around(instruction)).result != PTX_OK);
    }
}
