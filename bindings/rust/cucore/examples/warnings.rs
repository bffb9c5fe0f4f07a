// SPDX-License-Identifier: MIT OR Apache-2.0
//! A test that fails if any destruction failed, or any handle is left.

use cucore::{assert_no_live_handles, Device, Event, LiveList, WarningQueue};

fn main() -> cucore::Result<()> {
    LiveList::enable();
    let warnings = WarningQueue::new(64)?;

    let event = Event::new(&Device::open(0)?)?;
    drop(event);

    assert_no_live_handles(); // waits for what was dropped in CUDA callbacks
    let seen: Vec<_> = warnings.drain().map(|warning| warning.to_string()).collect();
    assert!(seen.is_empty() && warnings.lost() == 0, "warnings: {seen:#?}");
    Ok(())
}
