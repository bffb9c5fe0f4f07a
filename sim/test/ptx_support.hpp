// SPDX-License-Identifier: MIT OR Apache-2.0
#ifndef CUSIM_TEST_PTX_SUPPORT_HPP
#define CUSIM_TEST_PTX_SUPPORT_HPP

// What the tests of the PTX interpreter share: loading PTX, running a kernel on memory of the test's, and a single instruction on
// many operands.

#if __has_include(<catch2/catch_test_macros.hpp>)
#include <catch2/catch_test_macros.hpp>
#else
#include <catch2/catch.hpp>
#endif

extern "C" {
#include "ptx/ptx.h"
}

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>
#include <memory>
#include <string>
#include <vector>

struct Unload {
    void operator()(ptx_module *module) const {
        ptx_unload(module);
    }
};
using Module = std::unique_ptr<ptx_module, Unload>;

struct Loaded {
    ptx_result result;
    std::string log;
    Module module;
};

/// The text is in memory of exactly its size, so that a sanitizer sees a read past it.
inline Loaded load(const std::string &text, unsigned architecture = 90) {
    const std::unique_ptr<char[]> exact(new char[text.size()]);
    std::memcpy(exact.get(), text.data(), text.size());
    char log[256];
    std::memset(log, '?', sizeof log);
    ptx_module *module = nullptr;
    const ptx_result result = ptx_load(&module, exact.get(), text.size(), architecture, log, sizeof log);
    REQUIRE(std::memchr(log, '\0', sizeof log) != nullptr);
    REQUIRE((module != nullptr) == (result == PTX_OK));
    return {result, log, Module(module)};
}

inline Module loaded(const std::string &text) {
    Loaded made = load(text);
    INFO(made.log);
    REQUIRE(made.result == PTX_OK);
    REQUIRE(made.log.empty());
    return std::move(made.module);
}

inline bool has(const std::string &text, const std::string &part) {
    return text.find(part) != std::string::npos;
}

/// Live memory: the ranges that a launch may touch.
class Memory {
  public:
    /// `written` has a bit for each byte; without, all bytes count as written.
    template <class T> void add(std::vector<T> &items, unsigned char *written = nullptr) {
        ranges_.push_back({reinterpret_cast<uintptr_t>(items.data()), items.size() * sizeof(T), written});
    }
    static int find(void *data, uint64_t address, ptx_range *found) {
        for (const Range &range : static_cast<Memory *>(data)->ranges_) {
            if (address - range.address < range.size) {
                *found = {range.address, range.size, range.written, 0, 0};
                return 1;
            }
        }
        return 0;
    }

  private:
    struct Range {
        uint64_t address;
        size_t size;
        unsigned char *written;
    };
    std::vector<Range> ranges_;
};

/// The parameter space of a kernel, laid out as it says.
class Parameters {
  public:
    explicit Parameters(const ptx_kernel *kernel) : kernel_(kernel), bytes_(4096) {
    }
    template <class T> Parameters &operator<<(const T &value) {
        REQUIRE(next_ < ptx_parameter_count(kernel_));
        REQUIRE(ptx_parameter_size(kernel_, next_) == sizeof value);
        std::memcpy(bytes_.data() + ptx_parameter_offset(kernel_, next_), &value, sizeof value);
        next_++;
        return *this;
    }
    const void *data() const {
        return bytes_.data();
    }

  private:
    const ptx_kernel *kernel_;
    std::vector<unsigned char> bytes_;
    size_t next_ = 0;
};

struct Shape {
    std::array<uint32_t, 3> grid{1, 1, 1};
    std::array<uint32_t, 3> block{1, 1, 1};
    uint32_t shared = 0;
};

/// How a launch is run, and what it looks for.
struct Options {
    unsigned workers = 1;
    bool cooperative = false;
    bool finds_unwritten = false;
    bool finds_races = false;
    uint64_t step_limit = 0;
};

struct Ran {
    ptx_outcome outcome;
    std::string log;
};

inline Ran run(const ptx_kernel *kernel, const Shape &shape, const Parameters &parameters, Memory &memory,
               const Options &options = {}) {
    ptx_device device{};
    device.find = Memory::find;
    device.data = &memory;
    ptx_grid grid{};
    std::copy(shape.grid.begin(), shape.grid.end(), grid.blocks);
    std::copy(shape.block.begin(), shape.block.end(), grid.threads);
    grid.shared_bytes = shape.shared;
    grid.parameters = parameters.data();
    grid.is_cooperative = options.cooperative;
    grid.step_limit = options.step_limit;
    grid.workers = options.workers;
    grid.finds_unwritten = options.finds_unwritten;
    grid.finds_races = options.finds_races;
    char log[256];
    std::memset(log, '?', sizeof log);
    const ptx_outcome outcome = ptx_run(kernel, &grid, &device, log, sizeof log);
    return {outcome, log};
}

