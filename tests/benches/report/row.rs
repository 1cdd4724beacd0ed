//! Reads the lines that the benches print, and merges them into rows.

use serde::Deserialize;

/// All rows and notes of a run.
#[derive(Default)]
pub(crate) struct Report {
    /// The rows, in the order of their first line.
    pub(crate) rows: Vec<Row>,
    /// The notes on the run, which the report shows above the table.
    pub(crate) notes: Vec<String>,
}

/// A row of the report, which compares two sides.
pub(crate) struct Row {
    pub(crate) report_part: String,
    pub(crate) name: String,
    /// The number of elements, for rows that are measured in several sizes.
    pub(crate) size: Option<u64>,
    pub(crate) ours: Cost,
    pub(crate) reference: Cost,
}

/// The known numbers of one side.
#[derive(Clone, Copy, Default, Deserialize)]
#[serde(default)]
pub(crate) struct Cost {
    pub(crate) ns: Option<f64>,
    pub(crate) bytes: Option<f64>,
    pub(crate) instructions: Option<f64>,
    pub(crate) allocs: Option<f64>,
}

#[derive(Deserialize)]
#[serde(untagged)]
enum Line {
    Note {
        note: String,
    },
    Part {
        side: Side,
        what: String,
        row: String,
        size: Option<u64>,
        #[serde(flatten)]
        cost: Cost,
    },
}

#[derive(Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
enum Side {
    Ours,
    Reference,
}

/// Parses the lines, and merges the numbers of each row.
pub(crate) fn parse_report(lines: &str) -> Report {
    let mut report = Report::default();
    for json in lines.lines() {
        let line = serde_json::from_str(json).unwrap_or_else(|error| panic!("{json}: {error}"));
        match line {
            Line::Note { note } => report.notes.push(note),
            Line::Part {
                side,
                what: report_part,
                row,
                size,
                cost,
            } => report.row(report_part, row, size).add(side, cost),
        }
    }
    // Rows keep the order of their first line. The sizes of a row may come from two programs.
    let names: Vec<(String, String)> = report.rows.iter().map(Row::full_name).collect();
    report.rows.sort_by_key(|row| {
        (
            names.iter().position(|name| *name == row.full_name()),
            row.size,
        )
    });
    report
}

impl Report {
    /// Returns the row with these names and this size, which is added if it is new.
    fn row(&mut self, report_part: String, name: String, size: Option<u64>) -> &mut Row {
        let index = self
            .rows
            .iter()
            .position(|row| (&row.report_part, &row.name, row.size) == (&report_part, &name, size));
        let index = index.unwrap_or_else(|| {
            self.rows.push(Row {
                report_part,
                name,
                size,
                ours: Cost::default(),
                reference: Cost::default(),
            });
            self.rows.len() - 1
        });
        &mut self.rows[index]
    }
}

impl Row {
    fn full_name(&self) -> (String, String) {
        (self.report_part.clone(), self.name.clone())
    }

    /// Adds the numbers of a line, which may have only some of them.
    fn add(&mut self, side: Side, cost: Cost) {
        let merged = match side {
            Side::Ours => &mut self.ours,
            Side::Reference => &mut self.reference,
        };
        *merged = Cost {
            ns: cost.ns.or(merged.ns),
            bytes: cost.bytes.or(merged.bytes),
            instructions: cost.instructions.or(merged.instructions),
            allocs: cost.allocs.or(merged.allocs),
        };
    }

    /// Returns the time (or the bytes) of the reference, divided by ours.
    pub(crate) fn ratio(&self) -> Option<f64> {
        let time_or_bytes = |cost: Cost| cost.ns.or(cost.bytes);
        ratio(time_or_bytes(self.reference), time_or_bytes(self.ours))
    }

    /// Returns the instructions of the reference, divided by ours.
    pub(crate) fn ratio_of_instructions(&self) -> Option<f64> {
        ratio(self.reference.instructions, self.ours.instructions)
    }
}

fn ratio(reference: Option<f64>, ours: Option<f64>) -> Option<f64> {
    reference
        .zip(ours)
        .filter(|(_, ours)| *ours > 0.0)
        .map(|(reference, ours)| reference / ours)
}

/// Returns the exponent by which our number grows with the size: 1 if the number is proportional to
/// the size, 2 if it is proportional to the square of the size.
pub(crate) fn exponent(
    smaller: &Row,
    larger: &Row,
    number: fn(Cost) -> Option<f64>,
) -> Option<f64> {
    let number_ratio = ratio(number(larger.ours), number(smaller.ours))?;
    let size_ratio = ratio(larger.size.map(to_f64), smaller.size.map(to_f64))?;
    Some(number_ratio.ln() / size_ratio.ln())
}

#[expect(clippy::cast_precision_loss, reason = "sizes are far below 2^52")]
pub(crate) fn to_f64(count: u64) -> f64 {
    count as f64
}
