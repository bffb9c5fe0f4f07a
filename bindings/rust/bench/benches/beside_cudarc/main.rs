// SPDX-License-Identifier: MIT OR Apache-2.0
//! The calls that programs make most, through cucore, through cudarc, and through the bare driver, in one process.
//!
//! Whichever side is being measured, all of them run, in batches that take turns in an order drawn by lot: what slows the machine
//! down for a while, or what the driver does every so many calls, meets them alike.

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

/// The time that the side at `measured` takes for so many calls, while all of them make as many.
fn measure(sides: &mut [Box<dyn Side>], measured: usize, operation: Operation, calls: u64, lots: &mut Lots) -> Duration {
    let mut order: Vec<usize> = (0..sides.len()).collect();
    let (mut total, mut left) = (Duration::ZERO, calls);
    while left > 0 {
        let batch = left.min(BATCH);
        lots.shuffle(&mut order);
        for &index in &order {
            let time = sides[index].time(operation, batch);
            if index == measured {
                total += time;
            }
        }
        left -= batch;
    }
    total
}

fn beside_cudarc(criterion: &mut Criterion) {
    let (mut sides, mut lots) = (sides(), Lots(1));
    for operation in Operation::ALL {
        let mut group = criterion.benchmark_group(operation.name());
        group.sampling_mode(SamplingMode::Flat);
        for measured in 0..sides.len() {
            group.bench_function(sides[measured].name(), |bencher| {
                bencher.iter_custom(|calls| measure(&mut sides, measured, operation, calls, &mut lots));
            });
        }
        group.finish();
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
