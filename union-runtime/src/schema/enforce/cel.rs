//! CEL rules that say on a plain API server what validation says here.
//!
//! One rule for each member, with an expression for its text where it can be wrong in two ways: two rules cost a server
//! twice as much wherever they may run, and the expression is priced once (`cost_report` has the figures).

use serde_json::Value;

use super::described::{Described, Discriminator, Member};
use super::same_reason;
use crate::rules::validate::{needed_one_of, needed_when, only_one_of, only_when};
use crate::spec::Arity;
use k8s_json_internals::cel_name::escape;
use k8s_json_internals::cel_text::literal;

/// The rules of a union, in the order of its members.
pub(super) fn rules(union: &Described) -> Vec<Value> {
    let Some(discriminator) = &union.discriminator else {
        return one_of_rule(union, None).into_iter().collect();
    };
    let Some(name) = escape(&discriminator.name) else {
        return Vec::new();
    };
    let members = union.members.iter();
    if union.arity == Arity::Selected {
        return members
            .filter_map(|member| selected_rule(union, (discriminator, &name), member))
            .collect();
    }
    members
        .filter_map(|member| followed_rule(union, (discriminator, &name), member))
        .chain(one_of_rule(union, Some((discriminator, &name))))
        .collect()
}

/// The rule for a member: it is set if and only if it is selected; an optional one may be unset when selected.
///
/// `None` where CEL cannot name a field.
fn selected_rule(union: &Described, of: (&Discriminator, &str), member: &Member) -> Option<Value> {
    let (discriminator, d) = of;
    let (m, v) = (escape(&member.name)?, literal(&member.value));
    let selected = if discriminator.absent.as_deref() == Some(&*member.value) {
        format!("!has(self.{d}) || self.{d} == {v}")
    } else {
        format!("has(self.{d}) && self.{d} == {v}")
    };
    let wanted = if member.optional {
        "true".to_owned()
    } else {
        format!("has(self.{m})")
    };
    let rule = format!("{selected} ? {wanted} : !has(self.{m})");
    let mut rule = member_rule(union, of, (member, &m), &rule);
    if !member.optional {
        let needed = literal(&needed_when(&discriminator.name, &member.value).to_string());
        let only = literal(&only_when(&discriminator.name, &member.value).to_string());
        put(
            &mut rule,
            "messageExpression",
            format!("has(self.{m}) ? {only} : {needed}"),
        );
    }
    Some(rule)
}

/// The rule for a member of a discriminator that follows: it is not set where the discriminator names something else.
///
/// `None` where CEL cannot name a field.
fn followed_rule(union: &Described, of: (&Discriminator, &str), member: &Member) -> Option<Value> {
    let (_, d) = of;
    let (m, v) = (escape(&member.name)?, literal(&member.value));
    let nothing = if union.takes_empty() {
        format!(" || self.{d} == ''")
    } else {
        String::new()
    };
    let rule = format!("!has(self.{m}) || !has(self.{d}) || self.{d} == {v}{nothing}");
    Some(member_rule(union, of, (member, &m), &rule))
}

fn put(rule: &mut Value, key: &str, value: String) {
    if let Some(rule) = rule.as_object_mut() {
        rule.insert(key.to_owned(), value.into());
    }
}

fn member_rule(
    union: &Described,
    of: (&Discriminator, &str),
    (member, m): (&Member, &str),
    rule: &str,
) -> Value {
    let message = only_when(&of.0.name, &member.value).to_string();
    let added = same_reason::of_member(union, of, (&member.name, m));
    let mut rule = same_reason::rule(rule, &message, added);
    put(&mut rule, "fieldPath", field_path(&member.name));
    rule
}

/// The rule for how many members are set, where the discriminator, if there is one, says nothing; on the struct.
///
/// Members that CEL cannot name are left out, and one of them may be the one that has to be set.
fn one_of_rule(union: &Described, discriminator: Option<(&Discriminator, &str)>) -> Option<Value> {
    let members = union.names().filter_map(|name| Some((name, escape(name)?)));
    let members: Vec<(&str, String)> = members.collect();
    let is_exact = union.arity == Arity::ExactlyOne;
    let needs_one = is_exact && members.len() == union.members.len();
    if members.is_empty() || members.len() == 1 && !needs_one {
        return None;
    }
    let set: Vec<String> = members
        .iter()
        .map(|(_, name)| format!("has(self.{name})"))
        .collect();
    let compared = if needs_one { "==" } else { "<=" };
    let count: Vec<String> = set.iter().map(|set| format!("({set} ? 1 : 0)")).collect();
    let count = format!("{} {compared} 1", count.join(" + "));
    let rule = match discriminator {
        None => count,
        Some((_, d)) if union.takes_empty() => {
            format!("has(self.{d}) && self.{d} != '' || {count}")
        }
        Some((_, d)) => format!("has(self.{d}) || {count}"),
    };
    let only = only_one_of(is_exact, union.names());
    let added = same_reason::of_count(union, discriminator, &members, needs_one);
    let mut rule = same_reason::rule(&rule, &only, added);
    if needs_one {
        let needed = literal(&needed_one_of(union.names()));
        let only = literal(&only);
        put(
            &mut rule,
            "messageExpression",
            format!("{} ? {only} : {needed}", set.join(" || ")),
        );
    }
    Some(rule)
}

/// The path of a field relative to its struct, as CRDs write it in `fieldPath`.
fn field_path(name: &str) -> String {
    if is_identifier(name) {
        format!(".{name}")
    } else {
        format!("['{name}']")
    }
}

fn is_identifier(name: &str) -> bool {
    name.bytes()
        .all(|byte| byte.is_ascii_alphanumeric() || byte == b'_')
        && !name.starts_with(|c: char| c.is_ascii_digit())
}
