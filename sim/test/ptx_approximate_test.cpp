// SPDX-License-Identifier: MIT OR Apache-2.0
// Instructions whose results the documentation bounds: within those bounds, and exact at the special cases it lists.

#include "ptx_float_reference.hpp"

namespace {

struct Function {
    const char *name;
    long double (*exact)(long double);
    double lowest, highest; ///< what it is tried between
};

long double reciprocal(long double a) {
    return 1 / a;
}

long double reciprocal_root(long double a) {
    return 1 / std::sqrt(a);
}

const Function FUNCTIONS[] = {
    {"rcp", reciprocal, 1e-30, 1e30}, {"sqrt", std::sqrt, 1e-30, 1e30}, {"rsqrt", reciprocal_root, 1e-30, 1e30},
    {"sin", std::sin, -50, 50},       {"cos", std::cos, -50, 50},       {"lg2", std::log2, 1e-30, 1e30},
    {"ex2", std::exp2, -120, 120},    {"tanh", std::tanh, -12, 12},
};

/// Half of them evenly spread, half in proportion.
std::vector<double> samples(const Function &function, size_t count) {
    std::mt19937_64 random(3);
    std::vector<double> all;
    for (size_t i = 0; i < count; i++) {
        const double part = static_cast<double>(random() >> 11) * 0x1p-53;
        const bool in_proportion = function.lowest > 0 && i % 2;
        all.push_back(in_proportion ? function.lowest * std::pow(function.highest / function.lowest, part)
                                    : function.lowest + (function.highest - function.lowest) * part);
    }
    return all;
}

void check_close(double made, long double exact, double relative) {
    CHECK(std::fabs(static_cast<long double>(made) - exact) <= std::fabs(exact) * relative);
}

void check_function(const Function &function, const char *type, const Format &format, char letter, double highest) {
    const double relative = std::ldexp(1.0, -format.fraction_bits - 1) * 1.01;
    for (const double sample : samples(function, 40)) {
        if (std::fabs(sample) > highest)
            continue;
        const uint64_t a = rounded(format, Quad{sample}, Rounding::NEAREST);
        const auto made = evaluate(std::string(function.name) + ".approx." + type + " %" + letter + ", %" + letter + "1;", a);
        INFO(function.name << ' ' << type << ' ' << format.number(a));
        check_close(format.number(letter == 'f' ? made.f : made.h), function.exact(format.number(a)), relative);
    }
}

uint64_t of(const std::string &mnemonic, float a, float b = 0) {
    const bool divides = mnemonic.compare(0, 3, "div") == 0;
    return evaluate(mnemonic + " %f, %f1" + (divides ? ", %f2;" : ";"), bits(a), bits(b)).f;
}

} // namespace

TEST_CASE("Approximations are the nearest numbers") {
    for (const Function &function : FUNCTIONS)
        check_function(function, "f32", F32, 'f', 1e38);
    check_function(FUNCTIONS[6], "f16", F16, 'h', 13);
    check_function(FUNCTIONS[7], "f16", F16, 'h', 12);
    check_function(FUNCTIONS[6], "ftz.bf16", BF16, 'h', 120);
    check_function(FUNCTIONS[7], "bf16", BF16, 'h', 12);
    CHECK(evaluate("ex2.approx.f16x2 %r, %r1;", 0x3c004000).r == 0x40004400);
    CHECK(evaluate("ex2.approx.ftz.bf16x2 %r, %r1;", 0x3f804000).r == 0x40004080);
    CHECK(evaluate("tanh.approx.f16x2 %r, %r1;", 0x7c00fc00).r == 0x3c00bc00);
    CHECK(evaluate("tanh.approx.bf16x2 %r, %r1;", 0x7f80ff80).r == 0x3f80bf80);
}

