// SPDX-License-Identifier: MIT OR Apache-2.0
use crate::handle::{all, check, found, made};
use crate::{sys, text, Context, Result};
use std::ops::RangeInclusive;
use std::ptr;

shared_handle! {
    /// A CUDA device, bound to its primary context or to another ([`with_context`](Device::with_context)): everything made from
    /// it is made there.
    Device: cucore_device, cucore_device_retain, cucore_device_release, cucore_device_close, ordinal
}

attributes! {
    /// An attribute of a device, numbered as `CUdevice_attribute`.
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
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MemoryInfo {
    /// In bytes.
    pub available: u64,
    /// In bytes.
    pub total: u64,
}

impl Device {
    /// How many devices the driver shows. A machine with a driver and no device has 0.
    pub fn count() -> Result<i32> {
        let mut count = 0;
        // SAFETY: the count is written before we read it.
        check(|status| unsafe { sys::cucore_device_count(&mut count, status) })?;
        Ok(count)
    }

    /// Opens the device of this ordinal, from 0.
    pub fn open(ordinal: i32) -> Result<Device> {
        // SAFETY: takes a number.
        made(|status| unsafe { sys::cucore_device_open(ordinal, status) }).map(Device)
    }

    /// Opens every device, in the order of their ordinals.
    pub fn open_all() -> Result<Vec<Device>> {
        // SAFETY: `all` gives room for as many handles as it says.
        let devices =
            all(|devices, capacity, total, status| unsafe { sys::cucore_device_open_all(devices, capacity, total, status) })?;
        Ok(devices.into_iter().map(Device).collect())
    }

    /// The context's device, bound to that context.
    pub fn with_context(context: &Context) -> Result<Device> {
        // SAFETY: the context's handle is alive.
        made(|status| unsafe { sys::cucore_device_with_context(context.as_ptr(), status) }).map(Device)
    }

    /// The device of the calling thread's current context, bound to that context; `None` if there is none.
    ///
    /// # Safety
    /// The context is alive, and stays so for as long as the handle, its clones and what is made from it, as for
    /// [`Context::current`].
    pub unsafe fn current() -> Result<Option<Device>> {
        // SAFETY: the caller vouches for the context that is found.
        found(|current, status| unsafe { sys::cucore_device_current(current, status) }).map(|current| current.map(Device))
    }

    /// CUDA's number for it, from 0.
    pub fn ordinal(&self) -> i32 {
        // SAFETY: the handle is alive.
        unsafe { sys::cucore_device_ordinal(self.as_ptr()) }
    }

    /// The `CUdevice`.
    pub fn raw(&self) -> i32 {
        // SAFETY: the handle is alive.
        unsafe { sys::cucore_device_raw(self.as_ptr()) }
    }

    /// What it is called, e.g. "NVIDIA H200".
    pub fn name(&self) -> &str {
        // SAFETY: the name lives, unchanged, as long as the handle.
        unsafe { text::utf8(self.as_ptr(), sys::cucore_device_name) }
    }

    /// The architecture as compilers name it, e.g. "sm_90".
    pub fn arch(&self) -> &str {
        // SAFETY: the name lives, unchanged, as long as the handle.
        unsafe { text::utf8(self.as_ptr(), sys::cucore_device_arch) }
    }

    /// Its UUID, which tells it from every other.
    pub fn uuid(&self) -> [u8; 16] {
        // SAFETY: the handle is alive, so 16 bytes are there.
        unsafe { *sys::cucore_device_uuid(self.as_ptr()).cast() }
    }

    /// The PCI address, e.g. "0000:3b:00.0".
    pub fn pci_bus_id(&self) -> &str {
        // SAFETY: the text lives, unchanged, as long as the handle.
        unsafe { text::utf8(self.as_ptr(), sys::cucore_device_pci_bus_id) }
    }

    /// The compute capability, major and minor: (9, 0).
    pub fn compute_capability(&self) -> (u32, u32) {
        // SAFETY: the handle is alive.
        let both = unsafe { sys::cucore_device_compute_capability(self.as_ptr()) }.unsigned_abs();
        (both / 10, both % 10)
    }

    /// An attribute's value.
    pub fn attribute(&self, attribute: DeviceAttribute) -> Result<i32> {
        let mut value = 0;
        // SAFETY: the handle is alive; the value is written before we read it.
        check(|status| unsafe { sys::cucore_device_attribute(self.as_ptr(), attribute.number(), &mut value, status) })?;
        Ok(value)
    }

    /// Whether kernels on the device can use memory on `peer`.
    pub fn can_access_peer(&self, peer: &Device) -> Result<bool> {
        let mut can = 0;
        // SAFETY: both handles are alive; the answer is written before we read it.
        check(|status| unsafe { sys::cucore_device_can_access_peer(self.as_ptr(), peer.as_ptr(), &mut can, status) })?;
        Ok(can != 0)
    }

    /// How much memory is available and how much there is, as the bound context sees it.
    pub fn memory_info(&self) -> Result<MemoryInfo> {
        let mut info = MemoryInfo { available: 0, total: 0 };
        // SAFETY: the handle is alive; both numbers are written before we read them.
        check(|status| unsafe { sys::cucore_device_memory_info(self.as_ptr(), &mut info.available, &mut info.total, status) })?;
        Ok(info)
    }

    /// The priorities that streams can have, from the most urgent, the smallest number, to the least urgent.
    pub fn stream_priority_range(&self) -> Result<RangeInclusive<i32>> {
        let (mut lowest, mut highest) = (0, 0);
        // SAFETY: the handle is alive; both numbers are written before we read them.
        check(|status| unsafe { sys::cucore_device_stream_priority_range(self.as_ptr(), &mut lowest, &mut highest, status) })?;
        Ok(highest..=lowest)
    }

    /// Waits until all work in the bound context is done. What it failed with is returned.
    pub fn synchronize(&self) -> Result<()> {
        // SAFETY: the handle is alive.
        check(|status| unsafe { sys::cucore_device_synchronize(self.as_ptr(), status) })
    }

    /// Makes the bound context the calling thread's current one, as [`Context::set_current`] does.
    pub fn set_current(&self) -> Result<()> {
        // SAFETY: the handle is alive; the previous context is not asked for.
        check(|status| unsafe { sys::cucore_device_set_current(self.as_ptr(), ptr::null_mut(), status) })
    }

    /// The context that the device is bound to, which is made if this is its first use.
    pub fn context(&self) -> Result<Context> {
        // SAFETY: the handle is alive.
        made(|status| unsafe { sys::cucore_device_context(self.as_ptr(), status) }).map(Context)
    }
}
