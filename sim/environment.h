/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#ifndef CUSIM_ENVIRONMENT_H
#define CUSIM_ENVIRONMENT_H

/* environment_apply does what the environment variable CUSIM_CONTROL asks for: for programs that cannot call cusim.h. */
void environment_apply(void);

#endif
