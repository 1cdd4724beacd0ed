//! Writes the tables of the report as Markdown.

use std::fmt::Write as _;

use crate::bars::target_ratio;
use crate::row::{Cost, Report, Row, exponent};

const HEAD: &str = "\
| what | row | size | ours | the reference's | **ratio** | ours, instr. | ratio of instr. | ours, alloc. | the reference's, alloc. | \
exponent of time | of instr. |
| --- | --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: |
";

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
    let missed = lines
        .iter()
        .filter(|line| target_ratio(line.row).is_missed(line.row) == Some(true));
    let missed: Vec<String> = missed.map(missed_line).collect();
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
    before: Option<&'r Row>,
    /// True for the size that the short table shows: the largest size that both sides have, or our
    /// largest size if the reference has no number.
    is_last: bool,
}

fn lines(rows: &[Row]) -> Vec<Line<'_>> {
    let mut lines = Vec::new();
    for sizes in rows.chunk_by(|a, b| (&a.what, &a.name) == (&b.what, &b.name)) {
        let last = sizes.iter().rposition(|row| row.ratio().is_some());
        let last = last.unwrap_or(sizes.len() - 1);
        for (i, row) in sizes.iter().enumerate() {
            lines.push(Line {
                row,
                before: i.checked_sub(1).and_then(|i| sizes.get(i)),
                is_last: i == last,
            });
        }
    }
    lines
}

impl Line<'_> {
    fn markdown(&self) -> String {
        let Self { row, before, .. } = self;
        let grown = |of| before.and_then(|before| exponent(before, row, of));
        let cells = [
            row.what.clone(),
            row.name.clone(),
            row.size
                .map_or(String::new(), |size| grouped(&size.to_string())),
            amount(row.ours),
            amount(row.reference),
            row.ratio()
                .map_or(String::new(), |ratio| format!("**{}**", digits(ratio))),
            shown(row.ours.instructions, whole),
            shown(row.ratio_of_instructions(), digits),
            shown(row.ours.allocs, few),
            shown(row.reference.allocs, few),
            shown(grown(|cost| cost.ns), digits),
            shown(grown(|cost| cost.instructions), digits),
        ];
        format!("| {} |\n", cells.join(" | "))
    }
}

fn missed_line(line: &Line<'_>) -> String {
    let Line { row, .. } = line;
    let bar = target_ratio(row);
    let reached = if bar.by_instructions {
        row.ratio_of_instructions()
    } else {
        row.ratio()
    };
    let size = row.size.map_or(String::new(), |size| {
        format!(", {}", grouped(&size.to_string()))
    });
    let by = if bar.by_instructions {
        ", by instructions"
    } else {
        ""
    };
    let (Row { what, name, .. }, reached) = (row, shown(reached, digits));
    format!(
        "- {what}: {name}{size}: {reached}, of {}{by}\n",
        digits(bar.ratio)
    )
}

fn shown(number: Option<f64>, how: fn(f64) -> String) -> String {
    number.map_or(String::new(), how)
}

/// Formats a time with the unit that leaves one to three digits before the point. Without a time,
/// the function formats the bytes.
fn amount(cost: Cost) -> String {
    let Some(ns) = cost.ns else {
        return cost
            .bytes
            .map_or(String::new(), |bytes| format!("{} B", whole(bytes)));
    };
    let units = [("ns", 1.0), ("µs", 1e3), ("ms", 1e6), ("s", 1e9)];
    let (unit, one) = units
        .into_iter()
        .rfind(|(_, one)| ns >= *one)
        .unwrap_or(("ns", 1.0));
    format!("{} {unit}", digits(ns / one))
}

/// Formats a number with three significant digits, or with all digits before the point if there are
/// more.
fn digits(number: f64) -> String {
    match number.abs() {
        large if large >= 1000.0 => whole(number),
        large if large >= 100.0 => format!("{number:.0}"),
        large if large >= 10.0 => format!("{number:.1}"),
        _ => format!("{number:.2}"),
    }
}

fn few(number: f64) -> String {
    if number >= 100.0 {
        whole(number)
    } else {
        format!("{number:.1}")
    }
}

fn whole(number: f64) -> String {
    grouped(&format!("{number:.0}"))
}

/// Inserts thousands separators: `12345` becomes `12,345`.
fn grouped(number: &str) -> String {
    let digits: Vec<char> = number.chars().collect();
    let groups = digits
        .rchunks(3)
        .rev()
        .map(|group| group.iter().collect::<String>());
    groups.collect::<Vec<_>>().join(",")
}
