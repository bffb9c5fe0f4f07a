// SPDX-License-Identifier: MIT OR Apache-2.0
#include "torture_job.hpp"

#include "fake_compilers.hpp"
#include "faults.hpp"

#include <dlfcn.h>
#include <mutex>
#include <set>

namespace test {

namespace {

/// Callbacks make calls too, on other threads.
std::mutex called_mutex;
std::set<void *> called;

/// A status that names the context which is now current has to be right. It is only there if the driver could be asked.
bool names_current_context(const Facts &failure) {
    const std::string words = "current is now ";
    const Facts *note = failure.note(CUCORE_NOTE_CONSEQUENCE, words);
    return note == nullptr || note->message.substr(note->message.find(words) + words.size()) == hex(current_context());
}

} // namespace

void Foreign::renew() {
    if (lent == nullptr) {
        lent = new_context();
    }
    if (std::exchange(stream_taken, false)) {
        const Pushed pushed(lent);
        REQUIRE(raw().cuStreamCreate(&stream, CU_STREAM_NON_BLOCKING) == CUDA_SUCCESS);
    }
    if (std::exchange(context_taken, false)) {
        context = new_context();
    }
}

Foreign::~Foreign() {
    if (!stream_taken) {
        CHECK(raw().cuStreamDestroy(stream) == CUDA_SUCCESS);
    }
    if (!context_taken) {
        CHECK(raw().cuCtxDestroy(context) == CUDA_SUCCESS);
    }
    CHECK(raw().cuCtxDestroy(lent) == CUDA_SUCCESS);
}

void Job::note_address(void *function) {
    const std::lock_guard<std::mutex> lock(called_mutex);
    called.insert(function);
}

bool was_called(const std::string &function) {
    return called.count(dlsym(RTLD_DEFAULT, function.c_str())) != 0;
}

void Job::expect(bool holds, const char *rule) {
    if (!holds) {
        broken_.emplace_back(rule);
    }
}

void Job::keep(const Facts &failure) {
    if (failure.code != CUCORE_OK) {
        failures_.push_back(failure);
        expect(names_current_context(failure), "the context that a status says is current is");
    }
}

void Job::settle(bool worked, const Status &status) {
    expect(worked == (status.get() == nullptr), "there is a status if, and only if, a call failed");
    keep(status.facts());
    if (!worked) {
        throw Stopped{};
    }
}

void Job::direct(const char *call, CUresult result) {
    if (result != CUDA_SUCCESS) {
        Facts failure;
        failure.code = CUCORE_DRIVER;
        failure.native = result;
        failure.operation = call;
        failures_.push_back(failure);
        throw Stopped{};
    }
}

void Job::fail_nothing() {
    sim().unhook();
    sim().fail_nothing();
    fake_compilers().fail_nothing();
    fail_no_library_call();
}

} // namespace test
