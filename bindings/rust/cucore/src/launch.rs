// SPDX-License-Identifier: MIT OR Apache-2.0
use crate::{buffer, sys, Buffer, HostBuffer, View, ViewMut};
use bytemuck::Pod;
use std::ptr;

/// How wide a launch is.
///
/// ```
/// use cucore::LaunchConfig;
///
/// let image = LaunchConfig::new([1920 / 16, 1080 / 8, 1], [16, 8, 1]).shared_bytes(4096);
/// assert_eq!((image.grid, image.block), ([120, 135, 1], [16, 8, 1]));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct LaunchConfig {
    /// In blocks, each dimension at least 1.
    pub grid: [u32; 3],
    /// In threads, each dimension at least 1.
    pub block: [u32; 3],
    /// Dynamic shared memory of a block.
    pub shared_bytes: u32,
}

impl LaunchConfig {
    /// So many blocks of so many threads.
    ///
    /// ```
    /// use cucore::LaunchConfig;
    ///
    /// let config = LaunchConfig::new([4, 1, 1], [256, 1, 1]);
    /// assert_eq!(config.grid[0] * config.block[0], 1024);
    /// ```
    pub fn new(grid: [u32; 3], block: [u32; 3]) -> LaunchConfig {
        LaunchConfig { grid, block, shared_bytes: 0 }
    }

    /// As many blocks of `threads` threads as give each of `items` a thread, and at least one.
    ///
    /// ```
    /// use cucore::LaunchConfig;
    ///
    /// assert_eq!(LaunchConfig::covering(1000, 256), LaunchConfig::new([4, 1, 1], [256, 1, 1]));
    /// ```
    pub fn covering(items: usize, threads: u32) -> LaunchConfig {
        let blocks = items.div_ceil(threads.max(1) as usize).max(1);
        LaunchConfig::new([u32::try_from(blocks).unwrap_or(u32::MAX), 1, 1], [threads, 1, 1])
    }

    /// Sets [`shared_bytes`](Self::shared_bytes).
    ///
    /// ```
    /// use cucore::LaunchConfig;
    ///
    /// let config = LaunchConfig::covering(1000, 256).shared_bytes(256 * 4); // a float for each thread
    /// assert_eq!(config.shared_bytes, 1024);
    /// ```
    pub fn shared_bytes(mut self, shared_bytes: u32) -> LaunchConfig {
        self.shared_bytes = shared_bytes;
        self
    }

    pub(crate) fn to_c(self) -> sys::cucore_launch_options {
        sys::cucore_launch_options {
            struct_size: size_of::<sys::cucore_launch_options>(),
            grid: self.grid,
            block: self.block,
            shared_bytes: self.shared_bytes,
            reserved: 0,
        }
    }
}

/// One argument of a launch: a number, a buffer or part of one, or a struct in [`ByValue`].
///
/// ```
/// # use cucore::{Device, MemoryResource, Stream};
/// use cucore::Argument;
/// # cucore_sim::Simulator::install()?;
/// # let device = Device::open(0)?;
/// # let stream = Stream::new(&device)?;
/// # let pool = MemoryResource::device_pool(&device)?;
///
/// fn is_argument(_: impl Argument) {}
///
/// let mut buffer = pool.allocate::<f32>(8, &stream)?;
/// is_argument(1.5f32);
/// is_argument(&buffer);
/// is_argument(buffer.slice(2..4)); // the kernel gets the address of element 2
/// is_argument(&mut buffer);
/// # Ok::<(), cucore::Error>(())
/// ```
///
/// # Safety
/// What [`argument`](Argument::argument) points to lives as long as `self` is borrowed, and is as large as it says.
pub unsafe trait Argument: Sized {
    /// The size in bytes of the parameter that it fits.
    const SIZE: usize = size_of::<Self>();

    /// The argument as C takes it.
    ///
    /// ```
    /// use cucore::Argument;
    ///
    /// let argument = 7u32.argument();
    /// assert_eq!((argument.size, argument.value), (4, 7));
    /// ```
    fn argument(&self) -> sys::cucore_argument;
}

macro_rules! numbers {
    ($($number:ty),*) => {
        $(
            // SAFETY: the value itself is in the argument.
            unsafe impl Argument for $number {
                fn argument(&self) -> sys::cucore_argument {
                    value(&self.to_ne_bytes())
                }
            }
        )*
    };
}

numbers!(i8, u8, i16, u16, i32, u32, i64, u64, isize, usize, f32, f64);

// SAFETY: the value itself is in the argument.
unsafe impl Argument for bool {
    fn argument(&self) -> sys::cucore_argument {
        value(&[u8::from(*self)])
    }
}

/// What a kernel gets of a buffer.
const ADDRESS_SIZE: usize = size_of::<u64>();

// SAFETY: the handle lives as long as the borrowed buffer.
unsafe impl<T: Pod> Argument for &Buffer<T> {
    const SIZE: usize = ADDRESS_SIZE;

    fn argument(&self) -> sys::cucore_argument {
        object(self.view())
    }
}

// SAFETY: the handle lives as long as the borrowed buffer.
unsafe impl<T: Pod> Argument for &mut Buffer<T> {
    const SIZE: usize = ADDRESS_SIZE;

    fn argument(&self) -> sys::cucore_argument {
        object(self.view())
    }
}

