// SPDX-License-Identifier: MIT OR Apache-2.0
// Conversions to, from and between floating-point formats.

#include "ptx_float_reference.hpp"

namespace {

struct Float {
    const char *name;
    Format format;
    char letter;
};

const Float FLOATS[] = {{"f16", F16, 'h'}, {"bf16", BF16, 'h'}, {"f32", F32, 'f'}, {"f64", F64, 'g'}};

struct Integer {
    const char *name;
    int bits;
    bool is_signed;
    char letter;
};

const Integer INTEGERS[] = {{"u8", 8, false, 'r'},   {"s8", 8, true, 'r'},   {"u16", 16, false, 'h'}, {"s16", 16, true, 'h'},
                            {"u32", 32, false, 'r'}, {"s32", 32, true, 'r'}, {"u64", 64, false, 'd'}, {"s64", 64, true, 'd'}};

uint64_t made_in(const Registers &made, char letter) {
    return letter == 'f' ? made.f : letter == 'g' ? made.g : letter == 'h' ? made.h : letter == 'r' ? made.r : made.d;
}

uint64_t low_bits(uint64_t value, int count) {
    return count == 64 ? value : value & ((uint64_t{1} << count) - 1);
}

uint64_t converted(const Format &from, const Format &to, Rounding rounding, uint64_t bits) {
    const double value = from.number(bits);
    return value == 0 || !std::isfinite(value) ? bits_of_special(to, value) : rounded(to, Quad{value}, rounding);
}

/// A NaN on its way from or to an f64: its sign, and the upper part of its fraction, quiet.
uint64_t kept_nan(const Format &from, const Format &to, uint64_t bits) {
    const int more = to.fraction_bits - from.fraction_bits;
    const uint64_t fraction = bits & ((uint64_t{1} << from.fraction_bits) - 1);
    return (bits & from.sign() ? to.sign() : 0) | to.infinity() | uint64_t{1} << (to.fraction_bits - 1) |
           (more < 0 ? fraction >> -more : fraction << more);
}

std::vector<Given> numbers(const Format &format, size_t count) {
    std::mt19937_64 random(format.one());
    std::vector<Given> rows;
    for (const uint64_t bits : corners(format))
        rows.push_back({bits, 0, 0});
    while (rows.size() < count)
        rows.push_back({random_number(format, random, format.one()), 0, 0});
    return rows;
}

/// Numbers about the limits of integers of each width, and in between.
std::vector<Given> about_integers(const Format &format) {
    auto rows = numbers(format, 200);
    for (int power = 0; power < 66; power++)
        for (const double offset : {-1.0, -0.5, 0.0, 0.5, 1.0, 1.5, 0.25})
            for (const double sign : {1.0, -1.0})
                rows.push_back(
                    {rounded(format, Quad{sign * (std::ldexp(1.0, power) + offset) + 0x1p-30}, Rounding::NEAREST), 0, 0});
    for (Given &row : rows)
        row.a &= format.sign() * 2 - 1;
    return rows;
}

using Reference = std::function<uint64_t(const Given &)>;

void check(const std::string &instruction, char letter, int bits, const std::vector<Given> &rows, const Reference &reference) {
    const auto made = evaluate_all(instruction, rows);
    size_t wrong = 0;
    for (size_t i = 0; i < rows.size() && wrong < 5; i++) {
        const uint64_t wanted = low_bits(reference(rows[i]), bits);
        if (low_bits(made_in(made[i], letter), bits) != wanted) {
            wrong++;
            INFO(std::hex << instruction << " of " << rows[i].a << ' ' << rows[i].b);
            CHECK(low_bits(made_in(made[i], letter), bits) == wanted);
        }
    }
    CHECK(wrong == 0);
}

std::string convert(const std::string &mnemonic, char to, char from) {
    return "cvt." + mnemonic + " %" + to + ", %" + from + "1;";
}

const std::pair<const char *, long double (*)(long double)> TO_INTEGRAL[] = {
    {"rni", std::nearbyint}, {"rzi", std::trunc}, {"rmi", std::floor}, {"rpi", std::ceil}};

uint64_t as_integer(const Integer &type, long double value, bool from_double) {
    const long double end = std::ldexp(1.0L, type.bits - type.is_signed);
    if (std::isnan(value)) {
        const uint64_t sign = uint64_t{1} << (type.bits - 1);
        return from_double || type.bits == 64 ? (type.is_signed ? 0 - sign : sign) : 0;
    }
    if (value >= end)
        return (~uint64_t{0} >> (64 - type.bits)) >> type.is_signed;
    if (value < (type.is_signed ? -end : 0))
        return type.is_signed ? ~uint64_t{0} << (type.bits - 1) : 0;
    return value < 0 ? 0 - static_cast<uint64_t>(-value) : static_cast<uint64_t>(value);
}

/// PTX has every pair of an integer and a number but these.
bool has_conversion(const Integer &integer, const Float &number) {
    return integer.bits != 8 || std::string(number.name) != "bf16";
}

} // namespace

