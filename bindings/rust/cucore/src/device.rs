// SPDX-License-Identifier: MIT OR Apache-2.0
use crate::handle::{all, check, found, made};
use crate::{sys, text, Context, Result};
use std::ops::RangeInclusive;
use std::ptr;

shared_handle! {
    /// A CUDA device, bound to its primary context or to another ([`with_context`](Device::with_context)): everything made from
    /// it is made there.
    ///
    /// ```
    /// use cucore::{Device, Stream};
    /// # cucore_sim::Simulator::install()?;
    ///
    /// for device in Device::open_all()? {
    ///     let info = device.memory_info()?;
    ///     println!("{}: {}, {}, {} of {} bytes", device.ordinal(), device.name(), device.arch(), info.available, info.total);
    /// }
    ///
    /// let first = Device::open(0)?;
    /// let same = first.clone(); // another reference, for another thread for example
    /// std::thread::spawn(move || Stream::new(&same).map(drop)).join().unwrap()?;
    /// # Ok::<(), cucore::Error>(())
    /// ```
    Device: cucore_device, cucore_device_retain, cucore_device_release, cucore_device_close, ordinal,
        "let handle = Device::open(0)?;"
}

attributes! {
    /// An attribute of a device, numbered as `CUdevice_attribute`.
    ///
    /// ```
    /// use cucore::{Device, DeviceAttribute};
    /// # cucore_sim::Simulator::install()?;
    ///
    /// let device = Device::open(0)?;
    /// assert_eq!(device.attribute(DeviceAttribute::WarpSize)?, 32);
    /// const CU_DEVICE_ATTRIBUTE_WARP_SIZE: i32 = 10;
    /// assert_eq!(device.attribute(DeviceAttribute::Other(CU_DEVICE_ATTRIBUTE_WARP_SIZE))?, 32);
    /// # Ok::<(), cucore::Error>(())
    /// ```
    DeviceAttribute {
        /// Threads of a block, at most.
        MaxThreadsPerBlock = CUCORE_DEVICE_ATTRIBUTE_MAX_THREADS_PER_BLOCK,
        /// Threads of a block in x, at most.
        MaxBlockDimX = CUCORE_DEVICE_ATTRIBUTE_MAX_BLOCK_DIM_X,
        /// Threads of a block in y, at most.
        MaxBlockDimY = CUCORE_DEVICE_ATTRIBUTE_MAX_BLOCK_DIM_Y,
        /// Threads of a block in z, at most.
        MaxBlockDimZ = CUCORE_DEVICE_ATTRIBUTE_MAX_BLOCK_DIM_Z,
        /// Blocks of a grid in x, at most.
        MaxGridDimX = CUCORE_DEVICE_ATTRIBUTE_MAX_GRID_DIM_X,
        /// Blocks of a grid in y, at most.
        MaxGridDimY = CUCORE_DEVICE_ATTRIBUTE_MAX_GRID_DIM_Y,
        /// Blocks of a grid in z, at most.
        MaxGridDimZ = CUCORE_DEVICE_ATTRIBUTE_MAX_GRID_DIM_Z,
        /// Shared memory of a block in bytes, at most, if no more was opted for.
        MaxSharedMemoryPerBlock = CUCORE_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK,
        /// Constant memory in bytes.
        TotalConstantMemory = CUCORE_DEVICE_ATTRIBUTE_TOTAL_CONSTANT_MEMORY,
        /// Threads of a warp.
        WarpSize = CUCORE_DEVICE_ATTRIBUTE_WARP_SIZE,
        /// Registers of 32 bits of a block, at most.
        MaxRegistersPerBlock = CUCORE_DEVICE_ATTRIBUTE_MAX_REGISTERS_PER_BLOCK,
        /// Clock rate in kHz.
        ClockRate = CUCORE_DEVICE_ATTRIBUTE_CLOCK_RATE,
        /// Multiprocessors.
        MultiprocessorCount = CUCORE_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT,
        /// 1 if the device shares its memory with the host.
        Integrated = CUCORE_DEVICE_ATTRIBUTE_INTEGRATED,
        /// 1 if host memory can be mapped for the device.
        CanMapHostMemory = CUCORE_DEVICE_ATTRIBUTE_CAN_MAP_HOST_MEMORY,
        /// 1 if several kernels can run at once.
        ConcurrentKernels = CUCORE_DEVICE_ATTRIBUTE_CONCURRENT_KERNELS,
        /// The bus of its PCI address.
        PciBusId = CUCORE_DEVICE_ATTRIBUTE_PCI_BUS_ID,
        /// The device of its PCI address.
        PciDeviceId = CUCORE_DEVICE_ATTRIBUTE_PCI_DEVICE_ID,
        /// The memory's clock rate in kHz.
        MemoryClockRate = CUCORE_DEVICE_ATTRIBUTE_MEMORY_CLOCK_RATE,
        /// The memory bus's width in bits.
        GlobalMemoryBusWidth = CUCORE_DEVICE_ATTRIBUTE_GLOBAL_MEMORY_BUS_WIDTH,
        /// The L2 cache in bytes.
        L2CacheSize = CUCORE_DEVICE_ATTRIBUTE_L2_CACHE_SIZE,
        /// Threads on a multiprocessor, at most.
        MaxThreadsPerMultiprocessor = CUCORE_DEVICE_ATTRIBUTE_MAX_THREADS_PER_MULTIPROCESSOR,
        /// 1 if host and device share one address space.
        UnifiedAddressing = CUCORE_DEVICE_ATTRIBUTE_UNIFIED_ADDRESSING,
        /// 9 in compute capability 9.0.
        ComputeCapabilityMajor = CUCORE_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR,
        /// 0 in compute capability 9.0.
        ComputeCapabilityMinor = CUCORE_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR,
        /// 1 if managed memory can be allocated.
        ManagedMemory = CUCORE_DEVICE_ATTRIBUTE_MANAGED_MEMORY,
        /// 1 if cooperative launches work.
        CooperativeLaunch = CUCORE_DEVICE_ATTRIBUTE_COOPERATIVE_LAUNCH,
        /// Shared memory of a block in bytes, at most, for kernels that opt for it.
        MaxSharedMemoryPerBlockOptin = CUCORE_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN,
        /// 1 if the device has memory pools.
        MemoryPoolsSupported = CUCORE_DEVICE_ATTRIBUTE_MEMORY_POOLS_SUPPORTED,
        /// 1 if clusters can be launched.
        ClusterLaunch = CUCORE_DEVICE_ATTRIBUTE_CLUSTER_LAUNCH,
    }
}

