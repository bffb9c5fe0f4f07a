// SPDX-License-Identifier: MIT OR Apache-2.0
//! Buffers of memory that the host uses too.

mod common;

use common::{capturing, device, simulator, Warnings, LAUNCH_FAILED, PTX};
use cucore::{Buffer, ErrorKind, HostBuffer, Kind, LaunchConfig, Library, MemoryResource, ObjectCode, PoolOptions, Stream};
use std::thread;

fn resources() -> [MemoryResource; 2] {
    let device = device();
    [MemoryResource::pinned(&device), MemoryResource::create_pinned_pool(&device, &PoolOptions::default())].map(Result::unwrap)
}

fn host_buffer(elements: &[f32], stream: &Stream) -> HostBuffer<f32> {
    let mut buffer = MemoryResource::pinned(&device()).unwrap().allocate_host(elements.len(), stream).unwrap();
    buffer.as_mut_slice().unwrap().copy_from_slice(elements);
    buffer
}

#[test]
fn the_host_reads_and_writes_it() {
    let simulator = simulator();
    let before = simulator.violations();
    let stream = Stream::new(&device()).unwrap();
    for resource in resources() {
        assert!(resource.is_host_accessible());
        let mut buffer = resource.allocate_host::<u32>(4, &stream).unwrap();
        assert_eq!((buffer.len(), buffer.host_pointer().align_offset(256)), (4, 0));
        buffer.as_mut_slice().unwrap().copy_from_slice(&[1, 2, 3, 4]);
        buffer.slice_mut(2..).fill(9, &stream).unwrap();
        assert_eq!(buffer.as_slice().unwrap(), [1, 2, 9, 9]);
        assert_eq!(buffer.download(&stream).unwrap(), [1, 2, 9, 9]);
        buffer.close().unwrap();
    }
    assert_eq!(simulator.violations(), before);
}

/// What the driver gives may hold what was there before, or, to Rust, nothing that was ever written.
#[test]
fn it_is_zeroed() {
    let _simulator = simulator();
    let stream = Stream::new(&device()).unwrap();
    for resource in resources() {
        leave_dirty_memory();
        let lent = resource.allocate_host::<u64>(512, &stream).unwrap();
        assert_eq!(lent.as_slice().unwrap(), [0; 512]);
        leave_dirty_memory();
        let later = HostBuffer::try_from(resource.allocate::<u64>(512, &stream).unwrap()).unwrap();
        assert_eq!(later.as_slice().unwrap(), [0; 512]);
    }
}

/// The simulated driver's memory comes from malloc, which gives again what is freed here.
fn leave_dirty_memory() {
    drop((0..64).map(|_| vec![0xaau8; 8192]).collect::<Vec<_>>());
}

/// The work of the memory's last user is still on the stream, and may write to it, when the pool gives it again.
#[test]
fn it_is_zeroed_in_the_order_of_the_stream() {
    let simulator = simulator();
    let device = device();
    let stream = Stream::new(&device).unwrap();
    let pool = MemoryResource::create_pinned_pool(&device, &PoolOptions::default()).unwrap();
    simulator.hold(&stream);
    let zeroed = pool.allocate_host::<u32>(4, &stream).unwrap();
    assert!(zeroed.as_slice().is_err(), "a real driver would wait here; the simulated one refuses to wait for ever");
    simulator.release(&stream);
    assert_eq!(zeroed.as_slice().unwrap(), [0; 4]);
}

#[test]
fn one_that_cannot_be_zeroed_is_not_made() {
    let simulator = simulator();
    let device = device();
    let stream = Stream::new(&device).unwrap();
    let pool = MemoryResource::create_pinned_pool(&device, &PoolOptions::default()).unwrap();
    let before = simulator.live_list();
    simulator.fail("cuMemsetD8Async", 1, LAUNCH_FAILED, false);
    assert_eq!(pool.allocate_host::<u32>(4, &stream).unwrap_err().operation(), "cuMemsetD8Async");
    assert_eq!(simulator.live_list(), before);
}

#[test]
fn a_kernel_and_copies_use_it() {
    let _simulator = simulator();
    let device = device();
    let stream = Stream::new(&device).unwrap();
    let mut host = host_buffer(&[1.0, 2.0, 3.0], &stream);
    let code = ObjectCode::new(Kind::Ptx, PTX.as_bytes(), "test.ptx").unwrap();
    let scale = Library::load(&device, &code).unwrap().kernel("scale").unwrap();
    // SAFETY: the arguments are those of scale, which stays below count.
    unsafe { scale.launch(&stream, &LaunchConfig::covering(3, 32), (&mut host, 2.0f32, 3u32)) }.unwrap();
    let mut on_device = MemoryResource::device_pool(&device).unwrap().allocate::<f32>(3, &stream).unwrap();
    on_device.copy_from(&host, &stream).unwrap();
    assert_eq!(on_device.download(&stream).unwrap(), [2.0, 4.0, 6.0]);
    on_device.fill(0.5, &stream).unwrap();
    host.view_mut().copy_from(&on_device, &stream).unwrap();
    assert_eq!(host.as_slice().unwrap(), [0.5; 3]);
}

