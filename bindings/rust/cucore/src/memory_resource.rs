// SPDX-License-Identifier: MIT OR Apache-2.0
use crate::buffer::RawBuffer;
use crate::handle::{check, made, parent};
use crate::{sys, Buffer, Device, Error, ErrorKind, HostBuffer, Result, Stream};
use bytemuck::Pod;
use std::ptr;

shared_handle! {
    /// A memory resource: what allocates buffers. Buffers keep theirs alive.
    ///
    /// ```
    /// # use cucore::{Device, Stream};
    /// use cucore::{ErrorKind, MemoryResource};
    /// # cucore_sim::Simulator::install()?;
    /// # let device = Device::open(0)?;
    /// # let stream = Stream::new(&device)?;
    ///
    /// let pool = MemoryResource::device_pool(&device)?; // what most programs need
    /// let x = pool.upload(&[1.0f32, 2.0], &stream)?;
    /// let mut y = pool.allocate::<f32>(2, &stream)?;
    /// y.copy_from(&x, &stream)?;
    /// assert_eq!(y.download(&stream)?, [1.0, 2.0]);
    ///
    /// let too_much = pool.allocate::<u64>(1 << 50, &stream).unwrap_err();
    /// assert_eq!(too_much.kind(), ErrorKind::OutOfMemory);
    /// # Ok::<(), cucore::Error>(())
    /// ```
    MemoryResource: cucore_memory_resource, cucore_memory_resource_retain, cucore_memory_resource_release,
        cucore_memory_resource_close, raw,
        "let handle = MemoryResource::device_pool(&Device::open(0)?)?;"
}

/// How a memory pool is made.
///
/// ```
/// use cucore::{Device, MemoryResource, PoolAttribute, PoolOptions};
/// # cucore_sim::Simulator::install()?;
///
/// let device = Device::open(0)?;
/// let options = PoolOptions::default().release_threshold(64 << 20);
/// let pool = MemoryResource::create_pool(&device, &options)?;
/// assert_eq!(pool.attribute(PoolAttribute::ReleaseThreshold)?, 64 << 20);
/// # Ok::<(), cucore::Error>(())
/// ```
#[derive(Clone, Copy, Debug, Default)]
#[non_exhaustive]
pub struct PoolOptions {
    /// In bytes; needs CUDA 12.2. Default: no limit but the memory's.
    pub max_size: Option<u64>,
    /// Bytes that the pool keeps, when they are free, past a synchronisation. Default: it keeps all until it is trimmed or
    /// destroyed.
    pub release_threshold: Option<u64>,
}

impl PoolOptions {
    setters! {
        /// ```
        /// # use cucore::{Device, Stream};
        /// use cucore::{ErrorKind, MemoryResource, PoolOptions};
        /// # cucore_sim::Simulator::install()?;
        /// # let device = Device::open(0)?;
        /// # let stream = Stream::new(&device)?;
        ///
        /// let pool = MemoryResource::create_pool(&device, &PoolOptions::default().max_size(4 << 20))?;
        /// let error = pool.allocate::<u8>(1 << 30, &stream).unwrap_err();
        /// assert_eq!(error.kind(), ErrorKind::OutOfMemory);
        /// # Ok::<(), cucore::Error>(())
        /// ```
        max_size: u64,
        /// ```
        /// # use cucore::Device;
        /// use cucore::{MemoryResource, PoolAttribute, PoolOptions};
        /// # cucore_sim::Simulator::install()?;
        /// # let device = Device::open(0)?;
        ///
        /// let pool = MemoryResource::create_pool(&device, &PoolOptions::default().release_threshold(0))?;
        /// assert_eq!(pool.attribute(PoolAttribute::ReleaseThreshold)?, 0); // it keeps nothing
        /// # Ok::<(), cucore::Error>(())
        /// ```
        release_threshold: u64,
    }

    fn to_c(self) -> sys::cucore_memory_pool_options {
        sys::cucore_memory_pool_options {
            struct_size: size_of::<sys::cucore_memory_pool_options>(),
            max_size: self.max_size.unwrap_or(0),
            release_threshold: self.release_threshold.unwrap_or(0),
            has_release_threshold: self.release_threshold.is_some().into(),
            reserved: 0,
        }
    }
}

