//! Keywords of a schema, and their form in kube's attributes.

use std::collections::BTreeSet;

use serde_json::{Value, json};

use crate::model::{Message, Rule};

/// Keywords that a field's type covers, if it consists of types of the module.
pub(super) const COVERED_BY_TYPE: [&str; 9] = [
    "additionalProperties",
    "description",
    "enum",
    "example",
    "externalDocs",
    "items",
    "title",
    "type",
    "x-kubernetes-validations",
];

/// Keywords that a struct's own attributes and fields cover.
pub(super) const COVERED_BY_STRUCT: [&str; 11] = [
    "additionalProperties",
    "default",
    "description",
    "example",
    "externalDocs",
    "nullable",
    "properties",
    "required",
    "title",
    "type",
    "x-kubernetes-validations",
];

/// Returns true if a flag of a schema is set.
pub(crate) fn is_true(schema: &Value, keyword: &str) -> bool {
    schema.get(keyword) == Some(&Value::Bool(true))
}

/// Returns the allowed values of a string, if the schema lists them.
pub(crate) fn string_enum_values(schema: &Value) -> Option<Vec<&str>> {
    if schema.get("type")? != "string" || is_true(schema, "x-kubernetes-int-or-string") {
        return None;
    }
    let mut seen = BTreeSet::new();
    let values = schema
        .get("enum")?
        .as_array()?
        .iter()
        .filter(|value| !value.is_null());
    let values: Option<Vec<&str>> = values.map(Value::as_str).collect();
    let values = values?
        .into_iter()
        .filter(|value| seen.insert(*value))
        .collect::<Vec<_>>();
    (!values.is_empty()).then_some(values)
}

/// Returns the integer type and the allowed values of an integer, if the schema lists them.
pub(crate) fn integer_enum_values(schema: &Value) -> Option<(&'static str, Vec<i64>)> {
    if schema.get("type")? != "integer" || is_true(schema, "x-kubernetes-int-or-string") {
        return None;
    }
    let values = schema.get("enum")?.as_array()?.iter();
    let values: Option<Vec<i64>> = values
        .filter(|value| !value.is_null())
        .map(Value::as_i64)
        .collect();
    let mut seen = BTreeSet::new();
    let mut values = values?;
    values.retain(|value| seen.insert(*value));
    let of = integer_type(schema);
    let fits = |value: &i64| of == "i64" || i32::try_from(*value).is_ok();
    (!values.is_empty() && values.iter().all(fits)).then_some((of, values))
}

/// Returns the Rust type of an integer.
pub(crate) fn integer_type(schema: &Value) -> &'static str {
    match schema.get("format").and_then(Value::as_str) {
        Some("int32") => "i32",
        _ => "i64",
    }
}

/// Returns true if a schema lists its values and becomes an enum.
pub(crate) fn has_enum_values(schema: &Value) -> bool {
    string_enum_values(schema).is_some() || integer_enum_values(schema).is_some()
}

/// Returns the rules of a schema; `None` if kube's `Rule` cannot express all of them, so that they
/// are kept as a keyword.
pub(crate) fn rules(schema: &Value) -> Option<Vec<Rule>> {
    let Some(rules) = schema.get("x-kubernetes-validations") else {
        return Some(Vec::new());
    };
    rules.as_array()?.iter().map(rule).collect()
}

fn rule(rule: &Value) -> Option<Rule> {
    let text = |name: &str| rule.get(name).and_then(Value::as_str).map(str::to_owned);
    let message = match (text("message"), text("messageExpression")) {
        (Some(_), Some(_)) => return None,
        (Some(message), None) => Some(Message::Literal(message)),
        (None, Some(expression)) => Some(Message::Expression(expression)),
        (None, None) => None,
    };
    let reason = text("reason");
    let known = [
        "FieldValueInvalid",
        "FieldValueForbidden",
        "FieldValueRequired",
        "FieldValueDuplicate",
    ];
    if reason
        .as_deref()
        .is_some_and(|reason| !known.contains(&reason))
    {
        return None;
    }
    Some(Rule {
        expression: text("rule")?,
        message,
        reason,
        field_path: text("fieldPath"),
        optional_old_self: rule.get("optionalOldSelf").and_then(Value::as_bool),
    })
}

