// SPDX-License-Identifier: MIT OR Apache-2.0
// Instructions on bits, each against the bit by bit description of it.

#include "ptx_reference.hpp"

namespace {

bool bit(uint64_t value, uint64_t number) {
    return value >> number & 1;
}

std::vector<Given> shifts() {
    std::vector<Given> rows;
    for (const uint64_t a : VALUES)
        for (const uint64_t b : {0, 1, 5, 15, 16, 17, 31, 32, 33, 63, 64, 65, 127, 128, 256, -1})
            rows.push_back({a, static_cast<uint32_t>(b), ~a * 3});
    return rows;
}

} // namespace

TEST_CASE("Logic on bits and on predicates") {
    for_types<uint16_t, uint32_t, uint64_t>([](auto zero) {
        using T = decltype(zero);
        const std::string letter = Type<T>::letter(), type = ".b" + std::to_string(Type<T>::bits);
        const auto check = [&](const std::string &name, size_t sources, auto expected) {
            agrees(text(name + type, letter + std::string(sources, letter[0])), Type<T>::result, pairs(),
                   [&](const Given &given) { return static_cast<T>(expected(static_cast<T>(given.a), static_cast<T>(given.b))); });
        };
        check("and", 2, [](T a, T b) { return a & b; });
        check("or", 2, [](T a, T b) { return a | b; });
        check("xor", 2, [](T a, T b) { return a ^ b; });
        check("not", 1, [](T a, T) { return ~a; });
        check("cnot", 1, [](T a, T) { return a == 0; });
    });
    const std::vector<Given> all{{0, 0, 0}, {0, 1, 0}, {1, 0, 0}, {1, 1, 0}};
    agrees("and.pred %p, %p1, %p2;", &Registers::p, all, [](const Given &given) { return given.a & given.b; });
    agrees("or.pred %p, %p1, %p2;", &Registers::p, all, [](const Given &given) { return given.a | given.b; });
    agrees("xor.pred %p, %p1, %p2;", &Registers::p, all, [](const Given &given) { return given.a ^ given.b; });
    agrees("not.pred %p, %p1;", &Registers::p, all, [](const Given &given) { return !given.a; });
}

TEST_CASE("Shifts by any count") {
    for_all_types([](auto zero) {
        using T = decltype(zero);
        const std::string letter = Type<T>::letter(), bits = std::to_string(Type<T>::bits);
        const auto right = [](const Given &given) {
            T value = static_cast<T>(given.a);
            for (uint32_t i = 0; i < std::min<uint64_t>(given.b, 64); i++)
                value = static_cast<T>(value < 0 ? (Wide{value} - 1) / 2 : value / 2);
            return static_cast<std::make_unsigned_t<T>>(value);
        };
        const auto left = [](const Given &given) {
            std::make_unsigned_t<T> value = static_cast<std::make_unsigned_t<T>>(given.a);
            for (uint32_t i = 0; i < std::min<uint64_t>(given.b, 64); i++)
                value = static_cast<std::make_unsigned_t<T>>(value * 2);
            return value;
        };
        agrees(text("shr." + Type<T>::name(), letter + letter + "r"), Type<T>::result, shifts(), right);
        agrees(text("shl.b" + bits, letter + letter + "r"), Type<T>::result, shifts(), left);
        if (std::is_unsigned<T>::value)
            agrees(text("shr.b" + bits, letter + letter + "r"), Type<T>::result, shifts(), right);
    });
}

TEST_CASE("Funnel shifts") {
    for (const bool left : {false, true})
        for (const bool wraps : {false, true}) {
            const std::string name = std::string("shf.") + (left ? "l" : "r") + (wraps ? ".wrap" : ".clamp") + ".b32";
            agrees(text(name, "rrrr"), &Registers::r, fields(), [&](const Given &given) {
                const uint32_t c = static_cast<uint32_t>(given.c);
                const uint32_t count = wraps ? c % 32 : std::min(c, 32u);
                uint32_t result = 0;
                for (uint32_t i = 0; i < 32; i++) {
                    const uint32_t from = left ? 32 + i - count : i + count;
                    result |= uint32_t{bit(from < 32 ? given.a : given.b, from % 32)} << i;
                }
                return result;
            });
        }
}

