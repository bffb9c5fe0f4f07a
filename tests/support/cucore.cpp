// SPDX-License-Identifier: MIT OR Apache-2.0
#include "cucore.hpp"

#include "contexts.hpp"
#include "driver.hpp"

/// LeakSanitizer: a copy whose completion cannot be proved leaks its staging memory on purpose, and NVRTC 13.0 forgets some of what
/// it keeps of a name expression.
extern "C" const char *__lsan_default_suppressions() {
    return "leak:cucore_staging_take\nleak:libnvrtc\n";
}

namespace test {

namespace {

/// What a Status holds until the call has stored something.
cucore_status *const NOT_WRITTEN = reinterpret_cast<cucore_status *>(1);

} // namespace

Status::~Status() {
    if (held_ == NOT_WRITTEN) {
        FAIL_CHECK("a call did not store its status");
    } else {
        cucore_status_release(held_);
    }
}

cucore_status **Status::maybe() {
    if (held_ != NOT_WRITTEN) {
        cucore_status_release(held_);
    }
    held_ = nullptr;
    return &held_;
}

Status::operator cucore_status **() {
    maybe();
    held_ = NOT_WRITTEN;
    return &held_;
}

const cucore_status *Status::get() const {
    if (held_ == NOT_WRITTEN) {
        FAIL("a call did not store its status");
    }
    return held_;
}

Sink::Sink() : sink_(cucore_warning_sink_register(&record, this, nullptr, nullptr)) {
    REQUIRE(sink_ != nullptr);
}

Sink::~Sink() {
    release();
}

void Sink::release() {
    cucore_warning_sink_release(std::exchange(sink_, nullptr));
}

int32_t Sink::record(const cucore_status *warning, void *sink) {
    auto *self = static_cast<Sink *>(sink);
    const std::lock_guard<std::mutex> lock(self->mutex_);
    self->seen_.push_back(facts_of(warning));
    return 0;
}

std::vector<Facts> Sink::take() {
    const std::lock_guard<std::mutex> lock(mutex_);
    return std::exchange(seen_, {});
}

Facts Sink::take_one() {
    const std::vector<Facts> seen = take();
    for (const Facts &facts : seen) {
        UNSCOPED_INFO(describe(facts));
    }
    REQUIRE(seen.size() == 1);
    return seen.front();
}

Clean::Clean() : current_(current_context()) {
    if (simulator() != nullptr) {
        live_ = sim().live();
        violations_ = sim().violations();
    }
}

Clean::~Clean() {
    if (simulator() != nullptr) {
        sim().fail_nothing();
    }
    for (const Facts &facts : sink.take()) {
        UNSCOPED_INFO(describe(facts));
        CHECK(std::string("no unexpected warning") == "");
    }
    CHECK(current_context() == current_);
    int count = 0;
    CHECK(raw().cuDeviceGetCount(&count) == CUDA_SUCCESS);
    for (int ordinal = 0; ordinal < count; ordinal++) {
        Status status;
        const int32_t code = cucore_context_release_primary(ordinal, status);
        INFO(describe(status.facts()));
        CHECK(code == CUCORE_OK);
    }
    if (simulator() != nullptr) {
        const std::vector<std::string> leaked = new_lines(live_, sim().live());
        for (const std::string &line : leaked) {
            UNSCOPED_INFO(line);
        }
        CHECK((leaked.size() == expected_leaks_ || !checks_leaks_));
        INFO(sim().violation_text());
        CHECK(sim().violations() == violations_);
    }
}

} // namespace test
