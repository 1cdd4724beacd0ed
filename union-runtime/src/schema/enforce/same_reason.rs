//! The part of a CEL rule that tolerates what the old object has for the same reason
//! (`Ratchet::SameReason`).
//!
//! The rule has `optionalOldSelf`, so that `oldSelf` is an optional value, without one on a create.
//! A server forgives nothing that such a rule refuses, so the rule itself forgives unchanged
//! structs too. For unions whose rules do not forgive, nothing is added.
//!
//! The old object is asked by JSON names, as a map: seen on real servers, an optional object is
//! JSON as it is stored, in which fields have no escaped names and null is a value.

use serde_json::{Value, json};

use super::described::{Described, Field, MemberRule};
use crate::union_spec::Enforce;
use k8s_json_internals::cel_text::literal;

/// True in CEL if there is an old object. It is the first condition that a rule adds, so that the
/// rule without an old object is unchanged.
const OLD: &str = "oldSelf.hasValue()";

/// Returns what the rule of a member adds: the discriminator is unchanged, and the member is set in
/// both objects or in neither. A server tolerates an unsupported value that is unchanged, so the
/// rule also rejects a member that was added to it.
pub(super) fn of_member(rule: &MemberRule<'_>) -> Option<String> {
    if rule.union.spec.enforce() != Enforce::CelSameReason {
        return None;
    }
    let selected = same_value(rule.union, rule.discriminator);
    let (m, was_set) = (&rule.field.cel, was_set(rule.field.name));
    Some(format!("{selected} && has(self.{m}) == ({was_set})"))
}

/// Returns what the rule for the number of members adds: several were set, and no member was added;
/// or, if one `is_needed`, no member was set.
pub(super) fn of_count(
    union: &Described<'_>,
    discriminator: Option<&Field<'_>>,
    members: &[Field<'_>],
    is_needed: bool,
) -> Option<String> {
    if union.spec.enforce() != Enforce::CelSameReason {
        return None;
    }
    let joined = |separator: &str, one: &dyn Fn(&str, &str) -> String| {
        let members = members.iter();
        let all: Vec<String> = members
            .map(|member| one(member.name, &member.cel))
            .collect();
        all.join(separator)
    };
    let none_added = joined(" && ", &|name, m| {
        format!("(!has(self.{m}) || {})", was_set(name))
    });
    let same = if is_needed {
        let any = joined(" || ", &|_, m| format!("has(self.{m})"));
        let any_before = joined(" || ", &|name, _| was_set(name));
        format!("({any} ? {none_added} : !({any_before}))")
    } else {
        none_added
    };
    Some(match discriminator {
        Some(discriminator) => format!("{} && {same}", same_value(union, discriminator)),
        None => same,
    })
}

/// A rule as CRDs write it, with what it adds.
pub(super) fn rule(text: &str, message: &str, added: Option<String>) -> Value {
    match added {
        None => json!({ "rule": text, "message": message, "reason": "FieldValueInvalid" }),
        Some(same) => json!({
            "rule": format!("({text}) || {OLD} && {same}"),
            "message": message,
            "reason": "FieldValueInvalid",
            "optionalOldSelf": true,
        }),
    }
}

/// Returns the condition that the discriminator is unchanged. An absent discriminator stands for
/// `""`, if that is a value.
fn same_value(union: &Described<'_>, discriminator: &Field<'_>) -> String {
    let (d, old) = (&discriminator.cel, old_field(discriminator.name));
    let silent = format!("{old}.orValue(null) == null");
    if union.takes_empty() {
        let silent = format!("{silent} || {old}.orValue('') == ''");
        format!("(has(self.{d}) && self.{d} != '' ? self.{d} == {old}.orValue('') : {silent})")
    } else {
        format!("(has(self.{d}) ? self.{d} == {old}.orValue('') : {silent})")
    }
}

fn was_set(name: &str) -> String {
    format!("{}.orValue(null) != null", old_field(name))
}

/// Returns the value of a field in the old object, as an optional value of CEL.
fn old_field(name: &str) -> String {
    format!("dyn(oldSelf)[?{}]", literal(name))
}
