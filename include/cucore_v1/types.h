/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#ifndef CUCORE_V1_TYPES_H
#define CUCORE_V1_TYPES_H

/* What every other header of libcucore builds on, and the rules that hold for every declaration unless its own comment
 * says otherwise:
 *
 * Handles    A handle that a function returns is a new reference, the caller's to release. Handles passed in are borrowed:
 *            the library takes its own references to what it keeps. A NULL handle, or a NULL out-parameter that is not said
 *            to be optional, is CUCORE_INVALID_ARGUMENT; a handle of another type, or of a device or context that does not
 *            fit the call, is CUCORE_INVALID_HANDLE. Both are found before the driver is called.
 * Failures   A function that returns a handle gives NULL when it fails; one that returns int32_t gives the code, and
 *            CUCORE_OK (0) when it worked. `status`, always last, may be NULL; if not it is always written: NULL on success,
 *            else a new reference (see status.h). Other out-parameters are untouched on failure (but `destroyed` of a close says
 *            what happened either way), and nothing half-made is left behind. Any call that reaches the driver can fail with the
 *            codes in status.h that driver errors map to.
 * Contexts   A call works in the context its handle is bound to, whatever context is current, and leaves the caller's
 *            current context as it was.
 * Threads    Any thread may make any call, on shared handles too.
 * Callbacks  Functions that wait, or that reach the driver, must not be called from a CUDA callback; those whose comment says
 *            "callback-safe" may. Accessors and retain always are. So are release and close between cucore_callback_enter and
 *            _leave: what they would destroy is destroyed by a thread of the library's.
 * Text       Passed as pointer and size in bytes, not necessarily NUL-terminated and never read past the size; embedded NULs
 *            are CUCORE_INVALID_ARGUMENT. Text returned is NUL-terminated, its size (without the NUL) is stored through
 *            `size` where that is not NULL, it never changes and lives as long as its handle.
 * Options    A struct that begins with its own size in bytes (`struct_size = sizeof(that struct)`); NULL means all defaults,
 *            and so does a field that is zero. Unknown non-zero bytes of a larger struct are CUCORE_INVALID_ARGUMENT.
 * Since      1.0.
 */

#include <stddef.h>
#include <stdint.h>

#if defined(__GNUC__) && !defined(CUCORE_STATIC)
#define CUCORE_API __attribute__((visibility("default")))
#else
#define CUCORE_API
#endif

#ifdef __cplusplus
#define CUCORE_BEGIN extern "C" {
#define CUCORE_END }
#else
#define CUCORE_BEGIN
#define CUCORE_END
#endif

CUCORE_BEGIN

/* On/off choices in options: the default, on, off. */
#define CUCORE_DEFAULT 0
#define CUCORE_ON 1
#define CUCORE_OFF 2

/* Whose a raw handle given to a from_raw function is. */
#define CUCORE_BORROW 1 /* its maker's, who keeps it alive longer than the handle made of it */
#define CUCORE_ADOPT 2  /* from now on the handle's, whose end destroys it */

typedef struct cucore_status cucore_status;
typedef struct cucore_warning_sink cucore_warning_sink;
typedef struct cucore_warning_queue cucore_warning_queue;
typedef struct cucore_device cucore_device;
typedef struct cucore_context cucore_context;
typedef struct cucore_stream cucore_stream;
typedef struct cucore_event cucore_event;
typedef struct cucore_memory_resource cucore_memory_resource;
typedef struct cucore_buffer cucore_buffer;
typedef struct cucore_program cucore_program;
typedef struct cucore_linker cucore_linker;
typedef struct cucore_object_code cucore_object_code;
typedef struct cucore_library cucore_library;
typedef struct cucore_kernel cucore_kernel;
typedef struct cucore_live_list cucore_live_list;

/* CUDA's own handles, under the driver API's struct tags: the same types as in cuda.h, without including it. */
struct CUctx_st;
struct CUstream_st;
struct CUevent_st;
struct CUmemPoolHandle_st;
struct CUlib_st;
struct CUkern_st;

/* cucore_text is a piece of text inside an options struct: `size` bytes at `data`. {NULL, 0} is "not given". */
typedef struct cucore_text {
    const char *data;
    size_t size;
} cucore_text;

/* cucore_drop_function disposes of the `user_data` given with a callback. It runs exactly once whatever the outcome, a failure
 * of the registering call included, on any thread but CUDA's own (unless a call made in a CUDA callback fails), with no lock of
 * the library held; at process exit and in a forked child it does not run. */
typedef void (*cucore_drop_function)(void *user_data);

CUCORE_END

#endif
