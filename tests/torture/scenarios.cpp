// SPDX-License-Identifier: MIT OR Apache-2.0
#include "scenarios.hpp"

namespace torture {

ObjectCode ptx(Job &job, const std::string &code, const std::string &name) {
    return job.make(cucore_object_code_create, CUCORE_OBJECT_CODE_PTX, code.data(), code.size(), name.data(), name.size());
}

SetCurrent::SetCurrent(Job &job, cucore_context *context)
    : job_(job), before_(job, job.read<cucore_context *>(cucore_context_set_current, context)), is_set_(true) {
}

SetCurrent::SetCurrent(Job &job, cucore_device *device)
    : job_(job), before_(job, job.read<cucore_context *>(cucore_device_set_current, device)), is_set_(true) {
}

SetCurrent::~SetCurrent() {
    if (is_set_) {
        Job::fail_nothing();
        raw().cuCtxSetCurrent(cucore_context_raw(before_));
    }
}

void SetCurrent::back() {
    job_.ok(cucore_context_set_current, before_.get(), nullptr);
    is_set_ = false;
}

} // namespace torture
