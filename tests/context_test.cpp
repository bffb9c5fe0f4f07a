// SPDX-License-Identifier: MIT OR Apache-2.0
#include "support/contexts.hpp"
#include "support/cucore.hpp"

#include <thread>

using namespace test;

TEST_CASE_METHOD(Clean, "a primary context is made at first need and shared") {
    const Device device = make(cucore_device_open, 0);
    const Context context = make(cucore_device_context, device);
    CUcontext primary = nullptr;
    REQUIRE(raw().cuDevicePrimaryCtxRetain(&primary, 0) == CUDA_SUCCESS);
    CHECK(cucore_context_raw(context) == primary);
    CHECK(cucore_context_ordinal(context) == 0);
    CHECK(raw().cuDevicePrimaryCtxRelease(0) == CUDA_SUCCESS);
}

TEST_CASE_METHOD(Clean, "a context outlives the device it was got from") {
    Context context = make(cucore_device_context, make(cucore_device_open, 0));
    CHECK(cucore_context_ordinal(context) == 0);
    ok(cucore_context_synchronize, context);
    int32_t destroyed = -1;
    ok(cucore_context_close, context.give(), &destroyed);
    CHECK((destroyed == 0 || destroyed == 1));
}

TEST_CASE_METHOD(Clean, "the primary context is not released while handles are bound to it") {
    const Device device = make(cucore_device_open, 0);
    Stream stream = make(cucore_stream_create, device, nullptr);
    fails_saying(CUCORE_INVALID_STATE, "", cucore_context_release_primary, 0);
    ok(cucore_stream_synchronize, stream); // nothing changed
    stream.reset();
    Context context = make(cucore_device_context, device);
    fails_saying(CUCORE_INVALID_STATE, "", cucore_context_release_primary, 0);
    ok(cucore_context_synchronize, context);
}

TEST_CASE_METHOD(Clean, "the primary context is given up once, and taken anew at the next use", "[sim]") {
    const size_t before = sim().live_count("context");
    {
        const Stream stream = make(cucore_stream_create, make(cucore_device_open, 0), nullptr);
        CHECK(sim().live_count("context") == before + 1);
    }
    ok(cucore_context_release_primary, 0);
    CHECK(sim().live_count("context") == before);
    const uint64_t calls = sim().call_count("cuDevicePrimaryCtxRelease");
    ok(cucore_context_release_primary, 0);
    CHECK(sim().call_count("cuDevicePrimaryCtxRelease") == calls);
    const Stream stream = make(cucore_stream_create, make(cucore_device_open, 0), nullptr);
    ok(cucore_stream_synchronize, stream);
}

TEST_CASE_METHOD(Clean, "release_primary of an ordinal that cannot be") {
    CHECK(fails(cucore_context_release_primary, -1).code == CUCORE_INVALID_ARGUMENT);
    ok(cucore_context_release_primary, 1000); // nothing is held of it
}

TEST_CASE_METHOD(Clean, "a primary context is not given up while it is current") {
    {
        const Context context = make(cucore_device_context, make(cucore_device_open, 0));
        ok(cucore_context_set_current, context, nullptr);
    }
    fails_saying(CUCORE_INVALID_STATE, "current", cucore_context_release_primary, 0);
    ok(cucore_context_set_current, nullptr, nullptr);
    ok(cucore_context_release_primary, 0);
}

TEST_CASE_METHOD(Clean, "set_current is not told of a foreign context as one of ours, but gives it back") {
    const ForeignContext foreign;
    const Context context = make(cucore_device_context, make(cucore_device_open, 0));
    cucore_context *previous = nullptr;
    ok(cucore_context_set_current, context, &previous);
    const Context borrowed(previous);
    CHECK(current_context() == cucore_context_raw(context));
    CHECK(cucore_context_raw(borrowed) == foreign.get());
    CHECK(cucore_context_ordinal(borrowed) == 0);
    ok(cucore_context_set_current, borrowed, nullptr);
    CHECK(current_context() == foreign.get());
}

