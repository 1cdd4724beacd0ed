//! How much better than its reference a row is to be.

use crate::row::Row;

/// A ratio that a row is to reach.
pub(crate) struct Bar {
    pub(crate) ratio: f64,
    /// By instructions and not by time.
    pub(crate) by_instructions: bool,
}

impl Bar {
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

    /// Whether a row is below it; `None` if it was not measured.
    pub(crate) fn is_missed(&self, row: &Row) -> Option<bool> {
        let reached = if self.by_instructions {
            row.ratio_of_instructions()
        } else {
            row.ratio()
        };
        reached.map(|reached| reached < self.ratio)
    }
}

/// What the project promises; where it promises nothing, to be no slower than the reference.
pub(crate) fn bar(row: &Row) -> Bar {
    let name = |part| row.name.contains(part);
    match row.what.as_str() {
        // Whatever is stored is kept, so it goes through a buffer.
        "typed" if name("read_enum") => Bar::time(1.0 / 2.5),
        // 1.1 times the time of hand-written code, for valid objects.
        "typed" if !name("invalid") && !name("ratcheted") && !name("stale") => Bar::time(1.0 / 1.1),
        "crd" if name("without CEL") => Bar::time(50.0),
        "crd" => Bar::time(5.0),
        // Both webhooks; what one of them takes alone is reading JSON for the most part.
        "webhook" if name("/validate") => Bar::time(10.0),
        // Reading a union is to cost less than a fifth of what compiling its schema does.
        "crd, unions of its rules" => Bar::instructions(5.0),
        // KEP-4008's own limits, of what ratcheting adds.
        "crd, ratcheting" if name("error") => Bar::instructions(1.0 / 1.05),
        "crd, ratcheting" => Bar::instructions(1.0 / 1.02),
        "patch" if !name("text to text") && row.size == Some(100) => Bar::time(10.0),
        "patch" if !name("text to text") && row.size >= Some(10_000) => Bar::time(100.0),
        "cargo check" => Bar::instructions(1.0),
        // A union is code that was not there; the report says how much.
        "binary" | "cargo build" => Bar::time(0.0),
        _ => Bar::time(1.0),
    }
}
