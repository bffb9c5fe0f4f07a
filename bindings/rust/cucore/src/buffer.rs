// SPDX-License-Identifier: MIT OR Apache-2.0
use crate::handle::{check, parent};
use crate::{sys, Device, MemoryResource, Result, Stream};
use bytemuck::Pod;
use std::fmt;
use std::marker::PhantomData;
use std::ops::{Bound, RangeBounds};

owned_handle! {
    /// The C handle of a buffer, without its element type.
    RawBuffer: cucore_buffer, cucore_buffer_release, cucore_buffer_close, address
}

// SAFETY: C allows any thread to make any call on a buffer, and a buffer holds nothing of a thread's.
unsafe impl Send for RawBuffer {}
// SAFETY: C allows any threads to make any calls on a shared handle, at once.
unsafe impl Sync for RawBuffer {}

impl RawBuffer {
    fn address(&self) -> u64 {
        // SAFETY: the handle is alive.
        unsafe { sys::cucore_buffer_raw(self.as_ptr()) }
    }
}

/// Device memory that holds `len` elements of type `T`.
///
/// Dropping it frees the memory in stream order on the stream that it was allocated on, after all work that this crate put on
/// any stream with it. Copies to and from plain host memory are done when they return; copies between buffers are not, and order
/// between streams is the caller's matter ([`Stream::wait_event`], [`Stream::wait_stream`]).
///
/// ```
/// # use cucore::{Device, Stream};
/// use cucore::MemoryResource;
/// # cucore_sim::Simulator::install()?;
/// # let device = Device::open(0)?;
/// # let stream = Stream::new(&device)?;
///
/// let pool = MemoryResource::device_pool(&device)?;
/// let mut numbers = pool.allocate::<u32>(4, &stream)?;
/// numbers.fill(7, &stream)?;
/// numbers.slice_mut(..2).copy_from_host(&[1, 2], &stream)?;
/// assert_eq!(numbers.download(&stream)?, [1, 2, 7, 7]);
///
/// drop(stream); // the buffer keeps the stream that it is freed on alive
/// numbers.close()?;
/// # Ok::<(), cucore::Error>(())
/// ```
pub struct Buffer<T: Pod> {
    raw: RawBuffer,
    len: usize,
    element: PhantomData<T>,
}

impl<T: Pod> Buffer<T> {
    pub(crate) fn of(raw: RawBuffer, len: usize) -> Buffer<T> {
        Buffer { raw, len, element: PhantomData }
    }

    /// How many elements it holds.
    ///
    /// ```
    /// # use cucore::{Device, MemoryResource, Stream};
    /// # cucore_sim::Simulator::install()?;
    /// # let device = Device::open(0)?;
    /// # let stream = Stream::new(&device)?;
    /// # let pool = MemoryResource::device_pool(&device)?;
    /// let buffer = pool.allocate::<f64>(100, &stream)?;
    /// assert_eq!(buffer.len(), 100); // elements, not bytes
    /// # Ok::<(), cucore::Error>(())
    /// ```
    pub fn len(&self) -> usize {
        self.len
    }

    /// Whether it holds no element.
    ///
    /// ```
    /// # use cucore::{Device, MemoryResource, Stream};
    /// # cucore_sim::Simulator::install()?;
    /// # let device = Device::open(0)?;
    /// # let stream = Stream::new(&device)?;
    /// # let pool = MemoryResource::device_pool(&device)?;
    /// let buffer = pool.allocate::<u8>(0, &stream)?;
    /// assert!(buffer.is_empty());
    /// # Ok::<(), cucore::Error>(())
    /// ```
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// The device address, 0 for an empty buffer. What the caller does with it is not known to the library, unless
    /// [`note_use`](Self::note_use) says so.
    ///
    /// ```
    /// # use cucore::{Device, MemoryResource, Stream};
    /// # cucore_sim::Simulator::install()?;
    /// # let device = Device::open(0)?;
    /// # let stream = Stream::new(&device)?;
    /// # let pool = MemoryResource::device_pool(&device)?;
    /// let (some, none) = (pool.allocate::<u8>(16, &stream)?, pool.allocate::<u8>(0, &stream)?);
    /// assert_eq!(some.raw() % 256, 0); // aligned for any element
    /// assert_eq!(none.raw(), 0);
    /// # Ok::<(), cucore::Error>(())
    /// ```
    pub fn raw(&self) -> u64 {
        self.raw.address()
    }

    /// The handle for calls of [`sys`], borrowed from this one.
    ///
    /// ```
    /// # use cucore::{Device, MemoryResource, Stream};
    /// use cucore::sys;
    /// # cucore_sim::Simulator::install()?;
    /// # let device = Device::open(0)?;
    /// # let stream = Stream::new(&device)?;
    /// # let pool = MemoryResource::device_pool(&device)?;
    ///
    /// let buffer = pool.allocate::<u32>(100, &stream)?;
    /// // SAFETY: the handle is alive.
    /// assert_eq!(unsafe { sys::cucore_buffer_size(buffer.as_ptr()) }, 400);
    /// # Ok::<(), cucore::Error>(())
    /// ```
    pub fn as_ptr(&self) -> *mut sys::cucore_buffer {
        self.raw.as_ptr()
    }