namespace {

/// Whether a context can be worked in: it is made current, and asked something.
bool is_usable(CUcontext context) {
    const Pushed pushed(context);
    return raw().cuCtxGetCurrent(&context) == CUDA_SUCCESS;
}

/// An owner that counts how often it was dropped.
struct Dropped {
    int count = 0;
    static void drop(void *self) {
        static_cast<Dropped *>(self)->count++;
    }
};

Context borrow(CUcontext context) {
    return make(cucore_context_from_raw, context, CUCORE_BORROW, nullptr, nullptr);
}

Context adopt(CUcontext context) {
    return make(cucore_context_from_raw, context, CUCORE_ADOPT, nullptr, nullptr);
}

} // namespace

TEST_CASE_METHOD(Clean, "a borrowed context is never destroyed") {
    const CUcontext foreign = new_context();
    Dropped owner;
    Context context = make(cucore_context_from_raw, foreign, CUCORE_BORROW, &owner, &Dropped::drop);
    CHECK(cucore_context_raw(context) == foreign);
    CHECK(cucore_context_ordinal(context) == 0);
    ok(cucore_context_synchronize, context);
    CHECK(owner.count == 0);
    int32_t destroyed = -1;
    ok(cucore_context_close, context.give(), &destroyed);
    CHECK(destroyed == 1);
    CHECK(owner.count == 1);
    CHECK(is_usable(foreign));
    CHECK(raw().cuCtxDestroy(foreign) == CUDA_SUCCESS);
}

TEST_CASE_METHOD(Clean, "an adopted context is destroyed with its last handle, and is then not current") {
    CUcontext foreign = nullptr;
    REQUIRE(raw().cuCtxCreate(&foreign, 0, 0) == CUDA_SUCCESS); // and it is current
    Dropped owner;
    Context context = make(cucore_context_from_raw, foreign, CUCORE_ADOPT, &owner, &Dropped::drop);
    cucore_context *second = cucore_context_retain(context);
    context.reset();
    CHECK(owner.count == 0);
    CHECK(current_context() == foreign);
    int32_t destroyed = -1;
    ok(cucore_context_close, second, &destroyed);
    CHECK(destroyed == 1);
    CHECK(owner.count == 1);
    CHECK(current_context() == nullptr);
}

TEST_CASE_METHOD(Clean, "a context lives as long as what is made in it") {
    const CUcontext foreign = new_context();
    Context context = adopt(foreign);
    Stream stream = make(cucore_stream_create, make(cucore_device_with_context, context), nullptr);
    context.reset();
    ok(cucore_stream_synchronize, stream);
    CUcontext of_stream = nullptr;
    CHECK(raw().cuStreamGetCtx(cucore_stream_raw(stream), &of_stream) == CUDA_SUCCESS);
    CHECK(of_stream == foreign);
}

TEST_CASE_METHOD(Clean, "a context that the library owns cannot be adopted, and its owner lives as long as a borrower") {
    const CUcontext foreign = new_context();
    Context owner = adopt(foreign);
    Dropped dropped;
    fails_saying(CUCORE_INVALID_STATE, "owned", cucore_context_from_raw, foreign, CUCORE_ADOPT, &dropped, &Dropped::drop);
    CHECK(dropped.count == 1);
    const Context borrower = borrow(foreign);
    owner.reset();
    CHECK(is_usable(foreign)); // the simulated driver counts a violation if it is not
    fails_saying(CUCORE_INVALID_STATE, "owned", cucore_context_from_raw, foreign, CUCORE_ADOPT, nullptr, nullptr);
}

TEST_CASE_METHOD(Clean, "a primary context cannot be adopted, nor given up while it is borrowed") {
    Context primary = make(cucore_device_context, make(cucore_device_open, 0));
    const CUcontext raw_primary = cucore_context_raw(primary);
    fails_saying(CUCORE_INVALID_STATE, "owned", cucore_context_from_raw, raw_primary, CUCORE_ADOPT, nullptr, nullptr);
    Context borrower = borrow(raw_primary);
    primary.reset();
    fails_saying(CUCORE_INVALID_STATE, "", cucore_context_release_primary, 0);
    borrower.reset();
    ok(cucore_context_release_primary, 0);
}

