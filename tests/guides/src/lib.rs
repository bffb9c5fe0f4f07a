// SPDX-License-Identifier: MIT OR Apache-2.0
//! The programs of the guides, as doctests.

#[doc = include_str!("../../../docs/from-cudarc.md")]
pub mod from_cudarc {}

#[doc = include_str!("../../../docs/from-cust.md")]
pub mod from_cust {}