TEST_CASE("Integers become numbers of every format in every rounding") {
    std::mt19937_64 random(7);
    std::vector<Given> rows;
    for (int i = 0; i < 64; i++)
        for (const uint64_t value : {uint64_t{1} << i, (uint64_t{1} << i) - 1, (uint64_t{1} << i) + 1, random() >> i})
            rows.insert(rows.end(), {{value, 0, 0}, {0 - value, 0, 0}});
    for (const Integer &from : INTEGERS)
        for (const Float &to : FLOATS)
            for (const auto &rounding : ROUNDINGS) {
                if (!has_conversion(from, to))
                    continue;
                const std::string mnemonic = std::string(rounding.first) + "." + to.name + "." + from.name;
                check(convert(mnemonic, to.letter, from.letter), to.letter, 64, rows, [&](const Given &given) {
                    const uint64_t low = low_bits(given.a, from.bits);
                    const bool negative = from.is_signed && low >> (from.bits - 1);
                    const uint64_t magnitude = negative ? low_bits(0 - low, from.bits) : low;
                    const Quad value = static_cast<Quad>(magnitude >> 32) * 0x1p32 + static_cast<Quad>(magnitude & 0xffffffff);
                    return magnitude ? rounded(to.format, negative ? -value : value, rounding.second) : 0;
                });
            }
}

TEST_CASE("Numbers become integers of every width, clamped") {
    for (const Float &from : FLOATS)
        for (const Integer &to : INTEGERS)
            for (const auto &rounding : TO_INTEGRAL) {
                if (!has_conversion(to, from))
                    continue;
                const std::string mnemonic = std::string(rounding.first) + "." + to.name + "." + from.name;
                check(convert(mnemonic, to.letter, from.letter), to.letter, to.bits, about_integers(from.format),
                      [&](const Given &given) {
                          const long double value = from.format.number(given.a);
                          return as_integer(to, rounding.second(value), from.letter == 'g');
                      });
            }
    CHECK(evaluate("cvt.rpi.ftz.s32.f32 %r, %f1;", 1).r == 0);
    CHECK(evaluate("cvt.rpi.s32.f32 %r, %f1;", 1).r == 1);
}

TEST_CASE("Numbers become those of a narrower format in every rounding") {
    for (const Float &from : FLOATS)
        for (const Float &to : FLOATS) {
            const bool narrows = to.letter == 'h' ? to.name != from.name : to.letter == 'f' && from.letter == 'g';
            if (!narrows)
                continue;
            for (const auto &rounding : ROUNDINGS) {
                const std::string mnemonic = std::string(rounding.first) + "." + to.name + "." + from.name;
                auto rows = numbers(from.format, 1500);
                for (const Given &row : numbers(to.format, 300)) // those that fit, and the halfway ones after them
                    for (const int after : {-1, 0, 1})
                        if (std::isfinite(to.format.number(row.a))) {
                            const double half = static_cast<double>((to.format.value(row.a & (to.format.sign() - 1)) +
                                                                     to.format.value((row.a & (to.format.sign() - 1)) + 1)) /
                                                                    2);
                            rows.push_back({rounded(from.format, Quad{half == 0 ? 1.0 : half}, Rounding::NEAREST) + after, 0, 0});
                        }
                check(convert(mnemonic, to.letter, from.letter), to.letter, 64, rows, [&](const Given &given) {
                    return from.letter == 'g' && from.format.is_nan(given.a)
                               ? kept_nan(from.format, to.format, given.a)
                               : converted(from.format, to.format, rounding.second, given.a);
                });
            }
        }
}