/// What [`Device::memory_info`] tells.
///
/// ```
/// use cucore::{Device, MemoryInfo};
/// # cucore_sim::Simulator::install()?;
///
/// let info: MemoryInfo = Device::open(0)?.memory_info()?;
/// assert!(info.available <= info.total);
/// # Ok::<(), cucore::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MemoryInfo {
    /// In bytes.
    pub available: u64,
    /// In bytes.
    pub total: u64,
}

impl Device {
    /// How many devices the driver shows. A machine with a driver and no device has 0.
    ///
    /// ```
    /// use cucore::Device;
    /// # cucore_sim::Simulator::install()?;
    ///
    /// assert_eq!(Device::count()?, 2); // the simulated driver's
    /// # Ok::<(), cucore::Error>(())
    /// ```
    pub fn count() -> Result<i32> {
        let mut count = 0;
        // SAFETY: the count is written before we read it.
        check(|status| unsafe { sys::cucore_device_count(&mut count, status) })?;
        Ok(count)
    }

    /// Opens the device of this ordinal, from 0.
    ///
    /// ```
    /// use cucore::{Device, ErrorKind};
    /// # cucore_sim::Simulator::install()?;
    ///
    /// let device = Device::open(0)?;
    /// assert_eq!(device.name(), "Simulated CUDA device");
    ///
    /// let error = Device::open(99).unwrap_err();
    /// assert_eq!(error.kind(), ErrorKind::NotFound);
    /// println!("{error}"); // says how many there are
    /// # Ok::<(), cucore::Error>(())
    /// ```
    pub fn open(ordinal: i32) -> Result<Device> {
        // SAFETY: takes a number.
        made(|status| unsafe { sys::cucore_device_open(ordinal, status) }).map(Device)
    }

