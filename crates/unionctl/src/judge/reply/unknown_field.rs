//! The unknown fields and the duplicate keys of a request, with their positions.

use k8s_crd_validation::UnknownField;
use k8s_crd_validation::crd::Review;
use serde::Serialize;
use serde_json::Value;
use union_runtime::path::{FieldPath, PathStep};

use crate::input::{LocatedDuplicate, ObjectSource, Position};

/// The maximum number of unknown fields of an object that are reported with a similar name and a
/// position.
const MAX_EXPLAINED: usize = 100;

/// A field that the schema does not describe.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct UnknownFieldReply {
    #[serde(rename = "field")]
    pub(crate) path: FieldPath,
    /// The name of a similar field, which was probably meant.
    #[serde(skip_serializing_if = "Option::is_none")]
    near: Option<String>,
    #[serde(flatten)]
    position: Option<Position>,
    /// The message of the API server.
    #[serde(skip)]
    message: String,
}

impl UnknownFieldReply {
    /// Converts the unknown fields of an object.
    pub(crate) fn all(fields: &[UnknownField<'_>], source: Option<&ObjectSource>) -> Vec<Self> {
        let numbered = fields.iter().enumerate();
        numbered
            .map(|(number, field)| {
                let is_explained = number < MAX_EXPLAINED;
                let source = source.filter(|_| is_explained);
                let near = is_explained.then(|| field.near_name()).flatten();
                Self {
                    path: field.path().clone(),
                    near: near.map(str::to_owned),
                    position: source.and_then(|source| source.position(field.path())),
                    message: field.to_string(),
                }
            })
            .collect()
    }

    /// Returns the field with a path that starts below the first `count` steps of its path.
    pub(crate) fn below(mut self, count: usize) -> Self {
        self.path = self.path.steps().skip(count).collect();
        self
    }

    /// Returns the message of the API server.
    pub(crate) fn message(&self) -> &str {
        &self.message
    }

    /// Returns the question "did you mean"; empty if no similar name exists.
    pub(crate) fn question(&self) -> String {
        let near = self.near.as_ref();
        near.map_or_else(String::new, |near| format!("; did you mean {near:?}?"))
    }

    /// Returns the line for users.
    pub(crate) fn line(&self, file: &str) -> String {
        let position = self.position.map_or_else(String::new, |position| {
            format!("{file}:{}:{}: ", position.line, position.column)
        });
        format!("{position}{}{}", self.message, self.question())
    }
}

/// The keyword for unions, which API servers do not know yet.
const UNIONS: PathStep<'_> = PathStep::Field("x-kubernetes-unions");

/// Returns notes on the fields of a CRD that an API server does not know, such as misspelled
/// keywords. `x-kubernetes-unions` is not noted. `source` is the start of each note.
pub(crate) fn notes_on_unknown_fields(
    review: Review<'_>,
    crd: &Value,
    source: &str,
) -> Vec<String> {
    let mut fields = review.unknown_fields(crd);
    fields.retain(|field| field.path().steps().next_back() != Some(UNIONS));
    let fields = UnknownFieldReply::all(&fields, None);
    let notes = fields.iter();
    notes
        .map(|field| format!("{source}: {}", field.line(source)))
        .collect()
}

/// Returns the line for users about a duplicate key.
pub(crate) fn duplicate_line(duplicate: &LocatedDuplicate, file: &str) -> String {
    let Position { line, column } = duplicate.position;
    format!(
        "{file}:{line}:{column}: duplicate key {:?}; remove one",
        duplicate.name
    )
}
