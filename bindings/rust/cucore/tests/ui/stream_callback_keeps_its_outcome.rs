// SPDX-License-Identifier: MIT OR Apache-2.0
//! What a callback is told is borrowed for the length of the call.
use cucore::{Result, Status, Stream};

static LAST: std::sync::Mutex<Option<&'static Status>> = std::sync::Mutex::new(None);

fn example(stream: &Stream) -> Result<()> {
    stream.add_callback(|outcome| *LAST.lock().unwrap() = outcome.err())
}

fn main() {}
