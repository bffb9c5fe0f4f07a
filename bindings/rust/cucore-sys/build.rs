// SPDX-License-Identifier: MIT OR Apache-2.0
//! Links libcucore: the system's, or one built here. The crate's documentation states the order of preference.

use std::env;
use std::fs;
use std::path::{Path, PathBuf};

const SYSTEM_VARIABLE: &str = "CUCORE_SYS_SYSTEM";
const OLDEST: &str = "1.0.0";
const TOO_NEW: &str = "2";

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rerun-if-env-changed={SYSTEM_VARIABLE}");
    println!("cargo::rerun-if-env-changed=DOCS_RS");
    if !links_anything() {
        return;
    }
    let forced = env::var(SYSTEM_VARIABLE).is_ok_and(|value| value == "1");
    let bundled = env::var_os("CARGO_FEATURE_BUNDLED").is_some();
    let system = env::var_os("CARGO_FEATURE_SYSTEM").is_some();
    if !forced && bundled {
        return build_bundled();
    }
    match link_system() {
        Ok(()) => {}
        Err(_) if !forced && !system => build_bundled(),
        Err(error) => panic!("the system's libcucore was asked for and cannot be used: {error}"),
    }
}

/// There is no libcucore but for Linux; elsewhere, and where only documentation is made, the bindings stand alone.
fn links_anything() -> bool {
    env::var_os("DOCS_RS").is_none() && env::var("CARGO_CFG_TARGET_OS").as_deref() == Ok("linux")
}

fn link_system() -> Result<(), pkg_config::Error> {
    let library = pkg_config::Config::new().range_version(OLDEST..TOO_NEW).probe("cucore")?;
    println!("cargo::metadata=linkage=system");
    if let Some(folder) = library.include_paths.iter().find(|folder| folder.join("cucore_v1").is_dir()) {
        println!("cargo::metadata=include={}", folder.display());
    }
    Ok(())
}

fn build_bundled() {
    let root = PathBuf::from(env::var_os("CARGO_MANIFEST_DIR").expect("cargo sets it")).join("c");
    let (sources, headers) = (root.join("src"), root.join("include"));
    for folder in [&sources, &headers, &root.join("abi")] {
        println!("cargo::rerun-if-changed={}", folder.display());
    }
    cc::Build::new()
        .std("c11")
        .warnings(false) // those are for the project's own build
        .define("CUCORE_STATIC", None)
        .flag("-fvisibility=hidden")
        .include(&headers)
        .include(&sources)
        .files(c_files(&sources))
        .compile("cucore");
    println!("cargo::rustc-link-lib=dl");
    println!("cargo::rustc-link-lib=pthread");
    println!("cargo::metadata=linkage=bundled");
    println!("cargo::metadata=include={}", headers.display());
}

fn c_files(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
    let mut files = Vec::new();
    for entry in entries {
        let path = entry.expect("a readable folder").path();
        if path.is_dir() {
            files.append(&mut c_files(&path));
        } else if path.extension().is_some_and(|extension| extension == "c") {
            files.push(path);
        }
    }
    files.sort();
    files
}
