/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#include "ptx/parse.h"

#include <string.h>

/* The families of instruction forms, searched in this order. */
static const ptx_forms *const families[] = {
    &ptx_move_forms,    &ptx_integer_forms, &ptx_predicate_forms, &ptx_bits_forms,        &ptx_fields_forms,
    &ptx_carry_forms,   &ptx_packed_forms,  &ptx_video_forms,     &ptx_lanes_forms,       &ptx_float_forms,
    &ptx_convert_forms, &ptx_order_forms,   &ptx_half_forms,      &ptx_approximate_forms, &ptx_convert_packed_forms,
    &ptx_control_forms, &ptx_barrier_forms, &ptx_warp_forms,      &ptx_address_forms,     &ptx_atomic_forms,
    &ptx_fence_forms,   &ptx_cache_forms,   &ptx_copy_forms,      &ptx_mbarrier_forms,
};
#define FAMILIES (sizeof families / sizeof *families)

/* Instructions that PTX has and no family does. */
static const char *const not_simulated[] = {
    "clusterlaunchcontrol",
    "cp",
    "istypep",
    "ldmatrix",
    "mma",
    "movmatrix",
    "multimem",
    "stmatrix",
    "suld",
    "suq",
    "sured",
    "sust",
    "tcgen05",
    "tensormap",
    "tex",
    "tld4",
    "txq",
    "wgmma",
    "wmma",
};

/* Classes of types. */
enum {
    IN_DECLARATIONS = 1,
    IN_DATA = 2,     /* loads and stores */
    IN_MOVES = 4,    /* mov, selp */
    IN_INT = 8,      /* integer arithmetic */
    IN_CONVERT = 16, /* integers of cvt */
    IN_BITS = 32,    /* and, or, xor, not */
    IN_SHIFTS = 64,  /* shl */
    IN_SIGNED = 128, /* neg, abs */
    IN_NARROW = 256, /* .wide */
    IN_NAMES = 512   /* formats that mnemonics alone name */
};

typedef struct type_name {
    const char *text;
    ptx_type type;
    unsigned classes;
} type_name;

static const type_name types[] = {
    {"b8", PTX_U8, IN_DECLARATIONS | IN_DATA},
    {"u8", PTX_U8, IN_DECLARATIONS | IN_DATA | IN_CONVERT},
    {"s8", PTX_S8, IN_DECLARATIONS | IN_DATA | IN_CONVERT},
    {"b16", PTX_U16, IN_DECLARATIONS | IN_DATA | IN_MOVES | IN_BITS | IN_SHIFTS},
    {"u16", PTX_U16, IN_DECLARATIONS | IN_DATA | IN_MOVES | IN_INT | IN_CONVERT | IN_NARROW},
    {"s16", PTX_S16, IN_DECLARATIONS | IN_DATA | IN_MOVES | IN_INT | IN_CONVERT | IN_SIGNED | IN_NARROW},
    {"b32", PTX_U32, IN_DECLARATIONS | IN_DATA | IN_MOVES | IN_BITS | IN_SHIFTS},
    {"u32", PTX_U32, IN_DECLARATIONS | IN_DATA | IN_MOVES | IN_INT | IN_CONVERT | IN_NARROW},
    {"s32", PTX_S32, IN_DECLARATIONS | IN_DATA | IN_MOVES | IN_INT | IN_CONVERT | IN_SIGNED | IN_NARROW},
    {"b64", PTX_U64, IN_DECLARATIONS | IN_DATA | IN_MOVES | IN_BITS | IN_SHIFTS},
    {"u64", PTX_U64, IN_DECLARATIONS | IN_DATA | IN_MOVES | IN_INT | IN_CONVERT},
    {"s64", PTX_S64, IN_DECLARATIONS | IN_DATA | IN_MOVES | IN_INT | IN_CONVERT | IN_SIGNED},
    {"b128", PTX_B128, IN_DECLARATIONS | IN_DATA},
    {"f16", PTX_F16, IN_DECLARATIONS},
    {"bf16", PTX_BF16, IN_DECLARATIONS},
    {"f16x2", PTX_F16X2, IN_DECLARATIONS},
    {"bf16x2", PTX_BF16X2, IN_DECLARATIONS},
    {"f32", PTX_F32, IN_DECLARATIONS | IN_DATA | IN_MOVES},
    {"f32x2", PTX_F32X2, IN_DECLARATIONS},
    {"f64", PTX_F64, IN_DECLARATIONS | IN_DATA | IN_MOVES},
    {"tf32", PTX_TF32, IN_NAMES},
    {"e4m3x2", PTX_E4M3X2, IN_NAMES},
    {"e5m2x2", PTX_E5M2X2, IN_NAMES},
    {"e2m1x2", PTX_E2M1X2, IN_NAMES},
    {"e2m3x2", PTX_E2M3X2, IN_NAMES},
    {"e3m2x2", PTX_E3M2X2, IN_NAMES},
    {"ue8m0x2", PTX_UE8M0X2, IN_NAMES},
    {"pred", PTX_PREDICATE, IN_DECLARATIONS | IN_MOVES | IN_BITS},
};

