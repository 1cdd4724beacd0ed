//! The errors of violated rules.

use k8s_cel::{CelValue, EvalError};
use serde_json::Value;

use crate::schema::structural::compiled_rules::CompiledRule;
use crate::schema::{Node, Rule, SchemaType, print};
use crate::validate::errors::dotted_path::join_printed_paths;
use union_runtime::path::FieldPath;
use union_runtime::{BadValue, Violation, ViolationKind};

/// The maximum length of the result of a message expression, in bytes, as in Kubernetes.
const MAX_MESSAGE_LENGTH: usize = 5 * 1024;

/// Returns the name of a rule in errors: its message, or its expression if it has no message.
pub(super) fn rule_name(rule: &Rule) -> &str {
    if rule.message.is_empty() {
        rule.rule.trim()
    } else {
        rule.message.trim()
    }
}

/// Returns the message of a failed rule without a message expression.
pub(super) fn rule_message(rule: &Rule) -> String {
    if rule.message.is_empty() {
        format!("failed rule: {}", rule_name(rule))
    } else {
        rule_name(rule).to_owned()
    }
}

/// Returns the result of a message expression, or `None` if the result is unusable: an error, an
/// empty string, a long string, or several lines. The message of the rule is then used instead.
pub(super) fn evaluated_message(result: &Result<CelValue<'_>, EvalError>) -> Option<String> {
    let message = result.as_ref().ok()?.as_str()?.trim();
    let is_usable =
        !message.is_empty() && message.len() <= MAX_MESSAGE_LENGTH && !message.contains('\n');
    is_usable.then(|| message.to_owned())
}

/// Returns an error that contains the type of the schema in place of the value.
pub(super) fn type_violation(node: &Node, path: FieldPath, detail: String) -> Violation {
    Violation::from_parts(ViolationKind::Invalid, path, schema_type_name(node), detail)
}

/// Returns the value of `type` in the schema.
fn schema_type_name(node: &Node) -> BadValue {
    let name = match node.schema_type {
        Some(kind) => kind.as_str(),
        None => node.unknown_type.as_deref().unwrap_or_default(),
    };
    BadValue::Quoted(name.to_owned())
}

/// Returns the path of a value, followed by the `fieldPath` of the rule.
pub(super) fn violation_path(compiled: &CompiledRule, path: &FieldPath) -> FieldPath {
    join_printed_paths(path, &compiled.field_path)
}

/// Returns the error of a violated rule. If `shows_values` is true, the error contains a scalar
/// value, as on newer servers. Otherwise the error contains the type of the schema.
pub(super) fn violation(
    rule: &Rule,
    node: &Node,
    value: &Value,
    path: FieldPath,
    detail: String,
    shows_values: bool,
) -> Violation {
    let bad_value = if !shows_values {
        schema_type_name(node)
    } else if matches!(
        node.schema_type,
        Some(SchemaType::Object | SchemaType::Array)
    ) {
        BadValue::Omitted
    } else {
        print::bad_value(value)
    };
    match rule.reason.as_deref() {
        Some("FieldValueRequired") => {
            Violation::from_parts(ViolationKind::Required, path, BadValue::Omitted, detail)
        }
        Some("FieldValueForbidden") => {
            Violation::from_parts(ViolationKind::Forbidden, path, BadValue::Omitted, detail)
        }
        Some("FieldValueDuplicate") => {
            Violation::from_parts(ViolationKind::Duplicate, path, bad_value, String::new())
        }
        _ => Violation::from_parts(ViolationKind::Invalid, path, bad_value, detail),
    }
}
