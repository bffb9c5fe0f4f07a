// SPDX-License-Identifier: MIT OR Apache-2.0
// Torture: a scenario is run again and again with its first, second, third... fallible call failing, until one run is left
// untouched. After each run nothing may be left behind, and each failure must have been told exactly once.
#pragma once

#include "capture.hpp"
#include "cucore.hpp"

#include <cstring>
#include <utility>

namespace test {

/// What other code than the library's has made: a context to lend, with a stream in it, and a context to give away. What was not
/// taken is destroyed at the end. It is made and destroyed while nothing fails.
class Foreign {
  public:
    Foreign();
    Foreign(const Foreign &) = delete;
    ~Foreign();
    CUcontext lent;
    CUstream stream; ///< of the context that is lent
    CUcontext context;
    bool stream_taken = false;
    bool context_taken = false;
};

/// One run of a scenario. Its calls end the run at the first failure, which it keeps; handles then release themselves.
class Job {
  public:
    struct Stopped {};
    explicit Job(Foreign &foreign_things) : foreign(foreign_things) {
    }
    Foreign &foreign;

    template <class T, class... Parameters, class... Arguments>
    Handle<T> make(T *(*function)(Parameters...), Arguments &&...arguments) {
        return Handle<T>(take(function, static_cast<Arguments &&>(arguments)...));
    }

    /// The same for what is no Handle: the scenario releases it.
    template <class T, class... Parameters, class... Arguments> T *take(T *(*function)(Parameters...), Arguments &&...arguments) {
        note_call(function);
        Status status;
        T *made = function(static_cast<Arguments &&>(arguments)..., status);
        settle(made != nullptr, status);
        return made;
    }

    template <class... Parameters, class... Arguments> void ok(int32_t (*function)(Parameters...), Arguments &&...arguments) {
        note_call(function);
        Status status;
        const int32_t code = function(static_cast<Arguments &&>(arguments)..., status);
        consistent_ = consistent_ && code == cucore_status_code(status.get());
        settle(code == CUCORE_OK, status);
    }

    /// A call whose last parameter but the status is where the result goes, which a failure must leave as it was.
    template <class T, class... Parameters, class... Arguments>
    T read(int32_t (*function)(Parameters...), Arguments &&...arguments) {
        unsigned char before[sizeof(T)];
        std::memset(before, 0xa5, sizeof before);
        T value;
        std::memcpy(&value, before, sizeof value);
        note_call(function);
        Status status;
        const int32_t code = function(static_cast<Arguments &&>(arguments)..., &value, status);
        consistent_ = consistent_ && (code == CUCORE_OK || std::memcmp(&value, before, sizeof value) == 0);
        settle(code == CUCORE_OK, status);
        return value;
    }

    template <class T> void close(Handle<T> &handle) {
        ok(Noun<T>::close, handle.give(), nullptr);
    }

    /// A call of the driver by the scenario itself, which may fail too.
    void direct(const char *call, CUresult result);

    const Facts &failure() const {
        return failure_;
    }
    /// Whether results, statuses and out-parameters agreed.
    bool consistent() const {
        return consistent_;
    }

  private:
    template <class Function> static void note_call(Function *function) {
        note_address(reinterpret_cast<void *>(function));
    }
    static void note_address(void *function);
    void settle(bool worked, const Status &status);
    Facts failure_;
    bool consistent_ = true;
};

/// Whether any scenario that was run has called the library's function of this name.
bool was_called(const std::string &function);

struct Scenario {
    const char *name;
    void (*run)(Job &);
    uint64_t unneeded_statuses = 0; ///< that a run makes for nobody: if there is no memory for one, nobody has to be told
};

/// What is made to fail.
struct FaultSource {
    const char *name;
    int32_t code;                               ///< that the library gives such a failure
    void (*arm)(uint64_t nth, bool sticky);     ///< `nth` 0 ends it
    uint64_t (*failures)();                     ///< since the last arm
    std::vector<std::string> (*failed_calls)(); ///< their names, where they have some
};

extern const FaultSource DRIVER_CALLS;
extern const FaultSource LIBRARY_ALLOCATIONS;
extern const FaultSource NVRTC_CALLS;
extern const FaultSource NVJITLINK_CALLS;

/// Runs the scenario to its end once, untouched.
void run_untouched(const Scenario &scenario);

/// Runs the scenario to its end, untouched, then with every failure of the source, once and sticky. Prints how many there were.
void torture(const Scenario &scenario, const FaultSource &source);

} // namespace test
