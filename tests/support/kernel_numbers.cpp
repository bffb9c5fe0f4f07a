// SPDX-License-Identifier: MIT OR Apache-2.0
#include "kernel_numbers.hpp"

#include <cinttypes>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <map>
#include <sstream>

namespace test {

namespace {

/// Pseudo-random numbers, the same everywhere (splitmix64).
class Random {
  public:
    explicit Random(uint64_t seed) : state_(seed) {
    }
    uint64_t next() {
        uint64_t mixed = state_ += 0x9e3779b97f4a7c15;
        mixed = (mixed ^ (mixed >> 30)) * 0xbf58476d1ce4e5b9;
        mixed = (mixed ^ (mixed >> 27)) * 0x94d049bb133111eb;
        return mixed ^ (mixed >> 31);
    }

  private:
    uint64_t state_;
};

/// A type of input: its width, its special values, and where its exponent lies if it is one of real numbers.
struct InputType {
    unsigned bits;
    unsigned fraction_bits; ///< 0 for integers
    uint64_t one;           ///< 1.0
    std::vector<uint64_t> special;
};

const std::map<std::string, InputType> input_types = {
    {"u32", {32, 0, 0, {0,          1,          2,          3,          7,          0x7f,       0x80,       0xff,
                        0x100,      0x7fff,     0x8000,     0xffff,     0x10000,    0x55555555, 0xaaaaaaaa, 0x7fffffff,
                        0x80000000, 0x80000001, 0xfffffffe, 0xffffffff, 0xffff8000, 0xffffff80, 0x01000000, 0x00800000}}},
    {"u64",
     {64,
      0,
      0,
      {0,
       1,
       2,
       0x7f,
       0x80,
       0xff,
       0x7fff,
       0x8000,
       0xffff,
       0x7fffffff,
       0x80000000,
       0xffffffff,
       0x100000000,
       0x7fffffffffffffff,
       0x8000000000000000,
       0x8000000000000001,
       0xfffffffffffffffe,
       0xffffffffffffffff,
       0xffffffff80000000,
       0xffffffff7fffffff,
       0x5555555555555555,
       0xffffffffffffff80,
       0x0020000000000001,
       0x0000000001000001}}},
    {"f32", {32, 23, 0x3f800000, {0,          0x80000000, 1,          0x80000001, 0x007fffff, 0x807fffff, 0x00800000, 0x80800000,
                                  0x7f7fffff, 0xff7fffff, 0x7f800000, 0xff800000, 0x7fc00000, 0xffc01234, 0x7f800001, 0x3f800000,
                                  0xbf800000, 0x3f800001, 0x3f7fffff, 0x3f000000, 0x3fc00000, 0xc0200000, 0x4b000001, 0xcb7fffff,
                                  0x4f000000, 0xcf000000, 0x4f800000, 0x5f000000, 0xdf800000, 0x477fe000, 0x387fc000, 0x33000000}}},
    {"f64",
     {64,
      52,
      0x3ff0000000000000,
      {0,
       0x8000000000000000,
       1,
       0x8000000000000001,
       0x000fffffffffffff,
       0x0010000000000000,
       0x8010000000000000,
       0x7fefffffffffffff,
       0xffefffffffffffff,
       0x7ff0000000000000,
       0xfff0000000000000,
       0x7ff8000000000000,
       0xfff8000000001234,
       0x7ff0000000000001,
       0x3ff0000000000000,
       0xbff0000000000000,
       0x3ff0000000000001,
       0x3fefffffffffffff,
       0x3fe0000000000000,
       0x3ff8000000000000,
       0xc004000000000000,
       0x4330000000000001,
       0xc33fffffffffffff,
       0x41e0000000000000,
       0xc1e0000000000000,
       0x43e0000000000000,
       0xc3f0000000000000,
       0x47efffffefffffff,
       0x47effffff0000000,
       0x36a0000000000000,
       0x380fffffffffffff,
       0x40effc0000000000}}},
    {"f16", {16, 10, 0x3c00, {0,      0x8000, 1,      0x8001, 0x03ff, 0x83ff, 0x0400, 0x8400, 0x7bff, 0xfbff, 0x7c00, 0xfc00,
                              0x7e00, 0xfe12, 0x7c01, 0x3c00, 0xbc00, 0x3c01, 0x3bff, 0x3800, 0x3e00, 0xc100, 0x6401, 0xe7ff}}},
    {"bf16", {16, 7, 0x3f80, {0,      0x8000, 1,      0x8001, 0x007f, 0x807f, 0x0080, 0x8080, 0x7f7f, 0xff7f, 0x7f80, 0xff80,
                              0x7fc0, 0xffd2, 0x7f81, 0x3f80, 0xbf80, 0x3f81, 0x3f7f, 0x3f00, 0x3fc0, 0xc020, 0x4301, 0xc37f}}},
};

/// A special value, or any bits, or for real numbers one whose exponent is near 1's, so that sums and products are of use.
uint64_t element(const InputType &type, Random &random) {
    const uint64_t choice = random.next(), bits = random.next() >> (64 - type.bits);
    if (choice % 2 == 0) {
        return type.special[(choice >> 8) % type.special.size()];
    }
    if (type.fraction_bits == 0 || choice % 4 == 1) {
        return bits;
    }
    const uint64_t sign_and_fraction = bits & ((uint64_t{1} << (type.bits - 1)) | ((uint64_t{1} << type.fraction_bits) - 1));
    const uint64_t exponent = type.one + (((choice >> 8) % 16) << type.fraction_bits) - (uint64_t{8} << type.fraction_bits);
    return sign_and_fraction | exponent;
}

/// An element of the output.
struct Element {
    uint64_t bits;
    double value;
    double step; ///< to the next number
};

Element read_element(const std::string &type, const unsigned char *at) {
    Element read{};
    std::memcpy(&read.bits, at, element_size(type));
    if (type == "f32") {
        float value;
        std::memcpy(&value, at, sizeof value);
        const float size = std::fabs(value);
        read.value = value;
        read.step = size < HUGE_VALF ? std::nextafter(size, HUGE_VALF) - static_cast<double>(size) : 0;
    } else if (type == "f64") {
        std::memcpy(&read.value, at, sizeof read.value);
        const double size = std::fabs(read.value);
        read.step = size < HUGE_VAL ? std::nextafter(size, HUGE_VAL) - size : 0;
    }
    return read;
}

/// The bound, and one step for the rounding of what is within it.
double allowed(const OutputPart &part, const Element &expected) {
    switch (part.nearness) {
    case Nearness::ULP:
        return part.bound * expected.step;
    case Nearness::ABSOLUTE:
        return part.bound + expected.step;
    case Nearness::RELATIVE:
        return part.bound * std::fabs(expected.value) + expected.step;
    default:
        return 0;
    }
}

bool is_near(const OutputPart &part, const Element &expected, const Element &got) {
    if (part.nearness == Nearness::EXACT || expected.bits == got.bits) {
        return expected.bits == got.bits;
    }
    if (std::isnan(expected.value) || std::isnan(got.value)) {
        return std::isnan(expected.value) && std::isnan(got.value);
    }
    return std::fabs(expected.value - got.value) <= allowed(part, expected);
}

std::string digits(const std::string &type, uint64_t bits) {
    char text[24];
    std::snprintf(text, sizeof text, "%0*" PRIx64, static_cast<int>(2 * element_size(type)), bits);
    return text;
}

std::string describe_difference(size_t index, const std::string &type, const Element &expected, const Element &got) {
    std::ostringstream text;
    text.precision(17);
    text << "out[" << index << "] is " << digits(type, got.bits) << ", not " << digits(type, expected.bits);
    if (type[0] == 'f') {
        text << " (" << got.value << ", not " << expected.value << ")";
    }
    return text.str();
}

template <class Function> void for_each_element(const std::vector<OutputPart> &parts, Function function) {
    size_t offset = 0, index = 0;
    for (const OutputPart &part : parts) {
        for (size_t k = 0; k < part.count; k++, index++, offset += element_size(part.type)) {
            function(part, index, offset);
        }
    }
}

} // namespace

Bytes kernel_input(const std::string &type) {
    const InputType &given = input_types.at(type);
    Random random(type.size() * 1000 + given.bits + given.fraction_bits);
    const unsigned bytes = given.bits / 8, per_element = bytes == 2 ? 2 : 1;
    Bytes input;
    for (size_t index = 0; index < INPUT_COUNT * per_element; index++) {
        const uint64_t bits = element(given, random);
        for (unsigned byte = 0; byte < bytes; byte++) {
            input.push_back(static_cast<unsigned char>(bits >> (8 * byte)));
        }
    }
    return input;
}

std::string difference(const std::vector<OutputPart> &parts, const Bytes &expected, const Bytes &got) {
    size_t count = 0;
    std::string text;
    if (expected.size() != got.size()) {
        return std::to_string(got.size()) + " bytes, not " + std::to_string(expected.size());
    }
    for_each_element(parts, [&](const OutputPart &part, size_t index, size_t offset) {
        const Element wanted = read_element(part.type, &expected[offset]), found = read_element(part.type, &got[offset]);
        if (!is_near(part, wanted, found) && count++ < 8) {
            text += describe_difference(index, part.type, wanted, found) + "\n";
        }
    });
    return count == 0 ? text : text + std::to_string(count) + " elements differ";
}

std::string to_text(const std::vector<OutputPart> &parts, const Bytes &output) {
    std::string text;
    for_each_element(parts, [&](const OutputPart &part, size_t, size_t offset) {
        text += digits(part.type, read_element(part.type, &output[offset]).bits);
        const bool ends_line = (offset + element_size(part.type)) % 32 == 0 || offset + element_size(part.type) == output.size();
        text += ends_line ? "\n" : " ";
    });
    return text;
}

Bytes from_text(const std::vector<OutputPart> &parts, const std::string &text) {
    Bytes output;
    std::istringstream words(text);
    for_each_element(parts, [&](const OutputPart &part, size_t, size_t) {
        std::string word;
        words >> word;
        const uint64_t bits = word.empty() ? 0 : std::stoull(word, nullptr, 16);
        const size_t size = word.empty() ? 0 : element_size(part.type);
        for (size_t byte = 0; byte < size; byte++) {
            output.push_back(static_cast<unsigned char>(bits >> (8 * byte)));
        }
    });
    return output;
}

} // namespace test