enum { ACQUIRES = 1, RELEASES = 2 };

/* What a part of a mnemonic says, by the class named in the pattern. */
typedef struct modifier_name {
    const char *class_name;
    const char *text;
    int value;
    bool unordered;
} modifier_name;

static const modifier_name modifier_names[] = {
    {"space", "global", PTX_GLOBAL, false},
    {"space", "const", PTX_CONST, false},
    {"space", "shared", PTX_SHARED, false},
    {"space", "shared::cta", PTX_SHARED, false},
    {"space", "shared::cluster", PTX_SHARED, false},
    {"space", "local", PTX_LOCAL, false},
    {"space", "param", PTX_PARAM, false},
    {"space", "param::entry", PTX_PARAM, false},
    {"space", "param::func", PTX_PARAM, false},
    {"vector", "v2", 2, false},
    {"vector", "v4", 4, false},
    {"vector", "v8", 8, false},
    {"order", "volatile", 0, false},
    {"order", "relaxed", 0, false},
    {"order", "acquire", ACQUIRES, false},
    {"order", "release", RELEASES, false},
    {"order", "acq_rel", ACQUIRES | RELEASES, false},
    {"order", "sc", ACQUIRES | RELEASES, false},
    {"scope", "cta", 0, false},
    {"scope", "cluster", 0, false},
    {"scope", "gpu", 0, false},
    {"scope", "sys", 0, false},
    {"cache", "ca", 0, false},
    {"cache", "cg", 0, false},
    {"cache", "cs", 0, false},
    {"cache", "lu", 0, false},
    {"cache", "cv", 0, false},
    {"cache", "wb", 0, false},
    {"cache", "wt", 0, false},
    {"hint", "L1::evict_normal", 0, false},
    {"hint", "L1::evict_unchanged", 0, false},
    {"hint", "L1::evict_first", 0, false},
    {"hint", "L1::evict_last", 0, false},
    {"hint", "L1::no_allocate", 0, false},
    {"hint", "L2::evict_normal", 0, false},
    {"hint", "L2::evict_first", 0, false},
    {"hint", "L2::evict_last", 0, false},
    {"prefetch", "L2::64B", 0, false},
    {"prefetch", "L2::128B", 0, false},
    {"prefetch", "L2::256B", 0, false},
    {"policy", "L2::cache_hint", 1, false},
    {"compare", "eq", PTX_EQ, false},
    {"compare", "ne", PTX_NE, false},
    {"compare", "lt", PTX_LT, false},
    {"compare", "le", PTX_LE, false},
    {"compare", "gt", PTX_GT, false},
    {"compare", "ge", PTX_GE, false},
    {"compare", "lo", PTX_LT, false},
    {"compare", "ls", PTX_LE, false},
    {"compare", "hi", PTX_GT, false},
    {"compare", "hs", PTX_GE, false},
    {"compare-bits", "eq", PTX_EQ, false},
    {"compare-bits", "ne", PTX_NE, false},
    {"compare-signed", "eq", PTX_EQ, false},
    {"compare-signed", "ne", PTX_NE, false},
    {"compare-signed", "lt", PTX_LT, false},
    {"compare-signed", "le", PTX_LE, false},
    {"compare-signed", "gt", PTX_GT, false},
    {"compare-signed", "ge", PTX_GE, false},
    {"compare-float", "eq", PTX_EQ, false},
    {"compare-float", "ne", PTX_NE, false},
    {"compare-float", "lt", PTX_LT, false},
    {"compare-float", "le", PTX_LE, false},
    {"compare-float", "gt", PTX_GT, false},
    {"compare-float", "ge", PTX_GE, false},
    {"compare-float", "equ", PTX_EQ, true},
    {"compare-float", "neu", PTX_NE, true},
    {"compare-float", "ltu", PTX_LT, true},
    {"compare-float", "leu", PTX_LE, true},
    {"compare-float", "gtu", PTX_GT, true},
    {"compare-float", "geu", PTX_GE, true},
    {"compare-float", "num", PTX_NUM, false},
    {"compare-float", "nan", PTX_NAN, true},
    {"combine", "and", PTX_AND, false},
    {"combine", "or", PTX_OR, false},
    {"combine", "xor", PTX_XOR, false},
    {"rounding", "rn", PTX_TO_NEAREST, false},
    {"rounding", "rz", PTX_TO_ZERO, false},
    {"rounding", "rm", PTX_DOWN, false},
    {"rounding", "rp", PTX_UP, false},
    {"to-integer", "rni", PTX_TO_NEAREST, false},
    {"to-integer", "rzi", PTX_TO_ZERO, false},
    {"to-integer", "rmi", PTX_DOWN, false},
    {"to-integer", "rpi", PTX_UP, false},
};

