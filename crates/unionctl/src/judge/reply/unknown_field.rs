//! The unknown fields and the duplicate keys of a request, with their positions.

use k8s_crd_validation::UnknownField;
use k8s_crd_validation::crd::Review;
use serde::Serialize;
use serde_json::Value;
use union_runtime::path::{FieldPath, PathStep};

use crate::input::{LocatedDuplicate, ObjectSource, Position};

/// The maximum number of unknown fields of an object that are reported with a similar name and a
/// position. Further unknown fields are reported without both.
const MAX_EXPLAINED_FIELDS: usize = 100;

/// A field that the schema does not describe.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct UnknownFieldReply {
    #[serde(rename = "field")]
    pub(crate) path: FieldPath,
    /// The name of a similar field, which was probably meant.
    #[serde(rename = "near", skip_serializing_if = "Option::is_none")]
    similar_name: Option<String>,
    /// The key in the file, if it is not the name because it has no quotes, as `on` for `true`.
    #[serde(skip_serializing_if = "Option::is_none")]
    unquoted_key: Option<String>,
    #[serde(flatten)]
    position: Option<Position>,
    /// The message of the API server.
    #[serde(skip)]
    message: String,
}

impl UnknownFieldReply {
    /// Converts the unknown fields of an object.
    pub(crate) fn from_fields(
        fields: &[UnknownField<'_>],
        source: Option<&ObjectSource>,
    ) -> Vec<Self> {
        fields
            .iter()
            .enumerate()
            .map(|(index, field)| {
                let is_explained = index < MAX_EXPLAINED_FIELDS;
                let source = source.filter(|_| is_explained);
                let similar_name = is_explained.then(|| field.near_name()).flatten();
                let name = field.path().steps().next_back().and_then(PathStep::name);
                let unquoted_key = source.and_then(|source| source.unquoted_key(field.path()));
                let unquoted_key = unquoted_key.filter(|key| Some(*key) != name);
                Self {
                    path: field.path().clone(),
                    unquoted_key: unquoted_key.map(str::to_owned),
                    similar_name: similar_name.map(str::to_owned),
                    position: source.and_then(|source| source.position(field.path())),
                    message: field.to_string(),
                }
            })
            .collect()
    }

    /// Returns the field with a path without its first `step_count` steps.
    pub(crate) fn without_first_steps(mut self, step_count: usize) -> Self {
        self.path = self.path.steps().skip(step_count).collect();
        self
    }

    /// Returns the message of the API server.
    pub(crate) fn message(&self) -> &str {
        &self.message
    }

    pub(crate) const fn position(&self) -> Option<Position> {
        self.position
    }

    /// Returns the hint on a key without quotes, or the question "did you mean"; empty if no
    /// similar name exists.
    pub(crate) fn question(&self) -> String {
        if let Some(key) = &self.unquoted_key {
            return format!("; the key `{key}` without quotes is not a string; write {key:?}");
        }
        let similar_name = self.similar_name.as_ref();
        similar_name.map_or_else(String::new, |name| format!("; did you mean {name:?}?"))
    }

    /// Returns the line for users.
    pub(crate) fn line(&self, file: &str) -> String {
        let position = self.position.map_or_else(String::new, |position| {
            format!("{file}:{}:{}: ", position.line, position.column)
        });
        format!("{position}{}{}", self.message, self.question())
    }
}

/// The keyword that declares unions, which API servers do not know yet.
const UNIONS_KEYWORD: PathStep<'_> = PathStep::Field("x-kubernetes-unions");

/// Returns notes on the unknown fields of a CRD, such as misspelled keywords, except
/// `x-kubernetes-unions`. `source` is the start of each note.
pub(crate) fn notes_on_unknown_fields(
    review: Review<'_>,
    crd: &Value,
    source: &str,
) -> Vec<String> {
    let mut fields = review.unknown_fields(crd);
    fields.retain(|field| field.path().steps().next_back() != Some(UNIONS_KEYWORD));
    let replies = UnknownFieldReply::from_fields(&fields, None);
    replies
        .iter()
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