/// An attribute of a pool; sizes are in bytes, choices are 0 or 1.
///
/// ```
/// # use cucore::{Device, MemoryResource, Stream};
/// use cucore::PoolAttribute;
/// # cucore_sim::Simulator::install()?;
/// # let device = Device::open(0)?;
/// # let stream = Stream::new(&device)?;
/// # let pool = MemoryResource::device_pool(&device)?;
///
/// let buffer = pool.allocate::<u8>(1000, &stream)?;
/// assert!(pool.attribute(PoolAttribute::UsedCurrent)? >= 1000);
/// assert!(pool.attribute(PoolAttribute::ReservedCurrent)? >= pool.attribute(PoolAttribute::UsedCurrent)?);
/// # Ok::<(), cucore::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
#[repr(i32)]
pub enum PoolAttribute {
    /// 1 if memory freed on one stream may be reused on another that waits for an event recorded after the free. Can be set.
    ReuseFollowEventDependencies = sys::CUCORE_POOL_ATTRIBUTE_REUSE_FOLLOW_EVENT_DEPENDENCIES,
    /// 1 if memory may be reused on another stream once its free is seen to be done. Can be set.
    ReuseAllowOpportunistic = sys::CUCORE_POOL_ATTRIBUTE_REUSE_ALLOW_OPPORTUNISTIC,
    /// 1 if the driver may make a stream wait for another to reuse what that one freed. Can be set.
    ReuseAllowInternalDependencies = sys::CUCORE_POOL_ATTRIBUTE_REUSE_ALLOW_INTERNAL_DEPENDENCIES,
    /// What the pool keeps, when it is free, past a synchronisation. Can be set.
    ReleaseThreshold = sys::CUCORE_POOL_ATTRIBUTE_RELEASE_THRESHOLD,
    /// What the pool holds of the system's memory.
    ReservedCurrent = sys::CUCORE_POOL_ATTRIBUTE_RESERVED_CURRENT,
    /// The most that it held. Can be set to 0.
    ReservedHigh = sys::CUCORE_POOL_ATTRIBUTE_RESERVED_HIGH,
    /// What buffers use of it.
    UsedCurrent = sys::CUCORE_POOL_ATTRIBUTE_USED_CURRENT,
    /// The most that they used. Can be set to 0.
    UsedHigh = sys::CUCORE_POOL_ATTRIBUTE_USED_HIGH,
}

impl MemoryResource {
    /// The device's default memory pool. The pool itself is the driver's and is never destroyed.
    ///
    /// ```
    /// # use cucore::{Device, Stream};
    /// use cucore::MemoryResource;
    /// # cucore_sim::Simulator::install()?;
    /// # let device = Device::open(0)?;
    /// # let stream = Stream::new(&device)?;
    ///
    /// let pool = MemoryResource::device_pool(&device)?;
    /// let buffer = pool.allocate::<u8>(16, &stream)?;
    /// assert_eq!(buffer.len(), 16);
    /// # Ok::<(), cucore::Error>(())
    /// ```
    pub fn device_pool(device: &Device) -> Result<MemoryResource> {
        // SAFETY: the device is alive.
        made(|status| unsafe { sys::cucore_memory_resource_device_pool(device.as_ptr(), status) }).map(MemoryResource)
    }

    /// Makes a pool of device memory, destroyed after its last buffer.
    ///
    /// ```
    /// # use cucore::{Device, Stream};
    /// use cucore::{MemoryResource, PoolOptions};
    /// # cucore_sim::Simulator::install()?;
    /// # let device = Device::open(0)?;
    /// # let stream = Stream::new(&device)?;
    ///
    /// let pool = MemoryResource::create_pool(&device, &PoolOptions::default())?;
    /// let buffer = pool.allocate::<u8>(16, &stream)?;
    /// drop(pool); // destroyed after the buffer
    /// # Ok::<(), cucore::Error>(())
    /// ```
    pub fn create_pool(device: &Device, options: &PoolOptions) -> Result<MemoryResource> {
        let options = options.to_c();
        // SAFETY: the device is alive, the options are read during the call.
        made(|status| unsafe { sys::cucore_memory_resource_create_pool(device.as_ptr(), &options, status) }).map(MemoryResource)
    }

