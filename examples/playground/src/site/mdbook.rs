//! Runs mdBook, which converts the pages to HTML.

use std::env;
use std::ffi::OsString;
use std::path::Path;
use std::process::Command;

use crate::ErrorMessage;

/// The version of mdBook. The program is not a dependency of the workspace, so that only a build of
/// the site waits for it.
const VERSION: &str = "0.5.4";

/// Converts the book in a folder to HTML. Installs mdBook if it is missing.
pub(super) fn build(book: &Path, html_folder: &Path) -> Result<(), ErrorMessage> {
    let program = find_or_install()?;
    let mut mdbook = Command::new(&program);
    mdbook
        .arg("build")
        .arg(book)
        .arg("--dest-dir")
        .arg(html_folder);
    let output = mdbook
        .output()
        .map_err(|error| format!("mdBook: {error}"))?;
    if output.status.success() {
        return Ok(());
    }
    let stderr = String::from_utf8_lossy(&output.stderr);
    Err(format!("mdBook cannot build the documents: {stderr}"))
}

/// Returns the program, which `cargo install` builds if this version is not installed.
fn find_or_install() -> Result<OsString, ErrorMessage> {
    let program = OsString::from("mdbook");
    let output = Command::new(&program).arg("--version").output();
    let is_wanted = |stdout: &[u8]| {
        let version = String::from_utf8_lossy(stdout);
        version.trim().trim_start_matches("mdbook v") == VERSION
    };
    if output.is_ok_and(|output| is_wanted(&output.stdout)) {
        return Ok(program);
    }
    let mut cargo = Command::new(env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    // Without optimization, because the build takes longer than all runs.
    cargo
        .args(["install", "--quiet", "--locked", "--debug", "--force"])
        .args(["--no-default-features", "--features", "search"])
        .arg(format!("mdbook@{VERSION}"));
    let status = cargo.status().map_err(|error| format!("cargo: {error}"))?;
    if status.success() {
        return Ok(program);
    }
    Err(format!(
        "mdBook {VERSION} is not installed, and `cargo install mdbook@{VERSION}` failed"
    ))
}
