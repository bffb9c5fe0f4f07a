// SPDX-License-Identifier: MIT OR Apache-2.0
//! What an error says does not outlive it.
use cucore::Error;

fn example(error: Error) -> &'static str {
    error.message()
}

fn main() {}
