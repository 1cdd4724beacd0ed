//! The requests of `unionctl patch`, and their replies.

use k8s_strategic_merge_patch::{
    Conflict, DiffError, OnConflict, PatchSchema, PatchWarning, Precondition, ThreeWayOptions,
    check_preconditions,
};
use serde::Serialize;
use serde_json::Value;
use union_runtime::path::FieldPath;

use super::unchanged_fields::UnchangedFields;

/// A request for a patch, or for a patched or sorted object.
pub(super) enum PatchRequest {
    Diff {
        original: Value,
        modified: Value,
    },
    Apply {
        original: Value,
        patch: Value,
    },
    ThreeWay {
        original: Value,
        modified: Value,
        current: Value,
        on_conflict: OnConflict,
    },
    Compose {
        patches: Vec<Value>,
    },
    Sort {
        original: Value,
    },
}

/// The reply to a request, in the form of the JSON output.
#[derive(Serialize)]
#[serde(untagged)]
pub(super) enum PatchReply {
    Patch {
        patch: Value,
        #[serde(skip_serializing_if = "Vec::is_empty")]
        warnings: Vec<PatchWarning>,
    },
    Result {
        /// The object, with the patch applied or with its lists sorted.
        result: Value,
    },
    Error {
        error: PatchErrorReply,
    },
}

/// An error, in place of a patch or a result.
#[derive(Serialize)]
pub(super) struct PatchErrorReply {
    kind: &'static str,
    message: String,
    path: FieldPath,
    /// The fields that both the patch and another user changed, with both values.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    conflicts: Vec<ConflictEntry>,
    #[serde(skip)]
    lines: Vec<(String, String)>,
}

#[derive(Serialize)]
struct ConflictEntry {
    path: FieldPath,
    #[serde(rename = "patch")]
    patch_value: Value,
    #[serde(rename = "changed")]
    live_value: Value,
}

impl PatchRequest {
    /// Returns the object before the patch, and the object that the author wants, or the patch.
    pub(super) fn live_and_author(&self) -> Option<(Value, Value)> {
        let (live, author) = match self {
            Self::Diff { original, modified } => (original, modified),
            Self::Apply { original, patch } => (original, patch),
            Self::ThreeWay {
                modified, current, ..
            } => (current, modified),
            Self::Compose { .. } | Self::Sort { .. } => return None,
        };
        Some((live.clone(), author.clone()))
    }

    /// Returns the reply to the request. A new patch that changes one of `unchanged_fields` is an
    /// error.
    pub(super) fn reply(self, schema: &PatchSchema, unchanged_fields: &[String]) -> PatchReply {
        let unchanged = UnchangedFields::new(unchanged_fields);
        let has_deep_field = unchanged.has_deep_field();
        let live = has_deep_field.then(|| self.live_and_author()).flatten();
        let reply = self.reply_with_preconditions(schema, &unchanged);
        let error = live.and_then(|(live, _)| {
            let patched = reply.patched_object(schema, &live)?;
            let (path, message) = unchanged.deep_error(&live, &patched)?;
            // An error of kubectl's preconditions has the same kind.
            Some(PatchErrorReply::new("PreconditionFailed", path, message))
        });
        error.map_or(reply, |error| PatchReply::Error { error })
    }

