// SPDX-License-Identifier: MIT OR Apache-2.0
#include "capture.hpp"

#include "catch.h"

#include <utility>

namespace test {

Capture::Capture(CUstream stream, CUstreamCaptureMode mode) : stream_(stream) {
    REQUIRE(raw().cuStreamBeginCapture(stream, mode) == CUDA_SUCCESS);
}

Capture::~Capture() {
    end();
}

CUresult Capture::end() {
    CUgraph graph = nullptr;
    const CUstream stream = std::exchange(stream_, nullptr);
    const CUresult result = stream != nullptr ? raw().cuStreamEndCapture(stream, &graph) : CUDA_SUCCESS;
    if (graph != nullptr) {
        CHECK(raw().cuGraphDestroy(graph) == CUDA_SUCCESS);
    }
    return result;
}

Relaxed::Relaxed() {
    CHECK(raw().cuThreadExchangeStreamCaptureMode(&mode_) == CUDA_SUCCESS);
}

Relaxed::~Relaxed() {
    CHECK(raw().cuThreadExchangeStreamCaptureMode(&mode_) == CUDA_SUCCESS);
}

Held::Held(CUstream stream) : stream_(stream) {
    if (simulator() != nullptr) {
        sim().hold(stream);
    } else {
        waits_ = true;
        REQUIRE(raw().cuLaunchHostFunc(stream, &wait, this) == CUDA_SUCCESS);
    }
}

Held::~Held() {
    go();
}

void Held::wait(void *self) {
    auto *held = static_cast<Held *>(self);
    std::unique_lock<std::mutex> lock(held->mutex_);
    held->changed_.wait(lock, [&] { return !held->held_; });
    held->waits_ = false;
    held->changed_.notify_all();
}

void Held::go() {
    std::unique_lock<std::mutex> lock(mutex_);
    if (!std::exchange(held_, false)) {
        return;
    }
    changed_.notify_all();
    changed_.wait(lock, [&] { return !waits_; });
    if (simulator() != nullptr) {
        sim().release(stream_);
    }
}

} // namespace test