    /// Gives the buffer away, for calls of [`sys`].
    ///
    /// ```
    /// # use cucore::{Device, MemoryResource, Stream};
    /// use cucore::sys;
    /// # cucore_sim::Simulator::install()?;
    /// # let device = Device::open(0)?;
    /// # let stream = Stream::new(&device)?;
    /// # let pool = MemoryResource::device_pool(&device)?;
    ///
    /// let buffer = pool.allocate::<u32>(100, &stream)?;
    /// let handle = buffer.into_ptr(); // the caller's to release from here on
    /// // SAFETY: the handle is alive, and its only reference ours.
    /// unsafe { sys::cucore_buffer_release(handle) };
    /// # Ok::<(), cucore::Error>(())
    /// ```
    pub fn into_ptr(self) -> *mut sys::cucore_buffer {
        self.raw.into_ptr()
    }

    /// Takes a buffer over, as many whole elements as fit in it; NULL gives `None`.
    ///
    /// ```
    /// # use cucore::{Device, MemoryResource, Stream};
    /// use cucore::Buffer;
    /// # cucore_sim::Simulator::install()?;
    /// # let device = Device::open(0)?;
    /// # let stream = Stream::new(&device)?;
    /// # let pool = MemoryResource::device_pool(&device)?;
    ///
    /// let buffer = pool.upload(&[1u32, 2], &stream)?;
    /// // SAFETY: into_ptr gives the only reference.
    /// let bytes = unsafe { Buffer::<u8>::from_ptr(buffer.into_ptr()) }.expect("not NULL");
    /// assert_eq!(bytes.download(&stream)?, [1, 0, 0, 0, 2, 0, 0, 0]);
    /// # Ok::<(), cucore::Error>(())
    /// ```
    ///
    /// # Safety
    /// `handle` is NULL, or a live handle of a buffer and its only reference, the caller's to give. Memory that the host can use
    /// was written before.
    pub unsafe fn from_ptr(handle: *mut sys::cucore_buffer) -> Option<Buffer<T>> {
        const { assert!(size_of::<T>() > 0, "a buffer's elements have a size") }
        // SAFETY: the caller's promise.
        let raw = unsafe { RawBuffer::from_ptr(handle) }?;
        // SAFETY: the handle is alive.
        let size = unsafe { sys::cucore_buffer_size(handle) };
        Some(Buffer::of(raw, size / size_of::<T>()))
    }

    /// The device of the resource that it came from.
    ///
    /// ```
    /// # use cucore::{Device, MemoryResource, Stream};
    /// # cucore_sim::Simulator::install()?;
    /// # let device = Device::open(0)?;
    /// # let stream = Stream::new(&device)?;
    /// # let pool = MemoryResource::device_pool(&device)?;
    /// let buffer = pool.allocate::<u8>(1, &stream)?;
    /// assert_eq!(buffer.device().ordinal(), 0);
    /// # Ok::<(), cucore::Error>(())
    /// ```
    pub fn device(&self) -> Device {
        // SAFETY: the handle is alive, and the reference it gives is new.
        Device(parent(unsafe { sys::cucore_buffer_device(self.as_ptr()) }))
    }

    /// The resource that it came from.
    ///
    /// ```
    /// # use cucore::{Device, MemoryResource, Stream};
    /// # cucore_sim::Simulator::install()?;
    /// # let device = Device::open(0)?;
    /// # let stream = Stream::new(&device)?;
    /// # let pool = MemoryResource::device_pool(&device)?;
    /// let buffer = pool.allocate::<u8>(1, &stream)?;
    /// drop(pool);
    /// assert!(!buffer.resource().is_host_accessible()); // the buffer kept it alive
    /// # Ok::<(), cucore::Error>(())
    /// ```
    pub fn resource(&self) -> MemoryResource {
        // SAFETY: the handle is alive, and the reference it gives is new.
        MemoryResource(parent(unsafe { sys::cucore_buffer_resource(self.as_ptr()) }))
    }

    /// The stream that it was allocated on and will be freed on.
    ///
    /// ```
    /// # use cucore::{Device, MemoryResource, Stream};
    /// # cucore_sim::Simulator::install()?;
    /// # let device = Device::open(0)?;
    /// # let stream = Stream::new(&device)?;
    /// # let pool = MemoryResource::device_pool(&device)?;
    /// let buffer = pool.allocate::<u8>(1, &stream)?;
    /// assert_eq!(buffer.stream().id()?, stream.id()?);
    /// # Ok::<(), cucore::Error>(())
    /// ```
    pub fn stream(&self) -> Stream {
        // SAFETY: the handle is alive, and the reference it gives is new.
        Stream(parent(unsafe { sys::cucore_buffer_stream(self.as_ptr()) }))
    }

    /// Says that the caller is about to put work on `stream` that uses the buffer, through its address: the memory is not freed
    /// before all that will be on the stream when the buffer is dropped.
    ///
    /// ```
    /// # use cucore::{Device, MemoryResource};
    /// use cucore::Stream;
    /// # cucore_sim::Simulator::install()?;
    /// # let device = Device::open(0)?;
    /// # let stream = Stream::new(&device)?;
    /// # let pool = MemoryResource::device_pool(&device)?;
    ///
    /// let other = Stream::new(&device)?;
    /// let buffer = pool.allocate::<u8>(16, &stream)?;
    /// buffer.note_use(&other)?; // before other code gets to use the address on that stream
    /// let address = buffer.raw();
    /// // ... work on `other` that uses `address` ...
    /// drop(buffer); // freed after that work
    /// # Ok::<(), cucore::Error>(())
    /// ```
    pub fn note_use(&self, stream: &Stream) -> Result<()> {
        // SAFETY: both handles are alive.
        check(|status| unsafe { sys::cucore_buffer_note_use(self.as_ptr(), stream.as_ptr(), status) })
    }

