// SPDX-License-Identifier: MIT OR Apache-2.0
#include "torture_report.hpp"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <random>
#include <vector>

namespace test {

namespace {

struct Row {
    std::string scenario;
    std::string kind;
    Tally tally;
};

class Report {
  public:
    ~Report() {
        print();
    }
    void add(const Row &added) {
        if (added.tally.runs == 0) {
            return;
        }
        const auto same = [&](const Row &row) { return row.scenario == added.scenario && row.kind == added.kind; };
        const auto found = std::find_if(rows_.begin(), rows_.end(), same);
        Row &row = found == rows_.end() ? rows_.emplace_back(Row{added.scenario, added.kind, {}}) : *found;
        row.tally.runs += added.tally.runs;
        row.tally.failures += added.tally.failures;
        row.tally.violations += added.tally.violations;
    }

  private:
    void print() const {
        Tally total;
        size_t scenarios = 0;
        for (size_t index = 0; index < rows_.size(); index++) {
            const Row &row = rows_[index];
            const bool is_first = index == 0 || rows_[index - 1].scenario != row.scenario;
            const bool is_last = index + 1 == rows_.size() || rows_[index + 1].scenario != row.scenario;
            if (is_first) {
                std::printf("torture: %s", row.scenario.c_str());
                scenarios++;
            }
            std::printf("%s %s %llu runs %llu failures%s", is_first ? ":" : ",", row.kind.c_str(),
                        static_cast<unsigned long long>(row.tally.runs), static_cast<unsigned long long>(row.tally.failures),
                        is_last ? "\n" : "");
            total.runs += row.tally.runs;
            total.failures += row.tally.failures;
            total.violations += row.tally.violations;
        }
        if (scenarios != 0) {
            std::printf("torture: total: %zu scenarios, %llu runs, %llu failures injected, %llu violations\n", scenarios,
                        static_cast<unsigned long long>(total.runs), static_cast<unsigned long long>(total.failures),
                        static_cast<unsigned long long>(total.violations));
        }
    }
    std::vector<Row> rows_;
};

Report &the_report() {
    static Report report;
    return report;
}

uint64_t choose_seed() {
    const char *wanted = std::getenv("CUCORE_TORTURE_SEED");
    const uint64_t seed = wanted != nullptr ? std::strtoull(wanted, nullptr, 0) : std::random_device()();
    std::printf("torture: seed: %llu (CUCORE_TORTURE_SEED)\n", static_cast<unsigned long long>(seed));
    return seed;
}

} // namespace

void report(const std::string &scenario, const std::string &kind, const Tally &tally) {
    the_report().add({scenario, kind, tally});
}

uint64_t torture_seed() {
    static const uint64_t seed = choose_seed();
    return seed;
}

bool torture_is_full() {
    const char *full = std::getenv("CUCORE_TORTURE_FULL");
    return full != nullptr && std::string(full) == "1";
}

} // namespace test
