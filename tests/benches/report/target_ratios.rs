//! The ratio to the reference that each row must reach.

use crate::row::Row;

/// A ratio that a row must reach.
pub(crate) struct TargetRatio {
    pub(crate) ratio: f64,
    /// True for a ratio of instructions, false for a ratio of time.
    pub(crate) by_instructions: bool,
}

impl TargetRatio {
    const fn time(ratio: f64) -> Self {
        Self {
            ratio,
            by_instructions: false,
        }
    }

    const fn instructions(ratio: f64) -> Self {
        Self {
            ratio,
            by_instructions: true,
        }
    }

    /// Returns true if the ratio of the row is below the target, and `None` if the row was not
    /// measured.
    pub(crate) fn is_missed(&self, row: &Row) -> Option<bool> {
        let ratio = if self.by_instructions {
            row.ratio_of_instructions()
        } else {
            row.ratio()
        };
        ratio.map(|ratio| ratio < self.ratio)
    }
}

/// Returns the target of a row. The default is a ratio of 1: to be no slower than the reference.
pub(crate) fn target_ratio(row: &Row) -> TargetRatio {
    let name_contains = |part| row.name.contains(part);
    match row.report_part.as_str() {
        // Reading keeps unknown objects, and may still take no longer than handwritten code.
        "typed" if name_contains("read_enum") => TargetRatio::time(1.0),
        // Valid objects may take 1.1 times the time of hand-written code.
        "typed"
            if !name_contains("invalid")
                && !name_contains("ratcheted")
                && !name_contains("stale") =>
        {
            TargetRatio::time(1.0 / 1.1)
        }
        "crd" if name_contains("without CEL") => TargetRatio::time(50.0),
        "crd" => TargetRatio::time(5.0),
        // The target covers both webhooks. Most of the time of one webhook is for reading JSON.
        "webhook" if name_contains("/validate") => TargetRatio::time(10.0),
        // Reading the unions of a CRD must cost less than a fifth of compiling its schema.
        "crd, unions of its rules" => TargetRatio::instructions(5.0),
        // These are the limits of KEP-4008 for the cost that ratcheting adds.
        "crd, ratcheting" if name_contains("error") => TargetRatio::instructions(1.0 / 1.05),
        "crd, ratcheting" => TargetRatio::instructions(1.0 / 1.02),
        "patch" if !name_contains("text to text") && row.size == Some(100) => {
            TargetRatio::time(10.0)
        }
        "patch" if !name_contains("text to text") && row.size >= Some(10_000) => {
            TargetRatio::time(100.0)
        }
        "cargo check" => TargetRatio::instructions(1.0),
        // A union adds code, so these rows have no target. The report shows the ratio.
        "binary" | "cargo build" => TargetRatio::time(0.0),
        _ => TargetRatio::time(1.0),
    }
}
