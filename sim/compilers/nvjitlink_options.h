/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#ifndef CUSIM_NVJITLINK_OPTIONS_H
#define CUSIM_NVJITLINK_OPTIONS_H

#include "option.h"

static const struct option nvjitlink_arch = {"-arch", NULL, OPTION_TEXT};
static const struct option nvjitlink_lto = {"-lto", NULL, OPTION_ANY};
static const struct option nvjitlink_ptx = {"-ptx", NULL, OPTION_ANY};
static const struct option nvjitlink_verbose = {"-verbose", NULL, OPTION_ANY};
static const struct option nvjitlink_time = {"-time", NULL, OPTION_ANY};

/* The others, which change nothing here. The real one looks at none of their values when it is given them. */
static const struct option nvjitlink_options[] = {
    {"-O", "-O", OPTION_TEXT},
    {"-Xnvvm", NULL, OPTION_TEXT},
    {"-Xptxas", NULL, OPTION_TEXT},
    {"--device-stack-protector", NULL, OPTION_TEXT},
    {"-dlto", NULL, OPTION_ANY},
    {"-fma", NULL, OPTION_TEXT},
    {"-ftz", NULL, OPTION_TEXT},
    {"-g", NULL, OPTION_ALONE},
    {"-jump-table-density", NULL, OPTION_TEXT},
    {"-kernels-used", NULL, OPTION_TEXT},
    {"-lineinfo", NULL, OPTION_ANY},
    {"-maxrregcount", NULL, OPTION_TEXT},
    {"--no-cache", "-no-cache", OPTION_ANY},
    {"-optimize-unused-variables", NULL, OPTION_ANY},
    {"-prec-div", NULL, OPTION_TEXT},
    {"-prec-sqrt", NULL, OPTION_TEXT},
    {"-r", NULL, OPTION_ANY},
    {"-rdc", NULL, OPTION_ANY},
    {"-split-compile", NULL, OPTION_TEXT},
    {"-split-compile-extended", NULL, OPTION_TEXT},
    {"-variables-used", NULL, OPTION_TEXT},
};

#endif
