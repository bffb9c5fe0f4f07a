// SPDX-License-Identifier: MIT OR Apache-2.0
use crate::buffer::RawBuffer;
use crate::handle::{check, made, parent};
use crate::{sys, Buffer, Device, Error, ErrorKind, HostBuffer, Result, Stream};
use bytemuck::Pod;
use std::ptr;

shared_handle! {
    /// A memory resource: what allocates buffers. Buffers keep theirs alive.
    MemoryResource: cucore_memory_resource, cucore_memory_resource_retain, cucore_memory_resource_release,
        cucore_memory_resource_close, raw,
        "let handle = MemoryResource::device_pool(&Device::open(0)?)?;"
}

/// How a memory pool is made.
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
        max_size: u64,
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
    pub fn device_pool(device: &Device) -> Result<MemoryResource> {
        // SAFETY: the device is alive.
        made(|status| unsafe { sys::cucore_memory_resource_device_pool(device.as_ptr(), status) }).map(MemoryResource)
    }

    /// Makes a pool of device memory, destroyed after its last buffer.
    pub fn create_pool(device: &Device, options: &PoolOptions) -> Result<MemoryResource> {
        let options = options.to_c();
        // SAFETY: the device is alive, the options are read during the call.
        made(|status| unsafe { sys::cucore_memory_resource_create_pool(device.as_ptr(), &options, status) }).map(MemoryResource)
    }

    /// Makes a pool of host memory that the device can use too, destroyed after its last buffer. Drivers before CUDA 13.0 have
    /// no such pools: see [`pinned`](Self::pinned).
    pub fn create_pinned_pool(device: &Device, options: &PoolOptions) -> Result<MemoryResource> {
        let options = options.to_c();
        // SAFETY: the device is alive, the options are read during the call.
        made(|status| unsafe { sys::cucore_memory_resource_create_pinned_pool(device.as_ptr(), &options, status) })
            .map(MemoryResource)
    }

    /// Host memory that the device can use too, an allocation of its own for each buffer. That is slow, a millisecond, and
    /// works with every driver. The free waits, in the calling thread, until the work on the buffer's streams is done.
    pub fn pinned(device: &Device) -> Result<MemoryResource> {
        // SAFETY: the device is alive.
        made(|status| unsafe { sys::cucore_memory_resource_pinned(device.as_ptr(), status) }).map(MemoryResource)
    }

    /// The `CUmemoryPool`, NULL if it has none.
    pub fn raw(&self) -> *mut sys::CUmemPoolHandle_st {
        // SAFETY: the handle is alive.
        unsafe { sys::cucore_memory_resource_raw(self.as_ptr()) }
    }

    /// The device that it allocates on.
    pub fn device(&self) -> Device {
        // SAFETY: the handle is alive, and the reference it gives is new.
        Device(parent(unsafe { sys::cucore_memory_resource_device(self.as_ptr()) }))
    }

    /// Whether the host can use its buffers: see [`allocate_host`](Self::allocate_host).
    pub fn is_host_accessible(&self) -> bool {
        // SAFETY: the handle is alive.
        unsafe { sys::cucore_memory_resource_is_host_accessible(self.as_ptr()) != 0 }
    }

    /// An attribute of its pool.
    pub fn attribute(&self, attribute: PoolAttribute) -> Result<u64> {
        let mut value = 0;
        // SAFETY: the handle is alive; the value is written before we read it.
        check(|status| unsafe { sys::cucore_memory_resource_attribute(self.as_ptr(), attribute as i32, &mut value, status) })?;
        Ok(value)
    }

    /// Sets an attribute of its pool.
    pub fn set_attribute(&self, attribute: PoolAttribute, value: u64) -> Result<()> {
        // SAFETY: the handle is alive.
        check(|status| unsafe { sys::cucore_memory_resource_set_attribute(self.as_ptr(), attribute as i32, value, status) })
    }

    /// Gives memory that is free in its pool back to the system until no more than `keep` bytes are reserved, or no more can be
    /// given.
    pub fn trim(&self, keep: usize) -> Result<()> {
        // SAFETY: the handle is alive.
        check(|status| unsafe { sys::cucore_memory_resource_trim(self.as_ptr(), keep, status) })
    }

    /// Allocates `len` elements in the order of `stream`. What they hold is unspecified; if the host can use the memory it is
    /// zeroed. Elements have a size:
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
    pub fn allocate_host<T: Pod>(&self, len: usize, stream: &Stream) -> Result<HostBuffer<T>> {
        if !self.is_host_accessible() {
            return Err(Error::new(ErrorKind::InvalidArgument, "the host cannot use the buffers of this memory resource"));
        }
        Ok(HostBuffer::of(self.allocate(len, stream)?))
    }

    /// Allocates a buffer in the order of `stream` and copies `source` into it; the copy is done on return.
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