TEST_CASE("All functions of three bits by their table") {
    const std::vector<Given> rows{{0xf0, 0xcc, 0xaa}, {0x12345678, 0xdeadbeef, 0x0f0f1234}, {0, 0, 0}, {ALL, ALL, ALL}};
    for (unsigned table = 0; table < 256; table++) {
        const auto result = [&](const Given &given) {
            uint32_t made = 0;
            for (int i = 0; i < 32; i++)
                made |= uint32_t{bit(table, bit(given.a, i) * 4 + bit(given.b, i) * 2 + bit(given.c, i))} << i;
            return made;
        };
        agrees("lop3.b32 %r, %r1, %r2, %r3, " + std::to_string(table) + ";", &Registers::r, rows, result);
        for (const bool is_or : {false, true})
            for (const bool negated : {false, true}) {
                const std::string operands = "|%p, %r1, %r2, %r3, " + std::to_string(table) + (negated ? ", !%p2;" : ", %p2;");
                const std::string name = is_or ? "lop3.or.b32 " : "lop3.and.b32 ";
                const auto tested = [&](const Given &given) {
                    const bool with = (given.b & 1) != negated;
                    return is_or ? result(given) != 0 || with : result(given) != 0 && with;
                };
                agrees(name + "%r" + operands, &Registers::r, rows, result);
                agrees(name + "_" + operands, &Registers::p, rows, tested);
            }
    }
}

TEST_CASE("Permutations of bytes") {
    std::vector<Given> rows;
    for (uint64_t control = 0; control < 0x20000; control += 0x1f7)
        for (const uint64_t a : {0x83028100u, 0x7f807f80u})
            rows.push_back({a, 0x87068504, control});
    for (uint64_t nibble = 0; nibble < 16; nibble++)
        rows.push_back({0x83028100, 0x07860584, nibble * 0x1111});
    const auto byte = [](const Given &given, uint32_t number) {
        return static_cast<uint32_t>(number < 4 ? given.a >> (8 * number) : given.b >> (8 * (number - 4))) & 0xff;
    };
    agrees("prmt.b32 %r, %r1, %r2, %r3;", &Registers::r, rows, [&](const Given &given) {
        uint32_t result = 0;
        for (int i = 0; i < 4; i++) {
            const uint32_t chosen = byte(given, given.c >> (4 * i) & 7);
            const bool is_sign = given.c >> (4 * i) & 8;
            result |= (!is_sign ? chosen : chosen > 0x7f ? 0xff : 0) << (8 * i);
        }
        return result;
    });
    // The bytes that go to the lowest place and upwards, as the ISA's table has them.
    const auto mode = [&](const std::string &name, auto place) {
        for (const std::string &each : {"prmt.b32." + name, "prmt." + name + ".b32"})
            agrees(text(each, "rrrr"), &Registers::r, rows, [&](const Given &given) {
                uint32_t result = 0;
                for (uint32_t i = 0; i < 4; i++)
                    result |= byte(given, place(static_cast<uint32_t>(given.c & 3), i)) << (8 * i);
                return result;
            });
    };
    mode("f4e", [](uint32_t c, uint32_t i) { return c + i; });
    mode("b4e", [](uint32_t c, uint32_t i) { return (c - i) & 7; });
    mode("rc8", [](uint32_t c, uint32_t) { return c; });
    mode("ecl", [](uint32_t c, uint32_t i) { return std::max(c, i); });
    mode("ecr", [](uint32_t c, uint32_t i) { return std::min(c, i); });
    mode("rc16", [](uint32_t c, uint32_t i) { return (c & 1) * 2 + (i & 1); });
}

TEST_CASE("Bits counted, reversed and found") {
    const auto check = [](auto zero) {
        using T = decltype(zero);
        const int width = Type<T>::bits;
        const std::string type = std::to_string(width), letter = Type<T>::letter();
        const auto highest = [](T value) {
            for (int i = width - 1; i >= 0; i--)
                if (bit(static_cast<uint64_t>(value), static_cast<uint64_t>(i)) != (value < 0))
                    return static_cast<uint32_t>(i);
            return UINT32_MAX;
        };
        agrees(text("bfind." + Type<T>::name(), "r" + letter), &Registers::r, singles(),
               [&](const Given &given) { return highest(static_cast<T>(given.a)); });
        agrees(text("bfind.shiftamt." + Type<T>::name(), "r" + letter), &Registers::r, singles(), [&](const Given &given) {
            const uint32_t found = highest(static_cast<T>(given.a));
            return found == UINT32_MAX ? found : static_cast<uint32_t>(width) - 1 - found;
        });
        if (std::is_signed<T>::value)
            return;
        agrees(text("popc.b" + type, "r" + letter), &Registers::r, singles(), [](const Given &given) {
            int count = 0;
            for (int i = 0; i < width; i++)
                count += bit(given.a, static_cast<uint64_t>(i));
            return count;
        });
        agrees(text("clz.b" + type, "r" + letter), &Registers::r, singles(),
               [&](const Given &given) { return static_cast<uint32_t>(width) - 1 - highest(static_cast<T>(given.a)); });
        agrees(text("brev.b" + type, letter + letter), Type<T>::result, singles(), [](const Given &given) {
            uint64_t reversed = 0;
            for (int i = 0; i < width; i++)
                reversed |= uint64_t{bit(given.a, static_cast<uint64_t>(i))} << (width - 1 - i);
            return reversed;
        });
    };
    for_types<uint32_t, int32_t, uint64_t, int64_t>(check);
}

