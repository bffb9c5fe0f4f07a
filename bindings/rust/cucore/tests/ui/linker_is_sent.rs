// SPDX-License-Identifier: MIT OR Apache-2.0
//! A linker stays on its thread, or nvJitLink crashes.
use cucore::Linker;

fn example(linker: Linker) {
    std::thread::spawn(move || drop(linker));
}

fn main() {}
