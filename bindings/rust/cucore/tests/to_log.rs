// SPDX-License-Identifier: MIT OR Apache-2.0
//! Warnings that the `log` crate gets.

mod common;

use common::{fail_a_drop, stderr_of};
use cucore::WarningSink;
use log::kv::{Error, Key, Value, VisitSource};
use log::{Level, LevelFilter, Log, Metadata, Record};
use std::collections::BTreeMap;
use std::sync::Mutex;

/// Keeps what is logged: the level and the target, the message, the key-values.
struct Logger(Mutex<Vec<(Level, String, String, KeyValues)>>);

#[derive(Clone, Debug, Default, PartialEq)]
struct KeyValues(BTreeMap<String, String>);

impl<'kvs> VisitSource<'kvs> for KeyValues {
    fn visit_pair(&mut self, key: Key<'kvs>, value: Value<'kvs>) -> Result<(), Error> {
        self.0.insert(key.to_string(), value.to_string());
        Ok(())
    }
}

impl Log for Logger {
    fn enabled(&self, _metadata: &Metadata<'_>) -> bool {
        true
    }

    fn log(&self, record: &Record<'_>) {
        let mut key_values = KeyValues::default();
        record.key_values().visit(&mut key_values).unwrap();
        let message = record.args().to_string();
        self.0.lock().unwrap().push((record.level(), record.target().to_owned(), message, key_values));
    }

    fn flush(&self) {}
}

static LOGGER: Logger = Logger(Mutex::new(Vec::new()));

#[test]
fn a_warning_is_logged() {
    let stderr = stderr_of("a_warning_is_logged", || {
        let sink = WarningSink::to_log().unwrap();
        log::set_logger(&LOGGER).unwrap();
        log::set_max_level(LevelFilter::Warn);
        let raw = fail_a_drop();
        drop(sink);
        let logged = LOGGER.0.lock().unwrap();
        let [(level, target, message, KeyValues(values))] = &logged[..] else { panic!("{}", logged.len()) };
        assert_eq!((*level, &target[..]), (Level::Warn, "cucore"));
        assert!(message.starts_with(&format!("cuStreamDestroy({raw:#x}) failed: CUDA_ERROR_LAUNCH_FAILED")), "{message}");
        let expected = [
            ("code", "DeviceLost"),
            ("function", "cuStreamDestroy"),
            ("native_code", "719"),
            ("resource", &raw.to_string()),
            ("notes", &values["notes"]),
        ];
        assert!(values["notes"].contains("Failure injected by cusim_fail"), "{values:?}");
        assert_eq!(*values, expected.map(|(key, value)| (key.to_owned(), value.to_owned())).into());
    });
    assert!(!stderr.contains("cuStreamDestroy"), "{stderr}");
}

#[test]
fn a_warning_that_no_logger_wants_goes_to_stderr() {
    let stderr = stderr_of("a_warning_that_no_logger_wants_goes_to_stderr", || {
        let _sink = WarningSink::to_log().unwrap();
        fail_a_drop();
        log::set_logger(&LOGGER).unwrap();
        log::set_max_level(LevelFilter::Error);
        fail_a_drop();
        assert!(LOGGER.0.lock().unwrap().is_empty());
    });
    assert_eq!(stderr.matches("cuStreamDestroy(0x").count(), 2, "{stderr}");
}
