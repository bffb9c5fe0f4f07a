// SPDX-License-Identifier: MIT OR Apache-2.0
// What a kernel tells of itself to the next (griddepcontrol, sm_90), which changes nothing where there is none.
// needs: 90
// output: 32 u32 exact

extern "C" __global__ void kernel(unsigned *out, const unsigned *in, unsigned) {
    asm volatile("griddepcontrol.wait;" : : : "memory");
    out[threadIdx.x] = in[threadIdx.x];
    asm volatile("griddepcontrol.launch_dependents;");
}