TEST_CASE("Every half becomes the same number of a wider format") {
    std::vector<Given> rows;
    for (uint64_t bits = 0; bits < 0x10000; bits++)
        rows.push_back({bits, 0, 0});
    check("cvt.f32.f16 %f, %h1;", 'f', 32, rows,
          [&](const Given &given) { return converted(F16, F32, Rounding::NEAREST, given.a); });
    check("cvt.f64.f16 %g, %h1;", 'g', 64, rows,
          [&](const Given &given) { return F16.is_nan(given.a) ? kept_nan(F16, F64, given.a) : bits(F16.number(given.a)); });
    check("cvt.f32.bf16 %f, %h1;", 'f', 32, rows, [](const Given &given) { return given.a << 16; });
    check("cvt.f64.bf16 %g, %h1;", 'g', 64, rows,
          [](const Given &given) { return BF16.is_nan(given.a) ? kept_nan(BF16, F64, given.a) : bits(BF16.number(given.a)); });
    check("cvt.f64.f32 %g, %f1;", 'g', 64, numbers(F32, 500), [](const Given &given) {
        float value;
        const auto low = static_cast<uint32_t>(given.a);
        std::memcpy(&value, &low, sizeof value);
        return bits(static_cast<double>(value));
    });
}

TEST_CASE("Numbers become integral ones of their format") {
    for (const Float &of : FLOATS)
        for (const auto &rounding : TO_INTEGRAL) {
            const std::string mnemonic = std::string(rounding.first) + "." + of.name + "." + of.name;
            check(convert(mnemonic, of.letter, of.letter), of.letter, 64, about_integers(of.format), [&](const Given &given) {
                if (of.letter == 'g' && of.format.is_nan(given.a))
                    return kept_nan(of.format, of.format, given.a);
                const double value = static_cast<double>(rounding.second(of.format.number(given.a)));
                return value == 0 || !std::isfinite(value) ? bits_of_special(of.format, value)
                                                           : rounded(of.format, Quad{value}, Rounding::NEAREST);
            });
        }
}

TEST_CASE("Conversions flush, saturate, stay finite and clamp at zero") {
    CHECK(evaluate("cvt.ftz.f32.f32 %f, %f1;", 0x80000001).f == 0x80000000);
    CHECK(evaluate("cvt.rn.ftz.f32.f64 %f, %g1;", bits(0x1p-130)).f == 0);
    CHECK(evaluate("cvt.rn.ftz.f32.f64 %f, %g1;", bits(0x1p-126 - 0x1p-150)).f == 0); // though it rounds to 0x1p-126
    CHECK(evaluate("cvt.rn.ftz.f32.f64 %f, %g1;", bits(0x1p-126 - 0x1p-151)).f == bits(0x1p-126f));
    CHECK(evaluate("cvt.rn.f32.f64 %f, %g1;", bits(0x1p-130)).f == bits(0x1p-130f));
    CHECK(evaluate("cvt.rp.ftz.f16.f32 %h, %f1;", 1).h == 1); // as a device does it
    CHECK(evaluate("cvt.rp.f16.f32 %h, %f1;", 1).h == 1);
    CHECK(evaluate("cvt.ftz.f32.f16 %f, %h1;", 1).f == bits(0x1p-24f));
    CHECK(evaluate("cvt.sat.f32.f32 %f, %f1;", bits(7.0f)).f == bits(1.0f));
    CHECK(evaluate("cvt.sat.f32.f32 %f, %f1;", DEVICE_NAN).f == 0);
    CHECK(evaluate("cvt.sat.f64.f64 %g, %g1;", bits(-7.0)).g == 0);
    CHECK(evaluate("cvt.rn.sat.f16.f32 %h, %f1;", bits(0.5f)).h == 0x3800);
    CHECK(evaluate("cvt.rpi.sat.f64.f64 %g, %g1;", bits(1.5)).g == bits(1.0));
    CHECK(evaluate("cvt.rn.f16.f32 %h, %f1;", bits(1e6f)).h == 0x7c00);
    CHECK(evaluate("cvt.rn.satfinite.f16.f32 %h, %f1;", bits(-1e6f)).h == 0xfbff);
    CHECK(evaluate("cvt.rn.satfinite.f16.f32 %h, %f1;", DEVICE_NAN).h == 0x7fff);
    CHECK(evaluate("cvt.rn.relu.bf16.f32 %h, %f1;", bits(-1.0f)).h == 0);
    CHECK(evaluate("cvt.rn.relu.bf16.f32 %h, %f1;", DEVICE_NAN).h == 0x7fff);
    CHECK(load(kernel_of(".reg .f32 %f; .reg .f64 %g; cvt.f32.f64 %f, %g;")).result != PTX_OK);
}

