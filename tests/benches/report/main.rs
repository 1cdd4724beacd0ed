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

mod plot;
mod row;
mod table;
mod target_ratios;

use std::{env, fs};

fn main() {
    let arguments: Vec<String> = env::args()
        .skip(1)
        .filter(|argument| argument != "--bench")
        .collect();
    let [rows, readme, plot] = &arguments[..] else {
        panic!("`report ROWS README PLOT`; see the head of tests/benches/report/main.rs");
    };
    let read_file =
        |path: &str| fs::read_to_string(path).unwrap_or_else(|error| panic!("{path}: {error}"));
    let write_file = |path: &str, text: String| {
        fs::write(path, text).unwrap_or_else(|error| panic!("{path}: {error}"));
    };
    let report = row::parse_report(&read_file(rows));
    let text = read_file(readme);
    let parts = text
        .split_once(OPEN)
        .and_then(|(text_before, table_and_after)| {
            let (_, text_after) = table_and_after.split_once(CLOSE)?;
            Some((text_before, text_after))
        });
    let (text_before, text_after) =
        parts.unwrap_or_else(|| panic!("{readme} has no {OPEN} and {CLOSE}"));
    let tables = table::markdown(&report);
    write_file(
        readme,
        format!("{text_before}{OPEN}\n\n{tables}\n{CLOSE}{text_after}"),
    );
    write_file(plot, plot::svg(&report.rows));
    print!("{tables}");
}

const OPEN: &str = "<!-- table -->";
const CLOSE: &str = "<!-- /table -->";
