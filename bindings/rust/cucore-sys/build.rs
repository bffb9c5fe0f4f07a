// SPDX-License-Identifier: MIT OR Apache-2.0
//! Links libcucore: the system's, or one built here. The crate's documentation states the order of preference.

use std::env;
use std::fs;
use std::path::{Path, PathBuf};
use std::process;

const SYSTEM_VARIABLE: &str = "CUCORE_SYS_SYSTEM";
const OLDEST: &str = "1.0.0";
const TOO_NEW: &str = "2";

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rerun-if-env-changed={SYSTEM_VARIABLE}");
    println!("cargo::rerun-if-env-changed=DOCS_RS");
    println!("cargo::rustc-check-cfg=cfg(cucore_unsupported)");
    if !is_supported() {
        println!("cargo::rustc-cfg=cucore_unsupported");
    }
    if is_supported() && env::var_os("DOCS_RS").is_none() {
        link();
    } else {
        tell("none", env!("CARGO_PKG_VERSION"), Some(&bundled_headers()));
    }
}

/// There is a libcucore for 64-bit Linux alone. The tests say that there is none by a cfg of their own.
fn is_supported() -> bool {
    let target = |what: &str| env::var(format!("CARGO_CFG_TARGET_{what}")).unwrap_or_default();
    let told_otherwise = env::var_os("CARGO_CFG_CUCORE_UNSUPPORTED").is_some();
    target("OS") == "linux" && target("POINTER_WIDTH") == "64" && !told_otherwise
}

fn link() {
    let forced = env::var(SYSTEM_VARIABLE).is_ok_and(|value| value == "1");
    let bundled = env::var_os("CARGO_FEATURE_BUNDLED").is_some();
    let system = env::var_os("CARGO_FEATURE_SYSTEM").is_some();
    if !forced && bundled {
        return build_bundled();
    }
    match link_system() {
        Ok(()) => {}
        Err(_) if !forced && !system => build_bundled(),
        Err(error) => give_up(if forced { "CUCORE_SYS_SYSTEM=1" } else { "the feature `system`" }, &error),
    }
}

fn give_up(asked_by: &str, error: &pkg_config::Error) -> ! {
    eprintln!(
        "error: {asked_by} asks for the system's libcucore, of a version from {OLDEST} to before {TOO_NEW}, which cannot be had.\n\
         Install libcucore; or name the folder of its cucore.pc in PKG_CONFIG_PATH; or, without {asked_by}, build the sources that \
         come with cucore-sys, as its feature `bundled` does.\n\
         {error}"
    );
    process::exit(1)
}

/// What the build scripts of dependent crates are told, as `DEP_CUCORE_...`.
fn tell(linkage: &str, version: &str, include: Option<&Path>) {
    println!("cargo::metadata=linkage={linkage}");
    println!("cargo::metadata=version={version}");
    if let Some(folder) = include {
        println!("cargo::metadata=include={}", folder.display());
    }
}

fn link_system() -> Result<(), pkg_config::Error> {
    let library = pkg_config::Config::new().range_version(OLDEST..TOO_NEW).probe("cucore")?;
    let include = library.include_paths.iter().find(|folder| folder.join("cucore_v1").is_dir());
    tell("system", &library.version, include.map(PathBuf::as_path));
    Ok(())
}

fn bundled() -> PathBuf {
    PathBuf::from(env::var_os("CARGO_MANIFEST_DIR").expect("cargo sets it")).join("c")
}

fn bundled_headers() -> PathBuf {
    bundled().join("include")
}

fn build_bundled() {
    let (sources, headers) = (bundled().join("src"), bundled_headers());
    for folder in [&sources, &headers, &bundled().join("abi")] {
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
    println!("cargo::metadata=root={}", env::var("OUT_DIR").expect("cargo sets it"));
    tell("bundled", env!("CARGO_PKG_VERSION"), Some(&headers));
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
