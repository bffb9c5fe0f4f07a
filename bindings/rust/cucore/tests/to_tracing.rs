// SPDX-License-Identifier: MIT OR Apache-2.0
//! Warnings that the `tracing` crate gets.

mod common;

use common::{fail_a_drop, stderr_of};
use cucore::WarningSink;
use std::collections::BTreeMap;
use std::fmt::Debug;
use std::sync::Mutex;
use tracing::field::{Field, Visit};
use tracing::span::{Attributes, Id, Record};
use tracing::{Event, Level, Metadata, Subscriber};

type Fields = BTreeMap<&'static str, String>;

static EVENTS: Mutex<Vec<(Level, String, Fields)>> = Mutex::new(Vec::new());

/// Keeps events, their level, target and fields, of this level and more urgent ones.
struct Keeps(Level);

struct Reader(Fields);

impl Visit for Reader {
    fn record_debug(&mut self, field: &Field, value: &dyn Debug) {
        self.0.insert(field.name(), format!("{value:?}"));
    }
}

impl Subscriber for Keeps {
    fn enabled(&self, metadata: &Metadata<'_>) -> bool {
        *metadata.level() <= self.0
    }

    fn event(&self, event: &Event<'_>) {
        let mut reader = Reader(Fields::new());
        event.record(&mut reader);
        let metadata = event.metadata();
        EVENTS.lock().unwrap().push((*metadata.level(), metadata.target().to_owned(), reader.0));
    }

    fn new_span(&self, _span: &Attributes<'_>) -> Id {
        Id::from_u64(1)
    }

    fn record(&self, _span: &Id, _values: &Record<'_>) {}

    fn record_follows_from(&self, _span: &Id, _follows: &Id) {}

    fn enter(&self, _span: &Id) {}

    fn exit(&self, _span: &Id) {}
}

#[test]
fn a_warning_is_an_event() {
    let stderr = stderr_of("a_warning_is_an_event", || {
        let sink = WarningSink::to_tracing().unwrap();
        tracing::subscriber::set_global_default(Keeps(Level::WARN)).unwrap();
        let raw = fail_a_drop();
        drop(sink);
        let events = EVENTS.lock().unwrap();
        let [(level, target, fields)] = &events[..] else { panic!("{events:?}") };
        assert_eq!((*level, &target[..]), (Level::WARN, "cucore"));
        let message = &fields["message"];
        assert!(message.starts_with(&format!("cuStreamDestroy({raw:#x}) failed: CUDA_ERROR_LAUNCH_FAILED")), "{message}");
        assert!(fields["notes"].contains("Failure injected by cusim_fail"), "{fields:?}");
        let expected = [
            ("code", "DeviceLost"),
            ("function", "\"cuStreamDestroy\""),
            ("message", message),
            ("native_code", "719"),
            ("notes", &fields["notes"]),
            ("resource", &raw.to_string()),
        ];
        assert_eq!(*fields, expected.map(|(name, value)| (name, value.to_owned())).into());
    });
    assert!(!stderr.contains("cuStreamDestroy"), "{stderr}");
}

#[test]
fn a_warning_that_no_subscriber_wants_goes_to_stderr() {
    let stderr = stderr_of("a_warning_that_no_subscriber_wants_goes_to_stderr", || {
        let _sink = WarningSink::to_tracing().unwrap();
        fail_a_drop();
        tracing::subscriber::set_global_default(Keeps(Level::ERROR)).unwrap();
        fail_a_drop();
        assert!(EVENTS.lock().unwrap().is_empty());
    });
    assert_eq!(stderr.matches("cuStreamDestroy(0x").count(), 2, "{stderr}");
}
