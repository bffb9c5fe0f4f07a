// SPDX-License-Identifier: MIT OR Apache-2.0
//! A program is used by one thread at a time.
use cucore::Program;

fn example(program: &Program) {
    std::thread::scope(|scope| {
        scope.spawn(|| program.raw());
    });
}

fn main() {}
