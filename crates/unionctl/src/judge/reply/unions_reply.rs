//! Normalizes and validates the unions of an object. The reply has the form of the JSON output.

use crd_compat::sample::SampleError;
use k8s_crd_validation::is_rules_not_checked;
use serde::{Serialize, Serializer};
use serde_json::Value;
use union_json::Unions;
use union_runtime::path::FieldPath;
use union_runtime::{ChangeKind, Changes, Settings, Violation};

use crate::judge::hints::expressions::overload_hint;
use crate::output::print::CommandStatus;

#[derive(Debug, Serialize)]
pub(crate) struct UnionsReply {
    /// The normalized object. The object of a rejected request is also set.
    pub(crate) object: Value,
    pub(crate) changes: Vec<Change>,
    pub(crate) errors: Vec<FieldError>,
    /// The errors that ratcheting tolerates.
    pub(crate) ratcheted: Vec<FieldError>,
    /// Notes for the caller; omitted from the output if empty.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(crate) notes: Vec<String>,
}

#[derive(Debug, Serialize)]
pub(crate) struct Change {
    pub(crate) path: FieldPath,
    pub(crate) kind: &'static str,
}

#[derive(Clone, Debug, Serialize)]
pub(crate) struct FieldError {
    pub(crate) r#type: &'static str,
    #[serde(rename = "field", serialize_with = "serialize_path")]
    pub(crate) path: FieldPath,
    /// The whole message, with the path in front.
    #[serde(rename = "text")]
    message: String,
    /// The bad value, as the message prints it.
    #[serde(skip)]
    bad_value: Option<String>,
    /// The message without the path and the value.
    #[serde(skip)]
    rule: String,
    /// True if the error only states that other errors stop the evaluation of CEL rules.
    #[serde(skip)]
    is_rules_not_checked: bool,
    /// The keyword of the schema that reports the error, if the request records the keyword.
    #[serde(skip)]
    pub(crate) keyword: Option<&'static str>,
    /// Advice of this program, which is not part of the server's message.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(crate) hints: Vec<String>,
}

/// The start of the value in the error of an invalid CEL rule: the whole rule as JSON.
const RULE_AS_VALUE: &str = "{\"Rule\":";

/// Serializes a path as Kubernetes prints the field of an error.
fn serialize_path<S: Serializer>(path: &FieldPath, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(match path.as_str() {
        "" => "<nil>",
        path => path,
    })
}

impl FieldError {
    /// Returns the line for users: the whole message.
    pub(crate) fn line(&self) -> &str {
        &self.message
    }

    /// Returns the lines for users: the message, and the hints. The message of a CEL compiler has
    /// several lines; it then has the expression instead of the whole rule as JSON.
    pub(crate) fn lines(&self) -> Vec<String> {
        let mut message = self.message.clone();
        if self.is_compile_error()
            && let Some(value) = self.bad_value.as_deref()
            && value.starts_with(RULE_AS_VALUE)
        {
            message = message.replacen(&format!("{value}: "), "", 1);
        }
        let mut lines: Vec<String> = if self.is_compile_error() {
            let mut lines = message.split('\n');
            let first_line = lines.next().unwrap_or_default().to_owned();
            let other_lines = lines.map(|line| format!("  {line}"));
            std::iter::once(first_line).chain(other_lines).collect()
        } else {
            vec![message]
        };
        lines.extend(self.hints.iter().map(|hint| format!("  {hint}")));
        lines
    }

    /// Returns true if a CEL expression does not compile.
    pub(crate) fn is_compile_error(&self) -> bool {
        self.rule.contains("ERROR: <input>:")
    }

    /// Returns the message without the path and the value.
    pub(crate) fn rule(&self) -> &str {
        &self.rule
    }

    /// Returns the parts that identify an error in the replies to several requests. The whole
    /// message does not, because a request to `/status` prints another path.
    pub(crate) fn key(&self) -> (&FieldPath, &str, Option<&str>, &str) {
        (
            &self.path,
            self.r#type,
            self.bad_value.as_deref(),
            &self.rule,
        )
    }

    /// Returns true if the error only states that other errors stop the evaluation of CEL rules.
    pub(crate) fn is_rules_not_checked(&self) -> bool {
        self.is_rules_not_checked
    }
}

impl SampleError for FieldError {
    fn path(&self) -> &FieldPath {
        &self.path
    }

    fn is_rules_not_checked(&self) -> bool {
        self.is_rules_not_checked()
    }
}

impl UnionsReply {
    /// Normalizes and validates an object, as [`Unions::admit`] does.
    pub(crate) fn admit(
        unions: &Unions,
        mut object: Value,
        old_object: Option<&Value>,
        settings: Settings,
    ) -> Self {
        let report = unions.admit(&mut object, old_object, &settings);
        Self {
            object,
            changes: reply_changes(report.changes()),
            errors: field_errors(report.errors()),
            ratcheted: field_errors(report.tolerated()),
            notes: Vec::new(),
        }
    }

    /// Creates the reply for an object that was validated and not normalized.
    pub(crate) const fn unchanged(object: Value, errors: Vec<FieldError>) -> Self {
        Self {
            object,
            changes: Vec::new(),
            errors,
            ratcheted: Vec::new(),
            notes: Vec::new(),
        }
    }

    /// Returns true if normalization restored a member of the old object.
    pub(crate) fn has_restored_member(&self) -> bool {
        self.changes.iter().any(|change| change.kind == "restored")
    }

    pub(crate) fn command_status(&self) -> CommandStatus {
        if self.errors.is_empty() {
            CommandStatus::Success
        } else {
            CommandStatus::Rejected
        }
    }
}

impl Change {
    /// Returns the line for users.
    pub(crate) fn line(&self) -> String {
        format!("{}: {}", self.path, self.kind)
    }
}

/// Converts changes to the form of the JSON output.
pub(crate) fn reply_changes(changes: &Changes) -> Vec<Change> {
    let to_reply_change = |change: &union_runtime::Change| Change {
        path: change.path().clone(),
        kind: match change.kind() {
            ChangeKind::Cleared => "cleared",
            ChangeKind::Set => "set",
            ChangeKind::Restored => "restored",
            _ => "changed",
        },
    };
    changes.iter().map(to_reply_change).collect()
}

/// Converts violations to the form of the JSON output.
pub(crate) fn field_errors<'v>(
    violations: impl IntoIterator<Item = &'v Violation>,
) -> Vec<FieldError> {
    let to_field_error = |violation: &Violation| FieldError {
        r#type: violation.kind().reason(),
        path: violation.path().clone(),
        message: violation.to_string(),
        bad_value: violation.value().map(str::to_owned),
        rule: violation.rule().to_owned(),
        is_rules_not_checked: is_rules_not_checked(violation),
        keyword: None,
        hints: overload_hint(violation.detail()).into_iter().collect(),
    };
    violations.into_iter().map(to_field_error).collect()
}
