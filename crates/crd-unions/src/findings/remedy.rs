//! Corrections for findings: rules and keywords to paste.

use k8s_json_internals::cel_literal::string_literal;
use k8s_json_internals::cel_name::escape_identifier;
use serde_json::Value;

use crate::terms::fields::{Field, FieldState, FieldType};

/// Returns a field name as CEL writes it.
pub(crate) fn cel_name(name: &str) -> String {
    escape_identifier(name).unwrap_or_else(|| name.to_owned())
}

/// Returns the rule of a member, as the derive writes it.
pub(crate) fn member_rule(
    discriminator: &Field<'_>,
    value: &str,
    member: &str,
    optional: bool,
) -> String {
    let d: Vec<String> = discriminator
        .path
        .iter()
        .map(|part| cel_name(part))
        .collect();
    let d = d.join(".");
    let m = cel_name(member);
    let wanted = if optional {
        "true".to_owned()
    } else {
        format!("has(self.{m})")
    };
    let guard = if discriminator.is_optional() {
        format!("has(self.{d}) && ")
    } else {
        String::new()
    };
    format!(
        "{guard}self.{d} == {} ? {wanted} : !has(self.{m})",
        string_literal(value)
    )
}

/// Returns an enum for a discriminator that allows any string.
pub(crate) fn enum_keyword(discriminator: &Field<'_>) -> String {
    let values = discriminator.states.iter().filter_map(|state| match state {
        FieldState::String(text) if !text.is_empty() => {
            Some(Value::from(text.as_str()).to_string())
        }
        _ => None,
    });
    let values: Vec<String> = values.collect();
    format!("\"enum\": [{}]", values.join(", "))
}

/// Rewrites a rule so that it does not fail if the fields are absent: `orValue` supplies a default
/// if the type of a field has one, and `!has(..) ||` guards the rule otherwise.
pub(crate) fn guard_reads(rule: &str, fields: &[&Field<'_>]) -> String {
    let mut text = rule.to_owned();
    let mut guards = String::new();
    for field in fields {
        let names: Vec<String> = field.path.iter().map(|part| cel_name(part)).collect();
        let way = format!("self.{}", names.join("."));
        let default = match field.value_type {
            FieldType::String => "''",
            FieldType::Bool => "false",
            FieldType::Int => "0",
            FieldType::List => "[]",
            FieldType::Map | FieldType::Object | FieldType::Other => {
                guards.extend(["!has(", &way, ") || "]);
                continue;
            }
        };
        text = replace_reads(
            &text,
            &way,
            &format!("self.?{}.orValue({default})", names.join(".")),
        );
    }
    if guards.is_empty() {
        text
    } else {
        format!("{guards}({text})")
    }
}

/// Replaces a path wherever the rule reads its value: not in `has(..)`, and not within a longer
/// name.
fn replace_reads(text: &str, way: &str, with: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some((before, after)) = rest.split_once(way) {
        out.push_str(before);
        let is_name = |c: char| c.is_alphanumeric() || c == '_';
        let is_whole =
            !after.starts_with(is_name) && !out.ends_with(|c: char| is_name(c) || c == '.');
        let is_test = out.trim_end().ends_with("has(");
        out.push_str(if is_whole && !is_test { with } else { way });
        rest = after;
    }
    out.push_str(rest);
    out
}
