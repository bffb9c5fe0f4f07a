// SPDX-License-Identifier: MIT OR Apache-2.0
#include "kernel_file.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <functional>
#include <map>
#include <sstream>
#include <stdexcept>

namespace test {

namespace {

void read_three(std::istringstream &line, uint32_t (&numbers)[3]) {
    for (size_t index = 0; index < 3 && line >> numbers[index]; index++) {
    }
    line.clear();
}

template <class T> void read_all(std::istringstream &line, std::vector<T> &values) {
    for (T value; line >> value;) {
        values.push_back(value);
    }
    line.clear();
}

/// "0.001" or "2^-22.9"
double read_bound(std::istringstream &line) {
    std::string text;
    line >> text;
    return text.rfind("2^", 0) == 0 ? std::exp2(std::stod(text.substr(2))) : std::stod(text);
}

OutputPart read_output_part(std::istringstream &line) {
    static const std::map<std::string, Nearness> words = {
        {"exact", Nearness::EXACT}, {"ulp", Nearness::ULP}, {"absolute", Nearness::ABSOLUTE}, {"relative", Nearness::RELATIVE}};
    OutputPart part;
    std::string nearness;
    line >> part.count >> part.type >> nearness;
    nearness = nearness.substr(0, nearness.find(','));
    part.nearness = words.at(nearness);
    if (part.nearness != Nearness::EXACT) {
        part.bound = read_bound(line);
    }
    return part;
}

using Directive = std::function<void(KernelFile &file, std::istringstream &line)>;

const std::map<std::string, Directive> directives = {
    {"needs:",
     [](KernelFile &file, std::istringstream &line) {
         line >> file.needs_architecture;
         if (!(line >> file.needs_compiler)) {
             file.needs_compiler = 0;
             line.clear();
         }
     }},
    {"architectures:", [](KernelFile &file, std::istringstream &line) { read_all(line, file.architectures); }},
    {"specific", [](KernelFile &file, std::istringstream &) { file.is_specific = true; }},
    {"options:", [](KernelFile &file, std::istringstream &line) { read_all(line, file.options); }},
    {"builds:", [](KernelFile &file, std::istringstream &line) { read_all(line, file.builds); }},
    {"grid:", [](KernelFile &file, std::istringstream &line) { read_three(line, file.grid); }},
    {"block:", [](KernelFile &file, std::istringstream &line) { read_three(line, file.block); }},
    {"shared:", [](KernelFile &file, std::istringstream &line) { line >> file.shared_bytes; }},
    {"cooperative", [](KernelFile &file, std::istringstream &) { file.cooperative = true; }},
    {"input:", [](KernelFile &file, std::istringstream &line) { line >> file.input; }},
    {"output:", [](KernelFile &file, std::istringstream &line) { file.output.push_back(read_output_part(line)); }},
    {"prints", [](KernelFile &file, std::istringstream &) { file.prints = true; }},
    {"outcome:", [](KernelFile &file, std::istringstream &line) { line >> file.outcome; }},
};

/// A line of the comment: a directive, unless its first word is none.
void read_directive(KernelFile &file, const std::string &text) {
    std::istringstream line(text.substr(2));
    std::string word;
    line >> word;
    const auto found = directives.find(word);
    if (found != directives.end()) {
        found->second(file, line);
    }
    if (line.fail()) {
        throw std::runtime_error(text);
    }
}

} // namespace

bool KernelFile::compiles_for(int32_t architecture, double compiler) const {
    const bool named = architectures.empty() || std::count(architectures.begin(), architectures.end(), architecture) != 0;
    return named && architecture >= needs_architecture && compiler >= needs_compiler;
}

bool KernelFile::runs_on(int32_t compute_capability, int32_t architecture) const {
    return is_specific ? architecture == compute_capability : architecture <= compute_capability;
}

size_t element_size(const std::string &type) {
    static const std::map<std::string, size_t> sizes = {{"u32", 4}, {"f32", 4}, {"u64", 8}, {"f64", 8}};
    return sizes.at(type);
}

size_t KernelFile::output_count() const {
    size_t count = 0;
    for (const OutputPart &part : output) {
        count += part.count;
    }
    return count;
}

size_t KernelFile::output_bytes() const {
    size_t bytes = 0;
    for (const OutputPart &part : output) {
        bytes += part.count * element_size(part.type);
    }
    return bytes;
}

std::string read_text(const std::string &path) {
    std::ifstream file(path, std::ios::binary);
    if (!file) {
        throw std::runtime_error("cannot read " + path);
    }
    std::ostringstream text;
    text << file.rdbuf();
    return text.str();
}

KernelFile read_kernel_file(const std::string &path) {
    KernelFile file;
    file.name = std::filesystem::path(path).stem();
    file.source = read_text(path);
    std::istringstream lines(file.source);
    try {
        for (std::string line; std::getline(lines, line) && line.rfind("//", 0) == 0;) {
            read_directive(file, line);
        }
    } catch (const std::exception &error) {
        throw std::runtime_error(path + ": " + error.what());
    }
    return file;
}

std::vector<KernelFile> read_kernel_files(const std::string &folder) {
    std::vector<std::string> paths;
    for (const auto &entry : std::filesystem::directory_iterator(folder)) {
        if (entry.path().extension() == ".cu") {
            paths.push_back(entry.path());
        }
    }
    std::sort(paths.begin(), paths.end());
    std::vector<KernelFile> files;
    std::transform(paths.begin(), paths.end(), std::back_inserter(files), read_kernel_file);
    return files;
}

std::string kernel_folder() {
    const char *named = std::getenv("CUCORE_KERNELS");
    return named != nullptr ? named : TEST_KERNELS;
}

} // namespace test
