// SPDX-License-Identifier: MIT OR Apache-2.0
// Video instructions, against the ISA's description of each step.

#include "ptx_reference.hpp"

#include <functional>

namespace {

using Operation = std::function<Wide(Wide, Wide)>;

struct Part {
    const char *text;
    int shift, bits;
};
const Part PARTS[] = {{"", 0, 32}, {".b0", 0, 8}, {".b1", 8, 8}, {".b2", 16, 8}, {".b3", 24, 8}, {".h0", 0, 16}, {".h1", 16, 16}};
const bool SIGNS[] = {false, true};

std::string type(bool is_signed) {
    return is_signed ? ".s32" : ".u32";
}

Wide number(uint64_t value, int shift, int bits, bool is_signed) {
    const Wide part = value >> shift & ((UINT64_C(1) << bits) - 1);
    return is_signed && part >= Wide{1} << (bits - 1) ? part - (Wide{1} << bits) : part;
}

Wide number(uint64_t value, const Part &part, bool is_signed) {
    return number(value, part.shift, part.bits, is_signed);
}

Wide limited(Wide value, int bits, bool is_signed) {
    const Wide highest = (Wide{1} << (is_signed ? bits - 1 : bits)) - 1;
    return std::min(std::max(value, is_signed ? -highest - 1 : Wide{0}), highest);
}

/// Bytes and halves about their limits.
const std::vector<Given> &rows() {
    static const std::vector<Given> made = [] {
        const uint64_t values[] = {0,          1,          0x7f7f7f7f, 0x80808080, 0xffffffff, 0x7fffffff,
                                   0x80000000, 0x7fff8000, 0x8001ff7f, 0x12345678, 0x00ff0100, 0x0000001f};
        std::vector<Given> all;
        for (const uint64_t a : values)
            for (const uint64_t b : values)
                all.push_back({a, b, values[all.size() * 7 % 12]});
        return all;
    }();
    return made;
}

struct Signs {
    bool d, a, b;
};

std::string selected(const char *letter, const Part &part) {
    return std::string("%r") + letter + part.text;
}

/// An instruction on parts of its operands: all of it, a part merged, and with a second operation.
void check_parts(const std::string &mnemonic, const Part &of_a, const Part &of_b, size_t turn, const Signs &signs,
                 const std::function<Wide(const Given &, int)> &made) {
    const std::string sources = ", " + selected("1", of_a) + ", " + selected("2", of_b);
    agrees(mnemonic + " %r" + sources + ";", &Registers::r, rows(),
           [&](const Given &given) { return static_cast<uint32_t>(made(given, 32)); });
    const Part &of_d = PARTS[1 + turn % 6];
    agrees(mnemonic + " " + selected("", of_d) + sources + ", %r3;", &Registers::r, rows(), [&](const Given &given) {
        const uint32_t mask = static_cast<uint32_t>(((UINT64_C(1) << of_d.bits) - 1) << of_d.shift);
        const uint32_t part = static_cast<uint32_t>(made(given, of_d.bits)) << of_d.shift;
        return (part & mask) | (static_cast<uint32_t>(given.c) & ~mask);
    });
    const char *const seconds[] = {".add", ".min", ".max"};
    agrees(mnemonic + seconds[turn % 3] + " %r" + sources + ", %r3;", &Registers::r, rows(), [&](const Given &given) {
        const Wide first = made(given, 32), c = number(given.c, PARTS[0], signs.d);
        return static_cast<uint32_t>(turn % 3 == 0 ? first + c : turn % 3 == 1 ? std::min(first, c) : std::max(first, c));
    });
}

/// Each part of each operand, saturated or not.
void check_scalar(const std::string &name, const std::string &mode, const Signs &signs, bool may_saturate, const Operation &make) {
    for (size_t turn = 0; turn < 14; turn++) {
        const bool saturates = may_saturate && turn >= 7;
        const Part &of_a = PARTS[turn % 7], &of_b = PARTS[turn * 3 % 7];
        check_parts(name + (saturates ? ".sat" : "") + mode, of_a, of_b, turn, signs, [&](const Given &given, int bits) {
            const Wide result = make(number(given.a, of_a, signs.a), number(given.b, of_b, signs.b));
            return saturates ? limited(result, bits, signs.d) : result;
        });
    }
    check_parts(name + (may_saturate ? ".sat" : "") + mode, PARTS[0], PARTS[0], 5, signs, [&](const Given &given, int bits) {
        const Wide result = make(number(given.a, PARTS[0], signs.a), number(given.b, PARTS[0], signs.b));
        return may_saturate ? limited(result, bits, signs.d) : result;
    });
}

void for_signs(const std::function<void(const Signs &, const std::string &)> &action) {
    for (const bool d : SIGNS)
        for (const bool a : SIGNS)
            for (const bool b : SIGNS)
                action({d, a, b}, type(d) + type(a) + type(b));
}

const std::pair<const char *, Operation> ARITHMETIC[] = {
    {"vadd", [](Wide a, Wide b) { return a + b; }},
    {"vsub", [](Wide a, Wide b) { return a - b; }},
    {"vabsdiff", [](Wide a, Wide b) { return std::max(a, b) - std::min(a, b); }},
    {"vmin", [](Wide a, Wide b) { return std::min(a, b); }},
    {"vmax", [](Wide a, Wide b) { return std::max(a, b); }}};

const std::pair<const char *, Operation> COMPARISONS[] = {
    {".eq", [](Wide a, Wide b) { return a == b; }}, {".ne", [](Wide a, Wide b) { return a != b; }},
    {".lt", [](Wide a, Wide b) { return a < b; }},  {".le", [](Wide a, Wide b) { return a <= b; }},
    {".gt", [](Wide a, Wide b) { return a > b; }},  {".ge", [](Wide a, Wide b) { return a >= b; }}};

} // namespace