static const struct {
    const char *class_name;
    unsigned classes;
} type_classes[] = {
    {"data", IN_DATA},       {"move", IN_MOVES},    {"int", IN_INT},
    {"convert", IN_CONVERT}, {"bits", IN_BITS},     {"shift", IN_SHIFTS},
    {"signed", IN_SIGNED},   {"narrow", IN_NARROW}, {"int-or-bits", IN_INT | IN_SHIFTS},
};

/* A piece of a mnemonic or of a pattern. */
typedef struct piece {
    const char *text;
    size_t size;
} piece;

static bool piece_is(piece part, const char *text) {
    return part.size == strlen(text) && memcmp(part.text, text, part.size) == 0;
}

static const type_name *find_type(piece part, unsigned classes) {
    for (size_t i = 0; i < sizeof types / sizeof *types; i++) {
        if ((types[i].classes & classes) && piece_is(part, types[i].text)) {
            return &types[i];
        }
    }
    return NULL;
}

bool ptx_find_type(const char *text, size_t size, ptx_type *type) {
    const type_name *found = find_type((piece){text, size}, IN_DECLARATIONS);
    if (found) {
        *type = found->type;
    }
    return found;
}

unsigned ptx_type_size(ptx_type type) {
    static const unsigned char sizes[PTX_TYPES] = {
        [PTX_U8] = 1,     [PTX_S8] = 1,     [PTX_U16] = 2,    [PTX_S16] = 2,    [PTX_U32] = 4,     [PTX_S32] = 4,
        [PTX_U64] = 8,    [PTX_S64] = 8,    [PTX_F16] = 2,    [PTX_BF16] = 2,   [PTX_F16X2] = 4,   [PTX_BF16X2] = 4,
        [PTX_F32] = 4,    [PTX_F32X2] = 8,  [PTX_F64] = 8,    [PTX_B128] = 16,  [PTX_TF32] = 4,    [PTX_E4M3X2] = 2,
        [PTX_E5M2X2] = 2, [PTX_E2M1X2] = 1, [PTX_E2M3X2] = 2, [PTX_E3M2X2] = 2, [PTX_UE8M0X2] = 2,
    };
    return sizes[type];
}

/* The first type is the instruction's, the second the source's; one alone is both. */
static void note_type(ptx_modifiers *modifiers, ptx_type type) {
    const bool is_signed = type == PTX_S8 || type == PTX_S16 || type == PTX_S32 || type == PTX_S64;
    modifiers->signs = (modifiers->signs | (unsigned)is_signed << modifiers->type_count) & 7u;
    if (modifiers->type_count++ == 0) {
        modifiers->type = type;
    }
    modifiers->source_type = type;
}

static bool class_is(const modifier_name *name, const char *class_name) {
    return strcmp(name->class_name, class_name) == 0;
}

/* What is strong is sequentially consistent: orders matter only to who looks for races. */
static void note_order(ptx_modifiers *modifiers, int order) {
    modifiers->is_strong = true;
    modifiers->acquires |= (order & ACQUIRES) != 0;
    modifiers->releases |= (order & RELEASES) != 0;
}

