// SPDX-License-Identifier: MIT OR Apache-2.0
//! The driver that is in use.

mod common;

use common::simulator;
use cucore::{driver, ErrorKind};
use cucore_sim::Simulator;

#[test]
fn the_driver_has_a_version_and_a_path() {
    let _simulator = simulator();
    assert!(driver::is_available());
    let version = driver::version().unwrap();
    assert!(version.major >= 12, "{version}");
    assert!(driver::path().unwrap().ends_with("libcuda.so.1"));
    assert!(Simulator::attach().is_some());
}

#[test]
fn a_driver_in_use_is_not_exchanged() {
    let _simulator = simulator();
    driver::version().unwrap();
    // SAFETY: nothing is opened.
    let error = unsafe { driver::use_library("/nowhere/libcuda.so.1") }.unwrap_err();
    assert_eq!(error.kind(), ErrorKind::InvalidState);
}
