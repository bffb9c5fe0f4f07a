// SPDX-License-Identifier: MIT OR Apache-2.0
//! What the tests share. Each is a program of its own and uses some of it.
#![allow(dead_code)]

use cucore::bytemuck::{Pod, Zeroable};
use cucore::sys::{CUctx_st, CUstream_st};
use cucore::{driver, Context, Device, Error, Stream, WarningSink};
use cucore_sim::{Exclusive, Simulator};
use std::env;
use std::ffi::{c_char, c_int, c_void, CString};
use std::mem;
use std::panic::panic_any;
use std::process::{self, Command, Output, Stdio};
use std::ptr;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::thread;

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

/// Drops a stream whose destruction fails, and gives what it was called.
pub fn fail_a_drop() -> u64 {
    let simulator = simulator();
    let stream = Stream::new(&device()).unwrap();
    let raw = stream.raw() as u64;
    simulator.fail("cuStreamDestroy", 1, LAUNCH_FAILED, false);
    drop(stream);
    raw
}

/// Runs `body`, which is in the test of this name, in a process of its own.
pub fn in_own_process(test: &str, stderr: Stdio, body: fn()) -> Output {
    const CHILD: &str = "CUCORE_TEST_CHILD";
    if env::var_os(CHILD).is_some() {
        body();
        process::exit(0);
    }
    let thread = thread::current();
    assert!([Some(test), Some("main")].contains(&thread.name()), "a process for {test} would run no test");
    let mut child = Command::new(env::current_exe().unwrap());
    child.args([test, "--exact", "--nocapture"]).env(CHILD, "1").stdout(Stdio::null()).stderr(stderr);
    child.spawn().unwrap().wait_with_output().unwrap()
}

/// As [`in_own_process`], for a body that must succeed. Gives what it wrote to stderr.
pub fn stderr_of(test: &str, body: fn()) -> String {
    let output = in_own_process(test, Stdio::piped(), body);
    let stderr = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(output.status.success(), "{stderr}");
    stderr
}

/// Dropping it panics, and so does dropping what it panics with.
#[derive(Debug)]
pub struct PanicsWhenDropped;

impl Drop for PanicsWhenDropped {
    fn drop(&mut self) {
        panic_any(PanicsWhenDropped);
    }
}

/// Counts how often it, and its clones, were dropped.
#[derive(Clone, Debug, Default)]
pub struct Drops(Arc<AtomicUsize>);

impl Drops {
    pub fn count(&self) -> usize {
        self.0.load(Ordering::SeqCst)
    }

    /// Something that counts when it is dropped.
    pub fn owner(&self) -> impl Send + 'static {
        struct Owner(Arc<AtomicUsize>);

        impl Drop for Owner {
            fn drop(&mut self) {
                self.0.fetch_add(1, Ordering::SeqCst);
            }
        }

        Owner(Arc::clone(&self.0))
    }
}

/// Calls a function of the driver's, as other code in the process would, and gives its result.
macro_rules! driver_call {
    ($name:literal, $($argument:expr => $type:ty),*) => {{
        // SAFETY: the function of this name has this type.
        let function = unsafe { mem::transmute::<*mut c_void, unsafe extern "C" fn($($type),*) -> c_int>(driver_function($name)) };
        // SAFETY: the tests hand over what is alive.
        unsafe { function($($argument),*) }
    }};
}

fn succeeded(result: c_int) {
    assert_eq!(result, 0);
}

/// A context that other code made, current on no thread.
pub fn raw_context() -> *mut CUctx_st {
    let (mut context, mut popped) = (ptr::null_mut(), ptr::null_mut());
    succeeded(driver_call!("cuCtxCreate_v2", &mut context => &mut *mut CUctx_st, 0 => u32, 0 => c_int));
    succeeded(driver_call!("cuCtxPopCurrent_v2", &mut popped => &mut *mut CUctx_st));
    assert_eq!(popped, context);
    context
}

pub fn destroy_raw_context(context: *mut CUctx_st) {
    succeeded(driver_call!("cuCtxDestroy_v2", context => *mut CUctx_st));
}

/// A stream that other code made in `context`.
pub fn raw_stream(context: &Context) -> *mut CUstream_st {
    let mut stream = ptr::null_mut();
    let result = context.run(|| driver_call!("cuStreamCreate", &mut stream => &mut *mut CUstream_st, 0 => u32));
    succeeded(result.unwrap());
    stream
}

pub fn destroy_raw_stream(stream: *mut CUstream_st) {
    succeeded(driver_call!("cuStreamDestroy_v2", stream => *mut CUstream_st));
}

/// Runs `action` while what is put on the stream is captured into a graph, which is then destroyed. Says whether the capture
/// lasted.
pub fn capturing(stream: &Stream, action: impl FnOnce()) -> bool {
    const CU_STREAM_CAPTURE_MODE_RELAXED: c_int = 2;
    let mut graph = ptr::null_mut();
    let mode = CU_STREAM_CAPTURE_MODE_RELAXED;
    succeeded(driver_call!("cuStreamBeginCapture_v2", stream.raw() => *mut CUstream_st, mode => c_int));
    action();
    let lasted = driver_call!("cuStreamEndCapture", stream.raw() => *mut CUstream_st, &mut graph => &mut *mut c_void) == 0;
    if lasted {
        succeeded(driver_call!("cuGraphDestroy", graph => *mut c_void));
    }
    lasted
}

/// A function of the driver in use.
fn driver_function(name: &str) -> *mut c_void {
    extern "C" {
        fn dlopen(path: *const c_char, flags: c_int) -> *mut c_void;
        fn dlsym(library: *mut c_void, symbol: *const c_char) -> *mut c_void;
    }
    const RTLD_NOW: c_int = 2;
    device();
    let path = CString::new(driver::path().unwrap().as_os_str().as_encoded_bytes()).unwrap();
    let name = CString::new(name).unwrap();
    // SAFETY: the library is loaded already; both texts are read during the calls.
    let function = unsafe { dlsym(dlopen(path.as_ptr(), RTLD_NOW), name.as_ptr()) };
    assert!(!function.is_null(), "{name:?}");
    function
}

/// What the kernel `shift` takes by value.
#[derive(Clone, Copy)]
#[repr(C)]
pub struct How {
    pub by: f32,
    pub count: u32,
}

// SAFETY: two fields of four bytes that any bytes fit, with none between.
unsafe impl Zeroable for How {}
// SAFETY: as for Zeroable.
unsafe impl Pod for How {}

/// Kernels as NVRTC would compile them: `scale(float *data, float factor, unsigned count)`, and `shift(How how, float *data)`.
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
