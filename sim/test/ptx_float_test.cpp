// SPDX-License-Identifier: MIT OR Apache-2.0
// Floating-point arithmetic and comparisons, in every format.

#include "ptx_float_reference.hpp"

namespace {

struct Kind {
    const char *name;
    Format format;
    char letter; ///< of the registers that hold it
};

const Kind SINGLE{"f32", F32, 'f'};
const Kind DOUBLE{"f64", F64, 'g'};
const Kind HALF{"f16", F16, 'h'};
const Kind BFLOAT{"bf16", BF16, 'h'};

uint64_t made_in(const Registers &made, char letter) {
    return letter == 'f' ? made.f : letter == 'g' ? made.g : letter == 'h' ? made.h : letter == 'r' ? made.r : made.d;
}

std::string with_operands(const std::string &mnemonic, char letter, int count) {
    std::string text = mnemonic + " %" + letter;
    for (int i = 1; i <= count; i++)
        text += std::string(", %") + letter + std::to_string(i);
    return text + ";";
}

using Reference = std::function<uint64_t(const Given &)>;

/// A NaN of .f64 has bits that the host chooses.
bool same(const Format &format, uint64_t made, uint64_t wanted) {
    return format.fraction_bits == 52 && format.is_nan(wanted) ? format.is_nan(made) : made == wanted;
}

void check(const std::string &instruction, const Kind &kind, const std::vector<Given> &rows, const Reference &reference) {
    const auto made = evaluate_all(instruction, rows);
    size_t wrong = 0;
    for (size_t i = 0; i < rows.size() && wrong < 5; i++) {
        const uint64_t wanted = reference(rows[i]);
        if (!same(kind.format, made_in(made[i], kind.letter), wanted)) {
            wrong++;
            INFO(std::hex << instruction << " of " << rows[i].a << ' ' << rows[i].b << ' ' << rows[i].c);
            CHECK(made_in(made[i], kind.letter) == wanted);
        }
    }
    CHECK(wrong == 0);
}

struct Named {
    const char *name;
    Operation operation;
    int operands;
};

const Named SUMS[] = {{"add", Operation::ADD, 2},
                      {"sub", Operation::SUBTRACT, 2},
                      {"mul", Operation::MULTIPLY, 2},
                      {"fma", Operation::MULTIPLY_ADD, 3}};

Given flushed(const Format &format, const Given &given) {
    return {format.flush(given.a), format.flush(given.b), format.flush(given.c)};
}

/// The same number in a format with twice as many exponents.
uint64_t widened(const Format &format, const Format &wide, uint64_t bits) {
    const uint64_t magnitude = bits & (format.sign() - 1);
    const uint64_t more = uint64_t{1} << (format.exponent_bits - 1) << format.fraction_bits;
    const uint64_t special = format.is_nan(bits) ? wide.nan : wide.infinity();
    return (magnitude > format.largest ? special : magnitude ? magnitude + more : 0) | (bits & format.sign() ? wide.sign() : 0);
}

/// With .ftz: operands that are subnormal are zeros, and so is a result that is below the smallest normal number when it is rounded
/// to as many bits as that has.
uint64_t expected_flushed(Operation operation, const Format &format, Rounding rounding, const Given &given) {
    const Given read = flushed(format, given);
    const uint64_t made = expected(operation, format, rounding, read.a, read.b, read.c);
    const int bits = format.exponent_bits + 1;
    const uint64_t largest = (((uint64_t{1} << bits) - 1) << format.fraction_bits) - 1;
    const Format wide{bits, format.fraction_bits, largest, largest + 2};
    const uint64_t smallest = widened(format, wide, uint64_t{1} << format.fraction_bits);
    const auto in_wide = [&](uint64_t number) { return widened(format, wide, number); };
    const uint64_t unbounded = expected(operation, wide, rounding, in_wide(read.a), in_wide(read.b), in_wide(read.c));
    return (unbounded & (wide.sign() - 1)) < smallest ? made & format.sign() : made;
}

uint64_t saturated(const Format &format, uint64_t bits) {
    return format.is_nan(bits) || (bits & format.sign()) ? 0 : std::min(bits, format.one());
}

uint64_t not_negative(const Format &format, uint64_t bits) {
    return bits & format.sign() ? 0 : bits;
}

/// The same instruction on pairs: the rows' numbers in the lower half, their complements in the upper.
void check_pairs(const std::string &mnemonic, const Kind &kind, int operands, const std::vector<Given> &rows,
                 const Reference &reference) {
    const int bits = kind.letter == 'f' ? 32 : 16;
    const uint64_t mask = (uint64_t{1} << bits) - 1;
    const auto other = [=](uint64_t value) { return (value * 3 + 1) & mask; };
    std::vector<Given> pairs;
    for (const Given &row : rows)
        pairs.push_back({other(row.a) << bits | row.a, other(row.b) << bits | row.b, other(row.c) << bits | row.c});
    const Kind pair{"", kind.format, bits == 32 ? 'd' : 'r'};
    check(with_operands(mnemonic + "x2", pair.letter, operands), pair, pairs, [&](const Given &given) {
        return reference({given.a >> bits, given.b >> bits, given.c >> bits}) << bits |
               reference({given.a & mask, given.b & mask, given.c & mask});
    });
}

/// Every number of a half format, each with others.
std::vector<Given> all_halves(const Format &format) {
    std::mt19937_64 random(format.one());
    const auto some = corners(format);
    std::vector<Given> rows;
    for (uint64_t a = 0; a < 0x10000; a++) {
        const uint64_t b = a % 2 ? some[random() % some.size()] : random_number(format, random, a);
        rows.push_back({a, b, random_number(format, random, random() % 2 ? a : b)});
    }
    return rows;
}

} // namespace

