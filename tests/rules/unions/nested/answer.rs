//! The result of a request, as lines that a test can compare.

use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;
use union_runtime::{Ratchet, Settings, Union, Violation};

pub(crate) const RATCHETS: [Ratchet; 3] = [Ratchet::SameReason, Ratchet::Unchanged, Ratchet::Off];

/// The result of a request.
#[derive(Debug, Default, PartialEq)]
pub(crate) struct Answer {
    /// The changes, as `path: cleared` or `path: set`.
    pub(crate) changes: Vec<String>,
    /// The paths of the errors.
    pub(crate) errors: Vec<String>,
    /// The paths of the tolerated violations.
    pub(crate) tolerated: Vec<String>,
    /// The complete lines of the errors.
    pub(crate) error_lines: Vec<String>,
    /// The object after normalizing.
    pub(crate) object: Value,
}

impl Answer {
    /// Asserts the changes, the paths of the errors, and the paths of the tolerated violations.
    #[track_caller]
    pub(crate) fn assert_lines(&self, changes: &[&str], errors: &[&str], tolerated: &[&str]) {
        assert_eq!(self.changes, changes, "changes");
        assert_eq!(self.errors, errors, "refused: {:?}", self.error_lines);
        assert_eq!(self.tolerated, tolerated, "tolerated");
    }

    /// Asserts that each error line begins with the expected path, value and wording. The end of a
    /// line, which is not compared, is the remedy.
    #[track_caller]
    pub(crate) fn assert_error_lines_begin_with(&self, expected_starts: &[String]) {
        assert_eq!(
            self.error_lines.len(),
            expected_starts.len(),
            "{:?}",
            self.error_lines
        );
        for (line, start) in self.error_lines.iter().zip(expected_starts) {
            assert!(line.starts_with(start), "{line}\n{start}");
        }
    }
}

#[track_caller]
pub(crate) fn read<T: DeserializeOwned>(json: &Value) -> T {
    T::deserialize(json).unwrap_or_else(|error| panic!("{error}: {json}"))
}

/// Normalizes and validates an object. `old` is `None` on a create.
#[track_caller]
pub(crate) fn request<T: Union + Serialize + DeserializeOwned>(
    old: Option<&Value>,
    new: &Value,
    settings: Settings,
) -> Answer {
    let old: Option<T> = old.map(read);
    let mut object: T = read(new);
    let changes = object
        .clone_through_json()
        .normalize_unions(old.as_ref(), &Settings::default());
    let report = object.admit_unions(old.as_ref(), &settings);
    let mut answer = Answer {
        object: serde_json::to_value(&object).expect("valid JSON"),
        error_lines: report.errors().iter().map(ToString::to_string).collect(),
        errors: paths(report.errors()),
        tolerated: paths(report.tolerated()),
        ..Answer::default()
    };
    if settings.unions {
        answer.changes = changes.iter().map(ToString::to_string).collect();
    }
    let reported_changes: Vec<String> = report.changes().iter().map(ToString::to_string).collect();
    assert_eq!(
        reported_changes, answer.changes,
        "`admit_unions` reports the changes of normalization"
    );
    answer
}

/// A clone for types that only implement the traits of serde.
trait CloneThroughJson: Sized {
    fn clone_through_json(&self) -> Self;
}

impl<T: Serialize + DeserializeOwned> CloneThroughJson for T {
    fn clone_through_json(&self) -> Self {
        read(&serde_json::to_value(self).expect("valid JSON"))
    }
}

#[track_caller]
pub(crate) fn create<T: Union + Serialize + DeserializeOwned>(new: &Value) -> Answer {
    request::<T>(None, new, Settings::default())
}

#[track_caller]
pub(crate) fn update<T: Union + Serialize + DeserializeOwned>(old: &Value, new: &Value) -> Answer {
    request::<T>(Some(old), new, Settings::default())
}

#[track_caller]
pub(crate) fn update_with_ratchet<T: Union + Serialize + DeserializeOwned>(
    ratchet: Ratchet,
    old: &Value,
    new: &Value,
) -> Answer {
    request::<T>(Some(old), new, Settings::default().ratchet(ratchet))
}

fn paths<'a>(violations: impl IntoIterator<Item = &'a Violation>) -> Vec<String> {
    violations
        .into_iter()
        .map(|violation| violation.path().to_string())
        .collect()
}