    /// Makes a pool of host memory that the device can use too, destroyed after its last buffer. Drivers before CUDA 13.0 have
    /// no such pools: see [`pinned`](Self::pinned).
    ///
    /// ```
    /// # use cucore::{Device, Stream};
    /// use cucore::{MemoryResource, PoolOptions};
    /// # cucore_sim::Simulator::install()?;
    /// # let device = Device::open(0)?;
    /// # let stream = Stream::new(&device)?;
    ///
    /// let pool = MemoryResource::create_pinned_pool(&device, &PoolOptions::default())?;
    /// let mut host = pool.allocate_host::<u32>(4, &stream)?;
    /// host.as_mut_slice()?.fill(7);
    /// # Ok::<(), cucore::Error>(())
    /// ```
    pub fn create_pinned_pool(device: &Device, options: &PoolOptions) -> Result<MemoryResource> {
        let options = options.to_c();
        // SAFETY: the device is alive, the options are read during the call.
        made(|status| unsafe { sys::cucore_memory_resource_create_pinned_pool(device.as_ptr(), &options, status) })
            .map(MemoryResource)
    }

    /// Host memory that the device can use too, an allocation of its own for each buffer. That is slow, a millisecond, and
    /// works with every driver. The free waits, in the calling thread, until the work on the buffer's streams is done.
    ///
    /// ```
    /// # use cucore::{Device, Stream};
    /// use cucore::MemoryResource;
    /// # cucore_sim::Simulator::install()?;
    /// # let device = Device::open(0)?;
    /// # let stream = Stream::new(&device)?;
    ///
    /// let pinned = MemoryResource::pinned(&device)?;
    /// let mut host = pinned.allocate_host::<u32>(4, &stream)?; // make it once, use it often
    /// host.as_mut_slice()?.fill(7);
    /// # Ok::<(), cucore::Error>(())
    /// ```
    pub fn pinned(device: &Device) -> Result<MemoryResource> {
        // SAFETY: the device is alive.
        made(|status| unsafe { sys::cucore_memory_resource_pinned(device.as_ptr(), status) }).map(MemoryResource)
    }

    /// The `CUmemoryPool`, NULL if it has none.
    ///
    /// ```
    /// # use cucore::Device;
    /// use cucore::MemoryResource;
    /// # cucore_sim::Simulator::install()?;
    /// # let device = Device::open(0)?;
    ///
    /// assert!(!MemoryResource::device_pool(&device)?.raw().is_null());
    /// assert!(MemoryResource::pinned(&device)?.raw().is_null()); // no pool behind it
    /// # Ok::<(), cucore::Error>(())
    /// ```
    pub fn raw(&self) -> *mut sys::CUmemPoolHandle_st {
        // SAFETY: the handle is alive.
        unsafe { sys::cucore_memory_resource_raw(self.as_ptr()) }
    }

    /// The device that it allocates on.
    ///
    /// ```
    /// use cucore::{Device, MemoryResource};
    /// # cucore_sim::Simulator::install()?;
    ///
    /// let pool = MemoryResource::device_pool(&Device::open(1)?)?;
    /// assert_eq!(pool.device().ordinal(), 1);
    /// # Ok::<(), cucore::Error>(())
    /// ```
    pub fn device(&self) -> Device {
        // SAFETY: the handle is alive, and the reference it gives is new.
        Device(parent(unsafe { sys::cucore_memory_resource_device(self.as_ptr()) }))
    }

    /// Whether the host can use its buffers: see [`allocate_host`](Self::allocate_host).
    ///
    /// ```
    /// # use cucore::Device;
    /// use cucore::MemoryResource;
    /// # cucore_sim::Simulator::install()?;
    /// # let device = Device::open(0)?;
    ///
    /// assert!(!MemoryResource::device_pool(&device)?.is_host_accessible());
    /// assert!(MemoryResource::pinned(&device)?.is_host_accessible());
    /// # Ok::<(), cucore::Error>(())
    /// ```
    pub fn is_host_accessible(&self) -> bool {
        // SAFETY: the handle is alive.
        unsafe { sys::cucore_memory_resource_is_host_accessible(self.as_ptr()) != 0 }
    }

