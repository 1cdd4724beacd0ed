//! Validation, in CEL: the violations of one union that `validate` of union-runtime reports, each
//! as a message with its path. Report that the old object has for the same reason are left
//! out, as in `rules/judge.rs` of union-runtime.
//!
//! The schema checks the value of the discriminator: an API server validates an object before it
//! asks a policy. The server tolerates an unsupported value that is unchanged, so a policy
//! rejects the value if a member was added.

use k8s_json_internals::cel_literal::string_literal;
use k8s_json_internals::quote::quote_list;
use union_json::UnionAtNode;
use union_runtime::{DiscriminatorSpec, UnionModel};

use crate::location::navigation::{CelConcat, CelScope};
use crate::location::state::{
    discriminator_value, known_value_condition, member_names, member_set_condition,
};

/// Returns a CEL expression for the list of violations.
pub(crate) fn violations(union: UnionAtNode<'_>, at: &CelScope) -> String {
    let spec = union.spec();
    let Some(discriminator) = spec.discriminator() else {
        return format!(
            "[{}].map(same, {})[0]",
            at.update_condition(),
            count_violations(union, at)
        );
    };
    let (said, was) = (
        discriminator_value(union, &at.new),
        discriminator_value(union, &at.old),
    );
    let is_known = known_value_condition(union, "s");
    let is_judged = if discriminator.is_required() {
        is_known
    } else {
        format!("s == null || {is_known}")
    };
    let of_members = of_members(union, at);
    let found = match union.spec().model() {
        UnionModel::Discriminated => of_members,
        _ => format!("s == null ? {} : {of_members}", count_violations(union, at)),
    };
    let unsupported = unsupported(union, discriminator, at);
    format!(
        "[{said}].map(s, [{} && {was} == s].map(same, {is_judged} ? ({found}) : {unsupported})[0])[0]",
        at.update_condition()
    )
}

/// Returns the violation of an unsupported value that is unchanged, beside a member that was added.
fn unsupported(
    union: UnionAtNode<'_>,
    discriminator: &DiscriminatorSpec<'_>,
    at: &CelScope,
) -> String {
    let path = if at.path.is_empty() {
        CelConcat::default().with_literal(discriminator.name())
    } else {
        at.path.with_literal(".").with_literal(discriminator.name())
    };
    let supported = quote_list(discriminator.values().iter());
    let value = path
        .with_literal(": Unsupported value: \"")
        .with_expression("s")
        .with_literal(&format!("\": supported values: {supported}"));
    let type_name = "(type(s) == bool ? 'boolean' : type(s) == int ? 'integer' : type(s) == double ? 'number' \
                     : type(s) == list ? 'array' : 'object')";
    let of_type = path
        .with_literal(": Invalid value: \"")
        .with_expression(type_name)
        .with_literal("\": ")
        .with_expression(path.to_cel())
        .with_literal(" in body must be of type string");
    let is_added = format!(
        "{} && !({})",
        member_set_condition(&at.new, "m"),
        member_set_condition(&at.old, "m")
    );
    format!(
        "s != null && same && {}.exists(m, {is_added}) ? [type(s) == string ? {} : {}] : []",
        member_names(union),
        value.to_cel(),
        of_type.to_cel()
    )
}

/// Returns a CEL expression for the violations of set members that are not selected, and of
/// selected members that are not set. `same` is true if the discriminator did not change.
fn of_members(union: UnionAtNode<'_>, at: &CelScope) -> String {
    let spec = union.spec();
    let row = |name: &str, value: &str, text: String| {
        format!(
            "[{}, {}, {}]",
            string_literal(name),
            string_literal(value),
            string_literal(&text)
        )
    };
    let only = spec.members().map(|member| {
        row(
            member.name(),
            member.value(),
            union.message_not_selected(member),
        )
    });
    let (now, before) = (
        member_set_condition(&at.new, "m[0]"),
        member_set_condition(&at.old, "m[0]"),
    );
    let said = if at.path.is_empty() {
        CelConcat::default().with_expression("m[0]")
    } else {
        at.path.with_literal(".").with_expression("m[0]")
    };
    let said = field_violation(&said, "m[2]");
    let only = format!(
        "[{}].filter(m, m[1] != s && {now} && !(same && {before})).map(m, {said})",
        only.collect::<Vec<_>>().join(", ")
    );
    let needed = spec.members().filter(|member| !member.is_optional());
    let needed =
        needed.map(|member| row(member.name(), member.value(), union.message_unset(member)));
    let needed: Vec<String> = needed.collect();
    if needed.is_empty() || spec.model() != UnionModel::Discriminated {
        return only;
    }
    format!(
        "{only} + [{}].filter(m, m[1] == s && !({now}) && !(same && !({before}))).map(m, {said})",
        needed.join(", ")
    )
}

/// Returns a CEL expression for the violations by the number of set members. `same` is true if the
/// discriminator did not change, or if the union does not have a discriminator.
fn count_violations(union: UnionAtNode<'_>, at: &CelScope) -> String {
    let set_of = |object: &str| {
        format!(
            "{}.filter(m, {})",
            member_names(union),
            member_set_condition(object, "m")
        )
    };
    let (set, was) = (set_of(&at.new), set_of(&at.old));
    // Kubernetes' path of the root object.
    let path = if at.path.is_empty() {
        CelConcat::default().with_literal("<nil>: ")
    } else {
        at.path.with_literal(": ")
    };
    let several = path
        .with_literal("Invalid value: \"{")
        .with_expression("set.join(', ')")
        .with_literal(&format!("}}\": {}", union.message_several()))
        .to_cel();
    let is_new = format!(
        "set.size() > 1 && !(same && {was}.size() > 1 && set.all(m, {}))",
        member_set_condition(&at.old, "m")
    );
    let several = format!("{is_new} ? [{several}] : []");
    let found = if union.spec().model() == UnionModel::ExactlyOne {
        let none = path
            .with_literal(&format!(
                "Invalid value: \"\": {}",
                union.message_none_set()
            ))
            .to_cel();
        format!("set.size() == 0 ? (same && {was}.size() == 0 ? [] : [{none}]) : {several}")
    } else {
        several
    };
    format!("[{set}].map(set, {found})[0]")
}

/// Returns a CEL expression for a violation at a field.
fn field_violation(path: &CelConcat, text: &str) -> String {
    path.with_literal(": Invalid value: \"\": ")
        .with_expression(text)
        .to_cel()
}