    /// Opens every device, in the order of their ordinals.
    ///
    /// ```
    /// use cucore::Device;
    /// # cucore_sim::Simulator::install()?;
    ///
    /// let ordinals: Vec<i32> = Device::open_all()?.iter().map(Device::ordinal).collect();
    /// assert_eq!(ordinals, [0, 1]);
    /// # Ok::<(), cucore::Error>(())
    /// ```
    pub fn open_all() -> Result<Vec<Device>> {
        // SAFETY: `all` gives room for as many handles as it says.
        let devices =
            all(|devices, capacity, total, status| unsafe { sys::cucore_device_open_all(devices, capacity, total, status) })?;
        Ok(devices.into_iter().map(Device).collect())
    }

    /// The context's device, bound to that context.
    ///
    /// ```
    /// use cucore::{Device, Stream};
    /// # cucore_sim::Simulator::install()?;
    /// # let device = Device::open(0)?;
    ///
    /// let context = device.context()?; // or one that other code made: Context::from_raw_borrowed
    /// let bound = Device::with_context(&context)?;
    /// assert_eq!(Stream::new(&bound)?.context().raw(), context.raw());
    /// # Ok::<(), cucore::Error>(())
    /// ```
    pub fn with_context(context: &Context) -> Result<Device> {
        // SAFETY: the context's handle is alive.
        made(|status| unsafe { sys::cucore_device_with_context(context.as_ptr(), status) }).map(Device)
    }

    /// The device of the calling thread's current context, bound to that context; `None` if there is none.
    ///
    /// ```
    /// # use cucore::Context;
    /// use cucore::Device;
    /// # cucore_sim::Simulator::install()?;
    ///
    /// Device::open(1)?.set_current()?;
    /// // SAFETY: the current context is a primary one, which lives on.
    /// let current = unsafe { Device::current() }?.expect("a current context");
    /// assert_eq!(current.ordinal(), 1);
    /// # Context::clear_current()?;
    /// # Ok::<(), cucore::Error>(())
    /// ```
    ///
    /// # Safety
    /// The context is alive, and stays so for as long as the handle, its clones and what is made from it, as for
    /// [`Context::current`].
    pub unsafe fn current() -> Result<Option<Device>> {
        // SAFETY: the caller vouches for the context that is found.
        found(|current, status| unsafe { sys::cucore_device_current(current, status) }).map(|current| current.map(Device))
    }

    /// CUDA's number for it, from 0.
    ///
    /// ```
    /// use cucore::Device;
    /// # cucore_sim::Simulator::install()?;
    ///
    /// assert_eq!(Device::open(1)?.ordinal(), 1);
    /// # Ok::<(), cucore::Error>(())
    /// ```
    pub fn ordinal(&self) -> i32 {
        // SAFETY: the handle is alive.
        unsafe { sys::cucore_device_ordinal(self.as_ptr()) }
    }

    /// The `CUdevice`.
    ///
    /// ```
    /// use cucore::Device;
    /// # cucore_sim::Simulator::install()?;
    ///
    /// let device = Device::open(1)?;
    /// println!("CUdevice {}", device.raw()); // for calls of the driver's by other code
    /// # Ok::<(), cucore::Error>(())
    /// ```
    pub fn raw(&self) -> i32 {
        // SAFETY: the handle is alive.
        unsafe { sys::cucore_device_raw(self.as_ptr()) }
    }

    /// What it is called, e.g. "NVIDIA H200".
    ///
    /// ```
    /// use cucore::Device;
    /// # cucore_sim::Simulator::install()?;
    ///
    /// assert_eq!(Device::open(0)?.name(), "Simulated CUDA device");
    /// # Ok::<(), cucore::Error>(())
    /// ```
    pub fn name(&self) -> &str {
        // SAFETY: the name lives, unchanged, as long as the handle.
        unsafe { text::utf8(self.as_ptr(), sys::cucore_device_name) }
    }

