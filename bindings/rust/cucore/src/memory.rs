// SPDX-License-Identifier: MIT OR Apache-2.0
use crate::handle::{check, made, parent};
use crate::{sys, Device, Error, ErrorKind, Result, Stream};
use bytemuck::Pod;
use std::fmt;
use std::marker::PhantomData;
use std::ops::{Bound, RangeBounds};

shared_handle! {
    /// A memory resource: what allocates buffers. Buffers keep theirs alive.
    MemoryResource: cucore_memory_resource, cucore_memory_resource_retain, cucore_memory_resource_release,
        cucore_memory_resource_close, raw
}

impl MemoryResource {
    /// The device's default memory pool. The pool itself is the driver's and is never destroyed.
    pub fn device_pool(device: &Device) -> Result<MemoryResource> {
        // SAFETY: the device is alive.
        made(|status| unsafe { sys::cucore_memory_resource_device_pool(device.as_ptr(), status) }).map(MemoryResource)
    }

    /// The `CUmemoryPool`.
    pub fn raw(&self) -> *mut sys::CUmemPoolHandle_st {
        // SAFETY: the handle is alive.
        unsafe { sys::cucore_memory_resource_raw(self.as_ptr()) }
    }

    /// The device that it allocates on.
    pub fn device(&self) -> Device {
        // SAFETY: the handle is alive, and the reference it gives is new.
        Device(parent(unsafe { sys::cucore_memory_resource_device(self.as_ptr()) }))
    }

    /// Allocates `len` elements in the order of `stream`. What they hold is unspecified.
    pub fn allocate<T: Pod>(&self, len: usize, stream: &Stream) -> Result<Buffer<T>> {
        let size = byte_size::<T>(len)?;
        // SAFETY: both handles are alive.
        let raw = made(|status| unsafe { sys::cucore_memory_resource_allocate(self.as_ptr(), size, stream.as_ptr(), status) })?;
        Ok(Buffer { raw: RawBuffer(raw), len, element: PhantomData })
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
    len.checked_mul(size_of::<T>()).ok_or_else(|| {
        let message = format!("{len} elements of {} bytes are more than can be addressed", size_of::<T>());
        Error::new(ErrorKind::InvalidArgument, &message)
    })
}

owned_handle! {
    /// The C handle of a buffer, without its element type.
    RawBuffer: cucore_buffer, cucore_buffer_release, cucore_buffer_close, address
}

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
/// any stream with it. Copies to and from plain host memory are done when they return; order between streams is the caller's
/// matter ([`Stream::wait_event`]).
pub struct Buffer<T: Pod> {
    raw: RawBuffer,
    len: usize,
    element: PhantomData<T>,
}

impl<T: Pod> Buffer<T> {
    /// How many elements it holds.
    pub fn len(&self) -> usize {
        self.len
    }

    /// Whether it holds no element.
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// The device address, 0 for an empty buffer. What the caller does with it is not known to the library.
    pub fn raw(&self) -> u64 {
        self.raw.address()
    }

    /// The handle for calls of [`sys`], borrowed from this one.
    pub fn as_ptr(&self) -> *mut sys::cucore_buffer {
        self.raw.as_ptr()
    }

    /// Gives the buffer away, for calls of [`sys`].
    pub fn into_ptr(self) -> *mut sys::cucore_buffer {
        self.raw.into_ptr()
    }

    /// Takes a buffer over, as many whole elements as fit in it; NULL gives `None`.
    ///
    /// # Safety
    /// `handle` is NULL, or a live handle of a buffer and its only reference, the caller's to give.
    pub unsafe fn from_ptr(handle: *mut sys::cucore_buffer) -> Option<Buffer<T>> {
        const { assert!(size_of::<T>() > 0, "a buffer's elements have a size") }
        // SAFETY: the caller's promise.
        let raw = unsafe { RawBuffer::from_ptr(handle) }?;
        // SAFETY: the handle is alive.
        let size = unsafe { sys::cucore_buffer_size(handle) };
        Some(Buffer { raw, len: size / size_of::<T>(), element: PhantomData })
    }

    /// The resource that it came from.
    pub fn resource(&self) -> MemoryResource {
        // SAFETY: the handle is alive, and the reference it gives is new.
        MemoryResource(parent(unsafe { sys::cucore_buffer_resource(self.as_ptr()) }))
    }

    /// The stream that it was allocated on and will be freed on.
    pub fn stream(&self) -> Stream {
        // SAFETY: the handle is alive, and the reference it gives is new.
        Stream(parent(unsafe { sys::cucore_buffer_stream(self.as_ptr()) }))
    }

    /// All of it, to read.
    pub fn view(&self) -> View<'_, T> {
        View { raw: &self.raw, start: 0, len: self.len, elements: PhantomData }
    }

