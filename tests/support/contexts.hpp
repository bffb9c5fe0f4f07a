// SPDX-License-Identifier: MIT OR Apache-2.0
// Contexts made behind the library's back.
#pragma once

#include "driver.hpp"

namespace test {

/// The calling thread's current context, NULL if none. It asks the driver, so not while faults are armed.
CUcontext current_context();

/// Makes a context that is not current; the caller sees to its end.
CUcontext new_context(int ordinal = 0);

/// A context of the tests' own, current on this thread from its construction to its destruction.
class ForeignContext {
  public:
    explicit ForeignContext(int ordinal = 0);
    ForeignContext(const ForeignContext &) = delete;
    ~ForeignContext();
    CUcontext get() const {
        return context_;
    }

  private:
    CUcontext context_ = nullptr;
};

/// Pushes a context that is alive, and pops it again; checks that it was still the current one, so that the stack is as deep as
/// it was.
class Pushed {
  public:
    explicit Pushed(CUcontext context);
    Pushed(const Pushed &) = delete;
    ~Pushed();

  private:
    CUcontext context_;
};

} // namespace test
