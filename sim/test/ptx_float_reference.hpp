// SPDX-License-Identifier: MIT OR Apache-2.0
#ifndef CUSIM_TEST_PTX_FLOAT_REFERENCE_HPP
#define CUSIM_TEST_PTX_FLOAT_REFERENCE_HPP

// What floating-point instructions should give, found another way than the interpreter's: a result is searched for among all
// numbers of its format by comparing them with the exact one.

#include "ptx_support.hpp"

#include <algorithm>
#include <functional>
#include <random>

#ifdef __SIZEOF_FLOAT128__
using Quad = __float128; // 113 bits: products of doubles are exact, and comparisons of sums can be
#else
using Quad = long double;
#endif

enum class Rounding { NEAREST, AWAY, ZERO, DOWN, UP };

const std::pair<const char *, Rounding> ROUNDINGS[] = {
    {"rn", Rounding::NEAREST}, {"rz", Rounding::ZERO}, {"rm", Rounding::DOWN}, {"rp", Rounding::UP}};

struct Format {
    int exponent_bits;
    int fraction_bits;
    uint64_t largest;
    uint64_t nan;

    uint64_t sign() const {
        return uint64_t{1} << (exponent_bits + fraction_bits);
    }
    uint64_t infinity() const {
        return ((uint64_t{1} << exponent_bits) - 1) << fraction_bits;
    }
    uint64_t one() const {
        return ((uint64_t{1} << (exponent_bits - 1)) - 1) << fraction_bits;
    }
    bool is_nan(uint64_t bits) const {
        return (bits & (sign() - 1)) > largest && (bits & (sign() - 1)) != infinity();
    }
    bool is_subnormal(uint64_t bits) const {
        return (bits & (sign() - 1)) >> fraction_bits == 0 && (bits & (sign() - 1)) != 0;
    }
    uint64_t flush(uint64_t bits) const {
        return is_subnormal(bits) ? bits & sign() : bits;
    }
    Quad value(uint64_t bits) const {
        const Quad value = value_of_magnitude(bits & (sign() - 1));
        return bits & sign() ? -value : value;
    }
    /// Of the bits of a finite number without a sign, or of those that follow the largest.
    Quad value_of_magnitude(uint64_t magnitude) const {
        const int bias = (1 << (exponent_bits - 1)) - 1;
        const int exponent = std::max(static_cast<int>(magnitude >> fraction_bits), 1);
        const uint64_t hidden = magnitude >> fraction_bits ? uint64_t{1} << fraction_bits : 0;
        Quad value = static_cast<double>(hidden | (magnitude & ((uint64_t{1} << fraction_bits) - 1)));
        value *= std::ldexp(1.0, std::max(exponent - bias - fraction_bits, -1000));
        value *= std::ldexp(1.0, std::min(exponent - bias - fraction_bits + 1000, 0));
        return value;
    }
    double number(uint64_t bits) const {
        if (is_nan(bits))
            return NAN;
        const bool infinite = (bits & (sign() - 1)) > largest;
        const double magnitude = infinite ? INFINITY : static_cast<double>(value(bits & (sign() - 1)));
        return bits & sign() ? -magnitude : magnitude;
    }
};

constexpr Format F16{5, 10, 0x7bff, 0x7fff};
constexpr Format BF16{8, 7, 0x7f7f, 0x7fff};
constexpr Format F32{8, 23, 0x7f7fffff, 0x7fffffff};
constexpr Format F64{11, 52, 0x7fefffffffffffff, 0x7fffffffffffffff};
constexpr Format E4M3{4, 3, 0x7e, 0x7f};
constexpr Format E5M2{5, 2, 0x7b, 0x7f};
constexpr Format E2M1{2, 1, 0x7, 0x7};
constexpr Format E2M3{2, 3, 0x1f, 0x1f};
constexpr Format E3M2{3, 2, 0x1f, 0x1f};

/// Says how the exact result's magnitude compares with a number: below 0, 0, above 0.
using Comparison = std::function<int(Quad)>;

/// The number of a format that the exact result, neither 0 nor infinite, rounds to.
inline uint64_t rounded(const Format &format, bool negative, const Comparison &exact_to, Rounding rounding) {
    uint64_t below = 0;
    uint64_t above = format.largest + 1;
    while (above - below > 1) {
        const uint64_t middle = below + (above - below) / 2;
        (exact_to(format.value_of_magnitude(middle)) >= 0 ? below : above) = middle;
    }
    const int to_below = exact_to(format.value_of_magnitude(below));
    const int to_middle = exact_to((format.value_of_magnitude(below) + format.value_of_magnitude(above)) / 2);
    bool up = false;
    if (rounding == Rounding::NEAREST)
        up = to_middle > 0 || (to_middle == 0 && below % 2);
    else if (rounding == Rounding::AWAY)
        up = to_middle >= 0;
    else
        up = to_below > 0 && ((rounding == Rounding::UP && !negative) || (rounding == Rounding::DOWN && negative));
    const uint64_t magnitude = up ? above : below;
    return (magnitude > format.largest ? format.infinity() : magnitude) | (negative ? format.sign() : 0);
}

inline int sign_of(Quad value) {
    return value < 0 ? -1 : value > 0;
}

/// One that a Quad holds.
inline uint64_t rounded(const Format &format, Quad exact, Rounding rounding) {
    const Quad magnitude = exact < 0 ? -exact : exact;
    return rounded(
        format, exact < 0, [=](Quad number) { return sign_of(magnitude - number); }, rounding);
}

