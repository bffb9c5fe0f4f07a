// SPDX-License-Identifier: MIT OR Apache-2.0
use crate::{sys, Buffer, Result, View, ViewMut};
use bytemuck::Pod;
use std::fmt;
use std::ops::{Deref, RangeBounds};
use std::ptr::NonNull;
use std::slice;

/// What C aligns every buffer to, at least.
const ALIGNMENT: usize = 256;

/// A [`Buffer`] of memory that the host can use too, made by
/// [`MemoryResource::allocate_host`](crate::MemoryResource::allocate_host).
///
/// Its elements are lent after the work that was put on streams with it is done, and while they are, no work that would change
/// them, or read what the host changes, can be put on a stream:
///
/// ```compile_fail,E0502
/// # use cucore::{Buffer, HostBuffer, Result, Stream};
/// # fn example(host: &mut HostBuffer<u32>, device: &Buffer<u32>, stream: &Stream) -> Result<u32> {
/// let numbers = host.as_slice()?;
/// host.view_mut().copy_from(device, stream)?; // changes what `numbers` lends
/// # Ok(numbers[0])
/// # }
/// ```
///
/// ```compile_fail,E0502
/// # use cucore::{Buffer, HostBuffer, Result, Stream};
/// # fn example(host: &mut HostBuffer<u32>, device: &mut Buffer<u32>, stream: &Stream) -> Result<()> {
/// let numbers = host.as_mut_slice()?;
/// device.copy_from(&*host, stream)?; // reads what `numbers` may change
/// numbers[0] = 1;
/// # Ok(())
/// # }
/// ```
///
/// As with any buffer, work that only an address knows of is not waited for: see [`Buffer::note_use`].
///
/// ```
/// # use cucore::{Device, Stream};
/// use cucore::MemoryResource;
/// # cucore_sim::Simulator::install()?;
/// # let device = Device::open(0)?;
/// # let stream = Stream::new(&device)?;
///
/// let pinned = MemoryResource::pinned(&device)?;
/// let mut host = pinned.allocate_host::<f32>(3, &stream)?;
/// host.as_mut_slice()?.copy_from_slice(&[1.0, 2.0, 3.0]);
///
/// let mut buffer = MemoryResource::device_pool(&device)?.allocate::<f32>(3, &stream)?;
/// buffer.copy_from(&host, &stream)?; // does not wait: the memory is pinned
/// host.view_mut().fill(0.0, &stream)?; // in order after the copy
/// assert_eq!(host.as_slice()?, [0.0; 3]); // waits for both
/// assert_eq!(buffer.download(&stream)?, [1.0, 2.0, 3.0]);
/// # Ok::<(), cucore::Error>(())
/// ```
pub struct HostBuffer<T: Pod>(Buffer<T>);

impl<T: Pod> HostBuffer<T> {
    /// `buffer` comes from a resource whose buffers the host can use.
    pub(crate) fn of(buffer: Buffer<T>) -> HostBuffer<T> {
        const { assert!(align_of::<T>() <= ALIGNMENT, "a buffer's elements are aligned to at most 256") }
        HostBuffer(buffer)
    }

    /// Waits as [`Buffer::synchronize`] does, and lends the elements to read.
    ///
    /// ```
    /// # use cucore::{Device, Stream};
    /// use cucore::MemoryResource;
    /// # cucore_sim::Simulator::install()?;
    /// # let device = Device::open(0)?;
    /// # let stream = Stream::new(&device)?;
    ///
    /// let mut host = MemoryResource::pinned(&device)?.allocate_host::<u8>(2, &stream)?;
    /// host.view_mut().fill(7, &stream)?;
    /// assert_eq!(host.as_slice()?, [7, 7]);
    /// # Ok::<(), cucore::Error>(())
    /// ```
    pub fn as_slice(&self) -> Result<&[T]> {
        self.synchronize()?;
        let Some(first) = self.first() else { return Ok(&[]) };
        // SAFETY: the memory holds this many elements, aligned, and any bytes are a T. It is there, and nothing writes to it: the
        // work that was put on streams with it is done, and more that writes needs the buffer mutably.
        Ok(unsafe { slice::from_raw_parts(first.as_ptr(), self.len()) })
    }

    /// Waits as [`Buffer::synchronize`] does, and lends the elements to read and write.
    ///
    /// ```
    /// # use cucore::{Device, Stream};
    /// use cucore::MemoryResource;
    /// # cucore_sim::Simulator::install()?;
    /// # let device = Device::open(0)?;
    /// # let stream = Stream::new(&device)?;
    ///
    /// let mut host = MemoryResource::pinned(&device)?.allocate_host::<u8>(2, &stream)?;
    /// for (i, number) in host.as_mut_slice()?.iter_mut().enumerate() {
    ///     *number = i as u8;
    /// }
    /// assert_eq!(host.download(&stream)?, [0, 1]);
    /// # Ok::<(), cucore::Error>(())
    /// ```
    pub fn as_mut_slice(&mut self) -> Result<&mut [T]> {
        self.synchronize()?;
        let Some(first) = self.first() else { return Ok(&mut []) };
        // SAFETY: as for as_slice; and nothing reads it, since that needs the buffer.
        Ok(unsafe { slice::from_raw_parts_mut(first.as_ptr(), self.len()) })
    }