// SAFETY: the handle lives as long as the borrowed buffer.
unsafe impl<T: Pod> Argument for &HostBuffer<T> {
    const SIZE: usize = ADDRESS_SIZE;

    fn argument(&self) -> sys::cucore_argument {
        object(self.view())
    }
}

// SAFETY: the handle lives as long as the borrowed buffer.
unsafe impl<T: Pod> Argument for &mut HostBuffer<T> {
    const SIZE: usize = ADDRESS_SIZE;

    fn argument(&self) -> sys::cucore_argument {
        object(self.view())
    }
}

// SAFETY: the handle lives as long as the view.
unsafe impl<T: Pod> Argument for View<'_, T> {
    const SIZE: usize = ADDRESS_SIZE;

    fn argument(&self) -> sys::cucore_argument {
        object(*self)
    }
}

// SAFETY: the handle lives as long as the view.
unsafe impl<T: Pod> Argument for ViewMut<'_, T> {
    const SIZE: usize = ADDRESS_SIZE;

    fn argument(&self) -> sys::cucore_argument {
        object(self.view())
    }
}

/// A struct that is passed by value.
///
/// ```
/// # cucore_sim::Simulator::install()?;
/// use cucore::bytemuck::{self, Pod, Zeroable};
/// use cucore::{Argument, ByValue};
///
/// /// As the kernel declares it: `struct Window { float low, high; }`.
/// #[derive(Clone, Copy)]
/// #[repr(C)]
/// struct Window {
///     low: f32,
///     high: f32,
/// }
///
/// // SAFETY: zeros are a Window.
/// unsafe impl Zeroable for Window {}
/// // SAFETY: any bytes are a Window, and it has no padding.
/// unsafe impl Pod for Window {}
///
/// let argument = ByValue(Window { low: 0.0, high: 1.0 });
/// assert_eq!(argument.argument().size, 8);
/// # Ok::<(), cucore::Error>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct ByValue<T: Pod>(pub T);

// SAFETY: it points to the struct, which is borrowed, and has no byte that is not initialised.
unsafe impl<T: Pod> Argument for ByValue<T> {
    const SIZE: usize = size_of::<T>();

    fn argument(&self) -> sys::cucore_argument {
        let bytes = bytemuck::bytes_of(&self.0);
        let size = u32::try_from(bytes.len()).unwrap_or(u32::MAX);
        sys::cucore_argument { kind: sys::CUCORE_ARGUMENT_BYTES as u32, size, bytes: bytes.as_ptr().cast(), ..EMPTY }
    }
}

const EMPTY: sys::cucore_argument =
    sys::cucore_argument { kind: 0, size: 0, value: 0, bytes: ptr::null(), object: ptr::null_mut(), reserved: [0; 2] };

fn value(bytes: &[u8]) -> sys::cucore_argument {
    let mut value = [0; 8];
    value[..bytes.len()].copy_from_slice(bytes);
    let value = u64::from_ne_bytes(value);
    sys::cucore_argument { kind: sys::CUCORE_ARGUMENT_VALUE as u32, size: bytes.len() as u32, value, ..EMPTY }
}

fn object<T: Pod>(view: View<'_, T>) -> sys::cucore_argument {
    let (buffer, offset) = buffer::located(&view);
    sys::cucore_argument { kind: sys::CUCORE_ARGUMENT_OBJECT as u32, value: offset as u64, object: buffer.cast(), ..EMPTY }
}

mod sealed {
    /// What [`super::Arguments`] hands to a launch is trusted, so only this crate implements it.
    pub trait Sealed {}
}

/// The arguments of a launch, in order: a tuple of up to 32. Sealed: implemented here alone.
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
/// # let scale = library.kernel("scale")?;
///
/// let mut x = pool.upload(&[1.0f32, 2.0], &stream)?;
/// let arguments = (&mut x, 2.0f32, 2u32); // scale(float *x, float factor, unsigned n)
/// // SAFETY: the arguments are those of the kernel, which stays below n.
/// unsafe { scale.launch(&stream, &LaunchConfig::covering(2, 32), arguments) }?;
/// # Ok::<(), cucore::Error>(())
/// ```
pub trait Arguments: sealed::Sealed {
    /// Runs `launch` with the arguments as C takes them.
    ///
    /// ```
    /// use cucore::Arguments;
    ///
    /// let sizes: Vec<u32> = (1u8, 2.0f64).with(|arguments| arguments.iter().map(|argument| argument.size).collect());
    /// assert_eq!(sizes, [1, 8]);
    /// ```
    fn with<Result>(self, launch: impl FnOnce(&[sys::cucore_argument]) -> Result) -> Result;
}

macro_rules! tuples {
    () => {
        tuples!(@one);
    };
    ($first:ident $($rest:ident)*) => {
        tuples!(@one $first $($rest)*);
        tuples!($($rest)*);
    };
    (@one $($argument:ident)*) => {
        impl<$($argument: Argument),*> sealed::Sealed for ($($argument,)*) {}

        impl<$($argument: Argument),*> Arguments for ($($argument,)*) {
            #[allow(non_snake_case)]
            fn with<Result>(self, launch: impl FnOnce(&[sys::cucore_argument]) -> Result) -> Result {
                let ($($argument,)*) = &self;
                launch(&[$($argument.argument()),*])
            }
        }
    };
}

tuples!(A B C D E F G H I J K L M N O P Q R S T U V W X Y Z Aa Bb Cc Dd Ee Ff);
