//! The checks of the fields of CEL rules, except the expressions.

use super::errors::LintErrors;
use crate::schema::crd_path::CrdPath;
use crate::schema::{NodeId, Rule, StructuralSchema};
use union_runtime::path::FieldPath;
use union_runtime::{BadValue, ViolationKind};

/// The allowed values of `reason`.
const REASONS: [&str; 4] = [
    "FieldValueDuplicate",
    "FieldValueForbidden",
    "FieldValueInvalid",
    "FieldValueRequired",
];

/// Checks the rules of a compiled schema.
pub(super) fn check(schema: &StructuralSchema, path: &FieldPath, errors: &mut LintErrors) {
    if schema.node(StructuralSchema::ROOT).subtree.has_rules {
        check_node(schema, StructuralSchema::ROOT, &CrdPath::root(path), errors);
    }
}

fn check_node(schema: &StructuralSchema, id: NodeId, path: &CrdPath<'_>, errors: &mut LintErrors) {
    let node = schema.node(id);
    for (i, rule) in node.rules.iter().enumerate() {
        let path = path.index("x-kubernetes-validations", i);
        check_rule(rule, &path, errors);
        if !crate::rules::field_path::leads_to_field(schema, id, &rule.field_path) {
            let bad_value = BadValue::Quoted(rule.field_path.to_string());
            let path = path.field("fieldPath");
            let detail = "must be a valid path";
            errors.push(path.violation(ViolationKind::Invalid, bad_value, detail));
        }
    }
    schema.for_each_child(id, path, &mut |id, path| {
        if schema.node(id).subtree.has_rules {
            check_node(schema, id, path, errors);
        }
    });
}

fn check_rule(rule: &Rule, path: &CrdPath<'_>, errors: &mut LintErrors) {
    if rule.rule.trim().is_empty() {
        errors.push(path.field("rule").required("rule is not specified"));
    }
    let message_path = path.field("message");
    let bad_message = || BadValue::Quoted(rule.message.to_string());
    let message_error =
        |detail: &str| message_path.violation(ViolationKind::Invalid, bad_message(), detail);
    if !rule.message.is_empty() && rule.message.trim().is_empty() {
        errors.push(message_error("must be non-empty if specified"));
    } else if rule.message.trim().contains('\n') {
        errors.push(message_error("must not contain line breaks"));
    } else if rule.rule.trim().contains('\n') && rule.message.trim().is_empty() {
        let detail = "message must be specified if rule contains line breaks";
        errors.push(message_path.required(detail));
    }
    if !rule.message_expression.is_empty() && rule.message_expression.trim().is_empty() {
        let detail = "messageExpression must be non-empty if specified";
        errors.push(path.field("messageExpression").required(detail));
    }
    if !rule.field_path.is_empty() && rule.field_path.trim().is_empty() {
        let bad_value = BadValue::Quoted(rule.field_path.to_string());
        let detail = "must be non-empty if specified";
        errors.push(
            path.field("fieldPath")
                .violation(ViolationKind::Invalid, bad_value, detail),
        );
    }
    if let Some(reason) = &rule.reason
        && !REASONS.contains(&&**reason)
    {
        errors.push(path.field("reason").not_supported(reason, &REASONS));
    }
}
