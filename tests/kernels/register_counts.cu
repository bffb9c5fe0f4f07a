// SPDX-License-Identifier: MIT OR Apache-2.0
// A warpgroup that gives registers back and asks for them again (setmaxnreg, PTX ISA 8.0, sm_90a and its like).
// needs: 90 12.9
// specific
// block: 128
// output: 128 u32 exact

extern "C" __global__ void __maxnreg__(64) kernel(unsigned *out, const unsigned *in, unsigned) {
    const unsigned i = threadIdx.x;
    asm volatile("setmaxnreg.dec.sync.aligned.u32 40;");
    const unsigned value = in[i] * 3;
    asm volatile("setmaxnreg.inc.sync.aligned.u32 64;");
    out[i] = value + in[i + 128];
}
