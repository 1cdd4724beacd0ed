//! Measures the engines beside the code of Kubernetes. Each measured row is printed as a line of
//! JSON, for `report`.
//!
//! Options:
//!
//! - `--section engine|crd|patch|webhook|reading|jsonschema|cel`: the rows to measure. The option
//!   may be repeated. The default is all sections. The last two need the feature `other-crates`.
//! - `--quick`: a test of the bench, with small sizes, little time, and instructions of two rows.
//! - `--uncounted`: counts no instructions.
//! - `--allocations`: counts the allocations of the rows, and measures no time. Without
//!   `--section`, also counts the allocations of the rows of the bench `typed`, and the memory of
//!   compiled schemas. The option needs the feature `allocations`.
//! - `--answers`: prints the answers of crates that evaluate CEL, beside the answers of a server,
//!   and measures no section. The option needs the feature `other-crates`.
//! - `--crds`: prints each CRD with its stored version, and measures no section.
//! - `--held`: prints the compile time of schemas, and measures no section.
//! - `--workloads unions|crd|patch|webhook|held`: prints the workloads for a program of
//!   `tests/reference`, and measures no section.
//!
//! The CRDs and objects of the Gateway API are read from `$SHARED_CASES/gateway`, by default
//! `../shared/cases/gateway` beside the repository. Without these files, the program makes a CRD
//! and objects of similar size.

#[cfg(feature = "allocations")]
mod allocations;
#[cfg(feature = "other-crates")]
mod cel;
mod compiled_schemas;
mod crd;
#[cfg(feature = "other-crates")]
#[path = "../../reference/expression_cases/declared.rs"]
mod declared;
mod engine;
#[cfg(feature = "other-crates")]
mod json_schema;
mod measure;
mod patch;
mod reading;
mod row;
mod typed;
mod webhook;

use std::env;
use std::time::Duration;

use row::{Row, Sizes};

/// The name of a section, and the function that returns its rows.
type Section = (&'static str, fn(Sizes) -> Vec<Row>);

const SECTIONS: &[Section] = &[
    ("engine", engine::rows),
    ("crd", crd::rows),
    ("patch", patch::rows),
    ("webhook", webhook::rows),
    ("reading", reading::rows),
    #[cfg(feature = "other-crates")]
    ("jsonschema", json_schema::rows),
    #[cfg(feature = "other-crates")]
    ("cel", cel::rows),
];

fn main() {
    let mut sizes = Sizes::ALL;
    let mut duration_per_row = Duration::from_millis(250);
    // A run under valgrind takes fifty times as long, so `--quick` counts few rows.
    let mut max_counted_rows = usize::MAX;
    let mut sections = Vec::new();
    let mut workloads = None;
    let mut row_to_count = None;
    #[cfg(feature = "allocations")]
    let mut counts_allocations = false;
    let mut arguments = env::args().skip(1);
    while let Some(argument) = arguments.next() {
        let mut value = || arguments.next().unwrap_or_default();
        let parse_number = |text: String| text.parse().expect("a number");
        match argument.as_str() {
            "--section" => sections.push(value()),
            "--quick" => {
                sizes = Sizes::QUICK;
                duration_per_row = Duration::from_millis(5);
                max_counted_rows = 2;
            }
            "--uncounted" => max_counted_rows = 0,
            "--crds" => return crd::input::stored_crds().for_each(|crd| println!("{crd}")),
            "--held" => return compiled_schemas::lines().for_each(|line| println!("{line}")),
            #[cfg(feature = "other-crates")]
            "--answers" => return println!("{}", cel::answers()),
            #[cfg(feature = "allocations")]
            "--allocations" => counts_allocations = true,
            "--workloads" => workloads = Some(value()),
            // The program runs itself under valgrind: `--count ROW PART TIMES`.
            "--count" => row_to_count = Some((value(), value(), parse_number(value()))),
            // Cargo passes this option to every bench.
            "--bench" => {}
            unknown => {
                panic!("{unknown} is not an option; see the head of tests/benches/compared/main.rs")
            }
        }
    }
    let is_wanted =
        |name: &str| sections.is_empty() || sections.iter().any(|section| section == name);
    let wanted_sections = SECTIONS.iter().filter(|(name, _)| is_wanted(name));
    let rows = || wanted_sections.clone().flat_map(|(_, rows)| rows(sizes));
    #[cfg(feature = "allocations")]
    if counts_allocations {
        if sections.is_empty() {
            allocations::print_typed();
            allocations::print_memory_of_schemas();
        }
        return allocations::print(&rows().collect::<Vec<_>>());
    }
    if let Some((id, part, times)) = row_to_count {
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
            "held" => compiled_schemas::workloads().for_each(print),
            "webhook" => webhook::workloads().for_each(print),
            unknown => panic!("{unknown} is not a program of tests/reference"),
        }
    } else {
        measure::print(
            &rows().collect::<Vec<_>>(),
            duration_per_row,
            max_counted_rows,
        );
    }
}
