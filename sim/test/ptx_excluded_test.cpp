// SPDX-License-Identifier: MIT OR Apache-2.0
// Instructions that PTX has not, though they look like some that it has, and those that it does have beside them.

#include "ptx_support.hpp"

namespace {

Loaded load_one(const std::string &instruction) {
    return load(kernel_of(".reg .b16 %h<9>; .reg .b32 %r<9>; .reg .b64 %d<9>; .reg .f32 %f<9>; .reg .f64 %g<9>; .reg .pred %p<4>;"
                          ".reg .b128 %q<9>; .shared .b64 s[4]; .local .b64 l[4];\n" +
                          instruction));
}

void refuses(const std::string &instruction) {
    INFO(instruction);
    const Loaded made = load_one(instruction);
    CHECK(made.result == PTX_INVALID);
    CHECK(made.log == "ptx line 7: PTX has no '" + instruction.substr(0, instruction.find(' ')) + "'");
}

void takes(const std::string &instruction) {
    INFO(instruction);
    const Loaded made = load_one(instruction);
    INFO(made.log);
    CHECK(made.result == PTX_OK);
}

} // namespace

TEST_CASE("Conversions flush where there is an f32, and round in ways that their types have") {
    for (const char *refused : {
             "cvt.rn.ftz.f64.s32 %g1, %r1;",
             "cvt.rn.ftz.f16.u32 %h1, %r1;",
             "cvt.rn.ftz.bf16.s64 %h1, %d1;",
             "cvt.rni.ftz.s32.f64 %r1, %g1;",
             "cvt.rzi.ftz.sat.u16.f16 %h1, %h2;",
             "cvt.rzi.ftz.s32.bf16 %r1, %h1;",
             "cvt.rn.ftz.f16.f64 %h1, %g1;",
             "cvt.rm.ftz.sat.f16.bf16 %h1, %h2;",
             "cvt.rni.ftz.f16.f16 %h1, %h2;",
             "cvt.rn.ftz.bf16.f16 %h1, %h2;",
             "cvt.rz.ftz.bf16.f64 %h1, %g1;",
             "cvt.ftz.f64.f16 %g1, %h1;",
             "cvt.rm.relu.bf16.f32 %h1, %f1;",
             "cvt.rp.relu.f16.f32 %h1, %f1;",
             "cvt.rp.satfinite.f16.f32 %h1, %f1;",
             "cvt.rm.satfinite.tf32.f32 %r1, %f1;",
             "cvt.rp.bf16x2.f32 %r1, %f1, %f2;",
             "cvt.rm.f16x2.f32 %r1, %f1, %f2;",
             "cvt.rm.tf32.f32 %r1, %f1;",
             "cvt.rn.ue8m0x2.f32 %h1, %f1, %f2;",
             "cvt.rm.satfinite.ue8m0x2.bf16x2 %h1, %r1;",
             "cvt.rn.bf16.u8 %h1, %h2;",
             "cvt.rzi.s8.bf16 %h1, %h2;",
         })
        refuses(refused);
    for (const char *taken : {"cvt.rn.ftz.f32.s32 %f1, %r1;", "cvt.rni.ftz.s32.f32 %r1, %f1;", "cvt.rm.ftz.f16.f32 %h1, %f1;",
                              "cvt.rm.bf16.f32 %h1, %f1;", "cvt.rz.relu.satfinite.bf16.f32 %h1, %f1;",
                              "cvt.rp.satfinite.ue8m0x2.f32 %h1, %f1, %f2;", "cvt.rn.bf16.u16 %h1, %h2;"})
        takes(taken);
}

TEST_CASE("Integers saturate where a type has less room than the other") {
    const struct {
        const char *name;
        char letter;
        int lowest, bits; // 2^bits is one more than the largest, and -2^lowest the lowest, if that is not 0
    } types[] = {{"u8", 'h', 0, 8},   {"s8", 'h', 7, 7},    {"u16", 'h', 0, 16}, {"s16", 'h', 15, 15},
                 {"u32", 'r', 0, 32}, {"s32", 'r', 31, 31}, {"u64", 'd', 0, 64}, {"s64", 'd', 63, 63}};
    for (const auto &to : types)
        for (const auto &from : types) {
            const std::string instruction =
                std::string("cvt.sat.") + to.name + "." + from.name + " %" + to.letter + "1, %" + from.letter + "2;";
            if (to.lowest >= from.lowest && to.bits >= from.bits)
                refuses(instruction);
            else
                takes(instruction);
        }
}

