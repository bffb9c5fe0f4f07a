/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#include "ptx/parse.h"

/* What the patterns of the forms let through and PTX has not: NVIDIA's assembler refuses it too (scripts/compare-forms). A '*'
 * stands for any number of parts. */

typedef struct exclusion {
    const char *pattern;
    const char *unless; /* this matches too */
} exclusion;

#define PARAMETERS "param|param::entry|param::func"
#define SHARED "shared|shared::cta|shared::cluster"
#define NOT_SHARED "<global|const|local|" PARAMETERS ">"
#define NOT_GLOBAL "<const|local|" SHARED "|" PARAMETERS ">"
#define L1_PRIORITY "<L1::evict_normal|L1::evict_unchanged|L1::evict_first|L1::evict_last|L1::no_allocate>"
#define L2_PRIORITY "<L2::evict_last|L2::evict_normal|L2::evict_first>"
#define OF_32_BITS "<b32|u32|s32|f32>"
#define OF_64_BITS "<b64|u64|s64|f64>"
#define SEMANTICS "<relaxed|acquire|release|acq_rel>"

static const exclusion exclusions[] = {
    /* .ftz concerns singles. */
    {"cvt.*.ftz.*.<f16|bf16|f64>.<convert>", NULL},
    {"cvt.*.ftz.*.<convert>.<f16|bf16|f64>", NULL},
    {"cvt.*.ftz.*.f16.<f16|bf16|f64>", NULL},
    {"cvt.*.ftz.*.bf16.<f16|f64>", NULL},
    {"cvt.*.ftz.*.f64.f16", NULL},
    {"cvt.<rm|rp>.*.relu.*", NULL},
    {"cvt.<rm|rp>.satfinite.<f16|bf16|tf32>.f32", NULL},
    {"cvt.<rm|rp>.*.<f16x2|bf16x2|tf32>.f32", NULL},
    {"cvt.<rn|rm>.*.ue8m0x2.<f32|bf16x2>", NULL},
    {"cvt.*.bf16.<u8|s8>", NULL},
    {"cvt.*.<u8|s8>.bf16", NULL},
    /* .sat needs something that may not fit. */
    {"cvt.sat.u8.u8", NULL},
    {"cvt.sat.s8.s8", NULL},
    {"cvt.sat.u16.<u8|u16>", NULL},
    {"cvt.sat.s16.<u8|s8|s16>", NULL},
    {"cvt.sat.u32.<u8|u16|u32>", NULL},
    {"cvt.sat.s32.<u8|s8|u16|s16|s32>", NULL},
    {"cvt.sat.u64.<u8|u16|u32|u64>", NULL},
    {"cvt.sat.s64.<u8|s8|u16|s16|u32|s32|s64>", NULL},
    {"redux.sync.<add|min|max>.b32", NULL},
    {"selp.pred", NULL},

    /* One of a kind, and what must come together. */
    {"<ld|st|atom|red|mbarrier>.*.<space>.*.<space>.*", NULL},
    {"<ld|st|atom|red|mbarrier>.*.<scope>.*.<scope>.*", NULL},
    {"<ld|st|atom|red|mbarrier>.*.<order>.*.<order>.*", NULL},
    {"<ld|st>.*.weak.*.weak.*", NULL},
    {"<ld|st>.*." SEMANTICS ".*", "<ld|st>.*.<scope>.*"},
    {"<ld|st>.*.<scope>.*", "<ld|st>.*." SEMANTICS ".*"},
    {"<ld|st>.*.mmio.*", "<ld|st>.*.relaxed.*.sys.*"},
    {"mbarrier.*.<order>.*", "mbarrier.*.<scope>.*"},
    {"mbarrier.*.<scope>.*", "mbarrier.*.<order>.*"},
    {"ld.*.nc.*", "ld.*.global.*"},
    {"ld.*.weak.*.nc.*", NULL},

    /* Orders. */
    {"ld.*.<release|acq_rel|sc>.*", NULL},
    {"st.*.<acquire|acq_rel|sc>.*", NULL},
    {"<atom|red>.*.<volatile|sc>.*", NULL},
    {"red.*.<acquire|acq_rel>.*", NULL},
    {"mbarrier.<arrive|arrive_drop>.*.<volatile|acquire|acq_rel|sc>.*", NULL},
    {"mbarrier.<test_wait|try_wait>.*.<volatile|release|acq_rel|sc>.*", NULL},
    {"mbarrier.<expect_tx|complete_tx>.*.<volatile|acquire|release|acq_rel|sc>.*", NULL},
    {"mbarrier.*.<gpu|sys>.*", NULL},
    {"mbarrier.*.noComplete.*.<relaxed|cluster>.*", NULL},

    /* Spaces. */
    {"st.*.<const|param::entry>.*", NULL},
    {"<atom|red>.*.<const|local|" PARAMETERS ">.*", NULL},
    {"mbarrier.*." NOT_SHARED ".*", NULL},
    {"mbarrier.<init|inval|test_wait|try_wait>.*.shared::cluster.*", NULL},
    {"cp.async.mbarrier.arrive.*.<global|const|local|shared::cluster|" PARAMETERS ">.*", NULL},
    {"<fence|membar>.proxy.alias.<space>", NULL},
    {"fence.proxy.async.<const|local|shared|" PARAMETERS ">", NULL},
    {"membar.proxy.async.*", NULL},
    {"fence.*.release.sync_restrict::shared::cluster.*", NULL},
    {"fence.*.acquire.sync_restrict::shared::cta.*", NULL},
    {"prefetch.<const|" SHARED "|" PARAMETERS ">.*", NULL},
    {"<mapa|getctarank>.<global|const|local|shared|shared::cta|" PARAMETERS ">.*", NULL},
    {"<isspacep|cvta>.*.param::func.*", NULL},

    {"<ld|st>.*." SEMANTICS ".*.<const|" PARAMETERS ">.*", NULL},
    {"<ld|st>.*.<const|" PARAMETERS ">.*." SEMANTICS ".*", NULL},
    {"st.*.volatile.*.<param|param::func>.*", NULL},
    {"st.*.<param|param::func>.*.volatile.*", NULL},
    {"<ld|st>.*.<acquire|release>.*.local.*", NULL},
    {"<ld|st>.*.local.*.<acquire|release>.*", NULL},

    /* Vectors: of 128 bits, and in global memory of 256. */
    {"<ld|st|ldu>.*.v8." OF_64_BITS, NULL},
    {"<ld|st|ldu>.*.<vector>.b128", NULL},
    {"<ld|st>.*." NOT_GLOBAL ".*.v8." OF_32_BITS, NULL},
    {"<ld|st>.*." NOT_GLOBAL ".*.v4." OF_64_BITS, NULL},
    {"ldu.*.v8.*", NULL},
    {"ldu.*.v4." OF_64_BITS, NULL},
    {"<atom|red>.*.<" SHARED ">.*.<vector>.*", NULL},
    {"<atom|red>.*.v8.<f32|f16x2|bf16x2>", NULL},

    /* Caches. */
    {"<ld|st>.*." L1_PRIORITY ".*." L1_PRIORITY ".*", NULL},
    {"<ld|st>.*.<cache>.*." L1_PRIORITY ".*", NULL},
    {"<ld|st>.*.volatile.*." L1_PRIORITY ".*", NULL},
    {"<ld|st>.*.volatile.*.L2::cache_hint.*", NULL},
    {"<ld|st>.*." L2_PRIORITY ".*." L2_PRIORITY ".*", NULL},
    {"<ld|st>.*." NOT_GLOBAL ".*." L1_PRIORITY ".*", NULL},
    {"ld.*." NOT_GLOBAL ".*.<prefetch>.*", NULL},
    {"<ld|st>.*." L2_PRIORITY ".*", "<ld|st>.*.<v4|v8>.*"},
    {"<ld|st>.*." L2_PRIORITY ".*.v4.<b8|u8|s8|b16|u16|s16|b32|u32|s32|f32>", NULL},
    {"<ld|st>.*." L2_PRIORITY ".*.v8.<b8|u8|s8|b16|u16|s16>", NULL},
    {"<ld|st|atom|red>.*." NOT_GLOBAL ".*.L2::cache_hint.*", NULL},
    {"atom.*.cas.*.L2::cache_hint.b128", NULL},
    {"ld.*.<wb|wt>.*", NULL},
    {"st.*.<ca|lu|cv>.*", NULL},
};

bool ptx_is_excluded(const ptx_token *mnemonic) {
    for (size_t i = 0; i < sizeof exclusions / sizeof *exclusions; i++) {
        const exclusion *each = &exclusions[i];
        if (ptx_matches(each->pattern, mnemonic) && !(each->unless && ptx_matches(each->unless, mnemonic))) {
            return true;
        }
    }
    return false;
}
