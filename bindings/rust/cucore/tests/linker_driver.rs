// SPDX-License-Identifier: MIT OR Apache-2.0
//! The driver's own linker: a process whose nvJitLink is older than the driver.

mod common;

use common::{device, simulator, PTX};
use cucore::{ErrorKind, Kind, Library, Linker, LinkerKind, LinkerOptions, ObjectCode};

#[test]
fn d6_without_a_usable_nvjitlink_the_drivers_linker_is_used() {
    let simulator = simulator();
    simulator.set_driver_version(19000);
    let device = device();
    let ptx = ObjectCode::new(Kind::Ptx, PTX.as_bytes(), "test.ptx").unwrap();
    let mut linker = Linker::new(&device, &[&ptx]).unwrap();
    assert_eq!(linker.kind(), LinkerKind::Driver);
    let linked = linker.link().unwrap();
    assert_eq!(linked.kind(), Kind::Cubin);
    assert_eq!(linker.error_log(), "");
    Library::load(&device, &linked).unwrap().kernel("scale").unwrap();
    drop(linker);
    assert_eq!(simulator.live_count("link"), 0);

    let lto = ObjectCode::new(Kind::LtoIr, b"not looked into", "test.lto").unwrap();
    for refused in [
        Linker::new(&device, &[&lto]),
        Linker::with_options(Some(&device), &[&ptx], &LinkerOptions::default().options(&["-split-compile=1"])),
    ] {
        let error = refused.unwrap_err();
        assert_eq!(error.kind(), ErrorKind::NotSupported, "{error:?}");
        assert!(error.message().contains("nvJitLink"), "{error:?}");
    }
}
