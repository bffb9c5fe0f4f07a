/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#ifndef CUSIM_ERROR_H
#define CUSIM_ERROR_H

#include "driver_types.h"

/* The name and the description of a result; "unknown error" for one that no table knows. */
const char *error_name(CUresult result);
const char *error_description(CUresult result);

#endif
