// SPDX-License-Identifier: MIT OR Apache-2.0
// What tests need a process of its own for: the first use of the driver, and a process's end. `test_child <what> [arguments]`;
// prints what it found, one fact a line.

#include "become.hpp"
#include "code.hpp"
#include "driver.hpp"
#include "ending.h"
#include "facts.hpp"
#include "faults.hpp"

#include <atomic>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <dlfcn.h>
#include <fstream>
#include <functional>
#include <map>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

/// LeakSanitizer, where it is: what this thread allocates from now on is no leak.
extern "C" [[gnu::weak]] void __lsan_disable();

namespace {

using test::describe;
using test::facts_of;
using test::sim;

void print_status(const char *what, cucore_status *status) {
    std::printf("%s: %s", what, status != nullptr ? describe(facts_of(status)).c_str() : "OK\n");
    cucore_status_release(status);
}

bool is_mapped(const char *part) {
    std::ifstream maps("/proc/self/maps");
    for (std::string line; std::getline(maps, line);) {
        if (line.find(part) != std::string::npos) {
            return true;
        }
    }
    return false;
}

/// Loading the library, and what needs no driver.
int load_only(char **) {
    std::printf("version %u\n", cucore_version());
    std::printf("libcuda mapped: %d\n", is_mapped("libcuda.so"));
    std::printf("driver path: %s\n", cucore_driver_path(nullptr) != nullptr ? "set" : "NULL");
    return 0;
}

/// The first calls that need the driver, twice.
int first_use(char **) {
    for (int round = 0; round < 2; round++) {
        cucore_status *status = nullptr;
        cucore_device *device = cucore_device_open(0, &status);
        print_status("open", status);
        cucore_device_release(device);
        int32_t version = -1;
        cucore_driver_version(&version, &status);
        print_status("version", status);
        std::printf("version stored: %d\n", version);
    }
    std::printf("available: %d\n", cucore_driver_is_available());
    std::printf("names: %s %s\n", cucore_status_native_name(CUCORE_DOMAIN_DRIVER, 700), cucore_status_code_name(5));
    return 0;
}

/// Names the driver: before its first use, after another choice that failed, and when it is too late.
int use_library(char **arguments) {
    static const char nowhere[] = "/nonexistent/libcuda.so.2";
    cucore_status *status = nullptr;
    for (int round = 0; round < 2; round++) {
        cucore_driver_use_library(nowhere, sizeof nowhere - 1, nullptr);
        std::printf("available: %d\n", cucore_driver_is_available());
    }
    cucore_driver_use_library(arguments[0], std::strlen(arguments[0]), &status);
    print_status("use", status);
    std::printf("available: %d\n", cucore_driver_is_available());
    std::printf("path: %s\n", cucore_driver_path(nullptr));
    cucore_driver_use_library(arguments[0], std::strlen(arguments[0]), &status);
    print_status("use again", status);
    return 0;
}

int use_entry(char **) {
    cucore_status *status = nullptr;
    const auto entry = reinterpret_cast<cucore_driver_entry>(test::raw().entry);
    cucore_driver_use_entry(entry, &status);
    print_status("use", status);
    int32_t count = -1;
    cucore_device_count(&count, &status);
    print_status("count", status);
    std::printf("devices: %s\n", count > 0 ? "some" : "none");
    std::printf("path: %s\n", cucore_driver_path(nullptr) != nullptr ? "set" : "NULL");
    cucore_driver_use_entry(entry, &status);
    print_status("use again", status);
    return 0;
}

/// No device: a count of 0, and nothing to open.
int no_device(char **) {
    sim().set_device_count(0);
    int32_t count = -1;
    cucore_status *status = nullptr;
    cucore_device_count(&count, &status);
    print_status("count", status);
    std::printf("devices: %d\n", count);
    cucore_device_open(0, &status);
    print_status("open", status);
    return 0;
}

/// A failed destroy with no sink, where stderr is buffered, and then the process's sudden end.
int die(char **) {
    std::setvbuf(stderr, nullptr, _IOFBF, BUFSIZ);
    cucore_device *device = cucore_device_open(0, nullptr);
    cucore_stream *stream = cucore_stream_create(device, nullptr, nullptr);
    sim().fail("cuStreamDestroy", 1, test::INJECTED, 0);
    cucore_stream_release(stream);
    end_process(3);
}

/// A failed destroy with no sink, and nobody at the other end of stderr: as usual, and where a SIGPIPE is held back already.
int closed_stderr(char **) {
    int ends[2] = {-1, -1};
    if (pipe(ends) != 0) {
        return 1;
    }
    close(ends[0]);
    dup2(ends[1], STDERR_FILENO);
    cucore_device *device = cucore_device_open(0, nullptr);
    const auto warn = [device] {
        cucore_stream *stream = cucore_stream_create(device, nullptr, nullptr);
        sim().fail_after("cuStreamDestroy", 1, test::INJECTED, 0);
        cucore_stream_release(stream);
    };
    sigset_t signals;
    warn();
    pthread_sigmask(SIG_SETMASK, nullptr, &signals);
    std::printf("alive, SIGPIPE blocked: %d\n", sigismember(&signals, SIGPIPE));
    sigemptyset(&signals);
    sigaddset(&signals, SIGPIPE);
    pthread_sigmask(SIG_BLOCK, &signals, nullptr);
    raise(SIGPIPE);
    warn();
    sigpending(&signals);
    std::printf("alive, SIGPIPE pending: %d\n", sigismember(&signals, SIGPIPE));
    std::thread([] { std::fputs("another thread's\n", stderr); }).join();
    cucore_device_release(device);
    return 0;
}

/// A driver that lacks a function: what can be opened, and memory.
int open_pool() {
    cucore_status *status = nullptr;
    cucore_device *device = cucore_device_open(0, &status);
    print_status("open", status);
    cucore_memory_resource *resource = cucore_memory_resource_device_pool(device, &status);
    print_status("pool", status);
    cucore_memory_resource_release(resource);
    cucore_device_release(device);
    return 0;
}

int hide(char **arguments) {
    sim().hide(arguments[0]);
    return open_pool();
}

/// A pool with a greatest size, which drivers have not always had.
int limited_pool(char **) {
    cucore_status *status = nullptr;
    cucore_device *device = cucore_device_open(0, nullptr);
    cucore_memory_pool_options options{};
    options.struct_size = sizeof options;
    options.max_size = uint64_t{1} << 20;
    cucore_memory_resource_release(cucore_memory_resource_create_pool(device, &options, &status));
    print_status("limited pool", status);
    cucore_device_release(device);
    return 0;
}

const char *not_had; // the function that the entry below does not have
int answer_for_it;

/// Stores something for it all the same.
int32_t entry_without(const char *name, void **function, int version, uint64_t flags, int32_t *found) {
    const int32_t result = reinterpret_cast<cucore_driver_entry>(test::raw().entry)(name, function, version, flags, found);
    if (std::strcmp(name, not_had) != 0) {
        return result;
    }
    *function = &not_had;
    *found = 1; // CU_GET_PROC_ADDRESS_SYMBOL_NOT_FOUND
    return answer_for_it;
}

int32_t (*get_attribute)(int32_t *value, int32_t attribute, int32_t device);

int32_t no_pools(int32_t *value, int32_t attribute, int32_t device) {
    const int32_t result = get_attribute(value, attribute, device);
    if (attribute == 115) { // CU_DEVICE_ATTRIBUTE_MEMORY_POOLS_SUPPORTED
        *value = 0;
    }
    return result;
}

int32_t entry_to_no_pools(const char *name, void **function, int version, uint64_t flags, int32_t *found) {
    const int32_t result = reinterpret_cast<cucore_driver_entry>(test::raw().entry)(name, function, version, flags, found);
    if (std::strcmp(name, "cuDeviceGetAttribute") == 0) {
        get_attribute = reinterpret_cast<decltype(get_attribute)>(*function);
        *function = reinterpret_cast<void *>(&no_pools);
    }
    return result;
}

/// A device that has no memory pools.
int device_without_pools(char **) {
    cucore_driver_use_entry(&entry_to_no_pools, nullptr);
    return open_pool();
}

/// A driver that is refused for what it answers when it is asked for a function, which it does not have, and then an older one,
/// which does not have what the first had.
int older_after_refused(char **arguments) {
    not_had = arguments[0];
    answer_for_it = std::atoi(arguments[1]);
    cucore_driver_use_entry(&entry_without, nullptr);
    cucore_status *status = nullptr;
    cucore_device_open(0, &status);
    print_status("newer", status);
    sim().set_driver_version(12000);
    cucore_driver_use_entry(reinterpret_cast<cucore_driver_entry>(test::raw().entry), nullptr);
    const std::string &ptx = test::NOTHING_PTX;
    cucore_device *device = cucore_device_open(0, &status);
    print_status("older", status);
    cucore_object_code *code = cucore_object_code_create(CUCORE_OBJECT_CODE_PTX, ptx.data(), ptx.size(), nullptr, 0, nullptr);
    cucore_library *library = cucore_library_load(device, code, nullptr);
    size_t count = 0;
    cucore_library_kernel_count(library, &count, &status);
    print_status("kernels", status);
    cucore_library_release(library);
    cucore_object_code_release(code);
    cucore_device_release(device);
    return 0;
}

/// A driver whose entry point does not have a function, and what it returns when it is asked for that.
int entry_that_lacks(char **arguments) {
    not_had = arguments[0];
    answer_for_it = std::atoi(arguments[1]);
    cucore_driver_use_entry(&entry_without, nullptr);
    return open_pool();
}

/// A failed call on a driver of this version.
int old_driver(char **arguments) {
    sim().set_driver_version(std::atoi(arguments[0]));
    cucore_status *status = nullptr;
    cucore_device *device = cucore_device_open(0, &status);
    print_status("open", status);
    cucore_stream *stream = cucore_stream_create(device, nullptr, &status);
    print_status("stream", status);
    sim().fail("cuStreamSynchronize", 1, test::INJECTED, 0);
    cucore_stream_synchronize(stream, &status);
    print_status("synchronize", status);
    cucore_stream_release(stream);
    cucore_device_release(device);
    return 0;
}

/// A kernel on a driver of this version.
int old_kernel(char **arguments) {
    sim().set_driver_version(std::atoi(arguments[0]));
    cucore_device *device = cucore_device_open(0, nullptr);
    cucore_stream *stream = cucore_stream_create(device, nullptr, nullptr);
    const std::string &ptx = test::NOTHING_PTX;
    cucore_object_code *code = cucore_object_code_create(CUCORE_OBJECT_CODE_PTX, ptx.data(), ptx.size(), nullptr, 0, nullptr);
    cucore_library *library = cucore_library_load(device, code, nullptr);
    cucore_kernel *kernel = cucore_library_kernel(library, "nothing", 7, nullptr);
    size_t size = 0;
    cucore_status *status = nullptr;
    cucore_kernel_parameter_count(kernel, &size, &status);
    print_status("count", status);
    cucore_kernel_parameter_size(kernel, 0, &size, &status);
    print_status("size", status);
    const cucore_launch_options options = test::shape(1, 1);
    cucore_kernel_launch(kernel, stream, &options, nullptr, 0, &status);
    print_status("launch", status);
    cucore_stream_synchronize(stream, &status);
    print_status("synchronize", status);
    cucore_kernel_release(kernel);
    cucore_library_release(library);
    cucore_object_code_release(code);
    cucore_stream_release(stream);
    cucore_device_release(device);
    return 0;
}

/// Threads that race for the first load.
int race(char **) {
    std::thread threads[4];
    int32_t codes[4];
    for (int index = 0; index < 4; index++) {
        threads[index] = std::thread([&code = codes[index]] {
            int32_t version = 0;
            code = cucore_driver_version(&version, nullptr);
        });
    }
    for (std::thread &thread : threads) {
        thread.join();
    }
    for (const int32_t code : codes) {
        std::printf("code %d\n", code);
    }
    std::thread opening[4];
    cucore_device *devices[4];
    for (int index = 0; index < 4; index++) {
        opening[index] = std::thread([&devices, index] { devices[index] = cucore_device_open(0, nullptr); });
    }
    for (int index = 0; index < 4; index++) {
        opening[index].join();
        std::printf("device %s\n", devices[index] != nullptr ? "open" : "NULL");
        cucore_device_release(devices[index]);
    }
    if (test::simulator() != nullptr) {
        std::printf("cuInit calls: %d\n", static_cast<int>(sim().call_count("cuInit")));
    }
    return 0;
}

/// The first use of the driver with call `nth` of a kind failing, and then without: <kind> <nth> <sticky>.
int fail_loading(char **arguments) {
    const bool driver = std::strcmp(arguments[0], "driver") == 0;
    const auto nth = std::strtoull(arguments[1], nullptr, 10);
    const bool sticky = arguments[2][0] == '1';
    sim(); // looked up before anything fails
    if (driver) {
        sim().fail(nullptr, nth, test::INJECTED, sticky);
    } else {
        test::fail_library_call(std::strcmp(arguments[0], "allocation") == 0 ? nullptr : arguments[0], nth, sticky);
    }
    cucore_status *status = nullptr;
    cucore_device *device = cucore_device_open(0, &status);
    std::printf("failures %d\n", static_cast<int>(driver ? sim().failures_injected() : test::library_failures()));
    std::printf("device %s\ncode %s\n", device != nullptr ? "open" : "NULL", cucore_status_code_name(cucore_status_code(status)));
    print_status("first", status);
    cucore_device_release(device);
    sim().fail_nothing();
    test::fail_no_library_call();
    device = cucore_device_open(0, &status);
    print_status("second", status);
    cucore_device_release(device);
    return 0;
}

/// A handle of each noun, and what depends on what. Those of compilers are NULL where there are none.
struct Handles {
    cucore_device *device;
    cucore_context *context;
    cucore_stream *stream, *other_stream, *default_stream;
    cucore_event *event;
    cucore_memory_resource *pool, *pinned;
    cucore_buffer *buffer, *pinned_buffer, *default_buffer;
    cucore_object_code *code;
    cucore_library *library;
    cucore_kernel *kernel;
    cucore_program *program;
    cucore_linker *linker;
};

Handles make_handles() {
    Handles made{};
    made.device = cucore_device_open(0, nullptr);
    made.context = cucore_device_context(made.device, nullptr);
    made.stream = cucore_stream_create(made.device, nullptr, nullptr);
    made.other_stream = cucore_stream_create(made.device, nullptr, nullptr);
    made.default_stream = cucore_stream_default(made.device, nullptr);
    made.event = cucore_event_create(made.device, nullptr, nullptr);
    made.pool = cucore_memory_resource_create_pool(made.device, nullptr, nullptr);
    made.pinned = cucore_memory_resource_pinned(made.device, nullptr);
    made.buffer = cucore_memory_resource_allocate(made.pool, 64, made.stream, nullptr);
    cucore_buffer_fill(made.buffer, 0, 64, 0, 1, made.other_stream, nullptr);
    made.pinned_buffer = cucore_memory_resource_allocate(made.pinned, 64, made.stream, nullptr);
    made.default_buffer = cucore_memory_resource_allocate(made.pool, 64, made.default_stream, nullptr);
    const std::string &ptx = test::NOTHING_PTX, &source = test::SAXPY_SOURCE;
    made.code = cucore_object_code_create(CUCORE_OBJECT_CODE_PTX, ptx.data(), ptx.size(), nullptr, 0, nullptr);
    made.library = cucore_library_load(made.device, made.code, nullptr);
    made.kernel = cucore_library_kernel(made.library, "nothing", 7, nullptr);
    made.program = cucore_program_create(made.device, source.data(), source.size(), nullptr, nullptr);
    made.linker = cucore_linker_create(made.device, &made.code, 1, nullptr, nullptr);
    return made;
}

/// Each noun with the handles of it.
#define EACH_HANDLE(X) \
    X(linker, linker) \
    X(program, program) \
    X(kernel, kernel) \
    X(library, library) \
    X(buffer, default_buffer) \
    X(buffer, pinned_buffer) \
    X(buffer, buffer) \
    X(memory_resource, pinned) \
    X(memory_resource, pool) \
    X(event, event) \
    X(stream, default_stream) \
    X(stream, other_stream) \
    X(stream, stream) \
    X(context, context) \
    X(device, device)

void release(const Handles &handles) {
#define X(noun, member) cucore_##noun##_release(handles.member);
    EACH_HANDLE(X)
#undef X
    cucore_object_code_release(handles.code);
}

uint64_t driver_calls() {
    return test::simulator() != nullptr ? sim().call_count(nullptr) : 0;
}

/// How many of the calls that a forked child or an ending process must refuse are refused so.
class Refusals {
  public:
    explicit Refusals(const char *word) : word_(word) {
    }
    template <class Call> void add(const char *function, Call call) {
        cucore_status *status = nullptr;
        const int32_t code = call(&status);
        const bool refused = code == CUCORE_INVALID_STATE && facts_of(status).says(word_);
        (refused ? refused_ : others_)++;
        if (!refused) {
            print_status(function, cucore_status_retain(status));
        }
        cucore_status_release(status);
    }
    int refused() const {
        return refused_;
    }
    int others() const {
        return others_;
    }