    /// Waits until the work is done that was put so far on the stream that it was allocated on and on every other that was used
    /// with it. What that work failed with is returned.
    ///
    /// ```
    /// # use cucore::{Device, MemoryResource};
    /// use cucore::Stream;
    /// # cucore_sim::Simulator::install()?;
    /// # let device = Device::open(0)?;
    /// # let stream = Stream::new(&device)?;
    /// # let pool = MemoryResource::device_pool(&device)?;
    ///
    /// let other = Stream::new(&device)?;
    /// let mut buffer = pool.allocate::<u8>(16, &stream)?;
    /// stream.synchronize()?; // it was allocated on another stream than it is filled on
    /// buffer.fill(1, &other)?;
    /// buffer.synchronize()?; // waits for both streams
    /// assert!(other.is_done()?);
    /// # Ok::<(), cucore::Error>(())
    /// ```
    pub fn synchronize(&self) -> Result<()> {
        // SAFETY: the handle is alive.
        check(|status| unsafe { sys::cucore_buffer_synchronize(self.as_ptr(), status) })
    }

    /// All of it, to read.
    ///
    /// ```
    /// # use cucore::{Device, MemoryResource, Stream};
    /// # cucore_sim::Simulator::install()?;
    /// # let device = Device::open(0)?;
    /// # let stream = Stream::new(&device)?;
    /// # let pool = MemoryResource::device_pool(&device)?;
    /// let buffer = pool.upload(&[1u8, 2, 3], &stream)?;
    /// let (first, again) = (buffer.view(), buffer.view()); // as many as wanted
    /// assert_eq!(first.download(&stream)?, again.download(&stream)?);
    /// # Ok::<(), cucore::Error>(())
    /// ```
    pub fn view(&self) -> View<'_, T> {
        View { raw: &self.raw, start: 0, len: self.len, elements: PhantomData }
    }

    /// All of it, to read and write.
    ///
    /// ```
    /// # use cucore::{Device, MemoryResource, Stream};
    /// # cucore_sim::Simulator::install()?;
    /// # let device = Device::open(0)?;
    /// # let stream = Stream::new(&device)?;
    /// # let pool = MemoryResource::device_pool(&device)?;
    /// let mut buffer = pool.upload(&[1u8, 2, 3], &stream)?;
    /// let mut all = buffer.view_mut(); // the only one, as with `&mut`
    /// all.fill(9, &stream)?;
    /// assert_eq!(buffer.download(&stream)?, [9, 9, 9]);
    /// # Ok::<(), cucore::Error>(())
    /// ```
    pub fn view_mut(&mut self) -> ViewMut<'_, T> {
        ViewMut { raw: &self.raw, start: 0, len: self.len, elements: PhantomData }
    }

    /// A range of elements, to read. Panics if it lies outside, as slices do.
    ///
    /// ```
    /// # use cucore::{Device, MemoryResource, Stream};
    /// # cucore_sim::Simulator::install()?;
    /// # let device = Device::open(0)?;
    /// # let stream = Stream::new(&device)?;
    /// # let pool = MemoryResource::device_pool(&device)?;
    /// let buffer = pool.upload(&[1u8, 2, 3], &stream)?;
    /// assert_eq!(buffer.slice(1..).download(&stream)?, [2, 3]);
    /// # Ok::<(), cucore::Error>(())
    /// ```
    #[track_caller]
    pub fn slice(&self, range: impl RangeBounds<usize>) -> View<'_, T> {
        self.view().slice(range)
    }

    /// A range of elements, to read and write. Panics if it lies outside, as slices do.
    ///
    /// ```
    /// # use cucore::{Device, MemoryResource, Stream};
    /// # cucore_sim::Simulator::install()?;
    /// # let device = Device::open(0)?;
    /// # let stream = Stream::new(&device)?;
    /// # let pool = MemoryResource::device_pool(&device)?;
    /// let mut buffer = pool.upload(&[1u8, 2, 3], &stream)?;
    /// buffer.slice_mut(1..=1).fill(0, &stream)?;
    /// assert_eq!(buffer.download(&stream)?, [1, 0, 3]);
    /// # Ok::<(), cucore::Error>(())
    /// ```
    #[track_caller]
    pub fn slice_mut(&mut self, range: impl RangeBounds<usize>) -> ViewMut<'_, T> {
        self.view_mut().slice_mut(range)
    }

    /// The elements before `middle` and those from it on. Panics if it lies outside, as slices do.
    ///
    /// ```
    /// # use cucore::{Device, MemoryResource, Stream};
    /// # cucore_sim::Simulator::install()?;
    /// # let device = Device::open(0)?;
    /// # let stream = Stream::new(&device)?;
    /// # let pool = MemoryResource::device_pool(&device)?;
    /// let mut buffer = pool.upload(&[1u8, 2, 3, 4], &stream)?;
    /// let (mut left, right) = buffer.split_at_mut(2);
    /// left.copy_from(right.view(), &stream)?; // two halves can be in use at once
    /// assert_eq!(buffer.download(&stream)?, [3, 4, 3, 4]);
    /// # Ok::<(), cucore::Error>(())
    /// ```
    #[track_caller]
    pub fn split_at_mut(&mut self, middle: usize) -> (ViewMut<'_, T>, ViewMut<'_, T>) {
        self.view_mut().split_at_mut(middle)
    }

    /// As [`ViewMut::copy_from`], all of it.
    ///
    /// ```
    /// # use cucore::{Device, MemoryResource, Stream};
    /// # cucore_sim::Simulator::install()?;
    /// # let device = Device::open(0)?;
    /// # let stream = Stream::new(&device)?;
    /// # let pool = MemoryResource::device_pool(&device)?;
    /// let source = pool.upload(&[1u8, 2, 3], &stream)?;
    /// let mut destination = pool.allocate::<u8>(3, &stream)?;
    /// destination.copy_from(&source, &stream)?;
    /// drop(source); // freed after the copy
    /// assert_eq!(destination.download(&stream)?, [1, 2, 3]);
    /// # Ok::<(), cucore::Error>(())
    /// ```
    #[track_caller]
    pub fn copy_from<'a>(&mut self, source: impl Into<View<'a, T>>, stream: &Stream) -> Result<()> {
        self.view_mut().copy_from(source, stream)
    }

    /// As [`ViewMut::copy_from_host`], all of it.
    ///
    /// ```
    /// # use cucore::{Device, MemoryResource, Stream};
    /// # cucore_sim::Simulator::install()?;
    /// # let device = Device::open(0)?;
    /// # let stream = Stream::new(&device)?;
    /// # let pool = MemoryResource::device_pool(&device)?;
    /// let mut buffer = pool.allocate::<u8>(3, &stream)?;
    /// let mut numbers = vec![1, 2, 3];
    /// buffer.copy_from_host(&numbers, &stream)?;
    /// numbers.clear(); // the copy is done
    /// assert_eq!(buffer.download(&stream)?, [1, 2, 3]);
    /// # Ok::<(), cucore::Error>(())
    /// ```
    #[track_caller]
    pub fn copy_from_host(&mut self, source: &[T], stream: &Stream) -> Result<()> {
        self.view_mut().copy_from_host(source, stream)
    }

    /// As [`View::copy_to_host`], all of it.
    ///
    /// ```
    /// # use cucore::{Device, MemoryResource, Stream};
    /// # cucore_sim::Simulator::install()?;
    /// # let device = Device::open(0)?;
    /// # let stream = Stream::new(&device)?;
    /// # let pool = MemoryResource::device_pool(&device)?;
    /// let buffer = pool.upload(&[1.5f32, 2.5], &stream)?;
    /// let mut numbers = [0.0; 2];
    /// buffer.copy_to_host(&mut numbers, &stream)?;
    /// assert_eq!(numbers, [1.5, 2.5]);
    /// # Ok::<(), cucore::Error>(())
    /// ```
    #[track_caller]
    pub fn copy_to_host(&self, destination: &mut [T], stream: &Stream) -> Result<()> {
        self.view().copy_to_host(destination, stream)
    }

    /// As [`View::download`], all of it.
    ///
    /// ```
    /// # use cucore::{Device, MemoryResource, Stream};
    /// # cucore_sim::Simulator::install()?;
    /// # let device = Device::open(0)?;
    /// # let stream = Stream::new(&device)?;
    /// # let pool = MemoryResource::device_pool(&device)?;
    /// let buffer = pool.upload(&[1.5f32, 2.5], &stream)?;
    /// assert_eq!(buffer.download(&stream)?, vec![1.5, 2.5]);
    /// # Ok::<(), cucore::Error>(())
    /// ```
    pub fn download(&self, stream: &Stream) -> Result<Vec<T>> {
        self.view().download(stream)
    }

    /// As [`ViewMut::fill`], all of it.
    ///
    /// ```
    /// # use cucore::{Device, MemoryResource, Stream};
    /// # cucore_sim::Simulator::install()?;
    /// # let device = Device::open(0)?;
    /// # let stream = Stream::new(&device)?;
    /// # let pool = MemoryResource::device_pool(&device)?;
    /// let mut buffer = pool.allocate::<f32>(3, &stream)?;
    /// buffer.fill(0.5, &stream)?;
    /// assert_eq!(buffer.download(&stream)?, [0.5; 3]);
    /// # Ok::<(), cucore::Error>(())
    /// ```
    pub fn fill(&mut self, value: T, stream: &Stream) -> Result<()> {
        self.view_mut().fill(value, stream)
    }

    /// Frees it as dropping it does, but returns what failed. If the memory is leaked for that, a note says so.
    ///
    /// ```
    /// # use cucore::{Device, MemoryResource, Stream};
    /// # let simulator = cucore_sim::Simulator::install()?;
    /// # let device = Device::open(0)?;
    /// # let stream = Stream::new(&device)?;
    /// # let pool = MemoryResource::device_pool(&device)?;
    /// let buffer = pool.allocate::<u8>(16, &stream)?;
    /// simulator.fail("cuMemFreeAsync", 1, 719, false); // the simulated driver's next free fails
    /// let error = buffer.close().unwrap_err();
    /// assert_eq!(error.operation(), "cuMemFreeAsync");
    /// # Ok::<(), cucore::Error>(())
    /// ```
    pub fn close(self) -> Result<()> {
        self.raw.close()
    }
}