/* Those of other classes change nothing: scopes, for example, as all is done in the widest. */
static void note_modifier(ptx_modifiers *modifiers, const modifier_name *name) {
    if (class_is(name, "space")) {
        modifiers->space = (ptx_space)name->value;
    } else if (class_is(name, "vector")) {
        modifiers->vector = (unsigned)name->value & 15u;
    } else if (class_is(name, "combine")) {
        modifiers->combination = (ptx_combination)name->value;
    } else if (class_is(name, "rounding") || class_is(name, "to-integer")) {
        modifiers->rounding = (ptx_rounding)name->value;
    } else if (class_is(name, "order")) {
        note_order(modifiers, name->value);
    } else if (class_is(name, "policy")) {
        modifiers->has_policy = true;
    } else if (strncmp(name->class_name, "compare", 7) == 0) {
        modifiers->comparison = (ptx_comparison)name->value;
        modifiers->unordered = name->unordered;
    }
}

static bool match_class(piece class_name, piece part, ptx_modifiers *modifiers) {
    for (size_t i = 0; i < sizeof type_classes / sizeof *type_classes; i++) {
        if (piece_is(class_name, type_classes[i].class_name)) {
            const type_name *type = find_type(part, type_classes[i].classes);
            if (type) {
                note_type(modifiers, type->type);
            }
            return type;
        }
    }
    for (size_t i = 0; i < sizeof modifier_names / sizeof *modifier_names; i++) {
        if (piece_is(class_name, modifier_names[i].class_name) && piece_is(part, modifier_names[i].text)) {
            note_modifier(modifiers, &modifier_names[i]);
            return true;
        }
    }
    return false;
}

static void note_flag(ptx_modifiers *modifiers, piece part) {
    modifiers->flush |= piece_is(part, "ftz");
    modifiers->saturate |= piece_is(part, "sat");
    modifiers->finite |= piece_is(part, "satfinite");
    modifiers->relu |= piece_is(part, "relu");
    modifiers->keeps_nan |= piece_is(part, "NaN");
    modifiers->xor_sign |= piece_is(part, "xorsign");
    modifiers->absolute |= piece_is(part, "abs");
    modifiers->to |= piece_is(part, "to");
}

static bool match_word(piece word, piece part, ptx_modifiers *modifiers) {
    if (word.size != part.size || memcmp(word.text, part.text, word.size) != 0) {
        return false;
    }
    const type_name *type = find_type(part, IN_DECLARATIONS | IN_NAMES);
    if (type) {
        note_type(modifiers, type->type);
    }
    note_flag(modifiers, part);
    return true;
}

/* The piece up to the next separator; `*text` moves to that. */
static piece next_piece(const char **text, const char *end, const char *separators) {
    piece part = {*text, 0};
    while (*text < end && !strchr(separators, **text)) {
        ++*text;
    }
    part.size = (size_t)(*text - part.text);
    return part;
}

/* <up|down|idx>: one of them is chosen, unless they are types. */
static bool match_choice(piece words, piece part, ptx_modifiers *modifiers) {
    const char *end = words.text + words.size;
    unsigned index = 0;
    for (const char *at = words.text; at < end; at++, index++) {
        if (match_word(next_piece(&at, end, "|"), part, modifiers)) {
            if (!find_type(part, IN_DECLARATIONS | IN_NAMES)) {
                modifiers->choice = index & 255u;
            }
            return true;
        }
    }
    return false;
}

static bool match_one_of(piece element, piece part, ptx_modifiers *modifiers) {
    return memchr(element.text, '|', element.size) ? match_choice(element, part, modifiers) : match_class(element, part, modifiers);
}

/* One element of a pattern: "mul", ".lo", ".<int>", "{.ftz}". */
static piece next_element(const char **pattern, const char *end, bool *optional, bool *is_class) {
    *pattern += *optional = **pattern == '{';
    *pattern += **pattern == '.';
    *pattern += *is_class = **pattern == '<';
    const piece element = next_piece(pattern, end, ".{}>");
    *pattern += *is_class;
    *pattern += *optional;
    return element;
}