TEST_CASE("Scalar video arithmetic on parts of registers") {
    for (const auto &each : ARITHMETIC)
        for_signs(
            [&](const Signs &signs, const std::string &types) { check_scalar(each.first + types, "", signs, true, each.second); });
}

TEST_CASE("Scalar video shifts") {
    for (const bool wraps : {false, true}) {
        const auto count = [=](Wide b) { return static_cast<int>(wraps ? b & 31 : std::min<Wide>(b, 32)); };
        for (const bool d : SIGNS)
            for (const bool a : SIGNS) {
                const std::string types = type(d) + type(a) + ".u32", mode = wraps ? ".wrap" : ".clamp";
                check_scalar("vshl" + types, mode, {d, a, false}, true, [=](Wide x, Wide b) { return x * (Wide{1} << count(b)); });
                check_scalar("vshr" + types, mode, {d, a, false}, true, [=](Wide x, Wide b) {
                    const Wide divisor = Wide{1} << count(b);
                    return x < 0 ? -((-x + divisor - 1) / divisor) : x / divisor;
                });
            }
    }
}

TEST_CASE("Scalar video comparisons") {
    for (const auto &each : COMPARISONS)
        for (const bool a : SIGNS)
            for (const bool b : SIGNS)
                check_scalar("vset" + type(a) + type(b) + each.first, "", {false, a, b}, false, each.second);
}

