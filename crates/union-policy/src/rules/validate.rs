//! Validation in CEL: the violations of one union, as union-runtime reports them, each as a message
//! with its path. Violations that the old object has for the same reason are left out, as in
//! `rules/validation_visitor.rs` of union-runtime.
//!
//! The schema checks the value of the discriminator, because an API server validates an object
//! before it evaluates a policy. The server tolerates an unsupported value that is unchanged, so a
//! policy rejects the value if a member was added.

use k8s_json_internals::cel_literal::string_literal;
use k8s_json_internals::quote::quote_list;
use union_runtime::{DiscriminatorSpec, UnionModel};

use crate::location::navigation::{CelConcat, CelScope};
use crate::location::state::{
    discriminator_value, known_value_condition, member_names, member_set_condition,
};
use crate::location::union_location::UnionLocation;

/// Returns a CEL expression for the list of violations.
pub(crate) fn violations(location: &UnionLocation<'_>, scope: &CelScope) -> String {
    let union = location.union;
    let spec = union.spec();
    let Some(discriminator) = spec.discriminator() else {
        return format!(
            "[{}].map(same, {})[0]",
            scope.update_condition(),
            count_violations(location, scope)
        );
    };
    let (value, old_value) = (
        discriminator_value(union, &scope.new),
        discriminator_value(union, &scope.old),
    );
    let is_known = known_value_condition(union, "s");
    let is_supported = if discriminator.is_required() {
        is_known
    } else {
        format!("s == null || {is_known}")
    };
    let member_violations = member_violations(location, scope);
    let violations = match union.spec().model() {
        UnionModel::Discriminated => member_violations,
        _ => format!(
            "s == null ? {} : {member_violations}",
            count_violations(location, scope)
        ),
    };
    let unsupported_value_violation = unsupported_value_violation(location, discriminator, scope);
    format!(
        "[{value}].map(s, [{} && {old_value} == s].map(same, {is_supported} ? ({violations}) : {unsupported_value_violation})[0])[0]",
        scope.update_condition()
    )
}

/// Returns a CEL expression for the violation of an unchanged, unsupported value if a member was
/// added.
fn unsupported_value_violation(
    location: &UnionLocation<'_>,
    discriminator: &DiscriminatorSpec<'_>,
    scope: &CelScope,
) -> String {
    let path = if scope.path.is_empty() {
        CelConcat::default().with_literal(discriminator.name())
    } else {
        scope
            .path
            .with_literal(".")
            .with_literal(discriminator.name())
    };
    let supported_values = quote_list(discriminator.values().iter());
    let value_violation = path
        .with_literal(": Unsupported value: \"")
        .with_expression("s")
        .with_literal(&format!("\": supported values: {supported_values}"));
    let type_name = "(type(s) == bool ? 'boolean' : type(s) == int ? 'integer' : type(s) == double ? 'number' \
                     : type(s) == list ? 'array' : 'object')";
    let type_violation = path
        .with_literal(": Invalid value: \"")
        .with_expression(type_name)
        .with_literal("\": ")
        .with_expression(path.to_cel())
        .with_literal(" in body must be of type string");
    let is_added = format!(
        "{} && !({})",
        member_set_condition(location, &scope.new, "m"),
        member_set_condition(location, &scope.old, "m")
    );
    format!(
        "s != null && same && {}.exists(m, {is_added}) ? [type(s) == string ? {} : {}] : []",
        member_names(location.union),
        value_violation.to_cel(),
        type_violation.to_cel()
    )
}

/// Returns a CEL expression for the violations of set members that are not selected, and of
/// selected members that are unset. The CEL variable `same` is true if the discriminator did not
/// change.
fn member_violations(location: &UnionLocation<'_>, scope: &CelScope) -> String {
    let union = location.union;
    let spec = union.spec();
    let message_row = |name: &str, value: &str, message: String| {
        format!(
            "[{}, {}, {}]",
            string_literal(name),
            string_literal(value),
            string_literal(&message)
        )
    };
    let not_selected_rows = spec.members().map(|member| {
        message_row(
            member.name(),
            member.value(),
            union.message_not_selected(member),
        )
    });
    let (is_set, was_set) = (
        member_set_condition(location, &scope.new, "m[0]"),
        member_set_condition(location, &scope.old, "m[0]"),
    );
    let path = if scope.path.is_empty() {
        CelConcat::default().with_expression("m[0]")
    } else {
        scope.path.with_literal(".").with_expression("m[0]")
    };
    let violation = field_violation(&path, "m[2]");
    let not_selected_violations = format!(
        "[{}].filter(m, m[1] != s && {is_set} && !(same && {was_set})).map(m, {violation})",
        not_selected_rows.collect::<Vec<_>>().join(", ")
    );
    let required_members = spec.members().filter(|member| !member.is_optional());
    let unset_rows = required_members
        .map(|member| message_row(member.name(), member.value(), union.message_unset(member)));
    let unset_rows: Vec<String> = unset_rows.collect();
    if unset_rows.is_empty() || spec.model() != UnionModel::Discriminated {
        return not_selected_violations;
    }
    format!(
        "{not_selected_violations} + [{}].filter(m, m[1] == s && !({is_set}) && !(same && !({was_set}))).map(m, {violation})",
        unset_rows.join(", ")
    )
}

/// Returns a CEL expression for the violation that too many members or no members are set. The CEL
/// variable `same` is true if the discriminator did not change, or if the union has none.
fn count_violations(location: &UnionLocation<'_>, scope: &CelScope) -> String {
    let union = location.union;
    let set_members = |object: &str| {
        format!(
            "{}.filter(m, {})",
            member_names(union),
            member_set_condition(location, object, "m")
        )
    };
    let new_members = set_members(&scope.new);
    let old_members = set_members(&scope.old);
    // The path of the root object in Kubernetes' messages.
    let path = if scope.path.is_empty() {
        CelConcat::default().with_literal("<nil>: ")
    } else {
        scope.path.with_literal(": ")
    };
    let several_violation = path
        .with_literal("Invalid value: \"{")
        .with_expression("set.join(', ')")
        .with_literal(&format!("}}\": {}", union.message_several()))
        .to_cel();
    let is_several_new = format!(
        "set.size() > 1 && !(same && {old_members}.size() > 1 && set.all(m, {}))",
        member_set_condition(location, &scope.old, "m")
    );
    let several_violation = format!("{is_several_new} ? [{several_violation}] : []");
    let count_violation = if union.spec().model() == UnionModel::ExactlyOne {
        let none_violation = path
            .with_literal(&format!(
                "Invalid value: \"\": {}",
                union.message_none_set()
            ))
            .to_cel();
        format!(
            "set.size() == 0 ? (same && {old_members}.size() == 0 ? [] : [{none_violation}]) : {several_violation}"
        )
    } else {
        several_violation
    };
    format!("[{new_members}].map(set, {count_violation})[0]")
}

/// Returns a CEL expression for a violation at a field.
fn field_violation(path: &CelConcat, message: &str) -> String {
    path.with_literal(": Invalid value: \"\": ")
        .with_expression(message)
        .to_cel()
}
