// SPDX-License-Identifier: MIT OR Apache-2.0
use crate::handle::{check, parent};
use crate::{sys, text, Arguments, Device, Error, ErrorKind, LaunchConfig, Library, Result, Stream};
use std::fmt;
use std::ptr;

shared_handle! {
    /// A kernel: a function of a library that runs on a device.
    ///
    /// ```
    /// # use cucore::{Device, Kind, Library, MemoryResource, ObjectCode, Stream};
    /// use cucore::LaunchConfig;
    /// # cucore_sim::Simulator::install()?;
    /// # const SCALE: &str = include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/examples/scale.ptx"));
    /// # let device = Device::open(0)?;
    /// # let stream = Stream::new(&device)?;
    /// # let pool = MemoryResource::device_pool(&device)?;
    /// # let code = ObjectCode::new(Kind::Ptx, SCALE.as_bytes(), "scale.ptx")?;
    /// # let library = Library::load(&device, &code)?;
    ///
    /// let scale = library.kernel("scale")?; // __global__ void scale(float *x, float factor, unsigned n)
    /// drop(library); // the kernel keeps it loaded
    ///
    /// let mut x = pool.upload(&[1.0f32, 2.0, 3.0], &stream)?;
    /// // SAFETY: the arguments are those of the kernel, which stays below n.
    /// unsafe { scale.launch(&stream, &LaunchConfig::covering(3, 256), (&mut x, 10.0f32, 3u32)) }?;
    /// assert_eq!(x.download(&stream)?, [10.0, 20.0, 30.0]);
    /// # Ok::<(), cucore::Error>(())
    /// ```
    Kernel: cucore_kernel, cucore_kernel_retain, cucore_kernel_release, cucore_kernel_close, name,
        "# const SCALE: &str = include_str!(concat!(env!(\"CARGO_MANIFEST_DIR\"), \"/examples/scale.ptx\"));
# let device = Device::open(0)?;
let code = ObjectCode::new(Kind::Ptx, SCALE.as_bytes(), \"scale.ptx\")?;
let handle = Library::load(&device, &code)?.kernel(\"scale\")?;"
}

attributes! {
    /// An attribute of a kernel, numbered as `CUfunction_attribute`; sizes are in bytes.
    ///
    /// ```
    /// # use cucore::{Device, Kind, Library, MemoryResource, ObjectCode, Stream};
    /// use cucore::KernelAttribute;
    /// # cucore_sim::Simulator::install()?;
    /// # const SCALE: &str = include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/examples/scale.ptx"));
    /// # let device = Device::open(0)?;
    /// # let stream = Stream::new(&device)?;
    /// # let pool = MemoryResource::device_pool(&device)?;
    /// # let code = ObjectCode::new(Kind::Ptx, SCALE.as_bytes(), "scale.ptx")?;
    /// # let library = Library::load(&device, &code)?;
    /// # let scale = library.kernel("scale")?;
    ///
    /// assert!(scale.attribute(KernelAttribute::MaxThreadsPerBlock, None)? >= 256);
    /// assert_eq!(scale.attribute(KernelAttribute::SharedSize, None)?, 0);
    /// # Ok::<(), cucore::Error>(())
    /// ```
    KernelAttribute {
        /// Threads of a block, at most.
        MaxThreadsPerBlock = CUCORE_KERNEL_ATTRIBUTE_MAX_THREADS_PER_BLOCK,
        /// Static shared memory of a block.
        SharedSize = CUCORE_KERNEL_ATTRIBUTE_SHARED_SIZE,
        /// Constant memory.
        ConstSize = CUCORE_KERNEL_ATTRIBUTE_CONST_SIZE,
        /// Local memory of a thread.
        LocalSize = CUCORE_KERNEL_ATTRIBUTE_LOCAL_SIZE,
        /// Registers of a thread.
        Registers = CUCORE_KERNEL_ATTRIBUTE_REGISTERS,
        /// The PTX architecture, 10 * major + minor.
        PtxVersion = CUCORE_KERNEL_ATTRIBUTE_PTX_VERSION,
        /// The machine code's architecture, 10 * major + minor.
        BinaryVersion = CUCORE_KERNEL_ATTRIBUTE_BINARY_VERSION,
        /// 1 if it was compiled to cache global loads in L1.
        CacheModeCa = CUCORE_KERNEL_ATTRIBUTE_CACHE_MODE_CA,
        /// Dynamic shared memory of a block, at most. Can be set.
        MaxDynamicSharedSize = CUCORE_KERNEL_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE,
        /// How much of a multiprocessor's memory should be shared memory, in percent; -1 is the default. Can be set.
        PreferredSharedCarveout = CUCORE_KERNEL_ATTRIBUTE_PREFERRED_SHARED_CARVEOUT,
        /// 1 if a launch has to say a cluster size.
        ClusterSizeMustBeSet = CUCORE_KERNEL_ATTRIBUTE_CLUSTER_SIZE_MUST_BE_SET,
        /// Blocks of a cluster in x that it requires. Can be set.
        RequiredClusterWidth = CUCORE_KERNEL_ATTRIBUTE_REQUIRED_CLUSTER_WIDTH,
        /// Blocks of a cluster in y that it requires. Can be set.
        RequiredClusterHeight = CUCORE_KERNEL_ATTRIBUTE_REQUIRED_CLUSTER_HEIGHT,
        /// Blocks of a cluster in z that it requires. Can be set.
        RequiredClusterDepth = CUCORE_KERNEL_ATTRIBUTE_REQUIRED_CLUSTER_DEPTH,
        /// 1 if it may run with clusters of a size that not every device offers. Can be set.
        NonPortableClusterSizeAllowed = CUCORE_KERNEL_ATTRIBUTE_NON_PORTABLE_CLUSTER_SIZE_ALLOWED,
        /// How the blocks of a cluster are to be scheduled. Can be set.
        ClusterSchedulingPolicyPreference = CUCORE_KERNEL_ATTRIBUTE_CLUSTER_SCHEDULING_POLICY_PREFERENCE,
    }
}

impl Kernel {
    /// The `CUkernel`.
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
    /// # let scale = library.kernel("scale")?;
    /// assert!(!scale.raw().is_null()); // for calls of the driver's by other code
    /// # Ok::<(), cucore::Error>(())
    /// ```
    pub fn raw(&self) -> *mut sys::CUkern_st {
        // SAFETY: the handle is alive.
        unsafe { sys::cucore_kernel_raw(self.as_ptr()) }
    }

    /// The name that it was found by.
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
    /// # let scale = library.kernel("scale")?;
    /// assert_eq!(scale.name(), "scale");
    /// # Ok::<(), cucore::Error>(())
    /// ```
    pub fn name(&self) -> &str {
        // SAFETY: the name lives, unchanged, as long as the handle.
        unsafe { text::utf8(self.as_ptr(), sys::cucore_kernel_name) }
    }

    /// The library that it is in.
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
    /// # let scale = library.kernel("scale")?;
    /// let again = scale.library().kernel("scale")?;
    /// assert_eq!(again.raw(), scale.raw());
    /// # Ok::<(), cucore::Error>(())
    /// ```
    pub fn library(&self) -> Library {
        // SAFETY: the handle is alive, and the reference it gives is new.
        Library(parent(unsafe { sys::cucore_kernel_library(self.as_ptr()) }))
    }

    /// How many parameters it takes. Drivers before CUDA 12.4 do not say.
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
    /// # let scale = library.kernel("scale")?;
    /// assert_eq!(scale.parameter_count()?, 3);
    /// # Ok::<(), cucore::Error>(())
    /// ```
    pub fn parameter_count(&self) -> Result<usize> {
        let mut count = 0;
        // SAFETY: the handle is alive; the count is written before we read it.
        check(|status| unsafe { sys::cucore_kernel_parameter_count(self.as_ptr(), &mut count, status) })?;
        Ok(count)
    }

    /// The size in bytes of a parameter. Drivers before CUDA 12.4 do not say.
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
    /// # let scale = library.kernel("scale")?;
    ///
    /// let sizes = [scale.parameter_size(0)?, scale.parameter_size(1)?, scale.parameter_size(2)?];
    /// assert_eq!(sizes, [8, 4, 4]); // a pointer, a float, an unsigned
    /// assert_eq!(scale.parameter_size(3).unwrap_err().kind(), ErrorKind::InvalidArgument);
    /// # Ok::<(), cucore::Error>(())
    /// ```
    pub fn parameter_size(&self, index: usize) -> Result<usize> {
        let mut size = 0;
        // SAFETY: the handle is alive; the size is written before we read it.
        check(|status| unsafe { sys::cucore_kernel_parameter_size(self.as_ptr(), index, &mut size, status) })?;
        Ok(size)
    }

    /// Where in the block of parameters a parameter begins, in bytes. Drivers before CUDA 12.4 do not say.
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
    /// # let scale = library.kernel("scale")?;
    /// assert_eq!(scale.parameter_offset(2)?, 12);
    /// # Ok::<(), cucore::Error>(())
    /// ```
    pub fn parameter_offset(&self, index: usize) -> Result<usize> {
        let mut offset = 0;
        // SAFETY: the handle is alive; the offset is written before we read it.
        check(|status| unsafe { sys::cucore_kernel_parameter_offset(self.as_ptr(), index, &mut offset, status) })?;
        Ok(offset)
    }

    /// That it takes parameters of these sizes, in bytes, in order: if not, it is
    /// [`InvalidArgument`](crate::ErrorKind::InvalidArgument). Drivers before CUDA 12.4 do not say, and any pass.
    ///
    /// ```
    /// use cucore::ErrorKind;
    /// # use cucore::{Device, Kind, Library, ObjectCode};
    /// # cucore_sim::Simulator::install()?;
    /// # const SCALE: &str = include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/examples/scale.ptx"));
    /// # let code = ObjectCode::new(Kind::Ptx, SCALE.as_bytes(), "scale.ptx")?;
    /// # let scale = Library::load(&Device::open(0)?, &code)?.kernel("scale")?;
    ///
    /// scale.expect_parameters(&[8, 4, 4])?; // a pointer, a float, an unsigned
    /// let error = scale.expect_parameters(&[8, 4]).unwrap_err();
    /// assert_eq!(error.kind(), ErrorKind::InvalidArgument);
    /// # Ok::<(), cucore::Error>(())
    /// ```
    pub fn expect_parameters(&self, sizes: &[usize]) -> Result<()> {
        let count = match self.parameter_count() {
            Err(error) if error.kind() == ErrorKind::NotSupported => return Ok(()),
            count => count?,
        };
        if count != sizes.len() {
            return Err(self.unexpected(format_args!("it has {count} parameters, not {}", sizes.len())));
        }
        sizes.iter().enumerate().try_for_each(|(index, &size)| self.expect_parameter(index, size))
    }

    fn expect_parameter(&self, index: usize, size: usize) -> Result<()> {
        match self.parameter_size(index)? {
            actual if actual == size => Ok(()),
            actual => Err(self.unexpected(format_args!("its parameter {index} is of {actual} bytes, not {size}"))),
        }
    }

    fn unexpected(&self, what: fmt::Arguments<'_>) -> Error {
        Error::new(ErrorKind::InvalidArgument, &format!("kernel {}: {what}", self.name()))
    }

    /// An attribute's value on `device`, or on its library's.
    ///
    /// ```
    /// # use cucore::{Device, Kind, Library, MemoryResource, ObjectCode, Stream};
    /// use cucore::{KernelAttribute, LaunchConfig};
    /// # cucore_sim::Simulator::install()?;
    /// # const SCALE: &str = include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/examples/scale.ptx"));
    /// # let device = Device::open(0)?;
    /// # let stream = Stream::new(&device)?;
    /// # let pool = MemoryResource::device_pool(&device)?;
    /// # let code = ObjectCode::new(Kind::Ptx, SCALE.as_bytes(), "scale.ptx")?;
    /// # let library = Library::load(&device, &code)?;
    /// # let scale = library.kernel("scale")?;
    ///
    /// let threads = scale.attribute(KernelAttribute::MaxThreadsPerBlock, Some(&device))?;
    /// let config = LaunchConfig::covering(1 << 20, threads as u32); // as wide blocks as it can have
    /// # Ok::<(), cucore::Error>(())
    /// ```
    pub fn attribute(&self, attribute: KernelAttribute, device: Option<&Device>) -> Result<i32> {
        let (number, device) = (attribute.number(), device.map_or(ptr::null_mut(), Device::as_ptr));
        let mut value = 0;
        // SAFETY: the handles are alive (the device's may be NULL); the value is written before we read it.
        check(|status| unsafe { sys::cucore_kernel_attribute(self.as_ptr(), number, device, &mut value, status) })?;
        Ok(value)
    }

    /// Sets an attribute on `device`, or on its library's, for all who use the kernel.
    ///
    /// ```
    /// # use cucore::{Device, Kind, Library, MemoryResource, ObjectCode, Stream};
    /// use cucore::{DeviceAttribute, KernelAttribute};
    /// # cucore_sim::Simulator::install()?;
    /// # const SCALE: &str = include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/examples/scale.ptx"));
    /// # let device = Device::open(0)?;
    /// # let stream = Stream::new(&device)?;
    /// # let pool = MemoryResource::device_pool(&device)?;
    /// # let code = ObjectCode::new(Kind::Ptx, SCALE.as_bytes(), "scale.ptx")?;
    /// # let library = Library::load(&device, &code)?;
    /// # let scale = library.kernel("scale")?;
    ///
    /// let most = device.attribute(DeviceAttribute::MaxSharedMemoryPerBlockOptin)?;
    /// scale.set_attribute(KernelAttribute::MaxDynamicSharedSize, None, most)?;
    /// assert_eq!(scale.attribute(KernelAttribute::MaxDynamicSharedSize, None)?, most);
    /// # Ok::<(), cucore::Error>(())
    /// ```
    pub fn set_attribute(&self, attribute: KernelAttribute, device: Option<&Device>, value: i32) -> Result<()> {
        let (number, device) = (attribute.number(), device.map_or(ptr::null_mut(), Device::as_ptr));
        // SAFETY: the handles are alive (the device's may be NULL).
        check(|status| unsafe { sys::cucore_kernel_set_attribute(self.as_ptr(), number, device, value, status) })
    }

    /// Puts a launch on the stream; it does not wait. Buffers among the arguments outlive the launch even if they are dropped
    /// meanwhile. From CUDA 12.4 on, count and sizes of the arguments are checked against the kernel's parameters. What the
    /// kernel fails with while it runs is returned by a later call that waits for it.
    ///
    /// ```
    /// # use cucore::{Device, Kind, Library, MemoryResource, ObjectCode, Stream};
    /// use cucore::{ErrorKind, LaunchConfig};
    /// # cucore_sim::Simulator::install()?;
    /// # const SCALE: &str = include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/examples/scale.ptx"));
    /// # let device = Device::open(0)?;
    /// # let stream = Stream::new(&device)?;
    /// # let pool = MemoryResource::device_pool(&device)?;
    /// # let code = ObjectCode::new(Kind::Ptx, SCALE.as_bytes(), "scale.ptx")?;
    /// # let library = Library::load(&device, &code)?;
    /// # let scale = library.kernel("scale")?;
    ///
    /// let mut x = pool.upload(&[1.0f32; 1000], &stream)?;
    /// let config = LaunchConfig::covering(x.len(), 256);
    /// // SAFETY: the arguments are those of the kernel, which stays below n.
    /// unsafe { scale.launch(&stream, &config, (&mut x, 3.0f32, 1000u32)) }?;
    ///
    /// // SAFETY: the launch is refused.
    /// let error = unsafe { scale.launch(&stream, &config, (&mut x, 3.0f32)) }.unwrap_err();
    /// assert_eq!(error.kind(), ErrorKind::InvalidArgument); // two arguments, three parameters
    /// assert_eq!(x.download(&stream)?, [3.0; 1000]);
    /// # Ok::<(), cucore::Error>(())
    /// ```
    ///
    /// # Safety
    /// The arguments fit the kernel's parameters in type and meaning, and so launched the kernel stays inside the memory that
    /// they lend it: it reads what is lent by `&`, writes only what is lent by `&mut`. The loan ends when this returns, so all
    /// of this holds whatever work of other streams, not ordered after the launch, does to that memory meanwhile.
    pub unsafe fn launch(&self, stream: &Stream, config: &LaunchConfig, arguments: impl Arguments) -> Result<()> {
        let config = config.to_c();
        arguments.with(|arguments| {
            let (first, count) = (arguments.as_ptr(), arguments.len());
            // SAFETY: all handles are alive during the call; for what the kernel does with them the caller answers.
            check(|status| unsafe { sys::cucore_kernel_launch(self.as_ptr(), stream.as_ptr(), &config, first, count, status) })
        })
    }
}
