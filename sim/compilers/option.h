/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#ifndef CUSIM_OPTION_H
#define CUSIM_OPTION_H

/* Options of the compilers, "-name", "--name=value". Which there are, and what they take, was asked of the real compilers of CUDA
 * 12.9 and 13.0. */

enum option_value { OPTION_ALONE, OPTION_ANY, OPTION_BOOLEAN, OPTION_NUMBER, OPTION_TEXT };

struct option {
    const char *name;  /* "--fmad" */
    const char *alias; /* "-fmad", or NULL */
    enum option_value value;
};

/* Whether a text is that option, alone or with a value; gives the value then, NULL if there is none. */
int option_is(const struct option *option, const char *text, const char **value);

/* Whether the value may stand in the next text: "-arch", "sm_90". */
int option_may_be_split(const struct option *option);

/* Whether such a value is one for the option. */
int option_takes(const struct option *option, const char *value);

/* The number in "sm_90a" or "compute_90", and whether it is an "sm_" one; 0 if it is neither. */
int option_arch(const char *value, int *is_sm);

#endif