    fn reply_with_preconditions(
        self,
        schema: &PatchSchema,
        unchanged: &UnchangedFields<'_>,
    ) -> PatchReply {
        let preconditions = unchanged.preconditions();
        let preconditions: Vec<Precondition<'_>> =
            preconditions.iter().map(|is_met| &**is_met).collect();
        let reply = match self {
            Self::Diff { original, modified } => schema
                .diff(&original, &modified)
                .map_err(DiffError::from)
                .and_then(|patch| {
                    check_preconditions(&patch, &preconditions)?;
                    let (patch, warnings) = patch.into_parts();
                    Ok(PatchReply::Patch { patch, warnings })
                }),
            Self::Apply { original, patch } => schema
                .apply(original, &patch)
                .map(|result| PatchReply::Result { result })
                .map_err(DiffError::from),
            Self::ThreeWay {
                original,
                modified,
                current,
                on_conflict,
            } => {
                let options = ThreeWayOptions::new(on_conflict).preconditions(&preconditions);
                let patch = schema.three_way(&original, &modified, &current, options);
                patch.map(|patch| {
                    let (patch, warnings) = patch.into_parts();
                    PatchReply::Patch { patch, warnings }
                })
            }
            Self::Compose { patches } => schema
                .compose(&patches)
                .map(|patch| PatchReply::Patch {
                    patch,
                    warnings: Vec::new(),
                })
                .map_err(DiffError::from),
            Self::Sort { original } => schema
                .sort_merge_lists(original)
                .map(|result| PatchReply::Result { result })
                .map_err(DiffError::from),
        };
        reply.unwrap_or_else(|error| PatchReply::Error {
            error: PatchErrorReply::from_error(&error, unchanged),
        })
    }
}

impl PatchReply {
    /// Returns the object after the patch. `live` is the object before the patch.
    pub(super) fn patched_object(&self, schema: &PatchSchema, live: &Value) -> Option<Value> {
        match self {
            Self::Patch { patch, .. } => schema.apply(live.clone(), patch).ok(),
            Self::Result { result } => Some(result.clone()),
            Self::Error { .. } => None,
        }
    }
}

impl PatchErrorReply {
    /// Creates the reply for an error with one message.
    pub(super) fn new(kind: &'static str, path: FieldPath, message: String) -> Self {
        Self {
            kind,
            lines: vec![(path.to_string(), message.clone())],
            message,
            path,
            conflicts: Vec::new(),
        }
    }

    /// Creates the reply for an error. `unchanged` names the field of a precondition.
    fn from_error(error: &DiffError, unchanged: &UnchangedFields<'_>) -> Self {
        let conflicts: Vec<&Conflict> = match error {
            DiffError::Conflict(conflicts) => conflicts.iter().collect(),
            _ => Vec::new(),
        };
        Self {
            kind: error.kind(),
            message: error.message(),
            path: error.path(),
            conflicts: conflicts
                .into_iter()
                .map(ConflictEntry::from_conflict)
                .collect(),
            lines: error_lines(error, unchanged),
        }
    }

    /// Returns the messages for users, each with its path.
    pub(super) fn lines(&self) -> &[(String, String)] {
        &self.lines
    }
}

impl ConflictEntry {
    fn from_conflict(conflict: &Conflict) -> Self {
        Self {
            path: conflict.path().clone(),
            patch_value: conflict.patch().clone(),
            live_value: conflict.live().clone(),
        }
    }
}

fn error_lines(error: &DiffError, unchanged: &UnchangedFields<'_>) -> Vec<(String, String)> {
    match error {
        DiffError::Conflict(conflicts) => {
            let error_line = |conflict: &Conflict| {
                let (patch_value, live_value) = (conflict.patch(), conflict.live());
                let message = format!(
                    "the patch sets {patch_value}, but the live object was changed to {live_value}; use that value, or remove --refuse-conflicts"
                );
                (conflict.path().to_string(), message)
            };
            conflicts.iter().map(error_line).collect()
        }
        DiffError::Precondition(error) => {
            let field = unchanged.failed_field().unwrap_or_default();
            let message = format!("{error}; the patch must not change {field} (--unchanged)");
            vec![("the patch".to_owned(), message)]
        }
        DiffError::Invalid(error) => {
            let path = match error.path() {
                path if path.is_root() => "the document",
                path => path.as_str(),
            };
            let (message, remedy) = (error.message().trim_end(), error.kind().remedy());
            vec![(path.to_owned(), format!("{message}; {remedy}"))]
        }
        error => vec![(error.path().to_string(), error.message())],
    }
}