TEST_CASE("Instructions on a type that they have not") {
    refuses("redux.sync.max.b32 %r1, %r2, -1;");
    takes("redux.sync.xor.b32 %r1, %r2, -1;");
    refuses("selp.pred %p1, %p2, %p3, %p1;");
    takes("selp.b16 %h1, %h2, %h3, %p1;");
}

TEST_CASE("Accesses have one space, one scope, and an order that goes with it") {
    for (const char *refused : {
             "ld.shared.volatile.shared.u32 %r1, [s];",
             "atom.global.relaxed.gpu.add.global.u32 %r1, [%d1], %r2;",
             "red.gpu.relaxed.sys.add.u32 [%d1], %r2;",
             "atom.relaxed.add.release.gpu.u32 %r1, [%d1], %r2;",
             "st.weak.global.weak.u32 [%d1], %r2;",
             "ld.relaxed.u32 %r1, [%d1];",
             "st.release.global.u32 [%d1], %r1;",
             "ld.volatile.cta.u32 %r1, [%d1];",
             "ld.mmio.acquire.sys.u32 %r1, [%d1];",
             "st.mmio.relaxed.gpu.u32 [%d1], %r1;",
             "ld.nc.u32 %r1, [%d1];",
             "ld.weak.global.nc.u32 %r1, [%d1];",
             "ld.release.gpu.u32 %r1, [%d1];",
             "st.acquire.gpu.u32 [%d1], %r1;",
             "atom.sc.gpu.add.u32 %r1, [%d1], %r2;",
             "red.acquire.gpu.add.u32 [%d1], %r2;",
             "ld.acquire.gpu.local.u32 %r1, [l];",
             "st.local.release.gpu.u32 [l], %r1;",
             "mbarrier.arrive.release.b64 %d1, [%d2];",
             "mbarrier.arrive.cta.b64 %d1, [%d2];",
             "mbarrier.arrive.acquire.cta.b64 %d1, [%d2];",
             "mbarrier.try_wait.release.cta.b64 %p1, [%d2], %d1;",
             "mbarrier.expect_tx.release.cta.b64 [%d2], %r1;",
             "mbarrier.arrive.release.gpu.b64 %d1, [%d2];",
             "mbarrier.arrive.noComplete.relaxed.cta.b64 %d1, [%d2], 1;",
             "ld.relaxed.gpu.const.u32 %r1, [%d1];",
             "ld.param.acquire.gpu.u32 %r1, [%d1];",
             "st.volatile.param.u32 [%d1], %r1;",
             "st.param.volatile.u32 [%d1], %r1;",
         })
        refuses(refused);
    for (const char *taken :
         {"ld.relaxed.gpu.u32 %r1, [%d1];", "ld.mmio.relaxed.sys.global.u32 %r1, [%d1];", "ld.global.nc.u32 %r1, [%d1];",
          "st.release.cta.shared.u32 [s], %r1;", "atom.relaxed.global.add.u32 %r1, [%d1], %r2;", "red.gpu.add.u32 [%d1], %r2;",
          "mbarrier.arrive.release.cta.b64 %d1, [%d2];", "mbarrier.test_wait.acquire.cta.b64 %p1, [%d2], %d1;",
          "mbarrier.expect_tx.relaxed.cta.b64 [%d2], %r1;"})
        takes(taken);
}

TEST_CASE("Instructions in a space that they cannot use") {
    for (const char *refused : {
             "st.const.u32 [%d1], %r1;",
             "atom.local.add.u32 %r1, [l], %r2;",
             "red.param.add.u32 [%d1], %r2;",
             "mbarrier.init.global.b64 [%d1], 1;",
             "mbarrier.inval.shared::cluster.b64 [s];",
             "cp.async.mbarrier.arrive.noinc.global.b64 [%d1];",
             "fence.proxy.alias.global ;",
             "fence.proxy.async.shared ;",
             "membar.proxy.async ;",
             "fence.release.sync_restrict::shared::cluster.cluster ;",
             "fence.proxy.async::generic.acquire.sync_restrict::shared::cta.cluster ;",
             "prefetch.shared.L1 [s];",
             "mapa.shared.u64 %d1, %d2, 0;",
             "getctarank.global.u64 %r1, %d2;",
             "isspacep.param::func %p1, %d1;",
             "cvta.param::func.u64 %d1, %d2;",
         })
        refuses(refused);
    for (const char *taken :
         {"prefetch.global.L1 [%d1];", "mapa.shared::cluster.u64 %d1, %d2, 0;", "fence.proxy.async.shared::cta;",
          "mbarrier.init.shared::cta.b64 [s], 1;", "cvta.param.u64 %d1, %d2;", "isspacep.param::entry %p1, %d1;"})
        takes(taken);
}