impl<T: Pod> fmt::Debug for Buffer<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Buffer({:#x}, len {})", self.raw(), self.len)
    }
}

/// A range of a buffer's elements, to read.
///
/// ```
/// # use cucore::{Device, MemoryResource, Stream};
/// use cucore::View;
/// # cucore_sim::Simulator::install()?;
/// # let device = Device::open(0)?;
/// # let stream = Stream::new(&device)?;
/// # let pool = MemoryResource::device_pool(&device)?;
///
/// let buffer = pool.upload(&[1u8, 2, 3, 4], &stream)?;
/// let middle: View<'_, u8> = buffer.slice(1..3);
/// assert_eq!(middle.download(&stream)?, [2, 3]);
/// # Ok::<(), cucore::Error>(())
/// ```
pub struct View<'a, T: Pod> {
    raw: &'a RawBuffer,
    start: usize,
    len: usize,
    elements: PhantomData<&'a [T]>,
}

/// A range of a buffer's elements that nothing else reads or writes, to read and write.
///
/// The borrow checker knows of it what it knows of a `&mut [T]`:
///
/// ```compile_fail,E0499
/// # fn example(buffer: &mut cucore::Buffer<u32>, stream: &cucore::Stream) -> cucore::Result<()> {
/// let (mut first, mut second) = (buffer.slice_mut(..4), buffer.slice_mut(2..));
/// first.fill(1, stream)?;
/// second.fill(2, stream)
/// # }
/// ```
pub struct ViewMut<'a, T: Pod> {
    raw: &'a RawBuffer,
    start: usize,
    len: usize,
    elements: PhantomData<&'a mut [T]>,
}

