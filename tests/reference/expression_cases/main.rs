//! Compares k8s-cel with the API server's own CEL environment, on random expressions: see
//! `tests/reference/run`.
//!
//! `expression_reference --program PROGRAM --seed N|fresh --cases N [--show N] [--server VERSION]`
//! calls every function of the checker's table in turn. The arguments are edge values, and other
//! calls to a depth of three. Both sides are compared by compile errors, types, estimated costs,
//! values, errors and costs. A function that never returned a value is tried again. One of eight
//! cases is run with an older version of the libraries.
//!
//! `--server` is the version of the modules that the program is built with; the default is the
//! newest version.
//!
//! `--print` in place of `--program PROGRAM` prints the cases without running them, for
//! `../recorded`.
//!
//! `--show` is the number of kinds of differences that are printed. `--expressions FILE` runs the
//! expressions of a file with each of the schemas: each line is a JSON string, or an object
//! `{"expression": ..., "self": ...}`.

mod answer;
mod case;
mod compare;
#[path = "../counts.rs"]
mod counts;
mod declared;
mod edges;
mod explain;
mod fields;
mod literal;
mod macro_calls;
mod make;
#[path = "../older_texts.rs"]
mod older_texts;
mod reference;
#[path = "../server_version.rs"]
mod server_version;
mod table;

use std::error::Error;
use std::hash::{BuildHasher, RandomState};
use std::process::ExitCode;

use compare::Comparison;
use k8s_cel::KubeVersion;
use serde_json::json;
use table::Table;
use union_random::Random;

/// The number of additional rounds for functions that did not return a value.
const MAX_TRIES: usize = 100;

/// The number of cases that both sides work on at a time.
const BATCH: usize = 256;

fn main() -> Result<ExitCode, Box<dyn Error>> {
    let mut arguments: Vec<String> = std::env::args().skip(1).collect();
    let server = server_version::take(&mut arguments)?;
    let of = |name: &str| arguments.iter().skip_while(|each| *each != name).nth(1);
    let seed = match of("--seed").map(String::as_str) {
        None | Some("fresh") => RandomState::new().hash_one(0),
        Some(seed) => seed.parse()?,
    };
    let count: usize = of("--cases").map_or(Ok(0), |count| count.parse())?;
    let show: usize = of("--show").map_or(Ok(40), |show| show.parse())?;
    if arguments.iter().any(|each| each == "--print") {
        print(seed, count);
        return Ok(ExitCode::SUCCESS);
    }
    let program = of("--program").ok_or("--program PROGRAM is needed")?;
    println!("expressions, seed {seed}, server {server}");
    let table = Table::new(server);
    let mut comparison = Comparison::new(program, server)?;
    let differences = differences(&table, &mut comparison, server)?;
    for difference in &differences {
        println!("{difference}");
    }
    let fields = fields::fields();
    let mut random = Random::new(seed);
    if let Some(path) = of("--expressions") {
        for line in std::fs::read_to_string(path)?.lines() {
            let case = make::given(&mut random, &fields, serde_json::from_str(line)?);
            comparison.run_by_each(&case)?;
        }
        return Ok(exit_code(comparison.finish(None, show)));
    }
    let mut cases = Vec::new();
    for number in 0..count {
        cases.push(make::numbered(&mut random, &table, &fields, number));
        if cases.len() == BATCH || number + 1 == count {
            comparison.run(std::mem::take(&mut cases))?;
        }
    }
    // Demands that were not met are tried again, for the newest version.
    let tries = if server == KubeVersion::LATEST {
        MAX_TRIES
    } else {
        0
    };
    for _ in 0..tries {
        let missing = comparison.missing(&table);
        let cases = missing.into_iter();
        let cases: Vec<_> = cases
            .map(|demand| make::case(&mut random, &table, &fields, demand))
            .collect();
        if cases.is_empty() {
            break;
        }
        comparison.run(cases)?;
    }
    let table = (server == KubeVersion::LATEST).then_some(&table);
    let agrees = comparison.finish(table, show);
    Ok(exit_code(agrees && differences.is_empty()))
}

/// Prints random cases, of which every eighth has another schema or an older version.
fn print(seed: u64, count: usize) {
    let table = Table::new(KubeVersion::LATEST);
    let fields = fields::fields();
    let mut random = Random::new(seed);
    let older: Vec<KubeVersion> = KubeVersion::all().collect();
    for number in 0..count {
        let case = make::numbered(&mut random, &table, &fields, number);
        let schema = if number % 2 == 0 {
            "bounded"
        } else {
            "unbounded"
        };
        let mut definition = json!({ "schema": schema });
        match number % 8 {
            7 => definition["optionalOldSelf"] = true.into(),
            5 => definition["version"] = older[number / 8 % older.len()].to_string().into(),
            _ => {}
        }
        let mut question = json!({"expression": case.expression, "self": case.this});
        if let Some(old) = case.old {
            question["oldSelf"] = old;
        }
        println!("{}", json!({"use": definition, "question": question}));
    }
}

/// Returns the differences between our tables of functions and the server's, for each version of
/// the libraries, for new and for stored expressions.
fn differences(
    table: &Table,
    comparison: &mut Comparison,
    server: KubeVersion,
) -> Result<Vec<String>, Box<dyn Error>> {
    let mut found = Vec::new();
    for version in KubeVersion::all().filter(|version| *version <= server) {
        let new = comparison.table(version, false)?;
        // The modules of old versions do not list their functions.
        if new["functions"].is_null() {
            break;
        }
        found.extend(table.differences(&new, version));
        let stored = comparison.table(version, true)?;
        found.extend(table.differences(&stored, server));
    }
    Ok(found)
}

const fn exit_code(agrees: bool) -> ExitCode {
    if agrees {
        ExitCode::SUCCESS
    } else {
        ExitCode::FAILURE
    }
}