    /// The address by which the host uses the memory, NULL for an empty buffer. Whoever reads or writes there first waits for
    /// the work on streams that uses it.
    ///
    /// ```
    /// # use cucore::{Device, Stream};
    /// use cucore::MemoryResource;
    /// # cucore_sim::Simulator::install()?;
    /// # let device = Device::open(0)?;
    /// # let stream = Stream::new(&device)?;
    ///
    /// let host = MemoryResource::pinned(&device)?.allocate_host::<u8>(2, &stream)?;
    /// assert!(!host.host_pointer().is_null());
    /// # Ok::<(), cucore::Error>(())
    /// ```
    pub fn host_pointer(&self) -> *mut T {
        // SAFETY: the handle is alive.
        unsafe { sys::cucore_buffer_host_pointer(self.as_ptr()) }.cast()
    }

    fn first(&self) -> Option<NonNull<T>> {
        NonNull::new(self.host_pointer())
    }

    /// As [`Buffer::view_mut`].
    ///
    /// ```
    /// # use cucore::{Device, Stream};
    /// use cucore::MemoryResource;
    /// # cucore_sim::Simulator::install()?;
    /// # let device = Device::open(0)?;
    /// # let stream = Stream::new(&device)?;
    /// # let pool = MemoryResource::device_pool(&device)?;
    ///
    /// let mut host = MemoryResource::pinned(&device)?.allocate_host::<u8>(2, &stream)?;
    /// let buffer = pool.upload(&[4u8, 5], &stream)?;
    /// host.view_mut().copy_from(&buffer, &stream)?; // does not wait
    /// assert_eq!(host.as_slice()?, [4, 5]); // does
    /// # Ok::<(), cucore::Error>(())
    /// ```
    pub fn view_mut(&mut self) -> ViewMut<'_, T> {
        self.0.view_mut()
    }

    /// As [`Buffer::slice_mut`].
    ///
    /// ```
    /// # use cucore::{Device, Stream};
    /// use cucore::MemoryResource;
    /// # cucore_sim::Simulator::install()?;
    /// # let device = Device::open(0)?;
    /// # let stream = Stream::new(&device)?;
    ///
    /// let mut host = MemoryResource::pinned(&device)?.allocate_host::<u8>(3, &stream)?;
    /// host.view_mut().fill(1, &stream)?;
    /// host.slice_mut(1..).fill(2, &stream)?;
    /// assert_eq!(host.as_slice()?, [1, 2, 2]);
    /// # Ok::<(), cucore::Error>(())
    /// ```
    #[track_caller]
    pub fn slice_mut(&mut self, range: impl RangeBounds<usize>) -> ViewMut<'_, T> {
        self.0.slice_mut(range)
    }

    /// As [`Buffer::close`].
    ///
    /// ```
    /// # use cucore::{Device, Stream};
    /// use cucore::MemoryResource;
    /// # cucore_sim::Simulator::install()?;
    /// # let device = Device::open(0)?;
    /// # let stream = Stream::new(&device)?;
    ///
    /// let host = MemoryResource::pinned(&device)?.allocate_host::<u8>(3, &stream)?;
    /// host.close()?;
    /// # Ok::<(), cucore::Error>(())
    /// ```
    pub fn close(self) -> Result<()> {
        self.0.close()
    }
}

/// What does not write to it works as for any buffer.
impl<T: Pod> Deref for HostBuffer<T> {
    type Target = Buffer<T>;

    fn deref(&self) -> &Buffer<T> {
        &self.0
    }
}

/// A buffer that the host no longer looks into.
impl<T: Pod> From<HostBuffer<T>> for Buffer<T> {
    fn from(buffer: HostBuffer<T>) -> Self {
        buffer.0
    }
}

/// Gives the buffer back if the host cannot use its memory.
impl<T: Pod> TryFrom<Buffer<T>> for HostBuffer<T> {
    type Error = Buffer<T>;

    fn try_from(buffer: Buffer<T>) -> std::result::Result<Self, Buffer<T>> {
        if buffer.resource().is_host_accessible() {
            Ok(HostBuffer::of(buffer))
        } else {
            Err(buffer)
        }
    }
}

impl<'a, T: Pod> From<&'a HostBuffer<T>> for View<'a, T> {
    fn from(buffer: &'a HostBuffer<T>) -> Self {
        buffer.view()
    }
}

impl<'a, T: Pod> From<&'a mut HostBuffer<T>> for ViewMut<'a, T> {
    fn from(buffer: &'a mut HostBuffer<T>) -> Self {
        buffer.view_mut()
    }
}

impl<T: Pod> fmt::Debug for HostBuffer<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "HostBuffer({:#x}, len {})", self.raw(), self.len())
    }
}
