//! Test that every case in `ui/` fails to compile. The folder of a case is the kind of mistake, and
//! its name is the mistake.
//!
//! The output of rustc around the derive's messages changes with the version of rustc. So the
//! messages are compared with one version only; with other versions the cases only must not
//! compile. After a change, record the messages with that version and read the diff:
//!
//! ```text
//! TRYBUILD=overwrite cargo +1.95.0 test -p union-tests --test compile_fail
//! ```

use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::{env, fs, io};

/// The version of rustc that the `.stderr` files were recorded with.
const RECORDED_WITH: &str = "rustc 1.95.0 (";

const CASES: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/ui");

/// The folder with copies of the cases, without their `.stderr` files.
const COPIES: &str = concat!(env!("CARGO_TARGET_TMPDIR"), "/compile_fail");

/// The environment variable that is set when this binary runs itself on the copies.
const ON_COPIES: &str = "UNION_TESTS_UI_COPIES";

#[test]
fn mistakes_do_not_compile() {
    if env::var_os(ON_COPIES).is_some() {
        trybuild::TestCases::new().compile_fail(format!("{COPIES}/**/*.rs"));
    } else if rustc_version().starts_with(RECORDED_WITH) {
        trybuild::TestCases::new().compile_fail("ui/**/*.rs");
    } else {
        copy_cases(Path::new(CASES), Path::new(COPIES)).expect("the cases can be copied");
        fail_on_copies();
    }
}

#[test]
fn every_case_has_a_recorded_message() {
    let (cases, recorded): (Vec<PathBuf>, Vec<PathBuf>) = files(Path::new(CASES))
        .expect("the cases can be listed")
        .into_iter()
        .partition(|file| is_case(file));
    assert!(cases.len() >= 40, "only {} cases", cases.len());
    let mut expected: Vec<PathBuf> = cases
        .iter()
        .map(|case| case.with_extension("stderr"))
        .collect();
    let mut recorded = recorded;
    expected.sort();
    recorded.sort();
    assert_eq!(recorded, expected);
}

/// Runs this test on the copies in a child process, in which trybuild records its output instead of
/// comparing it. trybuild reads this setting from the environment of the process, and still rejects
/// a case that compiles.
fn fail_on_copies() {
    let this = env::current_exe().expect("a test binary knows where it is");
    let output = Command::new(this)
        .args(["--exact", "mistakes_do_not_compile", "--nocapture"])
        .env(ON_COPIES, "1")
        .env("TRYBUILD", "overwrite")
        .output()
        .expect("a test binary can be run again");
    let stdout = String::from_utf8_lossy(&output.stdout);
    let stderr = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{stdout}\n{stderr}");
}

fn rustc_version() -> String {
    let rustc = env::var_os("RUSTC").unwrap_or_else(|| "rustc".into());
    let output = Command::new(rustc).arg("--version").output();
    let output = output.expect("cargo needs rustc");
    String::from_utf8_lossy(&output.stdout).into_owned()
}

fn copy_cases(from: &Path, to: &Path) -> io::Result<()> {
    if to.exists() {
        fs::remove_dir_all(to)?;
    }
    for case in files(from)?.iter().filter(|file| is_case(file)) {
        let copy = to.join(case.strip_prefix(from).map_err(io::Error::other)?);
        fs::create_dir_all(copy.parent().unwrap_or(to))?;
        fs::copy(case, copy)?;
    }
    Ok(())
}

fn is_case(file: &Path) -> bool {
    file.extension() == Some(OsStr::new("rs"))
}

fn files(dir: &Path) -> io::Result<Vec<PathBuf>> {
    let mut found = Vec::new();
    for entry in fs::read_dir(dir)? {
        let path = entry?.path();
        if path.is_dir() {
            found.extend(files(&path)?);
        } else {
            found.push(path);
        }
    }
    Ok(found)
}
