// SPDX-License-Identifier: MIT OR Apache-2.0
//! The simulated driver's control functions, looked up in the loaded library.

use std::ffi::{c_char, c_int, c_void, CStr, CString};
use std::mem;
use std::path::Path;

const RTLD_NOW: c_int = 2;
const RTLD_NOLOAD: c_int = 4;

extern "C" {
    fn dlopen(path: *const c_char, flags: c_int) -> *mut c_void;
    fn dlsym(library: *mut c_void, symbol: *const c_char) -> *mut c_void;
    fn dlerror() -> *mut c_char;
}

/// A loaded library. It is never unloaded.
pub(crate) struct Library(*mut c_void);

impl Library {
    pub(crate) fn open(path: &Path) -> Result<Library, String> {
        Library::with_flags(path, RTLD_NOW).ok_or_else(|| {
            // SAFETY: a dlopen that failed on this thread leaves its reason.
            let reason = unsafe { dlerror() };
            // SAFETY: not NULL, so it is text.
            let reason = (!reason.is_null()).then(|| unsafe { CStr::from_ptr(reason) }.to_string_lossy().into_owned());
            reason.unwrap_or_else(|| format!("{} cannot be loaded", path.display()))
        })
    }

    /// The library of this path if it is loaded already.
    pub(crate) fn loaded(path: &Path) -> Option<Library> {
        Library::with_flags(path, RTLD_NOW | RTLD_NOLOAD)
    }

    fn with_flags(path: &Path, flags: c_int) -> Option<Library> {
        let path = CString::new(path.as_os_str().as_encoded_bytes()).ok()?;
        // SAFETY: the path is read during the call. The simulated driver does nothing when it is loaded.
        let library = unsafe { dlopen(path.as_ptr(), flags) };
        (!library.is_null()).then_some(Library(library))
    }

    fn symbol(&self, name: &str) -> Option<*mut c_void> {
        let name = CString::new(name).ok()?;
        // SAFETY: the library is loaded, the name is read during the call.
        let symbol = unsafe { dlsym(self.0, name.as_ptr()) };
        (!symbol.is_null()).then_some(symbol)
    }
}

macro_rules! control {
    ($($name:ident: $symbol:literal ($($argument:ty),*) $(-> $result:ty)?,)*) => {
        /// The control functions, as the header `cusim.h` declares them.
        #[derive(Debug)]
        pub(crate) struct Control {
            $(pub(crate) $name: unsafe extern "C" fn($($argument),*) $(-> $result)?,)*
        }

        impl Control {
            /// The controls of `library`, if it is the simulated driver.
            pub(crate) fn of(library: &Library) -> Option<Control> {
                // SAFETY: a symbol of this name has this type.
                unsafe {
                    Some(Control {
                        $($name: mem::transmute::<*mut c_void, unsafe extern "C" fn($($argument),*) $(-> $result)?>(
                            library.symbol($symbol)?,
                        ),)*
                    })
                }
            }
        }
    };
}

control! {
    reset: "cusim_reset" (),
    set_driver_version: "cusim_set_driver_version" (c_int),
    set_device_count: "cusim_set_device_count" (c_int),
    set_compute_capability: "cusim_set_compute_capability" (c_int, c_int) -> c_int,
    hide: "cusim_hide" (*const c_char),
    show: "cusim_show" (*const c_char),
    fail: "cusim_fail" (*const c_char, u64, c_int, c_int),
    fail_nothing: "cusim_fail_nothing" (),
    fail_after: "cusim_fail_after" (*const c_char, u64, c_int, c_int),
    hook: "cusim_hook" (*const c_char, u64, unsafe extern "C" fn(*mut c_void), *mut c_void),
    unhook: "cusim_unhook" (),
    sticky_fault: "cusim_sticky_fault" (c_int, c_int),
    callback_thread_calls: "cusim_callback_thread_calls" () -> u64,
    failures_injected: "cusim_failures_injected" () -> u64,
    fallible_calls: "cusim_fallible_calls" () -> u64,
    call_count: "cusim_call_count" (*const c_char) -> u64,
    log_size: "cusim_log_size" () -> usize,
    log_entry: "cusim_log_entry" (usize, *mut c_char, usize) -> c_int,
    log_clear: "cusim_log_clear" (),
    live_count: "cusim_live_count" (*const c_char) -> usize,
    live_list: "cusim_live_list" (*mut c_char, usize) -> usize,
    violation_list: "cusim_violation_list" (*mut c_char, usize) -> usize,
    hold: "cusim_hold" (*mut c_void),
    release: "cusim_release" (*mut c_void),
    set_step_limit: "cusim_set_step_limit" (u64),
    set_workers: "cusim_set_workers" (c_int),
    find_unwritten: "cusim_find_unwritten" (c_int),
    find_races: "cusim_find_races" (c_int),
    instructions_run: "cusim_instructions_run" () -> u64,
}