TEST_CASE("Approximations at their special cases") {
    CHECK(of("rcp.approx.f32", -0.0f) == bits(-INFINITE));
    CHECK(of("rcp.approx.f32", -INFINITE) == bits(-0.0f));
    CHECK(of("rcp.approx.ftz.f32", TINY) == bits(INFINITE));
    CHECK(of("rcp.approx.ftz.f32", 0x1p127f) == 0);
    CHECK(of("rcp.approx.f32", 0x1p127f) == bits(0x1p-127f));
    CHECK(of("sqrt.approx.f32", -1.0f) == DEVICE_NAN);
    CHECK(of("sqrt.approx.f32", -0.0f) == bits(-0.0f));
    CHECK(of("sqrt.approx.ftz.f32", TINY) == 0);
    CHECK(of("rsqrt.approx.f32", -0.0f) == bits(-INFINITE));
    CHECK(of("rsqrt.approx.f32", -1.0f) == DEVICE_NAN);
    CHECK(of("rsqrt.approx.f32", INFINITE) == 0);
    CHECK(of("sin.approx.f32", INFINITE) == DEVICE_NAN);
    CHECK(of("sin.approx.f32", -0.0f) == bits(-0.0f));
    CHECK(of("cos.approx.ftz.f32", TINY) == bits(1.0f));
    CHECK(of("lg2.approx.f32", 0.0f) == bits(-INFINITE));
    CHECK(of("lg2.approx.ftz.f32", TINY) == bits(-INFINITE));
    CHECK(of("lg2.approx.f32", TINY) == bits(-149.0f));
    CHECK(of("lg2.approx.f32", -1.0f) == DEVICE_NAN);
    CHECK(of("ex2.approx.f32", -INFINITE) == 0);
    CHECK(of("ex2.approx.f32", -130.0f) == bits(0x1p-130f));
    CHECK(of("ex2.approx.ftz.f32", -130.0f) == 0);
    CHECK(of("tanh.approx.f32", -INFINITE) == bits(-1.0f));
    CHECK(of("tanh.approx.f32", NOT_A_NUMBER) == DEVICE_NAN);
}

TEST_CASE("Approximate divisions") {
    CHECK(of("div.approx.f32", 1.0f, 3.0f) == bits(1.0f / 3.0f));
    CHECK(of("div.approx.ftz.f32", 1.0f, 0x1p127f) == 0);
    CHECK(of("div.approx.ftz.f32", INFINITE, 0x1p127f) == DEVICE_NAN);
    CHECK(of("div.full.f32", 1.0f, 0x1p127f) == bits(0x1p-127f));
    CHECK(of("div.full.f32", 0x1p127f, 0x1p127f) == bits(1.0f));
    CHECK(of("div.full.ftz.f32", 1.0f, 0x1p127f) == 0);
    CHECK(of("div.full.f32", 0.0f, 0.0f) == DEVICE_NAN);
}

TEST_CASE("Double precision is approximated in its upper half, or wholly") {
    std::mt19937_64 random(5);
    for (int i = 0; i < 50; i++) {
        const double a = std::ldexp(1 + static_cast<double>(random() >> 12) * 0x1p-52, static_cast<int>(random() % 1800) - 900);
        const uint64_t upper = f64("rcp.approx.ftz.f64 %g, %g1;", a);
        CHECK((upper & 0xffffffff) == 0);
        check_close(F64.number(upper), 1 / static_cast<long double>(a), 0x1p-19);
        const uint64_t root = f64("rsqrt.approx.ftz.f64 %g, %g1;", a);
        CHECK((root & 0xffffffff) == 0);
        check_close(F64.number(root), reciprocal_root(a), 0x1p-19);
        check_close(F64.number(f64("rsqrt.approx.f64 %g, %g1;", a)), reciprocal_root(a), 0x1p-52);
    }
    CHECK(f64("rcp.approx.ftz.f64 %g, %g1;", 0x1p-1070) == bits(static_cast<double>(INFINITE)));
    CHECK(f64("rcp.approx.ftz.f64 %g, %g1;", -static_cast<double>(INFINITE)) == bits(-0.0));
    CHECK(f64("rsqrt.approx.ftz.f64 %g, %g1;", 0.0) == bits(static_cast<double>(INFINITE)));
    CHECK(f64("rsqrt.approx.ftz.f64 %g, %g1;", -1.0) == 0x7fffffff00000000);
}

TEST_CASE("Of an f64 whose reciprocal is approximated, the lower half is not read") {
    const std::pair<uint64_t, uint64_t> given_by_a_device[] = {
        {0xbf78febedc3fcae9, 0xc0647be900000000}, {0xc0b2ae15a780c7b6, 0xbf2b68b300000000},
        {0x61b1087be3482abf, 0x1e2e0f1f00000000}, {0xa5cce35530ea3ef9, 0xda11b93e00000000},
        {0x380fffffffffffff, 0x47d0000000000000}, {0x3ff8000000000000, 0x3fe5555500000000},
    };
    for (const auto &[a, reciprocal] : given_by_a_device)
        CHECK(f64("rcp.approx.ftz.f64 %g, %g1;", F64.number(a)) == reciprocal);
    CHECK(f64("rsqrt.approx.ftz.f64 %g, %g1;", F64.number(0x28e5f54d390c4239)) == 0x4b7350a900000000);
}
