// SPDX-License-Identifier: MIT OR Apache-2.0
#include "contexts.hpp"

#include "catch.h"

namespace test {

CUcontext current_context() {
    CUcontext context = nullptr;
    CHECK(raw().cuCtxGetCurrent(&context) == CUDA_SUCCESS);
    return context;
}

CUcontext new_context(int ordinal) {
    CUcontext made = nullptr, popped = nullptr;
    REQUIRE(raw().cuCtxCreate(&made, 0, ordinal) == CUDA_SUCCESS);
    REQUIRE(raw().cuCtxPopCurrent(&popped) == CUDA_SUCCESS);
    return made;
}

ForeignContext::ForeignContext(int ordinal) {
    REQUIRE(raw().cuCtxCreate(&context_, 0, ordinal) == CUDA_SUCCESS);
}

ForeignContext::~ForeignContext() {
    CHECK(current_context() == context_);
    CHECK(raw().cuCtxDestroy(context_) == CUDA_SUCCESS);
}

Pushed::Pushed(CUcontext context) : context_(context) {
    REQUIRE(raw().cuCtxPushCurrent(context) == CUDA_SUCCESS);
}

Pushed::~Pushed() {
    CUcontext popped = nullptr;
    CHECK(raw().cuCtxPopCurrent(&popped) == CUDA_SUCCESS);
    CHECK(popped == context_);
}

} // namespace test
