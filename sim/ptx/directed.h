/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#ifndef CUSIM_PTX_DIRECTED_H
#define CUSIM_PTX_DIRECTED_H

/* Single and double precision in the rounding modes that C has no operators for: the host's own, switched. */

#include "ptx/number.h"

typedef float ptx_single_operation(float a, float b, float c);
typedef double ptx_double_operation(double a, double b, double c);

float ptx_directed_single(ptx_single_operation *operation, ptx_rounding rounding, float a, float b, float c);
double ptx_directed_double(ptx_double_operation *operation, ptx_rounding rounding, double a, double b, double c);

#endif
