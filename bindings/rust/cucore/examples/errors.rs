// SPDX-License-Identifier: MIT OR Apache-2.0
//! What a program does with failures: those that calls return, by their kind, and those that no call can return, with a sink. On the
//! simulated driver failures are injected; on a GPU the first part alone is shown.

use cucore::{Device, ErrorKind, MemoryResource, Result, Stream, WarningSink};
use cucore_sim::Simulator;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::Arc;

const OUT_OF_MEMORY: i32 = 2;
const LAUNCH_FAILED: i32 = 719;

fn main() -> Result<()> {
    let warned = Arc::new(AtomicUsize::new(0));
    let counted = Arc::clone(&warned);
    let _sink = WarningSink::register(move |warning| {
        counted.fetch_add(1, Ordering::Relaxed);
        println!("warning: {warning}");
    })?;

    let device = open_first(&[99, 0])?;
    if let Some(simulator) = Simulator::attach() {
        retry_without_memory(&device, &simulator)?;
        fail_a_drop(&device, &simulator)?;
        assert_eq!(warned.load(Ordering::Relaxed), 1);
    }
    Ok(())
}

/// The first of these devices that there is. What else can fail is passed on.
fn open_first(ordinals: &[i32]) -> Result<Device> {
    let (last, others) = ordinals.split_last().expect("some ordinals");
    for &ordinal in others {
        match Device::open(ordinal) {
            Err(error) if error.kind() == ErrorKind::NotFound => println!("{error}"),
            other => return other,
        }
    }
    Device::open(*last)
}

/// Half as much will do where there is no memory for all.
fn retry_without_memory(device: &Device, simulator: &Simulator) -> Result<()> {
    let (stream, pool) = (Stream::new(device)?, MemoryResource::device_pool(device)?);
    simulator.fail("cuMemAllocFromPoolAsync", 1, OUT_OF_MEMORY, false);
    let buffer = match pool.allocate::<u8>(1 << 20, &stream) {
        Err(error) if error.kind() == ErrorKind::OutOfMemory => {
            println!("{error:?}"); // with the notes
            pool.allocate::<u8>(1 << 19, &stream)?
        }
        other => other?,
    };
    assert_eq!(buffer.len(), 1 << 19);
    buffer.close()
}

/// The same failure, returned by `close` and told to the sink by a drop.
fn fail_a_drop(device: &Device, simulator: &Simulator) -> Result<()> {
    simulator.fail("cuStreamDestroy", 1, LAUNCH_FAILED, false);
    let error = Stream::new(device)?.close().unwrap_err();
    assert_eq!((error.operation(), error.native_code()), ("cuStreamDestroy", i64::from(LAUNCH_FAILED)));

    simulator.fail("cuStreamDestroy", 1, LAUNCH_FAILED, false);
    drop(Stream::new(device)?);
    Ok(())
}
