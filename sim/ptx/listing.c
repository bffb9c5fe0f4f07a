/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#include "ptx/listing.h"

#include "ptx/parse.h"

size_t ptx_form_count(void) {
    size_t count = 0;
    while (ptx_form_at(count)) {
        count++;
    }
    return count;
}

const char *ptx_form_mnemonic(size_t index) {
    return ptx_form_at(index)->mnemonic;
}

const char *ptx_form_operands(size_t index) {
    return ptx_form_at(index)->operands;
}

uint32_t ptx_form_uses(const ptx_module *module, size_t index) {
    return module->form_uses[index];
}
