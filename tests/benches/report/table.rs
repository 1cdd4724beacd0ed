//! Writes the tables of the report as Markdown.

use std::fmt::Write as _;

use crate::row::{Cost, Report, Row, exponent};
use crate::target_ratios::target_ratio;

const HEAD: &str = "\
| what | row | size | ours | the reference's | **ratio** | ours, instr. | ratio of instr. | ours, alloc. | the reference's, alloc. | \
exponent of time | of instr. |
| --- | --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: |
";

/// Returns the notes, the table of the largest sizes, the rows that miss their targets, and the
/// table of all sizes.
pub(crate) fn markdown(report: &Report) -> String {
    let mut text = String::new();
    for note in &report.notes {
        writeln!(text, "{note}\n").expect("a text takes all");
    }
    let lines: Vec<Line<'_>> = lines(&report.rows);
    text += HEAD;
    for line in lines.iter().filter(|line| line.is_last) {
        text += &line.markdown();
    }
    text += "\nRows below their bar, or slower than their reference:\n\n";
    let missed_rows = lines
        .iter()
        .filter(|line| target_ratio(line.row).is_missed(line.row) == Some(true));
    let missed: Vec<String> = missed_rows.map(missed_line).collect();
    text += if missed.is_empty() { "- none\n" } else { "" };
    text += &missed.concat();
    text += "\n<details><summary>All sizes of what grows</summary>\n\n";
    text += HEAD;
    for line in lines.iter().filter(|line| line.row.size.is_some()) {
        text += &line.markdown();
    }
    text += "\n</details>\n";
    text
}

/// A line of a table, with the row of the next smaller size.
struct Line<'r> {
    row: &'r Row,
    smaller: Option<&'r Row>,
    /// True for the size that the short table shows: the largest size that both sides have, or our
    /// largest size if the reference has no number.
    is_last: bool,
}

fn lines(rows: &[Row]) -> Vec<Line<'_>> {
    let mut lines = Vec::new();
    for sizes in
        rows.chunk_by(|row, next| (&row.report_part, &row.name) == (&next.report_part, &next.name))
    {
        let last_index = sizes.iter().rposition(|row| row.ratio().is_some());
        let last_index = last_index.unwrap_or(sizes.len() - 1);
        for (i, row) in sizes.iter().enumerate() {
            lines.push(Line {
                row,
                smaller: i.checked_sub(1).and_then(|i| sizes.get(i)),
                is_last: i == last_index,
            });
        }
    }
    lines
}

impl Line<'_> {
    fn markdown(&self) -> String {
        let Self { row, smaller, .. } = self;
        let exponent_of = |of| smaller.and_then(|smaller| exponent(smaller, row, of));
        let cells = [
            row.report_part.clone(),
            row.name.clone(),
            row.size
                .map_or(String::new(), |size| with_separators(&size.to_string())),
            format_time_or_bytes(row.ours),
            format_time_or_bytes(row.reference),
            row.ratio().map_or(String::new(), |ratio| {
                format!("**{}**", three_digits(ratio))
            }),
            format_or_empty(row.ours.instructions, format_integer),
            format_or_empty(row.ratio_of_instructions(), three_digits),
            format_or_empty(row.ours.allocs, format_decimal),
            format_or_empty(row.reference.allocs, format_decimal),
            format_or_empty(exponent_of(|cost| cost.ns), three_digits),
            format_or_empty(exponent_of(|cost| cost.instructions), three_digits),
        ];
        format!("| {} |\n", cells.join(" | "))
    }
}

/// Returns a list item for a row that misses its target.
fn missed_line(line: &Line<'_>) -> String {
    let Line { row, .. } = line;
    let target = target_ratio(row);
    let ratio = if target.by_instructions {
        row.ratio_of_instructions()
    } else {
        row.ratio()
    };
    let size = row.size.map_or(String::new(), |size| {
        format!(", {}", with_separators(&size.to_string()))
    });
    let suffix = if target.by_instructions {
        ", by instructions"
    } else {
        ""
    };
    let (
        Row {
            report_part, name, ..
        },
        ratio,
    ) = (row, format_or_empty(ratio, three_digits));
    format!(
        "- {report_part}: {name}{size}: {ratio}, of {}{suffix}\n",
        three_digits(target.ratio)
    )
}

fn format_or_empty(number: Option<f64>, format: fn(f64) -> String) -> String {
    number.map_or(String::new(), format)
}

/// Formats a time with the unit that leaves one to three digits before the point. Without a time,
/// the function formats the bytes.
fn format_time_or_bytes(cost: Cost) -> String {
    let Some(ns) = cost.ns else {
        return cost.bytes.map_or(String::new(), |bytes| {
            format!("{} B", format_integer(bytes))
        });
    };
    let units = [("ns", 1.0), ("µs", 1e3), ("ms", 1e6), ("s", 1e9)];
    let (unit, unit_ns) = units
        .into_iter()
        .rfind(|(_, unit_ns)| ns >= *unit_ns)
        .unwrap_or(("ns", 1.0));
    format!("{} {unit}", three_digits(ns / unit_ns))
}

/// Formats a number with three significant digits, or with all digits before the point if there are
/// more.
fn three_digits(number: f64) -> String {
    match number.abs() {
        large if large >= 1000.0 => format_integer(number),
        large if large >= 100.0 => format!("{number:.0}"),
        large if large >= 10.0 => format!("{number:.1}"),
        _ => format!("{number:.2}"),
    }
}

fn format_decimal(number: f64) -> String {
    if number >= 100.0 {
        format_integer(number)
    } else {
        format!("{number:.1}")
    }
}

fn format_integer(number: f64) -> String {
    with_separators(&format!("{number:.0}"))
}

/// Inserts thousands separators: `12345` becomes `12,345`.
fn with_separators(number: &str) -> String {
    let digits: Vec<char> = number.chars().collect();
    let groups = digits
        .rchunks(3)
        .rev()
        .map(|group| group.iter().collect::<String>());
    groups.collect::<Vec<_>>().join(",")
}