static bool match_mnemonic(const char *pattern, const ptx_token *mnemonic, ptx_modifiers *modifiers) {
    const char *end = mnemonic->text + mnemonic->size;
    const char *pattern_end = pattern + strlen(pattern);
    const char *text = mnemonic->text;
    piece part = next_piece(&text, end, ".");
    bool left = true; /* a part is yet to be matched */
    *modifiers = (ptx_modifiers){.vector = 1};
    while (pattern < pattern_end) {
        bool optional, is_class;
        const piece element = next_element(&pattern, pattern_end, &optional, &is_class);
        const bool matches = left && (is_class ? match_one_of(element, part, modifiers) : match_word(element, part, modifiers));
        if (!matches && !optional) {
            return false;
        }
        if (matches) {
            left = text < end;
            text += left;
            part = next_piece(&text, end, ".");
        }
    }
    return !left;
}

static piece first_piece(const ptx_token *mnemonic) {
    const char *text = mnemonic->text;
    return next_piece(&text, text + mnemonic->size, ".");
}

/* Whether the pattern begins with this word; most do not, and are passed over at that. */
static bool begins_with(const char *pattern, piece word) {
    return strncmp(pattern, word.text, word.size) == 0 && strchr(".{", pattern[word.size]);
}

/* One element and one part, of those that are left. */
static bool step_matches(const char **pattern, const char **text, const char *end) {
    bool optional, is_class;
    ptx_modifiers ignored = {0};
    const piece element = next_element(pattern, *pattern + strlen(*pattern), &optional, &is_class);
    const piece part = next_piece(text, end, ".");
    return is_class ? match_one_of(element, part, &ignored) : match_word(element, part, &ignored);
}

/* Both at a dot, or at their ends. ".*" may be no part, or the next and what it may be from there. */
static bool rest_matches(const char *pattern, const char *text, const char *end) {
    const bool any = strncmp(pattern, ".*", 2) == 0;
    if (any && rest_matches(pattern + 2, text, end)) {
        return true;
    }
    if (*pattern == '\0' || text == end) {
        return *pattern == '\0' && text == end;
    }
    text++;
    if (any) {
        next_piece(&text, end, ".");
        return rest_matches(pattern, text, end);
    }
    return step_matches(&pattern, &text, end) && rest_matches(pattern, text, end);
}

bool ptx_matches(const char *pattern, const ptx_token *mnemonic) {
    const char *text = mnemonic->text;
    const char *end = text + mnemonic->size;
    return step_matches(&pattern, &text, end) && rest_matches(pattern, text, end);
}

static bool same_family_member(const ptx_form *form, const ptx_forms *family) {
    return form >= family->items && form < family->items + family->count;
}

const ptx_form *ptx_next_form(const ptx_form *previous, const ptx_token *mnemonic, ptx_modifiers *modifiers) {
    const piece name = first_piece(mnemonic);
    for (size_t i = 0; i < FAMILIES; i++) {
        size_t first = 0;
        if (previous && !same_family_member(previous, families[i])) {
            continue;
        }
        if (previous) {
            first = (size_t)(previous - families[i]->items) + 1;
            previous = NULL;
        }
        for (size_t j = first; j < families[i]->count; j++) {
            const ptx_form *form = &families[i]->items[j];
            if (begins_with(form->mnemonic, name) && match_mnemonic(form->mnemonic, mnemonic, modifiers)) {
                return form;
            }
        }
    }
    return NULL;
}

const ptx_form *ptx_form_at(size_t index) {
    for (size_t i = 0; i < FAMILIES; i++) {
        if (index < families[i]->count) {
            return &families[i]->items[index];
        }
        index -= families[i]->count;
    }
    return NULL;
}

size_t ptx_form_index(const ptx_form *form) {
    size_t first = 0;
    size_t family = 0;
    while (!same_family_member(form, families[family])) {
        first += families[family++]->count;
    }
    return first + (size_t)(form - families[family]->items);
}

static bool begins_form(piece base) {
    for (size_t i = 0; i < FAMILIES; i++) {
        for (size_t j = 0; j < families[i]->count; j++) {
            if (begins_with(families[i]->items[j].mnemonic, base)) {
                return true;
            }
        }
    }
    return false;
}

bool ptx_is_instruction(const ptx_token *mnemonic) {
    const piece base = first_piece(mnemonic);
    for (size_t i = 0; i < sizeof not_simulated / sizeof *not_simulated; i++) {
        if (piece_is(base, not_simulated[i])) {
            return true;
        }
    }
    return begins_form(base);
}
