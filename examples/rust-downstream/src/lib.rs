// SPDX-License-Identifier: MIT OR Apache-2.0
//! Adds vectors on a GPU. What is of interest are its tests, which need none.

use cucore::{Device, Error, ErrorKind, Kernel, Kind, LaunchConfig, Library, MemoryResource, ObjectCode, Result, Stream};

/// What adds on one device.
pub struct Adder {
    stream: Stream,
    pool: MemoryResource,
    add: Kernel,
}

impl Adder {
    /// An adder on the device of this ordinal.
    pub fn new(ordinal: i32) -> Result<Adder> {
        let device = Device::open(ordinal)?;
        let code = ObjectCode::new(Kind::Ptx, include_bytes!("add.ptx"), "add.ptx")?;
        Ok(Adder {
            stream: Stream::new(&device)?,
            pool: MemoryResource::device_pool(&device)?,
            add: Library::load(&device, &code)?.kernel("add")?,
        })
    }

    /// The sums of the elements of `x` and `y`, which are as many.
    pub fn sum(&self, x: &[f32], y: &[f32]) -> Result<Vec<f32>> {
        let count = u32::try_from(x.len()).ok().filter(|_| x.len() == y.len());
        let count = count.ok_or_else(|| Error::new(ErrorKind::InvalidArgument, "two vectors of the same length are added"))?;
        let device_x = self.pool.upload(x, &self.stream)?;
        let mut device_y = self.pool.upload(y, &self.stream)?;
        let arguments = (&device_x, &mut device_y, count);
        // SAFETY: the arguments are those of add, which stays below n, the length of both.
        unsafe { self.add.launch(&self.stream, &LaunchConfig::covering(x.len(), 256), arguments) }?;
        device_y.download(&self.stream)
    }
}