impl<T: Pod> Clone for View<'_, T> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<T: Pod> Copy for View<'_, T> {}

impl<'a, T: Pod> View<'a, T> {
    /// How many elements it spans.
    ///
    /// ```
    /// # use cucore::{Device, MemoryResource, Stream};
    /// # cucore_sim::Simulator::install()?;
    /// # let device = Device::open(0)?;
    /// # let stream = Stream::new(&device)?;
    /// # let pool = MemoryResource::device_pool(&device)?;
    /// let buffer = pool.upload(&[1u16, 2, 3, 4], &stream)?;
    /// assert_eq!(buffer.slice(1..).len(), 3);
    /// # Ok::<(), cucore::Error>(())
    /// ```
    pub fn len(&self) -> usize {
        self.len
    }

    /// Whether it spans no element.
    ///
    /// ```
    /// # use cucore::{Device, MemoryResource, Stream};
    /// # cucore_sim::Simulator::install()?;
    /// # let device = Device::open(0)?;
    /// # let stream = Stream::new(&device)?;
    /// # let pool = MemoryResource::device_pool(&device)?;
    /// let buffer = pool.upload(&[1u16, 2, 3, 4], &stream)?;
    /// assert!(buffer.slice(4..).is_empty());
    /// # Ok::<(), cucore::Error>(())
    /// ```
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// A range within this one. Panics if it lies outside, as slices do.
    ///
    /// ```
    /// # use cucore::{Device, MemoryResource, Stream};
    /// # cucore_sim::Simulator::install()?;
    /// # let device = Device::open(0)?;
    /// # let stream = Stream::new(&device)?;
    /// # let pool = MemoryResource::device_pool(&device)?;
    /// let buffer = pool.upload(&[1u8, 2, 3, 4], &stream)?;
    /// let tail = buffer.slice(1..);
    /// assert_eq!(tail.slice(1..2).download(&stream)?, [3]); // counted from where `tail` begins
    /// # Ok::<(), cucore::Error>(())
    /// ```
    #[track_caller]
    pub fn slice(self, range: impl RangeBounds<usize>) -> View<'a, T> {
        let (start, end) = bounds(range, self.len);
        View { start: self.start + start, len: end - start, ..self }
    }

    /// Copies the elements to `destination` in the order of `stream`, and waits until that is done. On failure `destination`
    /// holds unspecified elements. Panics if the lengths differ, as [`slice::copy_from_slice`] does.
    ///
    /// ```
    /// # use cucore::{Device, MemoryResource, Stream};
    /// # cucore_sim::Simulator::install()?;
    /// # let device = Device::open(0)?;
    /// # let stream = Stream::new(&device)?;
    /// # let pool = MemoryResource::device_pool(&device)?;
    /// let buffer = pool.upload(&[1u8, 2, 3, 4], &stream)?;
    /// let mut ends = [0; 2];
    /// let (first, last) = ends.split_at_mut(1);
    /// buffer.slice(..1).copy_to_host(first, &stream)?;
    /// buffer.slice(3..).copy_to_host(last, &stream)?;
    /// assert_eq!(ends, [1, 4]);
    /// # Ok::<(), cucore::Error>(())
    /// ```
    #[track_caller]
    pub fn copy_to_host(&self, destination: &mut [T], stream: &Stream) -> Result<()> {
        assert_eq!(destination.len(), self.len, "a copy's destination and source have different lengths");
        // SAFETY: the destination takes this many elements, and any bytes are a T.
        unsafe { self.copy_to(destination.as_mut_ptr(), stream) }
    }

    /// Copies the elements to a new vector in the order of `stream`, and waits until that is done.
    ///
    /// ```
    /// # use cucore::{Device, MemoryResource, Stream};
    /// # cucore_sim::Simulator::install()?;
    /// # let device = Device::open(0)?;
    /// # let stream = Stream::new(&device)?;
    /// # let pool = MemoryResource::device_pool(&device)?;
    /// let buffer = pool.upload(&[1u8, 2, 3, 4], &stream)?;
    /// assert_eq!(buffer.slice(2..).download(&stream)?, vec![3, 4]);
    /// # Ok::<(), cucore::Error>(())
    /// ```
    pub fn download(&self, stream: &Stream) -> Result<Vec<T>> {
        let mut elements = Vec::with_capacity(self.len);
        // SAFETY: the vector has room for this many elements. On success all are written, and any bytes are a T.
        unsafe {
            self.copy_to(elements.as_mut_ptr(), stream)?;
            elements.set_len(self.len);
        }
        Ok(elements)
    }

    /// Puts such a copy on the stream and does not wait: for pinned memory that this crate did not allocate.
    ///
    /// ```
    /// # use cucore::{Device, MemoryResource, Stream};
    /// # cucore_sim::Simulator::install()?;
    /// # let device = Device::open(0)?;
    /// # let stream = Stream::new(&device)?;
    /// # let pool = MemoryResource::device_pool(&device)?;
    /// let buffer = pool.upload(&[1u8, 2, 3], &stream)?;
    /// let mut memory = [0u8; 3];
    /// // SAFETY: the memory is left alone until the stream was waited for.
    /// unsafe { buffer.view().copy_to_host_unchecked(memory.as_mut_ptr(), &stream) }?;
    /// stream.synchronize()?;
    /// assert_eq!(memory, [1, 2, 3]);
    /// # Ok::<(), cucore::Error>(())
    /// ```
    ///
    /// # Safety
    /// `destination` is room for as many elements as this spans, which lives, and which nothing else reads or writes, until the
    /// copy is done.
    pub unsafe fn copy_to_host_unchecked(&self, destination: *mut T, stream: &Stream) -> Result<()> {
        let (offset, size) = (byte_offset(self), self.len * size_of::<T>());
        // SAFETY: the handles are alive; for the destination the caller answers.
        check(|status| unsafe {
            let (buffer, destination) = (self.raw.as_ptr(), destination.cast());
            sys::cucore_buffer_copy_to_host_unchecked(buffer, offset, destination, size, stream.as_ptr(), status)
        })
    }

    /// # Safety
    /// `destination` is room for `len` elements.
    unsafe fn copy_to(&self, destination: *mut T, stream: &Stream) -> Result<()> {
        let (offset, size) = (byte_offset(self), self.len * size_of::<T>());
        // SAFETY: the handles are alive; C is done with the destination when it returns, on failure too.
        check(|status| unsafe {
            sys::cucore_buffer_copy_to_host(self.raw.as_ptr(), offset, destination.cast(), size, stream.as_ptr(), status)
        })
    }
}

