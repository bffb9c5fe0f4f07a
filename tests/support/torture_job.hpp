// SPDX-License-Identifier: MIT OR Apache-2.0
// What a scenario of the torture tests is written with: calls of the library that end the run at the first failure, and handles
// that end as the run says.
#pragma once

#include "contexts.hpp"
#include "cucore.hpp"

#include <cstring>
#include <utility>

namespace test {

/// What other code than the library's has made: a context to lend, with a stream in it, and a context to give away. It serves one
/// run after another, and is made and destroyed while nothing fails.
class Foreign {
  public:
    Foreign() {
        renew();
    }
    Foreign(const Foreign &) = delete;
    ~Foreign();
    /// Makes again what was taken.
    void renew();
    CUcontext lent = nullptr;
    CUstream stream = nullptr; ///< of the context that is lent
    CUcontext context = nullptr;
    bool stream_taken = true;
    bool context_taken = true;
};

/// How the handles of a run end at the end of their scope: by the nouns' release functions, or by their close functions.
enum class Ending { RELEASE, CLOSE };

template <class T> class Held;

/// One run of a scenario. Its calls end the run at the first failure, which it keeps; handles then end themselves.
class Job {
  public:
    struct Stopped {};
    Job(Foreign &foreign_things, Ending how) : foreign(foreign_things), ending_(how) {
    }
    Foreign &foreign;

    template <class T, class... Parameters, class... Arguments>
    Held<T> make(T *(*function)(Parameters...), Arguments &&...arguments) {
        return Held<T>(*this, take(function, static_cast<Arguments &&>(arguments)...));
    }

    /// The same for what is no Held: the scenario releases it.
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
        expect(code == cucore_status_code(status.get()), "code and status agree");
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
        expect(code == CUCORE_OK || std::memcmp(&value, before, sizeof value) == 0, "a failure leaves out-parameters untouched");
        settle(code == CUCORE_OK, status);
        return value;
    }

    /// A call that cannot fail.
    template <class R, class... Parameters, class... Arguments> R get(R (*function)(Parameters...), Arguments &&...arguments) {
        note_call(function);
        return function(static_cast<Arguments &&>(arguments)...);
    }

    /// The same for a call that gives a reference.
    template <class T, class... Parameters, class... Arguments>
    Held<T> hold(T *(*function)(Parameters...), Arguments &&...arguments) {
        T *handle = get(function, static_cast<Arguments &&>(arguments)...);
        expect(handle != nullptr, "a handle has its parents");
        return Held<T>(*this, handle);
    }

    /// A call that must fail with this code. One that fails with another was made to.
    template <class R, class... Parameters, class... Arguments>
    Facts fails(int32_t code, R (*function)(Parameters...), Arguments &&...arguments) {
        note_call(function);
        Status status;
        const R result = function(static_cast<Arguments &&>(arguments)..., status);
        expect(failed(result, status.get()), "a call that cannot work fails");
        const Facts facts = status.facts();
        if (facts.code != code) {
            settle(false, status);
        }
        intended_.push_back(facts);
        return facts;
    }

    /// A status that the scenario made itself, which may have lost its details.
    void intend(const cucore_status *status) {
        intended_.push_back(test::facts_of(status));
    }

    /// Ends a handle by its close function, whose failure ends the run.
    template <class T> void close(Held<T> &handle) {
        int32_t destroyed = -1;
        T *given = handle.give();
        note_call(Noun<T>::close);
        Status status;
        const int32_t code = Noun<T>::close(given, &destroyed, status);
        expect(destroyed == 0 || destroyed == 1, "a close says whether it was the last");
        expect(code == cucore_status_code(status.get()), "code and status agree");
        settle(code == CUCORE_OK, status);
    }

    /// Ends a handle as the run does. A failure is kept, and the run goes on.
    template <class T> void end(T *handle) {
        if (ending_ == Ending::RELEASE) {
            get(Noun<T>::release, handle);
            return;
        }
        note_call(Noun<T>::close);
        Status status;
        const int32_t code = Noun<T>::close(handle, nullptr, status);
        expect(code == cucore_status_code(status.get()), "code and status agree");
        keep(status.facts());
    }

    /// A call of the driver by the scenario itself, which may fail too.
    void direct(const char *call, CUresult result);

    /// Something that holds whatever fails, or because nothing has.
    void expect(bool holds, const char *rule);

    /// Nothing fails any more in this run, which now sets back by hand what it could not.
    static void fail_nothing();

    /// The failures returned, in their order.
    const std::vector<Facts> &failures() const {
        return failures_;
    }
    /// The failures that the scenario asked for.
    const std::vector<Facts> &intended() const {
        return intended_;
    }
    /// The rules that did not hold.
    const std::vector<std::string> &broken() const {
        return broken_;
    }

  private:
    template <class Function> static void note_call(Function *function) {
        note_address(reinterpret_cast<void *>(function));
    }
    static void note_address(void *function);
    void settle(bool worked, const Status &status);
    void keep(const Facts &failure);
    Ending ending_;
    std::vector<Facts> failures_;
    std::vector<Facts> intended_;
    std::vector<std::string> broken_;
};

/// A reference to a handle in a scenario, which ends as the run's handles do.
template <class T> class Held {
  public:
    Held() = default;
    Held(Job &job, T *handle) : job_(&job), handle_(handle) {
    }
    Held(Held &&other) noexcept : job_(other.job_), handle_(other.give()) {
    }
    Held &operator=(Held &&other) noexcept {
        reset();
        job_ = other.job_;
        handle_ = other.give();
        return *this;
    }
    ~Held() {
        reset();
    }
    operator T *() const {
        return handle_;
    }
    T *get() const {
        return handle_;
    }
    T *give() {
        return std::exchange(handle_, nullptr);
    }
    void reset() {
        if (handle_ != nullptr) {
            job_->end(give());
        }
    }

  private:
    Job *job_ = nullptr;
    T *handle_ = nullptr;
};

/// Does something at the end of its scope, however that is reached.
template <class Action> class AtEnd {
  public:
    explicit AtEnd(Action action) : action_(action) {
    }
    AtEnd(const AtEnd &) = delete;
    ~AtEnd() {
        action_();
    }

  private:
    Action action_;
};

/// Whether any run has called the library's function of this name.
bool was_called(const std::string &function);

} // namespace test
