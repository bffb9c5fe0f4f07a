// SPDX-License-Identifier: MIT OR Apache-2.0
//! What the tests share. Each is a program of its own and uses some of it.
#![allow(dead_code)]

use cucore::{Device, Error, WarningSink};
use cucore_sim::{Exclusive, Simulator};
use std::mem;
use std::sync::{Arc, Mutex};

/// CUDA_ERROR_LAUNCH_FAILED, a fault that all later calls return.
pub const LAUNCH_FAILED: i32 = 719;

/// The simulated driver, to this test alone.
pub fn simulator() -> Exclusive {
    Simulator::install().expect("the simulated driver can be used").exclusive()
}

pub fn device() -> Device {
    Device::open(0).expect("the simulated driver has a device")
}

/// Collects the warnings that arrive while it lives.
pub struct Warnings {
    seen: Arc<Mutex<Vec<Error>>>,
    _sink: WarningSink,
}

impl Warnings {
    pub fn listen() -> Warnings {
        let seen = Arc::new(Mutex::new(Vec::new()));
        let to = Arc::clone(&seen);
        let sink = WarningSink::register(move |warning| to.lock().unwrap().push(warning.to_error()));
        Warnings { seen, _sink: sink.expect("a sink can be registered") }
    }

    pub fn take(&self) -> Vec<Error> {
        mem::take(&mut self.seen.lock().unwrap())
    }

    pub fn operations(&self) -> Vec<String> {
        self.take().iter().map(|warning| warning.operation().to_owned()).collect()
    }
}

/// Kernels as NVRTC would compile them: `scale(float *data, float factor, unsigned count)`, and
/// `shift(struct { float by; unsigned count; } how, float *data)`.
pub const PTX: &str = r#"
.version 8.0
.target sm_75
.address_size 64

.visible .entry scale(
    .param .u64 scale_param_0,
    .param .f32 scale_param_1,
    .param .u32 scale_param_2
)
{
    .reg .pred %p<2>;
    .reg .f32 %f<4>;
    .reg .b32 %r<6>;
    .reg .b64 %rd<5>;

    ld.param.u64 %rd1, [scale_param_0];
    ld.param.f32 %f1, [scale_param_1];
    ld.param.u32 %r2, [scale_param_2];
    mov.u32 %r3, %ctaid.x;
    mov.u32 %r4, %ntid.x;
    mov.u32 %r5, %tid.x;
    mad.lo.s32 %r1, %r3, %r4, %r5;
    setp.ge.u32 %p1, %r1, %r2;
    @%p1 bra $L__BB0_2;

    cvta.to.global.u64 %rd2, %rd1;
    mul.wide.u32 %rd3, %r1, 4;
    add.s64 %rd4, %rd2, %rd3;
    ld.global.f32 %f2, [%rd4];
    mul.f32 %f3, %f2, %f1;
    st.global.f32 [%rd4], %f3;

$L__BB0_2:
    ret;
}

.visible .entry shift(
    .param .align 4 .b8 shift_param_0[8],
    .param .u64 shift_param_1
)
{
    .reg .pred %p<2>;
    .reg .f32 %f<4>;
    .reg .b32 %r<6>;
    .reg .b64 %rd<5>;

    ld.param.f32 %f1, [shift_param_0];
    ld.param.u32 %r2, [shift_param_0+4];
    ld.param.u64 %rd1, [shift_param_1];
    mov.u32 %r3, %ctaid.x;
    mov.u32 %r4, %ntid.x;
    mov.u32 %r5, %tid.x;
    mad.lo.s32 %r1, %r3, %r4, %r5;
    setp.ge.u32 %p1, %r1, %r2;
    @%p1 bra $L__BB1_2;

    cvta.to.global.u64 %rd2, %rd1;
    mul.wide.u32 %rd3, %r1, 4;
    add.s64 %rd4, %rd2, %rd3;
    ld.global.f32 %f2, [%rd4];
    add.f32 %f3, %f2, %f1;
    st.global.f32 [%rd4], %f3;

$L__BB1_2:
    ret;
}
"#;