TEST_CASE("The n-th bit set") {
    std::vector<Given> rows;
    for (const uint64_t mask : {0u, 1u, 0x80000000u, 0xffffffffu, 0xaaaaaaaau, 0x10010u})
        for (uint64_t base = 0; base < 32; base++)
            for (const int32_t offset : {0, 1, -1, 2, -2, 5, -5, 16, -16, 31, 32, 33, -32, -33, INT32_MAX, INT32_MIN})
                rows.push_back({mask, base, static_cast<uint32_t>(offset)});
    agrees("fns.b32 %r, %r1, %r2, %r3;", &Registers::r, rows, [](const Given &given) {
        const int64_t offset = static_cast<int32_t>(given.c);
        if (offset == 0)
            return bit(given.a, given.b) ? static_cast<uint32_t>(given.b) : UINT32_MAX;
        int64_t left = std::abs(offset);
        for (int position = static_cast<int>(given.b); position >= 0 && position<32; position += offset> 0 ? 1 : -1)
            if (bit(given.a, static_cast<uint64_t>(position)) && --left == 0)
                return static_cast<uint32_t>(position);
        return UINT32_MAX;
    });
    CHECK(evaluate("fns.b32 %r, 0xaaaaaaaa, 2, -1;", 0).r == 1);
}

TEST_CASE("Fields taken out and put in") {
    for_types<uint32_t, int32_t, uint64_t, int64_t>([](auto zero) {
        using T = decltype(zero);
        const uint64_t top = Type<T>::bits - 1, cut = top == 31 ? 0xff : 0xffffffff;
        const std::string letter = Type<T>::letter();
        agrees(text("bfe." + Type<T>::name(), letter + letter + "rr"), Type<T>::result, fields(), [&](const Given &given) {
            const uint64_t position = given.b & cut, length = given.c & cut;
            const bool sign = std::is_signed<T>::value && length && bit(given.a, std::min(position + length - 1, top));
            uint64_t result = 0;
            for (uint64_t i = 0; i <= top; i++)
                result |= uint64_t{i < length && position + i <= top ? bit(given.a, position + i) : sign} << i;
            return result;
        });
        if (std::is_signed<T>::value)
            return;
        const std::string type = ".b" + std::to_string(Type<T>::bits);
        const std::string into = letter == "r" ? "0x55aa33cc" : "0x55aa33cc0ff0a5a5";
        const std::string operands = " %" + letter + ", %" + letter + "1, " + into + ", %r2, %r3;";
        agrees("bfi" + type + operands, Type<T>::result, fields(), [&](const Given &given) {
            const uint64_t position = given.b & cut, length = given.c & cut;
            uint64_t result = std::stoull(into, nullptr, 16);
            for (uint64_t i = 0; i < length && position + i <= top; i++) {
                result &= ~(UINT64_C(1) << (position + i));
                result |= uint64_t{bit(given.a, i)} << (position + i);
            }
            return result;
        });
    });
}

TEST_CASE("Masks, and extensions from any bit") {
    for (const bool wraps : {false, true}) {
        const std::string mode = wraps ? ".wrap" : ".clamp";
        agrees(text("bmsk" + mode + ".b32", "rrr"), &Registers::r, pairs(), [&](const Given &given) {
            const uint64_t low = static_cast<uint32_t>(given.a), count = static_cast<uint32_t>(given.b);
            const uint64_t from = wraps ? low % 32 : low, width = wraps ? count % 32 : count;
            uint32_t mask = 0;
            for (uint64_t i = from; i < 32 && i < from + width; i++)
                mask |= 1u << i;
            return mask;
        });
        for (const bool is_signed : {false, true})
            agrees(text("szext" + mode + (is_signed ? ".s32" : ".u32"), "rrr"), &Registers::r, pairs(), [&](const Given &given) {
                const uint32_t b = static_cast<uint32_t>(given.b);
                const uint32_t count = wraps ? b % 32 : std::min(b, 32u);
                uint32_t result = 0;
                for (uint32_t i = 0; i < 32; i++)
                    result |= uint32_t{i < count ? bit(given.a, i) : count && is_signed && bit(given.a, count - 1)} << i;
                return result;
            });
    }
}