    /// An attribute of its pool.
    ///
    /// ```
    /// # use cucore::{Device, MemoryResource, Stream};
    /// use cucore::PoolAttribute;
    /// # cucore_sim::Simulator::install()?;
    /// # let device = Device::open(0)?;
    /// # let stream = Stream::new(&device)?;
    /// # let pool = MemoryResource::device_pool(&device)?;
    ///
    /// let buffer = pool.allocate::<u8>(1000, &stream)?;
    /// assert!(pool.attribute(PoolAttribute::UsedCurrent)? >= 1000);
    /// # Ok::<(), cucore::Error>(())
    /// ```
    pub fn attribute(&self, attribute: PoolAttribute) -> Result<u64> {
        let mut value = 0;
        // SAFETY: the handle is alive; the value is written before we read it.
        check(|status| unsafe { sys::cucore_memory_resource_attribute(self.as_ptr(), attribute as i32, &mut value, status) })?;
        Ok(value)
    }

    /// Sets an attribute of its pool.
    ///
    /// ```
    /// # use cucore::{Device, MemoryResource, Stream};
    /// use cucore::PoolAttribute;
    /// # cucore_sim::Simulator::install()?;
    /// # let device = Device::open(0)?;
    /// # let stream = Stream::new(&device)?;
    /// # let pool = MemoryResource::device_pool(&device)?;
    ///
    /// drop(pool.allocate::<u8>(1000, &stream)?);
    /// stream.synchronize()?;
    /// pool.set_attribute(PoolAttribute::UsedHigh, 0)?; // counts from here on
    /// assert_eq!(pool.attribute(PoolAttribute::UsedHigh)?, 0);
    /// # Ok::<(), cucore::Error>(())
    /// ```
    pub fn set_attribute(&self, attribute: PoolAttribute, value: u64) -> Result<()> {
        // SAFETY: the handle is alive.
        check(|status| unsafe { sys::cucore_memory_resource_set_attribute(self.as_ptr(), attribute as i32, value, status) })
    }

    /// Gives memory that is free in its pool back to the system until no more than `keep` bytes are reserved, or no more can be
    /// given.
    ///
    /// ```
    /// # use cucore::{Device, Stream};
    /// use cucore::{MemoryResource, PoolAttribute, PoolOptions};
    /// # cucore_sim::Simulator::install()?;
    /// # let device = Device::open(0)?;
    /// # let stream = Stream::new(&device)?;
    ///
    /// let pool = MemoryResource::create_pool(&device, &PoolOptions::default())?;
    /// drop(pool.allocate::<u8>(1 << 20, &stream)?);
    /// stream.synchronize()?;
    /// pool.trim(0)?;
    /// assert_eq!(pool.attribute(PoolAttribute::ReservedCurrent)?, 0);
    /// # Ok::<(), cucore::Error>(())
    /// ```
    pub fn trim(&self, keep: usize) -> Result<()> {
        // SAFETY: the handle is alive.
        check(|status| unsafe { sys::cucore_memory_resource_trim(self.as_ptr(), keep, status) })
    }

    /// Allocates `len` elements in the order of `stream`. What they hold is unspecified; if the host can use the memory it is
    /// zeroed.
    ///
    /// ```
    /// # use cucore::{Device, MemoryResource, Stream};
    /// # cucore_sim::Simulator::install()?;
    /// # let device = Device::open(0)?;
    /// # let stream = Stream::new(&device)?;
    /// # let pool = MemoryResource::device_pool(&device)?;
    /// let mut buffer = pool.allocate::<f32>(1000, &stream)?;
    /// buffer.fill(0.0, &stream)?; // in order after the allocation
    /// assert_eq!(buffer.download(&stream)?, [0.0; 1000]);
    /// # Ok::<(), cucore::Error>(())
    /// ```
    ///
    /// Elements have a size:
    ///
    /// ```compile_fail,E0080
    /// # fn example(pool: &cucore::MemoryResource, stream: &cucore::Stream) -> cucore::Result<cucore::Buffer<()>> {
    /// pool.allocate(16, stream)
    /// # }
    /// # fn main() { drop(example as fn(&_, &_) -> _) }
    /// ```
    pub fn allocate<T: Pod>(&self, len: usize, stream: &Stream) -> Result<Buffer<T>> {
        let size = byte_size::<T>(len)?;
        // SAFETY: both handles are alive.
        let raw = made(|status| unsafe { sys::cucore_memory_resource_allocate(self.as_ptr(), size, stream.as_ptr(), status) })?;
        let buffer = Buffer::of(RawBuffer(raw), len);
        if self.is_host_accessible() {
            self.zero(&buffer, size, stream)?;
        }
        Ok(buffer)
    }

