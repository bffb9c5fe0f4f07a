// SPDX-License-Identifier: MIT OR Apache-2.0
#include "facts.hpp"

#include <algorithm>
#include <cstdio>

namespace test {

namespace {

std::string text_of(const char *(*get)(const cucore_status *, size_t *), const cucore_status *status) {
    size_t size = 0;
    const char *data = get(status, &size);
    return {data, size};
}

} // namespace

const Facts *Facts::note(int32_t note_kind, const std::string &part) const {
    const auto found =
        std::find_if(notes.begin(), notes.end(), [&](const Facts &note) { return note.kind == note_kind && note.says(part); });
    return found == notes.end() ? nullptr : &*found;
}

Facts facts_of(const cucore_status *status, int32_t kind) {
    Facts facts;
    facts.code = cucore_status_code(status);
    facts.domain = cucore_status_domain(status);
    facts.native = cucore_status_native_code(status);
    facts.resource = cucore_status_resource(status);
    facts.operation = text_of(cucore_status_operation, status);
    facts.message = text_of(cucore_status_message, status);
    facts.log = text_of(cucore_status_log, status);
    facts.kind = kind;
    for (size_t index = 0; index < cucore_status_note_count(status); index++) {
        facts.notes.push_back(facts_of(cucore_status_note(status, index), cucore_status_note_kind(status, index)));
    }
    return facts;
}

std::string describe(const Facts &facts, const std::string &indent) {
    static const char *const kinds[] = {"", "cause: ", "consequence: ", "advice: "};
    std::string text = indent + kinds[facts.kind] + cucore_status_code_name(facts.code) + ": " + facts.message + "\n";
    if (!facts.log.empty()) {
        text += indent + "  log: " + facts.log + "\n";
    }
    for (const Facts &note : facts.notes) {
        text += describe(note, indent + "  ");
    }
    return text;
}

std::string hex(uint64_t value) {
    char text[20];
    std::snprintf(text, sizeof text, "0x%llx", static_cast<unsigned long long>(value));
    return text;
}

} // namespace test
