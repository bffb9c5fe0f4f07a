// SPDX-License-Identifier: MIT OR Apache-2.0
//! The adder on the simulated device: that it adds, what it does when a call of the driver fails, and that it leaves nothing behind.

use cucore::{assert_no_live_handles, callback, Context, ErrorKind, LiveList, WarningQueue};
use cucore_sim::{Exclusive, Simulator};
use rust_downstream::Adder;

/// The simulated driver, to one test at a time. Handles made from now on are listed.
fn simulator() -> Exclusive {
    let simulator = Simulator::install().expect("the simulated driver").exclusive();
    LiveList::enable();
    simulator
}

fn add_something() -> cucore::Result<()> {
    let sums = Adder::new(0)?.sum(&[1.0, 2.0, 3.0], &[0.5; 3])?;
    assert_eq!(sums, [1.5, 2.5, 3.5]);
    Ok(())
}

#[test]
fn it_adds() {
    let simulator = simulator();
    let adder = Adder::new(0).unwrap();
    let numbers: Vec<f32> = (0..1000).map(|i| i as f32).collect();
    let expected: Vec<f32> = numbers.iter().map(|x| x + x).collect();
    assert_eq!(adder.sum(&numbers, &numbers).unwrap(), expected);
    assert_eq!(adder.sum(&[], &[]).unwrap(), [0.0; 0]);
    assert_eq!(simulator.violations(), [""; 0]);
}

#[test]
fn vectors_of_different_lengths_are_refused() {
    let _simulator = simulator();
    let error = Adder::new(0).unwrap().sum(&[1.0], &[]).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::InvalidArgument);
}

#[test]
fn a_machine_without_that_device_is_told_so() {
    let _simulator = simulator();
    assert_eq!(Adder::new(7).err().unwrap().kind(), ErrorKind::NotFound);
}

#[test]
fn without_memory_it_fails_and_then_works_again() {
    const OUT_OF_MEMORY: i32 = 2;
    let simulator = simulator();
    let adder = Adder::new(0).unwrap();
    simulator.fail("cuMemAllocFromPoolAsync", 2, OUT_OF_MEMORY, false);
    assert_eq!(adder.sum(&[1.0], &[2.0]).unwrap_err().kind(), ErrorKind::OutOfMemory);
    assert_eq!(adder.sum(&[1.0], &[2.0]).unwrap(), [3.0]);
}

#[test]
fn a_fault_on_the_device_is_an_error() {
    const ILLEGAL_ADDRESS: i32 = 700;
    let simulator = simulator();
    let adder = Adder::new(1).unwrap();
    simulator.sticky_fault(1, ILLEGAL_ADDRESS);
    assert_eq!(adder.sum(&[1.0], &[2.0]).unwrap_err().kind(), ErrorKind::DeviceLost);
    drop(adder); // what cannot be destroyed any more is a warning on stderr
                 // SAFETY: the context is current on no thread.
    unsafe { Context::release_primary(1) }.unwrap();
    Adder::new(1).unwrap();
}

/// Fails each call that the work makes, one after another: the failure is returned, or is a warning, and no handle is left.
#[test]
fn whatever_fails_is_told_and_leaves_nothing_behind() {
    const OUT_OF_MEMORY: i32 = 2;
    let simulator = simulator();
    let warnings = WarningQueue::new(64).unwrap();
    add_something().unwrap(); // what is made once in a process is made now
    for nth in 1.. {
        let injected = simulator.failures_injected();
        simulator.fail_any(nth, OUT_OF_MEMORY, false);
        let outcome = add_something();
        simulator.fail_nothing();
        callback::deferred_drain().unwrap();
        let warned = warnings.drain().count();
        if simulator.failures_injected() == injected {
            outcome.unwrap();
            assert!(nth > 10, "the work makes more calls than {nth}");
            break;
        }
        assert!(outcome.is_err() || warned > 0, "failure {nth} was not told");
        assert_no_live_handles();
    }
    assert_eq!(warnings.lost(), 0);
}
