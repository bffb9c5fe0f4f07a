// SPDX-License-Identifier: MIT OR Apache-2.0
//! What must not compile, each in a file of ui/ beside what the compiler says of it.

use std::env;
use std::io::{self, Write};
use std::process::Command;

/// What the messages in ui/ are of: other compilers word them otherwise. TRYBUILD=overwrite in the environment writes them anew.
const COMPILER: &str = "rustc 1.95.";

#[test]
fn misuse_does_not_compile() {
    let version = Command::new("rustc").arg("--version").output().expect("rustc runs").stdout;
    if version.starts_with(COMPILER.as_bytes()) {
        env::set_var("DOCS_RS", "1"); // nothing is linked, so that the C sources need not be built again
        trybuild::TestCases::new().compile_fail("tests/ui/*.rs");
    } else {
        let version = String::from_utf8_lossy(&version);
        // Not by a macro, whose words a test that passes keeps to itself.
        write!(io::stderr(), "left out, tests/ui: the messages are those of {COMPILER}, not of {version}").unwrap();
    }
}
