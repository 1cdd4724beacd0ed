//! Runs `unionctl` on cases with known results. The cases are in a folder beside the repository;
//! `tests/support/shared/run` finds the folder and starts this program.

mod comparator;
mod foreign;
mod gateway;
mod lines;
mod patches;
mod process;
mod routes;
mod scenarios;
mod single;

use std::path::Path;
use std::process::ExitCode;

use serde_json::Value;

use process::{Failure, Unionctl};

/// The files of cases in the subfolder `reports`, with their topics. Users reported that `unionctl`
/// had wrong results for these cases.
const REPORTS: [(&str, &str); 6] = [
    ("embedded resources", "kep4008_2_embedded.jsonl"),
    (
        "rules that cannot be evaluated",
        "kep4008_3_cannot_be_evaluated.jsonl",
    ),
    ("lists at odd paths", "kep4008_4_lists_at_odd_paths.jsonl"),
    ("ratcheting by version", "kep4008_5_versions.jsonl"),
    ("stored numbers", "kep4008_6_stored_numbers.jsonl"),
    ("texts of paths", "kep4008_7_texts.jsonl"),
];

fn main() -> ExitCode {
    match run() {
        Ok(0) => ExitCode::SUCCESS,
        Ok(wrong_count) => {
            println!("{wrong_count} results differ from the known results");
            ExitCode::FAILURE
        }
        Err(failure) => {
            eprintln!("error: {failure}");
            ExitCode::FAILURE
        }
    }
}

/// Runs all cases, and returns the number of wrong results.
fn run() -> Result<usize, Failure> {
    let mut args = std::env::args().skip(1);
    let (Some(folder), Some(tool)) = (args.next(), args.next()) else {
        return Err("give the folder of the cases, and the tool".into());
    };
    let folder = Path::new(&folder);
    // The results in the files are of a 1.36 API server, except for lines with another version.
    let arguments = ["check", "--jsonl", "--kube-version", "1.36"];
    let mut unionctl = Unionctl::start_with(&tool, &arguments)?;
    let mut wrong_count = 0;
    let cases = read_json(&folder.join("custom_resource_validation.json"))?;
    wrong_count += single::run(list(&cases["cases"]), &mut unionctl)?;
    let scenarios = read_json(&folder.join("ratcheting_scenarios.json"))?;
    wrong_count += scenarios::run(list(&scenarios["scenarios"]), &mut unionctl)?;
    // An older folder does not have these files.
    let mut unions = Unionctl::start(&tool, "unions")?;
    for (name, file) in [
        ("whole CRDs", "crd_whole.jsonl"),
        ("functions and texts of CEL", "cel_library.jsonl"),
    ] {
        let path = folder.join(file);
        if path.exists() {
            let lines = std::fs::read_to_string(path)?;
            wrong_count += lines::run(name, &lines, &mut unionctl, &mut unions)?;
        }
    }
    for (name, file) in REPORTS {
        let path = folder.join("reports").join(file);
        if path.exists() {
            let lines = std::fs::read_to_string(path)?;
            wrong_count += lines::run(name, &lines, &mut unionctl, &mut unions)?;
        }
    }
    for (name, file) in [
        ("comparator", "kep4008_4_comparator.jsonl"),
        ("lists without keys", "unkeyed_list.jsonl"),
    ] {
        let path = folder.join("reports").join(file);
        if path.exists() {
            wrong_count += comparator::run(name, &std::fs::read_to_string(path)?)?;
        }
    }
    unions.finish()?;
    unionctl.finish()?;
    let mut unionctl = Unionctl::start(&tool, "patch")?;
    let table = read_json(&folder.join("strategic_merge_patch.json"))?;
    wrong_count += patches::run(&table, &mut unionctl)?;
    unionctl.finish()?;
    wrong_count += gateway::run(&folder.join("gateway"), &tool)?;
    wrong_count += routes::run(&folder.join("gateway"))?;
    let path = folder.join("foreign_unions.json");
    if path.exists() {
        wrong_count += foreign::run(list(&read_json(&path)?["cases"]), &tool)?;
    }
    Ok(wrong_count)
}

fn read_json(path: &Path) -> Result<Value, Failure> {
    let text =
        std::fs::read_to_string(path).map_err(|error| format!("{}: {error}", path.display()))?;
    Ok(serde_json::from_str(&text)?)
}

/// Returns the elements of an array, or no elements of any other value.
fn list(value: &Value) -> &[Value] {
    value.as_array().map(Vec::as_slice).unwrap_or_default()
}