    /// The architecture as compilers name it, e.g. "sm_90".
    ///
    /// ```
    /// # use cucore::Device;
    /// use cucore::ProgramOptions;
    /// # cucore_sim::Simulator::install()?;
    /// # let device = Device::open(0)?;
    ///
    /// assert_eq!(device.arch(), "sm_90");
    /// let options = ProgramOptions::default().arch(device.arch()); // as is the default with this device
    /// # Ok::<(), cucore::Error>(())
    /// ```
    pub fn arch(&self) -> &str {
        // SAFETY: the name lives, unchanged, as long as the handle.
        unsafe { text::utf8(self.as_ptr(), sys::cucore_device_arch) }
    }

    /// Its UUID, which tells it from every other.
    ///
    /// ```
    /// use cucore::Device;
    /// # cucore_sim::Simulator::install()?;
    ///
    /// let [first, second] = [Device::open(0)?, Device::open(1)?];
    /// assert_ne!(first.uuid(), second.uuid());
    /// # Ok::<(), cucore::Error>(())
    /// ```
    pub fn uuid(&self) -> [u8; 16] {
        // SAFETY: the handle is alive, so 16 bytes are there.
        unsafe { *sys::cucore_device_uuid(self.as_ptr()).cast() }
    }

    /// The PCI address, e.g. "0000:3b:00.0".
    ///
    /// ```
    /// use cucore::Device;
    /// # cucore_sim::Simulator::install()?;
    ///
    /// let device = Device::open(0)?;
    /// assert_eq!(device.pci_bus_id().split(':').count(), 3); // domain, bus, and device with function
    /// # Ok::<(), cucore::Error>(())
    /// ```
    pub fn pci_bus_id(&self) -> &str {
        // SAFETY: the text lives, unchanged, as long as the handle.
        unsafe { text::utf8(self.as_ptr(), sys::cucore_device_pci_bus_id) }
    }

    /// The compute capability, major and minor: (9, 0).
    ///
    /// ```
    /// use cucore::Device;
    /// # cucore_sim::Simulator::install()?;
    ///
    /// let device = Device::open(0)?;
    /// assert_eq!(device.compute_capability(), (9, 0));
    /// assert!(device.compute_capability() >= (7, 5)); // compares as versions do
    /// # Ok::<(), cucore::Error>(())
    /// ```
    pub fn compute_capability(&self) -> (u32, u32) {
        // SAFETY: the handle is alive.
        let both = unsafe { sys::cucore_device_compute_capability(self.as_ptr()) }.unsigned_abs();
        (both / 10, both % 10)
    }

    /// An attribute's value.
    ///
    /// ```
    /// use cucore::{Device, DeviceAttribute};
    /// # cucore_sim::Simulator::install()?;
    ///
    /// let device = Device::open(0)?;
    /// let threads = device.attribute(DeviceAttribute::MaxThreadsPerBlock)?;
    /// assert_eq!(threads, 1024);
    /// # Ok::<(), cucore::Error>(())
    /// ```
    pub fn attribute(&self, attribute: DeviceAttribute) -> Result<i32> {
        let mut value = 0;
        // SAFETY: the handle is alive; the value is written before we read it.
        check(|status| unsafe { sys::cucore_device_attribute(self.as_ptr(), attribute.number(), &mut value, status) })?;
        Ok(value)
    }

    /// Whether kernels on the device can use memory on `peer`.
    ///
    /// ```
    /// use cucore::Device;
    /// # cucore_sim::Simulator::install()?;
    ///
    /// let [first, second] = [Device::open(0)?, Device::open(1)?];
    /// if first.can_access_peer(&second)? {
    ///     println!("{first:?} reads and writes memory of {second:?}");
    /// }
    /// # Ok::<(), cucore::Error>(())
    /// ```
    pub fn can_access_peer(&self, peer: &Device) -> Result<bool> {
        let mut can = 0;
        // SAFETY: both handles are alive; the answer is written before we read it.
        check(|status| unsafe { sys::cucore_device_can_access_peer(self.as_ptr(), peer.as_ptr(), &mut can, status) })?;
        Ok(can != 0)
    }

