//! Test that every case in the folders here fails to compile. The folder of a case is the kind of
//! mistake, and its name is the mistake.
//!
//! The output of rustc around the derive's messages changes with the version of rustc. So the whole
//! output is compared with one version only. With other versions, the derive's own messages and
//! their positions are compared. After a change, record the output with that version and read the
//! diff:
//!
//! ```text
//! TRYBUILD=overwrite cargo +1.95.0 test -p union-tests-ui
//! ```

use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::{env, fs, io};

/// The version of rustc that the `.stderr` files were recorded with.
const RECORDED_WITH: &str = "rustc 1.95.0 (";

const CASES: &str = env!("CARGO_MANIFEST_DIR");

/// The folder with copies of the cases, without their `.stderr` files.
const COPIES: &str = concat!(env!("CARGO_TARGET_TMPDIR"), "/compile_fail");

/// The environment variable that is set when this binary runs itself on the copies.
const ON_COPIES: &str = "UNION_TESTS_UI_COPIES";

#[test]
fn mistakes_do_not_compile() {
    if env::var_os(ON_COPIES).is_some() {
        trybuild::TestCases::new().compile_fail(format!("{COPIES}/*/*.rs"));
    } else if rustc_version().starts_with(RECORDED_WITH) {
        trybuild::TestCases::new().compile_fail("*/*.rs");
    } else {
        copy_cases(Path::new(CASES), Path::new(COPIES)).expect("the cases can be copied");
        fail_on_copies();
        check_own_errors();
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

/// Asserts that the output for each copy has the derive's own errors of the recorded output.
fn check_own_errors() {
    let cases = files(Path::new(CASES)).expect("the cases can be listed");
    let (mut count, mut missing) = (0, Vec::new());
    for recorded in cases.iter().filter(|file| !is_case(file)) {
        let name = recorded
            .strip_prefix(CASES)
            .expect("the case is in a folder");
        let copy = Path::new(COPIES).join(name);
        let [recorded, output] = [recorded, &copy]
            .map(|file| fs::read_to_string(file).expect("trybuild records each case"));
        let output = errors(&output);
        for error in errors(&recorded) {
            count += 1;
            if !output.contains(&error) {
                missing.push(format!("{}: {error:?}", name.display()));
            }
        }
    }
    assert!(missing.is_empty(), "missing:\n{}", missing.join("\n"));
    assert!(count >= 400, "only {count} errors");
}

/// Returns the message, the line and the column of each error of the derives or of the runtime.
fn errors(output: &str) -> Vec<(String, &str)> {
    let blocks = output.split("\n\n");
    let errors = blocks.filter_map(|block| {
        let (message, tail) = block.trim_start().split_once('\n')?;
        let (_, position) = tail.lines().next()?.split_once(".rs:")?;
        is_own(message).then(|| (without_paths(message), position))
    });
    errors.collect()
}

/// Returns true if a message is the derive's or the runtime's own: an error without a code, a panic
/// at compile time, or the message of an unimplemented trait.
fn is_own(message: &str) -> bool {
    let is_trait = message.starts_with("error[E0277]: ") && !message.contains("the trait bound");
    let mut starts = ["error: ", "error[E0080]: "].iter();
    is_trait || starts.any(|start| message.starts_with(start))
}

/// Removes the paths of names, because some versions of rustc print `std::string::String` for
/// `String`.
fn without_paths(message: &str) -> String {
    let mut segments = message.split("::");
    let mut name = segments.next().unwrap_or_default().to_owned();
    for segment in segments {
        let is_part_of_name = |c: char| c.is_alphanumeric() || c == '_';
        name.truncate(name.trim_end_matches(is_part_of_name).len());
        name.push_str(segment);
    }
    name
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

/// Returns the files in the folders of a folder.
fn files(dir: &Path) -> io::Result<Vec<PathBuf>> {
    let mut found = Vec::new();
    for folder in fs::read_dir(dir)? {
        let folder = folder?.path();
        if folder.is_dir() {
            for file in fs::read_dir(folder)? {
                found.push(file?.path());
            }
        }
    }
    Ok(found)
}
