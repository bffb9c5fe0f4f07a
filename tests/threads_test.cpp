// SPDX-License-Identifier: MIT OR Apache-2.0
// Many threads at once: short here, and meant for ThreadSanitizer.
#include "support/contexts.hpp"
#include "support/cucore.hpp"
#include "support/destroys.hpp"
#include "support/driver.hpp"
#include "support/faults.hpp"
#include "support/process.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <functional>
#include <thread>

using namespace test;

namespace {

/// Runs `work` on this many threads and waits for them. Catch2's assertions are for the main thread only.
void on_threads(int count, const std::function<void(int)> &work) {
    std::vector<std::thread> threads;
    for (int index = 0; index < count; index++) {
        threads.emplace_back(work, index);
    }
    for (std::thread &thread : threads) {
        thread.join();
    }
}

/// A sink's user data: what it saw, and whether anything came after its drop.
struct Watched {
    std::atomic<int> calls{0};
    std::atomic<int> drops{0};
    std::atomic<bool> late{false};

    static int32_t call(const cucore_status *, void *self) {
        auto *watched = static_cast<Watched *>(self);
        watched->late = watched->late || watched->drops != 0;
        watched->calls++;
        return 0;
    }
    static void drop(void *self) {
        static_cast<Watched *>(self)->drops++;
    }
};

/// Two threads register and release sinks; two more cause a warning each time, of an operation that fails. A sink that stays gets
/// all.
template <class Cause> void sinks_beside_warnings(Sink &sink, const char *operation, int rounds, Cause cause) {
    Watched always;
    cucore_warning_sink *stays = cucore_warning_sink_register(&Watched::call, &always, &Watched::drop, nullptr);
    std::vector<Watched> passing(2 * static_cast<size_t>(rounds));
    sim().fail_after(operation, 1, INJECTED, 1);
    on_threads(4, [&](int thread) {
        for (int round = 0; round < rounds; round++) {
            if (thread < 2) {
                Watched &watched = passing[static_cast<size_t>(thread * rounds + round)];
                cucore_warning_sink_release(cucore_warning_sink_register(&Watched::call, &watched, &Watched::drop, nullptr));
            } else {
                cause();
            }
        }
    });
    ok(cucore_deferred_drain);
    cucore_warning_sink_release(stays);
    sim().fail_nothing();
    CHECK(always.calls == 2 * rounds);
    CHECK(always.drops == 1);
    CHECK(sink.take().size() == passing.size());
    for (const Watched &watched : passing) {
        if (watched.drops != 1 || watched.late) {
            FAIL("a sink was dropped " << watched.drops << " times, or called after it");
        }
    }
}

} // namespace

TEST_CASE_METHOD(Clean, "A9: sinks come and go while warnings fly", "[sim][stress]") {
    const Device device = make(cucore_device_open, 0);
    sinks_beside_warnings(sink, "cuStreamDestroy", 200,
                          [&] { cucore_stream_release(cucore_stream_create(device, nullptr, nullptr)); });
}

TEST_CASE_METHOD(Clean, "A9: two sinks that release each other from two threads do not deadlock", "[sim][stress]") {
    struct Pair {
        std::atomic<cucore_warning_sink *> first{nullptr}, second{nullptr};
        std::atomic<int> drops{0};
    };
    const Device device = make(cucore_device_open, 0);
    const auto drop = [](void *pair) { static_cast<Pair *>(pair)->drops++; };
    for (int round = 0; round < 50; round++) {
        Pair pair;
        pair.first = cucore_warning_sink_register(
            [](const cucore_status *, void *user) {
                cucore_warning_sink_release(static_cast<Pair *>(user)->second.exchange(nullptr));
                return int32_t{0};
            },
            &pair, drop, nullptr);
        pair.second = cucore_warning_sink_register(
            [](const cucore_status *, void *user) {
                cucore_warning_sink_release(static_cast<Pair *>(user)->first.exchange(nullptr));
                return int32_t{0};
            },
            &pair, drop, nullptr);
        sim().fail_after("cuStreamDestroy", 1, INJECTED, 1);
        on_threads(2, [&](int) { cucore_stream_release(cucore_stream_create(device, nullptr, nullptr)); });
        sim().fail_nothing();
        cucore_warning_sink_release(pair.first.exchange(nullptr));
        cucore_warning_sink_release(pair.second.exchange(nullptr));
        CHECK(pair.drops == 2);
        sink.take();
    }
}

