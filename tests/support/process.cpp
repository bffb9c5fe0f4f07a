// SPDX-License-Identifier: MIT OR Apache-2.0
#include "process.hpp"

#include <cstdio>
#include <cstdlib>
#include <stdexcept>
#include <sys/wait.h>
#include <unistd.h>

namespace test {

namespace {

/// A file without a name that a stream is sent to.
class Capture {
  public:
    Capture() : file_(std::tmpfile()) {
        if (file_ == nullptr) {
            throw std::runtime_error("no temporary file");
        }
    }
    Capture(const Capture &) = delete;
    ~Capture() {
        std::fclose(file_);
    }
    void take_over(int descriptor) const {
        dup2(fileno(file_), descriptor);
    }
    std::string text() const {
        std::rewind(file_);
        std::string all;
        char part[4096];
        for (size_t size = 0; (size = std::fread(part, 1, sizeof part, file_)) > 0;) {
            all.append(part, size);
        }
        return all;
    }

  private:
    FILE *file_;
};

} // namespace

Ended run_child(const std::vector<std::string> &arguments, const std::vector<std::pair<std::string, std::string>> &environment) {
    return run_program("test_child", arguments, environment);
}

Ended run_program(const std::string &name, const std::vector<std::string> &arguments,
                  const std::vector<std::pair<std::string, std::string>> &environment) {
    const Capture out, err;
    const pid_t child = fork();
    if (child == 0) {
        setenv("TSAN_OPTIONS", "atexit_sleep_ms=0", 0); // else each child with a thread alive ends a second late
        for (const auto &[variable, value] : environment) {
            setenv(variable.c_str(), value.c_str(), 1);
        }
        out.take_over(STDOUT_FILENO);
        err.take_over(STDERR_FILENO);
        become(beside(name), arguments);
        _exit(127);
    }
    int ended = 0;
    waitpid(child, &ended, 0);
    return {WIFEXITED(ended) ? WEXITSTATUS(ended) : -1, out.text(), err.text()};
}

std::string stderr_of(const std::function<void()> &action) {
    const Capture capture;
    const int before = dup(STDERR_FILENO);
    capture.take_over(STDERR_FILENO);
    action();
    dup2(before, STDERR_FILENO);
    close(before);
    return capture.text();
}

} // namespace test
