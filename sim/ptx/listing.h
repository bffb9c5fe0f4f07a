/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#ifndef CUSIM_PTX_LISTING_H
#define CUSIM_PTX_LISTING_H

/* What instructions are simulated, and which of them a module has: for documents and tests. A form is a pattern of mnemonics, and
 * a letter for each operand (internal.h says what they stand for). */

#include "ptx/ptx.h"

size_t ptx_form_count(void);
const char *ptx_form_mnemonic(size_t index);
const char *ptx_form_operands(size_t index);

/* ptx_form_uses gives how many instructions of a module have this form. */
uint32_t ptx_form_uses(const ptx_module *module, size_t index);

#endif