impl<'a, T: Pod> ViewMut<'a, T> {
    /// How many elements it spans.
    ///
    /// ```
    /// # use cucore::{Device, MemoryResource, Stream};
    /// # cucore_sim::Simulator::install()?;
    /// # let device = Device::open(0)?;
    /// # let stream = Stream::new(&device)?;
    /// # let pool = MemoryResource::device_pool(&device)?;
    /// let mut buffer = pool.allocate::<u16>(10, &stream)?;
    /// assert_eq!(buffer.slice_mut(..4).len(), 4);
    /// # Ok::<(), cucore::Error>(())
    /// ```
    pub fn len(&self) -> usize {
        self.len
    }

    /// Whether it spans no element.
    ///
    /// ```
    /// # use cucore::{Device, MemoryResource, Stream};
    /// # cucore_sim::Simulator::install()?;
    /// # let device = Device::open(0)?;
    /// # let stream = Stream::new(&device)?;
    /// # let pool = MemoryResource::device_pool(&device)?;
    /// let mut buffer = pool.allocate::<u16>(10, &stream)?;
    /// assert!(buffer.slice_mut(3..3).is_empty());
    /// # Ok::<(), cucore::Error>(())
    /// ```
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// The same range, to read.
    ///
    /// ```
    /// # use cucore::{Device, MemoryResource, Stream};
    /// # cucore_sim::Simulator::install()?;
    /// # let device = Device::open(0)?;
    /// # let stream = Stream::new(&device)?;
    /// # let pool = MemoryResource::device_pool(&device)?;
    /// let mut buffer = pool.upload(&[1u8, 2, 3], &stream)?;
    /// let mut part = buffer.slice_mut(1..);
    /// part.fill(5, &stream)?;
    /// assert_eq!(part.view().download(&stream)?, [5, 5]);
    /// # Ok::<(), cucore::Error>(())
    /// ```
    pub fn view(&self) -> View<'_, T> {
        View { raw: self.raw, start: self.start, len: self.len, elements: PhantomData }
    }

    /// The same range, borrowed for a shorter time.
    ///
    /// ```
    /// # use cucore::{Device, MemoryResource};
    /// use cucore::{Stream, ViewMut};
    /// # cucore_sim::Simulator::install()?;
    /// # let device = Device::open(0)?;
    /// # let stream = Stream::new(&device)?;
    /// # let pool = MemoryResource::device_pool(&device)?;
    ///
    /// fn clear(mut numbers: ViewMut<'_, u8>, stream: &Stream) -> cucore::Result<()> {
    ///     numbers.fill(0, stream)
    /// }
    ///
    /// let mut buffer = pool.upload(&[1u8, 2, 3], &stream)?;
    /// let mut part = buffer.slice_mut(1..);
    /// clear(part.reborrow(), &stream)?;
    /// part.slice_mut(1..).fill(9, &stream)?; // `part` was lent, not given away
    /// assert_eq!(buffer.download(&stream)?, [1, 0, 9]);
    /// # Ok::<(), cucore::Error>(())
    /// ```
    pub fn reborrow(&mut self) -> ViewMut<'_, T> {
        ViewMut { raw: self.raw, start: self.start, len: self.len, elements: PhantomData }
    }

    /// A range within this one. Panics if it lies outside, as slices do.
    ///
    /// ```
    /// # use cucore::{Device, MemoryResource, Stream};
    /// # cucore_sim::Simulator::install()?;
    /// # let device = Device::open(0)?;
    /// # let stream = Stream::new(&device)?;
    /// # let pool = MemoryResource::device_pool(&device)?;
    /// let mut buffer = pool.upload(&[1u8, 2, 3, 4], &stream)?;
    /// buffer.slice_mut(1..).slice_mut(1..2).fill(0, &stream)?;
    /// assert_eq!(buffer.download(&stream)?, [1, 2, 0, 4]);
    /// # Ok::<(), cucore::Error>(())
    /// ```
    #[track_caller]
    pub fn slice_mut(self, range: impl RangeBounds<usize>) -> ViewMut<'a, T> {
        let (start, end) = bounds(range, self.len);
        ViewMut { start: self.start + start, len: end - start, ..self }
    }

    /// The elements before `middle` and those from it on. Panics if it lies outside, as slices do.
    ///
    /// ```
    /// # use cucore::{Device, MemoryResource, Stream};
    /// # cucore_sim::Simulator::install()?;
    /// # let device = Device::open(0)?;
    /// # let stream = Stream::new(&device)?;
    /// # let pool = MemoryResource::device_pool(&device)?;
    /// let mut buffer = pool.allocate::<u8>(4, &stream)?;
    /// let (mut low, mut high) = buffer.view_mut().split_at_mut(1);
    /// low.fill(1, &stream)?;
    /// high.fill(2, &stream)?;
    /// assert_eq!(buffer.download(&stream)?, [1, 2, 2, 2]);
    /// # Ok::<(), cucore::Error>(())
    /// ```
    #[track_caller]
    pub fn split_at_mut(self, middle: usize) -> (ViewMut<'a, T>, ViewMut<'a, T>) {
        assert!(middle <= self.len, "middle {middle} is past the end, {}", self.len);
        let rest = ViewMut { start: self.start + middle, len: self.len - middle, elements: PhantomData, ..self };
        (ViewMut { len: middle, ..self }, rest)
    }

    /// Copies the elements of `source` to these in the order of `stream`; it does not wait. Panics if the lengths differ, as
    /// [`slice::copy_from_slice`] does.
    ///
    /// ```
    /// # use cucore::{Device, MemoryResource, Stream};
    /// # cucore_sim::Simulator::install()?;
    /// # let device = Device::open(0)?;
    /// # let stream = Stream::new(&device)?;
    /// # let pool = MemoryResource::device_pool(&device)?;
    /// let source = pool.upload(&[1u8, 2, 3, 4], &stream)?;
    /// let mut buffer = pool.upload(&[0u8; 4], &stream)?;
    /// buffer.slice_mut(..2).copy_from(source.slice(2..), &stream)?;
    /// assert_eq!(buffer.download(&stream)?, [3, 4, 0, 0]);
    /// # Ok::<(), cucore::Error>(())
    /// ```
    #[track_caller]
    pub fn copy_from<'s>(&mut self, source: impl Into<View<'s, T>>, stream: &Stream) -> Result<()> {
        let source = source.into();
        assert_eq!(source.len(), self.len, "a copy's destination and source have different lengths");
        let (destination, source) = (located(&self.view()), located(&source));
        let size = self.len * size_of::<T>();
        // SAFETY: the handles are alive.
        check(|status| unsafe {
            sys::cucore_buffer_copy(destination.0, destination.1, source.0, source.1, size, stream.as_ptr(), status)
        })
    }

    /// Copies `source` to the elements in the order of `stream`, and waits until that is done. Panics if the lengths differ,
    /// as [`slice::copy_from_slice`] does.
    ///
    /// ```
    /// # use cucore::{Device, MemoryResource, Stream};
    /// # cucore_sim::Simulator::install()?;
    /// # let device = Device::open(0)?;
    /// # let stream = Stream::new(&device)?;
    /// # let pool = MemoryResource::device_pool(&device)?;
    /// let mut buffer = pool.upload(&[0u8; 4], &stream)?;
    /// buffer.slice_mut(2..).copy_from_host(&[8, 9], &stream)?;
    /// assert_eq!(buffer.download(&stream)?, [0, 0, 8, 9]);
    /// # Ok::<(), cucore::Error>(())
    /// ```
    #[track_caller]
    pub fn copy_from_host(&mut self, source: &[T], stream: &Stream) -> Result<()> {
        assert_eq!(source.len(), self.len, "a copy's destination and source have different lengths");
        let offset = byte_offset(&self.view());
        // SAFETY: the handles are alive; C is done with the source when it returns, on failure too.
        check(|status| unsafe {
            let (data, size) = (source.as_ptr().cast(), size_of_val(source));
            sys::cucore_buffer_copy_from_host(self.raw.as_ptr(), offset, data, size, stream.as_ptr(), status)
        })
    }

    /// Puts such a copy on the stream and does not wait: for pinned memory that this crate did not allocate.
    ///
    /// ```
    /// # use cucore::{Device, MemoryResource, Stream};
    /// # cucore_sim::Simulator::install()?;
    /// # let device = Device::open(0)?;
    /// # let stream = Stream::new(&device)?;
    /// # let pool = MemoryResource::device_pool(&device)?;
    /// let mut buffer = pool.allocate::<u8>(3, &stream)?;
    /// let memory = [1u8, 2, 3];
    /// // SAFETY: the memory is there, unchanged, until the stream was waited for.
    /// unsafe { buffer.view_mut().copy_from_host_unchecked(memory.as_ptr(), &stream) }?;
    /// stream.synchronize()?;
    /// assert_eq!(buffer.download(&stream)?, memory);
    /// # Ok::<(), cucore::Error>(())
    /// ```
    ///
    /// # Safety
    /// `source` points to as many elements as this spans, which live and do not change until the copy is done.
    pub unsafe fn copy_from_host_unchecked(&mut self, source: *const T, stream: &Stream) -> Result<()> {
        let (offset, size) = (byte_offset(&self.view()), self.len * size_of::<T>());
        // SAFETY: the handles are alive; for the source the caller answers.
        check(|status| unsafe {
            let (buffer, source) = (self.raw.as_ptr(), source.cast());
            sys::cucore_buffer_copy_from_host_unchecked(buffer, offset, source, size, stream.as_ptr(), status)
        })
    }

    /// Sets each element to `value` in the order of `stream`; it does not wait. Elements are of 1, 2 or 4 bytes.
    ///
    /// ```
    /// # use cucore::{Device, MemoryResource, Stream};
    /// # cucore_sim::Simulator::install()?;
    /// # let device = Device::open(0)?;
    /// # let stream = Stream::new(&device)?;
    /// # let pool = MemoryResource::device_pool(&device)?;
    /// let mut buffer = pool.upload(&[0i16; 4], &stream)?;
    /// buffer.slice_mut(1..3).fill(-1, &stream)?;
    /// assert_eq!(buffer.download(&stream)?, [0, -1, -1, 0]);
    /// # Ok::<(), cucore::Error>(())
    /// ```
    ///
    /// Others do not compile:
    ///
    /// ```compile_fail,E0080
    /// # fn example(buffer: &mut cucore::Buffer<u64>, stream: &cucore::Stream) -> cucore::Result<()> {
    /// buffer.fill(1, stream)
    /// # }
    /// # fn main() { drop(example as fn(&mut _, &_) -> _) }
    /// ```
    pub fn fill(&mut self, value: T, stream: &Stream) -> Result<()> {
        const { assert!(matches!(size_of::<T>(), 1 | 2 | 4), "only elements of 1, 2 or 4 bytes can be filled") }
        let mut pattern = [0; 4];
        pattern[..size_of::<T>()].copy_from_slice(bytemuck::bytes_of(&value));
        let (offset, size) = (byte_offset(&self.view()), self.len * size_of::<T>());
        // SAFETY: the handles are alive.
        check(|status| unsafe {
            let (pattern, pattern_size) = (u32::from_le_bytes(pattern), size_of::<T>() as u32);
            sys::cucore_buffer_fill(self.raw.as_ptr(), offset, size, pattern, pattern_size, stream.as_ptr(), status)
        })
    }
}

