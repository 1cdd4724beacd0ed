//! CEL rules that say on a plain API server what validation says here (DESIGN 7).
//!
//! They are made from the extension, not from the struct, so that they can be made again where `flatten` dropped them.

use core::fmt::Write as _;

use schemars::Schema;
use serde_json::{Map, Value, json};

use super::extension::UNIONS;
use crate::cel_name::escape;
use crate::validate::{needed_when, only_when};

const RULES: &str = "x-kubernetes-validations";

/// Adds the CEL rules that the unions in the properties of a schema call for and that are not there yet.
///
/// It is a schemars transform, for a struct that flattens structs with unions: schemars keeps the struct-level rules of
/// the first flattened one only, and none where the parent has rules of its own. `add_unions` does the same.
///
/// ```
/// # use union_runtime::EnumType;
/// # use schemars::JsonSchema;
/// # use serde::{Deserialize, Serialize};
/// # #[derive(JsonSchema, Serialize)] struct Source {}
/// # #[derive(JsonSchema, Serialize)] struct Target {}
/// #[derive(JsonSchema, Serialize)]
/// #[schemars(transform = union_runtime::add_rules)]
/// struct Copy {
///     #[serde(flatten)]
///     source: Source,
///     #[serde(flatten)]
///     target: Target,
/// }
/// ```
pub fn add_rules(schema: &mut Schema) {
    let Some(Value::Object(properties)) = schema.get("properties") else {
        return;
    };
    let rules: Vec<Value> = properties
        .iter()
        .filter_map(|(name, property)| Some((name, property, property.get(UNIONS)?)))
        .flat_map(|(name, property, union)| union_rules(name, property, union))
        .collect();
    for rule in rules {
        add_rule(schema, rule);
    }
}

/// Adds the rules of one union, whose extension need not stand in the schema.
pub(super) fn add_rules_of(schema: &mut Schema, discriminator: &str, union: &Value) {
    let property = schema
        .get("properties")
        .and_then(|properties| properties.get(discriminator));
    let rules = property.map_or_else(Vec::new, |property| {
        union_rules(discriminator, property, union)
    });
    for rule in rules {
        add_rule(schema, rule);
    }
}

fn add_rule(schema: &mut Schema, rule: Value) {
    let rules = schema
        .ensure_object()
        .entry(RULES)
        .or_insert_with(|| json!([]));
    if let Value::Array(rules) = rules
        && !rules.iter().any(|there| there["rule"] == rule["rule"])
    {
        rules.push(rule);
    }
}

/// The rules of the union whose discriminator is this property and whose extension is `union`, in the order of its
/// values.
fn union_rules(discriminator: &str, property: &Value, union: &Value) -> Vec<Value> {
    let Some(Value::Object(members)) = union.get("fieldMembers") else {
        return Vec::new();
    };
    let absent = absent_value(property, members);
    let values = property["enum"].as_array().map_or(&[][..], Vec::as_slice);
    values
        .iter()
        .filter_map(Value::as_str)
        .filter_map(|value| {
            let member = members.get(value)?.as_object()?;
            let optional = member.get("optional") == Some(&Value::Bool(true));
            let name = member.get("name")?.as_str()?;
            let is_absent = absent == Some(value);
            member_rule(discriminator, value, is_absent, name, optional)
        })
        .collect()
}

/// The value that an absent discriminator stands for: the schema's default, or else `""` (DESIGN 5).
fn absent_value<'a>(property: &'a Value, members: &Map<String, Value>) -> Option<&'a str> {
    property
        .get("default")
        .and_then(Value::as_str)
        .or_else(|| members.contains_key("").then_some(""))
}

/// The rule for a member: it is set if and only if it is selected; an optional one may be unset when selected.
///
/// `None` where CEL cannot name a field.
fn member_rule(
    discriminator: &str,
    value: &str,
    is_absent: bool,
    member: &str,
    optional: bool,
) -> Option<Value> {
    let (d, m) = (escape(discriminator)?, escape(member)?);
    let v = literal(value);
    let selected = if is_absent {
        format!("!has(self.{d}) || self.{d} == {v}")
    } else {
        format!("has(self.{d}) && self.{d} == {v}")
    };
    let wanted = if optional {
        "true".to_owned()
    } else {
        format!("has(self.{m})")
    };
    let only = only_when(discriminator, value);
    let mut rule = json!({
        "rule": format!("{selected} ? {wanted} : !has(self.{m})"),
        "message": only,
        "reason": "FieldValueInvalid",
        "fieldPath": field_path(member),
    });
    if !optional {
        let needed = literal(&needed_when(discriminator, value));
        let only = literal(&only);
        rule["messageExpression"] = format!("has(self.{m}) ? {only} : {needed}").into();
    }
    Some(rule)
}

/// A CEL string literal.
fn literal(text: &str) -> String {
    let mut literal = String::from("'");
    for c in text.chars() {
        match c {
            '\\' | '\'' => {
                literal.push('\\');
                literal.push(c);
            }
            c if c.is_control() => {
                // Writing to a String cannot fail.
                let _ = write!(literal, "\\u{:04x}", u32::from(c));
            }
            c => literal.push(c),
        }
    }
    literal.push('\'');
    literal
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
