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
    pub(crate) what: String,
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

pub(crate) fn read(lines: &str) -> Report {
    let mut report = Report::default();
    for line in lines.lines() {
        let read = serde_json::from_str(line).unwrap_or_else(|error| panic!("{line}: {error}"));
        match read {
            Line::Note { note } => report.notes.push(note),
            Line::Part {
                side,
                what,
                row,
                size,
                cost,
            } => report.row(what, row, size).add(side, cost),
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
    fn row(&mut self, what: String, name: String, size: Option<u64>) -> &mut Row {
        let found = self
            .rows
            .iter()
            .position(|row| (&row.what, &row.name, row.size) == (&what, &name, size));
        let at = found.unwrap_or_else(|| {
            self.rows.push(Row {
                what,
                name,
                size,
                ours: Cost::default(),
                reference: Cost::default(),
            });
            self.rows.len() - 1
        });
        &mut self.rows[at]
    }
}

impl Row {
    fn full_name(&self) -> (String, String) {
        (self.what.clone(), self.name.clone())
    }

    fn add(&mut self, side: Side, cost: Cost) {
        let known = match side {
            Side::Ours => &mut self.ours,
            Side::Reference => &mut self.reference,
        };
        *known = Cost {
            ns: cost.ns.or(known.ns),
            bytes: cost.bytes.or(known.bytes),
            instructions: cost.instructions.or(known.instructions),
            allocs: cost.allocs.or(known.allocs),
        };
    }

    /// Returns the time (or the bytes) of the reference, divided by ours.
    pub(crate) fn ratio(&self) -> Option<f64> {
        let of = |cost: Cost| cost.ns.or(cost.bytes);
        ratio(of(self.reference), of(self.ours))
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

/// Returns the exponent of growth of our number: for `n` times as many elements, the number is `n`
/// to this power as large.
pub(crate) fn exponent(before: &Row, after: &Row, of: fn(Cost) -> Option<f64>) -> Option<f64> {
    let grown = ratio(of(after.ours), of(before.ours))?;
    let size = ratio(after.size.map(float), before.size.map(float))?;
    Some(grown.ln() / size.ln())
}

#[expect(clippy::cast_precision_loss, reason = "sizes are far below 2^52")]
pub(crate) fn float(count: u64) -> f64 {
    count as f64
}
