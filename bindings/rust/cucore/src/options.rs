// SPDX-License-Identifier: MIT OR Apache-2.0
//! Options on their way to C.

use crate::sys;

/// A choice that is on or not asked for.
pub(crate) fn on(choice: bool) -> i32 {
    if choice {
        sys::CUCORE_ON
    } else {
        sys::CUCORE_DEFAULT
    }
}

/// A choice that is on, off or not made.
pub(crate) fn on_or_off(choice: Option<bool>) -> i32 {
    match choice {
        None => sys::CUCORE_DEFAULT,
        Some(true) => sys::CUCORE_ON,
        Some(false) => sys::CUCORE_OFF,
    }
}

/// A method for each field of an options struct that sets it, documented with the example given.
macro_rules! setters {
    ($($(#[$example:meta])* $field:ident: $type:ty,)*) => {
        $(
            #[doc = concat!("Sets [`", stringify!($field), "`](Self::", stringify!($field), ").\n")]
            $(#[$example])*
            pub fn $field(mut self, $field: $type) -> Self {
                self.$field = $field.into();
                self
            }
        )*
    };
}

/// An enum of attributes that CUDA numbers, open to numbers that it does not list.
macro_rules! attributes {
    ($(#[$meta:meta])* $name:ident { $($(#[$doc:meta])* $attribute:ident = $number:ident,)* }) => {
        $(#[$meta])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        #[non_exhaustive]
        pub enum $name {
            $($(#[$doc])* $attribute,)*
            /// Any other, by CUDA's number.
            Other(i32),
        }

        impl $name {
            pub(crate) fn number(self) -> i32 {
                match self {
                    $($name::$attribute => $crate::sys::$number,)*
                    $name::Other(number) => number,
                }
            }
        }
    };
}