    /// How much memory is available and how much there is, as the bound context sees it.
    ///
    /// ```
    /// use cucore::Device;
    /// # cucore_sim::Simulator::install()?;
    ///
    /// let info = Device::open(0)?.memory_info()?;
    /// assert!(info.available <= info.total);
    /// # Ok::<(), cucore::Error>(())
    /// ```
    pub fn memory_info(&self) -> Result<MemoryInfo> {
        let mut info = MemoryInfo { available: 0, total: 0 };
        // SAFETY: the handle is alive; both numbers are written before we read them.
        check(|status| unsafe { sys::cucore_device_memory_info(self.as_ptr(), &mut info.available, &mut info.total, status) })?;
        Ok(info)
    }

    /// The priorities that streams can have, from the most urgent, the smallest number, to the least urgent.
    ///
    /// ```
    /// use cucore::{Device, Stream, StreamOptions};
    /// # cucore_sim::Simulator::install()?;
    ///
    /// let device = Device::open(0)?;
    /// let range = device.stream_priority_range()?;
    /// let urgent = Stream::with_options(&device, &StreamOptions::default().priority(*range.start()))?;
    /// assert_eq!(urgent.priority()?, *range.start());
    /// # Ok::<(), cucore::Error>(())
    /// ```
    pub fn stream_priority_range(&self) -> Result<RangeInclusive<i32>> {
        let (mut lowest, mut highest) = (0, 0);
        // SAFETY: the handle is alive; both numbers are written before we read them.
        check(|status| unsafe { sys::cucore_device_stream_priority_range(self.as_ptr(), &mut lowest, &mut highest, status) })?;
        Ok(highest..=lowest)
    }

    /// Waits until all work in the bound context is done. What it failed with is returned.
    ///
    /// ```
    /// # use cucore::{Device, MemoryResource, Stream};
    /// # cucore_sim::Simulator::install()?;
    /// # let device = Device::open(0)?;
    /// # let stream = Stream::new(&device)?;
    /// # let pool = MemoryResource::device_pool(&device)?;
    /// let mut buffer = pool.allocate::<u8>(16, &stream)?;
    /// buffer.fill(1, &stream)?;
    /// device.synchronize()?;
    /// assert!(stream.is_done()?);
    /// # Ok::<(), cucore::Error>(())
    /// ```
    pub fn synchronize(&self) -> Result<()> {
        // SAFETY: the handle is alive.
        check(|status| unsafe { sys::cucore_device_synchronize(self.as_ptr(), status) })
    }

    /// Makes the bound context the calling thread's current one, as [`Context::set_current`] does.
    ///
    /// ```
    /// use cucore::{Context, Device};
    /// # cucore_sim::Simulator::install()?;
    ///
    /// let device = Device::open(1)?;
    /// device.set_current()?; // for libraries that use the current context
    /// // SAFETY: the current context is a primary one, which lives on.
    /// assert_eq!(unsafe { Context::current() }?.unwrap().ordinal(), 1);
    /// # Context::clear_current()?;
    /// # Ok::<(), cucore::Error>(())
    /// ```
    pub fn set_current(&self) -> Result<()> {
        // SAFETY: the handle is alive; the previous context is not asked for.
        check(|status| unsafe { sys::cucore_device_set_current(self.as_ptr(), ptr::null_mut(), status) })
    }

    /// The context that the device is bound to, which is made if this is its first use.
    ///
    /// ```
    /// use cucore::Device;
    /// # cucore_sim::Simulator::install()?;
    ///
    /// let device = Device::open(0)?;
    /// assert_eq!(device.context()?.raw(), device.context()?.raw()); // one context, another handle
    /// # Ok::<(), cucore::Error>(())
    /// ```
    pub fn context(&self) -> Result<Context> {
        // SAFETY: the handle is alive.
        made(|status| unsafe { sys::cucore_device_context(self.as_ptr(), status) }).map(Context)
    }
}