/// Returns the keywords of a schema that is written as a whole, without the keywords that other
/// attributes express.
pub(crate) fn inline_schema_keywords(schema: &Value) -> Vec<(String, Value)> {
    let without = [
        "description",
        "example",
        "externalDocs",
        "title",
        "x-kubernetes-validations",
    ];
    let mut kept = keywords_without(schema, &without);
    for (name, value) in &mut kept {
        adapt_keyword(name, value);
    }
    if is_nullable_by_default(schema) {
        kept.push(("nullable".to_owned(), false.into()));
    }
    kept
}

/// Returns the keywords of a schema except `without`.
pub(crate) fn keywords_without(schema: &Value, without: &[&str]) -> Vec<(String, Value)> {
    let is_int_or_string = schema.get("x-kubernetes-int-or-string") == Some(&Value::Bool(true));
    let keywords = schema.as_object().into_iter().flatten();
    let mut kept = Vec::new();
    for (name, value) in keywords {
        let is_said = without.contains(&&**name);
        // Types that int-or-string implies are left out; kube's generator removes them.
        let is_implied =
            is_int_or_string && matches!(&**name, "anyOf" | "allOf") && is_integer_or_string(value);
        if is_said || is_implied {
            continue;
        }
        let mut value = value.clone();
        protect_from_kube(name, &mut value);
        kept.push((name.clone(), value));
    }
    kept
}

/// Returns true for `anyOf: [{type: integer}, {type: string}]`, also within `allOf`.
fn is_integer_or_string(value: &Value) -> bool {
    let text = value.to_string();
    text.contains(r#"{"type":"integer"}"#) && text.contains(r#"{"type":"string"}"#)
}

/// Changes a keyword to a form that kube's generator does not change. The generator moves
/// properties, enums and descriptions from the branches of `oneOf` and `anyOf` to the object
/// itself, but not from an equivalent `allOf` in such a branch.
fn protect_from_kube(name: &str, value: &mut Value) {
    match name {
        "oneOf" | "anyOf" => {
            for branch in value.as_array_mut().into_iter().flatten() {
                inner_kept_by_kube(branch);
                let moved = ["description", "enum", "properties"];
                if moved.iter().any(|keyword| branch.get(keyword).is_some()) {
                    *branch = json!({ "allOf": [branch.take()] });
                }
            }
        }
        "allOf" => value
            .as_array_mut()
            .into_iter()
            .flatten()
            .for_each(inner_kept_by_kube),
        "not" | "items" | "additionalProperties" => inner_kept_by_kube(value),
        "properties" => {
            let properties = value.as_object_mut().into_iter().flatten();
            properties.for_each(|(_, schema)| inner_kept_by_kube(schema));
        }
        _ => {}
    }
}

fn inner_kept_by_kube(schema: &mut Value) {
    for (name, value) in schema.as_object_mut().into_iter().flatten() {
        protect_from_kube(name, value);
    }
}

/// Returns true if kube's generator treats an optional int-or-string as nullable by default.
fn is_nullable_by_default(schema: &Value) -> bool {
    is_true(schema, "x-kubernetes-int-or-string") && schema.get("nullable").is_none()
}

/// Adapts a keyword of a schema that is written as JSON.
fn adapt_keyword(name: &str, value: &mut Value) {
    match name {
        "properties" => {
            let properties = value.as_object_mut().into_iter().flatten();
            properties.for_each(|(_, schema)| adapt_schema(schema));
        }
        "items" | "additionalProperties" => adapt_schema(value),
        _ => {}
    }
}

/// Adapts a schema that is written as JSON. Descriptions are removed, because types do not have a
/// place for them and API servers do not require them.
fn adapt_schema(schema: &mut Value) {
    let says_not = is_nullable_by_default(schema);
    let Some(keywords) = schema.as_object_mut() else {
        return;
    };
    keywords.retain(|name, value| name != "description" || !value.is_string());
    if says_not {
        keywords.insert("nullable".to_owned(), false.into());
    }
    for (name, value) in keywords {
        adapt_keyword(name, value);
    }
}
