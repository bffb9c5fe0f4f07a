// SPDX-License-Identifier: MIT OR Apache-2.0
use crate::side::{self, SIZE};
use crate::PTX;
use cucore::{Buffer, Device, Event, Kernel, Kind, LaunchConfig, Library, MemoryResource, ObjectCode, Result, Stream};

pub struct Calls {
    device: Device,
    stream: Stream,
    event: Event,
    pool: MemoryResource,
    kernel: Kernel,
    buffer: Buffer<u8>,
}

impl Calls {
    pub fn new() -> Result<Calls> {
        let device = Device::open(0)?;
        let stream = Stream::new(&device)?;
        let event = Event::new(&device)?;
        let pool = MemoryResource::device_pool(&device)?;
        let code = ObjectCode::new(Kind::Ptx, PTX.as_bytes(), "nothing.ptx")?;
        let kernel = Library::load(&device, &code)?.kernel("nothing")?;
        let buffer = pool.allocate(SIZE, &stream)?;
        Ok(Calls { device, stream, event, pool, kernel, buffer })
    }
}

impl side::Calls for Calls {
    fn name(&self) -> &'static str {
        "cucore"
    }

    fn event_create_drop(&self) {
        drop(Event::new(&self.device).unwrap());
    }

    fn event_record(&self) {
        self.event.record(&self.stream).unwrap();
    }

    fn allocate_drop(&self) {
        drop(self.pool.allocate::<u8>(SIZE, &self.stream).unwrap());
    }

    fn launch(&mut self) {
        let config = LaunchConfig::new([1, 1, 1], [32, 1, 1]);
        // SAFETY: the kernel takes a pointer and a 32-bit number, and does nothing with them.
        unsafe { self.kernel.launch(&self.stream, &config, (&mut self.buffer, 1u32)) }.unwrap();
    }

    fn synchronize(&self) {
        self.stream.synchronize().unwrap();
    }
}
