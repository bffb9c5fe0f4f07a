// SPDX-License-Identifier: MIT OR Apache-2.0
// `kernel_coverage <folder>`: which kernels of tests/kernels use each form of instruction that the simulated device runs, as a page
// docs/kernel-coverage.md. Their PTX is in the folder (support/kernel_compiler.cpp), and the interpreter itself says what it takes
// each instruction for. Fails if it cannot read some PTX, or if there is a form that no kernel uses.

#include "kernel_file.hpp"

extern "C" {
#include "ptx/listing.h"
}

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <set>
#include <string>
#include <vector>

namespace {

using Names = std::set<std::string>;

/// The kernels that use each form.
std::vector<Names> uses;
bool failed = false;

/// Of name.ptx, and of name-G.ptx.
std::string kernel_name(const std::filesystem::path &file) {
    const std::string stem = file.stem();
    return stem.substr(0, stem.find('-'));
}

void note_uses(const std::filesystem::path &file) {
    const std::string text = test::read_text(file);
    const auto architecture = static_cast<unsigned>(std::stoul(file.parent_path().stem()));
    char log[256];
    ptx_module *module = nullptr;
    if (ptx_load(&module, text.data(), text.size(), architecture, log, sizeof log) != PTX_OK) {
        std::fprintf(stderr, "%s: %s\n", file.c_str(), log);
        failed = true;
        return;
    }
    for (size_t form = 0; form < uses.size(); form++) {
        if (ptx_form_uses(module, form) != 0) {
            uses[form].insert(kernel_name(file));
        }
    }
    ptx_unload(module);
}

/// A table's cells end at '|', even in code.
std::string escape(std::string text) {
    for (size_t at = 0; (at = text.find('|', at)) != std::string::npos; at += 2) {
        text.insert(at, "\\");
    }
    return text;
}

std::string list(const Names &names) {
    constexpr size_t MOST = 6;
    std::string text;
    size_t left = names.size();
    for (auto name = names.begin(); left > 0 && names.size() - left < MOST; ++name, left--) {
        text += (text.empty() ? "" : ", ") + *name;
    }
    return left > 0 ? text + " and " + std::to_string(left) + " more" : text;
}

void print_row(size_t form) {
    const std::string operands = ptx_form_operands(form);
    std::printf("| `%s` | %s | %s |\n", escape(ptx_form_mnemonic(form)).c_str(),
                operands.empty() ? "" : ("`" + operands + "`").c_str(), list(uses[form]).c_str());
    if (uses[form].empty()) {
        std::fprintf(stderr, "no kernel uses %s %s\n", ptx_form_mnemonic(form), operands.c_str());
        failed = true;
    }
}

void print_page() {
    std::printf(
        "# What the kernels cover\n\n"
        "Made by `scripts/kernel-coverage`: every form of instruction that the [simulated device](simulated-driver.md) runs, and "
        "the\nkernels of `tests/kernels` whose PTX has it, as any of the compilers made it. The forms are those of `sim/ptx`, "
        "written as\nthere: `{}` may be absent, `<>` is one of several; `sim/ptx/internal.h` says what the letters of the "
        "operands are.\n\n"
        "| mnemonic | operands | kernels |\n|---|---|---|\n");
    for (size_t form = 0; form < uses.size(); form++) {
        print_row(form);
    }
}

} // namespace

int main(int count, char **arguments) {
    if (count != 2) {
        std::fprintf(stderr, "usage: kernel_coverage <folder>\n");
        return 2;
    }
    const std::filesystem::path kernels = test::kernel_folder();
    uses.resize(ptx_form_count());
    for (const auto &entry : std::filesystem::recursive_directory_iterator(arguments[1])) {
        const bool is_left_over = !exists(kernels / (kernel_name(entry.path()) + ".cu"));
        if (entry.path().extension() == ".ptx" && !is_left_over) {
            note_uses(entry.path());
        }
    }
    print_page();
    return failed ? 1 : 0;
}