TEST_CASE("Single and double precision in every rounding") {
    for (const Kind &kind : {SINGLE, DOUBLE}) {
        const auto rows = triples(kind.format, 1500);
        for (const auto &rounding : ROUNDINGS) {
            const auto check_one = [&](const char *name, Operation operation, int operands) {
                const std::string mnemonic = std::string(name) + "." + rounding.first + "." + kind.name;
                check(with_operands(mnemonic, kind.letter, operands), kind, rows, [&](const Given &given) {
                    return expected(operation, kind.format, rounding.second, given.a, given.b, given.c);
                });
            };
            for (const Named &each : SUMS)
                check_one(each.name, each.operation, each.operands);
            check_one("mad", Operation::MULTIPLY_ADD, 3);
            check_one("div", Operation::DIVIDE, 2);
            check_one("sqrt", Operation::ROOT, 1);
            check(with_operands(std::string("rcp.") + rounding.first + "." + kind.name, kind.letter, 1), kind, rows,
                  [&](const Given &given) {
                      return expected(Operation::DIVIDE, kind.format, rounding.second, kind.format.one(), given.a, 0);
                  });
        }
    }
}

TEST_CASE("Sums and products without a rounding are rounded to nearest") {
    for (const Kind &kind : {SINGLE, DOUBLE, HALF, BFLOAT})
        for (const Named &each : {SUMS[0], SUMS[1], SUMS[2]})
            check(
                with_operands(std::string(each.name) + "." + kind.name, kind.letter, 2), kind, triples(kind.format, 200),
                [&](const Given &given) { return expected(each.operation, kind.format, Rounding::NEAREST, given.a, given.b, 0); });
}

TEST_CASE("Single precision flushes, saturates and does both") {
    const auto rows = triples(F32, 500);
    for (const auto &rounding : ROUNDINGS)
        for (const Named &each : SUMS) {
            const std::string base = std::string(each.name) + "." + rounding.first;
            const auto exact = [&](const Given &given) {
                return expected(each.operation, F32, rounding.second, given.a, given.b, given.c);
            };
            const auto flush = [&](const Given &given) { return expected_flushed(each.operation, F32, rounding.second, given); };
            check(with_operands(base + ".ftz.f32", 'f', each.operands), SINGLE, rows, flush);
            check(with_operands(base + ".sat.f32", 'f', each.operands), SINGLE, rows,
                  [&](const Given &given) { return saturated(F32, exact(given)); });
            check(with_operands(base + ".ftz.sat.f32", 'f', each.operands), SINGLE, rows,
                  [&](const Given &given) { return saturated(F32, flush(given)); });
        }
}

TEST_CASE("Pairs of single precision") {
    const auto rows = triples(F32, 300);
    for (const auto &rounding : ROUNDINGS)
        for (const Named &each : SUMS)
            check_pairs(
                std::string(each.name) + "." + rounding.first + ".f32", SINGLE, each.operands, rows,
                [&](const Given &given) { return expected(each.operation, F32, rounding.second, given.a, given.b, given.c); });
}

