//! Corrections for findings: rules and keywords to paste.

use k8s_json_internals::cel_name::escape;
use k8s_json_internals::cel_text::literal;
use serde_json::Value;

use crate::terms::fields::{Field, Kind, State};

/// Returns a field name as CEL writes it.
pub(crate) fn name(name: &str) -> String {
    escape(name).unwrap_or_else(|| name.to_owned())
}

/// Returns the rule of a member, as the derive writes it.
pub(crate) fn member_rule(
    discriminator: &Field<'_>,
    value: &str,
    member: &str,
    optional: bool,
) -> String {
    let d: Vec<String> = discriminator.path.iter().map(|part| name(part)).collect();
    let d = d.join(".");
    let m = name(member);
    let wanted = if optional {
        "true".to_owned()
    } else {
        format!("has(self.{m})")
    };
    let guard = if discriminator.may_be_left_out() {
        format!("has(self.{d}) && ")
    } else {
        String::new()
    };
    format!(
        "{guard}self.{d} == {} ? {wanted} : !has(self.{m})",
        literal(value)
    )
}

/// Returns an enum for a discriminator that allows any string.
pub(crate) fn enumerate(discriminator: &Field<'_>) -> String {
    let values = discriminator.states.iter().filter_map(|state| match state {
        State::Text(text) if !text.is_empty() => Some(Value::from(text.as_str()).to_string()),
        _ => None,
    });
    let values: Vec<String> = values.collect();
    format!("\"enum\": [{}]", values.join(", "))
}

/// Rewrites a rule so that it does not fail if the fields are absent: `orValue` supplies a default
/// if the type of a field has one, and `!has(..) ||` guards the rule otherwise.
pub(crate) fn guarded(rule: &str, fields: &[&Field<'_>]) -> String {
    let mut text = rule.to_owned();
    let mut guards = String::new();
    for field in fields {
        let names: Vec<String> = field.path.iter().map(|part| name(part)).collect();
        let way = format!("self.{}", names.join("."));
        let default = match field.kind {
            Kind::Text => "''",
            Kind::Bool => "false",
            Kind::Int => "0",
            Kind::List => "[]",
            Kind::Map | Kind::Object | Kind::Other => {
                guards.extend(["!has(", &way, ") || "]);
                continue;
            }
        };
        text = replaced(
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
fn replaced(text: &str, way: &str, with: &str) -> String {
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
