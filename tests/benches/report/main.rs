//! Puts the rows that all benches printed into one table and one picture.
//!
//! `report ROWS README PLOT`: reads a file of JSON lines, replaces what stands between the markers in a Markdown file, and writes
//! an SVG. A line is a part of a row: who it is of, what was measured, and the numbers that are known:
//!
//! ```json
//! {"side": "ours|reference", "what": "engine", "row": "create", "size": 100, "ns": 1.5, "instructions": 30, "allocs": 0}
//! ```
//!
//! In place of nanoseconds there may be `bytes`; `note` stands as it is above the table.

mod bars;
mod plot;
mod row;
mod table;

use std::{env, fs};

fn main() {
    let arguments: Vec<String> = env::args().skip(1).filter(|it| it != "--bench").collect();
    let [rows, readme, plot] = &arguments[..] else {
        panic!("`report ROWS README PLOT`; see the head of tests/benches/report/main.rs");
    };
    let read =
        |path: &str| fs::read_to_string(path).unwrap_or_else(|error| panic!("{path}: {error}"));
    let write = |path: &str, text: String| {
        fs::write(path, text).unwrap_or_else(|error| panic!("{path}: {error}"));
    };
    let report = row::read(&read(rows));
    let text = read(readme);
    let parts = text.split_once(OPEN).and_then(|(before, rest)| {
        let (_, after) = rest.split_once(CLOSE)?;
        Some((before, after))
    });
    let (before, after) = parts.unwrap_or_else(|| panic!("{readme} has no {OPEN} and {CLOSE}"));
    let tables = table::markdown(&report);
    write(
        readme,
        format!("{before}{OPEN}\n\n{tables}\n{CLOSE}{after}"),
    );
    write(plot, plot::svg(&report.rows));
    print!("{tables}");
}

const OPEN: &str = "<!-- table -->";
const CLOSE: &str = "<!-- /table -->";
