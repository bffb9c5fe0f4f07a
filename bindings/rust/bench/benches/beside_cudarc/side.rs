// SPDX-License-Identifier: MIT OR Apache-2.0
//! What each side does, and how it is timed.

use std::time::{Duration, Instant};

#[derive(Clone, Copy)]
pub enum Operation {
    EventCreateDrop,
    EventRecord,
    AllocateDrop,
    Launch,
}

impl Operation {
    pub const ALL: [Operation; 4] =
        [Operation::EventCreateDrop, Operation::EventRecord, Operation::AllocateDrop, Operation::Launch];

    pub fn name(self) -> &'static str {
        match self {
            Operation::EventCreateDrop => "event create+drop",
            Operation::EventRecord => "event record",
            Operation::AllocateDrop => "allocate+drop 4 KiB",
            Operation::Launch => "launch, two arguments",
        }
    }
}

/// The bytes of an allocation.
pub const SIZE: usize = 4096;

/// The calls of one side. Events do not measure time; allocations are in the order of the stream, from the device's default pool;
/// a launch has a buffer and a 32-bit number.
pub trait Calls {
    fn name(&self) -> &'static str;
    fn event_create_drop(&self);
    fn event_record(&self);
    fn allocate_drop(&self);
    fn launch(&mut self);
    fn synchronize(&self);
}

/// [`Calls`] in batches, so that what is timed is not called through a table.
pub trait Side {
    fn name(&self) -> &'static str;

    /// The time of so many calls in a row. The device is then waited for, outside of the time.
    fn time(&mut self, operation: Operation, calls: u64) -> Duration;
}

impl<C: Calls> Side for C {
    fn name(&self) -> &'static str {
        Calls::name(self)
    }

    fn time(&mut self, operation: Operation, calls: u64) -> Duration {
        let time = match operation {
            Operation::EventCreateDrop => timed(calls, || self.event_create_drop()),
            Operation::EventRecord => timed(calls, || self.event_record()),
            Operation::AllocateDrop => timed(calls, || self.allocate_drop()),
            Operation::Launch => timed(calls, || self.launch()),
        };
        self.synchronize();
        time
    }
}

fn timed(calls: u64, mut call: impl FnMut()) -> Duration {
    let start = Instant::now();
    for _ in 0..calls {
        call();
    }
    start.elapsed()
}
