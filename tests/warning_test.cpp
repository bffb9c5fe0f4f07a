// SPDX-License-Identifier: MIT OR Apache-2.0
// Warning sinks, with warnings caused by streams whose destruction fails.
#include "support/cucore.hpp"
#include "support/driver.hpp"
#include "support/faults.hpp"
#include "support/process.hpp"

#include <atomic>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <memory>
#include <thread>
#include <unistd.h>

using namespace test;

namespace {

/// Causes one warning: the destruction of a stream fails, after it was done.
void warn(cucore_device *device) {
    Stream stream = make(cucore_stream_create, device, nullptr);
    sim().fail_after("cuStreamDestroy", 1, INJECTED, 0);
}

/// A sink of the test's own, and how often it was called and dropped.
struct Counted {
    int calls = 0;
    int drops = 0;
    int32_t answer = 0;
    cucore_warning_sink *sink = nullptr;

    static int32_t call(const cucore_status *, void *self) {
        static_cast<Counted *>(self)->calls++;
        return static_cast<Counted *>(self)->answer;
    }
    static void drop(void *self) {
        static_cast<Counted *>(self)->drops++;
    }
    explicit Counted(int32_t wanted_answer = 0) : answer(wanted_answer) {
        sink = cucore_warning_sink_register(&call, this, &drop, nullptr);
        REQUIRE(sink != nullptr);
    }
    Counted(const Counted &) = delete;
    ~Counted() {
        release();
    }
    void release() {
        cucore_warning_sink_release(std::exchange(sink, nullptr));
    }
};

} // namespace

TEST_CASE("a sink needs a function, and user data is dropped on that failure too") {
    int drops = 0;
    const auto drop = [](void *count) { ++*static_cast<int *>(count); };
    fails_saying(CUCORE_INVALID_ARGUMENT, "function is NULL", cucore_warning_sink_register, nullptr, &drops, drop);
    CHECK(drops == 1);
}

TEST_CASE("releasing a sink drops its user data once, and releasing none is fine") {
    Counted counted;
    counted.release();
    CHECK(counted.drops == 1);
    cucore_warning_sink_release(nullptr);
    cucore_warning_sink *without_drop = cucore_warning_sink_register(&Counted::call, nullptr, nullptr, nullptr);
    cucore_warning_sink_release(without_drop);
}

TEST_CASE_METHOD(Clean, "every sink gets every warning, once, and none after its release", "[sim]") {
    Device device = make(cucore_device_open, 0);
    Counted first, second;
    warn(device);
    CHECK(sink.take().size() == 1);
    CHECK(first.calls == 1);
    CHECK(second.calls == 1);
    first.release();
    warn(device);
    CHECK(sink.take().size() == 1);
    CHECK(first.calls == 1);
    CHECK(second.calls == 2);
}

TEST_CASE_METHOD(Clean, "a sink that is registered while a warning is being told gets those after it", "[sim]") {
    struct Registers {
        std::unique_ptr<Counted> later;
        static int32_t call(const cucore_status *, void *self) {
            auto &registers = *static_cast<Registers *>(self);
            if (!registers.later) {
                registers.later = std::make_unique<Counted>();
            }
            return 0;
        }
    } registers;
    const Device device = make(cucore_device_open, 0);
    cucore_warning_sink *first = cucore_warning_sink_register(&Registers::call, &registers, nullptr, nullptr);
    warn(device);
    REQUIRE(registers.later != nullptr);
    CHECK(registers.later->calls == 0);
    warn(device);
    CHECK(registers.later->calls == 1);
    cucore_warning_sink_release(first);
    CHECK(sink.take().size() == 2);
}

TEST_CASE_METHOD(Clean, "a sink that releases itself leaves those before and after it", "[sim]") {
    struct Once {
        cucore_warning_sink *sink = nullptr;
        static int32_t call(const cucore_status *, void *self) {
            cucore_warning_sink_release(std::exchange(static_cast<Once *>(self)->sink, nullptr));
            return 0;
        }
    } once;
    const Device device = make(cucore_device_open, 0);
    const Counted before;
    once.sink = cucore_warning_sink_register(&Once::call, &once, nullptr, nullptr);
    const Counted after;
    warn(device);
    warn(device);
    CHECK(once.sink == nullptr);
    CHECK((before.calls == 2 && after.calls == 2));
    CHECK(sink.take().size() == 2);
}

TEST_CASE_METHOD(Clean, "a warning that one sink delivered does not go to stderr", "[sim]") {
    Device device = make(cucore_device_open, 0);
    Counted refuses(1);
    CHECK(stderr_of([&] { warn(device); }).empty());
    CHECK(refuses.calls == 1);
    sink.take_one();
}

TEST_CASE_METHOD(Clean, "a warning that no sink delivered is one line on stderr", "[sim]") {
    Device device = make(cucore_device_open, 0);
    sink.release();
    Counted refuses(1);
    const std::string written = stderr_of([&] { warn(device); });
    CHECK_THAT(written, has("cuStreamDestroy(0x"));
    CHECK_THAT(written, has("CUDA_ERROR_UNKNOWN"));
    CHECK(written.find('\n') == written.size() - 1);
    CHECK(refuses.calls == 1);
}

