// SPDX-License-Identifier: MIT OR Apache-2.0
use crate::handle::{all, check, made, parent};
use crate::{sys, Device, Kernel, ObjectCode, Result};

shared_handle! {
    /// A library: object code loaded for a device, and where its kernels are found. Kernels keep theirs loaded.
    ///
    /// ```
    /// # use cucore::{Device, Kind, MemoryResource, ObjectCode, Stream};
    /// use cucore::{ErrorKind, Library};
    /// # cucore_sim::Simulator::install()?;
    /// # const SCALE: &str = include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/examples/scale.ptx"));
    /// # let device = Device::open(0)?;
    /// # let stream = Stream::new(&device)?;
    /// # let pool = MemoryResource::device_pool(&device)?;
    /// # let code = ObjectCode::new(Kind::Ptx, SCALE.as_bytes(), "scale.ptx")?;
    ///
    /// let library = Library::load(&device, &code)?;
    /// drop(code); // the library keeps it
    /// assert_eq!(library.kernel("scale")?.name(), "scale");
    /// assert_eq!(library.kernel("shrink").unwrap_err().kind(), ErrorKind::NotFound);
    /// # Ok::<(), cucore::Error>(())
    /// ```
    Library: cucore_library, cucore_library_retain, cucore_library_release, cucore_library_close, raw,
        "# const SCALE: &str = include_str!(concat!(env!(\"CARGO_MANIFEST_DIR\"), \"/examples/scale.ptx\"));
# let device = Device::open(0)?;
let code = ObjectCode::new(Kind::Ptx, SCALE.as_bytes(), \"scale.ptx\")?;
let handle = Library::load(&device, &code)?;"
}

/// A variable of a library's, there as long as the library.
///
/// ```
/// # use cucore::{Device, Kind, Library, MemoryResource, ObjectCode, Stream};
/// use cucore::Global;
/// # cucore_sim::Simulator::install()?;
/// # const SCALE: &str = include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/examples/scale.ptx"));
/// # let device = Device::open(0)?;
/// # let stream = Stream::new(&device)?;
/// # let pool = MemoryResource::device_pool(&device)?;
/// # let code = ObjectCode::new(Kind::Ptx, SCALE.as_bytes(), "scale.ptx")?;
/// # let library = Library::load(&device, &code)?;
///
/// let bias: Global = library.global("bias")?; // __device__ float bias;
/// assert_eq!(bias.size, 4);
/// # Ok::<(), cucore::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Global {
    /// On the device.
    pub address: u64,
    /// In bytes.
    pub size: usize,
}

impl Library {
    /// Loads PTX, which the driver compiles here, or a cubin. If the code is bad or not for this device the error has the
    /// driver's log. LTO-IR must be linked first.
    ///
    /// ```
    /// # use cucore::{Device, MemoryResource, Stream};
    /// use cucore::{Kind, Library, ObjectCode};
    /// # cucore_sim::Simulator::install()?;
    /// # const SCALE: &str = include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/examples/scale.ptx"));
    /// # let device = Device::open(0)?;
    /// # let stream = Stream::new(&device)?;
    /// # let pool = MemoryResource::device_pool(&device)?;
    /// # let code = ObjectCode::new(Kind::Ptx, SCALE.as_bytes(), "scale.ptx")?;
    ///
    /// let library = Library::load(&device, &code)?;
    ///
    /// let bad = ObjectCode::new(Kind::Ptx, b"not PTX", "bad.ptx")?;
    /// let error = Library::load(&device, &bad).unwrap_err(); // here, not at the first launch
    /// println!("{error:?}");
    /// # Ok::<(), cucore::Error>(())
    /// ```
    pub fn load(device: &Device, code: &ObjectCode) -> Result<Library> {
        // SAFETY: both handles are alive.
        made(|status| unsafe { sys::cucore_library_load(device.as_ptr(), code.as_ptr(), status) }).map(Library)
    }

