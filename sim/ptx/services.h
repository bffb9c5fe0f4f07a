/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#ifndef CUSIM_PTX_SERVICES_H
#define CUSIM_PTX_SERVICES_H

#include "ptx/internal.h"

/* ptx_find_service gives what runs a function that the driver provides to kernels; NULL if it provides none of that name. */
ptx_handler *ptx_find_service(const char *name, size_t size);

#endif
