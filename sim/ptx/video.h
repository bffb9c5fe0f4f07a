/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#ifndef CUSIM_PTX_VIDEO_H
#define CUSIM_PTX_VIDEO_H

/* What scalar (video.c) and parallel (lanes.c) video instructions share. */

#include "ptx/integer.h"

enum { PTX_SIGNED_RESULT = 1, PTX_SIGNED_A = 2, PTX_SIGNED_B = 4 };

/* Those that compare name no type of their destination, which is unsigned. */
static inline unsigned ptx_video_signs(const ptx_modifiers *modifiers) {
    return modifiers->type_count == 3 ? modifiers->signs : (unsigned)modifiers->signs << 1;
}

static inline int64_t ptx_extend(uint64_t bits, unsigned width, bool is_signed) {
    const unsigned above = 64 - width;
    return is_signed ? (int64_t)(bits << above) >> above : (int64_t)(bits << above >> above);
}

static inline int64_t ptx_clamp_to(wide_signed value, unsigned width, bool is_signed) {
    const int64_t highest = (INT64_C(1) << (is_signed ? width - 1 : width)) - 1;
    return ptx_clamp(value, is_signed ? -highest - 1 : 0, highest);
}

static inline wide_signed ptx_saturate_to(const ptx_modifiers *modifiers, wide_signed value, unsigned width) {
    return modifiers->saturate ? ptx_clamp_to(value, width, ptx_video_signs(modifiers) & PTX_SIGNED_RESULT) : value;
}

static inline bool ptx_compares(ptx_comparison comparison, int64_t a, int64_t b) {
    const bool holds[] = {
        [PTX_EQ] = a == b, [PTX_NE] = a != b, [PTX_LT] = a<b, [PTX_LE] = a <= b, [PTX_GT] = a> b, [PTX_GE] = a >= b};
    return holds[comparison];
}

#endif