  private:
    const char *word_;
    int refused_ = 0, others_ = 0;
};

/// Calls with the handles, but no close.
void call_with(const Handles &handles, Refusals *refusals) {
    int32_t count = 0;
    uint64_t total = 0;
    char host[64] = {};
    refusals->add("cucore_device_open", [](auto s) { return cucore_device_open(0, s) == nullptr ? cucore_status_code(*s) : 0; });
#define CALL(function, ...) refusals->add(#function, [&](auto s) { return function(__VA_ARGS__, s); });
    CALL(cucore_device_count, &count)
    CALL(cucore_device_memory_info, handles.device, &total, &total)
    CALL(cucore_context_synchronize, handles.context)
    CALL(cucore_context_set_current, nullptr, nullptr)
    CALL(cucore_context_release_primary, 0)
    CALL(cucore_stream_synchronize, handles.stream)
    CALL(cucore_event_record, handles.event, handles.stream)
    CALL(cucore_buffer_copy_to_host, handles.buffer, 0, host, sizeof host, handles.stream)
#undef CALL
    refusals->add("cucore_callback_enter", &cucore_callback_enter);
    refusals->add("cucore_deferred_drain", &cucore_deferred_drain);
}

void close_all(const Handles &handles, Refusals *refusals) {
#define X(noun, member) \
    if (handles.member != nullptr) { \
        refusals->add(#member, [&](auto s) { return cucore_##noun##_close(handles.member, nullptr, s); }); \
    }
    EACH_HANDLE(X)
#undef X
}

/// What is plain memory works everywhere.
bool plain_memory_works() {
    cucore_status *status = cucore_status_create(CUCORE_CANCELLED, "stop", 4);
    const bool has_names = *cucore_status_native_name(CUCORE_DOMAIN_DRIVER, 700) != '\0' && *cucore_version_text() != '\0';
    cucore_warning_queue *queue = cucore_warning_queue_create(4, nullptr);
    cucore_object_code *code = cucore_object_code_create(CUCORE_OBJECT_CODE_PTX, "x", 1, nullptr, 0, nullptr);
    const bool works = cucore_status_code(status) == CUCORE_CANCELLED && has_names && queue != nullptr && code != nullptr;
    cucore_object_code_release(code);
    cucore_warning_queue_release(queue);
    cucore_status_release(status);
    return works;
}

void forked_child(const Handles &handles) {
    const uint64_t before = driver_calls();
    release(handles);
    Refusals refusals("fork");
    call_with(handles, &refusals);
    close_all(handles, &refusals);
    std::printf("child: %d driver calls\n", static_cast<int>(driver_calls() - before));
    std::printf("child: %s refused\n", refusals.refused() > 20 && refusals.others() == 0 ? "all" : "not all");
    std::printf("child: plain memory %s\n", plain_memory_works() ? "works" : "does not work");
    int drops = 0;
    cucore_stream_add_callback(
        handles.stream, [](const cucore_status *, void *) {}, &drops, [](void *count) { ++*static_cast<int *>(count); }, nullptr);
    std::printf("child: %d drops\n", drops);
}

/// Runs `action` in a forked child, and waits for that.
template <class Action> void in_forked_child(Action action) {
    std::fflush(stdout);
    const pid_t child = fork();
    if (child == 0) {
        action();
        std::fflush(stdout);
        end_process(0);
    }
    int ended = -1;
    waitpid(child, &ended, 0);
    std::printf("child ended: %d\n", ended);
}

/// A fork after the driver was used, and after the library's thread was started.
int fork_after(char **) {
    const Handles handles = make_handles();
    cucore_callback_enter(nullptr);
    cucore_callback_leave();
    in_forked_child([&] { forked_child(handles); });
    cucore_status *status = nullptr;
    cucore_stream_synchronize(handles.stream, &status);
    print_status("parent, synchronize", status);
    Refusals closes("");
    close_all(handles, &closes);
    cucore_object_code_release(handles.code);
    std::printf("parent, closes: %d refused\n", closes.refused());
    return 0;
}

/// A sink of the parent's in a child, where one thread is in a call of it while another's has begun and ended: who releases it
/// waits for the first.
int release_sink_in_fork(char **) {
    static std::atomic<int> calls{0};
    static std::atomic<bool> leave{false}, released{false};
    const auto wait_at_first = [](const cucore_status *, void *) {
        if (++calls == 1) {
            while (!leave) {
                usleep(1000);
            }
        }
        return int32_t{0};
    };
    cucore_warning_sink *sink = cucore_warning_sink_register(wait_at_first, nullptr, nullptr, nullptr);
    in_forked_child([&] {
        cucore_device *device = cucore_device_open(0, nullptr);
        const auto warn = [&] {
            sim().fail_after("cuStreamDestroy", 1, test::INJECTED, 0);
            cucore_stream_release(cucore_stream_create(device, nullptr, nullptr));
        };
        std::thread first(warn);
        while (calls == 0) {
            usleep(1000);
        }
        warn();
        std::thread releasing([&] {
            cucore_warning_sink_release(sink);
            released = true;
        });
        usleep(20000);
        std::printf("calls: %d, released: %d\n", calls.load(), released.load());
        leave = true;
        first.join();
        releasing.join();
        cucore_device_release(device);
    });
    return 0;
}

/// A fork of a process that has only used sinks, while another thread of it holds their lock: the child does not wait for that.
int fork_in_lock(char **) {
    const auto use_sink = [] {
        const auto keep_quiet = [](const cucore_status *, void *) { return int32_t{0}; };
        cucore_warning_sink_release(cucore_warning_sink_register(keep_quiet, nullptr, nullptr, nullptr));
    };
    use_sink();
    std::atomic<bool> held{false}, forked{false};
    std::thread holding([&] {
        const test::BeforeLibraryCall holds("pthread_mutex_unlock", [&] {
            for (held = true; !forked;) {
                usleep(1000);
            }
        });
        use_sink();
    });
    while (!held) {
        usleep(1000);
    }
    in_forked_child([&] {
        alarm(20);
        use_sink();
        std::printf("child: used\n");
    });
    forked = true;
    holding.join();
    return 0;
}

/// A fork after the driver was used and before a compiler was, which the child must not look for.
int fork_then_compile(char **) {
    cucore_device_release(cucore_device_open(0, nullptr));
    in_forked_child([] {
        cucore_status *status = nullptr;
        int32_t major = 0, minor = 0;
        cucore_compiler_version(CUCORE_COMPILER_NVRTC, &major, &minor, &status);
        print_status("child, version", status);
        std::printf("child, compiler: %s\n",
                    cucore_compiler_path(CUCORE_COMPILER_NVRTC, nullptr) == nullptr ? "not loaded" : "loaded");
    });
    return 0;
}

/// A fork before the driver was used; that there is one may be known.
int fork_before(char **) {
    cucore_driver_is_available();
    const auto open = [](const char *who) {
        cucore_status *status = nullptr;
        cucore_device *device = cucore_device_open(0, &status);
        print_status(who, status);
        cucore_stream *stream = cucore_stream_create(device, nullptr, &status);
        print_status("stream", status);
        cucore_stream_release(stream);
        cucore_device_release(device);
    };
    in_forked_child([&] { open("child, open"); });
    open("parent, open");
    return 0;
}

/// A forked child that ends as programs do. It stays one to the last handler, which the parent registered before the library did.
int fork_and_exit(char **) {
    static Handles handles;
    static bool is_child;
    static uint64_t before;
    std::atexit([] {
        Refusals refusals("fork");
        if (is_child) {
            call_with(handles, &refusals);
            std::printf("child: %d not refused, %d driver calls\n", refusals.others(), static_cast<int>(driver_calls() - before));
        }
    });
    handles = make_handles();
    in_forked_child([] {
        is_child = true;
        before = driver_calls();
        std::exit(0);
    });
    release(handles);
    return 0;
}

/// A callback of other code's, inside which a handle is given up, and the wait until the library's thread has ended it.
void give_up_in_callback(const char *who) {
    cucore_device *device = cucore_device_open(0, nullptr);
    cucore_stream *stream = cucore_stream_create(device, nullptr, nullptr);
    cucore_status *status = nullptr;
    cucore_callback_enter(&status);
    print_status(who, status);
    cucore_stream_release(stream);
    cucore_callback_leave();
    cucore_deferred_drain(&status);
    print_status("drain", status);
    std::printf("streams destroyed: %d\n", static_cast<int>(sim().call_count("cuStreamDestroy")));
    cucore_device_release(device);
}

/// A fork without CUDA, after a sink, a queue and the library's thread: the child has all of them too.
int fork_with_thread(char **) {
    cucore_warning_queue *queue = cucore_warning_queue_create(4, nullptr);
    const auto say = [](const cucore_status *warning, void *) -> int32_t {
        std::printf("sink: %s\n", cucore_status_operation(warning, nullptr));
        return 0;
    };
    cucore_warning_sink *sink = cucore_warning_sink_register(say, nullptr, nullptr, nullptr);
    cucore_callback_enter(nullptr);
    cucore_callback_leave();
    const auto use = [&](const char *who) {
        sim().fail_after("cuStreamDestroy", 1, test::INJECTED, 0);
        give_up_in_callback(who);
        cucore_status *warning = cucore_warning_queue_poll(queue);
        std::printf("queue: %s\n", cucore_status_operation(warning, nullptr));
        cucore_status_release(warning);
    };
    in_forked_child([&] { use("child, enter"); });
    use("parent, enter");
    cucore_warning_sink_release(sink);
    cucore_warning_queue_release(queue);
    return 0;
}

/// Forks while other threads are in calls of all kinds, and may hold any of the library's locks: no child waits for one.
int fork_while_busy(char **) {
    const Handles handles = make_handles();
    std::atomic<bool> ends{false};
    const auto keep_quiet = [](const cucore_status *, void *) { return int32_t{0}; };
    const auto busy = [&](const std::function<void()> &use) {
        return std::thread([&ends, use] {
            while (!ends) {
                use();
            }
        });
    };
    std::thread threads[] = {
        busy([&] { cucore_stream_release(cucore_stream_create(handles.device, nullptr, nullptr)); }),
        busy([&] { cucore_warning_sink_release(cucore_warning_sink_register(keep_quiet, nullptr, nullptr, nullptr)); }),
        busy([&] {
            cucore_callback_enter(nullptr);
            cucore_event_release(cucore_event_create(handles.device, nullptr, nullptr));
            cucore_callback_leave();
            cucore_deferred_drain(nullptr);
        }),
    };
    int failed = 0;
    for (int round = 0; round < 50; round++) {
        const pid_t child = fork();
        if (child == 0) {
            alarm(20);
            release(handles);
            cucore_status *status = nullptr;
            cucore_warning_sink_release(cucore_warning_sink_register(keep_quiet, nullptr, nullptr, nullptr));
            const bool refused = cucore_stream_synchronize(handles.stream, &status) == CUCORE_INVALID_STATE &&
                                 cucore_deferred_drain(nullptr) == CUCORE_INVALID_STATE;
            cucore_status_release(status);
            _exit(refused ? 0 : 1);
        }
        int ended = -1;
        waitpid(child, &ended, 0);
        failed += ended != 0;
    }
    ends = true;
    for (std::thread &thread : threads) {
        thread.join();
    }
    release(handles);
    std::printf("children that failed: %d\n", failed);
    return 0;
}

/// A process that used CUDA, and has handles alive, becomes another program, or is forked into one.
int exec_after(char **arguments) {
    make_handles();
    cucore_callback_enter(nullptr);
    cucore_callback_leave();
    const auto become_another = [] { test::become(test::beside("test_child"), {"first-use"}); };
    if (std::strcmp(arguments[0], "fork") == 0) {
        in_forked_child(become_another);
        std::fflush(nullptr);
        _exit(0); // not leaving what is alive to LeakSanitizer
    }
    become_another();
    return 1;
}

uint64_t bytes_in_use(cucore_memory_resource *pool) {
    uint64_t bytes = 0;
    cucore_memory_resource_attribute(pool, CUCORE_POOL_ATTRIBUTE_USED_CURRENT, &bytes, nullptr);
    return bytes;
}

/// Releases a buffer while its stream is captured, so that it cannot be freed before the end of that; `between` runs before the
/// end.
template <class Action> void release_captured(cucore_buffer *buffer, cucore_stream *stream, Action between) {
    test::raw().cuStreamBeginCapture(cucore_stream_raw(stream), CU_STREAM_CAPTURE_MODE_GLOBAL);
    cucore_buffer_release(buffer);
    between();
    test::CUgraph graph = nullptr;
    test::raw().cuStreamEndCapture(cucore_stream_raw(stream), &graph);
    test::raw().cuGraphDestroy(graph);
}

/// Leaves memory to the library's thread without waiting for that, and then again with waiting.
void leave_to_thread() {
    cucore_device *device = cucore_device_open(0, nullptr);
    cucore_stream *stream = cucore_stream_create(device, nullptr, nullptr);
    cucore_memory_resource *pool = cucore_memory_resource_create_pool(device, nullptr, nullptr);
    cucore_buffer *first = cucore_memory_resource_allocate(pool, 64, stream, nullptr);
    cucore_buffer *second = cucore_memory_resource_allocate(pool, 64, stream, nullptr);
    const uint64_t both = bytes_in_use(pool);
    release_captured(first, stream, [] {});
    for (int wait = 0; wait < 2000 && bytes_in_use(pool) == both; wait++) {
        usleep(1000);
    }
    std::printf("freed meanwhile: %d\n", bytes_in_use(pool) < both);
    release_captured(second, stream, [] { cucore_deferred_drain(nullptr); });
    cucore_deferred_drain(nullptr);
    std::printf("in use after a drain: %d\n", bytes_in_use(pool) != 0);
    cucore_memory_resource_release(pool);
    cucore_stream_release(stream);
    cucore_device_release(device);
}

/// Forks before the driver was used, of a process in which the library's thread was started and has worked.
int fork_after_work(char **) {
    sigset_t none, after;
    sigemptyset(&none); // the parent, which made the library's thread too, may hand down what it blocks
    pthread_sigmask(SIG_SETMASK, &none, nullptr);
    cucore_callback_enter(nullptr);
    cucore_object_code_release(cucore_object_code_create(CUCORE_OBJECT_CODE_PTX, "x", 1, nullptr, 0, nullptr));
    cucore_callback_leave();
    cucore_deferred_drain(nullptr);
    pthread_sigmask(SIG_SETMASK, nullptr, &after);
    std::printf("signals as before: %d\n", !sigismember(&after, SIGTERM));
    in_forked_child([] {
        test::fail_library_call("pthread_create", 1, true);
        cucore_status *status = nullptr;
        cucore_callback_enter(&status);
        print_status("enter", status);
    });
    in_forked_child([] { leave_to_thread(); });
    return 0;
}

/// A fork without CUDA, while a sink runs on another thread: the child does not wait for it. A simulated NVRTC fails the destroy.
int fork_in_sink(char **) {
    static std::atomic<bool> inside;
    static std::atomic<bool> leave;
    const auto wait = [](const cucore_status *, void *) -> int32_t {
        inside = true;
        while (!leave) {
            usleep(1000);
        }
        return 0;
    };
    cucore_warning_sink *sink = cucore_warning_sink_register(wait, nullptr, nullptr, nullptr);
    cucore_program_options options{};
    options.struct_size = sizeof options;
    options.arch = {"sm_90", 5};
    cucore_program *program = cucore_program_create(nullptr, "int i;", 6, &options, nullptr);
    void *const nvrtc = dlopen(std::getenv("CUCORE_NVRTC_LIBRARY"), RTLD_NOW);
    using Fail = void(const char *, uint64_t, int, int);
    reinterpret_cast<Fail *>(dlsym(nvrtc, "cusim_nvrtc_fail"))("nvrtcDestroyProgram", 1, 11, 0);
    std::thread releasing([&] { cucore_program_release(program); });
    while (!inside) {
        usleep(1000);
    }
    in_forked_child([&] {
        alarm(5);
        cucore_warning_sink_release(sink);
        std::printf("child: released\n");
    });
    leave = true;
    releasing.join();
    cucore_warning_sink_release(sink);
    return 0;
}

/// The end of a process with handles alive. Those of `global` are given up when everything else has ended, those of a thread while
/// it is still running; what goes wrong is the exit code.
namespace ending {

struct Global {
    Handles handles{};
    uint64_t calls_before = 0;
    ~Global();
};
Global global;
Handles of_handlers; ///< given up by the handler that was registered before the library's, and by the one after it
cucore_stream *of_last_handler;

void fail(int code) {
    std::fflush(nullptr);
    _exit(code);
}

struct OfThread {
    cucore_stream *stream = nullptr;
    ~OfThread() {
        cucore_stream_release(stream);
    }
};
thread_local OfThread of_thread;

/// Runs before the library's own handler: everything works.
void handler_registered_after() {
    cucore_stream *stream = cucore_stream_create(of_handlers.device, nullptr, nullptr);
    if (stream == nullptr || cucore_stream_synchronize(of_handlers.stream, nullptr) != CUCORE_OK) {
        fail(11);
    }
    cucore_stream_release(stream);
    cucore_stream_release(of_last_handler);
}

/// Runs after it: nothing reaches the driver.
void handler_registered_before() {
    global.calls_before = driver_calls();
    Refusals refusals("exiting");
    call_with(of_handlers, &refusals);
    if (refusals.others() != 0) {
        fail(12);
    }
    if (cucore_stream_close(of_handlers.other_stream, nullptr, nullptr) != CUCORE_OK) {
        fail(13);
    }
    release(of_handlers);
    if (driver_calls() != global.calls_before) {
        fail(14);
    }
}

/// Runs last of all.
Global::~Global() {
    if (handles.device == nullptr) {
        return;
    }
    release(handles);
    if (driver_calls() != calls_before) {
        _exit(15);
    }
}

int32_t shout(const cucore_status *, void *) {
    std::printf("a warning at the end\n");
    return 0;
}

void drop(void *) {
    std::printf("a drop at the end\n");
}

/// Makes the handles, and everything else that the library can have alive.
void make_everything(cucore_warning_function sink) {
    std::atexit(&handler_registered_before);
    global.handles = make_handles();
    of_handlers = make_handles();
    of_thread.stream = cucore_stream_create(global.handles.device, nullptr, nullptr);
    cucore_warning_sink_register(sink, nullptr, &drop, nullptr);
    cucore_callback_enter(nullptr);
    cucore_callback_leave();
}

void prepare() {
    make_everything(&shout);
    of_last_handler = cucore_stream_create(global.handles.device, nullptr, nullptr);
    std::atexit(&handler_registered_after);
}

} // namespace ending

/// With a detached thread that has handles in its thread-local storage, and sleeps.
int exit_with_handles(char **) {
    ending::prepare();
    std::atomic<bool> ready{false};
    std::thread([&] {
        ending::of_thread.stream = cucore_stream_create(ending::global.handles.device, nullptr, nullptr);
        ready = true;
        pause();
    }).detach();
    while (!ready) {
        std::this_thread::yield();
    }
    return 0;
}

/// Starts a thread that does `work` again and again, and waits until it has done so three times. What it gives up when the process
/// is already ending is left as it is, which LeakSanitizer would report.
void keep_doing(void (*work)(const Handles &), const Handles &handles) {
    static std::atomic<int> rounds;
    rounds = 0;
    std::thread([work, &handles] {
        if (__lsan_disable != nullptr) {
            __lsan_disable();
        }
        for (;; rounds++) {
            work(handles);
        }
    }).detach();
    while (rounds < 3) {
        std::this_thread::yield();
    }
}

int32_t keep_quiet(const cucore_status *, void *) {
    return 0;
}

/// With detached threads that go on using the library.
int exit_while_busy(char **) {
    static Handles handles = make_handles();
    keep_doing(
        [](const Handles &made) {
            cucore_stream_release(cucore_stream_create(made.device, nullptr, nullptr));
            cucore_buffer_release(cucore_memory_resource_allocate(made.pool, 64, made.stream, nullptr));
        },
        handles);
    keep_doing(
        [](const Handles &made) {
            cucore_library *library = cucore_library_load(made.device, made.code, nullptr);
            cucore_kernel_release(cucore_library_kernel(library, "nothing", 7, nullptr));
            cucore_library_release(library);
            cucore_memory_resource_release(cucore_memory_resource_create_pool(made.device, nullptr, nullptr));
        },
        handles);
    keep_doing(
        [](const Handles &made) {
            cucore_callback_enter(nullptr);
            cucore_event_release(cucore_event_create(made.device, nullptr, nullptr));
            cucore_callback_leave();
            cucore_deferred_drain(nullptr);
            cucore_warning_sink_release(cucore_warning_sink_register(&keep_quiet, nullptr, nullptr, nullptr));
        },
        handles);
    std::exit(0);
}

/// Starts a detached thread that does not come back from `wait`, and gives it time to get there.
template <class Wait> void leave_waiting(const char *what, Wait wait) {
    std::thread([what, wait] {
        if (__lsan_disable != nullptr) {
            __lsan_disable();
        }
        wait();
        std::printf("it did not wait for %s\n", what);
    }).detach();
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
}

/// With threads that wait: for work that never ends, inside a sink, for that sink, and for the library's thread, which waits for
/// the end of a capture.
int exit_while_waiting(char **arguments) {
    static Handles handles = make_handles();
    static cucore_warning_sink *sink;
    sim().hook(
        "cuStreamSynchronize", 1, [](void *) { pause(); }, nullptr);
    leave_waiting("work", [] { cucore_stream_synchronize(handles.other_stream, nullptr); });
    sink =
        cucore_warning_sink_register([](const cucore_status *, void *) -> int32_t { return pause(); }, nullptr, nullptr, nullptr);
    sim().fail("cuEventDestroy", 1, test::INJECTED, 0);
    leave_waiting("a sink", [] { cucore_event_release(handles.event); });
    leave_waiting("the end of a sink", [] { cucore_warning_sink_release(sink); });
    test::raw().cuStreamBeginCapture(cucore_stream_raw(handles.stream), CU_STREAM_CAPTURE_MODE_RELAXED);
    cucore_buffer_release(handles.pinned_buffer);
    leave_waiting("a capture", [] {
        while (cucore_deferred_drain(nullptr) == CUCORE_OK) {
        }
        pause();
    });
    std::exit(std::atoi(arguments[0]));
}

/// The ways in which a process ends, with everything alive: <way> <exit code>.
namespace way {

int code;

int32_t exit_in_sink(const cucore_status *, void *) {
    std::exit(code);
}

void exit_in_callback(const cucore_status *, void *) {
    std::exit(code);
}

void sink() {
    cucore_warning_sink_register(&exit_in_sink, nullptr, nullptr, nullptr);
    cucore_event *event = cucore_event_create(ending::global.handles.device, nullptr, nullptr);
    sim().fail("cuEventDestroy", 1, test::INJECTED, 0);
    cucore_event_release(event);
}

void callback() {
    cucore_stream_add_callback(ending::global.handles.stream, &exit_in_callback, nullptr, nullptr, nullptr);
    cucore_stream_synchronize(ending::global.handles.stream, nullptr);
}

void thread() {
    std::thread([] { std::exit(code); }).join();
}

void during_capture() {
    test::raw().cuStreamBeginCapture(cucore_stream_raw(ending::global.handles.stream), CU_STREAM_CAPTURE_MODE_GLOBAL);
    cucore_buffer_release(cucore_buffer_retain(ending::global.handles.buffer));
    std::exit(code);
}

/// A fault that all later calls answer with.
void fault() {
    sim().sticky_fault(0, test::INJECTED_TOO);
    std::exit(code);
}

void plain() {
    std::exit(code);
}

const std::map<std::string, void (*)()> ways = {
    {"exit", &plain},  {"thread", &thread}, {"sink", &sink}, {"callback", &callback}, {"capture", &during_capture},
    {"fault", &fault}, {"return", [] {}},
};

} // namespace way

int end_by(char **arguments) {
    ending::make_everything(&keep_quiet);
    way::code = std::atoi(arguments[1]);
    way::ways.at(arguments[0])();
    return way::code;
}

/// What a stream callback did.
struct CalledBack {
    std::atomic<int> runs{0};
    std::atomic<int> drops{0};
    std::atomic<int> native{0};

    static void run(const cucore_status *outcome, void *user_data) {
        auto *seen = static_cast<CalledBack *>(user_data);
        seen->native = static_cast<int>(cucore_status_native_code(outcome));
        seen->runs++;
    }
    static void drop(void *user_data) {
        static_cast<CalledBack *>(user_data)->drops++;
    }
};

/// A callback behind a kernel that, after 50 ms, stores to an address that nobody has.
int callback_after_fault(char **) {
    static const char ptx[] = ".version 7.0\n.target sm_52\n.address_size 64\n.visible .entry fault() {\n"
                              ".reg .b64 %a, %begin, %now;\n.reg .pred %early;\nmov.u64 %begin, %globaltimer;\n"
                              "AGAIN: mov.u64 %now, %globaltimer;\nsub.u64 %now, %now, %begin;\n"
                              "setp.lt.u64 %early, %now, 50000000;\n@%early bra AGAIN;\n"
                              "mov.u64 %a, 16;\nst.global.u32 [%a], 1;\nret;\n}\n";
    static CalledBack seen;
    cucore_device *device = cucore_device_open(0, nullptr);
    cucore_stream *stream = cucore_stream_create(device, nullptr, nullptr);
    cucore_object_code *code = cucore_object_code_create(CUCORE_OBJECT_CODE_PTX, ptx, sizeof ptx - 1, "fault", 5, nullptr);
    cucore_library *library = cucore_library_load(device, code, nullptr);
    cucore_kernel *kernel = cucore_library_kernel(library, "fault", 5, nullptr);
    cucore_launch_options options{};
    options.struct_size = sizeof options;
    options.grid[0] = options.grid[1] = options.grid[2] = options.block[0] = options.block[1] = options.block[2] = 1;
    if (test::simulator() != nullptr) {
        sim().hold(cucore_stream_raw(stream));
    }
    cucore_kernel_launch(kernel, stream, &options, nullptr, 0, nullptr);
    if (cucore_stream_add_callback(stream, &CalledBack::run, &seen, &CalledBack::drop, nullptr) != CUCORE_OK) {
        std::printf("the kernel failed before the callback was added\n");
    }
    if (test::simulator() != nullptr) {
        sim().release(cucore_stream_raw(stream));
    }
    cucore_stream_synchronize(stream, nullptr);
    for (int tries = 0; seen.drops == 0 && tries < 1000; tries++) {
        cucore_deferred_drain(nullptr);
        std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
    std::printf(seen.runs == 1 && seen.drops == 1 ? "ran once with %d, dropped once\n" : "not once: with %d\n", seen.native.load());
    std::fflush(nullptr);
    end_process(0); // what the fault left is not at stake
}

/// A callback that would say so is put on a stream that does not get on.
CUstream_st *hold_back_callback() {
    if (__lsan_disable != nullptr) {
        __lsan_disable(); // what never runs is never freed
    }
    cucore_device *device = cucore_device_open(0, nullptr);
    cucore_stream *stream = cucore_stream_create(device, nullptr, nullptr);
    sim().hold(cucore_stream_raw(stream));
    cucore_stream_add_callback(
        stream, [](const cucore_status *, void *) { std::printf("ran\n"); }, nullptr, [](void *) { std::printf("dropped\n"); },
        nullptr);
    return cucore_stream_raw(stream);
}

/// The stream gets on after the library's own handler.
int callback_at_exit(char **) {
    static CUstream_st *held;
    std::atexit([] {
        sim().release(held);
        std::printf("released\n");
    });
    held = hold_back_callback();
    return 0;
}

/// Puts a callback on the stream and lets it run, on a thread of its own.
void call_back_elsewhere(cucore_stream *stream, cucore_stream_function function) {
    sim().hold(cucore_stream_raw(stream));
    cucore_stream_add_callback(stream, function, nullptr, nullptr, nullptr);
    std::thread([stream] { sim().release(cucore_stream_raw(stream)); }).detach();
}

/// A callback runs when the process begins to end, and for 10 ms more.
int exit_in_callback(char **) {
    static std::atomic<bool> inside{false}, over{false};
    std::atexit([] { std::printf(over ? "over\n" : "still running\n"); }); // after the library's handler
    if (__lsan_disable != nullptr) {
        __lsan_disable();
    }
    cucore_device *device = cucore_device_open(0, nullptr);
    call_back_elsewhere(cucore_stream_create(device, nullptr, nullptr), [](const cucore_status *, void *) {
        inside = true;
        std::this_thread::sleep_for(std::chrono::milliseconds(10));
        over = true;
    });
    while (!inside) {
        std::this_thread::yield();
    }
    std::exit(0);
}

/// The library's thread is in the second of three drops when the process begins to end, until its handler has waited for that in
/// vain. The first drop only keeps the other two together.
int exit_in_drop(char **) {
    static std::atomic<int> drops{0};
    static std::atomic<bool> all_there{false}, ending{false};
    std::atexit([] {
        ending = true;
        std::this_thread::sleep_for(std::chrono::milliseconds(30));
        std::printf("%d dropped\n", drops.load());
    });
    if (__lsan_disable != nullptr) {
        __lsan_disable();
    }
    cucore_stream *stream = cucore_stream_create(cucore_device_open(0, nullptr), nullptr, nullptr);
    const auto drop = [](void *) {
        const std::atomic<bool> &awaited = ++drops == 1 ? all_there : ending;
        while (!awaited) {
            std::this_thread::yield();
        }
    };
    for (int i = 0; i < 3; i++) {
        cucore_stream_add_callback(
            stream, [](const cucore_status *, void *) {}, nullptr, drop, nullptr);
    }
    cucore_stream_synchronize(stream, nullptr);
    all_there = true;
    while (drops < 2) {
        std::this_thread::yield();
    }
    std::exit(0);
}

/// The end of a process whose callbacks, and whose library's thread, have ended their work: nothing is waited for.
int exit_after_work(char **) {
    std::atexit([] { std::printf("sleeps at exit: %d\n", static_cast<int>(test::library_calls())); }); // runs after the library's
    cucore_device *device = cucore_device_open(0, nullptr);
    cucore_stream *stream = cucore_stream_create(device, nullptr, nullptr);
    cucore_stream_add_callback(
        stream, [](const cucore_status *, void *) {}, nullptr, nullptr, nullptr);
    cucore_stream_synchronize(stream, nullptr);
    cucore_deferred_drain(nullptr);
    cucore_stream_release(stream);
    cucore_device_release(device);
    test::fail_library_call("nanosleep", 0, false);
    return 0;
}

int callback_in_fork(char **) {
    hold_back_callback();
    in_forked_child([] {
        cucore_deferred_drain(nullptr);
        std::this_thread::sleep_for(std::chrono::milliseconds(20));
    });
    return 0;
}

/// A free that has to wait for the end of a capture, in a process that cannot start threads, and then can.
int no_thread(char **) {
    test::fail_library_call("pthread_create", 1, true);
    const Handles handles = make_handles();
    cucore_status *status = nullptr;
    cucore_callback_enter(&status);
    print_status("enter", status);
    CalledBack seen;
    cucore_stream_add_callback(handles.stream, &CalledBack::run, &seen, &CalledBack::drop, &status);
    print_status("add", status);
    std::printf("callback: %d runs, %d drops\n", seen.runs.load(), seen.drops.load());
    cucore_memory_resource *pool = cucore_memory_resource_create_pool(handles.device, nullptr, nullptr);
    cucore_buffer *buffer = cucore_memory_resource_allocate(pool, 64, handles.stream, nullptr);
    test::raw().cuStreamBeginCapture(cucore_stream_raw(handles.stream), CU_STREAM_CAPTURE_MODE_GLOBAL);
    cucore_buffer_release(buffer);
    test::CUgraph graph = nullptr;
    test::raw().cuStreamEndCapture(cucore_stream_raw(handles.stream), &graph);
    test::raw().cuGraphDestroy(graph);
    cucore_deferred_drain(&status);
    print_status("drain", status);
    uint64_t used = 0;
    cucore_memory_resource_attribute(pool, CUCORE_POOL_ATTRIBUTE_USED_CURRENT, &used, nullptr);
    std::printf("in use before: %d\n", used != 0);
    test::fail_no_library_call();
    cucore_stream_synchronize(handles.stream, nullptr); // any call
    for (int wait = 0; wait < 2000 && used != 0; wait++) {
        usleep(1000);
        cucore_stream_synchronize(handles.stream, nullptr);
        cucore_memory_resource_attribute(pool, CUCORE_POOL_ATTRIBUTE_USED_CURRENT, &used, nullptr);
    }
    std::printf("in use after: %d\n", used != 0);
    cucore_memory_resource_release(pool);
    release(handles);
    return 0;
}

/// The library's thread without the handler of forks, for which the library is kept loaded, and then with it.
int no_pin(char **) {
    for (const char *time : {"first", "second"}) {
        cucore_status *status = nullptr;
        if (time[0] == 'f') {
            test::fail_library_call("dlopen", 1, true);
        }
        sigset_t before, after;
        pthread_sigmask(SIG_SETMASK, nullptr, &before);
        cucore_callback_enter(&status);
        cucore_callback_leave();
        pthread_sigmask(SIG_SETMASK, nullptr, &after);
        test::fail_no_library_call();
        print_status(time, status);
        std::printf("signals: %s\n", sigismember(&before, SIGUSR1) == sigismember(&after, SIGUSR1) ? "as before" : "blocked");
    }
    return 0;
}

/// The first copy of plain host memory, with no memory to stage it, and then with some.
int no_staging(char **) {
    const Handles handles = make_handles();
    char host[64] = {};
    cucore_status *status = nullptr;
    test::fail_library_call("malloc", 1, false);
    cucore_buffer_copy_to_host(handles.buffer, 0, host, sizeof host, handles.stream, &status);
    print_status("first", status);
    cucore_buffer_copy_to_host(handles.buffer, 0, host, sizeof host, handles.stream, &status);
    print_status("second", status);
    release(handles);
    return 0;
}

/// Makes a call, and says what it failed with.
template <class Call> auto attempt(const char *function, Call call) {
    cucore_status *status = nullptr;
    auto result = call(&status);
    if (status != nullptr) {
        print_status(function, status);
    }
    return result;
}

/// A call of everything that needs a function of the driver, on one that lacks it: <function>. What fails is printed; what
/// needs a handle that could not be made is left out.
int tour(char **arguments) {
    sim().hide(arguments[0]);
#define TRY(function, ...) attempt(#function, [&](auto s) { return function(__VA_ARGS__, s); })
    cucore_device *device = TRY(cucore_device_open, 0);
    if (device == nullptr) {
        return 0;
    }
    int32_t number = 0;
    size_t size = 0;
    uint64_t large = 0;
    TRY(cucore_device_can_access_peer, device, device, &number);
    TRY(cucore_device_memory_info, device, &large, &large);
    cucore_stream *stream = TRY(cucore_stream_create, device, nullptr);
    TRY(cucore_stream_id, stream, &large);
    TRY(cucore_stream_is_capturing, stream, &number);
    cucore_memory_resource *pools[] = {
        TRY(cucore_memory_resource_device_pool, device),
        TRY(cucore_memory_resource_create_pool, device, nullptr),
        TRY(cucore_memory_resource_create_pinned_pool, device, nullptr),
        TRY(cucore_memory_resource_pinned, device),
    };
    for (cucore_memory_resource *pool : pools) {
        cucore_buffer *buffer = pool != nullptr ? TRY(cucore_memory_resource_allocate, pool, 64, stream) : nullptr;
        if (pool != nullptr && cucore_memory_resource_raw(pool) != nullptr) {
            TRY(cucore_memory_resource_attribute, pool, CUCORE_POOL_ATTRIBUTE_USED_CURRENT, &large);
            TRY(cucore_memory_resource_set_attribute, pool, CUCORE_POOL_ATTRIBUTE_RELEASE_THRESHOLD, 0);
            TRY(cucore_memory_resource_trim, pool, 0);
        }
        if (buffer != nullptr) {
            char host[8] = {};
            TRY(cucore_buffer_fill, buffer, 0, 64, 0, 1, stream);
            TRY(cucore_buffer_copy, buffer, 0, buffer, 32, 32, stream);
            TRY(cucore_buffer_copy_to_host, buffer, 0, host, 8, stream);
        }
        cucore_buffer_release(buffer);
        cucore_memory_resource_release(pool);
    }
    const std::string ptx = test::NOTHING_PTX + ".visible .global .u32 number;\n";
    cucore_object_code *code = cucore_object_code_create(CUCORE_OBJECT_CODE_PTX, ptx.data(), ptx.size(), nullptr, 0, nullptr);
    cucore_library *library = TRY(cucore_library_load, device, code);
    TRY(cucore_library_kernel_count, library, &size);
    TRY(cucore_library_kernels, library, nullptr, 0, &size);
    cucore_kernel *kernel = TRY(cucore_library_kernel, library, "nothing", 7);
    TRY(cucore_kernel_parameter_count, kernel, &size);
    TRY(cucore_kernel_attribute, kernel, 0, device, &number);
    TRY(cucore_kernel_set_attribute, kernel, 8, device, 0);
    const cucore_launch_options options = test::shape(1, 1);
    TRY(cucore_kernel_launch, kernel, stream, &options, nullptr, 0);
    TRY(cucore_library_global, library, "number", 6, &large, &size);
    cucore_linker *linker = TRY(cucore_linker_create, device, &code, 1, nullptr);
    if (linker != nullptr) {
        cucore_object_code_release(TRY(cucore_linker_link, linker));
    }
    cucore_linker_release(linker);
#undef TRY
    cucore_kernel_release(kernel);
    cucore_library_release(library);
    cucore_object_code_release(code);
    cucore_stream_release(stream);
    cucore_device_release(device);
    return 0;
}

/// The first use of a toolkit's stub of the driver, which can be loaded and says so at cuInit.
int stub(char **) {
    sim().fail("cuInit", 1, 34, 1);
    attempt("open", [](auto s) { return cucore_device_open(0, s); });
    return 0;
}

const std::map<std::string, int (*)(char **)> actions = {
    {"load-only", &load_only},
    {"first-use", &first_use},
    {"use-library", &use_library},
    {"use-entry", &use_entry},
    {"no-device", &no_device},
    {"die", &die},
    {"closed-stderr", &closed_stderr},
    {"hide", &hide},
    {"limited-pool", &limited_pool},
    {"no-pools", &device_without_pools},
    {"older-after-refused", &older_after_refused},
    {"entry-that-lacks", &entry_that_lacks},
    {"old-driver", &old_driver},
    {"old-kernel", &old_kernel},
    {"race", &race},
    {"fail-loading", &fail_loading},
    {"fork", &fork_after},
    {"fork-first", &fork_before},
    {"fork-then-compile", &fork_then_compile},
    {"fork-release-sink", &release_sink_in_fork},
    {"fork-and-exit", &fork_and_exit},
    {"fork-in-sink", &fork_in_sink},
    {"fork-in-lock", &fork_in_lock},
    {"fork-with-thread", &fork_with_thread},
    {"fork-after-work", &fork_after_work},
    {"fork-busy", &fork_while_busy},
    {"exec", &exec_after},
    {"exit", &exit_with_handles},
    {"exit-busy", &exit_while_busy},
    {"exit-waiting", &exit_while_waiting},
    {"end-by", &end_by},
    {"callback-after-fault", &callback_after_fault},
    {"callback-at-exit", &callback_at_exit},
    {"exit-in-callback", &exit_in_callback},
    {"exit-in-drop", &exit_in_drop},
    {"no-pin", &no_pin},
    {"no-staging", &no_staging},
    {"exit-after-work", &exit_after_work},
    {"callback-in-fork", &callback_in_fork},
    {"no-thread", &no_thread},
    {"tour", &tour},
    {"stub", &stub},
};

} // namespace

int main(int count, char **arguments) {
    const auto action = actions.find(count > 1 ? arguments[1] : "");
    if (action == actions.end()) {
        std::fprintf(stderr, "usage: test_child <what> [arguments]\n");
        return 2;
    }
    return action->second(arguments + 2);
}
