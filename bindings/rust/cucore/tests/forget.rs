// SPDX-License-Identifier: MIT OR Apache-2.0
//! Values that are forgotten instead of dropped, while work with them waits on a stream: something leaks, and nothing worse.

mod common;

use common::{device, fail_a_drop, simulator, Drops, Warnings, PTX};
use cucore::{callback, Buffer, ErrorKind, Event, HostBuffer, Kind, LaunchConfig, Library, MemoryResource, ObjectCode};
use cucore::{Stream, WarningQueue, WarningSink};
use std::mem::forget;
use std::thread;

fn host_and_device(stream: &Stream) -> (HostBuffer<f32>, Buffer<f32>) {
    let device = device();
    let host = MemoryResource::pinned(&device).unwrap().allocate_host(4, stream).unwrap();
    (host, MemoryResource::device_pool(&device).unwrap().upload(&[1.0; 4], stream).unwrap())
}

#[test]
#[allow(clippy::forget_non_drop)] // that dropping it does nothing is what makes this work
fn a_view_that_is_forgotten_still_counts_as_used() {
    let simulator = simulator();
    let before = simulator.violations();
    let (stream, other) = (Stream::new(&device()).unwrap(), Stream::new(&device()).unwrap());
    let (mut host, buffer) = host_and_device(&stream);
    simulator.hold(&other);
    let mut view = host.view_mut();
    view.copy_from(&buffer, &other).unwrap();
    forget(view);
    assert!(host.as_slice().is_err(), "a real driver would wait here; the simulated one refuses to wait for ever");
    assert!(host.as_mut_slice().is_err());
    simulator.release(&other);
    assert_eq!(host.as_slice().unwrap(), [1.0; 4]);
    assert_eq!(simulator.violations().len(), before.len() + 2, "the two waits");
}

#[test]
fn buffers_that_are_forgotten_live_on() {
    let simulator = simulator();
    let before = (simulator.live_count("memory"), simulator.live_count("host memory"), simulator.violations());
    let stream = Stream::new(&device()).unwrap();
    let (mut host, buffer) = host_and_device(&stream);
    simulator.hold(&stream);
    host.view_mut().copy_from(&buffer, &stream).unwrap();
    let lent = host.host_pointer();
    forget((host, buffer));
    simulator.release(&stream);
    // SAFETY: the memory is leaked, and the copy is done.
    assert_eq!(unsafe { *lent }, 1.0);
    stream.close().unwrap();
    let now = (simulator.live_count("memory"), simulator.live_count("host memory"), simulator.violations());
    assert_eq!(now, (before.0 + 1, before.1 + 1, before.2));
}

#[test]
fn a_launch_keeps_what_is_forgotten_and_what_is_dropped() {
    let simulator = simulator();
    let before = simulator.violations();
    let (stream, other) = (Stream::new(&device()).unwrap(), Stream::new(&device()).unwrap());
    let (mut host, mut buffer) = host_and_device(&stream);
    let code = ObjectCode::new(Kind::Ptx, PTX.as_bytes(), "test.ptx").unwrap();
    let scale = Library::load(&device(), &code).unwrap().kernel("scale").unwrap();
    let config = LaunchConfig::covering(4, 32);
    simulator.hold(&other);
    // SAFETY: the arguments are those of scale, which stays below count.
    unsafe {
        scale.launch(&other, &config, (&mut host, 2.0f32, 4u32)).unwrap();
        scale.launch(&other, &config, (&mut buffer, 2.0f32, 4u32)).unwrap();
    }
    forget((host, scale, other.clone()));
    drop(buffer);
    simulator.release(&other);
    other.synchronize().unwrap();
    assert_eq!(simulator.violations(), before);
}

#[test]
fn handles_that_are_forgotten_keep_their_resources() {
    let simulator = simulator();
    let before = simulator.live_count("stream");
    let stream = Stream::new(&device()).unwrap();
    let event = Event::new(&device()).unwrap();
    simulator.hold(&stream);
    event.record(&stream).unwrap();
    forget((stream.clone(), event));
    simulator.release(&stream);
    stream.close().unwrap();
    assert_eq!(simulator.live_count("stream"), before + 1);
}

#[test]
fn a_thread_that_forgets_that_it_was_in_a_callback_stays_in_it() {
    let _simulator = simulator();
    let stream = Stream::new(&device()).unwrap();
    let (host, buffer) = host_and_device(&stream);
    thread::scope(|scope| {
        let inside = scope.spawn(|| {
            forget(callback::enter().unwrap());
            assert_eq!(host.as_slice().unwrap_err().kind(), ErrorKind::InvalidState);
            assert_eq!(buffer.download(&stream).unwrap_err().kind(), ErrorKind::InvalidState);
        });
        inside.join().unwrap();
    });
    assert_eq!(host.as_slice().unwrap(), [0.0; 4]);
    assert_eq!(buffer.download(&stream).unwrap(), [1.0; 4]);
}

#[test]
fn sinks_and_queues_that_are_forgotten_stay() {
    let dropped = Drops::default();
    let (owner, warnings) = (dropped.owner(), Warnings::listen());
    forget(
        WarningSink::register(move |_| {
            let _ = &owner;
        })
        .unwrap(),
    );
    forget(WarningQueue::new(1).unwrap());
    fail_a_drop();
    assert_eq!((warnings.take().len(), dropped.count()), (1, 0));
}
