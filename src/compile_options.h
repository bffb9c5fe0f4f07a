/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#ifndef CUCORE_COMPILE_OPTIONS_H
#define CUCORE_COMPILE_OPTIONS_H

/* The options of a compiler or linker: from the fields of an options struct, described by a table, to the texts it takes. */

#include "device.h"
#include "text_list.h"

typedef enum cucore_option_kind {
    CUCORE_OPTION_FLAG,   /* a choice: the spelling if it is on */
    CUCORE_OPTION_CHOICE, /* a choice: the spelling and "true" or "false" */
    CUCORE_OPTION_BIT,    /* a choice: the spelling and "1" or "0" */
    CUCORE_OPTION_COUNT,  /* a number that is not negative: the spelling and the number, unless that is 0 */
    CUCORE_OPTION_LEVEL,  /* whether it is given, and behind that a number from 0 to 3 */
    CUCORE_OPTION_TEXT,   /* a cucore_text */
    CUCORE_OPTION_TEXTS   /* a pointer to such and behind it their count: the spelling and the text for each */
} cucore_option_kind;

/* One field of an options struct. A field that is zero is not given, and asks for nothing. */
typedef struct cucore_option_field {
    size_t offset;
    cucore_option_kind kind;
    const char *name;     /* "options->ftz" */
    const char *spelling; /* "--ftz=" */
} cucore_option_field;

#define CUCORE_OPTION_FIELD(type, kind, field, spelling) \
    { offsetof(type, field), CUCORE_OPTION_##kind, "options->" #field, spelling }

/* cucore_compile_options_add_arch adds the architecture: `arch` if given, else the device's. Fails with INVALID_ARGUMENT if there
 * is neither. */
int32_t cucore_compile_options_add_arch(const cucore_call *call, cucore_text_list *texts, const char *spelling, cucore_text arch,
                                        const cucore_device *device);

/* cucore_compile_options_add checks the fields of `options`, and adds the texts of those that are given. */
int32_t cucore_compile_options_add(const cucore_call *call, cucore_text_list *texts, const cucore_option_field *fields,
                                   size_t count, const void *options);

/* cucore_option_is_given tells whether a field of checked options asks for anything. */
bool cucore_option_is_given(const cucore_option_field *field, const void *options);

/* cucore_option_number gives the number of a COUNT or LEVEL that is given, 1 for a FLAG. */
int32_t cucore_option_number(const cucore_option_field *field, const void *options);

/* cucore_compile_options_note names the options that a call failed with. */
void cucore_compile_options_note(const cucore_call *call, const cucore_text_list *texts, size_t count);

#endif
