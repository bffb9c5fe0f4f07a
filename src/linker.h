/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#ifndef CUCORE_LINKER_H
#define CUCORE_LINKER_H

/* What nvJitLink's linkers and the driver's have in common, and what tells them apart. */

#include "compile_options.h"
#include "compile_output.h"
#include "cucore_v1/linker.h"
#include "driver/destroy.h"

/* What a caller asks for, checked. */
typedef struct cucore_linker_request {
    cucore_device *device;
    cucore_object_code *const *inputs;
    size_t count;
    cucore_linker_options options;
} cucore_linker_request;

/* The fields of cucore_linker_options that ask for something, as nvJitLink spells it. */
extern const cucore_option_field cucore_linker_fields[];
extern const size_t cucore_linker_field_count;

typedef struct cucore_linker_backend {
    int32_t kind;
    size_t size; /* of its handles, which begin with a cucore_linker */
    cucore_destroy destroy;
    const char *add_call; /* "nvJitLinkAddData" */
    const char *complete_call;
    /* Keeps what it needs of the request, beside the inputs and the options' texts. NULL if there is nothing. */
    void (*prepare)(cucore_linker *linker, const cucore_linker_request *request);
    /* Makes the link's raw handle, which on failure may be there or not. */
    int32_t (*create)(const cucore_call *call, cucore_linker *linker);
    int64_t (*add)(cucore_linker *linker, const cucore_object_code *input, const char *name);
    int64_t (*complete)(cucore_linker *linker);
    cucore_object_code *(*fetch)(const cucore_call *call, const cucore_linker *linker);
    /* Stores the logs; gives the failure, or NULL. */
    cucore_status *(*fetch_logs)(cucore_linker *linker);
    /* Names the linker that a call failed with. */
    void (*note)(const cucore_call *call);
} cucore_linker_backend;

/* nvJitLink and the driver were seen to crash when a link that one thread made was destroyed on another (docs/driver-behaviour.md).
 * So the raw handle is made and destroyed within the one call that links. */
struct cucore_linker {
    cucore_object object;
    const cucore_linker_backend *backend;
    cucore_device *device; /* in whose context the driver's linker works; nvJitLink's may have none */
    cucore_object_code **inputs;
    size_t count;
    int32_t output_kind;
    cucore_text_list options; /* nvJitLink's */
    bool used;
    void *raw;             /* during the link */
    cucore_name_map names; /* those of all inputs, gathered by the link */
    cucore_compile_log error_log;
    cucore_compile_log info_log;
};

extern const cucore_linker_backend cucore_linker_nvjitlink;
extern const cucore_linker_backend cucore_linker_driver;

/* cucore_linker_driver_suits fails a call with NOT_SUPPORTED if the driver's linker cannot do what is asked, and says what of it
 * needs nvJitLink. */
int32_t cucore_linker_driver_suits(const cucore_call *call, const cucore_linker_request *request);

/* cucore_linker_fail fails a call with a linker's result, its error log, and what it was asked to do. */
int32_t cucore_linker_fail(const cucore_call *call, cucore_linker *linker, int64_t result, const char *function);

#endif