impl<'a, T: Pod> From<&'a Buffer<T>> for View<'a, T> {
    fn from(buffer: &'a Buffer<T>) -> Self {
        buffer.view()
    }
}

impl<'a, T: Pod> From<&'a mut Buffer<T>> for ViewMut<'a, T> {
    fn from(buffer: &'a mut Buffer<T>) -> Self {
        buffer.view_mut()
    }
}

impl<T: Pod> fmt::Debug for View<'_, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "View({:?}, {}..{})", self.raw, self.start, self.start + self.len)
    }
}

impl<T: Pod> fmt::Debug for ViewMut<'_, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "ViewMut({:?}, {}..{})", self.raw, self.start, self.start + self.len)
    }
}

/// The buffer's handle and how many bytes into it the view begins: what a launch passes.
pub(crate) fn located<T: Pod>(view: &View<'_, T>) -> (*mut sys::cucore_buffer, usize) {
    (view.raw.as_ptr(), byte_offset(view))
}

fn byte_offset<T: Pod>(view: &View<'_, T>) -> usize {
    view.start * size_of::<T>()
}

#[track_caller]
fn bounds(range: impl RangeBounds<usize>, len: usize) -> (usize, usize) {
    let start = match range.start_bound() {
        Bound::Included(&first) => first,
        Bound::Excluded(&before) => before.saturating_add(1),
        Bound::Unbounded => 0,
    };
    let end = match range.end_bound() {
        Bound::Included(&last) => last.saturating_add(1),
        Bound::Excluded(&after) => after,
        Bound::Unbounded => len,
    };
    assert!(start <= end && end <= len, "range {start}..{end} lies outside of length {len}");
    (start, end)
}