TEST_CASE("Single precision takes halves as operands") {
    const auto widened = [](const Format &format, uint64_t half) { return bits(static_cast<float>(format.number(half & 0xffff))); };
    for (const Kind &kind : {HALF, BFLOAT}) {
        std::vector<Given> rows = triples(F32, 300);
        for (const auto &rounding : ROUNDINGS) {
            const std::string tail = std::string(".") + rounding.first + ".f32." + kind.name;
            check("add" + tail + " %f, %h1, %f2;", SINGLE, rows, [&](const Given &given) {
                return expected(Operation::ADD, F32, rounding.second, widened(kind.format, given.a), given.b, 0);
            });
            check("sub" + tail + " %f, %h1, %f2;", SINGLE, rows, [&](const Given &given) {
                return expected(Operation::SUBTRACT, F32, rounding.second, widened(kind.format, given.a), given.b, 0);
            });
            check("fma" + tail + " %f, %h1, %h2, %f3;", SINGLE, rows, [&](const Given &given) {
                return expected(Operation::MULTIPLY_ADD, F32, rounding.second, widened(kind.format, given.a),
                                widened(kind.format, given.b), given.c);
            });
        }
    }
}

TEST_CASE("Half precision rounds once") {
    for (const Kind &kind : {HALF, BFLOAT}) {
        const auto rows = all_halves(kind.format);
        for (const Named &each : SUMS) {
            const auto exact = [&](const Given &given) {
                return expected(each.operation, kind.format, Rounding::NEAREST, given.a, given.b, given.c);
            };
            const std::string base = std::string(each.name) + ".rn.";
            check(with_operands(base + kind.name, 'h', each.operands), kind, rows, exact);
            check_pairs(base + kind.name, kind, each.operands, triples(kind.format, 300), exact);
        }
    }
}

TEST_CASE("A half-precision fma that single precision would round twice") {
    // 1 + 2^-11 is halfway between two f16; the product adds 2^-24, which a float next to it cannot hold.
    CHECK(evaluate("fma.rn.f16 %h, %h1, %h2, %h3;", 0x1001, 0x1000, 0x3c00).h ==
          expected(Operation::MULTIPLY_ADD, F16, Rounding::NEAREST, 0x1001, 0x1000, 0x3c00));
    CHECK(evaluate("fma.rn.bf16 %h, %h1, %h2, %h3;", 0x3f81, 0x3b80, 0x0001).h ==
          expected(Operation::MULTIPLY_ADD, BF16, Rounding::NEAREST, 0x3f81, 0x3b80, 0x0001));
}

TEST_CASE("Half precision flushes, saturates and clamps at zero") {
    const auto rows = triples(F16, 500);
    for (const Named &each : SUMS) {
        const std::string base = std::string(each.name) + ".rn";
        const auto exact = [&](const Given &given) {
            return expected(each.operation, F16, Rounding::NEAREST, given.a, given.b, given.c);
        };
        const auto flush = [&](const Given &given) { return expected_flushed(each.operation, F16, Rounding::NEAREST, given); };
        check(with_operands(base + ".ftz.f16", 'h', each.operands), HALF, rows, flush);
        check(with_operands(base + ".sat.f16", 'h', each.operands), HALF, rows,
              [&](const Given &given) { return saturated(F16, exact(given)); });
        check_pairs(base + ".ftz.sat.f16", HALF, each.operands, rows,
                    [&](const Given &given) { return saturated(F16, flush(given)); });
    }
    for (const Kind &kind : {HALF, BFLOAT})
        check(with_operands(std::string("fma.rn.relu.") + kind.name, 'h', 3), kind, triples(kind.format, 500),
              [&](const Given &given) {
                  return not_negative(kind.format,
                                      expected(Operation::MULTIPLY_ADD, kind.format, Rounding::NEAREST, given.a, given.b, given.c));
              });
}

TEST_CASE("fma.oob is as fma on an H200, whatever NaN it is given") {
    for (const Kind &kind : {HALF, BFLOAT})
        check_pairs(std::string("fma.rn.oob.") + kind.name, kind, 3, triples(kind.format, 300), [&](const Given &given) {
            return expected(Operation::MULTIPLY_ADD, kind.format, Rounding::NEAREST, given.a, given.b, given.c);
        });
}

