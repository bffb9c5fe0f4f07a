/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#include "driver/native.h"

#include "driver/words.h"

#include <inttypes.h>

typedef struct row {
    int64_t native_code;
    int32_t code;
    bool earlier; /* it can stem from work that was put on a stream before the call */
    const char *name;
    const char *description;
} row;

#define X(name, number, code, earlier, description) {number, CUCORE_##code, earlier, #name, description},
static const row driver_rows[] = {
#include "../../abi/driver-errors.def"
};
static const row nvrtc_rows[] = {
#include "../../abi/nvrtc-errors.def"
};
static const row nvjitlink_rows[] = {
#include "../../abi/nvjitlink-errors.def"
};
#undef X

#define TABLE(rows) \
    { rows, sizeof(rows) / sizeof(rows)[0] }
static const struct table {
    const row *rows;
    size_t count;
} tables[] = {
    [CUCORE_DOMAIN_DRIVER] = TABLE(driver_rows),
    [CUCORE_DOMAIN_NVRTC] = TABLE(nvrtc_rows),
    [CUCORE_DOMAIN_NVJITLINK] = TABLE(nvjitlink_rows),
};

static const row *find(int32_t domain, int64_t native_code) {
    if (domain < 0 || (size_t)domain >= sizeof tables / sizeof tables[0])
        return NULL;
    for (size_t i = 0; i < tables[domain].count; i++)
        if (tables[domain].rows[i].native_code == native_code)
            return &tables[domain].rows[i];
    return NULL;
}

const char *cucore_status_native_name(int32_t domain, int64_t native_code) {
    const row *known = find(domain, native_code);
    return known ? known->name : "";
}

const char *cucore_status_native_description(int32_t domain, int64_t native_code) {
    const row *known = find(domain, native_code);
    return known ? known->description : "";
}

/* "cuStreamDestroy(0x5581) failed: CUDA_ERROR_INVALID_HANDLE: invalid handle", and what stands in for names nobody knows. */
static cucore_status *describe(const cucore_native *native, const row *known) {
    const cucore_failure failure = {
        .code = known ? known->code : CUCORE_DRIVER,
        .domain = native->domain,
        .native_code = native->code,
        .operation = native->operation,
        .resource = native->resource,
        .log = native->log,
        .log_size = native->log_size,
    };
    if (native->domain != CUCORE_DOMAIN_DRIVER)
        return cucore_status_make(&failure, " failed (status %" PRId64 ")%s%s", native->code, known ? ": " : "",
                                  known ? known->name : "");
    if (!known)
        return cucore_status_make(&failure, " failed (CUDA error %" PRId64 ")", native->code);
    return cucore_status_make(&failure, " failed: %s: %s", known->name, known->description);
}

cucore_status *cucore_native_status(const cucore_native *native) {
    const row *known = find(native->domain, native->code);
    cucore_status *status = describe(native, known);
    char words[CUCORE_WORDS_SIZE];
    if (native->domain == CUCORE_DOMAIN_DRIVER && cucore_words_take(native->operation, native->code, words))
        cucore_status_note_text(status, CUCORE_NOTE_CAUSE, "%s", words);
    if (known && known->earlier)
        cucore_status_note_text(status, CUCORE_NOTE_ADVICE,
                                "this may stem from work put on a stream before; synchronise after each launch to find which");
    return status;
}

int32_t cucore_native_fail(const cucore_call *call, const cucore_native *native) {
    return cucore_fail_with(call, cucore_native_status(native));
}
