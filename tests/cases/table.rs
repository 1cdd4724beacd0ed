//! The verdict tables of this folder, for all test binaries that run them.

use std::sync::{Mutex, PoisonError};

use serde::Deserialize;
use serde_json::Value;
use union_runtime::{Ratchet, Report, Settings, Violation};

/// A table.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Table {
    /// The description of the union, for messages of failed tests.
    about: String,
    /// Its schema, below `tests`.
    schema: String,
    pub(crate) cases: Vec<Case>,
}

/// A request and its result.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Case {
    pub(crate) name: String,
    /// Null on a create.
    old: Value,
    pub(crate) new: Value,
    #[serde(default)]
    ratchet: Tolerated,
    /// The feature gate.
    #[serde(default = "on")]
    unions: bool,
    /// True if both objects can be read as a struct without a field for unknown values.
    #[serde(default = "on")]
    pub(crate) reads: bool,
    pub(crate) normalized: Value,
    /// The members that normalization cleared.
    #[serde(default)]
    cleared: Vec<String>,
    /// Every line in full.
    #[serde(default)]
    errors: Vec<String>,
    #[serde(default)]
    ratcheted: Vec<String>,
}

#[derive(Clone, Copy, Deserialize, Default)]
enum Tolerated {
    #[default]
    SameReason,
    Unchanged,
    Off,
}

fn on() -> bool {
    true
}

impl Table {
    pub(crate) fn read(table: &str) -> Self {
        let table: Self = serde_json::from_str(table).expect("the table is well formed");
        assert!(table.about.ends_with('.'));
        table
    }

    /// The schema that the table names.
    pub(crate) fn schema(&self) -> Value {
        let file = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join(&self.schema);
        let text = std::fs::read_to_string(&file);
        let text = text.unwrap_or_else(|error| panic!("{}: {error}", file.display()));
        serde_json::from_str(&text).expect("the schema is JSON")
    }
}

impl Case {
    /// The stored object; `None` on a create.
    pub(crate) fn old(&self) -> Option<&Value> {
        Some(&self.old).filter(|old| !old.is_null())
    }

    pub(crate) fn settings(&self) -> Settings {
        let ratchet = match self.ratchet {
            Tolerated::SameReason => Ratchet::SameReason,
            Tolerated::Unchanged => Ratchet::Unchanged,
            Tolerated::Off => Ratchet::Off,
        };
        Settings::default().ratchet(ratchet).unions(self.unions)
    }

    /// Compares the changes, the errors and the tolerated errors with the table. With
    /// `UPDATE_SNAPSHOTS=1`, writes lines with another wording into the table.
    pub(crate) fn check(&self, cleared: &[&str], report: &Report) {
        assert_eq!(cleared, self.cleared, "{}", self.name);
        let found = [report.errors(), report.tolerated()].map(lines);
        let expected = [self.errors.clone(), self.ratcheted.clone()];
        if found != expected && std::env::var_os("UPDATE_SNAPSHOTS").is_some() {
            for (found, expected) in found.iter().zip(&expected) {
                assert_eq!(found.len(), expected.len(), "{}", self.name);
                for (new, old) in found.iter().zip(expected) {
                    write_line(old, new);
                }
            }
            return;
        }
        assert_eq!(found, expected, "{}", self.name);
    }
}

/// Replaces the old message in the tables by a line of the result.
fn write_line(old: &str, new: &str) {
    /// The tables run side by side.
    static WRITING: Mutex<()> = Mutex::new(());
    let _writing = WRITING.lock().unwrap_or_else(PoisonError::into_inner);
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("cases");
    for entry in std::fs::read_dir(folder).expect("the folder of the tables") {
        let file = entry.expect("an entry").path();
        if file.extension().is_none_or(|ending| ending != "json") {
            continue;
        }
        let table = std::fs::read_to_string(&file).expect("a table");
        let [old, new] = [old, new].map(|line| Value::from(line).to_string());
        let updated = table.replace(&old, &new);
        if updated != table {
            std::fs::write(&file, updated).expect("the table can be written");
        }
    }
}

fn lines(violations: &[Violation]) -> Vec<String> {
    violations.iter().map(ToString::to_string).collect()
}
