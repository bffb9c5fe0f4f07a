// SPDX-License-Identifier: MIT OR Apache-2.0
// The examples in docs/error-handling.md are what the library says. Each stands there behind "<!-- error: NAME -->", in a fenced
// block. Addresses and folders differ from run to run, and are not compared. A failing test prints the text that belongs there.
#include "support/cucore.hpp"
#include "support/driver.hpp"
#include "support/process.hpp"

#include <fstream>
#include <regex>
#include <sstream>

using namespace test;

namespace {

/// The text without what differs from run to run: addresses, and folders before a file's name.
std::string comparable(std::string text) {
    text = std::regex_replace(text, std::regex("0x[0-9a-f]+"), "0x5581");
    return std::regex_replace(text, std::regex("(/[^/ \n\":]+)+/"), "/.../");
}

/// The fenced block of docs/error-handling.md that is marked with this name.
std::string example(const std::string &name) {
    std::ifstream file(CUCORE_DOCS "/error-handling.md");
    std::string line, text;
    while (std::getline(file, line) && line != "<!-- error: " + name + " -->") {
    }
    std::getline(file, line); // the opening fence
    while (std::getline(file, line) && line != "```") {
        text += line + "\n";
    }
    return text;
}

/// A status as the document shows it.
std::string shown(const Facts &facts) {
    static const char *const kinds[] = {"", "cause", "consequence", "advice"};
    std::string text = std::string(cucore_status_code_name(facts.code)) + ": " + facts.message + "\n";
    if (!facts.log.empty()) {
        text += "  log: " + facts.log + "\n";
    }
    for (const Facts &note : facts.notes) {
        text += std::string("  ") + kinds[note.kind] + ": " + note.message + "\n";
    }
    return text;
}

void check_example(const std::string &name, const Facts &facts) {
    const std::string text = shown(facts);
    INFO("docs/error-handling.md must have, behind <!-- error: " << name << " -->:\n" << text);
    CHECK(comparable(example(name)) == comparable(text));
}

struct Simulated : Clean {
    Device device = make(cucore_device_open, 0);
    Stream stream = make(cucore_stream_create, device, nullptr);
    Resource resource = make(cucore_memory_resource_device_pool, device);
    ~Simulated() {
        sim().fail_nothing();
    }
};

} // namespace

TEST_CASE_METHOD(Simulated, "errors: an argument that breaks a rule", "[sim]") {
    const cucore_stream_options options{sizeof options, 1, 7, CUCORE_DEFAULT, 0};
    check_example("INVALID_ARGUMENT", fails(cucore_stream_create, device, &options));
}

TEST_CASE_METHOD(Simulated, "errors: a handle of another type", "[sim]") {
    auto *const wrong = reinterpret_cast<cucore_event *>(static_cast<cucore_stream *>(stream));
    check_example("INVALID_HANDLE", fails(cucore_event_synchronize, wrong));
}

TEST_CASE_METHOD(Simulated, "errors: a call at the wrong time", "[sim]") {
    check_example("INVALID_STATE", fails(cucore_context_release_primary, 0));
}

TEST_CASE_METHOD(Simulated, "errors: code newer than the driver", "[sim]") {
    const std::string newer = ".version 99.0\n.target sm_50\n.address_size 64\n.visible .entry k() { ret; }\n";
    check_example("NOT_SUPPORTED", fails(cucore_library_load, device, ptx(newer)));
}

TEST_CASE_METHOD(Simulated, "errors: no such kernel", "[sim]") {
    const Library library = load(device);
    check_example("NOT_FOUND", fails(cucore_library_kernel, library, "nope", size_t{4}));
}

TEST_CASE_METHOD(Simulated, "errors: no driver", "[sim]") {
    const Ended ended = run_child({"first-use"}, {{"CUCORE_DRIVER_LIBRARY", "/opt/cuda/libcuda.so.1"}});
    INFO(ended.out << ended.err);
    std::istringstream lines(example("NOT_FOUND, the driver"));
    std::string line;
    int found = 0;
    for (; std::getline(lines, line); found++) {
        CHECK_THAT(comparable(ended.out), has(comparable(line.substr(line.find(": ") + 2))));
    }
    CHECK(found == 2);
}