TEST_CASE_METHOD(Clean, "a context that is not taken stays its maker's, and its owner is dropped once") {
    const CUcontext foreign = new_context();
    Dropped owner;
    fails_saying(CUCORE_INVALID_ARGUMENT, "raw is NULL", cucore_context_from_raw, nullptr, CUCORE_BORROW, &owner, &Dropped::drop);
    CHECK(owner.count == 1);
    for (const int32_t ownership : {-1, 0, 3}) {
        fails_saying(CUCORE_INVALID_ARGUMENT, "ownership", cucore_context_from_raw, foreign, ownership, &owner, &Dropped::drop);
    }
    CHECK(owner.count == 4);
    CHECK(is_usable(foreign));
    CHECK(raw().cuCtxDestroy(foreign) == CUDA_SUCCESS);
}

TEST_CASE_METHOD(Clean, "a context whose device the driver does not tell is not taken", "[sim]") {
    const CUcontext foreign = new_context();
    Dropped owner;
    sim().fail("cuCtxGetDevice", 1, INJECTED, 0);
    CHECK(fails(cucore_context_from_raw, foreign, CUCORE_ADOPT, &owner, &Dropped::drop).operation == "cuCtxGetDevice");
    CHECK(owner.count == 1);
    adopt(foreign); // nobody owns it yet
}

TEST_CASE_METHOD(Clean, "the current context is told as a handle of the library's own, as a borrowed one, or as none") {
    cucore_context *current = reinterpret_cast<cucore_context *>(1);
    ok(cucore_context_current, &current);
    CHECK(current == nullptr);
    const Context primary = make(cucore_device_context, make(cucore_device_open, 0));
    {
        const Pushed pushed(cucore_context_raw(primary));
        ok(cucore_context_current, &current);
        CHECK(Context(current).get() == primary.get());
    }
    const ForeignContext foreign;
    ok(cucore_context_current, &current);
    CHECK(cucore_context_raw(Context(current)) == foreign.get());
    fails_saying(CUCORE_INVALID_ARGUMENT, "current is NULL", cucore_context_current, nullptr);
}

TEST_CASE_METHOD(Clean, "which context is current is untouched by a failure to tell it", "[sim]") {
    auto *const before = reinterpret_cast<cucore_context *>(1);
    cucore_context *current = before;
    sim().fail("cuCtxGetCurrent", 1, INJECTED, 0);
    CHECK(fails(cucore_context_current, &current).operation == "cuCtxGetCurrent");
    CHECK(current == before);
}

TEST_CASE_METHOD(Clean, "a failed set_current leaves the previous context current, and the parameter as it was", "[sim]") {
    const ForeignContext foreign;
    const Device device = make(cucore_device_open, 0);
    const Context context = make(cucore_device_context, device);
    auto *const before = reinterpret_cast<cucore_context *>(1);
    cucore_context *previous = before;
    for (const char *call : {"cuCtxSetCurrent", "cuCtxGetCurrent"}) {
        sim().fail(call, 1, INJECTED, 0);
        CHECK(fails(cucore_context_set_current, context, &previous).operation == call);
        sim().fail(call, 1, INJECTED, 0);
        CHECK(fails(cucore_device_set_current, device, &previous).operation == call);
    }
    CHECK(previous == before);
    CHECK(current_context() == foreign.get());
}

namespace {

/// A function for cucore_context_run: what it saw, and what it answers.
struct Visitor {
    CUcontext seen = nullptr;
    int calls = 0;
    int drops = 0;

    static int32_t visit(void *self) {
        static_cast<Visitor *>(self)->calls++;
        raw().cuCtxGetCurrent(&static_cast<Visitor *>(self)->seen);
        return 42;
    }
    static void drop(void *self) {
        static_cast<Visitor *>(self)->drops++;
    }
};

} // namespace

TEST_CASE_METHOD(Clean, "a function is run in a context, and its result passed on") {
    const Context context = make(cucore_device_context, make(cucore_device_open, 0));
    const ForeignContext foreign;
    Visitor visitor;
    int32_t result = 0;
    ok(cucore_context_run, context, &Visitor::visit, &visitor, &Visitor::drop, &result);
    CHECK(result == 42);
    CHECK(visitor.seen == cucore_context_raw(context));
    CHECK(current_context() == foreign.get());
    ok(cucore_context_run, context, &Visitor::visit, &visitor, nullptr, nullptr);
    CHECK(visitor.calls == 2);
    CHECK(visitor.drops == 1);
}