    /// The `CUlibrary`.
    ///
    /// ```
    /// # use cucore::{Device, Kind, Library, MemoryResource, ObjectCode, Stream};
    /// # cucore_sim::Simulator::install()?;
    /// # const SCALE: &str = include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/examples/scale.ptx"));
    /// # let device = Device::open(0)?;
    /// # let stream = Stream::new(&device)?;
    /// # let pool = MemoryResource::device_pool(&device)?;
    /// # let code = ObjectCode::new(Kind::Ptx, SCALE.as_bytes(), "scale.ptx")?;
    /// # let library = Library::load(&device, &code)?;
    /// assert!(!library.raw().is_null()); // for calls of the driver's by other code
    /// # Ok::<(), cucore::Error>(())
    /// ```
    pub fn raw(&self) -> *mut sys::CUlib_st {
        // SAFETY: the handle is alive.
        unsafe { sys::cucore_library_raw(self.as_ptr()) }
    }

    /// The device that it was loaded for.
    ///
    /// ```
    /// # use cucore::{Device, Kind, Library, MemoryResource, ObjectCode, Stream};
    /// # cucore_sim::Simulator::install()?;
    /// # const SCALE: &str = include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/examples/scale.ptx"));
    /// # let device = Device::open(0)?;
    /// # let stream = Stream::new(&device)?;
    /// # let pool = MemoryResource::device_pool(&device)?;
    /// # let code = ObjectCode::new(Kind::Ptx, SCALE.as_bytes(), "scale.ptx")?;
    /// # let library = Library::load(&device, &code)?;
    /// assert_eq!(library.device().ordinal(), 0);
    /// # Ok::<(), cucore::Error>(())
    /// ```
    pub fn device(&self) -> Device {
        // SAFETY: the handle is alive, and the reference it gives is new.
        Device(parent(unsafe { sys::cucore_library_device(self.as_ptr()) }))
    }

    /// The object code that it was loaded from.
    ///
    /// ```
    /// # use cucore::{Device, Kind, Library, MemoryResource, ObjectCode, Stream};
    /// # cucore_sim::Simulator::install()?;
    /// # const SCALE: &str = include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/examples/scale.ptx"));
    /// # let device = Device::open(0)?;
    /// # let stream = Stream::new(&device)?;
    /// # let pool = MemoryResource::device_pool(&device)?;
    /// # let code = ObjectCode::new(Kind::Ptx, SCALE.as_bytes(), "scale.ptx")?;
    /// # let library = Library::load(&device, &code)?;
    /// assert_eq!(library.code().name(), "scale.ptx");
    /// # Ok::<(), cucore::Error>(())
    /// ```
    pub fn code(&self) -> ObjectCode {
        // SAFETY: the handle is alive, and the reference it gives is new.
        ObjectCode(parent(unsafe { sys::cucore_library_code(self.as_ptr()) }))
    }

    /// How many kernels it has. Drivers before CUDA 12.4 do not say.
    ///
    /// ```
    /// # use cucore::{Device, Kind, Library, MemoryResource, ObjectCode, Stream};
    /// # cucore_sim::Simulator::install()?;
    /// # const SCALE: &str = include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/examples/scale.ptx"));
    /// # let device = Device::open(0)?;
    /// # let stream = Stream::new(&device)?;
    /// # let pool = MemoryResource::device_pool(&device)?;
    /// # let code = ObjectCode::new(Kind::Ptx, SCALE.as_bytes(), "scale.ptx")?;
    /// # let library = Library::load(&device, &code)?;
    /// assert_eq!(library.kernel_count()?, 1);
    /// # Ok::<(), cucore::Error>(())
    /// ```
    pub fn kernel_count(&self) -> Result<usize> {
        let mut count = 0;
        // SAFETY: the handle is alive; the count is written before we read it.
        check(|status| unsafe { sys::cucore_library_kernel_count(self.as_ptr(), &mut count, status) })?;
        Ok(count)
    }