TEST_CASE("D5: threads that race for the first load see one load and one result", "[stress]") {
    const Ended ended = run_child({"race"});
    INFO(ended.out << ended.err);
    CHECK(ended.code == 0);
    CHECK_THAT(ended.out, has("code 0\ncode 0\ncode 0\ncode 0\n"));
    CHECK_THAT(ended.out, has("device open\ndevice open\ndevice open\ndevice open\n"));
    if (simulator() != nullptr) {
        CHECK_THAT(ended.out, has("cuInit calls: 1\n"));
    }
}

TEST_CASE_METHOD(Clean, "handles are retained, used and released by several threads", "[stress]") {
    const Device device = make(cucore_device_open, 0);
    const Stream stream = make(cucore_stream_create, device, nullptr);
    const Resource resource = make(cucore_memory_resource_device_pool, device);
    const Buffer buffer = make(cucore_memory_resource_allocate, resource, size_t{4096}, stream);
    std::atomic<int> failures{0};
    on_threads(4, [&](int) {
        Stream own(cucore_stream_create(device, nullptr, nullptr));
        for (int round = 0; round < 50; round++) {
            cucore_buffer *kept = cucore_buffer_retain(buffer);
            failures += cucore_buffer_fill(kept, 0, 4096, 1, 1, own, nullptr) != CUCORE_OK;
            cucore_buffer_release(kept);
            Event event(cucore_event_create(device, nullptr, nullptr));
            failures += cucore_event_record(event, own, nullptr) != CUCORE_OK;
            failures += cucore_stream_wait_event(stream, event, nullptr) != CUCORE_OK;
        }
        failures += cucore_stream_synchronize(own, nullptr) != CUCORE_OK;
    });
    CHECK(failures == 0);
    ok(cucore_stream_synchronize, stream);
}

TEST_CASE_METHOD(Clean, "the last reference may go on any thread", "[stress]") {
    const Device device = make(cucore_device_open, 0);
    for (int round = 0; round < 50; round++) {
        const Stream stream = make(cucore_stream_create, device, nullptr);
        std::vector<cucore_stream *> references;
        for (int index = 0; index < 4; index++) {
            references.push_back(cucore_stream_retain(stream));
        }
        on_threads(4, [&](int index) { cucore_stream_release(references[static_cast<size_t>(index)]); });
    }
}

namespace {

/// Gives a handle up from four threads at once, each with references of its own, by release and close. Returns how many of the
/// closes say that they destroyed it.
template <class T> int end_on_threads(T *handle, bool only_closes) {
    std::atomic<int> destroyed{0};
    std::vector<T *> references(7, handle);
    for (T *reference : references) {
        Noun<T>::retain(reference);
    }
    references.push_back(handle);
    on_threads(4, [&](int thread) {
        for (size_t index = 0; index < 2; index++) {
            T *reference = references[2 * static_cast<size_t>(thread) + index];
            for (int round = 0; round < 2000; round++) {
                Noun<T>::release(Noun<T>::retain(reference));
            }
            if (index == 0 && !only_closes) {
                Noun<T>::release(reference);
                continue;
            }
            int32_t last = 0;
            Noun<T>::close(reference, &last, nullptr);
            destroyed += last;
        }
    });
    return destroyed;
}

/// The same for a handle of each noun that a device can make, which nothing else refers to.
std::vector<int> end_each_on_threads(cucore_device *device, bool only_closes) {
    const auto end = [&](auto handle) { return end_on_threads(handle.give(), only_closes); };
    const Stream stream = make(cucore_stream_create, device, nullptr);
    const Resource pool = make(cucore_memory_resource_device_pool, device);
    const Library library = load(device);
    return {
        end(make(cucore_stream_create, device, nullptr)),
        end(make(cucore_event_create, device, nullptr)),
        end(make(cucore_memory_resource_create_pool, device, nullptr)),
        end(make(cucore_memory_resource_allocate, pool, size_t{64}, stream)),
        end(load(device)),
        end(find(library)),
        end(ptx(NOTHING_PTX)),
        end(make(cucore_context_from_raw, new_context(), CUCORE_ADOPT, nullptr, nullptr)),
        end(make(cucore_device_with_context, make(cucore_device_context, device))),
        end(make(cucore_stream_from_raw, device, cucore_stream_raw(stream), CUCORE_BORROW, nullptr, nullptr)),
    };
}

} // namespace

TEST_CASE_METHOD(Clean, "a handle of any noun ends once, however many threads give it up at once", "[stress]") {
    const Device device = make(cucore_device_open, 0);
    const int rounds = simulator() != nullptr ? 20 : 2;
    for (int round = 0; round < rounds; round++) {
        for (const int destroyed : end_each_on_threads(device, true)) {
            CHECK(destroyed == 1);
        }
        for (const int destroyed : end_each_on_threads(device, false)) {
            CHECK(destroyed <= 1);
        }
    }
}

