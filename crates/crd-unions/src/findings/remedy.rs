//! Remedies of findings: rules and keywords that the user can paste.

use k8s_json_internals::cel_literal::string_literal;
use k8s_json_internals::cel_name::escape_identifier;
use serde_json::{Value, json};

use crate::terms::fields::{Field, FieldState, FieldType};

/// Returns the name by which CEL selects a field.
pub(crate) fn cel_name(name: &str) -> String {
    escape_identifier(name).unwrap_or_else(|| name.to_owned())
}

/// Returns names in backticks, separated by commas.
pub(crate) fn quoted_names(names: &[&str]) -> String {
    let names = names.iter().map(|name| format!("`{name}`"));
    names.collect::<Vec<_>>().join(", ")
}

/// Returns the rule that fields exclude each other, in the form that union-derive generates. With a
/// `center`, only this field excludes each of the others. If CEL cannot name a field, the rule is
/// the keyword `allOf`.
pub(crate) fn exclusion_rule(names: &[&str], center: Option<&str>, is_exactly: bool) -> String {
    if names.iter().any(|name| escape_identifier(name).is_none()) {
        let mut branches = Vec::new();
        for (position, first) in names.iter().enumerate() {
            for second in names.iter().skip(position + 1) {
                if center.is_none_or(|center| center == *first || center == *second) {
                    branches.push(json!({"not": {"required": [first, second]}}));
                }
            }
        }
        return format!("\"allOf\": {}", Value::from(branches));
    }
    let is_set = |name: &str| format!("has(self.{})", cel_name(name));
    if let Some(center) = center {
        let others = names.iter().filter(|name| **name != center);
        let others: Vec<String> = others.map(|name| format!("!{}", is_set(name))).collect();
        return format!("!{} || {}", is_set(center), others.join(" && "));
    }
    if let [first, second] = names {
        let [first, second] = [first, second].map(|name| is_set(name));
        return if is_exactly {
            format!("{first} != {second}")
        } else {
            format!("!{first} || !{second}")
        };
    }
    let terms = names
        .iter()
        .map(|name| format!("({} ? 1 : 0)", is_set(name)));
    let operator = if is_exactly { "==" } else { "<=" };
    format!("{} {operator} 1", terms.collect::<Vec<_>>().join(" + "))
}

/// Returns the CEL rule of a member, in the form that union-derive generates.
pub(crate) fn member_rule(
    discriminator: &Field<'_>,
    value: &str,
    member: &str,
    optional: bool,
) -> String {
    let discriminator_path: Vec<String> = discriminator
        .path
        .iter()
        .map(|name| cel_name(name))
        .collect();
    let discriminator_path = discriminator_path.join(".");
    let member_name = cel_name(member);
    let condition_if_selected = if optional {
        "true".to_owned()
    } else {
        format!("has(self.{member_name})")
    };
    let guard = if discriminator.is_optional() {
        format!("has(self.{discriminator_path}) && ")
    } else {
        String::new()
    };
    format!(
        "{guard}self.{discriminator_path} == {} ? {condition_if_selected} : !has(self.{member_name})",
        string_literal(value)
    )
}

/// Returns an `enum` keyword for a discriminator without an enum, with the values that the rules
/// name.
pub(crate) fn enum_keyword(discriminator: &Field<'_>) -> String {
    let values = discriminator.states.iter().filter_map(|state| match state {
        FieldState::String(value) if !value.is_empty() => {
            Some(Value::from(value.as_str()).to_string())
        }
        _ => None,
    });
    let values: Vec<String> = values.collect();
    format!("\"enum\": [{}]", values.join(", "))
}

/// Rewrites a rule so that it does not fail if the fields are absent: `orValue` supplies a default
/// if the type of a field has one, and `!has(..) ||` guards the rule otherwise.
pub(crate) fn guard_reads(rule: &str, fields: &[&Field<'_>]) -> String {
    let mut rule = rule.to_owned();
    let mut guards = String::new();
    for field in fields {
        let names: Vec<String> = field.path.iter().map(|name| cel_name(name)).collect();
        let path = format!("self.{}", names.join("."));
        let default = match field.value_type {
            FieldType::String => "''",
            FieldType::Bool => "false",
            FieldType::Int => "0",
            FieldType::List => "[]",
            FieldType::Map | FieldType::Object | FieldType::Other => {
                guards.extend(["!has(", &path, ") || "]);
                continue;
            }
        };
        rule = replace_reads(
            &rule,
            &path,
            &format!("self.?{}.orValue({default})", names.join(".")),
        );
    }
    if guards.is_empty() {
        rule
    } else {
        format!("{guards}({rule})")
    }
}

/// Replaces a path where the rule reads its value: not in `has(..)`, and not in a longer path.
fn replace_reads(rule: &str, path: &str, replacement: &str) -> String {
    let mut output = String::with_capacity(rule.len());
    let mut remaining_rule = rule;
    while let Some((before_path, after_path)) = remaining_rule.split_once(path) {
        output.push_str(before_path);
        let is_name = |c: char| c.is_alphanumeric() || c == '_';
        let is_whole_path =
            !after_path.starts_with(is_name) && !output.ends_with(|c: char| is_name(c) || c == '.');
        let is_in_has = output.trim_end().ends_with("has(");
        output.push_str(if is_whole_path && !is_in_has {
            replacement
        } else {
            path
        });
        remaining_rule = after_path;
    }
    output.push_str(remaining_rule);
    output
}
