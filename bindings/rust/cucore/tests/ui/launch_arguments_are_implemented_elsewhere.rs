// SPDX-License-Identifier: MIT OR Apache-2.0
//! What arguments are is for this crate to say, which hands them to C.
use cucore::Arguments;

struct Mine;

impl Arguments for Mine {
    fn with<Result>(self, launch: impl FnOnce(&[cucore::sys::cucore_argument]) -> Result) -> Result {
        launch(&[])
    }
}

fn main() {}
