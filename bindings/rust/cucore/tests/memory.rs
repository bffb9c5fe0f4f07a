// SPDX-License-Identifier: MIT OR Apache-2.0
//! Buffers, and views of their parts.

mod common;

use common::{device, simulator, Warnings, LAUNCH_FAILED};
use cucore::{Buffer, Device, ErrorKind, MemoryResource, Stream, View};
use std::panic::{catch_unwind, AssertUnwindSafe};

fn pool_and_stream() -> (MemoryResource, Stream) {
    let device = device();
    (MemoryResource::device_pool(&device).unwrap(), Stream::new(&device).unwrap())
}

fn message_of_panic<R>(action: impl FnOnce() -> R) -> String {
    let Err(payload) = catch_unwind(AssertUnwindSafe(action)) else { panic!("it should panic") };
    payload.downcast_ref::<String>().expect("a message").clone()
}

#[test]
fn what_was_uploaded_can_be_downloaded() {
    let _simulator = simulator();
    let (pool, stream) = pool_and_stream();
    let numbers: Vec<f64> = (0..1000).map(f64::from).collect();
    let buffer = pool.upload(&numbers, &stream).unwrap();
    assert_eq!(buffer.len(), 1000);
    assert_ne!(buffer.raw(), 0);
    assert_eq!((buffer.stream().raw(), buffer.resource().raw()), (stream.raw(), pool.raw()));
    assert_eq!(buffer.download(&stream).unwrap(), numbers);
}

#[test]
fn a_view_is_a_part() {
    let _simulator = simulator();
    let (pool, stream) = pool_and_stream();
    let mut buffer = pool.upload(&[0u16, 1, 2, 3, 4, 5, 6, 7], &stream).unwrap();
    let part = buffer.slice(2..=5);
    assert_eq!(part.download(&stream).unwrap(), [2, 3, 4, 5]);
    assert_eq!(part.slice(1..3).download(&stream).unwrap(), [3, 4]);
    assert_eq!(part.slice(4..).len(), 0);
    buffer.slice_mut(6..).copy_from_host(&[60, 70], &stream).unwrap();
    let mut last = [0];
    View::from(&buffer).slice(7..).copy_to_host(&mut last, &stream).unwrap();
    assert_eq!(last, [70]);
}

#[test]
fn a_buffer_splits_into_parts_that_do_not_meet() {
    let _simulator = simulator();
    let (pool, stream) = pool_and_stream();
    let mut buffer = pool.upload(&[0u32; 5], &stream).unwrap();
    let (mut low, mut high) = buffer.split_at_mut(2);
    low.fill(1, &stream).unwrap();
    high.fill(2, &stream).unwrap();
    high.reborrow().slice_mut(..1).fill(3, &stream).unwrap();
    assert_eq!((low.len(), high.view().len()), (2, 3));
    assert_eq!(buffer.download(&stream).unwrap(), [1, 1, 3, 2, 2]);
}

#[test]
fn a_fill_repeats_elements_of_each_size() {
    let _simulator = simulator();
    let (pool, stream) = pool_and_stream();
    let mut bytes = pool.allocate::<[u8; 1]>(3, &stream).unwrap();
    bytes.fill([7], &stream).unwrap();
    assert_eq!(bytes.download(&stream).unwrap(), [[7]; 3]);
    let mut pairs = pool.allocate::<[u8; 2]>(3, &stream).unwrap();
    pairs.fill([1, 2], &stream).unwrap();
    assert_eq!(pairs.download(&stream).unwrap(), [[1, 2]; 3]);
    let mut floats = pool.allocate::<f32>(3, &stream).unwrap();
    floats.fill(0.5, &stream).unwrap();
    assert_eq!(floats.download(&stream).unwrap(), [0.5; 3]);
}

#[test]
fn an_empty_buffer_is_a_buffer() {
    let _simulator = simulator();
    let (pool, stream) = pool_and_stream();
    let mut buffer = pool.upload::<u64>(&[], &stream).unwrap();
    assert!(buffer.is_empty() && buffer.view().is_empty() && buffer.view_mut().is_empty());
    assert_eq!(buffer.download(&stream).unwrap(), [0; 0]);
    buffer.close().unwrap();
}

#[test]
fn a_buffer_too_large_to_address_is_refused() {
    let _simulator = simulator();
    let (pool, stream) = pool_and_stream();
    let error = pool.allocate::<u64>(usize::MAX / 4, &stream).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::InvalidArgument);
}

#[test]
fn ranges_outside_panic_as_slices_do() {
    let _simulator = simulator();
    let (pool, stream) = pool_and_stream();
    let mut buffer = pool.upload(&[1u8, 2, 3], &stream).unwrap();
    assert_eq!(message_of_panic(|| buffer.slice(2..4).len()), "range 2..4 lies outside of length 3");
    assert!(message_of_panic(|| buffer.slice(..).slice(..=usize::MAX).len()).contains("outside"));
    assert!(message_of_panic(|| buffer.split_at_mut(4).0.len()).contains("past the end"));
    assert!(message_of_panic(|| buffer.copy_from_host(&[1], &stream).unwrap()).contains("different lengths"));
    assert!(message_of_panic(|| buffer.copy_to_host(&mut [1], &stream).unwrap()).contains("different lengths"));
}

#[test]
fn a_failed_copy_is_returned() {
    let simulator = simulator();
    let (pool, stream) = pool_and_stream();
    let buffer = pool.upload(&[1u8, 2, 3], &stream).unwrap();
    simulator.fail("cuMemcpyDtoHAsync", 1, 1, false);
    assert_eq!(buffer.download(&stream).unwrap_err().operation(), "cuMemcpyDtoHAsync");
    let other = Stream::new(&Device::open(1).unwrap()).unwrap();
    assert_eq!(buffer.download(&other).unwrap_err().kind(), ErrorKind::InvalidHandle);
    assert_eq!(simulator.violations(), [""; 0]);
}

#[test]
fn a_failed_upload_leaves_nothing() {
    let simulator = simulator();
    let (pool, stream) = pool_and_stream();
    let before = simulator.live_list();
    simulator.fail("cuMemcpyHtoDAsync", 1, 1, false);
    pool.upload(&[1u8, 2, 3], &stream).unwrap_err();
    assert_eq!(simulator.live_list(), before);
}

#[test]
fn a_buffer_closes_with_its_failure() {
    let simulator = simulator();
    let warnings = Warnings::listen();
    let (pool, stream) = pool_and_stream();
    let buffer = pool.allocate::<u8>(16, &stream).unwrap();
    let address = buffer.raw();
    simulator.fail("cuMemFreeAsync", 1, LAUNCH_FAILED, false);
    let error = buffer.close().unwrap_err();
    assert_eq!((error.operation(), error.resource()), ("cuMemFreeAsync", address));
    assert!(warnings.take().is_empty());
}

#[test]
fn a_buffer_goes_through_c_and_back() {
    let _simulator = simulator();
    let (pool, stream) = pool_and_stream();
    let handle = pool.upload(&[1u32, 2], &stream).unwrap().into_ptr();
    // SAFETY: the only reference was just given away.
    let buffer: Buffer<u16> = unsafe { Buffer::from_ptr(handle) }.unwrap();
    assert_eq!(buffer.download(&stream).unwrap(), [1, 0, 2, 0]);
    assert_eq!(format!("{buffer:?}"), format!("Buffer({:#x}, len 4)", buffer.raw()));
}
