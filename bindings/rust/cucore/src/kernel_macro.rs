// SPDX-License-Identifier: MIT OR Apache-2.0

/// Defines a type for a kernel whose launches take arguments of the right number and types.
///
/// A parameter is written `&[T]` where the kernel reads a buffer's elements, `&mut [T]` where it writes them, and otherwise as the
/// type of its argument: a number, or a struct in [`ByValue`](crate::ByValue). The literal is the name that
/// [`Library::kernel`](crate::Library::kernel) finds it by. The type has these functions:
///
/// - `find(library: &Library) -> Result<Self>` finds the kernel, and `of(kernel: Kernel) -> Result<Self>` takes one that was found.
///   Both check number and sizes of its parameters, as [`Kernel::expect_parameters`](crate::Kernel::expect_parameters) does.
/// - `kernel(&self) -> &Kernel` gives it back.
/// - `unsafe fn launch<'lent>(&self, stream: &Stream, config: &LaunchConfig, ...) -> Result<()>` is
///   [`Kernel::launch`](crate::Kernel::launch) with the parameters for arguments. For `&[T]` it takes a buffer, a host buffer or a
///   view, for `&mut [T]` the same mutably.
///
/// ```
/// use cucore::{Device, Kind, LaunchConfig, Library, MemoryResource, ObjectCode, Stream};
/// # cucore_sim::Simulator::install()?;
/// # const SCALE: &str = include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/examples/scale.ptx"));
///
/// cucore::kernel! {
///     /// Multiplies each of the first `count` elements of `data` by `factor`.
///     pub struct Scale = "scale"(data: &mut [f32], factor: f32, count: u32);
/// }
///
/// let device = Device::open(0)?;
/// let stream = Stream::new(&device)?;
/// let code = ObjectCode::new(Kind::Ptx, SCALE.as_bytes(), "scale.ptx")?; // or what `Program::compile` gives
/// let scale = Scale::find(&Library::load(&device, &code)?)?;
///
/// let mut data = MemoryResource::device_pool(&device)?.upload(&[1.0, 2.0, 3.0], &stream)?;
/// // SAFETY: the kernel stays below the count, which is the length of the data.
/// unsafe { scale.launch(&stream, &LaunchConfig::covering(3, 256), &mut data, 2.0, 3) }?;
/// assert_eq!(data.download(&stream)?, [2.0, 4.0, 6.0]);
/// # Ok::<(), cucore::Error>(())
/// ```
#[macro_export]
macro_rules! kernel {
    ($(#[$meta:meta])* $visibility:vis struct $name:ident = $kernel:literal($($parameters:tt)*);) => {
        $crate::kernel!(@read {$(#[$meta])* $visibility struct $name = $kernel} {} $($parameters)*);
    };

    // Reads the parameters, one after another, into {name, what is launched with, what launch takes}.
    (@read $kernel:tt {$($read:tt)*} $parameter:ident: &mut [$element:ty] $(, $($rest:tt)*)?) => {
        $crate::kernel!(@read $kernel {
            $($read)* {$parameter, $crate::ViewMut<'_, $element>, impl ::core::convert::Into<$crate::ViewMut<'lent, $element>>}
        } $($($rest)*)?);
    };
    (@read $kernel:tt {$($read:tt)*} $parameter:ident: &[$element:ty] $(, $($rest:tt)*)?) => {
        $crate::kernel!(@read $kernel {
            $($read)* {$parameter, $crate::View<'_, $element>, impl ::core::convert::Into<$crate::View<'lent, $element>>}
        } $($($rest)*)?);
    };
    (@read $kernel:tt {$($read:tt)*} $parameter:ident: $value:ty $(, $($rest:tt)*)?) => {
        $crate::kernel!(@read $kernel {$($read)* {$parameter, $value, $value}} $($($rest)*)?);
    };

    (@read
        {$(#[$meta:meta])* $visibility:vis struct $name:ident = $kernel:literal}
        {$({$parameter:ident, $argument:ty, $taken:ty})*}
    ) => {
        $(#[$meta])*
        #[derive(Clone, Debug)]
        $visibility struct $name($crate::Kernel);

        #[allow(dead_code)]
        impl $name {
            /// Finds the kernel in `library`, and checks number and sizes of its parameters.
            $visibility fn find(library: &$crate::Library) -> $crate::Result<Self> {
                Self::of(library.kernel($kernel)?)
            }

            /// Takes the kernel, after a check of number and sizes of its parameters.
            $visibility fn of(kernel: $crate::Kernel) -> $crate::Result<Self> {
                kernel.expect_parameters(&[$(<$argument as $crate::Argument>::SIZE),*])?;
                Ok(Self(kernel))
            }

            /// The kernel.
            $visibility fn kernel(&self) -> &$crate::Kernel {
                &self.0
            }

            /// Puts a launch on the stream; it does not wait.
            ///
            /// # Safety
            /// As for `cucore::Kernel::launch`.
            #[allow(clippy::extra_unused_lifetimes, clippy::too_many_arguments, clippy::useless_conversion)]
            $visibility unsafe fn launch<'lent>(
                &self,
                stream: &$crate::Stream,
                config: &$crate::LaunchConfig,
                $($parameter: $taken,)*
            ) -> $crate::Result<()> {
                $(let $parameter: $argument = ::core::convert::Into::into($parameter);)*
                // SAFETY: the caller's promise.
                unsafe { self.0.launch(stream, config, ($($parameter,)*)) }
            }
        }
    };
}
