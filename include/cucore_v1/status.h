/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#ifndef CUCORE_V1_STATUS_H
#define CUCORE_V1_STATUS_H

/* A status says what failed, on what, and why. It is immutable and reference-counted. One that a call stores through its
 * `status` parameter is the caller's to release; a const one (a note, a sink's argument) is borrowed from its owner, and
 * cucore_status_retain keeps it for longer. Where no memory can be had for a status, a static one with the right code stands
 * in ("details lost: no memory"); retain and release ignore it. Everything here is callback-safe, works in a forked child, and
 * needs no driver. */

#include "types.h"

CUCORE_BEGIN

/* Codes. One that this version of the header does not list is to be treated as CUCORE_DRIVER. */
#define CUCORE_OK 0
#define CUCORE_INVALID_ARGUMENT 1 /* an argument breaks a rule that its declaration states */
#define CUCORE_INVALID_HANDLE 2   /* a handle of another type, device or context than the call needs */
#define CUCORE_INVALID_STATE 3    /* the right call at the wrong time */
#define CUCORE_NOT_SUPPORTED 4    /* this driver, compiler or device cannot do it */
#define CUCORE_NOT_FOUND 5        /* no such device, kernel, file, library or driver */
#define CUCORE_NOT_READY 6        /* work that was asked about has not finished */
#define CUCORE_OUT_OF_MEMORY 7    /* of the host or of the device */
#define CUCORE_DEVICE_LOST 8      /* a sticky fault: the context is unusable from now on */
#define CUCORE_COMPILE 9          /* the source does not compile; the log says why */
#define CUCORE_LINK 10            /* the inputs do not link; the log says why */
#define CUCORE_CANCELLED 11       /* a callback of the caller's asked to stop */
#define CUCORE_OS 12              /* an operating-system call failed; the native code is an errno */
#define CUCORE_DRIVER 13          /* any other failure of the driver or a compiler; see the native code */
#define CUCORE_INTERNAL 14        /* a mistake in libcucore: please report it */

/* Domains: what a native code is a code of. */
#define CUCORE_DOMAIN_CUCORE 1    /* libcucore itself: the native code is 0 */
#define CUCORE_DOMAIN_DRIVER 2    /* CUresult */
#define CUCORE_DOMAIN_NVRTC 3     /* nvrtcResult */
#define CUCORE_DOMAIN_NVVM 4      /* nvvmResult */
#define CUCORE_DOMAIN_NVJITLINK 5 /* nvJitLinkResult */
#define CUCORE_DOMAIN_OS 6        /* errno */

/* Kinds of note. */
#define CUCORE_NOTE_CAUSE 1       /* why it failed: the driver's own sentence, a file that could not be opened */
#define CUCORE_NOTE_CONSEQUENCE 2 /* what else went wrong because of it, and what state things are in now */
#define CUCORE_NOTE_ADVICE 3      /* what to do next */

/* cucore_status_create makes a status for a callback of the caller's to return. `message` is UTF-8, `size` bytes; `code` is one
 * of the codes above other than CUCORE_OK. Never NULL: a bad argument, or no memory, gives a status that says so. */
CUCORE_API cucore_status *cucore_status_create(int32_t code, const char *message, size_t size);

/* cucore_status_retain gives a new reference to `status`, which may be a borrowed one. NULL gives NULL. */
CUCORE_API cucore_status *cucore_status_retain(const cucore_status *status);

/* cucore_status_release gives a reference up. NULL is fine. */
CUCORE_API void cucore_status_release(cucore_status *status);

/* cucore_status_code gives the code, CUCORE_OK for NULL. */
CUCORE_API int32_t cucore_status_code(const cucore_status *status);

/* cucore_status_domain gives the domain of the native code, 0 for NULL. */
CUCORE_API int32_t cucore_status_domain(const cucore_status *status);

/* cucore_status_native_code gives the code as the failing call returned it, 0 for NULL. */
CUCORE_API int64_t cucore_status_native_code(const cucore_status *status);

/* cucore_status_resource gives the raw handle or address that the failing call was about, 0 if none. */
CUCORE_API uint64_t cucore_status_resource(const cucore_status *status);

/* cucore_status_operation gives the name of the call that failed, e.g. "cuStreamCreateWithPriority"; "" for NULL. */
CUCORE_API const char *cucore_status_operation(const cucore_status *status, size_t *size);

/* cucore_status_message gives one line of UTF-8 that says what failed; "" for NULL. */
CUCORE_API const char *cucore_status_message(const cucore_status *status, size_t *size);

/* cucore_status_log gives the compiler's, linker's or JIT's log, in the bytes it came in; "" if there is none. */
CUCORE_API const char *cucore_status_log(const cucore_status *status, size_t *size);

/* cucore_status_note_count gives how many notes there are. */
CUCORE_API size_t cucore_status_note_count(const cucore_status *status);

/* cucore_status_note gives note `index`, borrowed from `status`; NULL if there is no such note. */
CUCORE_API const cucore_status *cucore_status_note(const cucore_status *status, size_t index);

/* cucore_status_note_kind gives the kind of note `index`: CUCORE_NOTE_..., or 0 if there is no such note. */
CUCORE_API int32_t cucore_status_note_kind(const cucore_status *status, size_t index);

/* cucore_status_code_name gives a code's name, e.g. "OUT_OF_MEMORY"; "" for a number that is no code. */
CUCORE_API const char *cucore_status_code_name(int32_t code);

/* cucore_status_native_name gives the name of `native_code` in `domain`, e.g. "CUDA_ERROR_INVALID_VALUE"; "" if no table of this
 * version knows it. */
CUCORE_API const char *cucore_status_native_name(int32_t domain, int64_t native_code);

/* cucore_status_native_description gives a short description of `native_code` in `domain`; "" if no table knows it. */
CUCORE_API const char *cucore_status_native_description(int32_t domain, int64_t native_code);

CUCORE_END

#endif
