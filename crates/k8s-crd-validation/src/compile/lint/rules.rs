//! The checks of the fields of CEL rules, except the expressions.

use serde_json::Value;

use super::errors::LintErrors;
use crate::rules::field_path::{self, StepSyntax};
use crate::schema::Rule;
use crate::schema::crd_path::CrdPath;
use union_runtime::{BadValue, ViolationKind};

/// The allowed values of `reason`.
const REASONS: [&str; 4] = [
    "FieldValueDuplicate",
    "FieldValueForbidden",
    "FieldValueInvalid",
    "FieldValueRequired",
];

/// Checks the rules of one schema. `field_schema` is the schema in which the `fieldPath` of a rule
/// must lead to a field, or `None` if a server accepts any path.
pub(super) fn check(
    rules: &[Value],
    field_schema: Option<&Value>,
    path: &CrdPath<'_>,
    errors: &mut LintErrors,
) {
    for (i, rule) in rules.iter().enumerate() {
        let path = path.index("x-kubernetes-validations", i);
        match Rule::decode(rule) {
            Ok(rule) => check_rule(&rule, field_schema, &path, errors),
            Err(error) => errors.push_not_decodable(path.type_error(&error)),
        }
    }
}

fn check_rule(
    rule: &Rule,
    field_schema: Option<&Value>,
    path: &CrdPath<'_>,
    errors: &mut LintErrors,
) {
    check_message(rule, path, errors);
    if !rule.message_expression.is_empty() && rule.message_expression.trim().is_empty() {
        let detail = "messageExpression must be non-empty if specified";
        errors.push(path.field("messageExpression").required(detail));
    }
    if let Some(reason) = &rule.reason
        && !REASONS.contains(&&**reason)
    {
        errors.push(path.field("reason").not_supported(reason, &REASONS));
    }
    let field_path = &*rule.field_path;
    let is_valid = field_schema.is_none_or(|schema| {
        field_path::resolve(schema, field_path, StepSyntax::NamesAndKeys).is_ok()
    });
    for (is_violated, detail) in [
        (
            !field_path.is_empty() && field_path.trim().is_empty(),
            "must be non-empty if specified",
        ),
        (has_line_break(field_path), "must not contain line breaks"),
        (!is_valid, "must be a valid path"),
    ] {
        if is_violated {
            let bad_value = BadValue::Quoted(field_path.to_owned());
            let path = path.field("fieldPath");
            errors.push(path.violation(ViolationKind::Invalid, bad_value, detail));
        }
    }
}

/// Checks that the rule is not empty, and that its message is one line. Like a server, reports only
/// the first error.
fn check_message(rule: &Rule, path: &CrdPath<'_>, errors: &mut LintErrors) {
    let trimmed_rule = rule.rule.trim();
    let trimmed_message = rule.message.trim();
    let message_path = path.field("message");
    let invalid = |detail: &str| {
        let bad_value = BadValue::Quoted(rule.message.to_string());
        message_path.violation(ViolationKind::Invalid, bad_value, detail)
    };
    if trimmed_rule.is_empty() {
        errors.push(path.field("rule").required("rule is not specified"));
    } else if !rule.message.is_empty() && trimmed_message.is_empty() {
        errors.push(invalid("must be non-empty if specified"));
    } else if has_line_break(trimmed_message) {
        errors.push(invalid("must not contain line breaks"));
    } else if has_line_break(trimmed_rule) && trimmed_message.is_empty() {
        let detail = "message must be specified if rule contains line breaks";
        errors.push(message_path.required(detail));
    }
}

fn has_line_break(string: &str) -> bool {
    string.contains(['\n', '\r'])
}
