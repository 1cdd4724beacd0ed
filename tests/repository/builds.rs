//! Tests of cargo's builds: `tests/support/features` lets commands share them.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;
use std::process::Command;

use serde_json::Value;

/// The commands that share builds. The first command is `cargo test`. Without
/// `tests/support/features`, programs have other features, because `cargo build` leaves out the
/// features that only tests need.
const COMMANDS: [&[&str]; 4] = [
    &["test", "--no-run"],
    &["build", "--bin", "unionctl", "--bin", "kubectl-union"],
    &[
        "build",
        "--bin",
        "union-build-time",
        "--bin",
        "union-from-crds",
    ],
    &[
        "test",
        "--no-run",
        "--package=union-features",
        "--package=union-tests-generated",
        "--package=union-tests-reviews",
    ],
];

/// The packages of a build, each with the sets of features that its library is built with.
type Packages = BTreeMap<String, BTreeSet<String>>;

/// Runs cargo in the repository, and returns the JSON that it prints.
fn cargo(arguments: &[&str]) -> Value {
    let output = Command::new(env!("CARGO"))
        .args(arguments)
        .arg("--locked")
        .current_dir(Path::new(env!("CARGO_MANIFEST_DIR")).join(".."))
        // Stable cargo accepts unstable options with this variable.
        .env("RUSTC_BOOTSTRAP", "1")
        .output()
        .expect("cargo runs");
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{errors}");
    serde_json::from_slice(&output.stdout).expect("cargo prints JSON")
}

/// Returns the packages whose libraries a command builds.
fn packages(command: &[&str]) -> Packages {
    let graph = cargo(&[command, &["--unit-graph", "-Z", "unstable-options"]].concat());
    let units = graph["units"].as_array().expect("the graph has units");
    let mut packages = Packages::new();
    for unit in units {
        let kind = unit["target"]["kind"][0].as_str();
        if unit["mode"] == "build" && matches!(kind, Some("lib" | "proc-macro")) {
            let features = packages.entry(unit["pkg_id"].to_string()).or_default();
            features.insert(unit["features"].to_string());
        }
    }
    assert!(packages.len() > 10, "{command:?} builds {packages:?}");
    packages
}

#[test]
fn commands_build_each_package_with_the_same_features() {
    let mut all = Packages::new();
    for command in COMMANDS {
        for (package, features) in packages(command) {
            all.entry(package).or_default().extend(features);
        }
    }
    all.retain(|_, features| features.len() > 1);
    assert!(
        all.is_empty(),
        "add features to tests/support/features/Cargo.toml: {all:#?}"
    );
}

/// Returns the lines of a Rust file, or of all Rust files below a folder.
fn lines(path: &Path) -> Vec<String> {
    if path.is_dir() {
        let entries = fs::read_dir(path).unwrap();
        return entries
            .flat_map(|entry| lines(&entry.unwrap().path()))
            .collect();
    }
    if path.extension().is_none_or(|extension| extension != "rs") {
        return Vec::new();
    }
    let source = fs::read_to_string(path).unwrap();
    source
        .lines()
        .map(|line| line.trim_start().to_owned())
        .collect()
}

/// Returns the lines of a library or a program. Its modules are in its folder, unless tests are in
/// the same folder.
fn lines_of_target(path: &Path, targets: &[Value]) -> Vec<String> {
    let folder = path.parent().expect("the folder of a file");
    let tests = targets.iter().filter(|target| target["kind"][0] == "test");
    let mut paths = tests.filter_map(|target| target["src_path"].as_str());
    let has_tests = paths.any(|path| Path::new(path).starts_with(folder));
    lines(if has_tests { path } else { folder })
}

#[test]
fn targets_that_are_not_tested_have_no_tests() {
    let metadata = cargo(&["metadata", "--no-deps", "--format-version=1"]);
    let packages = metadata["packages"].as_array().expect("packages");
    let mut count = 0;
    for targets in packages
        .iter()
        .filter_map(|package| package["targets"].as_array())
    {
        for target in targets {
            let is_library = target["kind"][0] == "lib";
            if !is_library && target["kind"][0] != "bin" {
                continue;
            }
            let path = target["src_path"].as_str().expect("the path of a file");
            let lines = lines_of_target(Path::new(path), targets);
            if target["test"] == false {
                count += 1;
                let has_test = lines.iter().any(|line| line.ends_with("#[test]"));
                assert!(
                    !has_test,
                    "{path} has a test: remove `test = false` from its manifest"
                );
            }
            if is_library && target["doctest"] == false {
                count += 1;
                let is_code =
                    |line: &String| line.starts_with("/// ```") || line.starts_with("//! ```");
                let has_code = lines.iter().any(is_code);
                assert!(
                    !has_code,
                    "{path} has code: remove `doctest = false` from its manifest"
                );
            }
        }
    }
    assert!(count > 20, "only {count} targets are not tested");
}
