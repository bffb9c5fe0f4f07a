// SPDX-License-Identifier: MIT OR Apache-2.0
//! Buffers, and views of their parts.

mod common;

use common::{capturing, device, simulator, Warnings, LAUNCH_FAILED};
use cucore::{callback, Buffer, Device, ErrorKind, MemoryResource, PoolAttribute, PoolOptions, Stream, View};
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
    let most = isize::MAX as usize / 8;
    for len in [usize::MAX / 4, most + 1] {
        assert_eq!(pool.allocate::<u64>(len, &stream).unwrap_err().kind(), ErrorKind::InvalidArgument);
    }
    assert_eq!(pool.allocate::<u64>(most, &stream).unwrap_err().kind(), ErrorKind::OutOfMemory, "the driver was asked");
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

#[test]
fn c5_a_pool_is_destroyed_after_its_last_buffer() {
    let simulator = simulator();
    let (_, stream) = pool_and_stream();
    let before = simulator.live_count("pool");
    let options = PoolOptions::default().max_size(1 << 20).release_threshold(1 << 16);
    let pool = MemoryResource::create_pool(&device(), &options).unwrap();
    assert!(!pool.is_host_accessible());
    assert_eq!(pool.attribute(PoolAttribute::ReleaseThreshold).unwrap(), 1 << 16);
    let buffer = pool.upload(&[1u8, 2, 3], &stream).unwrap();
    drop(pool);
    assert_eq!(buffer.download(&stream).unwrap(), [1, 2, 3]);
    assert_eq!(buffer.device().ordinal(), 0);
    drop(buffer);
    assert_eq!(simulator.live_count("pool"), before);
}

#[test]
fn a_pool_has_attributes() {
    let _simulator = simulator();
    let (_, stream) = pool_and_stream();
    let pool = MemoryResource::create_pool(&device(), &PoolOptions::default()).unwrap();
    let buffer = pool.allocate::<u8>(4096, &stream).unwrap();
    assert!(pool.attribute(PoolAttribute::UsedCurrent).unwrap() >= 4096);
    assert!(pool.attribute(PoolAttribute::ReservedHigh).unwrap() >= 4096);
    pool.set_attribute(PoolAttribute::ReuseAllowOpportunistic, 0).unwrap();
    assert_eq!(pool.attribute(PoolAttribute::ReuseAllowOpportunistic).unwrap(), 0);
    let refused = pool.set_attribute(PoolAttribute::UsedCurrent, 0).unwrap_err();
    assert_eq!(refused.kind(), ErrorKind::InvalidArgument);
    drop(buffer);
    stream.synchronize().unwrap();
    pool.set_attribute(PoolAttribute::UsedHigh, 0).unwrap();
    pool.trim(0).unwrap();
    assert_eq!(pool.attribute(PoolAttribute::ReservedCurrent).unwrap(), 0);
}

#[test]
fn a_resource_without_a_pool_has_no_attributes() {
    let _simulator = simulator();
    let pinned = MemoryResource::pinned(&device()).unwrap();
    assert!(pinned.raw().is_null());
    let refused = [
        pinned.attribute(PoolAttribute::UsedCurrent).map(|_| ()),
        pinned.set_attribute(PoolAttribute::UsedHigh, 0),
        pinned.trim(0),
    ];
    for result in refused {
        assert_eq!(result.unwrap_err().kind(), ErrorKind::InvalidState);
    }
}

#[test]
fn a_buffer_is_copied_to_another() {
    let simulator = simulator();
    let (pool, stream) = pool_and_stream();
    let source = pool.upload(&[1u32, 2, 3, 4], &stream).unwrap();
    let mut destination = pool.upload(&[0u32; 4], &stream).unwrap();
    simulator.hold(&stream);
    destination.copy_from(&source, &stream).unwrap();
    assert!(!stream.is_done().unwrap(), "a copy between buffers does not wait");
    simulator.release(&stream);
    assert_eq!(destination.download(&stream).unwrap(), [1, 2, 3, 4]);
    destination.slice_mut(..2).copy_from(source.slice(2..), &stream).unwrap();
    assert_eq!(destination.download(&stream).unwrap(), [3, 4, 3, 4]);
    let (mut low, high) = destination.split_at_mut(2);
    low.copy_from(high.view().slice(..), &stream).unwrap();
    assert!(message_of_panic(|| low.copy_from(&source, &stream).unwrap()).contains("different lengths"));
}

#[test]
fn c10_memory_outlives_work_that_was_noted() {
    let simulator = simulator();
    let warnings = Warnings::listen();
    let (pool, stream) = pool_and_stream();
    let other = Stream::new(&device()).unwrap();
    let buffer = pool.upload(&[1u32, 2], &stream).unwrap();
    let mut seen = pool.upload(&[0u32; 2], &other).unwrap();
    simulator.hold(&other);
    seen.copy_from(&buffer, &other).unwrap();
    buffer.note_use(&other).unwrap();
    let foreign = Stream::new(&Device::open(1).unwrap()).unwrap();
    assert_eq!(buffer.note_use(&foreign).unwrap_err().kind(), ErrorKind::InvalidHandle);
    drop(buffer);
    simulator.release(&other);
    assert_eq!(seen.download(&other).unwrap(), [1, 2]);
    assert!(warnings.take().is_empty());
    assert_eq!(simulator.violations(), [""; 0]);
}

#[test]
fn a_buffer_waits_for_all_its_streams() {
    let simulator = simulator();
    let (pool, stream) = pool_and_stream();
    let other = Stream::new(&device()).unwrap();
    let mut buffer = pool.upload(&[0u32; 2], &stream).unwrap();
    buffer.fill(1, &other).unwrap();
    simulator.clear_calls();
    buffer.synchronize().unwrap();
    assert_eq!(simulator.call_count("cuStreamSynchronize"), 2);
}

#[test]
fn an_unchecked_copy_does_not_wait() {
    let simulator = simulator();
    let (pool, stream) = pool_and_stream();
    let mut buffer = pool.upload(&[0u32; 3], &stream).unwrap();
    let (source, mut destination) = (vec![1u32, 2, 3], vec![0u32; 2]);
    simulator.hold(&stream);
    // SAFETY: both vectors live and are left alone until the stream is synchronised.
    unsafe {
        buffer.view_mut().copy_from_host_unchecked(source.as_ptr(), &stream).unwrap();
        buffer.slice(1..).copy_to_host_unchecked(destination.as_mut_ptr(), &stream).unwrap();
    }
    assert!(!stream.is_done().unwrap());
    simulator.release(&stream);
    stream.synchronize().unwrap();
    assert_eq!(destination, [2, 3]);
}

#[test]
fn c13_a_buffer_dropped_while_its_stream_captures_is_freed_later() {
    let simulator = simulator();
    let warnings = Warnings::listen();
    let (pool, stream) = pool_and_stream();
    let buffer = pool.upload(&[1u32, 2], &stream).unwrap();
    let before = simulator.live_count("memory");
    assert!(capturing(&stream, || drop(buffer)));
    callback::deferred_drain().unwrap();
    stream.close().unwrap();
    callback::deferred_drain().unwrap();
    assert_eq!(simulator.live_count("memory"), before - 1);
    assert!(warnings.take().is_empty());
    assert_eq!(simulator.violations(), [""; 0]);
}