namespace {

uint64_t selected(const Format &format, bool lesser, bool keeps_nan, uint64_t a, uint64_t b) {
    if (format.is_nan(a) || format.is_nan(b))
        return keeps_nan || (format.is_nan(a) && format.is_nan(b)) ? format.nan : format.is_nan(a) ? b : a;
    const double x = format.number(a), y = format.number(b);
    const bool first = x < y || (x == y && std::signbit(x));
    return first == lesser ? a : b;
}

void check_selection(const Kind &kind, bool lesser, bool keeps_nan, bool by_magnitude) {
    const std::string mnemonic =
        std::string(lesser ? "min" : "max") + (keeps_nan ? ".NaN" : "") + (by_magnitude ? ".xorsign.abs" : "") + "." + kind.name;
    const uint64_t sign = kind.format.sign();
    const auto reference = [=](const Given &given) {
        const uint64_t mask = by_magnitude ? sign - 1 : sign * 2 - 1;
        const uint64_t chosen = selected(kind.format, lesser, keeps_nan, given.a & mask, given.b & mask);
        return by_magnitude && !kind.format.is_nan(chosen) ? chosen | ((given.a ^ given.b) & sign) : chosen;
    };
    const auto rows = triples(kind.format, 300);
    check(with_operands(mnemonic, kind.letter, 2), kind, rows, reference);
    if (kind.letter == 'h')
        check_pairs(mnemonic, kind, 2, rows, reference);
}

} // namespace

TEST_CASE("The lesser and the greater of two numbers") {
    for (const bool lesser : {true, false}) {
        check_selection(DOUBLE, lesser, false, false);
        for (const Kind &kind : {SINGLE, HALF, BFLOAT})
            for (const bool keeps_nan : {false, true})
                for (const bool by_magnitude : {false, true})
                    check_selection(kind, lesser, keeps_nan, by_magnitude);
    }
    check("min.ftz.f32 %f, %f1, %f2;", SINGLE, triples(F32, 300),
          [](const Given &given) { return selected(F32, true, false, F32.flush(given.a), F32.flush(given.b)); });
}

TEST_CASE("The least and the greatest of three numbers") {
    for (const bool lesser : {true, false})
        for (const bool keeps_nan : {true, false}) {
            const std::string mnemonic = std::string(lesser ? "min" : "max") + (keeps_nan ? ".NaN" : "");
            const auto of = [=](uint64_t a, uint64_t b) { return selected(F32, lesser, keeps_nan, a, b); };
            const auto magnitude = [](uint64_t a) { return a & 0x7fffffff; };
            check(mnemonic + ".f32 %f, %f1, %f2, %f3;", SINGLE, triples(F32, 300),
                  [&](const Given &given) { return of(of(given.a, given.b), given.c); });
            check(mnemonic + ".abs.f32 %f, %f1, %f2, %f3;", SINGLE, triples(F32, 300),
                  [&](const Given &given) { return of(of(magnitude(given.a), magnitude(given.b)), magnitude(given.c)); });
        }
}

TEST_CASE("Signs are changed, cleared and copied without arithmetic") {
    for (const Kind &kind : {SINGLE, DOUBLE, HALF, BFLOAT}) {
        const uint64_t sign = kind.format.sign();
        const auto rows = triples(kind.format, 50);
        const auto or_nan = [=](uint64_t a, uint64_t bits) {
            const uint64_t nan = kind.letter == 'g' ? a | uint64_t{1} << 51 : kind.format.nan;
            return kind.format.is_nan(a) ? nan : bits;
        };
        const auto negated = [=](const Given &given) { return or_nan(given.a, given.a ^ sign); };
        const auto absolute = [=](const Given &given) { return or_nan(given.a, given.a & (sign - 1)); };
        const auto check_exactly = [&](const std::string &instruction, const Reference &reference) {
            const auto made = evaluate_all(instruction, rows);
            for (size_t i = 0; i < rows.size(); i++)
                REQUIRE(made_in(made[i], kind.letter) == reference(rows[i]));
        };
        check_exactly(with_operands(std::string("neg.") + kind.name, kind.letter, 1), negated);
        check_exactly(with_operands(std::string("abs.") + kind.name, kind.letter, 1), absolute);
        if (kind.letter == 'h') {
            check_pairs(std::string("neg.") + kind.name, kind, 1, rows, negated);
            check_pairs(std::string("abs.") + kind.name, kind, 1, rows, absolute);
        } else {
            check_exactly(with_operands(std::string("copysign.") + kind.name, kind.letter, 2),
                          [=](const Given &given) { return (given.a & sign) | (given.b & (sign - 1)); });
        }
    }
    CHECK(evaluate("neg.ftz.f32 %f, %f1;", 1).f == 0x80000000);
    CHECK(evaluate("abs.ftz.f32 %f, %f1;", 0x80000001).f == 0);
    CHECK(evaluate("neg.ftz.f16x2 %r, %r1;", 0x00018001).r == 0x80000000);
}