namespace {

/// A handle of each noun made, used and given up through the C functions alone: what failed is counted.
int use_everything(cucore_device *device, cucore_object_code *code) {
    int failed = 0;
    const auto check = [&](int32_t result) { failed += result != CUCORE_OK; };
    cucore_context *context = cucore_device_context(device, nullptr);
    cucore_device *second = cucore_device_with_context(context, nullptr);
    cucore_stream *stream = cucore_stream_create(second, nullptr, nullptr);
    cucore_stream *borrowed = cucore_stream_from_raw(device, cucore_stream_raw(stream), CUCORE_BORROW, nullptr, nullptr, nullptr);
    cucore_event *event = cucore_event_create(device, nullptr, nullptr);
    cucore_memory_resource *pool = cucore_memory_resource_create_pool(device, nullptr, nullptr);
    cucore_buffer *buffer = cucore_memory_resource_allocate(pool, 64, borrowed, nullptr);
    cucore_library *library = cucore_library_load(device, code, nullptr);
    cucore_kernel *kernel = cucore_library_kernel(library, "nothing", 7, nullptr);
    const cucore_launch_options options = shape(1, 1);
    check(cucore_kernel_launch(kernel, stream, &options, nullptr, 0, nullptr));
    check(cucore_buffer_fill(buffer, 0, 64, 1, 1, stream, nullptr));
    check(cucore_event_record(event, borrowed, nullptr));
    check(cucore_stream_close(stream, nullptr, nullptr));
    check(cucore_library_close(library, nullptr, nullptr));
    check(cucore_event_synchronize(event, nullptr));
    check(cucore_buffer_close(buffer, nullptr, nullptr));
    check(cucore_memory_resource_close(pool, nullptr, nullptr));
    check(cucore_kernel_close(kernel, nullptr, nullptr));
    check(cucore_event_close(event, nullptr, nullptr));
    cucore_stream_release(borrowed);
    cucore_device_release(second);
    cucore_context_release(context);
    return failed;
}

} // namespace

TEST_CASE_METHOD(Clean, "handles of all nouns are made, used and given up by many threads at once", "[stress]") {
    const Device device = make(cucore_device_open, 0);
    const ObjectCode code = ptx(NOTHING_PTX);
    std::atomic<int> failures{0};
    on_threads(8, [&](int) {
        for (int round = 0; round < 10; round++) {
            failures += use_everything(device, code);
        }
    });
    CHECK(failures == 0);
}

namespace {

/// Gives up what a thread leaves behind, when the thread ends.
struct AtThreadEnd {
    std::vector<std::function<void()>> releases;
    ~AtThreadEnd() {
        for (const std::function<void()> &release : releases) {
            release();
        }
    }
};
thread_local AtThreadEnd at_thread_end;

/// The destroys of the driver that handles end in, and handles that only a thread's destructors give up.
std::vector<std::string> leave_to_thread_end(cucore_device *device, int destroys_fail_with) {
    std::vector<std::string> operations;
    std::vector<std::function<void()>> releases;
    for (const Destroy &row : destroys()) {
        if (row.domain == CUCORE_DOMAIN_DRIVER) {
            releases.push_back(row.make(device).release);
            operations.emplace_back(row.operation);
        }
    }
    if (destroys_fail_with != 0) {
        for (const std::string &operation : operations) {
            sim().fail_after(operation.c_str(), 1, destroys_fail_with, 1);
        }
    }
    std::thread([&] { at_thread_end.releases = releases; }).join();
    return operations;
}

} // namespace

TEST_CASE_METHOD(Clean, "a buffer notes more streams than it has room for, from several threads at once", "[stress]") {
    const Device device = make(cucore_device_open, 0);
    const Resource pool = make(cucore_memory_resource_device_pool, device);
    std::vector<Stream> streams;
    for (int index = 0; index < 7; index++) {
        streams.push_back(make(cucore_stream_create, device, nullptr));
    }
    std::atomic<int> refused{0};
    for (int round = 0; round < 300; round++) {
        const Buffer buffer = make(cucore_memory_resource_allocate, pool, size_t{64}, streams[0]);
        for (int index = 1; index < 5; index++) { // as many as the buffer has room for
            ok(cucore_buffer_note_use, buffer, streams[static_cast<size_t>(index)]);
        }
        std::atomic<int> ready{0};
        on_threads(2, [&](int index) {
            ready++;
            while (ready < 2) {
                std::this_thread::yield();
            }
            refused += cucore_buffer_note_use(buffer, streams[static_cast<size_t>(5 + index)], nullptr) != CUCORE_OK ? 1 : 0;
        });
    }
    CHECK(refused == 0);
}

