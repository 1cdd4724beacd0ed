//! What the engines take, beside Kubernetes' own code: each measured row is printed as a line of JSON, for `report`.
//!
//! Options:
//!
//! - `--section engine|crd|patch|webhook`: what is measured; may be said several times, all if it is not said.
//! - `--quick`: small sizes, little time, and instructions of few rows, to see that all of it works.
//! - `--typed`: prints the allocations of the rows of the bench `typed`, and measures nothing else.
//! - `--held`: prints what compiled schemas take as long as they are held, and measures nothing else.
//! - `--workloads unions|crd|patch|webhook|held`: prints the workloads that a program of `tests/reference` is to time, and measures nothing.
//!
//! The Gateway API's CRDs and objects are read from `$SHARED_CASES/gateway`, by default `../shared/cases/gateway` beside
//! the repository; where they are not there, a schema and objects of like size are made.

mod crd;
mod engine;
mod held;
mod measure;
mod patch;
mod row;
mod typed;
mod webhook;

use std::env;
use std::time::Duration;

use row::{Row, Sizes};

type Section = (&'static str, fn(Sizes) -> Vec<Row>);

const SECTIONS: [Section; 4] = [
    ("engine", engine::rows),
    ("crd", crd::rows),
    ("patch", patch::rows),
    ("webhook", webhook::rows),
];

fn main() {
    let mut sizes = Sizes::ALL;
    let mut effort = Duration::from_millis(250);
    // Under valgrind all takes fifty times as long.
    let mut counted_at_most = usize::MAX;
    let mut sections = Vec::new();
    let mut workloads = None;
    let mut counted = None;
    let mut arguments = env::args().skip(1);
    while let Some(argument) = arguments.next() {
        let mut value = || arguments.next().unwrap_or_default();
        let number = |text: String| text.parse().expect("a number");
        match argument.as_str() {
            "--section" => sections.push(value()),
            "--quick" => {
                sizes = Sizes::QUICK;
                effort = Duration::from_millis(5);
                counted_at_most = 2;
            }
            "--held" => return held::lines().for_each(|line| println!("{line}")),
            "--typed" => return typed::allocations().for_each(|line| println!("{line}")),
            "--workloads" => workloads = Some(value()),
            // The program runs itself under valgrind: `--count ROW PART TIMES`.
            "--count" => counted = Some((value(), value(), number(value()))),
            // Cargo says this to every bench.
            "--bench" => {}
            other => {
                panic!("{other} is not an option; see the head of tests/benches/compared/main.rs")
            }
        }
    }
    let is_wanted = |section: &str| sections.is_empty() || sections.iter().any(|it| it == section);
    let wanted = SECTIONS.iter().filter(|(name, _)| is_wanted(name));
    let rows = || wanted.clone().flat_map(|(_, rows)| rows(sizes));
    if let Some((id, part, times)) = counted {
        let row = rows().find(|row| row.id() == id);
        row.expect("a row").repeat(&part, times);
    } else if let Some(program) = workloads {
        let print = |line| println!("{line}");
        match program.as_str() {
            "unions" => typed::workloads()
                .chain(engine::workloads(sizes))
                .for_each(print),
            "crd" => crd::workloads(sizes).for_each(print),
            "patch" => patch::workloads(sizes).for_each(print),
            "held" => held::workloads().for_each(print),
            "webhook" => webhook::workloads().for_each(print),
            other => panic!("{other} is not a program of tests/reference"),
        }
    } else {
        measure::print(&rows().collect::<Vec<_>>(), effort, counted_at_most);
    }
}
