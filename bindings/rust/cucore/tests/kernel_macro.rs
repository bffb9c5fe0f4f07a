// SPDX-License-Identifier: MIT OR Apache-2.0
//! Types for kernels, made by `kernel!`.

mod common;

use common::{device, simulator, stderr_of, How, PTX};
use cucore::{ByValue, ErrorKind, Kind, LaunchConfig, Library, MemoryResource, ObjectCode, Stream};

cucore::kernel! {
    /// Multiplies the first `count` elements of `data` by `factor`.
    struct Scale = "scale"(data: &mut [f32], factor: f32, count: u32);
}

cucore::kernel! {
    /// Adds `how.by` to the first `how.count` elements of `data`.
    pub(crate) struct Shift = "shift"(how: ByValue<How>, data: &mut [f32],);
}

mod unfit {
    cucore::kernel!(pub struct TooFew = "scale"(data: &mut [f32], factor: f32););
    cucore::kernel!(pub struct TooMany = "scale"(data: &[f32], factor: f32, count: u32, more: bool););
    cucore::kernel!(pub struct TooWide = "scale"(data: &mut [f32], factor: f64, count: u32););
    cucore::kernel!(pub struct NoSuch = "nope"(););
}

fn library() -> Library {
    let code = ObjectCode::new(Kind::Ptx, PTX.as_bytes(), "test.ptx").unwrap();
    Library::load(&device(), &code).unwrap()
}

#[test]
fn it_launches_with_buffers_and_views() {
    let _simulator = simulator();
    let (library, stream, config) = (library(), Stream::new(&device()).unwrap(), LaunchConfig::covering(4, 32));
    let (scale, shift) = (Scale::find(&library).unwrap(), Shift::find(&library).unwrap());
    let mut buffer = MemoryResource::device_pool(&device()).unwrap().upload(&[1.0f32; 4], &stream).unwrap();
    let mut host = MemoryResource::pinned(&device()).unwrap().allocate_host::<f32>(2, &stream).unwrap();
    // SAFETY: both kernels stay below the count, which is at most the length.
    unsafe {
        scale.launch(&stream, &config, &mut buffer, 3.0, 4).unwrap();
        scale.launch(&stream, &config, buffer.slice_mut(2..), 2.0, 2).unwrap();
        shift.launch(&stream, &config, ByValue(How { by: 0.5, count: 2 }), &mut host).unwrap();
    }
    assert_eq!(buffer.download(&stream).unwrap(), [3.0, 3.0, 6.0, 6.0]);
    assert_eq!(host.as_slice().unwrap(), [0.5, 0.5]);
    assert_eq!(scale.clone().kernel().name(), "scale");
}

#[test]
fn a_kernel_with_other_parameters_is_refused() {
    let _simulator = simulator();
    let library = library();
    let scale = library.kernel("scale").unwrap();
    let refused = [
        (unfit::TooFew::find(&library).unwrap_err(), "kernel scale: it has 3 parameters, not 2"),
        (unfit::TooMany::find(&library).unwrap_err(), "kernel scale: it has 3 parameters, not 4"),
        (unfit::TooWide::find(&library).unwrap_err(), "kernel scale: its parameter 1 is of 4 bytes, not 8"),
        (Shift::of(scale).unwrap_err(), "kernel scale: it has 3 parameters, not 2"),
    ];
    for (error, message) in refused {
        assert_eq!((error.kind(), error.message()), (ErrorKind::InvalidArgument, message));
    }
    assert_eq!(unfit::NoSuch::find(&library).unwrap_err().kind(), ErrorKind::NotFound);
}

#[test]
fn a_driver_that_does_not_tell_parameters_lets_any_pass() {
    stderr_of("a_driver_that_does_not_tell_parameters_lets_any_pass", || {
        simulator().hide("cuKernelGetParamInfo");
        let library = library();
        assert_eq!(library.kernel("scale").unwrap().parameter_count().unwrap_err().kind(), ErrorKind::NotSupported);
        unfit::TooFew::find(&library).unwrap();
    });
}
