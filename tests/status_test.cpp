// SPDX-License-Identifier: MIT OR Apache-2.0
// Statuses: none of this needs a driver.
#include "support/cucore.hpp"

#include <cstring>

using namespace test;

namespace {

/// A status of the caller's own, released at the end of the test.
class Made {
  public:
    Made(int32_t code, const std::string &message) : status_(cucore_status_create(code, message.data(), message.size())) {
        REQUIRE(status_ != nullptr);
    }
    ~Made() {
        cucore_status_release(status_);
    }
    cucore_status *get() const {
        return status_;
    }
    Facts facts() const {
        return facts_of(status_);
    }

  private:
    cucore_status *status_;
};

} // namespace

TEST_CASE("a status of the caller's own says what it was given") {
    const Facts facts = Made(CUCORE_CANCELLED, "the user pressed stop").facts();
    CHECK(facts.code == CUCORE_CANCELLED);
    CHECK(facts.domain == CUCORE_DOMAIN_CUCORE);
    CHECK(facts.native == 0);
    CHECK(facts.resource == 0);
    CHECK(facts.message == "the user pressed stop");
    CHECK(facts.operation.empty());
    CHECK(facts.log.empty());
    CHECK(facts.notes.empty());
}

TEST_CASE("a status takes its message by size") {
    CHECK(facts_of(Made(CUCORE_DRIVER, std::string("abcdef", 3)).get()).message == "abc");
    cucore_status *empty = cucore_status_create(CUCORE_OS, nullptr, 0);
    CHECK(cucore_status_code(empty) == CUCORE_OS);
    CHECK(std::string(cucore_status_message(empty, nullptr)).empty());
    cucore_status_release(empty);
}

TEST_CASE("a bad argument of cucore_status_create gives a status that says so") {
    for (const int32_t code : {CUCORE_OK, -1, 15, 1000000}) {
        const Facts facts = Made(code, "ignored").facts();
        CHECK(facts.code == CUCORE_INVALID_ARGUMENT);
        CHECK_THAT(facts.message, has("cucore_status_create"));
        CHECK_THAT(facts.message, has(std::to_string(code)));
    }
    cucore_status *no_message = cucore_status_create(CUCORE_DRIVER, nullptr, 5);
    CHECK(cucore_status_code(no_message) == CUCORE_INVALID_ARGUMENT);
    CHECK_THAT(cucore_status_message(no_message, nullptr), has("message"));
    cucore_status_release(no_message);
}

TEST_CASE("a message with a NUL in it is refused, not cut") {
    cucore_status *status = cucore_status_create(CUCORE_DRIVER, "a\0b", 3);
    CHECK(cucore_status_code(status) == CUCORE_INVALID_ARGUMENT);
    cucore_status_release(status);
}

TEST_CASE("a retained status outlives the first reference") {
    cucore_status *first = cucore_status_create(CUCORE_DRIVER, "kept", 4);
    cucore_status *second = cucore_status_retain(first);
    CHECK(second == first);
    cucore_status_release(first);
    CHECK(facts_of(second).message == "kept");
    cucore_status_release(second);
}

TEST_CASE("no status is OK and says nothing") {
    size_t size = 99;
    CHECK(cucore_status_retain(nullptr) == nullptr);
    cucore_status_release(nullptr);
    CHECK(cucore_status_code(nullptr) == CUCORE_OK);
    CHECK(cucore_status_domain(nullptr) == 0);
    CHECK(cucore_status_native_code(nullptr) == 0);
    CHECK(cucore_status_resource(nullptr) == 0);
    CHECK(cucore_status_note_count(nullptr) == 0);
    CHECK(cucore_status_note(nullptr, 0) == nullptr);
    CHECK(cucore_status_note_kind(nullptr, 0) == 0);
    for (const auto get : {&cucore_status_operation, &cucore_status_message, &cucore_status_log}) {
        size = 99;
        CHECK(std::string(get(nullptr, &size)).empty());
        CHECK(size == 0);
    }
}

TEST_CASE("there is no note beyond the last") {
    const Made made(CUCORE_DRIVER, "alone");
    CHECK(cucore_status_note(made.get(), 0) == nullptr);
    CHECK(cucore_status_note_kind(made.get(), 0) == 0);
}

TEST_CASE("texts end with a NUL that their size does not count") {
    const Made made(CUCORE_DRIVER, "seven c");
    size_t size = 0;
    const char *message = cucore_status_message(made.get(), &size);
    CHECK(size == 7);
    CHECK(std::strlen(message) == size);
    CHECK(cucore_status_log(made.get(), &size)[0] == '\0');
    CHECK(size == 0);
}

TEST_CASE("every code has its name") {
    const char *const names[] = {"OK",        "INVALID_ARGUMENT", "INVALID_HANDLE", "INVALID_STATE", "NOT_SUPPORTED", "NOT_FOUND",
                                 "NOT_READY", "OUT_OF_MEMORY",    "DEVICE_LOST",    "COMPILE",       "LINK",          "CANCELLED",
                                 "OS",        "DRIVER",           "INTERNAL"};
    for (int32_t code = 0; code < 15; code++) {
        CHECK(cucore_status_code_name(code) == std::string(names[code]));
    }
    CHECK(std::string(cucore_status_code_name(15)).empty());
    CHECK(std::string(cucore_status_code_name(-1)).empty());
}

TEST_CASE("native codes have names and descriptions without a driver or a compiler") {
    struct Known {
        int32_t domain;
        int64_t code;
        const char *name;
    };
    for (const Known &known :
         {Known{CUCORE_DOMAIN_DRIVER, 1, "CUDA_ERROR_INVALID_VALUE"},
          Known{CUCORE_DOMAIN_DRIVER, 700, "CUDA_ERROR_ILLEGAL_ADDRESS"}, Known{CUCORE_DOMAIN_DRIVER, 999, "CUDA_ERROR_UNKNOWN"},
          Known{CUCORE_DOMAIN_NVRTC, 6, "NVRTC_ERROR_COMPILATION"},
          Known{CUCORE_DOMAIN_NVJITLINK, 6, "NVJITLINK_ERROR_INTERNAL"}}) {
        INFO(known.name);
        CHECK(cucore_status_native_name(known.domain, known.code) == std::string(known.name));
        CHECK_FALSE(std::string(cucore_status_native_description(known.domain, known.code)).empty());
    }
    for (const int32_t domain : {-1, 0, CUCORE_DOMAIN_CUCORE, CUCORE_DOMAIN_DRIVER, CUCORE_DOMAIN_OS, 7}) {
        INFO(domain);
        CHECK(std::string(cucore_status_native_name(domain, 12345)).empty());
        CHECK(std::string(cucore_status_native_description(domain, 12345)).empty());
    }
}