    /// Rust may only read memory that was written, and a [`HostBuffer`] lends this.
    fn zero<T: Pod>(&self, buffer: &Buffer<T>, size: usize, stream: &Stream) -> Result<()> {
        if !self.raw().is_null() {
            // SAFETY: both handles are alive. Work on the stream may still use what the pool gave.
            return check(|status| unsafe { sys::cucore_buffer_fill(buffer.as_ptr(), 0, size, 0, 1, stream.as_ptr(), status) });
        }
        // SAFETY: the handle is alive.
        let first = unsafe { sys::cucore_buffer_host_pointer(buffer.as_ptr()) };
        if !first.is_null() {
            // SAFETY: the memory has that size, and, new as it is, nothing uses it.
            unsafe { ptr::write_bytes(first.cast::<u8>(), 0, size) };
        }
        Ok(())
    }

    /// As [`allocate`](Self::allocate), of memory that the host can use: the resource is a pinned one.
    ///
    /// ```
    /// # use cucore::{Device, Stream};
    /// use cucore::{ErrorKind, MemoryResource};
    /// # cucore_sim::Simulator::install()?;
    /// # let device = Device::open(0)?;
    /// # let stream = Stream::new(&device)?;
    /// # let pool = MemoryResource::device_pool(&device)?;
    ///
    /// let mut host = MemoryResource::pinned(&device)?.allocate_host::<u8>(2, &stream)?;
    /// host.as_mut_slice()?.copy_from_slice(&[1, 2]);
    ///
    /// let error = pool.allocate_host::<u8>(2, &stream).unwrap_err();
    /// assert_eq!(error.kind(), ErrorKind::InvalidArgument); // device memory
    /// # Ok::<(), cucore::Error>(())
    /// ```
    pub fn allocate_host<T: Pod>(&self, len: usize, stream: &Stream) -> Result<HostBuffer<T>> {
        if !self.is_host_accessible() {
            return Err(Error::new(ErrorKind::InvalidArgument, "the host cannot use the buffers of this memory resource"));
        }
        Ok(HostBuffer::of(self.allocate(len, stream)?))
    }

    /// Allocates a buffer in the order of `stream` and copies `source` into it; the copy is done on return.
    ///
    /// ```
    /// # use cucore::{Device, MemoryResource, Stream};
    /// # cucore_sim::Simulator::install()?;
    /// # let device = Device::open(0)?;
    /// # let stream = Stream::new(&device)?;
    /// # let pool = MemoryResource::device_pool(&device)?;
    /// let buffer = pool.upload(&[1u8, 2, 3], &stream)?;
    /// assert_eq!(buffer.download(&stream)?, [1, 2, 3]);
    /// # Ok::<(), cucore::Error>(())
    /// ```
    pub fn upload<T: Pod>(&self, source: &[T], stream: &Stream) -> Result<Buffer<T>> {
        let mut buffer = self.allocate(source.len(), stream)?;
        buffer.copy_from_host(source, stream)?;
        Ok(buffer)
    }
}

fn byte_size<T: Pod>(len: usize) -> Result<usize> {
    const { assert!(size_of::<T>() > 0, "a buffer's elements have a size") }
    let size = len.checked_mul(size_of::<T>());
    size.filter(|&size| isize::try_from(size).is_ok()).ok_or_else(|| {
        let message = format!("{len} elements of {} bytes are more than can be addressed", size_of::<T>());
        Error::new(ErrorKind::InvalidArgument, &message)
    })
}