TEST_CASE_METHOD(Simulated, "errors: work that has not finished", "[sim]") {
    const cucore_event_options timing{sizeof timing, CUCORE_ON, CUCORE_DEFAULT};
    const Event start = make(cucore_event_create, device, &timing), end = make(cucore_event_create, device, &timing);
    ok(cucore_event_record, start, stream);
    sim().hold(cucore_stream_raw(stream));
    ok(cucore_event_record, end, stream);
    float milliseconds = 0;
    const Facts facts = fails(cucore_event_elapsed, start, end, &milliseconds);
    sim().release(cucore_stream_raw(stream));
    check_example("NOT_READY", facts);
}

TEST_CASE_METHOD(Simulated, "errors: more memory than there is", "[sim]") {
    check_example("OUT_OF_MEMORY", fails(cucore_memory_resource_allocate, resource, size_t{1} << 50, stream));
}

TEST_CASE_METHOD(Simulated, "errors: a sticky fault", "[sim]") {
    sim().fail("cuStreamSynchronize", 1, 700, 0);
    check_example("DEVICE_LOST", fails(cucore_stream_synchronize, stream));
}

TEST_CASE_METHOD(Simulated, "errors: code that does not compile", "[sim]") {
    const std::string bad = ".version 7.0\n.target sm_50\n.address_size 64\n.visible .entry k() { nonsense; }\n";
    check_example("COMPILE", fails(cucore_library_load, device, ptx(bad)));
}

TEST_CASE_METHOD(Simulated, "errors: any other failure of the driver", "[sim]") {
    sim().fail("cuStreamCreateWithPriority", 1, INJECTED, 0);
    check_example("DRIVER", fails(cucore_stream_create, device, nullptr));
}

TEST_CASE_METHOD(Simulated, "errors: a code that no table knows", "[sim]") {
    sim().fail("cuStreamSynchronize", 1, UNKNOWN_CODE, 0);
    check_example("DRIVER, unknown", fails(cucore_stream_synchronize, stream));
}

TEST_CASE_METHOD(Simulated, "errors: the caller's context could not be restored", "[sim]") {
    ok(cucore_context_set_current, nullptr, nullptr);
    sim().fail("cuCtxPopCurrent", 1, INJECTED, 0);
    const Facts facts = fails(cucore_event_create, device, nullptr);
    ok(cucore_context_set_current, nullptr, nullptr);
    check_example("a context that could not be restored", facts);
}

TEST_CASE_METHOD(Simulated, "errors: a warning", "[sim]") {
    Event event = make(cucore_event_create, device, nullptr);
    sim().fail("cuEventDestroy", 1, 400, 0);
    event.reset();
    check_example("warning", sink.take_one());
}

TEST_CASE_METHOD(Simulated, "errors: a source that does not compile", "[sim]") {
    const std::string source = "#error no such thing\n";
    const Program program = make(cucore_program_create, device, source.data(), source.size(), nullptr);
    check_example("COMPILE, NVRTC", fails(cucore_program_compile, program, CUCORE_OBJECT_CODE_PTX));
}

TEST_CASE_METHOD(Simulated, "errors: inputs that do not link", "[sim]") {
    const ObjectCode code = ptx("garbage");
    cucore_object_code *inputs[] = {code};
    check_example("LINK", fails(cucore_linker_link, make(cucore_linker_create, device, inputs, size_t{1}, nullptr)));
}

TEST_CASE("errors: the codes that only a caller's own code returns") {
    for (const int32_t code : {CUCORE_CANCELLED, CUCORE_INTERNAL, CUCORE_OS}) {
        const std::string message = "stopped by the user";
        cucore_status *status = cucore_status_create(code, message.data(), message.size());
        CHECK(shown(facts_of(status)) == std::string(cucore_status_code_name(code)) + ": stopped by the user\n");
        cucore_status_release(status);
    }
}
