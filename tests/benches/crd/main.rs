//! What a request for a custom resource costs, beside the API server's own code; `crd.sh` runs both and prints the tables.
//!
//! Options:
//!
//! - `--reference FILE`: what `tests/reference/crd/run bench` printed.
//! - `--seconds SECONDS`: how long each row is measured; 0.5 if it is not said.
//! - `--table ratios|ratcheting|scaling|compile`: one of the tables; may be said several times.
//!
//! The Gateway API's CRDs and objects are read from `$SHARED_CASES/gateway`, by default `../shared/cases/gateway` beside
//! the repository; where they are not there, a schema and objects of like size are made.

mod input;
mod measure;
mod row;
mod scaling;
mod tables;

use std::env;

use measure::Effort;

const TABLES: [&str; 4] = ["ratios", "ratcheting", "compile", "scaling"];

fn main() {
    let mut effort = Effort::default();
    let mut reference = Vec::new();
    let mut wanted = Vec::new();
    let mut arguments = env::args().skip(1);
    while let Some(argument) = arguments.next() {
        let mut value = || arguments.next().unwrap_or_default();
        match argument.as_str() {
            "--reference" => reference = tables::read_reference(&value()),
            "--seconds" => {
                effort = Effort::of_seconds(value().parse().expect("a number of seconds"));
            }
            "--table" => wanted.push(value()),
            // The program runs itself under valgrind: `--count ROW TIMES`.
            "--count" => {
                return measure::repeat(&value(), value().parse().expect("a number of times"));
            }
            // Cargo says this to every bench.
            "--bench" => {}
            other => panic!("{other} is no option; see the head of tests/benches/crd/main.rs"),
        }
    }
    let wants = |table: &str| wanted.is_empty() || wanted.iter().any(|wanted| wanted == table);
    for table in TABLES.into_iter().filter(|table| wants(table)) {
        match table {
            "ratios" => tables::ratios(&reference, &effort),
            "ratcheting" => tables::ratcheting(&effort),
            "compile" => tables::compile(&effort),
            _ => tables::scaling(&effort),
        }
    }
}