TEST_CASE_METHOD(Clean, "a function that is run in a context may run another in another context") {
    struct Nested {
        Context outer = make(cucore_device_context, make(cucore_device_open, 0));
        Context inner = adopt(new_context());
        Visitor visitor;
        CUcontext seen_after = nullptr;
    } nested;
    const auto run_inner = [](void *self) {
        auto &given = *static_cast<Nested *>(self);
        int32_t result = 0;
        const int32_t code = cucore_context_run(given.inner, &Visitor::visit, &given.visitor, nullptr, &result, nullptr);
        raw().cuCtxGetCurrent(&given.seen_after);
        return code == CUCORE_OK ? result + 1 : code;
    };
    int32_t result = 0;
    ok(cucore_context_run, nested.outer, run_inner, &nested, nullptr, &result);
    CHECK(result == 43);
    CHECK(nested.visitor.seen == cucore_context_raw(nested.inner));
    CHECK(nested.seen_after == cucore_context_raw(nested.outer));
    CHECK(current_context() == nullptr);
}

TEST_CASE_METHOD(Clean, "a function that is not run has its user data dropped all the same") {
    const Context context = make(cucore_device_context, make(cucore_device_open, 0));
    Visitor visitor;
    int32_t result = 5;
    fails_saying(CUCORE_INVALID_ARGUMENT, "function is NULL", cucore_context_run, context, nullptr, &visitor, &Visitor::drop,
                 &result);
    fails_saying(CUCORE_INVALID_ARGUMENT, "context is NULL", cucore_context_run, nullptr, &Visitor::visit, &visitor, &Visitor::drop,
                 &result);
    fails_saying(CUCORE_INVALID_ARGUMENT, "context is NULL", cucore_context_run, nullptr, nullptr, &visitor, &Visitor::drop,
                 &result);
    CHECK(visitor.drops == 3);
    CHECK(visitor.calls == 0);
    CHECK(result == 5);
}

TEST_CASE_METHOD(Clean, "a function is not run if its context cannot be entered", "[sim]") {
    const Context context = make(cucore_device_context, make(cucore_device_open, 0));
    Visitor visitor;
    int32_t result = 5;
    sim().fail("cuCtxPushCurrent", 1, INJECTED, 0);
    CHECK(fails(cucore_context_run, context, &Visitor::visit, &visitor, &Visitor::drop, &result).operation == "cuCtxPushCurrent");
    CHECK(visitor.calls == 0);
    CHECK(visitor.drops == 1);
    CHECK(result == 5);
}

TEST_CASE_METHOD(Clean, "a function's result is there even if the caller's context could not be restored", "[sim]") {
    const Context context = make(cucore_device_context, make(cucore_device_open, 0));
    Visitor visitor;
    int32_t result = 5;
    sim().fail("cuCtxPopCurrent", 1, INJECTED, 0);
    const Facts facts = fails(cucore_context_run, context, &Visitor::visit, &visitor, &Visitor::drop, &result);
    INFO(describe(facts));
    CHECK(facts.operation == "cuCtxPopCurrent");
    CHECK(facts.note(CUCORE_NOTE_CONSEQUENCE, "could not be restored") != nullptr);
    CHECK(facts.note(CUCORE_NOTE_ADVICE) != nullptr);
    CHECK(result == 42);
    CHECK(visitor.drops == 1);
    ok(cucore_context_set_current, nullptr, nullptr); // as the advice says
}

TEST_CASE_METHOD(Clean, "what the work of a context failed with is told by its synchronize", "[sim]") {
    const Device device = make(cucore_device_open, 0);
    const Context context = make(cucore_device_context, device);
    const auto lost = [](const Facts &facts) {
        INFO(describe(facts));
        CHECK(facts.code == CUCORE_DEVICE_LOST);
        CHECK(facts.operation == "cuCtxSynchronize");
        CHECK(facts.note(CUCORE_NOTE_ADVICE) != nullptr);
    };
    sim().fail("cuCtxSynchronize", 1, CUDA_ERROR_ILLEGAL_ADDRESS, 0);
    lost(fails(cucore_context_synchronize, context));
    sim().fail("cuCtxSynchronize", 1, CUDA_ERROR_ILLEGAL_ADDRESS, 0);
    lost(fails(cucore_device_synchronize, device));
}