namespace {

struct Relation {
    const char *name;
    std::function<bool(double, double)> holds;
};

const Relation RELATIONS[] = {
    {"eq", [](double a, double b) { return a == b; }},
    {"ne", [](double a, double b) { return a < b || a > b; }},
    {"lt", [](double a, double b) { return a < b; }},
    {"le", [](double a, double b) { return a <= b; }},
    {"gt", [](double a, double b) { return a > b; }},
    {"ge", [](double a, double b) { return a >= b; }},
    {"equ", [](double a, double b) { return !(a < b || a > b); }},
    {"neu", [](double a, double b) { return a != b; }},
    {"ltu", [](double a, double b) { return !(a >= b); }},
    {"leu", [](double a, double b) { return !(a > b); }},
    {"gtu", [](double a, double b) { return !(a <= b); }},
    {"geu", [](double a, double b) { return !(a < b); }},
    {"num", [](double a, double b) { return !std::isnan(a) && !std::isnan(b); }},
    {"nan", [](double a, double b) { return std::isnan(a) || std::isnan(b); }},
};

} // namespace

TEST_CASE("Comparisons of one number with another") {
    for (const Kind &kind : {SINGLE, DOUBLE, HALF, BFLOAT}) {
        const auto rows = triples(kind.format, 50);
        for (const Relation &relation : RELATIONS) {
            const std::string base = std::string("setp.") + relation.name;
            const std::string operands = std::string(" %") + kind.letter + "1, %" + kind.letter + "2";
            const bool gives_two = kind.letter != 'h';
            const std::string into = gives_two ? " %p|%q," : " %p,";
            const auto alone = evaluate_all(base + "." + kind.name + into + operands + ";", rows);
            const auto joined = evaluate_all(base + ".and." + kind.name + into + operands + ", !%p3;", rows);
            for (size_t i = 0; i < rows.size(); i++) {
                const bool holds = relation.holds(kind.format.number(rows[i].a), kind.format.number(rows[i].b));
                const bool with = rows[i].c % 2 == 0;
                INFO(relation.name << ' ' << kind.name << ' ' << rows[i].a << ' ' << rows[i].b);
                REQUIRE(alone[i].p == holds);
                REQUIRE(joined[i].p == (holds && with));
                if (gives_two) {
                    REQUIRE(alone[i].q == !holds);
                    REQUIRE(joined[i].q == (!holds && with));
                }
            }
        }
    }
    CHECK(evaluate("setp.eq.ftz.f32 %p, %f1, %f2;", 1, 0x80000002).p == 1);
    CHECK(evaluate("setp.lt.ftz.f16 %p, %h1, %h2;", 1, 2).p == 0);
}

TEST_CASE("Comparisons of pairs give one predicate each") {
    for (const Kind &kind : {HALF, BFLOAT}) {
        const auto rows = triples(kind.format, 50);
        for (const Relation &relation : RELATIONS) {
            const auto named = [&](const std::string &head, const char *combination) {
                return head + relation.name + combination + "." + kind.name + "x2";
            };
            std::vector<Given> pairs;
            for (const Given &row : rows)
                pairs.push_back({row.b << 16 | row.a, row.a << 16 | row.c, row.c});
            const auto predicates = evaluate_all(named("setp.", "") + " %p|%q, %r1, %r2;", pairs);
            const auto either = evaluate_all(named("setp.", ".or") + " %p|%q, %r1, %r2, %p3;", pairs);
            const auto masks = evaluate_all(std::string("set.") + relation.name + ".u32." + kind.name + "x2 %r, %r1, %r2;", pairs);
            const auto ones = evaluate_all(
                std::string("set.") + relation.name + ".xor." + kind.name + "x2." + kind.name + "x2 %r, %r1, %r2, %p3;", pairs);
            for (size_t i = 0; i < rows.size(); i++) {
                const auto number = [&](uint64_t bits) { return kind.format.number(bits); };
                const bool low = relation.holds(number(rows[i].a), number(rows[i].c));
                const bool high = relation.holds(number(rows[i].b), number(rows[i].a));
                const bool with = rows[i].c % 2;
                INFO(relation.name << ' ' << kind.name << ' ' << rows[i].a << ' ' << rows[i].b << ' ' << rows[i].c);
                REQUIRE((predicates[i].p == low && predicates[i].q == high));
                REQUIRE((either[i].p == (low || with) && either[i].q == (high || with)));
                REQUIRE(masks[i].r == ((high ? 0xffff0000u : 0u) | (low ? 0xffffu : 0u)));
                REQUIRE(ones[i].r == ((high != with ? kind.format.one() << 16 : 0) | (low != with ? kind.format.one() : 0)));
            }
        }
    }
}

