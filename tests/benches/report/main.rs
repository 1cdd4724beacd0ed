//! Writes one table and one plot of the rows that the benches print.
//!
//! `report ROWS README PLOT` reads a file of JSON lines, replaces the lines between the markers in
//! a Markdown file, and writes an SVG. A JSON line is a part of a row: the side, the measured row,
//! and the known numbers:
//!
//! ```json
//! {"side": "ours|reference", "what": "engine", "row": "create", "size": 100, "ns": 1.5, "instructions": 30, "allocs": 0}
//! ```
//!
//! A line may have `bytes` instead of `ns`. A line with `note` is copied to the report, above the
//! table.

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