TEST_CASE_METHOD(Clean, "releasing a sink waits for a call of it on another thread, and drops its data after that", "[sim]") {
    struct Slow {
        std::atomic<bool> inside{false}, leave{false}, over{false};
        bool dropped_after = false;
    } slow;
    const auto wait = [](const cucore_status *, void *self) {
        auto *seen = static_cast<Slow *>(self);
        seen->inside = true;
        while (!seen->leave) {
            std::this_thread::yield();
        }
        seen->over = true;
        return int32_t{0};
    };
    const auto drop = [](void *self) { static_cast<Slow *>(self)->dropped_after = static_cast<Slow *>(self)->over; };
    const Device device = make(cucore_device_open, 0);
    cucore_warning_sink *waits = cucore_warning_sink_register(wait, &slow, drop, nullptr);
    std::thread warning([&] { warn(device); });
    while (!slow.inside) {
        std::this_thread::yield();
    }
    std::atomic<bool> released{false};
    std::thread releasing([&] {
        cucore_warning_sink_release(waits);
        released = true;
    });
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
    CHECK_FALSE(released);
    slow.leave = true;
    releasing.join();
    warning.join();
    CHECK(slow.dropped_after);
    sink.take_one();
}

namespace {

/// stderr as a pipe that nobody reads.
class ClosedPipe {
  public:
    ClosedPipe() {
        int ends[2];
        REQUIRE(pipe(ends) == 0);
        close(ends[0]);
        dup2(ends[1], STDERR_FILENO);
        close(ends[1]);
    }
    ClosedPipe(const ClosedPipe &) = delete;
    ~ClosedPipe() {
        dup2(before_, STDERR_FILENO);
        close(before_);
        clearerr(stderr);
    }

  private:
    int before_ = dup(STDERR_FILENO);
};

bool pipe_signal_is_pending() {
    sigset_t pending;
    sigpending(&pending);
    return sigismember(&pending, SIGPIPE) == 1;
}

} // namespace

TEST_CASE_METHOD(Clean, "a warning for a closed pipe raises no signal, and takes none away that was there", "[sim]") {
    const Device device = make(cucore_device_open, 0);
    sink.release();
    const auto warn_nobody = [&] {
        const ClosedPipe closed;
        warn(device);
    };
    warn_nobody(); // or the signal would end the test
    sigset_t signal, before;
    sigemptyset(&signal);
    sigaddset(&signal, SIGPIPE);
    pthread_sigmask(SIG_BLOCK, &signal, &before);
    warn_nobody();
    CHECK_FALSE(pipe_signal_is_pending());
    pthread_kill(pthread_self(), SIGPIPE);
    warn_nobody();
    CHECK(pipe_signal_is_pending());
    const timespec at_once{};
    CHECK(sigtimedwait(&signal, nullptr, &at_once) == SIGPIPE);
    pthread_sigmask(SIG_SETMASK, &before, nullptr);
}

TEST_CASE_METHOD(Clean, "a sink may keep the warning", "[sim]") {
    Device device = make(cucore_device_open, 0);
    cucore_status *kept = nullptr;
    const auto keep = [](const cucore_status *warning, void *where) {
        *static_cast<cucore_status **>(where) = cucore_status_retain(warning);
        return int32_t{0};
    };
    cucore_warning_sink *keeper = cucore_warning_sink_register(keep, &kept, nullptr, nullptr);
    warn(device);
    cucore_warning_sink_release(keeper);
    CHECK(facts_of(kept).message == sink.take_one().message);
    cucore_status_release(kept);
}

TEST_CASE_METHOD(Clean, "errno is preserved across a warning", "[sim]") {
    Device device = make(cucore_device_open, 0);
    cucore_warning_sink *spoils = cucore_warning_sink_register(
        [](const cucore_status *, void *) {
            errno = ENOENT;
            return int32_t{0};
        },
        nullptr, nullptr, nullptr);
    cucore_stream *stream = make(cucore_stream_create, device, nullptr).give();
    sim().fail_after("cuStreamDestroy", 1, INJECTED, 0);
    errno = EINTR;
    cucore_stream_release(stream);
    CHECK(errno == EINTR);
    cucore_warning_sink_release(spoils);
    sink.take_one();
}

TEST_CASE("a warning that nobody reads on stderr leaves the process and its signals as they were", "[sim]") {
    const Ended ended = run_child({"closed-stderr"});
    INFO(ended.out << ended.err);
    CHECK(ended.code == 0);
    CHECK_THAT(ended.out, has("alive, SIGPIPE blocked: 0\nalive, SIGPIPE pending: 1\n"));
}

TEST_CASE("a warning on stderr has its notes in the same line", "[sim]") {
    const Ended ended = run_child({"die"});
    INFO(ended.err);
    CHECK_THAT(ended.err, has("; 0x") && has(" may be leaked"));
    CHECK(ended.err.find('\n') == ended.err.size() - 1);
}

TEST_CASE("what came with a sink that there is no memory for is dropped all the same", "[sim]") {
    int drops = 0;
    const auto drop = [](void *counted) { ++*static_cast<int *>(counted); };
    cucore_warning_sink *sink = nullptr;
    {
        const NoMemory none;
        sink = cucore_warning_sink_register(&Counted::call, &drops, drop, nullptr);
    }
    CHECK(sink == nullptr);
    CHECK(drops == 1);
}
