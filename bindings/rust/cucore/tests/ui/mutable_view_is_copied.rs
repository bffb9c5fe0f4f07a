// SPDX-License-Identifier: MIT OR Apache-2.0
//! A mutable view is moved, or borrowed again: it is not copied.
use cucore::{Buffer, Result, Stream, ViewMut};

fn example(view: ViewMut<'_, f32>, other: &Buffer<f32>, stream: &Stream) -> Result<()> {
    let (mut first, mut second) = (view, view);
    first.copy_from(other, stream)?;
    second.copy_from(other, stream)
}

fn main() {}
