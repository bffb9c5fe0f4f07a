// SPDX-License-Identifier: MIT OR Apache-2.0
use crate::handle::made;
use crate::{callback, sys, text, Result};
use std::fmt;
use std::ptr::NonNull;

/// The handles that are alive, and what made each: for tests that no handle is left, and for finding who leaks one.
///
/// Listed are the handles that own or use something of CUDA's, those that other handles keep alive included, and callbacks that
/// were not called yet; neither errors, which are plain memory, nor sinks.
///
/// ```
/// use cucore::{Device, LiveList, Stream};
/// # cucore_sim::Simulator::install()?;
///
/// LiveList::enable();
/// let stream = Stream::new(&Device::open(0)?)?;
/// let leaked = stream.clone().into_ptr(); // nobody releases this reference
/// drop(stream);
/// let list = LiveList::new()?;
/// assert!(list.iter().any(|handle| handle.handle_type == "stream"));
/// println!("{list}"); // a line for each: its type, what made it, how many references
/// # Ok::<(), cucore::Error>(())
/// ```
pub struct LiveList(NonNull<sys::cucore_live_list>);

// SAFETY: a list never changes, and C allows any thread to read and to release it.
unsafe impl Send for LiveList {}
// SAFETY: as above.
unsafe impl Sync for LiveList {}

/// One handle of a [`LiveList`].
///
/// ```
/// use cucore::{Device, Event, LiveHandle, LiveList};
/// # cucore_sim::Simulator::install()?;
///
/// LiveList::enable();
/// let event = Event::new(&Device::open(0)?)?;
/// let another = event.clone();
/// let list = LiveList::new()?;
/// let LiveHandle { function, references, .. } = list.iter().find(|handle| handle.handle_type == "event").unwrap();
/// assert_eq!((function, references), ("cucore_event_create", 2));
/// # Ok::<(), cucore::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct LiveHandle<'a> {
    /// Its type: `stream`.
    pub handle_type: &'a str,
    /// The function of C's that made it: `cucore_stream_create`.
    pub function: &'a str,
    /// How many references there are to it, those of other handles included; 0 while it is being destroyed.
    pub references: u32,
}

impl LiveList {
    /// Lists the handles that are made from now on, by any thread; those made before never are. It stays on, and takes memory
    /// and a lock for every handle made.
    ///
    /// ```
    /// use cucore::LiveList;
    /// # cucore_sim::Simulator::install()?;
    ///
    /// LiveList::enable(); // first of all: what was made before is never listed
    /// assert!(LiveList::new()?.is_empty());
    /// # Ok::<(), cucore::Error>(())
    /// ```
    pub fn enable() {
        // SAFETY: takes nothing.
        unsafe { sys::cucore_live_list_enable() }
    }

    /// The handles alive now, the oldest first. What was dropped in a callback is alive until
    /// [`deferred_drain`](crate::callback::deferred_drain) returns. Without [`LiveList::enable`] it is
    /// [`InvalidState`](crate::ErrorKind::InvalidState).
    ///
    /// ```
    /// use cucore::{Device, ErrorKind, LiveList};
    /// # cucore_sim::Simulator::install()?;
    ///
    /// assert_eq!(LiveList::new().unwrap_err().kind(), ErrorKind::InvalidState); // not enabled
    /// LiveList::enable();
    /// let device = Device::open(0)?;
    /// assert_eq!(LiveList::new()?.len(), 1);
    /// # Ok::<(), cucore::Error>(())
    /// ```
    pub fn new() -> Result<LiveList> {
        // SAFETY: takes nothing.
        made(|status| unsafe { sys::cucore_live_list_create(status) }).map(LiveList)
    }

    /// How many handles are alive.
    ///
    /// ```
    /// use cucore::{Device, LiveList};
    /// # cucore_sim::Simulator::install()?;
    ///
    /// LiveList::enable();
    /// let device = Device::open(0)?;
    /// let clone = device.clone(); // another reference, not another handle
    /// assert_eq!(LiveList::new()?.len(), 1);
    /// # Ok::<(), cucore::Error>(())
    /// ```
    pub fn len(&self) -> usize {
        // SAFETY: the list is alive.
        unsafe { sys::cucore_live_list_count(self.0.as_ptr()) }
    }

    /// Whether no handle is alive.
    ///
    /// ```
    /// use cucore::{Device, LiveList};
    /// # cucore_sim::Simulator::install()?;
    ///
    /// LiveList::enable();
    /// drop(Device::open(0)?);
    /// assert!(LiveList::new()?.is_empty());
    /// # Ok::<(), cucore::Error>(())
    /// ```
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The handles, the oldest first.
    ///
    /// ```
    /// use cucore::{Device, LiveList, Stream};
    /// # cucore_sim::Simulator::install()?;
    ///
    /// LiveList::enable();
    /// let stream = Stream::new(&Device::open(0)?)?;
    /// for handle in LiveList::new()?.iter() {
    ///     println!("{} by {}", handle.handle_type, handle.function);
    /// }
    /// # Ok::<(), cucore::Error>(())
    /// ```
    pub fn iter(&self) -> impl Iterator<Item = LiveHandle<'_>> {
        let list = self.0.as_ptr();
        // SAFETY: the list is alive, and its text as long.
        let text =
            move |accessor: Accessor, index| unsafe { text::utf8_if_any(|size| accessor(list, index, size)) }.unwrap_or_default();
        (0..self.len()).map(move |index| LiveHandle {
            handle_type: text(sys::cucore_live_list_type, index),
            function: text(sys::cucore_live_list_function, index),
            // SAFETY: the list is alive.
            references: unsafe { sys::cucore_live_list_references(list, index) },
        })
    }
}

type Accessor = unsafe extern "C" fn(*const sys::cucore_live_list, usize, *mut usize) -> *const std::ffi::c_char;

/// A line for each handle: `stream, made by cucore_stream_create, 1 reference`.
impl fmt::Display for LiveList {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // SAFETY: the list is alive, and its text as long.
        f.write_str(unsafe { text::utf8(self.0.as_ptr(), sys::cucore_live_list_text) })
    }
}

impl fmt::Debug for LiveList {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.iter()).finish()
    }
}

impl Drop for LiveList {
    fn drop(&mut self) {
        // SAFETY: the list is ours to release, once.
        unsafe { sys::cucore_live_list_release(self.0.as_ptr()) }
    }
}

/// Panics, and says which they are, if any handle made since [`LiveList::enable`] is alive. What was dropped in a callback is
/// waited for.
///
/// ```
/// # cucore_sim::Simulator::install()?;
/// cucore::LiveList::enable(); // first of all
/// // ... the program, or the test ...
/// cucore::assert_no_live_handles(); // last of all
/// # Ok::<(), cucore::Error>(())
/// ```
///
/// Tests that run beside each other in one process have handles alive at the same time: give such a test a process of its own,
/// or run the tests one after the other (`--test-threads=1`).
#[track_caller]
pub fn assert_no_live_handles() {
    let list = callback::deferred_drain().and_then(|()| LiveList::new()).unwrap_or_else(|error| panic!("{error}"));
    assert!(list.is_empty(), "{} handles are alive, the oldest first:\n{list}", list.len());
}
