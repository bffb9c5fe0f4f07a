// SPDX-License-Identifier: MIT OR Apache-2.0
#include "driver.hpp"

#include <algorithm>
#include <cstdlib>
#include <dlfcn.h>
#include <set>
#include <stdexcept>

namespace test {

namespace {

void *open_driver() {
    void *library = dlopen(driver_file().c_str(), RTLD_NOW);
    if (library == nullptr) {
        throw std::runtime_error(std::string("no driver to test with: ") + dlerror());
    }
    return library;
}

void *driver_library() {
    static void *library = open_driver();
    return library;
}

template <class Function> void look_up(Function &function, const char *symbol) {
    function = reinterpret_cast<Function>(dlsym(driver_library(), symbol));
    if (function == nullptr) {
        throw std::runtime_error(std::string("the driver lacks ") + symbol);
    }
}

Simulator load_simulator() {
    Simulator loaded{};
#define X(name) look_up(loaded.name, "cusim_" #name);
    TEST_SIMULATOR_FUNCTIONS(X)
#undef X
    return loaded;
}

RawDriver load_raw() {
    RawDriver loaded{};
#define X(name, symbol, parameters) look_up(loaded.name, symbol);
    TEST_RAW_FUNCTIONS(X)
#undef X
    look_up(loaded.entry, "cuGetProcAddress_v2");
    return loaded;
}

/// The text that a cusim_..._list function writes, as lines.
std::string listed(size_t (*list)(char *, size_t)) {
    std::string text(list(nullptr, 0) + 1, '\0');
    text.resize(list(text.data(), text.size()));
    return text;
}

std::vector<std::string> lines_of(const std::string &text) {
    std::vector<std::string> lines;
    for (size_t start = 0; start < text.size();) {
        const size_t end = std::min(text.find('\n', start), text.size());
        lines.push_back(text.substr(start, end - start));
        start = end + 1;
    }
    return lines;
}

} // namespace

std::string driver_file() {
    const char *named = std::getenv("CUCORE_DRIVER_LIBRARY");
    return named != nullptr ? named : "libcuda.so.1";
}

void *find_function(const char *symbol) {
    return dlsym(driver_library(), symbol);
}

const Simulator *simulator() {
    static const bool simulated = dlsym(driver_library(), "cusim_fail") != nullptr;
    static const Simulator loaded = simulated ? load_simulator() : Simulator{};
    return simulated ? &loaded : nullptr;
}

const Simulator &sim() {
    if (simulator() == nullptr) {
        throw std::runtime_error("this test needs the simulated driver: exclude it with ~[sim]");
    }
    return *simulator();
}

const RawDriver &raw() {
    static const RawDriver loaded = load_raw();
    static const CUresult initialised = loaded.cuInit(0);
    if (initialised != CUDA_SUCCESS) {
        throw std::runtime_error("cuInit failed with " + std::to_string(initialised));
    }
    return loaded;
}

std::vector<std::string> Simulator::log(size_t first) const {
    std::vector<std::string> entries;
    char text[512];
    for (size_t index = first; log_entry(index, text, sizeof text) != 0; index++) {
        entries.emplace_back(text);
    }
    return entries;
}

std::vector<std::string> Simulator::live() const {
    return lines_of(listed(live_list));
}

std::vector<std::string> new_lines(const std::vector<std::string> &before, const std::vector<std::string> &now) {
    const std::set<std::string> old(before.begin(), before.end());
    std::vector<std::string> lines;
    std::copy_if(now.begin(), now.end(), std::back_inserter(lines), [&](const std::string &line) { return old.count(line) == 0; });
    return lines;
}

std::string Simulator::violation_text() const {
    return listed(violation_list);
}

} // namespace test
