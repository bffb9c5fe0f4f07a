/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#ifndef CUCORE_V1_LAUNCH_H
#define CUCORE_V1_LAUNCH_H

/* Launches: a kernel, where it runs, how wide, and with what. */

#include "types.h"

CUCORE_BEGIN

/* Kinds of argument. */
#define CUCORE_ARGUMENT_VALUE 1  /* the first `size` (1 to 8) bytes of `value`, in memory order */
#define CUCORE_ARGUMENT_BYTES 2  /* `size` bytes at `bytes`, read during the call */
#define CUCORE_ARGUMENT_OBJECT 3 /* a handle: of a buffer, whose address plus `value` bytes is passed */

/* cucore_argument is one argument of a launch. Its size is frozen; what its kind does not use is 0. */
typedef struct cucore_argument {
    uint32_t kind;
    uint32_t size;
    uint64_t value;
    const void *bytes;
    void *object;
    uint64_t reserved[2]; /* 0 */
} cucore_argument;

typedef struct cucore_launch_options {
    size_t struct_size;
    uint32_t grid[3];      /* in blocks, each at least 1 */
    uint32_t block[3];     /* in threads, each at least 1 */
    uint32_t shared_bytes; /* dynamic shared memory of a block */
    uint32_t reserved;     /* 0 */
} cucore_launch_options;

/* cucore_kernel_launch puts a launch on the stream (cuLaunchKernelEx); it does not wait. `options` is required. Buffers among the
 * arguments are noted as used on that stream, so that their memory outlives the launch; other addresses are the caller's to
 * keep valid.
 * Fails with CUCORE_INVALID_ARGUMENT if a dimension is 0, or count or sizes of the arguments differ from the kernel's parameters
 * (checked from CUDA 12.4 on), or a buffer's offset lies outside it; CUCORE_INVALID_HANDLE if stream, kernel and buffers are not
 * on one device. A kernel that fails while it runs is reported by a later call that waits for it. */
CUCORE_API int32_t cucore_kernel_launch(cucore_kernel *kernel, cucore_stream *stream, const cucore_launch_options *options,
                                        const cucore_argument *arguments, size_t count, cucore_status **status);

CUCORE_END

#endif
