//! Builds the WebAssembly module, and the JavaScript bindings by which a page calls the module.

use std::env;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use serde_json::Value;
use wasm_bindgen_cli_support::Bindgen;

use crate::{BuildProfile, ErrorMessage};

const TARGET: &str = "wasm32-unknown-unknown";

const PACKAGE: &str = "union-playground-wasm";

/// The module and the bindings, which run in the worker of the page.
pub(crate) struct WasmModule {
    /// The JavaScript that loads the module and defines the global variable `wasm_bindgen`.
    pub(crate) bindings: String,
    pub(crate) module: Vec<u8>,
}

pub(crate) fn build(profile: BuildProfile) -> Result<WasmModule, ErrorMessage> {
    add_target()?;
    let module_path = compile_module(match profile {
        BuildProfile::Small => "playground",
        BuildProfile::Test => "playground-test",
    })?;
    let bindgen_error =
        |error: &dyn std::fmt::Display| format!("{}: {error}", module_path.display());
    let mut bindgen = Bindgen::new();
    bindgen
        .input_path(&module_path)
        .typescript(false)
        .remove_name_section(true)
        .remove_producers_section(true)
        .no_modules(true)
        .map_err(|error| bindgen_error(&error))?;
    let mut output = bindgen
        .generate_output()
        .map_err(|error| bindgen_error(&error))?;
    Ok(WasmModule {
        module: output.wasm_mut().emit_wasm(),
        bindings: output.js().to_owned(),
    })
}

/// Installs the standard library for WebAssembly, if it is not installed.
fn add_target() -> Result<(), ErrorMessage> {
    let mut rustc = Command::new(env::var_os("RUSTC").unwrap_or_else(|| "rustc".into()));
    let output = rustc.args(["--print", "sysroot"]).output();
    let sysroot = output.map_err(|error| format!("rustc: {error}"))?.stdout;
    let sysroot = String::from_utf8_lossy(&sysroot);
    let libraries = Path::new(sysroot.trim()).join("lib/rustlib").join(TARGET);
    if libraries.is_dir() {
        return Ok(());
    }
    let mut rustup = Command::new("rustup");
    let result = rustup.args(["target", "add", TARGET]).status();
    if result.is_ok_and(|status| status.success()) {
        return Ok(());
    }
    Err(format!(
        "the Rust target {TARGET} is not installed, and `rustup target add {TARGET}` failed"
    ))
}

/// Compiles the crate with a profile of cargo, and returns the path of the module.
fn compile_module(profile: &str) -> Result<PathBuf, ErrorMessage> {
    let mut cargo = Command::new(env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    cargo
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .args(["build", "--package", PACKAGE, "--target", TARGET])
        .args(["--profile", profile])
        .args(["--message-format", "json-render-diagnostics"])
        .stderr(Stdio::inherit());
    let output = cargo.output().map_err(|error| format!("cargo: {error}"))?;
    if !output.status.success() {
        return Err(format!(
            "cargo failed to build {PACKAGE}; see the errors above"
        ));
    }
    let messages = String::from_utf8_lossy(&output.stdout);
    let messages = messages
        .lines()
        .filter_map(|line| serde_json::from_str(line).ok());
    let files = messages.flat_map(|message: Value| {
        let files = message.get("filenames").and_then(Value::as_array).cloned();
        files.unwrap_or_default()
    });
    let mut files = files.filter_map(|file| file.as_str().map(PathBuf::from));
    let module_path = files.find(|file| {
        file.extension()
            .is_some_and(|extension| extension == "wasm")
    });
    module_path
        .ok_or_else(|| format!("cargo built {PACKAGE}, but did not report the path of the module"))
}
