// SPDX-License-Identifier: MIT OR Apache-2.0
#include "become.hpp"

#include <unistd.h>

namespace test {

std::string beside(const std::string &name) {
    char path[4096];
    const ssize_t size = readlink("/proc/self/exe", path, sizeof path);
    const std::string program(path, size > 0 ? static_cast<size_t>(size) : 0);
    return program.substr(0, program.rfind('/') + 1) + name;
}

void become(const std::string &program, const std::vector<std::string> &arguments) {
    std::vector<std::string> words{program};
    if (*TEST_EMULATOR != '\0') {
        words.insert(words.begin(), TEST_EMULATOR);
    }
    words.insert(words.end(), arguments.begin(), arguments.end());
    std::vector<char *> argv;
    for (std::string &word : words) {
        argv.push_back(word.data());
    }
    argv.push_back(nullptr);
    execv(argv[0], argv.data());
}

} // namespace test
