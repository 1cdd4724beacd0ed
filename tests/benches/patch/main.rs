//! What strategic merge patches of growing lists cost, beside Kubernetes' own code; `patch.sh` runs both and prints the
//! tables.
//!
//! Options:
//!
//! - `--write`: prints the workloads as JSON lines, for the reference.
//! - `--reference FILE`: what `tests/reference/strategic -bench` printed.
//! - `--seconds SECONDS`: how long each row is measured; 0.5 if it is not said.

mod measure;
mod table;
mod workload;

use std::env;
use std::time::Duration;

use workload::{LISTS, SIZES, Workload};

fn main() {
    let mut reference = Vec::new();
    let mut effort = Duration::from_millis(500);
    let mut arguments = env::args().skip(1);
    while let Some(argument) = arguments.next() {
        let mut value = || arguments.next().unwrap_or_default();
        match argument.as_str() {
            "--write" => {
                for load in LISTS
                    .iter()
                    .flat_map(|list| SIZES.map(|size| Workload::new(list, size)))
                {
                    println!("{}", load.line());
                }
                return;
            }
            "--reference" => reference = table::read_reference(&value()),
            "--seconds" => {
                effort = Duration::from_secs_f64(value().parse().expect("a number of seconds"));
            }
            // The program runs itself under valgrind.
            "--count" => {
                let [list, op, size, times] = [value(), value(), value(), value()];
                let number = |text: &str| text.parse().expect("a number");
                return table::repeat(&list, &op, number(&size), number(&times));
            }
            // Cargo says this to every bench.
            "--bench" => {}
            other => panic!("{other} is no option; see the head of tests/benches/patch/main.rs"),
        }
    }
    table::print(&reference, effort);
}
