//! The errors of violated rules.

use k8s_cel::{CelValue, EvalError};
use serde_json::Value;

use crate::schema::structural::compiled_rules::CompiledRule;
use crate::schema::{Node, Rule, SchemaType, print};
use crate::validate::errors::dotted_path::join_printed_paths;
use union_runtime::path::FieldPath;
use union_runtime::{BadValue, Violation, ViolationKind};

/// The maximum length of the result of a message expression, in bytes.
const LONGEST_MESSAGE: usize = 5 * 1024;

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

/// Returns the result of a message expression, or `None` if the plain message must be used.
pub(super) fn evaluated_message(result: &Result<CelValue<'_>, EvalError>) -> Option<String> {
    let text = result.as_ref().ok()?.as_str()?.trim();
    let is_usable = !text.is_empty() && text.len() <= LONGEST_MESSAGE && !text.contains('\n');
    is_usable.then(|| text.to_owned())
}

/// Returns an error that contains the type of the schema in place of the value.
pub(super) fn type_violation(node: &Node, path: FieldPath, detail: String) -> Violation {
    Violation::from_parts(ViolationKind::Invalid, path, type_of(node), detail)
}

/// Returns the name of the type, as the schema contains the name.
fn type_of(node: &Node) -> BadValue {
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

/// Returns the error of a rule that is violated.
pub(super) fn violation(
    rule: &Rule,
    compiled: &CompiledRule,
    node: &Node,
    value: &Value,
    path: &FieldPath,
    detail: String,
    shows_values: bool,
) -> Violation {
    let path = self::violation_path(compiled, path);
    let found = if !shows_values {
        type_of(node)
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
            Violation::from_parts(ViolationKind::Duplicate, path, found, String::new())
        }
        _ => Violation::from_parts(ViolationKind::Invalid, path, found, detail),
    }
}
