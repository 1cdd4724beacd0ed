//! The keywords of a schema, in the form of kube's attributes.

use std::collections::BTreeSet;

use serde_json::{Value, json};

use crate::model::{Message, Rule};

/// The keywords that a field's type expresses, if the type consists of generated types.
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

/// The keywords that a struct's attributes and fields express.
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

/// Returns true if a boolean keyword of a schema is true.
pub(crate) fn is_true(schema: &Value, keyword: &str) -> bool {
    schema.get(keyword) == Some(&Value::Bool(true))
}

/// Returns the allowed values of a string schema, if it lists them.
pub(crate) fn string_enum_values(schema: &Value) -> Option<Vec<&str>> {
    if schema.get("type")? != "string" || is_true(schema, "x-kubernetes-int-or-string") {
        return None;
    }
    let mut seen_values = BTreeSet::new();
    let values = schema
        .get("enum")?
        .as_array()?
        .iter()
        .filter(|value| !value.is_null());
    let values: Option<Vec<&str>> = values.map(Value::as_str).collect();
    let values = values?
        .into_iter()
        .filter(|value| seen_values.insert(*value))
        .collect::<Vec<_>>();
    (!values.is_empty()).then_some(values)
}

/// Returns the integer type and the allowed values of an integer schema, if it lists them.
pub(crate) fn integer_enum_values(schema: &Value) -> Option<(&'static str, Vec<i64>)> {
    if schema.get("type")? != "integer" || is_true(schema, "x-kubernetes-int-or-string") {
        return None;
    }
    let values = schema.get("enum")?.as_array()?.iter();
    let values: Option<Vec<i64>> = values
        .filter(|value| !value.is_null())
        .map(Value::as_i64)
        .collect();
    let mut seen_values = BTreeSet::new();
    let mut values = values?;
    values.retain(|value| seen_values.insert(*value));
    let integer_type = integer_type(schema);
    let is_in_range = |value: &i64| integer_type == "i64" || i32::try_from(*value).is_ok();
    (!values.is_empty() && values.iter().all(is_in_range)).then_some((integer_type, values))
}

/// Returns the Rust type of an integer schema.
pub(crate) fn integer_type(schema: &Value) -> &'static str {
    match schema.get("format").and_then(Value::as_str) {
        Some("int32") => "i32",
        _ => "i64",
    }
}

/// Returns true if a schema lists its values, so that its type becomes an enum.
pub(crate) fn has_enum_values(schema: &Value) -> bool {
    string_enum_values(schema).is_some() || integer_enum_values(schema).is_some()
}

/// Returns the rules of a schema; `None` if kube's `Rule` cannot express all of them. The caller
/// then keeps the rules as a keyword.
pub(crate) fn parse_rules(schema: &Value) -> Option<Vec<Rule>> {
    let Some(rules) = schema.get("x-kubernetes-validations") else {
        return Some(Vec::new());
    };
    rules.as_array()?.iter().map(parse_rule).collect()
}

fn parse_rule(rule: &Value) -> Option<Rule> {
    let string = |name: &str| rule.get(name).and_then(Value::as_str).map(str::to_owned);
    let message = match (string("message"), string("messageExpression")) {
        (Some(_), Some(_)) => return None,
        (Some(message), None) => Some(Message::Literal(message)),
        (None, Some(expression)) => Some(Message::Expression(expression)),
        (None, None) => None,
    };
    let reason = string("reason");
    let known_reasons = [
        "FieldValueInvalid",
        "FieldValueForbidden",
        "FieldValueRequired",
        "FieldValueDuplicate",
    ];
    if reason
        .as_deref()
        .is_some_and(|reason| !known_reasons.contains(&reason))
    {
        return None;
    }
    Some(Rule {
        expression: string("rule")?,
        message,
        reason,
        field_path: string("fieldPath"),
        optional_old_self: rule.get("optionalOldSelf").and_then(Value::as_bool),
    })
}

