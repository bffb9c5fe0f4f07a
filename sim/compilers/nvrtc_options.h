/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#ifndef CUSIM_NVRTC_OPTIONS_H
#define CUSIM_NVRTC_OPTIONS_H

#include "option.h"

static const struct option nvrtc_arch = {"--gpu-architecture", "-arch", OPTION_TEXT};
static const struct option nvrtc_lto = {"--dlink-time-opt", "-dlto", OPTION_ALONE};

/* The others, which change nothing here. */
static const struct option nvrtc_options[] = {
    {"--device-c", "-dc", OPTION_ALONE},
    {"--device-w", "-dw", OPTION_ALONE},
    {"--relocatable-device-code", "-rdc", OPTION_BOOLEAN},
    {"--extensible-whole-program", "-ewp", OPTION_ALONE},
    {"--device-debug", "-G", OPTION_ALONE},
    {"--generate-line-info", "-lineinfo", OPTION_ALONE},
    {"--maxrregcount", "-maxrregcount", OPTION_NUMBER},
    {"--ftz", "-ftz", OPTION_BOOLEAN},
    {"--prec-sqrt", "-prec-sqrt", OPTION_BOOLEAN},
    {"--prec-div", "-prec-div", OPTION_BOOLEAN},
    {"--fmad", "-fmad", OPTION_BOOLEAN},
    {"--use_fast_math", "-use_fast_math", OPTION_ALONE},
    {"--extra-device-vectorization", "-extra-device-vectorization", OPTION_ALONE},
    {"--modify-stack-limit", "-modify-stack-limit", OPTION_BOOLEAN},
    {"--gen-opt-lto", "-gen-opt-lto", OPTION_ALONE},
    {"--jump-table-density", "-jtd", OPTION_NUMBER},
    {"--device-stack-protector", "-device-stack-protector", OPTION_BOOLEAN},
    {"--frandom-seed", "-frandom-seed", OPTION_TEXT},
    {"--define-macro", "-D", OPTION_TEXT},
    {"--undefine-macro", "-U", OPTION_TEXT},
    {"--include-path", "-I", OPTION_TEXT},
    {"--pre-include", "-include", OPTION_TEXT},
    {"--no-source-include", "-no-source-include", OPTION_ALONE},
    {"--std", "-std", OPTION_TEXT},
    {"--builtin-move-forward", "-builtin-move-forward", OPTION_BOOLEAN},
    {"--builtin-initializer-list", "-builtin-initializer-list", OPTION_BOOLEAN},
    {"--pch", "-pch", OPTION_ALONE},
    {"--create-pch", "-create-pch", OPTION_TEXT},
    {"--use-pch", "-use-pch", OPTION_TEXT},
    {"--pch-dir", "-pch-dir", OPTION_TEXT},
    {"--pch-verbose", "-pch-verbose", OPTION_BOOLEAN},
    {"--pch-messages", "-pch-messages", OPTION_BOOLEAN},
    {"--instantiate-templates-in-pch", "-instantiate-templates-in-pch", OPTION_BOOLEAN},
    {"--disable-warnings", "-w", OPTION_ALONE},
    {"--restrict", "-restrict", OPTION_ALONE},
    {"--device-as-default-execution-space", "-default-device", OPTION_ALONE},
    {"--device-int128", "-device-int128", OPTION_ALONE},
    {"--device-float128", "-device-float128", OPTION_ALONE},
    {"--optimization-info", "-opt-info", OPTION_TEXT},
    {"--display-error-number", "-err-no", OPTION_ALONE},
    {"--no-display-error-number", "-no-err-no", OPTION_ALONE},
    {"--diag-error", "-diag-error", OPTION_NUMBER},
    {"--diag-suppress", "-diag-suppress", OPTION_NUMBER},
    {"--diag-warn", "-diag-warn", OPTION_NUMBER},
    {"--brief-diagnostics", "-brief-diag", OPTION_BOOLEAN},
    {"--time", "-time", OPTION_TEXT},
    {"--split-compile", "-split-compile", OPTION_NUMBER},
    {"--fdevice-syntax-only", "-fdevice-syntax-only", OPTION_ALONE},
    {"--fdevice-time-trace", "-fdevice-time-trace", OPTION_TEXT},
    {"--minimal", "-minimal", OPTION_ALONE},
    {"--version-ident", "-dQ", OPTION_BOOLEAN},
    {"--dopt", "-dopt", OPTION_ANY},
    {"--Ofast-compile", "-Ofc", OPTION_ANY},
    {"--ptxas-options", "-Xptxas", OPTION_TEXT},
    {"--no-cache", "-no-cache", OPTION_ANY},
};

#endif
