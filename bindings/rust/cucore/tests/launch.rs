// SPDX-License-Identifier: MIT OR Apache-2.0
//! Launches, and their arguments.

mod common;

use common::{device, simulator, How, PTX};
use cucore::{
    Buffer, ByValue, ErrorKind, Kernel, KernelAttribute, Kind, LaunchConfig, Library, MemoryResource, ObjectCode, Stream,
};

fn kernel(name: &str) -> Kernel {
    let code = ObjectCode::new(Kind::Ptx, PTX.as_bytes(), "test.ptx").unwrap();
    Library::load(&device(), &code).unwrap().kernel(name).unwrap()
}

fn stream_and_buffer(elements: &[f32]) -> (Stream, Buffer<f32>) {
    let device = device();
    let stream = Stream::new(&device).unwrap();
    let buffer = MemoryResource::device_pool(&device).unwrap().upload(elements, &stream).unwrap();
    (stream, buffer)
}

#[test]
fn a_config_covers_every_item() {
    assert_eq!(LaunchConfig::covering(1000, 256), LaunchConfig::new([4, 1, 1], [256, 1, 1]));
    assert_eq!(LaunchConfig::covering(1024, 256).grid, [4, 1, 1]);
    assert_eq!(LaunchConfig::covering(0, 256).grid, [1, 1, 1]);
    assert_eq!(LaunchConfig::covering(usize::MAX, 1).grid, [u32::MAX, 1, 1]);
    assert_eq!(LaunchConfig::covering(1, 0).block, [0, 1, 1]);
    assert_eq!(LaunchConfig::covering(1, 1).shared_bytes(64).shared_bytes, 64);
}

#[test]
fn a_kernel_runs() {
    let _simulator = simulator();
    let scale = kernel("scale");
    let (stream, mut buffer) = stream_and_buffer(&[1.0; 1000]);
    let arguments = (&mut buffer, 2.5f32, 999u32);
    // SAFETY: the arguments are those of scale, which stays below count.
    unsafe { scale.launch(&stream, &LaunchConfig::covering(1000, 128), arguments) }.unwrap();
    let result = buffer.download(&stream).unwrap();
    assert!(result[..999].iter().all(|&element| element == 2.5));
    assert_eq!(result[999], 1.0);
}

#[test]
fn a_view_lends_a_part_of_a_buffer() {
    let _simulator = simulator();
    let scale = kernel("scale");
    let (stream, mut buffer) = stream_and_buffer(&[1.0; 6]);
    let arguments = (buffer.slice_mut(2..4), 3.0f32, 2u32);
    // SAFETY: the arguments are those of scale, which stays below count.
    unsafe { scale.launch(&stream, &LaunchConfig::covering(2, 32), arguments) }.unwrap();
    assert_eq!(buffer.download(&stream).unwrap(), [1.0, 1.0, 3.0, 3.0, 1.0, 1.0]);
}

#[test]
fn a_struct_is_passed_by_value() {
    let _simulator = simulator();
    let shift = kernel("shift");
    let (stream, mut buffer) = stream_and_buffer(&[1.0; 3]);
    let arguments = (ByValue(How { by: 0.5, count: 2 }), &mut buffer);
    // SAFETY: the arguments are those of shift, which stays below count.
    unsafe { shift.launch(&stream, &LaunchConfig::covering(3, 32), arguments) }.unwrap();
    assert_eq!(buffer.download(&stream).unwrap(), [1.5, 1.5, 1.0]);
}

#[test]
fn a_kernel_knows_its_parameters() {
    let _simulator = simulator();
    let (scale, shift) = (kernel("scale"), kernel("shift"));
    assert_eq!(scale.name(), "scale");
    assert_eq!((scale.parameter_count().unwrap(), shift.parameter_count().unwrap()), (3, 2));
    let sizes: Vec<_> = (0..3).map(|index| scale.parameter_size(index).unwrap()).collect();
    assert_eq!(sizes, [8, 4, 4]);
    let offsets: Vec<_> = (0..3).map(|index| scale.parameter_offset(index).unwrap()).collect();
    assert_eq!(offsets, [0, 8, 12]);
    assert_eq!(scale.parameter_offset(3).unwrap_err().kind(), ErrorKind::InvalidArgument);
    assert_eq!(scale.parameter_size(3).unwrap_err().kind(), ErrorKind::InvalidArgument);
}

#[test]
fn a_kernel_has_attributes() {
    let _simulator = simulator();
    let (scale, device) = (kernel("scale"), device());
    assert!(scale.attribute(KernelAttribute::MaxThreadsPerBlock, None).unwrap() > 0);
    scale.set_attribute(KernelAttribute::MaxDynamicSharedSize, Some(&device), 65536).unwrap();
    assert_eq!(scale.attribute(KernelAttribute::MaxDynamicSharedSize, Some(&device)).unwrap(), 65536);
    assert_eq!(scale.attribute(KernelAttribute::Other(8), None).unwrap(), 65536);
    let refused =
        [scale.set_attribute(KernelAttribute::Registers, None, 1), scale.set_attribute(KernelAttribute::Other(999), None, 1)];
    for result in refused {
        assert_eq!(result.unwrap_err().kind(), ErrorKind::InvalidArgument);
    }
}

/// The longest tuple of arguments: each of them four times.
macro_rules! many {
    ($($argument:literal)*) => {
        ($($argument,)* $($argument,)* $($argument,)* $($argument,)*)
    };
}

#[test]
fn arguments_that_do_not_fit_are_refused() {
    let _simulator = simulator();
    let scale = kernel("scale");
    let (stream, mut buffer) = stream_and_buffer(&[1.0; 4]);
    let config = LaunchConfig::covering(4, 32);
    // SAFETY: none of these is launched.
    let refused = unsafe {
        [
            scale.launch(&stream, &config, ()),
            scale.launch(&stream, &config, (&mut buffer, 2.0f32)),
            scale.launch(&stream, &config, (&mut buffer, 2.0f64, 4u32)),
            scale.launch(&stream, &config, many!(0u8 0u8 0u8 0u8 0u8 0u8 0u8 0u8)),
            scale.launch(&stream, &LaunchConfig::covering(4, 0), (&mut buffer, 2.0f32, 4u32)),
        ]
    };
    for result in refused {
        assert_eq!(result.unwrap_err().kind(), ErrorKind::InvalidArgument);
    }
    assert_eq!(buffer.download(&stream).unwrap(), [1.0; 4]);
}

#[test]
fn a_buffer_that_is_dropped_lives_until_the_launch_is_done() {
    let simulator = simulator();
    let scale = kernel("scale");
    let (stream, mut buffer) = stream_and_buffer(&[1.0; 4]);
    let before = simulator.live_count("memory");
    simulator.hold(&stream);
    // SAFETY: the arguments are those of scale, which stays below count.
    unsafe { scale.launch(&stream, &LaunchConfig::covering(4, 32), (&mut buffer, 2.0f32, 4u32)) }.unwrap();
    drop(buffer);
    simulator.release(&stream);
    stream.synchronize().unwrap();
    assert_eq!(simulator.live_count("memory"), before - 1);
    assert_eq!(simulator.violations(), [""; 0]);
}