TEST_CASE_METHOD(Clean, "a buffer notes the streams of two threads that both make room for more") {
    const Device device = make(cucore_device_open, 0);
    const Resource pool = make(cucore_memory_resource_device_pool, device);
    std::vector<Stream> streams;
    for (int index = 0; index < 7; index++) {
        streams.push_back(make(cucore_stream_create, device, nullptr));
    }
    const Buffer buffer = make(cucore_memory_resource_allocate, pool, size_t{64}, streams[0]);
    const auto note = [&](size_t index) { ok(cucore_buffer_note_use, buffer, streams[index]); };
    for (size_t index = 1; index < 5; index++) { // as many as the buffer has room for
        note(index);
    }
    {
        const BeforeLibraryCall first("calloc", [&] { note(5); });
        note(6);
    }
    fail_library_call("calloc", 0, false);
    note(5);
    note(6);
    fail_no_library_call();
    CHECK(library_calls() == 0); // both are noted, and LeakSanitizer knows what became of the room that came second
}

TEST_CASE_METHOD(Clean, "a stream that another thread finds while its last reference is given up lives on") {
    const Device device = make(cucore_device_open, 0);
    Stream stream = make(cucore_stream_create, device, nullptr), found;
    const CUstream raw_stream = cucore_stream_raw(stream);
    {
        const BeforeLibraryCall before("pthread_mutex_lock", [&] {
            found = make(cucore_stream_from_raw, device, raw_stream, CUCORE_BORROW, nullptr, nullptr);
        });
        stream.reset();
    }
    REQUIRE(found);
    ok(cucore_stream_synchronize, found);
    CHECK(raw().cuStreamSynchronize(raw_stream) == CUDA_SUCCESS);
}

TEST_CASE_METHOD(Clean, "a stream is known by its raw handle when many threads ask for that first at once") {
    const Device device = make(cucore_device_open, 0);
    for (int round = 0; round < 50; round++) {
        Stream stream = make(cucore_stream_create, device, nullptr);
        std::array<CUstream, 4> told{};
        on_threads(4, [&](int index) { told[static_cast<size_t>(index)] = cucore_stream_raw(stream); });
        CHECK(std::count(told.begin(), told.end(), cucore_stream_raw(stream)) == 4);
        const Stream borrower = make(cucore_stream_from_raw, device, told[0], CUCORE_BORROW, nullptr, nullptr);
        stream.reset();
        CHECK(raw().cuStreamSynchronize(told[0]) == CUDA_SUCCESS); // the borrower keeps its owner alive
    }
}

TEST_CASE_METHOD(Clean, "a thread that ends gives up the last references that it holds") {
    leave_to_thread_end(make(cucore_device_open, 0), 0);
}

TEST_CASE_METHOD(Clean, "A1: destroys that fail in a thread's destructors are a warning each", "[sim]") {
    std::vector<std::string> expected = leave_to_thread_end(make(cucore_device_open, 0), INJECTED);
    sim().fail_nothing();
    expected.insert(expected.end(), 2, "cuStreamDestroy"); // of two buffers that had the only reference to theirs
    std::vector<std::string> seen;
    for (const Facts &facts : sink.take()) {
        seen.push_back(facts.operation);
    }
    std::sort(expected.begin(), expected.end());
    std::sort(seen.begin(), seen.end());
    CHECK(seen == expected);
}

TEST_CASE_METHOD(Clean, "A9: sinks of many threads get the warnings of all of them, also those of the library's thread",
                 "[sim][stress]") {
    const Device device = make(cucore_device_open, 0);
    sinks_beside_warnings(sink, "cuEventDestroy", 50, [&] {
        cucore_event *event = cucore_event_create(device, nullptr, nullptr);
        cucore_callback_enter(nullptr);
        cucore_event_release(event); // left to the library's thread
        cucore_callback_leave();
    });
}

TEST_CASE_METHOD(Clean, "threads that use a device's context first at once leave no reference to it behind", "[stress]") {
    for (int round = 0; round < 2000; round++) {
        const Device device = make(cucore_device_open, 0);
        std::atomic<int> ready{0};
        on_threads(2, [&](int) {
            for (ready++; ready < 2;) {
                std::this_thread::yield();
            }
            cucore_context_release(cucore_device_context(device, nullptr));
        });
    }
    ok(cucore_context_release_primary, 0);
}