    /// All of its kernels. Drivers before CUDA 12.4 do not list them.
    ///
    /// ```
    /// # use cucore::{Device, Kind, Library, MemoryResource, ObjectCode, Stream};
    /// # cucore_sim::Simulator::install()?;
    /// # const SCALE: &str = include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/examples/scale.ptx"));
    /// # let device = Device::open(0)?;
    /// # let stream = Stream::new(&device)?;
    /// # let pool = MemoryResource::device_pool(&device)?;
    /// # let code = ObjectCode::new(Kind::Ptx, SCALE.as_bytes(), "scale.ptx")?;
    /// # let library = Library::load(&device, &code)?;
    /// for kernel in library.kernels()? {
    ///     println!("{} takes {} arguments", kernel.name(), kernel.parameter_count()?);
    /// }
    /// # Ok::<(), cucore::Error>(())
    /// ```
    pub fn kernels(&self) -> Result<Vec<Kernel>> {
        // SAFETY: the handle is alive; `all` gives room for as many kernels as it says.
        let kernels = all(|kernels, capacity, total, status| unsafe {
            sys::cucore_library_kernels(self.as_ptr(), kernels, capacity, total, status)
        })?;
        Ok(kernels.into_iter().map(Kernel).collect())
    }

    /// The variable of this name, which is found as a [`kernel`](Self::kernel) is.
    ///
    /// ```
    /// # use cucore::{Device, Kind, Library, MemoryResource, ObjectCode, Stream};
    /// use cucore::ErrorKind;
    /// # cucore_sim::Simulator::install()?;
    /// # const SCALE: &str = include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/examples/scale.ptx"));
    /// # let device = Device::open(0)?;
    /// # let stream = Stream::new(&device)?;
    /// # let pool = MemoryResource::device_pool(&device)?;
    /// # let code = ObjectCode::new(Kind::Ptx, SCALE.as_bytes(), "scale.ptx")?;
    /// # let library = Library::load(&device, &code)?;
    ///
    /// let bias = library.global("bias")?;
    /// println!("{} bytes at {:#x}", bias.size, bias.address);
    /// assert_eq!(library.global("gain").unwrap_err().kind(), ErrorKind::NotFound);
    /// # Ok::<(), cucore::Error>(())
    /// ```
    pub fn global(&self, name: &str) -> Result<Global> {
        let mut global = Global { address: 0, size: 0 };
        // SAFETY: the handle is alive, the name is read during the call; both numbers are written before we read them.
        check(|status| unsafe {
            let (data, size) = (name.as_ptr().cast(), name.len());
            sys::cucore_library_global(self.as_ptr(), data, size, &mut global.address, &mut global.size, status)
        })?;
        Ok(global)
    }

    /// The kernel of this name: a name expression that the object code's program was compiled with
    /// ([`name_expressions`](crate::ProgramOptions::name_expressions)), or the name in the object code, which is the source's
    /// only for `extern "C"` functions.
    ///
    /// ```
    /// # use cucore::{Device, Kind, Library, MemoryResource, ObjectCode, Stream};
    /// use cucore::ErrorKind;
    /// # cucore_sim::Simulator::install()?;
    /// # const SCALE: &str = include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/examples/scale.ptx"));
    /// # let device = Device::open(0)?;
    /// # let stream = Stream::new(&device)?;
    /// # let pool = MemoryResource::device_pool(&device)?;
    /// # let code = ObjectCode::new(Kind::Ptx, SCALE.as_bytes(), "scale.ptx")?;
    /// # let library = Library::load(&device, &code)?;
    ///
    /// let scale = library.kernel("scale")?;
    ///
    /// let error = library.kernel("shrink").unwrap_err();
    /// assert_eq!(error.kind(), ErrorKind::NotFound);
    /// println!("{error:?}"); // with the driver's own sentence
    /// # Ok::<(), cucore::Error>(())
    /// ```
    pub fn kernel(&self, name: &str) -> Result<Kernel> {
        // SAFETY: the handle is alive, the name is read during the call.
        made(|status| unsafe { sys::cucore_library_kernel(self.as_ptr(), name.as_ptr().cast(), name.len(), status) }).map(Kernel)
    }
}
