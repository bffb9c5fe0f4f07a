/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#include "driver/compilers.h"
#include "linker.h"

static int64_t destroy(const void *object) {
    nvJitLinkHandle raw = ((const cucore_linker *)object)->raw;
    return cucore_nvjitlink.nvJitLinkDestroy(&raw);
}

/* A failed nvJitLinkCreate may leave a handle, for its log. */
static int32_t create(const cucore_call *call, cucore_linker *linker) {
    nvJitLinkHandle raw = NULL;
    const char **options = (const char **)linker->options.texts;
    nvJitLinkResult result = cucore_nvjitlink.nvJitLinkCreate(&raw, (uint32_t)linker->options.count, options);
    linker->raw = raw;
    return result == NVJITLINK_SUCCESS ? CUCORE_OK : cucore_linker_fail(call, linker, result, "nvJitLinkCreate");
}

static nvJitLinkInputType input_type(int32_t kind) {
    switch (kind) {
    case CUCORE_OBJECT_CODE_PTX:
        return NVJITLINK_INPUT_PTX;
    case CUCORE_OBJECT_CODE_LTO_IR:
        return NVJITLINK_INPUT_LTOIR;
    default:
        return NVJITLINK_INPUT_CUBIN;
    }
}

static int64_t add(cucore_linker *linker, const cucore_object_code *input, const char *name) {
    return cucore_nvjitlink.nvJitLinkAddData(linker->raw, input_type(input->kind), input->data, input->size, name);
}

static int64_t complete(cucore_linker *linker) {
    return cucore_nvjitlink.nvJitLinkComplete(linker->raw);
}

CUCORE_COMPILE_OUTPUT(ptx, CUCORE_DOMAIN_NVJITLINK, linker, cucore_nvjitlink, nvJitLinkGetLinkedPtxSize, nvJitLinkGetLinkedPtx)
CUCORE_COMPILE_OUTPUT(cubin, CUCORE_DOMAIN_NVJITLINK, linker, cucore_nvjitlink, nvJitLinkGetLinkedCubinSize,
                      nvJitLinkGetLinkedCubin)
CUCORE_COMPILE_OUTPUT(error_log, CUCORE_DOMAIN_NVJITLINK, linker, cucore_nvjitlink, nvJitLinkGetErrorLogSize, nvJitLinkGetErrorLog)
CUCORE_COMPILE_OUTPUT(info_log, CUCORE_DOMAIN_NVJITLINK, linker, cucore_nvjitlink, nvJitLinkGetInfoLogSize, nvJitLinkGetInfoLog)

static cucore_object_code *fetch(const cucore_call *call, const cucore_linker *linker) {
    bool is_ptx = linker->output_kind == CUCORE_OBJECT_CODE_PTX;
    return cucore_compile_output_code(call, is_ptx ? &ptx : &cubin, linker, cucore_raw(linker->raw), linker->output_kind,
                                      is_ptx ? "linked.ptx" : "linked.cubin", &linker->info_log);
}

static void fetch_log(const cucore_compile_output *output, const cucore_linker *linker, cucore_compile_log *log,
                      cucore_channel *failures) {
    cucore_status *no_log = cucore_compile_output_log(output, linker, cucore_raw(linker->raw), log);
    if (no_log)
        cucore_channel_report(failures, no_log);
}

static cucore_status *fetch_logs(cucore_linker *linker) {
    cucore_channel failures = {.returns = true};
    if (!linker->raw)
        return NULL;
    fetch_log(&error_log, linker, &linker->error_log, &failures);
    fetch_log(&info_log, linker, &linker->info_log, &failures);
    return failures.status;
}

static void note(const cucore_call *call) {
    cucore_compiler_note(call, CUCORE_COMPILER_NVJITLINK);
}

const cucore_linker_backend cucore_linker_nvjitlink = {
    .kind = CUCORE_LINKER_NVJITLINK,
    .size = sizeof(cucore_linker),
    .destroy = {CUCORE_DOMAIN_NVJITLINK, "nvJitLinkDestroy", destroy, false, false},
    .add_call = "nvJitLinkAddData",
    .complete_call = "nvJitLinkComplete",
    .create = create,
    .add = add,
    .complete = complete,
    .fetch = fetch,
    .fetch_logs = fetch_logs,
    .note = note,
};
