// SPDX-License-Identifier: MIT OR Apache-2.0
// The scenarios of the torture tests, a file for each family: pieces of ordinary work that between them call every function of the
// library.
#pragma once

#include "../support/torture.hpp"

namespace torture {

using test::Ending;
using test::Facts;
using test::Held;
using test::Job;
using test::object;
using test::raw;
using test::shape;
using test::sim;
using test::text;
using test::value;

using Device = Held<cucore_device>;
using Context = Held<cucore_context>;
using Stream = Held<cucore_stream>;
using Event = Held<cucore_event>;
using Resource = Held<cucore_memory_resource>;
using Buffer = Held<cucore_buffer>;
using Program = Held<cucore_program>;
using Linker = Held<cucore_linker>;
using ObjectCode = Held<cucore_object_code>;
using Library = Held<cucore_library>;
using Kernel = Held<cucore_kernel>;

/// Of a scenario that may warn even where its handles are closed: of what ends in a callback or after a capture, of an event that a
/// wait for a stream makes for itself, or of a compiler's log that could not be had though it compiled.
constexpr bool WARNS = true;

using Scenarios = std::vector<test::Scenario>;

extern const Scenarios context_scenarios;
extern const Scenarios stream_scenarios;
extern const Scenarios memory_scenarios;
extern const Scenarios callback_scenarios;
extern const Scenarios compiler_scenarios;
extern const Scenarios kernel_scenarios;
extern const Scenarios host_scenarios; ///< of what needs no driver

/// Those for an nvJitLink that is older than the driver, so that the driver's own linker is used.
extern const Scenarios driver_linker_scenarios;

/// PTX as object code.
ObjectCode ptx(Job &job, const std::string &code, const std::string &name = "torture.ptx");

/// A call that makes a context current, with the context from before, to be current again at the end of the scope: by the library,
/// or by hand if that fails.
class SetCurrent {
  public:
    SetCurrent(Job &job, cucore_context *context);
    SetCurrent(Job &job, cucore_device *device);
    SetCurrent(const SetCurrent &) = delete;
    ~SetCurrent();
    /// Gives the context from before back.
    void back();

  private:
    Job &job_;
    Context before_;
    bool is_set_ = false;
};

} // namespace torture
