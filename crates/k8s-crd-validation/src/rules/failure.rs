//! The errors of rules that fail.

use k8s_cel::{Answer, Fault};
use serde_json::Value;

use crate::schema::programs::Compiled;
use crate::schema::{Kind, Node, Rule, print};
use crate::validate::errors::dotted::below;
use union_runtime::path::FieldPath;
use union_runtime::{Found, Violation, ViolationKind};

/// The largest length of the result of a message expression, in bytes.
const LONGEST_MESSAGE: usize = 5 * 1024;

/// Returns the name of a rule in errors: its message, or its expression if it has no message.
pub(super) fn name(rule: &Rule) -> &str {
    if rule.message.is_empty() {
        rule.rule.trim()
    } else {
        rule.message.trim()
    }
}

/// Returns the message of a failed rule without a message expression.
pub(super) fn message(rule: &Rule) -> String {
    if rule.message.is_empty() {
        format!("failed rule: {}", name(rule))
    } else {
        name(rule).to_owned()
    }
}

/// Returns the result of a message expression, or `None` if the plain message must be used.
pub(super) fn evaluated(result: &Result<Answer<'_>, Fault>) -> Option<String> {
    let text = result.as_ref().ok()?.as_str()?.trim();
    let is_usable = !text.is_empty() && text.len() <= LONGEST_MESSAGE && !text.contains('\n');
    is_usable.then(|| text.to_owned())
}

/// Returns an error that contains the type of the schema in place of the value.
pub(super) fn about_type(node: &Node, path: FieldPath, detail: String) -> Violation {
    Violation::found(ViolationKind::Invalid, path, type_of(node), detail)
}

/// Returns the name of the schema's type as it is written.
fn type_of(node: &Node) -> Found {
    let name = match node.kind {
        Some(kind) => kind.name(),
        None => node.odd_kind.as_deref().unwrap_or_default(),
    };
    Found::Text(name.to_owned())
}

/// Returns the path of a value, followed by the `fieldPath` of the rule.
pub(super) fn path(compiled: &Compiled, path: &FieldPath) -> FieldPath {
    below(path, &compiled.field_path)
}

/// Returns the error of a rule that is violated.
pub(super) fn unmet(
    rule: &Rule,
    compiled: &Compiled,
    node: &Node,
    value: &Value,
    path: &FieldPath,
    detail: String,
    shows_values: bool,
) -> Violation {
    let path = self::path(compiled, path);
    let found = if !shows_values {
        type_of(node)
    } else if matches!(node.kind, Some(Kind::Object | Kind::Array)) {
        Found::Nothing
    } else {
        print::found(value)
    };
    match rule.reason.as_deref() {
        Some("FieldValueRequired") => {
            Violation::found(ViolationKind::Required, path, Found::Nothing, detail)
        }
        Some("FieldValueForbidden") => {
            Violation::found(ViolationKind::Forbidden, path, Found::Nothing, detail)
        }
        Some("FieldValueDuplicate") => {
            Violation::found(ViolationKind::Duplicate, path, found, String::new())
        }
        _ => Violation::found(ViolationKind::Invalid, path, found, detail),
    }
}
