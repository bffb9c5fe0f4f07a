// SPDX-License-Identifier: MIT OR Apache-2.0
// A stream captured by a scenario.
#pragma once

#include "scenarios.hpp"

namespace torture {

/// While it lives the scenario captures a stream. If the scenario ends early the capture is ended with nothing failing.
class Capturing {
  public:
    Capturing(Job &job, CUstream stream) : job_(job) {
        job.direct("cuStreamBeginCapture", raw().cuStreamBeginCapture(stream, CU_STREAM_CAPTURE_MODE_THREAD_LOCAL));
        stream_ = stream;
    }
    Capturing(const Capturing &) = delete;
    ~Capturing() {
        if (stream_ != nullptr) {
            Job::fail_nothing();
            test::CUgraph graph = nullptr;
            raw().cuStreamEndCapture(stream_, &graph);
            raw().cuGraphDestroy(graph);
        }
    }
    void end() {
        test::CUgraph graph = nullptr;
        job_.direct("cuStreamEndCapture", raw().cuStreamEndCapture(stream_, &graph));
        stream_ = nullptr;
        const CUresult result = raw().cuGraphDestroy(graph);
        if (result != CUDA_SUCCESS) {
            Job::fail_nothing();
            raw().cuGraphDestroy(graph);
        }
        job_.direct("cuGraphDestroy", result);
    }

  private:
    Job &job_;
    CUstream stream_ = nullptr;
};

} // namespace torture