/// Returns the keywords of a schema that an attribute contains as JSON, except the keywords that
/// other attributes express.
pub(crate) fn inline_schema_keywords(schema: &Value) -> Vec<(String, Value)> {
    let excluded = [
        "description",
        "example",
        "externalDocs",
        "title",
        "x-kubernetes-validations",
    ];
    let mut keywords = keywords_without(schema, &excluded);
    for (name, value) in &mut keywords {
        adapt_keyword(name, value);
    }
    if is_nullable_by_default(schema) {
        keywords.push(("nullable".to_owned(), Value::Null));
    }
    keywords
}

/// Returns the keywords of a schema except `excluded`.
pub(crate) fn keywords_without(schema: &Value, excluded: &[&str]) -> Vec<(String, Value)> {
    let is_int_or_string = schema.get("x-kubernetes-int-or-string") == Some(&Value::Bool(true));
    let all_keywords = schema.as_object().into_iter().flatten();
    let mut keywords = Vec::new();
    for (name, value) in all_keywords {
        let is_excluded = excluded.contains(&&**name);
        // Kube's generator removes the types that int-or-string implies, so they are left out here.
        let is_implied =
            is_int_or_string && matches!(&**name, "anyOf" | "allOf") && is_integer_or_string(value);
        if is_excluded || is_implied {
            continue;
        }
        let mut value = value.clone();
        protect_from_kube(name, &mut value);
        keywords.push((name.clone(), value));
    }
    keywords
}

/// Returns true for `anyOf: [{type: integer}, {type: string}]`, also inside `allOf`.
fn is_integer_or_string(value: &Value) -> bool {
    let json = value.to_string();
    json.contains(r#"{"type":"integer"}"#) && json.contains(r#"{"type":"string"}"#)
}

/// Changes a keyword to an equivalent form that kube's generator keeps. The generator moves
/// properties, enums and descriptions from the branches of `oneOf` and `anyOf` to the object
/// itself, but not from an `allOf` inside such a branch.
fn protect_from_kube(name: &str, value: &mut Value) {
    match name {
        "oneOf" | "anyOf" => {
            for branch in value.as_array_mut().into_iter().flatten() {
                protect_subschema(branch);
                let moved_keywords = ["description", "enum", "properties"];
                if moved_keywords
                    .iter()
                    .any(|keyword| branch.get(keyword).is_some())
                {
                    *branch = json!({ "allOf": [branch.take()] });
                }
            }
        }
        "allOf" => value
            .as_array_mut()
            .into_iter()
            .flatten()
            .for_each(protect_subschema),
        "not" | "items" | "additionalProperties" => protect_subschema(value),
        "properties" => {
            let properties = value.as_object_mut().into_iter().flatten();
            properties.for_each(|(_, schema)| protect_subschema(schema));
        }
        _ => {}
    }
}

fn protect_subschema(schema: &mut Value) {
    for (name, value) in schema.as_object_mut().into_iter().flatten() {
        protect_from_kube(name, value);
    }
}

/// Returns true if kube's generator makes an optional int-or-string nullable. The value null for
/// `nullable` prevents that, and does not occur in the CRD. The value false would occur there, but
/// API servers do not store it, so that the CRD of the types would always differ from the CRD in
/// the cluster.
fn is_nullable_by_default(schema: &Value) -> bool {
    is_true(schema, "x-kubernetes-int-or-string") && schema.get("nullable").is_none()
}

/// Adapts a keyword of a schema that an attribute contains as JSON.
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

/// Adapts a schema that an attribute contains as JSON. Removes descriptions, because generated
/// types cannot contain them and API servers do not require them.
fn adapt_schema(schema: &mut Value) {
    let needs_nullable = is_nullable_by_default(schema);
    let Some(keywords) = schema.as_object_mut() else {
        return;
    };
    keywords.retain(|name, value| name != "description" || !value.is_string());
    if needs_nullable {
        keywords.insert("nullable".to_owned(), Value::Null);
    }
    for (name, value) in keywords {
        adapt_keyword(name, value);
    }
}