inline void runs(const ptx_kernel *kernel, const Shape &shape, const Parameters &parameters, Memory &memory) {
    const Ran ran = run(kernel, shape, parameters, memory);
    INFO(ran.log);
    REQUIRE(ran.outcome == PTX_RAN);
    REQUIRE(ran.log.empty());
}

inline ptx_kernel *find(const Module &module, const char *name) {
    ptx_kernel *kernel = ptx_find(module.get(), name);
    REQUIRE(kernel != nullptr);
    return kernel;
}

inline const std::string HEAD = ".version 8.8\n.target sm_75\n.address_size 64\n";

/// A kernel `k` with this body, of one parameter `out`: the body begins on line 6.
inline std::string kernel_of(const std::string &body) {
    return HEAD + ".visible .entry k(.param .u64 out)\n{\n" + body + "\nret;\n}\n";
}

// ---- one instruction at a time ----

/// What an instruction reads.
struct Given {
    uint64_t a, b, c;
};

/// What it wrote into registers of each kind.
struct Registers {
    uint64_t h, r, d, f, g, p, q;
};

/// A kernel whose block number i reads row i of `out`, runs `instruction` and writes what it made into the same row.
inline std::string kernel_around(const std::string &instruction) {
    std::string body = ".reg .b16 %h, %h1, %h2, %h3; .reg .b32 %r, %r1, %r2, %r3; .reg .b64 %d, %d1, %d2, %d3, %out;\n"
                       ".reg .f32 %f, %f1, %f2, %f3; .reg .f64 %g, %g1, %g2, %g3; .reg .pred %p, %q, %p1, %p2, %p3;\n"
                       "ld.param.u64 %out, [out]; mov.u32 %r, %ctaid.x; mad.wide.u32 %out, %r, 80, %out;\n";
    const char *const kinds[][2] = {{"b16", "h"}, {"b32", "r"}, {"b64", "d"}, {"f32", "f"}, {"f64", "g"}};
    for (int i = 1; i <= 3; i++) {
        const std::string number = std::to_string(i);
        for (const auto &kind : kinds)
            body += std::string("ld.global.") + kind[0] + " %" + kind[1] + number + ", [%out+" + std::to_string(i * 8 - 8) + "];\n";
        body += "and.b32 %r, %r" + number + ", 1; setp.ne.u32 %p" + number + ", %r, 0;\n";
    }
    body += "mov.b32 %r, 0;\n" + instruction +
            "\nst.global.b16 [%out+24], %h; st.global.b32 [%out+32], %r; st.global.b64 [%out+40], %d;\n"
            "st.global.f32 [%out+48], %f; st.global.f64 [%out+56], %g;\n"
            "selp.b32 %r, 1, 0, %p; st.global.b32 [%out+64], %r; selp.b32 %r, 1, 0, %q; st.global.b32 [%out+72], %r;";
    return kernel_of(body);
}

/// Runs `instruction` for each row with %h1, %r1, %d1, %f1, %g1 (of 16, 32, 64 bits, .f32, .f64) holding `a`'s low bits, %h2...
/// `b`'s, %h3... `c`'s, and %p1, %p2 and %p3 the lowest bits of each. It writes %h, %r, %d, %f, %g, %p or %q.
inline std::vector<Registers> evaluate_all(const std::string &instruction, const std::vector<Given> &rows) {
    struct Row {
        Given given;
        Registers made;
    };
    static_assert(sizeof(Row) == 80);
    INFO(instruction);
    const Module module = loaded(kernel_around(instruction));
    std::vector<Row> cells;
    for (const Given &given : rows)
        cells.push_back({given, {}});
    Memory memory;
    memory.add(cells);
    ptx_kernel *kernel = find(module, "k");
    runs(kernel, {{static_cast<uint32_t>(rows.size()), 1, 1}}, Parameters(kernel) << cells.data(), memory);
    std::vector<Registers> made;
    for (const Row &row : cells)
        made.push_back(row.made);
    return made;
}

inline Registers evaluate(const std::string &instruction, uint64_t a, uint64_t b = 0, uint64_t c = 0) {
    return evaluate_all(instruction, {{a, b, c}})[0];
}

inline uint64_t bits(float value) {
    uint32_t raw;
    std::memcpy(&raw, &value, sizeof raw);
    return raw;
}

inline uint64_t bits(double value) {
    uint64_t raw;
    std::memcpy(&raw, &value, sizeof raw);
    return raw;
}

inline uint64_t f32(const std::string &instruction, float a, float b = 0, float c = 0) {
    return evaluate(instruction, bits(a), bits(b), bits(c)).f;
}

inline uint64_t f64(const std::string &instruction, double a, double b = 0, double c = 0) {
    return evaluate(instruction, bits(a), bits(b), bits(c)).g;
}

constexpr float TINY = std::numeric_limits<float>::denorm_min();
constexpr float NOT_A_NUMBER = std::numeric_limits<float>::quiet_NaN();
constexpr float INFINITE = std::numeric_limits<float>::infinity();
constexpr uint64_t DEVICE_NAN = 0x7fffffff;
constexpr uint64_t ALL = UINT64_MAX;

#endif