TEST_CASE("bad context handles give NULL and -1") {
    CHECK(cucore_context_raw(nullptr) == nullptr);
    CHECK(cucore_context_ordinal(nullptr) == -1);
    CHECK(cucore_context_retain(nullptr) == nullptr);
    cucore_context_release(nullptr);
}

TEST_CASE_METHOD(Clean, "what a function makes current does not stay, even if its context was current before") {
    const Device device = make(cucore_device_open, 0);
    const Context context = make(cucore_device_context, device);
    const ForeignContext other;
    Context foreign = make(cucore_context_from_raw, other.get(), CUCORE_BORROW, nullptr, nullptr);
    Context previous;
    cucore_context *before = nullptr;
    ok(cucore_context_set_current, context, &before);
    previous = Context(before);
    const auto choose = [](void *chosen) -> int32_t {
        return cucore_context_set_current(static_cast<cucore_context *>(chosen), nullptr, nullptr);
    };
    int32_t result = -1;
    ok(cucore_context_run, context, choose, foreign.get(), nullptr, &result);
    CHECK(result == CUCORE_OK);
    CHECK(current_context() == cucore_context_raw(context));
    ok(cucore_context_run, foreign, choose, nullptr, nullptr, &result); // none
    CHECK(result == CUCORE_OK);
    CHECK(current_context() == cucore_context_raw(context));
    ok(cucore_context_set_current, previous, nullptr);
}

TEST_CASE_METHOD(Clean, "a caller without a context has none after a function that leaves one behind") {
    const Context context = make(cucore_device_context, make(cucore_device_open, 0));
    const auto leave_one = [](void *raw_context) -> int32_t { return raw().cuCtxPushCurrent(static_cast<CUcontext>(raw_context)); };
    ok(cucore_context_run, context, leave_one, cucore_context_raw(context), nullptr, nullptr);
    CHECK(current_context() == nullptr);
}

TEST_CASE_METHOD(Clean, "a function's result is there even if it is not known what it left current", "[sim]") {
    const Context context = make(cucore_device_context, make(cucore_device_open, 0));
    Visitor visitor;
    int32_t result = 5;
    sim().fail("cuCtxGetCurrent", 3, INJECTED, 0); // the second call is the visitor's own
    CHECK(fails(cucore_context_run, context, &Visitor::visit, &visitor, &Visitor::drop, &result).operation == "cuCtxGetCurrent");
    CHECK((result == 42 && visitor.drops == 1));
    const auto leave_none = [](void *) -> int32_t { return cucore_context_set_current(nullptr, nullptr, nullptr); };
    const ForeignContext foreign;
    sim().fail("cuCtxPushCurrent", 2, INJECTED, 0);
    const Facts facts = fails(cucore_context_run, context, leave_none, nullptr, nullptr, &result);
    CHECK(facts.operation == "cuCtxPushCurrent");
    CHECK(facts.note(CUCORE_NOTE_CONSEQUENCE, "could not be restored") != nullptr);
    raw().cuCtxPushCurrent(foreign.get()); // which its end takes off
}

TEST_CASE_METHOD(Clean, "a primary context that another thread begins to use while it is given up stays", "[sim]") {
    struct Other {
        CUcontext primary;
        cucore_context *found;
        static void find(void *self) {
            auto *other = static_cast<Other *>(self);
            std::thread([other] {
                const Pushed current(other->primary);
                cucore_context_current(&other->found, nullptr);
            }).join();
        }
    };
    Other other{cucore_context_raw(make(cucore_device_context, make(cucore_device_open, 0))), nullptr};
    sim().hook("cuCtxGetCurrent", 1, &Other::find, &other);
    fails_saying(CUCORE_INVALID_STATE, "another thread began to use the context of device 0", cucore_context_release_primary, 0);
    CHECK(cucore_context_raw(other.found) == other.primary);
    cucore_context_release(other.found);
}
