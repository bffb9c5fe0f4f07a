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
    pub fn len(&self) -> usize {
        self.len
    }

    /// Whether it holds no element.
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// The device address, 0 for an empty buffer. What the caller does with it is not known to the library, unless
    /// [`note_use`](Self::note_use) says so.
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
    pub fn device(&self) -> Device {
        // SAFETY: the handle is alive, and the reference it gives is new.
        Device(parent(unsafe { sys::cucore_buffer_device(self.as_ptr()) }))
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

    /// Says that the caller is about to put work on `stream` that uses the buffer, through its address: the memory is not freed
    /// before all that will be on the stream when the buffer is dropped.
    pub fn note_use(&self, stream: &Stream) -> Result<()> {
        // SAFETY: both handles are alive.
        check(|status| unsafe { sys::cucore_buffer_note_use(self.as_ptr(), stream.as_ptr(), status) })
    }

    /// Waits until the work is done that was put so far on the stream that it was allocated on and on every other that was used
    /// with it. What that work failed with is returned.
    pub fn synchronize(&self) -> Result<()> {
        // SAFETY: the handle is alive.
        check(|status| unsafe { sys::cucore_buffer_synchronize(self.as_ptr(), status) })
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

    /// As [`ViewMut::copy_from`], all of it.
    #[track_caller]
    pub fn copy_from<'a>(&mut self, source: impl Into<View<'a, T>>, stream: &Stream) -> Result<()> {
        self.view_mut().copy_from(source, stream)
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

    /// Puts such a copy on the stream and does not wait: for pinned memory that this crate did not allocate.
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

    /// Copies the elements of `source` to these in the order of `stream`; it does not wait. Panics if the lengths differ, as
    /// [`slice::copy_from_slice`] does.
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

    /// Sets each element to `value` in the order of `stream`; it does not wait. Elements are of 1, 2 or 4 bytes:
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