TEST_CASE("tf32 is a single with ten bits of fraction") {
    const Format tf32{8, 10, (0xffull << 10) - 1, 0x3ffff};
    const auto of = [&](Rounding rounding) {
        return [=](const Given &given) {
            const double value = F32.number(given.a);
            return std::isnan(value) ? 0x7fffe000 : converted(F32, tf32, rounding, given.a) << 13;
        };
    };
    auto rows = numbers(F32, 500);
    for (uint64_t i = 0; i < 64; i++)
        rows.push_back({F32.one() + (i << 11), 0, 0});
    check("cvt.rna.tf32.f32 %r, %f1;", 'r', 32, rows,
          [&](const Given &given) { return F32.is_nan(given.a) ? given.a & ~uint64_t{0x1fff} : of(Rounding::AWAY)(given); });
    check("cvt.rn.tf32.f32 %r, %f1;", 'r', 32, rows, of(Rounding::NEAREST));
    check("cvt.rz.tf32.f32 %r, %f1;", 'r', 32, rows, of(Rounding::ZERO));
    CHECK(evaluate("cvt.rn.satfinite.relu.tf32.f32 %r, %f1;", bits(INFINITE)).r == 0x7f7fe000);
}

TEST_CASE("Two singles become a pair of halves, the first above the second") {
    std::vector<Given> rows;
    const auto some = numbers(F32, 600);
    for (size_t i = 0; i < some.size(); i++)
        rows.push_back({some[i].a, some[some.size() - 1 - i].a, 0});
    for (const Float &to : {FLOATS[0], FLOATS[1]})
        for (const auto &rounding : {ROUNDINGS[0], ROUNDINGS[1]})
            check(std::string("cvt.") + rounding.first + "." + to.name + "x2.f32 %r, %f1, %f2;", 'r', 32, rows,
                  [&](const Given &given) {
                      return converted(F32, to.format, rounding.second, given.a) << 16 |
                             converted(F32, to.format, rounding.second, given.b);
                  });
    CHECK(evaluate("cvt.rn.relu.f16x2.f32 %r, %f1, %f2;", bits(-1.0f), bits(2.0f)).r == 0x4000);
}

namespace {

struct Small {
    const char *name;
    Format format;
    int width; ///< of each of the two
};

const Small SMALL[] = {{"e4m3x2", E4M3, 8}, {"e5m2x2", E5M2, 8}, {"e2m1x2", E2M1, 4}, {"e2m3x2", E2M3, 8}, {"e3m2x2", E3M2, 8}};

/// Too large becomes the largest.
uint64_t small_of(const Format &to, const Format &from, uint64_t given, bool relu) {
    const double value = from.number(given);
    const uint64_t sign = std::signbit(value) ? to.sign() : 0;
    if (std::isnan(value))
        return to.nan;
    if (relu && sign)
        return 0;
    const double kept = std::min(std::fabs(value), to.number(to.largest));
    return (kept == 0 ? 0 : rounded(to, Quad{kept}, Rounding::NEAREST)) | sign;
}

/// An instruction with a byte's register, which the common kernel has none of.
std::string through_byte(const Small &type, const std::string &instruction, bool written) {
    if (type.width == 8)
        return instruction;
    return written ? "{ .reg .b8 %b; " + instruction + " cvt.u32.u8 %r, %b; }"
                   : "{ .reg .b8 %b; cvt.u8.u32 %b, %r1; " + instruction + " }";
}

} // namespace

TEST_CASE("Numbers become pairs of eight, six and four bits") {
    std::vector<Given> rows;
    std::mt19937_64 random(11);
    for (int i = 0; i < 3000; i++) {
        const auto near = [&] {
            return bits(
                static_cast<float>(std::ldexp(1 + static_cast<double>(random() % 64) / 32, static_cast<int>(random() % 40) - 22)));
        };
        rows.push_back({near() ^ (random() % 2 << 31), near() + random() % 3 - 1, 0});
    }
    for (const Given &row : numbers(F32, 100))
        rows.push_back({row.a, bits(1.0f), 0});
    for (const Small &type : SMALL)
        for (const bool relu : {false, true}) {
            const std::string mnemonic = std::string("cvt.rn.satfinite.") + (relu ? "relu." : "") + type.name;
            const char *register_name = type.width == 8 ? " %h" : " %b";
            check(through_byte(type, mnemonic + ".f32" + register_name + ", %f1, %f2;", true), type.width == 8 ? 'h' : 'r',
                  2 * type.width, rows, [&](const Given &given) {
                      return small_of(type.format, F32, given.a, relu) << type.width | small_of(type.format, F32, given.b, relu);
                  });
        }
    std::vector<Given> halves;
    for (uint64_t bits = 0; bits < 0x10000; bits += 3)
        halves.push_back({bits << 16 | (bits ^ 0x8421), 0, 0});
    for (const Small &type : {SMALL[0], SMALL[1]})
        check(std::string("cvt.rn.satfinite.") + type.name + ".f16x2 %h, %r1;", 'h', 16, halves, [&](const Given &given) {
            return small_of(type.format, F16, given.a >> 16, false) << 8 | small_of(type.format, F16, given.a & 0xffff, false);
        });
}

