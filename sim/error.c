/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#include "error.h"

#include "call.h"

static const struct row {
    int result;
    const char *name;
    const char *description;
} rows[] = {
    {CUDA_SUCCESS, "CUDA_SUCCESS", "no error"},
#define X(name, result, code, earlier, description) {result, #name, description},
#include "../abi/driver-errors.def"
#undef X
};

static const struct row *row_of(CUresult result) {
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        if (rows[i].result == (int)result)
            return &rows[i];
    }
    return NULL;
}

const char *error_name(CUresult result) {
    const struct row *row = row_of(result);
    return row ? row->name : "unknown error";
}

const char *error_description(CUresult result) {
    const struct row *row = row_of(result);
    return row ? row->description : "unknown error";
}

static CUresult give(const char *found, const char **text) {
    if (!text)
        return CUDA_ERROR_INVALID_VALUE;
    *text = found;
    return found ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}

CUresult sim_cuGetErrorName(CUresult error, const char **text) {
    return give(row_of(error) ? error_name(error) : NULL, text);
}

CUresult sim_cuGetErrorString(CUresult error, const char **text) {
    return give(row_of(error) ? error_description(error) : NULL, text);
}

/* NVIDIA's own libraries ask for undocumented tables. NVRTC copes with a driver that refuses, but crashes (12.9, 13.0) with one
 * that has no such function. */
CUresult sim_cuGetExportTable(const void **table, const CUuuid *id) {
    (void)id;
    if (table)
        *table = NULL;
    return CUDA_ERROR_NOT_FOUND;
}
