/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#ifndef CUSIM_PTX_ARITHMETIC_H
#define CUSIM_PTX_ARITHMETIC_H

/* Floating-point operations on bits as registers and memory hold them, for instructions that are no more than arithmetic and
 * for those that do something else besides (atom, red, redux). The type is .f16, .bf16, .f32 or .f64, or a pair of one of the
 * former (.f16x2, .bf16x2, .f32x2); of the modifiers, those count that the operation has in PTX. */

#include "ptx/number.h"

uint64_t ptx_add_floats(ptx_type type, const ptx_modifiers *modifiers, uint64_t a, uint64_t b);
uint64_t ptx_min_floats(ptx_type type, const ptx_modifiers *modifiers, uint64_t a, uint64_t b);
uint64_t ptx_max_floats(ptx_type type, const ptx_modifiers *modifiers, uint64_t a, uint64_t b);

/* ptx_compare_floats says whether `comparison` (eq, ltu, nan...) holds of two numbers that are not packed. */
bool ptx_compare_floats(ptx_type type, const ptx_modifiers *modifiers, uint64_t a, uint64_t b);

/* ---- of a packed type ---- */

static inline bool ptx_is_packed(ptx_type type) {
    return type == PTX_F16X2 || type == PTX_BF16X2 || type == PTX_F32X2 || (type >= PTX_E4M3X2 && type <= PTX_UE8M0X2);
}

static inline unsigned ptx_element_bits(ptx_type type) {
    return ptx_type_size(type) * 8 / (ptx_is_packed(type) ? 2 : 1);
}

/* An operation on the bits of numbers of one format. */
typedef uint64_t ptx_bits_operation(const ptx_format *format, const ptx_modifiers *modifiers, uint64_t a, uint64_t b, uint64_t c);

/* ptx_for_each does it for the number of a type, or for each of its two. */
uint64_t ptx_for_each(ptx_type type, const ptx_modifiers *modifiers, ptx_bits_operation *operation, uint64_t a, uint64_t b,
                      uint64_t c);

ptx_bits_operation ptx_add_halves; /* of .f16 and .bf16 */

#endif