TEST_CASE("Multiplication and addition of parts, negated, scaled and saturated") {
    const char *const scales[] = {"", ".shr7", ".shr15"};
    const char *const negations[][3] = {{"", "", ""}, {"-", "", ""}, {"", "-", ""}, {"-", "-", ""}, {"", "", "-"}};
    for (const bool a : SIGNS)
        for (const bool b : SIGNS)
            for (const bool saturates : SIGNS)
                for (size_t scale = 0; scale < 3; scale++) {
                    const Part &of_a = PARTS[scale], &of_b = PARTS[scale * 3];
                    const std::string tail = std::string(saturates ? ".sat" : "") + scales[scale] + " %r, ";
                    const std::string one = "%r1" + std::string(of_a.text), two = "%r2" + std::string(of_b.text);
                    const auto finish = [=](Wide sum, bool is_signed) {
                        const Wide scaled = sum >> (scale == 0 ? 0 : scale * 8 - 1);
                        return static_cast<uint32_t>(saturates ? limited(scaled, 32, is_signed) : scaled);
                    };
                    for (const auto &minus : negations) {
                        const bool negative = (*minus[0] == '-') != (*minus[1] == '-'), minus_c = *minus[2] == '-';
                        const bool is_signed = a || b || negative || minus_c;
                        agrees("vmad" + type(is_signed) + type(a) + type(b) + tail + minus[0] + one + ", " + minus[1] + two + ", " +
                                   minus[2] + "%r3;",
                               &Registers::r, rows(), [&](const Given &given) {
                                   const Wide product = number(given.a, of_a, a) * number(given.b, of_b, b);
                                   const Wide c = number(minus_c ? ~given.c : given.c, PARTS[0], is_signed);
                                   return finish((negative ? -product : product) + c + minus_c, is_signed);
                               });
                    }
                    agrees("vmad" + type(a || b) + type(a) + type(b) + ".po" + tail + one + ", " + two + ", %r3;", &Registers::r,
                           rows(), [&](const Given &given) {
                               const Wide product = number(given.a, of_a, a) * number(given.b, of_b, b);
                               return finish(product + number(given.c, PARTS[0], a || b) + 1, a || b);
                           });
                }
}

namespace {

/// Two halves or four bytes at once: some ways to choose them, and masks.
struct Lanes {
    int count;
    const char *mask;
    unsigned written; // a bit for each
    const char *of_a, *of_b;
    int a[4], b[4]; // where each, from the lowest, is in the pair of registers
};
const Lanes LANES[] = {
    {2, "", 3, "", "", {0, 1}, {2, 3}},
    {2, ".h10", 3, ".h32", ".h01", {2, 3}, {1, 0}},
    {2, ".h1", 2, ".h30", ".h22", {0, 3}, {2, 2}},
    {2, ".h0", 1, "", ".h13", {0, 1}, {3, 1}},
    {4, "", 15, "", "", {0, 1, 2, 3}, {4, 5, 6, 7}},
    {4, ".b3210", 15, ".b7654", ".b0123", {4, 5, 6, 7}, {3, 2, 1, 0}},
    {4, ".b20", 5, ".b7070", ".b5555", {0, 7, 0, 7}, {5, 5, 5, 5}},
    {4, ".b310", 11, ".b1234", "", {4, 3, 2, 1}, {4, 5, 6, 7}},
    {4, ".b2", 4, "", ".b6420", {0, 1, 2, 3}, {0, 2, 4, 6}},
};

void check_lanes(const std::string &name, const std::string &tail, const Signs &signs, bool may_saturate, const Operation &make) {
    for (const Lanes &lanes : LANES) {
        const int bits = 32 / lanes.count;
        const std::string operands = std::string(" %r") + lanes.mask + ", %r1" + lanes.of_a + ", %r2" + lanes.of_b + ", %r3;";
        const std::string mnemonic = name + std::to_string(lanes.count) + tail;
        const auto lane = [&](const Given &given, int i) {
            const uint64_t pair = (given.a & 0xffffffff) | given.b << 32;
            return make(number(pair, lanes.a[i] * bits, bits, signs.a), number(pair, lanes.b[i] * bits, bits, signs.b));
        };
        for (const bool saturates : {false, may_saturate})
            agrees(mnemonic + (saturates ? ".sat" : "") + operands, &Registers::r, rows(), [&](const Given &given) {
                uint32_t result = 0;
                for (int i = 0; i < lanes.count; i++) {
                    const Wide made = saturates ? limited(lane(given, i), bits, signs.d) : lane(given, i);
                    const Wide element = lanes.written >> i & 1 ? made : number(given.c, i * bits, bits, false);
                    result |= (static_cast<uint32_t>(element) & (0xffffffff >> (32 - bits))) << (i * bits);
                }
                return result;
            });
        agrees(mnemonic + ".add" + operands, &Registers::r, rows(), [&](const Given &given) {
            Wide sum = given.c;
            for (int i = 0; i < lanes.count; i++)
                sum += lanes.written >> i & 1 ? lane(given, i) : 0;
            return static_cast<uint32_t>(sum);
        });
    }
}

} // namespace

