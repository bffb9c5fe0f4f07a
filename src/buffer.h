/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#ifndef CUCORE_BUFFER_H
#define CUCORE_BUFFER_H

#include "memory_resource.h"
#include "stream.h"
#include "use_set.h"

extern const cucore_class cucore_buffer_class;

struct cucore_buffer {
    cucore_object object;
    CUdeviceptr address; /* 0: empty */
    size_t size;
    cucore_memory_resource *resource;
    cucore_stream *stream; /* the deallocation stream */
    cucore_use_set uses;   /* the others */
};

/* cucore_buffer_use checks that `stream` can be used with the buffer, and notes that it is about to be. */
int32_t cucore_buffer_use(const cucore_call *call, cucore_buffer *buffer, cucore_stream *stream);

#endif
