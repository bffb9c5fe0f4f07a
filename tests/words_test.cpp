// SPDX-License-Identifier: MIT OR Apache-2.0
// The driver's own words, kept by thread: src/driver/words.h, which no exported function shows by itself.
#include "support/catch.h"

#include <atomic>
#include <string>
#include <thread>
#include <vector>

extern "C" {
#include "../src/driver/words.h"
}

namespace {

void hear(const std::string &line) {
    cucore_words_heard(line.data(), line.size());
}

std::string take(const char *operation, int64_t code) {
    char words[CUCORE_WORDS_SIZE] = "";
    return cucore_words_take(operation, code, words) ? words : "(nothing)";
}

} // namespace

TEST_CASE("words are about the call and the code that they name") {
    for (const auto &[operation, code] : {std::pair{"cuMemFree", 1}, {"cuMemFreeAsync", 2}, {"cuEventRecord", 1}}) {
        hear("A sentence");
        hear("Returning 1 (CUDA_ERROR_INVALID_VALUE) from cuMemFreeAsync_ptsz");
        CHECK(take(operation, code) == "(nothing)");
    }
    hear("A sentence\n");
    hear("[12:00:00.000][1][CUDA][E] Returning 1 (CUDA_ERROR_INVALID_VALUE) from cuMemFreeAsync_ptsz\n");
    CHECK(take("cuMemFreeAsync", 1) == "A sentence");
    CHECK(take("cuMemFreeAsync", 1) == "(nothing)"); // once
}

TEST_CASE("several sentences about one call are joined, and none is none") {
    hear("One");
    hear("Two");
    hear("Returning 1 (X) from cuA");
    CHECK(take("cuA", 1) == "One; Two");
    hear("Of another call");
    hear("Returning 1 (X) from cuB");
    hear("Returning 1 (X) from cuA");
    CHECK(take("cuA", 1) == "(nothing)");
}

TEST_CASE("sentences about a call do not mix with those about the one before, which nobody took") {
    hear("Of the call before");
    hear("Returning 1 (X) from cuA");
    hear("One");
    hear("Two");
    CHECK(take("cuA", 1) == "(nothing)");
    hear("Of the call before");
    hear("Returning 1 (X) from cuA");
    hear("One");
    hear("Two");
    hear("Returning 1 (X) from cuB");
    CHECK(take("cuB", 1) == "One; Two");
}

TEST_CASE("a sentence is of no call until the driver names one") {
    hear("A sentence");
    CHECK(take("cuA", 1) == "(nothing)");
    hear("A sentence");
    hear("Returning 1 (X)");
    CHECK(take("cuA", 1) == "(nothing)");
}

TEST_CASE("ends of lines and NULs behind a sentence are not of it") {
    hear(std::string("A sentence\n\0", 12));
    hear("\n");
    hear("");
    hear("Returning 1 (X) from cuA\n");
    CHECK(take("cuA", 1) == "A sentence");
}

TEST_CASE("a sentence for which no room is left is left out") {
    hear(std::string(CUCORE_WORDS_SIZE - 2, 'x'));
    hear("More");
    hear("Returning 1 (X) from cuA");
    CHECK(take("cuA", 1).substr(0, CUCORE_WORDS_SIZE - 2) == std::string(CUCORE_WORDS_SIZE - 2, 'x'));
}

TEST_CASE("a long sentence is cut") {
    hear(std::string(2 * CUCORE_WORDS_SIZE, 'x'));
    hear("Returning 1 (X) from cuA");
    CHECK(take("cuA", 1) == std::string(CUCORE_WORDS_SIZE - 1, 'x'));
}

TEST_CASE("a thread has its own words, and more threads than slots lose the oldest") {
    hear("Mine");
    hear("Returning 1 (X) from cuA");
    std::thread([] { CHECK(take("cuA", 1) == "(nothing)"); }).join();
    CHECK(take("cuA", 1) == "Mine");
    hear("Mine");
    hear("Returning 1 (X) from cuA");
    const int count = 20;
    std::atomic<int> heard{0};
    std::vector<std::thread> others;
    for (int i = 0; i < count; i++) {
        others.emplace_back([&] {
            hear("Another's");
            hear("Returning 1 (X) from cuA");
            heard++;
            while (heard < count) { // alive together, so that none takes over the place of one that ended
                std::this_thread::yield();
            }
        });
    }
    for (std::thread &other : others) {
        other.join();
    }
    CHECK(take("cuA", 1) == "(nothing)");
}

TEST_CASE("words that are not wanted are forgotten") {
    hear("A sentence");
    hear("Returning 1 (X) from cuA");
    cucore_words_forget();
    CHECK(take("cuA", 1) == "(nothing)");
}
