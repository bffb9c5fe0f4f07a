// SPDX-License-Identifier: MIT OR Apache-2.0
//! A warning is borrowed for the length of the call: to_error keeps it.
use cucore::{Result, Status, WarningSink};

static LAST: std::sync::Mutex<Option<&'static Status>> = std::sync::Mutex::new(None);

fn example() -> Result<WarningSink> {
    WarningSink::register(|warning| *LAST.lock().unwrap() = Some(warning))
}

fn main() {}
