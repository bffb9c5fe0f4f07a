// SPDX-License-Identifier: MIT OR Apache-2.0
//! Builds the simulated driver as a shared library, and tells the crate where it is.

use std::env;
use std::fs;
use std::path::{Path, PathBuf};

const SONAME: &str = "libcuda.so.1";

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rerun-if-env-changed=DOCS_RS");
    if env::var_os("DOCS_RS").is_some() || env::var("CARGO_CFG_TARGET_OS").as_deref() != Ok("linux") {
        return;
    }
    let root = path("CARGO_MANIFEST_DIR").join("c");
    let library = path("OUT_DIR").join(SONAME);
    for folder in ["sim", "src", "abi"] {
        println!("cargo::rerun-if-changed={}", root.join(folder).display());
    }
    build(&root, &library);
    println!("cargo::rustc-env=CUCORE_SIM_LIBRARY={}", library.display());
}

fn path(variable: &str) -> PathBuf {
    env::var_os(variable).expect("cargo sets it").into()
}

fn build(root: &Path, library: &Path) {
    let mut build = cc::Build::new();
    build
        .std("c11")
        .define("_GNU_SOURCE", None)
        .warnings(false) // those are for the project's own build
        .pic(true)
        .opt_level(2) // kernels are interpreted, in debug builds too
        .flag("-fvisibility=hidden")
        .include(root.join("sim"))
        .include(root.join("src"))
        .files(c_files(&root.join("sim")))
        .files(c_files(&root.join("sim/ptx")));
    let objects = build.compile_intermediates();
    let mut link = build.get_compiler().to_command();
    // -Bsymbolic: the table of functions means this library's, whatever other libcuda the process has loaded. -z defs: what is
    // missing is missed now, not when a program loads it.
    link.args(["-shared", "-Wl,-Bsymbolic,-z,defs"]).arg(format!("-Wl,-soname,{SONAME}")).arg("-o").arg(library).args(objects);
    link.args(["-lm", "-lpthread", "-ldl"]);
    let status = link.status().unwrap_or_else(|error| panic!("{link:?}: {error}"));
    assert!(status.success(), "{link:?}: {status}");
}

fn c_files(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
    let paths = entries.map(|entry| entry.expect("a readable folder").path());
    let mut files: Vec<_> = paths.filter(|path| path.extension().is_some_and(|extension| extension == "c")).collect();
    files.sort();
    files
}
