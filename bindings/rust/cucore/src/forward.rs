// SPDX-License-Identifier: MIT OR Apache-2.0
//! Sinks that hand warnings to the logging that a program has.

use crate::{Result, Status, WarningSink};

impl WarningSink {
    /// Registers a sink that hands every warning to the `log` crate: at the level of a warning, with the target "cucore", its
    /// message, and the key-values `code` (an [`ErrorKind`](crate::ErrorKind)), `function` (the call that failed), `native_code`,
    /// `resource` and `notes`.
    ///
    /// A warning that no logger wants, or that comes before there is one, counts as not delivered.
    ///
    /// ```
    /// cucore::WarningSink::to_log()?.leak(); // as long as the process runs
    /// # Ok::<(), cucore::Error>(())
    /// ```
    #[cfg(feature = "log")]
    pub fn to_log() -> Result<WarningSink> {
        WarningSink::add(log_warning)
    }

    /// Registers a sink that hands every warning to the `tracing` crate: as an event at the level of a warning, with the target
    /// "cucore", its message, and the fields `code` (an [`ErrorKind`](crate::ErrorKind)), `function` (the call that failed),
    /// `native_code`, `resource` and `notes`.
    ///
    /// A warning that no subscriber wants, or that comes before there is one, counts as not delivered.
    ///
    /// ```
    /// cucore::WarningSink::to_tracing()?.leak(); // as long as the process runs
    /// # Ok::<(), cucore::Error>(())
    /// ```
    #[cfg(feature = "tracing")]
    pub fn to_tracing() -> Result<WarningSink> {
        WarningSink::add(trace_warning)
    }
}

#[cfg(feature = "log")]
fn log_warning(warning: &Status) -> bool {
    let is_wanted = log::log_enabled!(target: "cucore", log::Level::Warn);
    log::warn!(
        target: "cucore",
        code:? = warning.kind(),
        function = warning.operation(),
        native_code = warning.native_code(),
        resource = warning.resource(),
        notes = notes(warning).as_str();
        "{warning}"
    );
    is_wanted
}

#[cfg(feature = "tracing")]
fn trace_warning(warning: &Status) -> bool {
    let is_wanted = tracing::enabled!(target: "cucore", tracing::Level::WARN);
    tracing::warn!(
        target: "cucore",
        code = ?warning.kind(),
        function = warning.operation(),
        native_code = warning.native_code(),
        resource = warning.resource(),
        notes = notes(warning),
        "{warning}"
    );
    is_wanted
}

/// What the notes say, one after another.
fn notes(warning: &Status) -> String {
    let messages: Vec<_> = warning.notes().map(|note| note.status.message()).collect();
    messages.join("; ")
}
