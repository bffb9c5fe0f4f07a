// SPDX-License-Identifier: MIT OR Apache-2.0
//! The calls that programs make most, through cucore, through cudarc, and through the bare driver, in one process.
//!
//! Whichever side is being measured, all of them run, in batches that take turns in an order drawn by lot: what the driver does every
//! so many calls meets them alike. Criterion's estimates of the sides are still of different times, between which a shared machine's
//! speed changes. So the times of all batches are kept, and their medians shown after each group: these are of the same moments.

mod side;
mod with_cucore;
mod with_cudarc;
mod with_driver;

use criterion::{criterion_group, criterion_main, Criterion, SamplingMode};
use side::{Operation, Side};
use std::time::Duration;

/// The calls of a batch. Launches never fill the driver's queue, since the device is waited for after each batch.
const BATCH: u64 = 64;

/// A kernel of two parameters that does nothing.
const PTX: &str = "
.version 8.0
.target sm_75
.address_size 64

.visible .entry nothing(.param .u64 nothing_param_0, .param .u32 nothing_param_1)
{
    ret;
}
";

fn sides() -> Vec<Box<dyn Side>> {
    vec![
        Box::new(with_cucore::Calls::new().unwrap()),
        Box::new(with_cudarc::Calls::new(with_cudarc::Tracking::Off).unwrap()),
        Box::new(with_cudarc::Calls::new(with_cudarc::Tracking::On).unwrap()),
        Box::new(with_driver::Calls::new().unwrap()),
    ]
}

/// Orders drawn by lot, the same ones in each run.
struct Lots(u64);

impl Lots {
    fn shuffle(&mut self, order: &mut [usize]) {
        for last in (1..order.len()).rev() {
            self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            order.swap(last, (self.0 >> 33) as usize % (last + 1));
        }
    }
}

/// The sides, and the time of a call in each whole batch so far of one operation, in nanoseconds, by side.
struct Turns {
    sides: Vec<Box<dyn Side>>,
    times: Vec<Vec<f64>>,
    lots: Lots,
}

impl Turns {
    fn new(sides: Vec<Box<dyn Side>>) -> Turns {
        Turns { times: vec![Vec::new(); sides.len()], sides, lots: Lots(1) }
    }

    /// The time that the side at `measured` takes for so many calls, while all of them make as many.
    fn measure(&mut self, measured: usize, operation: Operation, calls: u64) -> Duration {
        let mut order: Vec<usize> = (0..self.sides.len()).collect();
        let (mut total, mut left) = (Duration::ZERO, calls);
        while left > 0 {
            let batch = left.min(BATCH);
            self.lots.shuffle(&mut order);
            for &index in &order {
                let time = self.sides[index].time(operation, batch);
                if batch == BATCH {
                    self.times[index].push(time.as_nanos() as f64 / BATCH as f64);
                }
                if index == measured {
                    total += time;
                }
            }
            left -= batch;
        }
        total
    }

    /// Prints the medians, and forgets the times.
    fn finish(&mut self, operation: Operation) {
        println!("{}: medians of {} batches of each", operation.name(), self.times[0].len());
        for (side, times) in self.sides.iter().zip(&mut self.times) {
            times.sort_by(f64::total_cmp);
            if let Some(median) = times.get(times.len() / 2) {
                println!("    {:<20} {median:8.1} ns", side.name());
            }
            times.clear();
        }
    }
}

fn beside_cudarc(criterion: &mut Criterion) {
    let mut turns = Turns::new(sides());
    for operation in Operation::ALL {
        let mut group = criterion.benchmark_group(operation.name());
        group.sampling_mode(SamplingMode::Flat);
        for measured in 0..turns.sides.len() {
            group.bench_function(turns.sides[measured].name(), |bencher| {
                bencher.iter_custom(|calls| turns.measure(measured, operation, calls));
            });
        }
        group.finish();
        turns.finish(operation);
    }
}

/// All of it takes a minute.
fn quick() -> Criterion {
    Criterion::default().sample_size(100).warm_up_time(Duration::from_millis(300)).measurement_time(Duration::from_secs(3))
}

criterion_group! {
    name = benches;
    config = quick();
    targets = beside_cudarc
}
criterion_main!(benches);