TEST_CASE("set on halves gives one or all ones") {
    CHECK(evaluate("set.lt.f16.f16 %h, %h1, %h2;", 0x3c00, 0x4000).h == 0x3c00);
    CHECK(evaluate("set.lt.f16.f16 %h, %h1, %h2;", 0x4000, 0x3c00).h == 0);
    CHECK(evaluate("set.ne.bf16.bf16 %h, %h1, %h2;", 0x3f80, 0x4000).h == 0x3f80);
    CHECK(evaluate("set.eq.u32.f16 %r, %h1, %h2;", 0x8000, 0).r == 0xffffffff);
    CHECK(evaluate("set.eq.s16.bf16 %h, %h1, %h2;", 0x8000, 0).h == 0xffff);
    CHECK(evaluate("set.gt.and.u32.f16 %r, %h1, %h2, %p3;", 0x4000, 0x3c00, 0).r == 0);
    CHECK(evaluate("set.eq.ftz.u32.f16 %r, %h1, %h2;", 1, 0).r == 0xffffffff);
}

TEST_CASE("testp says what a number is") {
    for (const Kind &kind : {SINGLE, DOUBLE})
        for (const uint64_t bits : corners(kind.format)) {
            const double value = kind.format.number(bits);
            const std::pair<const char *, bool> properties[] = {
                {"finite", std::isfinite(value)},
                {"infinite", std::isinf(value)},
                {"number", !std::isnan(value)},
                {"notanumber", std::isnan(value)},
                {"normal", std::isfinite(value) && !kind.format.is_subnormal(bits)},
                {"subnormal", kind.format.is_subnormal(bits)},
            };
            for (const auto &property : properties) {
                INFO(property.first << ' ' << kind.name << ' ' << bits);
                REQUIRE(
                    evaluate(std::string("testp.") + property.first + "." + kind.name + " %p, %" + kind.letter + "1;", bits).p ==
                    property.second);
            }
        }
}

TEST_CASE("Decimal literals are rounded to the type they are used as") {
    CHECK(evaluate("mov.f32 %f, 1.5e+3;", 0).f == bits(1.5e3f));
    CHECK(evaluate("mov.f32 %f, 0.1;", 0).f == bits(0.1f));
    CHECK(evaluate("mov.f64 %g, 0.1;", 0).g == bits(0.1));
    CHECK(evaluate("mov.f64 %g, -2.5E-300;", 0).g == bits(-2.5e-300));
    CHECK(evaluate("mov.f64 %g, 4e3;", 0).g == bits(4e3));
    CHECK(evaluate("mov.f64 %g, 1.;", 0).g == bits(1.0));
    CHECK(evaluate("add.f64 %g, %g1, 123456789012345678901234567890.5;", 0).g == bits(123456789012345678901234567890.5));
    for (const char *bad : {"1.5e", "1.5e+", "1.2.3", "1.5x", "1e5f"})
        CHECK(load(kernel_of(std::string(".reg .f32 %f; mov.f32 %f, ") + bad + ";")).result == PTX_INVALID);
    CHECK(load(kernel_of(".reg .b64 %d; mov.b64 %d, 1.5;")).result == PTX_INVALID);
}

TEST_CASE("Modifiers that an instruction does not have are refused") {
    for (const char *instruction :
         {"max.abs.f32 %f, %f1, %f2;", "max.xorsign.f32 %f, %f1, %f2;", "min.ftz.bf16 %h, %h1, %h2;", "add.sat.f64 %g, %g1, %g2;",
          "add.ftz.bf16 %h, %h1, %h2;", "setp.eq.ftz.bf16 %p, %h1, %h2;", "fma.f32 %f, %f1, %f2, %f3;", "div.f32 %f, %f1, %f2;",
          "fma.rn.sat.relu.f16 %h, %h1, %h2, %h3;", "cvt.f16.f32 %h, %f1;", "cvt.rn.sat.bf16.f32 %h, %f1;",
          "cvt.rn.f16.f16 %h, %h1;", "cvt.sat.f32.bf16 %f, %h1;", "ex2.approx.bf16 %h, %h1;"}) {
        const Loaded made = load(kernel_around(instruction));
        INFO(instruction << ": " << made.log);
        CHECK(made.result != PTX_OK);
    }
}
