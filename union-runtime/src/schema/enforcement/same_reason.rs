//! The part of a CEL rule that tolerates an error that the old object has for the same reason
//! (`Ratchet::SameReason`).
//!
//! The rule has `optionalOldSelf`, so that `oldSelf` is an optional value, which is empty on a
//! create. An API server does not ratchet such a rule, so the rule itself also tolerates unchanged
//! structs. The rules of other unions do not have this part.
//!
//! The rule reads the old object as a map. On an API server before 1.37, an optional object is the
//! stored JSON, in which names of fields are not escaped and null is a value. From 1.37 on, the
//! names are escaped, as in `self`. If both names differ, the rule tries both.

use serde_json::{Value, json};

use super::rule_input::{CelField, MemberRule, RuleInput};
use crate::union_spec::Enforcement;
use k8s_json_internals::cel_literal::string_literal;

/// The CEL condition that there is an old object. It precedes the other added conditions, so that
/// the result of a rule is unchanged if there is no old object.
const OLD: &str = "oldSelf.hasValue()";

/// Returns the condition that is added to the rule of a member: the discriminator is unchanged, and
/// the member is set in both objects or in neither. An API server tolerates an unchanged
/// unsupported value. The condition ensures that the rule rejects a member that is added to such an
/// object.
pub(super) fn member_condition(rule: &MemberRule<'_>) -> Option<String> {
    if rule.union.spec.enforcement() != Enforcement::CelSameReason {
        return None;
    }
    let selected = unchanged_value(rule.union, rule.discriminator);
    let (is_set, was_set) = (rule.field.is_set(), was_set(&rule.field));
    Some(format!("{selected} && {is_set} == ({was_set})"))
}

/// Returns the condition that is added to the rule for the number of members: several members were
/// set, and no member was added. If the union needs a member (`needs_one`) and no member is set,
/// the condition is that no member was set.
pub(super) fn count_condition(
    union: &RuleInput<'_>,
    discriminator: Option<&CelField<'_>>,
    members: &[CelField<'_>],
    needs_one: bool,
) -> Option<String> {
    if union.spec.enforcement() != Enforcement::CelSameReason {
        return None;
    }
    let join = |separator: &str, format: &dyn Fn(&CelField<'_>) -> String| {
        let conditions: Vec<String> = members.iter().map(format).collect();
        conditions.join(separator)
    };
    let none_added = join(" && ", &|member| {
        format!("(!{} || {})", member.is_set(), was_set(member))
    });
    let condition = if needs_one {
        let any = join(" || ", &|member| member.is_set());
        let any_before = join(" || ", &was_set);
        format!("({any} ? {none_added} : !({any_before}))")
    } else {
        none_added
    };
    Some(match discriminator {
        Some(discriminator) => format!("{} && {condition}", unchanged_value(union, discriminator)),
        None => condition,
    })
}

/// Returns a rule for a CRD, with the added condition, if there is a condition.
pub(super) fn rule(expression: &str, message: &str, condition: Option<String>) -> Value {
    match condition {
        None => json!({ "rule": expression, "message": message, "reason": "FieldValueInvalid" }),
        Some(condition) => json!({
            "rule": format!("({expression}) || {OLD} && {condition}"),
            "message": message,
            "reason": "FieldValueInvalid",
            "optionalOldSelf": true,
        }),
    }
}

/// Returns the condition that the discriminator is unchanged. An absent discriminator equals `""`
/// if `""` is a value.
fn unchanged_value(union: &RuleInput<'_>, discriminator: &CelField<'_>) -> String {
    let (d, old) = (&discriminator.cel, old_field(discriminator));
    let is_unset = format!("{old}.orValue(null) == null");
    if union.allows_empty() {
        let is_unset = format!("{is_unset} || {old}.orValue('') == ''");
        format!("(has(self.{d}) && self.{d} != '' ? self.{d} == {old}.orValue('') : {is_unset})")
    } else {
        format!("(has(self.{d}) ? self.{d} == {old}.orValue('') : {is_unset})")
    }
}

/// Returns the condition that a field of the old object is set.
fn was_set(field: &CelField<'_>) -> String {
    format!("{}.orValue(null) != null", old_field(field))
}

/// Returns the value of a field in the old object, as an optional value of CEL.
fn old_field(field: &CelField<'_>) -> String {
    let by_name = format!("dyn(oldSelf)[?{}]", string_literal(field.name));
    if field.cel == field.name {
        return by_name;
    }
    let by_cel_name = string_literal(&field.cel);
    format!("dyn(oldSelf)[?{by_cel_name}].or({by_name})")
}