    /// All of it, to read and write.
    pub fn view_mut(&mut self) -> ViewMut<'_, T> {
        ViewMut { raw: &self.raw, start: 0, len: self.len, elements: PhantomData }
    }

    /// A range of elements, to read. Panics if it lies outside, as slices do.
    #[track_caller]
    pub fn slice(&self, range: impl RangeBounds<usize>) -> View<'_, T> {
        self.view().slice(range)
    }

    /// A range of elements, to read and write. Panics if it lies outside, as slices do.
    #[track_caller]
    pub fn slice_mut(&mut self, range: impl RangeBounds<usize>) -> ViewMut<'_, T> {
        self.view_mut().slice_mut(range)
    }

    /// The elements before `middle` and those from it on. Panics if it lies outside, as slices do.
    #[track_caller]
    pub fn split_at_mut(&mut self, middle: usize) -> (ViewMut<'_, T>, ViewMut<'_, T>) {
        self.view_mut().split_at_mut(middle)
    }

    /// As [`ViewMut::copy_from_host`], all of it.
    #[track_caller]
    pub fn copy_from_host(&mut self, source: &[T], stream: &Stream) -> Result<()> {
        self.view_mut().copy_from_host(source, stream)
    }

    /// As [`View::copy_to_host`], all of it.
    #[track_caller]
    pub fn copy_to_host(&self, destination: &mut [T], stream: &Stream) -> Result<()> {
        self.view().copy_to_host(destination, stream)
    }

    /// As [`View::download`], all of it.
    pub fn download(&self, stream: &Stream) -> Result<Vec<T>> {
        self.view().download(stream)
    }

    /// As [`ViewMut::fill`], all of it.
    pub fn fill(&mut self, value: T, stream: &Stream) -> Result<()> {
        self.view_mut().fill(value, stream)
    }

    /// Frees it as dropping it does, but returns what failed. If the memory is leaked for that, a note says so.
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
pub struct View<'a, T: Pod> {
    raw: &'a RawBuffer,
    start: usize,
    len: usize,
    elements: PhantomData<&'a [T]>,
}

/// A range of a buffer's elements that nothing else reads or writes, to read and write.
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
    pub fn len(&self) -> usize {
        self.len
    }

    /// Whether it spans no element.
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// A range within this one. Panics if it lies outside, as slices do.
    #[track_caller]
    pub fn slice(self, range: impl RangeBounds<usize>) -> View<'a, T> {
        let (start, end) = bounds(range, self.len);
        View { start: self.start + start, len: end - start, ..self }
    }

    /// Copies the elements to `destination` in the order of `stream`, and waits until that is done. On failure `destination`
    /// holds unspecified elements. Panics if the lengths differ, as [`slice::copy_from_slice`] does.
    #[track_caller]
    pub fn copy_to_host(&self, destination: &mut [T], stream: &Stream) -> Result<()> {
        assert_eq!(destination.len(), self.len, "a copy's destination and source have different lengths");
        // SAFETY: the destination takes this many elements, and any bytes are a T.
        unsafe { self.copy_to(destination.as_mut_ptr(), stream) }
    }

    /// Copies the elements to a new vector in the order of `stream`, and waits until that is done.
    pub fn download(&self, stream: &Stream) -> Result<Vec<T>> {
        let mut elements = Vec::with_capacity(self.len);
        // SAFETY: the vector has room for this many elements. On success all are written, and any bytes are a T.
        unsafe {
            self.copy_to(elements.as_mut_ptr(), stream)?;
            elements.set_len(self.len);
        }
        Ok(elements)
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
    pub fn len(&self) -> usize {
        self.len
    }

    /// Whether it spans no element.
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// The same range, to read.
    pub fn view(&self) -> View<'_, T> {
        View { raw: self.raw, start: self.start, len: self.len, elements: PhantomData }
    }

    /// The same range, borrowed for a shorter time.
    pub fn reborrow(&mut self) -> ViewMut<'_, T> {
        ViewMut { raw: self.raw, start: self.start, len: self.len, elements: PhantomData }
    }

    /// A range within this one. Panics if it lies outside, as slices do.
    #[track_caller]
    pub fn slice_mut(self, range: impl RangeBounds<usize>) -> ViewMut<'a, T> {
        let (start, end) = bounds(range, self.len);
        ViewMut { start: self.start + start, len: end - start, ..self }
    }

    /// The elements before `middle` and those from it on. Panics if it lies outside, as slices do.
    #[track_caller]
    pub fn split_at_mut(self, middle: usize) -> (ViewMut<'a, T>, ViewMut<'a, T>) {
        assert!(middle <= self.len, "middle {middle} is past the end, {}", self.len);
        let rest = ViewMut { start: self.start + middle, len: self.len - middle, elements: PhantomData, ..self };
        (ViewMut { len: middle, ..self }, rest)
    }

    /// Copies `source` to the elements in the order of `stream`, and waits until that is done. Panics if the lengths differ,
    /// as [`slice::copy_from_slice`] does.
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

    /// Sets each element to `value` in the order of `stream`; it does not wait. Elements are of 1, 2 or 4 bytes.
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
