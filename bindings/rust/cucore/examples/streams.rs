// SPDX-License-Identifier: MIT OR Apache-2.0
//! Two streams that hand a buffer to each other with events, so that each step finds what the one before left. On the simulated
//! driver it then holds the first stream's work, and shows that the second waits.

use cucore::{Device, Event, Kernel, Kind, LaunchConfig, Library, MemoryResource, ObjectCode, Result, Stream};
use cucore_sim::Simulator;

const COUNT: usize = 1000;

struct Pair {
    streams: [Stream; 2],
    done: Event,
    scale: Kernel,
    pool: MemoryResource,
}

fn main() -> Result<()> {
    let device = Device::open(0)?;
    let code = ObjectCode::new(Kind::Ptx, include_bytes!("scale.ptx"), "scale.ptx")?;
    let pair = Pair {
        streams: [Stream::new(&device)?, Stream::new(&device)?],
        done: Event::new(&device)?,
        scale: Library::load(&device, &code)?.kernel("scale")?,
        pool: MemoryResource::device_pool(&device)?,
    };
    pair.alternate(4)?;
    if let Some(simulator) = Simulator::attach() {
        pair.prove_order(&simulator)?;
    }
    println!("two streams on {}: in order", device.name());
    Ok(())
}

impl Pair {
    /// Fills on one stream and scales on the other, so many times, each step after the one before.
    fn alternate(&self, rounds: usize) -> Result<()> {
        let [filling, scaling] = &self.streams;
        let mut x = self.pool.allocate::<f32>(COUNT, filling)?;
        for round in 1..=rounds {
            x.fill(round as f32, filling)?;
            self.hand_over(filling, scaling)?;
            // SAFETY: the arguments are those of scale, which stays below n.
            unsafe { self.scale.launch(scaling, &LaunchConfig::covering(COUNT, 256), (&mut x, 10.0f32, COUNT as u32)) }?;
            self.hand_over(scaling, filling)?;
            assert_eq!(x.download(filling)?, [10.0 * round as f32; COUNT]);
        }
        Ok(())
    }

    /// What is put on `to` from now on begins after what is on `from`.
    fn hand_over(&self, from: &Stream, to: &Stream) -> Result<()> {
        self.done.record(from)?;
        to.wait_event(&self.done)
    }

    /// While the first stream's work is held the second's is not done either.
    fn prove_order(&self, simulator: &Simulator) -> Result<()> {
        let [first, second] = &self.streams;
        let (mut x, mut y) = (self.pool.upload(&[0u32], first)?, self.pool.upload(&[0u32], second)?);
        first.synchronize()?;
        simulator.hold(first);
        x.fill(1, first)?;
        self.hand_over(first, second)?;
        y.copy_from(&x, second)?;
        assert!(!second.is_done()?);
        simulator.release(first);
        assert_eq!(y.download(second)?, [1]);
        Ok(())
    }
}