/// a + b: what a Quad cannot hold of the sum decides where the rest is equal.
inline uint64_t rounded_sum(const Format &format, Quad a, Quad b, Rounding rounding) {
    const Quad sum = a + b;
    if (sum == 0) {
        const bool negative = rounding == Rounding::DOWN
                                  ? !(!std::signbit(static_cast<double>(a)) && !std::signbit(static_cast<double>(b)))
                                  : std::signbit(static_cast<double>(a)) && std::signbit(static_cast<double>(b));
        return negative ? format.sign() : 0;
    }
    const Quad added = sum - a;
    const Quad rest = (a - (sum - added)) + (b - added);
    const int sign = sign_of(sum);
    const auto exact_to = [=](Quad number) {
        const int found = sign_of(sum * sign - number);
        return found ? found : sign_of(rest * sign);
    };
    return rounded(format, sign < 0, exact_to, rounding);
}

enum class Operation { ADD, SUBTRACT, MULTIPLY, MULTIPLY_ADD, DIVIDE, ROOT };

/// Infinities and NaNs, whose results are the same in every format; a zero otherwise has but its sign to find.
inline double special_result(Operation operation, double a, double b, double c) {
    switch (operation) {
    case Operation::ADD:
        return a + b;
    case Operation::SUBTRACT:
        return a - b;
    case Operation::MULTIPLY:
        return a * b;
    case Operation::MULTIPLY_ADD:
        return std::isfinite(a) && std::isfinite(b) ? c : a * b + (std::isfinite(c) ? 0 : c);
    case Operation::DIVIDE:
        return a / b;
    default:
        return std::sqrt(a);
    }
}

inline uint64_t bits_of_special(const Format &format, double value) {
    const uint64_t sign = std::signbit(value) ? format.sign() : 0;
    return std::isnan(value) ? format.nan : (std::isinf(value) ? format.infinity() : 0) | sign;
}

inline uint64_t rounded_product(const Format &format, Quad a, Quad b, bool negative, Rounding rounding) {
    return a == 0 || b == 0 ? (negative ? format.sign() : 0) : rounded(format, a * b, rounding);
}

/// The bits of what an operation on numbers of one format gives.
inline uint64_t expected(Operation operation, const Format &format, Rounding rounding, uint64_t a, uint64_t b, uint64_t c) {
    const double x = format.number(a), y = format.number(b), z = format.number(c);
    const bool of_two = operation != Operation::ROOT, of_three = operation == Operation::MULTIPLY_ADD;
    const bool special = !std::isfinite(x) || (of_two && !std::isfinite(y)) || (of_three && !std::isfinite(z));
    const bool impossible = (operation == Operation::DIVIDE && y == 0) || (operation == Operation::ROOT && x <= 0);
    if (special || impossible)
        return bits_of_special(format, special_result(operation, x, y, z));
    const bool negative = std::signbit(x) != std::signbit(y);
    const Quad p = x, q = y;
    switch (operation) {
    case Operation::ADD:
        return rounded_sum(format, x, y, rounding);
    case Operation::SUBTRACT:
        return rounded_sum(format, x, -y, rounding);
    case Operation::MULTIPLY:
        return rounded_product(format, x, y, negative, rounding);
    case Operation::MULTIPLY_ADD:
        return rounded_sum(format, p * q, z, rounding);
    case Operation::DIVIDE: {
        const Quad dividend = x < 0 ? -x : x, divisor = y < 0 ? -y : y;
        if (x == 0)
            return negative ? format.sign() : 0;
        return rounded(
            format, negative, [=](Quad number) { return sign_of(dividend - number * divisor); }, rounding);
    }
    default:
        return rounded(
            format, false, [=](Quad number) { return sign_of(p - number * number); }, rounding);
    }
}

/// Numbers where something happens: zeros, subnormals, around 1, the ends, infinities, NaNs.
inline std::vector<uint64_t> corners(const Format &format) {
    const uint64_t normal = uint64_t{1} << format.fraction_bits;
    const uint64_t some[] = {0,
                             1,
                             2,
                             normal / 2,
                             normal - 1,
                             normal,
                             normal + 1,
                             format.one() - 1,
                             format.one(),
                             format.one() + 1,
                             format.one() + normal / 2,
                             format.one() + normal,
                             format.largest / 2,
                             format.largest - 1,
                             format.largest,
                             format.infinity(),
                             format.infinity() + 1,
                             format.nan};
    std::vector<uint64_t> all;
    for (const uint64_t bits : some)
        all.insert(all.end(), {bits, bits | format.sign()});
    return all;
}

inline uint64_t random_number(const Format &format, std::mt19937_64 &random, uint64_t near) {
    const uint64_t mask = format.sign() * 2 - 1;
    if (random() % 3 == 0) // of a similar size, for sums that cancel and halfway cases
        return (near ^ (random() & ((uint64_t{4} << format.fraction_bits) - 1))) & mask;
    if (random() % 4 == 0)
        return (random() & ~(mask >> (format.exponent_bits + 4))) & mask; // few bits
    return random() & mask;
}

/// Every pair of corners with some third number, and random triples.
inline std::vector<Given> triples(const Format &format, size_t count) {
    std::mt19937_64 random(format.largest + count);
    std::vector<Given> all;
    const auto some = corners(format);
    for (const uint64_t a : some)
        for (const uint64_t b : some)
            all.push_back({a, b, some[random() % some.size()]});
    while (all.size() < some.size() * some.size() + count) {
        const uint64_t a = random_number(format, random, random());
        const uint64_t b = random_number(format, random, a);
        all.push_back({a, b, random_number(format, random, random() % 2 ? a : b)});
    }
    return all;
}

#endif
