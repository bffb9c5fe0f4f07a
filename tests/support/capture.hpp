// SPDX-License-Identifier: MIT OR Apache-2.0
// Streams that are captured, and streams whose work does not get on, on any driver.
#pragma once

#include "driver.hpp"

#include <condition_variable>
#include <mutex>
#include <stdexcept>

namespace test {

/// This thread captures the work put on a stream, from the construction until end() or the destruction.
class Capture {
  public:
    Capture(CUstream stream, CUstreamCaptureMode mode);
    Capture(const Capture &) = delete;
    ~Capture();
    /// Ends it, and throws the graph away. CUDA_SUCCESS says that nothing invalidated the capture.
    CUresult end();

  private:
    CUstream stream_;
};

/// This thread may do what a capture of its would forbid, from the construction to the destruction.
class Relaxed {
  public:
    Relaxed();
    Relaxed(const Relaxed &) = delete;
    ~Relaxed();

  private:
    CUstreamCaptureMode mode_ = CU_STREAM_CAPTURE_MODE_RELAXED;
};

/// Every mode of capturing, for GENERATE.
constexpr CUstreamCaptureMode CAPTURE_MODES[] = {CU_STREAM_CAPTURE_MODE_GLOBAL, CU_STREAM_CAPTURE_MODE_THREAD_LOCAL,
                                                 CU_STREAM_CAPTURE_MODE_RELAXED};

/// Keeps work that is put on a stream from now on waiting, until go() or the destruction: the simulated driver is told to hold it,
/// and a real one runs a host function that does not return. Nobody may wait for the stream meanwhile.
class Held {
  public:
    explicit Held(CUstream stream);
    Held(const Held &) = delete;
    ~Held();
    void go();

  private:
    static void wait(void *self);
    CUstream stream_;
    std::mutex mutex_;
    std::condition_variable changed_;
    bool held_ = true;
    bool waits_ = false; ///< a host function of this object's is under way or yet to come
};

/// Runs `function` as a callback of CUDA's (cuLaunchHostFunc) and waits until it has returned.
template <class Function> void in_host_function(CUstream stream, Function function) {
    const CUhostFn call = [](void *data) { (*static_cast<Function *>(data))(); };
    if (raw().cuLaunchHostFunc(stream, call, &function) != CUDA_SUCCESS || raw().cuStreamSynchronize(stream) != CUDA_SUCCESS) {
        throw std::runtime_error("a host function could not be run");
    }
}

} // namespace test
