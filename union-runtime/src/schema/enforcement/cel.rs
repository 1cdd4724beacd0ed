//! CEL rules, by which an API server checks unions like this crate, without a webhook.
//!
//! There is one rule for each member, with a message expression if the rule can fail in two ways.
//! Two rules would double the estimated cost, whereas a message expression is estimated once
//! (`cost_report` has the figures).

use serde_json::Value;

use super::rule_input::{CelField, MemberRule, RuleInput};
use super::same_reason;
use crate::rules::validate::{needed_one_of, needed_when, only_one_of, only_when};
use crate::union_spec::UnionModel;
use k8s_json_internals::{cel_literal::string_literal, cel_name::field_path};

/// Returns the rules of a union, in the order of its members.
pub(super) fn rules(union: &RuleInput<'_>) -> Vec<Value> {
    let Some(discriminator) = union.discriminator() else {
        return one_of_rule(union, None).into_iter().collect();
    };
    let Some(discriminator) = union.field(discriminator) else {
        return Vec::new();
    };
    let is_discriminated = union.spec.is_selected_by_discriminator();
    let member_rules = union.members.iter().filter_map(|member| {
        let field = union.field(member.name())?;
        let rule = MemberRule {
            union,
            discriminator: &discriminator,
            member,
            field,
        };
        Some(if is_discriminated {
            rule.discriminated_rule()
        } else {
            rule.deduced_rule()
        })
    });
    let one_of_rule = (!is_discriminated).then(|| one_of_rule(union, Some(&discriminator)));
    member_rules.chain(one_of_rule.flatten()).collect()
}

// In the expressions, `d` is the name of the discriminator in CEL, and `v` is the value of the
// member, as a string literal of CEL.
impl MemberRule<'_> {
    /// Returns the rule of a member that must be set if and only if it is selected. An optional
    /// member may be unset when it is selected.
    fn discriminated_rule(&self) -> Value {
        let (is_set, d) = (self.field.is_set(), &self.discriminator.cel);
        let v = string_literal(self.member.value());
        let is_default = self.union.default_value == Some(self.member.value());
        let selected = if is_default {
            format!("!has(self.{d}) || self.{d} == {v}")
        } else {
            format!("has(self.{d}) && self.{d} == {v}")
        };
        if self.member.is_optional() {
            return self.rule(&format!("{selected} ? true : !{is_set}"));
        }
        let mut rule = self.rule(&format!("{selected} ? {is_set} : !{is_set}"));
        let (discriminator, value) = (self.discriminator.name, self.member.value());
        let needed = string_literal(&needed_when(discriminator, value).to_string());
        let only = string_literal(&only_when(discriminator, value).to_string());
        let message = format!("{is_set} ? {only} : {needed}");
        insert_string(&mut rule, "messageExpression", message);
        rule
    }

    /// Returns the rule of a member in a union whose discriminator follows the members: the member
    /// may be set unless the discriminator has the value of another member.
    fn deduced_rule(&self) -> Value {
        let (is_set, d) = (self.field.is_set(), &self.discriminator.cel);
        let v = string_literal(self.member.value());
        let or_empty = if self.union.allows_empty() {
            format!(" || self.{d} == ''")
        } else {
            String::new()
        };
        self.rule(&format!(
            "!{is_set} || !has(self.{d}) || self.{d} == {v}{or_empty}"
        ))
    }

    /// Returns the rule with this CEL expression.
    fn rule(&self, expression: &str) -> Value {
        let message = only_when(self.discriminator.name, self.member.value()).to_string();
        let condition = same_reason::member_condition(self);
        let mut rule = same_reason::rule(expression, &message, condition);
        insert_string(&mut rule, "fieldPath", field_path(self.field.name));
        rule
    }
}

fn insert_string(rule: &mut Value, key: &str, value: String) {
    if let Some(rule) = rule.as_object_mut() {
        rule.insert(key.to_owned(), value.into());
    }
}

/// Returns the rule of the struct for the number of set members. The rule applies if there is no
/// discriminator, or if the discriminator selects nothing.
///
/// Members that CEL cannot name are omitted. In this case the rule does not require a member,
/// because an omitted member may be set.
fn one_of_rule(union: &RuleInput<'_>, discriminator: Option<&CelField<'_>>) -> Option<Value> {
    let members: Vec<CelField<'_>> = union
        .member_names()
        .filter_map(|name| union.field(name))
        .collect();
    let is_exact = union.spec.model() == UnionModel::ExactlyOne;
    let needs_one = is_exact && members.len() == union.members.len();
    if members.is_empty() || members.len() == 1 && !needs_one {
        return None;
    }
    let members_set: Vec<String> = members.iter().map(CelField::is_set).collect();
    let operator = if needs_one { "==" } else { "<=" };
    let terms = members_set.iter();
    let terms: Vec<String> = terms.map(|set| format!("({set} ? 1 : 0)")).collect();
    let count = format!("{} {operator} 1", terms.join(" + "));
    let rule = match discriminator.map(|field| &field.cel) {
        None => count,
        Some(d) if union.allows_empty() => {
            format!("has(self.{d}) && self.{d} != '' || {count}")
        }
        Some(d) => format!("has(self.{d}) || {count}"),
    };
    let only = only_one_of(is_exact, union.member_names());
    let condition = same_reason::count_condition(union, discriminator, &members, needs_one);
    let mut rule = same_reason::rule(&rule, &only, condition);
    if needs_one {
        let needed = string_literal(&needed_one_of(union.member_names()));
        let only = string_literal(&only);
        let message = format!("{} ? {only} : {needed}", members_set.join(" || "));
        insert_string(&mut rule, "messageExpression", message);
    }
    Some(rule)
}
