//! Validation, in CEL: the violations of one union that `validate` of union-runtime reports, each
//! as a message with its path. Report that the old object has for the same reason are left
//! out, as in `rules/judge.rs` of union-runtime.
//!
//! The schema checks the value of the discriminator: an API server validates an object before it
//! asks a policy. The server tolerates an unsupported value that is unchanged, so a policy
//! rejects the value if a member was added.

use k8s_json_internals::cel_text::literal;
use k8s_json_internals::quote::quoted;
use union_json::PlacedUnion;
use union_runtime::{Arity, DiscriminatorSpec};

use crate::place::descend::{At, Joined};
use crate::place::state::{is_known, is_set, names, selected};

/// Returns a CEL expression for the list of violations.
pub(crate) fn violations(union: PlacedUnion<'_>, at: &At) -> String {
    let spec = union.spec();
    let Some(discriminator) = spec.discriminator() else {
        return format!("[{}].map(same, {})[0]", at.is_update(), of_count(union, at));
    };
    let (said, was) = (selected(union, &at.new), selected(union, &at.old));
    let is_known = is_known(union, "s");
    let is_judged = if discriminator.is_required() {
        is_known
    } else {
        format!("s == null || {is_known}")
    };
    let of_members = of_members(union, at);
    let found = match union.spec().arity() {
        Arity::Selected => of_members,
        _ => format!("s == null ? {} : {of_members}", of_count(union, at)),
    };
    let unsupported = unsupported(union, discriminator, at);
    format!(
        "[{said}].map(s, [{} && {was} == s].map(same, {is_judged} ? ({found}) : {unsupported})[0])[0]",
        at.is_update()
    )
}

/// Returns the violation of an unsupported value that is unchanged, beside a member that was added.
fn unsupported(union: PlacedUnion<'_>, discriminator: &DiscriminatorSpec<'_>, at: &At) -> String {
    let path = if at.path.is_empty() {
        Joined::default().and(discriminator.name())
    } else {
        at.path.and(".").and(discriminator.name())
    };
    let supported = quoted(discriminator.values().iter());
    let value = path
        .and(": Unsupported value: \"")
        .and_made("s")
        .and(&format!("\": supported values: {supported}"));
    let type_name = "(type(s) == bool ? 'boolean' : type(s) == int ? 'integer' : type(s) == double ? 'number' \
                     : type(s) == list ? 'array' : 'object')";
    let of_type = path
        .and(": Invalid value: \"")
        .and_made(type_name)
        .and("\": ")
        .and_made(path.cel())
        .and(" in body must be of type string");
    let is_added = format!("{} && !({})", is_set(&at.new, "m"), is_set(&at.old, "m"));
    format!(
        "s != null && same && {}.exists(m, {is_added}) ? [type(s) == string ? {} : {}] : []",
        names(union),
        value.cel(),
        of_type.cel()
    )
}

/// Returns a CEL expression for the violations of set members that are not selected, and of
/// selected members that are not set. `same` is true if the discriminator did not change.
fn of_members(union: PlacedUnion<'_>, at: &At) -> String {
    let spec = union.spec();
    let row = |name: &str, value: &str, text: String| {
        format!(
            "[{}, {}, {}]",
            literal(name),
            literal(value),
            literal(&text)
        )
    };
    let only = spec
        .members()
        .map(|member| row(member.name(), member.value(), union.not_selected(member)));
    let (now, before) = (is_set(&at.new, "m[0]"), is_set(&at.old, "m[0]"));
    let said = if at.path.is_empty() {
        Joined::default().and_made("m[0]")
    } else {
        at.path.and(".").and_made("m[0]")
    };
    let said = of_field(&said, "m[2]");
    let only = format!(
        "[{}].filter(m, m[1] != s && {now} && !(same && {before})).map(m, {said})",
        only.collect::<Vec<_>>().join(", ")
    );
    let needed = spec.members().filter(|member| !member.is_optional());
    let needed = needed.map(|member| row(member.name(), member.value(), union.unset(member)));
    let needed: Vec<String> = needed.collect();
    if needed.is_empty() || spec.arity() != Arity::Selected {
        return only;
    }
    format!(
        "{only} + [{}].filter(m, m[1] == s && !({now}) && !(same && !({before}))).map(m, {said})",
        needed.join(", ")
    )
}

/// Returns a CEL expression for the violations by the number of set members. `same` is true if the
/// discriminator did not change, or if the union does not have a discriminator.
fn of_count(union: PlacedUnion<'_>, at: &At) -> String {
    let set_of = |object: &str| format!("{}.filter(m, {})", names(union), is_set(object, "m"));
    let (set, was) = (set_of(&at.new), set_of(&at.old));
    // Kubernetes' path of the root object.
    let path = if at.path.is_empty() {
        Joined::default().and("<nil>: ")
    } else {
        at.path.and(": ")
    };
    let several = path
        .and("Invalid value: \"{")
        .and_made("set.join(', ')")
        .and(&format!("}}\": {}", union.several()))
        .cel();
    let is_new = format!(
        "set.size() > 1 && !(same && {was}.size() > 1 && set.all(m, {}))",
        is_set(&at.old, "m")
    );
    let several = format!("{is_new} ? [{several}] : []");
    let found = if union.spec().arity() == Arity::ExactlyOne {
        let none = path
            .and(&format!("Invalid value: \"\": {}", union.none_set()))
            .cel();
        format!("set.size() == 0 ? (same && {was}.size() == 0 ? [] : [{none}]) : {several}")
    } else {
        several
    };
    format!("[{set}].map(set, {found})[0]")
}

/// Returns a CEL expression for a violation at a field.
fn of_field(path: &Joined, text: &str) -> String {
    path.and(": Invalid value: \"\": ").and_made(text).cel()
}