TEST_CASE("Video arithmetic on halves and bytes at once") {
    for (const auto &each : ARITHMETIC)
        for_signs([&](const Signs &signs, const std::string &types) { check_lanes(each.first, types, signs, true, each.second); });
    for_signs([&](const Signs &signs, const std::string &types) {
        check_lanes("vavrg", types, signs, true, [](Wide a, Wide b) { return a + b >= 0 ? (a + b + 1) / 2 : -((1 - a - b) / 2); });
    });
}

TEST_CASE("Video comparisons of halves and bytes at once") {
    for (const auto &each : COMPARISONS)
        for (const bool a : SIGNS)
            for (const bool b : SIGNS)
                check_lanes("vset", type(a) + type(b) + each.first, {false, a, b}, false, each.second);
}

TEST_CASE("Video instructions take immediates, and no selector that they do not have") {
    CHECK(evaluate("vadd.s32.s32.s32 %r.h1, -1, %r2.b0, 5;", 0, 0x80).r == 0xff7f0005);
    const char *const refused[] = {
        "vadd.u32.u32.u32 %r.b0, %r1, %r2;", // what of the other bytes?
        "vadd.u32.u32.u32 %r, %r1, %r2, %r3;",
        "vadd.u32.u32.u32.add %r.b0, %r1, %r2, %r3;",
        "vadd.u32.u32.u32 %r, %r1.b4, %r2;",
        "vadd.u32.u32.u32 %r, %r1.h2, %r2;",
        "vadd.u32.u32.u32 %r, %r1.b10, %r2;",
        "vadd.u32.u32.u32 %r, -%r1, %r2;",
        "vadd.u32.u32.u32 %r, %h1, %r2;",
        "vadd2.u32.u32.u32 %r, %r1, %r2;",
        "vadd2.u32.u32.u32 %r, %r1.h4, %r2, %r3;",
        "vadd2.u32.u32.u32 %r, %r1.h40, %r2, %r3;",
        "vadd2.u32.u32.u32 %r.h01, %r1, %r2, %r3;",
        "vadd2.u32.u32.u32 %r, %r1.b10, %r2, %r3;",
        "vadd4.u32.u32.u32 %r.b00, %r1, %r2, %r3;",
        "vadd4.u32.u32.u32 %r.b4, %r1, %r2, %r3;",
        "vadd4.u32.u32.u32 %r, %r1.b321, %r2, %r3;",
        "vmad.u32.u32.u32.po %r, %r1, %r2, -%r3;",
        "vmad.u32.u32.u32 %r, %r1, %r2, %r3.b0;",
        "add.u32 %r, -%r1, %r2;",
        "add.u32 %r, %r1.b0, %r2;",
        "add.u32 %r.b0, %r1, %r2;",
        "ld.global.u32 %r, [%d1.b0];",
        "mov.b32 %r, {%h1.b0, %h2};",
        "setp.eq.u32 %p, %r1.b0, %r2;",
        "mov.b32 %r, -%tid;",
    };
    for (const char *instruction : refused) {
        INFO(instruction);
        CHECK(load(kernel_around(instruction)).result == PTX_INVALID);
    }
    const char *const unknown[] = {"vadd2.u32.u32.u32.sat.add %r, %r1, %r2, %r3;", "vset4.u32.u32.ne.max %r, %r1, %r2, %r3;",
                                   "vset.u32.u32.lo %r, %r1, %r2;", "vshl.u32.u32.s32.clamp %r, %r1, %r2;"};
    for (const char *instruction : unknown) {
        INFO(instruction);
        CHECK(load(kernel_around(instruction)).result == PTX_NOT_SUPPORTED);
    }
}