TEST_CASE("Vectors that are too wide, and hints that do not go together") {
    const std::string four = "{%d1, %d2, %d3, %d4}";
    const std::string eight = "{%r1, %r2, %r3, %r4, %r5, %r6, %r7, %r8}";
    for (const std::string &refused : std::initializer_list<std::string>{
             "ld.global.v8.b64 {%d1, %d2, %d3, %d4, %d5, %d6, %d7, %d8}, [%d0];",
             "ld.global.v2.b128 {%q1, %q2}, [%d1];",
             "st.shared.v8.b32 [s], " + eight + ";",
             "ld.shared.v4.u64 " + four + ", [s];",
             "ldu.global.v8.b32 " + eight + ", [%d1];",
             "ldu.v4.b64 " + four + ", [%d1];",
             "atom.shared.add.v2.f32 {%f1, %f2}, [s], {%f1, %f2};",
             "ld.global.L1::evict_first.L1::evict_last.u32 %r1, [%d1];",
             "ld.global.cs.L1::evict_first.u32 %r1, [%d1];",
             "st.volatile.global.L1::evict_first.u32 [%d1], %r1;",
             "ld.shared.L1::no_allocate.u32 %r1, [s];",
             "ld.const.L2::128B.u32 %r1, [%d1];",
             "ld.global.L2::evict_last.b32 %r1, [%d1];",
             "ld.global.L2::evict_last.v4.b32 {%r1, %r2, %r3, %r4}, [%d1];",
             "ld.shared.L2::cache_hint.b32 %r1, [s], %d1;",
             "st.global.L2::evict_first.L2::evict_last.v8.b32 [%d1], " + eight + ";",
             "ld.volatile.L2::cache_hint.b32 %r1, [%d1], %d1;",
             "atom.global.cas.L2::cache_hint.b128 %q1, [%d1], %q2, %q3, %d1;",
             "ld.global.wt.b32 %r1, [%d1];",
             "st.global.lu.b32 [%d1], %r1;",
         })
        refuses(refused);
    takes("ld.global.v4.u64 " + four + ", [%d1];");
    takes("ld.global.L2::evict_last.v8.b32 " + eight + ", [%d1];");
    takes("st.global.L1::no_allocate.L2::evict_last.v4.b64 [%d1], " + four + ";");
    takes("atom.global.exch.L2::cache_hint.b128 %q1, [%d1], %q2, %d1;");
    takes("ld.global.L2::cache_hint.b32 %r1, [%d1], %d1;");
}

TEST_CASE("Predicates beside a result: with some there must be one, with some there is none") {
    for (const char *refused :
         {"lop3.or.b32 %r1, %r2, %r3, %r4, 128, %p1;", "elect.sync %r1, -1;", "match.any.sync.b32 %r1|%p1, %r2, -1;",
          "setp.eq.f16 %p1|%p2, %h1, %h2;", "setp.lt.and.bf16 %p1|%p2, %h1, %h2, %p3;", "alloca.b64 %d1, %d2;"}) {
        INFO(refused);
        const Loaded made = load_one(refused);
        CHECK(made.result != PTX_OK);
        CHECK(has(made.log, "ptx line 7: "));
    }
    for (const char *taken : {"lop3.or.b32 %r1|%p2, %r2, %r3, %r4, 128, %p1;", "lop3.and.b32 _|%p2, %r2, %r3, %r4, 128, !%p1;",
                              "elect.sync _|%p1, -1;", "match.all.sync.b32 %r1, %r2, -1;", "match.all.sync.b32 %r1|%p1, %r2, -1;",
                              "setp.eq.f16 %p1, %h1, %h2;", "setp.eq.f16x2 %p1|%p2, %r1, %r2;"})
        takes(taken);
}
