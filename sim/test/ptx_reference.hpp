// SPDX-License-Identifier: MIT OR Apache-2.0
#ifndef CUSIM_TEST_PTX_REFERENCE_HPP
#define CUSIM_TEST_PTX_REFERENCE_HPP

// Instructions on integers against computations written without a look at the interpreter's, for the values at which they turn.

#include "ptx_support.hpp"

#include <sstream>
#include <tuple>
#include <type_traits>

__extension__ typedef __int128 Wide;
__extension__ typedef unsigned __int128 WideUnsigned;

/// Zero, one, minus one, lowest and highest numbers of every width, counts about every width.
inline const std::vector<uint64_t> VALUES = {
    0,          1,          2,          7,          8,          15,          16,         31,         32,
    33,         63,         64,         65,         0x7f,       0x80,        0xff,       0x100,      0x7fff,
    0x8000,     0xffff,     0x10000,    0x7fffff,   0x800000,   0xffffff,    0x12345678, 0x7fffffff, 0x80000000,
    0x80000001, 0xffff8000, 0xffffff80, 0xfffffffe, 0xffffffff, 0x100000000, INT64_MAX,  1ull << 63, 0xfedcba9876543210,
    ALL - 1,    ALL};

inline std::vector<Given> singles() {
    std::vector<Given> rows;
    for (const uint64_t a : VALUES)
        for (int shift = 0; shift < 64; shift++)
            rows.push_back({a << shift, 0, 0});
    return rows;
}

/// All pairs of a and b, c going round.
inline std::vector<Given> pairs() {
    std::vector<Given> rows;
    size_t next = 0;
    for (const uint64_t a : VALUES)
        for (const uint64_t b : VALUES)
            rows.push_back({a, b, VALUES[next++ * 5 % VALUES.size()]});
    return rows;
}

/// Each value as a, with all pairs of b and c below 256 that count bits: positions and lengths of fields.
inline std::vector<Given> fields() {
    const uint64_t counts[] = {0, 1, 5, 8, 16, 31, 32, 33, 40, 63, 64, 65, 100, 255, 256, 257, 0xffffffff};
    std::vector<Given> rows;
    for (const uint64_t a : VALUES)
        for (const uint64_t b : counts)
            for (const uint64_t c : counts)
                rows.push_back({a, b, c});
    return rows;
}

/// Checks `instruction`, which writes the register `result`, on all rows. `expected` is called with each.
template <class Reference>
void agrees(const std::string &instruction, uint64_t Registers::*result, const std::vector<Given> &rows, Reference expected) {
    const std::vector<Registers> made = evaluate_all(instruction, rows);
    for (size_t i = 0; i < rows.size(); i++) {
        const uint64_t wanted = static_cast<uint64_t>(expected(rows[i]));
        if (made[i].*result != wanted) {
            std::ostringstream what;
            what << instruction << std::hex << " of " << rows[i].a << ", " << rows[i].b << ", " << rows[i].c << ": "
                 << made[i].*result << ", not " << wanted;
            FAIL_CHECK(what.str());
            return;
        }
    }
    SUCCEED(instruction);
}

/// A PTX type: its name, its registers' letter and where their values are found.
template <class T> struct Type {
    static constexpr int bits = static_cast<int>(sizeof(T)) * 8;
    static std::string name() {
        return (std::is_signed<T>::value ? "s" : "u") + std::to_string(bits);
    }
    static const char *letter() {
        return bits == 16 ? "h" : bits == 32 ? "r" : "d";
    }
    static constexpr uint64_t Registers::*result = bits == 16 ? &Registers::h : bits == 32 ? &Registers::r : &Registers::d;
};

/// "mnemonic %r, %r1, %r2;": each letter one register, the first of them written.
inline std::string text(const std::string &mnemonic, const std::string &letters) {
    std::string made = mnemonic + " %" + letters[0];
    for (size_t i = 1; i < letters.size(); i++)
        made += std::string(", %") + letters[i] + std::to_string(i);
    return made + ";";
}

/// "mnemonic.type" on `count` operands of that type.
template <class T> std::string text_of(const std::string &mnemonic, size_t count) {
    std::string letters;
    for (size_t i = 0; i < count; i++)
        letters += Type<T>::letter();
    return text(mnemonic + "." + Type<T>::name(), letters);
}

/// Checks an instruction of two or three operands of a type: `expected(a, b, c)` gives what wraps to the result.
template <class T, class Reference>
void agrees_on(const std::string &mnemonic, size_t count, Reference expected, const std::vector<Given> &rows = pairs()) {
    agrees(text_of<T>(mnemonic, count + 1), Type<T>::result, rows, [&](const Given &given) {
        using Unsigned = std::make_unsigned_t<T>;
        return static_cast<Unsigned>(expected(static_cast<T>(given.a), static_cast<T>(given.b), static_cast<T>(given.c)));
    });
}

template <class... T, class Action> void for_types(Action action) {
    (action(T{}), ...);
}

template <class Action> void for_all_types(Action action) {
    for_types<uint16_t, int16_t, uint32_t, int32_t, uint64_t, int64_t>(action);
}

template <class T> T clamped(Wide value) {
    return static_cast<T>(std::min<Wide>(std::max<Wide>(value, std::numeric_limits<T>::min()), std::numeric_limits<T>::max()));
}

#endif
