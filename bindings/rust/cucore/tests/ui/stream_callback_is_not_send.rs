// SPDX-License-Identifier: MIT OR Apache-2.0
//! A stream calls back on a thread of CUDA's.
use cucore::{Result, Stream};

fn example(stream: &Stream) -> Result<()> {
    let counted = std::rc::Rc::new(());
    stream.add_callback(move |_| drop(counted))
}

fn main() {}