#[test]
fn it_is_lent_after_the_work_of_every_stream() {
    let simulator = simulator();
    let device = device();
    let (stream, other) = (Stream::new(&device).unwrap(), Stream::new(&device).unwrap());
    let mut host = host_buffer(&[0.0; 2], &stream);
    host.view_mut().fill(1.0, &other).unwrap();
    simulator.clear_calls();
    assert_eq!(host.as_slice().unwrap(), [1.0; 2]);
    assert_eq!(simulator.call_count("cuStreamSynchronize"), 2);
    simulator.hold(&other);
    host.view_mut().fill(2.0, &other).unwrap();
    assert!(host.as_slice().is_err(), "a real driver would wait here; the simulated one refuses to wait for ever");
    assert!(host.as_mut_slice().is_err());
    simulator.release(&other);
    assert_eq!(host.as_slice().unwrap(), [2.0; 2]);
}

#[test]
fn it_is_not_lent_if_the_waiting_fails() {
    let simulator = simulator();
    let stream = Stream::new(&device()).unwrap();
    let mut host = host_buffer(&[0.0; 2], &stream);
    for _ in 0..2 {
        simulator.fail("cuStreamSynchronize", 1, LAUNCH_FAILED, true);
        assert_eq!(host.as_slice().unwrap_err().native_code(), i64::from(LAUNCH_FAILED));
        assert_eq!(host.as_mut_slice().unwrap_err().native_code(), i64::from(LAUNCH_FAILED));
        simulator.fail_nothing();
    }
}

#[test]
fn it_is_not_lent_while_a_stream_that_uses_it_captures() {
    let _simulator = simulator();
    let device = device();
    let (stream, other) = (Stream::new(&device).unwrap(), Stream::new(&device).unwrap());
    let mut host = host_buffer(&[0.0; 2], &stream);
    host.view_mut().fill(1.0, &other).unwrap();
    other.synchronize().unwrap();
    capturing(&other, || assert_eq!(host.as_slice().unwrap_err().kind(), ErrorKind::InvalidState));
    assert_eq!(host.as_slice().unwrap(), [1.0; 2]);
}

#[test]
fn several_threads_read_it() {
    let _simulator = simulator();
    let stream = Stream::new(&device()).unwrap();
    let host = host_buffer(&[1.0, 2.0], &stream);
    let copies = thread::scope(|scope| {
        let readers = [(); 2].map(|()| scope.spawn(|| host.as_slice().unwrap().to_vec()));
        readers.map(|reader| reader.join().unwrap())
    });
    assert_eq!(copies, [[1.0, 2.0], [1.0, 2.0]]);
}

#[test]
fn an_empty_one_lends_nothing() {
    let _simulator = simulator();
    let stream = Stream::new(&device()).unwrap();
    for resource in resources() {
        let mut empty = resource.allocate_host::<u64>(0, &stream).unwrap();
        assert!(empty.is_empty() && empty.host_pointer().is_null());
        assert!(empty.as_slice().unwrap().is_empty() && empty.as_mut_slice().unwrap().is_empty());
    }
}

#[test]
fn device_memory_is_not_the_hosts() {
    let simulator = simulator();
    let device = device();
    let stream = Stream::new(&device).unwrap();
    let pool = MemoryResource::device_pool(&device).unwrap();
    let before = simulator.live_list();
    assert_eq!(pool.allocate_host::<u8>(1, &stream).unwrap_err().kind(), ErrorKind::InvalidArgument);
    let refused = HostBuffer::try_from(pool.allocate::<u8>(1, &stream).unwrap()).unwrap_err();
    assert_eq!(refused.len(), 1);
    drop(refused);
    assert_eq!(simulator.live_list(), before);
}

#[test]
fn it_becomes_any_buffer_and_back() {
    let _simulator = simulator();
    let stream = Stream::new(&device()).unwrap();
    let buffer = Buffer::from(host_buffer(&[1.0, 2.0], &stream));
    let mut host = HostBuffer::try_from(buffer).unwrap();
    host.as_mut_slice().unwrap()[0] = 3.0;
    assert_eq!(host.as_slice().unwrap(), [3.0, 2.0]);
    assert_eq!(format!("{host:?}"), format!("HostBuffer({:#x}, len 2)", host.raw()));
}

#[test]
fn a_free_that_fails_is_returned_or_a_warning() {
    let simulator = simulator();
    let warnings = Warnings::listen();
    let stream = Stream::new(&device()).unwrap();
    let (first, second) = (host_buffer(&[1.0], &stream), host_buffer(&[1.0], &stream));
    simulator.fail("cuMemFreeHost", 1, LAUNCH_FAILED, true);
    assert_eq!(first.close().unwrap_err().operation(), "cuMemFreeHost");
    drop(second);
    assert_eq!(warnings.operations(), ["cuMemFreeHost"]);
}