TEST_CASE("Pairs of eight, six and four bits become halves") {
    std::vector<Given> rows;
    for (uint64_t bits = 0; bits < 0x10000; bits += 7)
        rows.push_back({bits, 0, 0});
    for (const Small &type : SMALL) {
        const auto half = [&](uint64_t bits) {
            const uint64_t magnitude = bits & (type.format.sign() - 1);
            const bool infinite = magnitude > type.format.largest && magnitude == type.format.infinity();
            if (magnitude > type.format.largest)
                return infinite ? uint64_t{0x7c00} | (bits & type.format.sign() ? 0x8000 : 0) : uint64_t{0x7fff};
            const Quad value = type.format.value(bits & (type.format.sign() * 2 - 1));
            return value == 0 ? (bits & type.format.sign() ? uint64_t{0x8000} : 0) : rounded(F16, value, Rounding::NEAREST);
        };
        const char *source = type.width == 8 ? " %r, %h1;" : " %r, %b;";
        check(through_byte(type, std::string("cvt.rn.f16x2.") + type.name + source, false), 'r', 32, rows, [&](const Given &given) {
            const uint64_t mask = (uint64_t{1} << type.width) - 1;
            return half(given.a >> type.width & mask) << 16 | half(given.a & mask);
        });
    }
}

TEST_CASE("ue8m0 keeps the exponent alone") {
    const auto of = [](const char *mnemonic, float a) {
        return evaluate(std::string("cvt.") + mnemonic + ".ue8m0x2.f32 %h, %f1, %f2;", bits(a), bits(1.0f)).h;
    };
    CHECK(of("rz", 1.5f) == 0x7f7f);
    CHECK(of("rp", 1.5f) == 0x807f);
    CHECK(of("rp", 2.0f) == 0x807f);
    CHECK(of("rp", -2.5f) == 0x817f);
    CHECK(of("rz", 0.0f) == 0x007f);
    CHECK(of("rp", 0x1p-127f) == 0x007f);
    CHECK(of("rp", 0x1.8p-127f) == 0x017f);
    CHECK(of("rp", INFINITE) == 0xff7f);
    CHECK(of("rp.satfinite", INFINITE) == 0xfe7f);
    CHECK(of("rp.satfinite", std::numeric_limits<float>::max()) == 0xfe7f);
    CHECK(of("rz.satfinite", NOT_A_NUMBER) == 0xff7f);
    CHECK(evaluate("cvt.rp.ue8m0x2.bf16x2 %h, %r1;", 0x3f813f80).h == 0x807f);
    CHECK(evaluate("cvt.rn.bf16x2.ue8m0x2 %r, %h1;", 0x7f00).r == 0x3f800040);
    CHECK(evaluate("cvt.rn.bf16x2.ue8m0x2 %r, %h1;", 0xff01).r == 0x7fff0080);
}

TEST_CASE("cvt.pack clamps two integers and moves what was packed up") {
    const auto pack = [](const std::string &types, int a, int b) {
        return evaluate("cvt.pack.sat." + types + " %r, %r1, %r2" + (types.find("b32") < types.size() ? ", %r3;" : ";"),
                        static_cast<uint32_t>(a), static_cast<uint32_t>(b), 0x12345678)
            .r;
    };
    CHECK(pack("u16.s32", 70000, -5) == 0xffff0000);
    CHECK(pack("s16.s32", 70000, -70000) == 0x7fff8000);
    CHECK(pack("u8.s32.b32", 300, 7) == 0x5678ff07);
    CHECK(pack("s8.s32.b32", -300, -1) == 0x567880ff);
    CHECK(pack("u4.s32.b32", 300, -1) == 0x345678f0);
    CHECK(pack("s4.s32.b32", 300, -9) == 0x34567878);
    CHECK(pack("u2.s32.b32", 3, 5) == 0x2345678f);
    CHECK(pack("s2.s32.b32", 1, -5) == 0x23456786);
}
