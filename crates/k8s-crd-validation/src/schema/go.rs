//! Schemas in the form in which a server works with them: printing as Go does it, and equality.

use core::fmt::Write as _;

use serde_json::{Map, Value};

use super::depth::NESTED;
use k8s_json_internals::deep::is_deeper;
use k8s_json_internals::number::InJson;
use k8s_json_internals::print::{Json, JsonText};

/// The type of the value of a keyword.
#[derive(Clone, Copy)]
enum Of {
    Text,
    /// A string that may be absent.
    OptionalText,
    Boolean,
    OptionalBoolean,
    Integer,
    /// A number that Go stores as a float, even if it is written as an integer.
    Float,
    /// Any value.
    Any,
    /// A list of any values.
    AnyList,
    Texts,
    Schema,
    Schemas,
    SchemasByName,
    Items,
    SchemaOrBoolean,
    /// A map to schemas or lists of strings.
    Dependencies,
    Struct(&'static [Keyword]),
    Structs(&'static [Keyword]),
}

/// The name of a field in Go, the keyword in JSON, and the type of the value.
struct Keyword(&'static str, &'static str, Of);

/// All keywords, in the order of their declaration in Go.
static SCHEMA: [Keyword; 44] = [
    Keyword("ID", "id", Of::Text),
    Keyword("Schema", "$schema", Of::Text),
    Keyword("Ref", "$ref", Of::OptionalText),
    Keyword("Description", "description", Of::Text),
    Keyword("Type", "type", Of::Text),
    Keyword("Nullable", "nullable", Of::Boolean),
    Keyword("Format", "format", Of::Text),
    Keyword("Title", "title", Of::Text),
    Keyword("Default", "default", Of::Any),
    Keyword("Maximum", "maximum", Of::Float),
    Keyword("ExclusiveMaximum", "exclusiveMaximum", Of::Boolean),
    Keyword("Minimum", "minimum", Of::Float),
    Keyword("ExclusiveMinimum", "exclusiveMinimum", Of::Boolean),
    Keyword("MaxLength", "maxLength", Of::Integer),
    Keyword("MinLength", "minLength", Of::Integer),
    Keyword("Pattern", "pattern", Of::Text),
    Keyword("MaxItems", "maxItems", Of::Integer),
    Keyword("MinItems", "minItems", Of::Integer),
    Keyword("UniqueItems", "uniqueItems", Of::Boolean),
    Keyword("MultipleOf", "multipleOf", Of::Float),
    Keyword("Enum", "enum", Of::AnyList),
    Keyword("MaxProperties", "maxProperties", Of::Integer),
    Keyword("MinProperties", "minProperties", Of::Integer),
    Keyword("Required", "required", Of::Texts),
    Keyword("Items", "items", Of::Items),
    Keyword("AllOf", "allOf", Of::Schemas),
    Keyword("OneOf", "oneOf", Of::Schemas),
    Keyword("AnyOf", "anyOf", Of::Schemas),
    Keyword("Not", "not", Of::Schema),
    Keyword("Properties", "properties", Of::SchemasByName),
    Keyword(
        "AdditionalProperties",
        "additionalProperties",
        Of::SchemaOrBoolean,
    ),
    Keyword("PatternProperties", "patternProperties", Of::SchemasByName),
    Keyword("Dependencies", "dependencies", Of::Dependencies),
    Keyword("AdditionalItems", "additionalItems", Of::SchemaOrBoolean),
    Keyword("Definitions", "definitions", Of::SchemasByName),
    Keyword("ExternalDocs", "externalDocs", Of::Struct(&DOCS)),
    Keyword("Example", "example", Of::Any),
    Keyword(
        "XPreserveUnknownFields",
        "x-kubernetes-preserve-unknown-fields",
        Of::OptionalBoolean,
    ),
    Keyword(
        "XEmbeddedResource",
        "x-kubernetes-embedded-resource",
        Of::Boolean,
    ),
    Keyword("XIntOrString", "x-kubernetes-int-or-string", Of::Boolean),
    Keyword("XListMapKeys", "x-kubernetes-list-map-keys", Of::Texts),
    Keyword("XListType", "x-kubernetes-list-type", Of::OptionalText),
    Keyword("XMapType", "x-kubernetes-map-type", Of::OptionalText),
    Keyword(
        "XValidations",
        "x-kubernetes-validations",
        Of::Structs(&RULE),
    ),
];

static DOCS: [Keyword; 2] = [
    Keyword("Description", "description", Of::Text),
    Keyword("URL", "url", Of::Text),
];

static RULE: [Keyword; 6] = [
    Keyword("Rule", "rule", Of::Text),
    Keyword("Message", "message", Of::Text),
    Keyword("MessageExpression", "messageExpression", Of::Text),
    Keyword("Reason", "reason", Of::OptionalText),
    Keyword("FieldPath", "fieldPath", Of::Text),
    Keyword("OptionalOldSelf", "optionalOldSelf", Of::OptionalBoolean),
];

/// Prints a schema. Prints null if the schema is missing, or if it is deeper than the stack allows,
/// which is reported as a separate error.
pub(crate) fn print(schema: Option<&Value>, out: &mut String) {
    let schema = schema.filter(|schema| !is_deeper(schema, NESTED));
    value(schema, Of::Schema, out);
}

/// Prints a list of schemas under `items` like [`print`].
pub(crate) fn print_tuple(items: &[Value], out: &mut String) {
    let is_printed = !items.iter().any(|item| is_deeper(item, NESTED));
    tuple(if is_printed { items } else { &[] }, out);
}

fn tuple(items: &[Value], out: &mut String) {
    out.push_str("{\"Schema\":null,\"JSONSchemas\":");
    print_list(Some(items), out, schema);
    out.push('}');
}

/// Prints a list, or null if it is missing.
pub(crate) fn print_list<T>(
    list: Option<&[T]>,
    out: &mut String,
    mut print: impl FnMut(&T, &mut String),
) {
    let Some(list) = list else {
        out.push_str("null");
        return;
    };
    out.push('[');
    for (i, item) in list.iter().enumerate() {
        if i > 0 {
            out.push(',');
        }
        print(item, out);
    }
    out.push(']');
}

fn fields(of: Option<&Value>, keywords: &[Keyword], out: &mut String) {
    let object = of.and_then(Value::as_object);
    for (i, Keyword(name, key, of)) in keywords.iter().enumerate() {
        if i > 0 {
            out.push(',');
        }
        // Writing to a String cannot fail.
        let _ = write!(out, "\"{name}\":");
        value(get(object, key), *of, out);
    }
}

/// Returns a field, or `None` if it is missing or null.
fn get<'v>(object: Option<&'v Map<String, Value>>, key: &str) -> Option<&'v Value> {
    object?.get(key).filter(|value| !value.is_null())
}

fn value(found: Option<&Value>, of: Of, out: &mut String) {
    let list = found.and_then(Value::as_array).map(Vec::as_slice);
    match of {
        Of::Text => {
            let _ = write!(out, "{}", JsonText(text(found)));
        }
        Of::Boolean => {
            let is = found.and_then(Value::as_bool).unwrap_or_default();
            let _ = write!(out, "{is}");
        }
        Of::OptionalText | Of::OptionalBoolean | Of::Any => {
            let _ = write!(out, "{}", Json(found.unwrap_or(&Value::Null)));
        }
        Of::Integer => match found.and_then(Value::as_i64) {
            Some(integer) => drop(write!(out, "{integer}")),
            None => out.push_str("null"),
        },
        Of::Float => match found.and_then(Value::as_f64) {
            Some(float) => drop(write!(out, "{}", InJson(float))),
            None => out.push_str("null"),
        },
        Of::AnyList | Of::Texts => {
            print_list(list, out, any);
        }
        Of::Schema => structure(found, &SCHEMA, out),
        Of::Schemas => print_list(list, out, schema),
        Of::SchemasByName => by_name(found, out, schema),
        Of::Items => items(found, out),
        Of::SchemaOrBoolean => either(found, out),
        Of::Dependencies => by_name(found, out, |value, out| {
            let texts = value.as_array().map(Vec::as_slice);
            out.push_str("{\"Schema\":");
            self::value(
                Some(value).filter(|value| value.is_object()),
                Of::Schema,
                out,
            );
            out.push_str(",\"Property\":");
            print_list(texts, out, any);
            out.push('}');
        }),
        Of::Struct(keywords) => structure(found, keywords, out),
        Of::Structs(keywords) => {
            print_list(list, out, |item, out| structure(Some(item), keywords, out));
        }
    }
}

fn any(item: &Value, out: &mut String) {
    value(Some(item), Of::Any, out);
}

/// Prints a required schema: null prints as an empty schema.
fn schema(schema: &Value, out: &mut String) {
    value(Some(schema), Of::Schema, out);
}

fn structure(found: Option<&Value>, keywords: &[Keyword], out: &mut String) {
    if found.is_none() {
        out.push_str("null");
        return;
    }
    out.push('{');
    fields(found, keywords, out);
    out.push('}');
}

fn by_name(found: Option<&Value>, out: &mut String, mut print: impl FnMut(&Value, &mut String)) {
    let Some(object) = found.and_then(Value::as_object) else {
        out.push_str("null");
        return;
    };
    let mut entries: Vec<(&String, &Value)> = object.iter().collect();
    entries.sort_unstable_by_key(|(name, _)| *name);
    out.push('{');
    for (i, (name, value)) in entries.into_iter().enumerate() {
        let comma = if i > 0 { "," } else { "" };
        let _ = write!(out, "{comma}{}:", JsonText(name));
        print(value, out);
    }
    out.push('}');
}

fn items(found: Option<&Value>, out: &mut String) {
    let Some(found) = found else {
        out.push_str("null");
        return;
    };
    if let Value::Array(items) = found {
        return tuple(items, out);
    }
    out.push_str("{\"Schema\":");
    value(
        Some(found).filter(|found| found.is_object()),
        Of::Schema,
        out,
    );
    out.push_str(",\"JSONSchemas\":null}");
}

fn either(found: Option<&Value>, out: &mut String) {
    let Some(found) = found else {
        out.push_str("null");
        return;
    };
    let allows = found.as_bool().unwrap_or(true);
    let _ = write!(out, "{{\"Allows\":{allows},\"Schema\":");
    value(
        Some(found).filter(|found| found.is_object()),
        Of::Schema,
        out,
    );
    out.push('}');
}

/// Returns true if a server treats two schemas as equal: absent, null and empty values of many
/// keywords are equal.
pub(crate) fn same(a: Option<&Value>, b: Option<&Value>) -> bool {
    same_value(a, b, Of::Schema)
}

fn same_fields(a: &Value, b: &Value, keywords: &[Keyword]) -> bool {
    let (a, b) = (a.as_object(), b.as_object());
    keywords
        .iter()
        .all(|Keyword(_, key, of)| same_value(get(a, key), get(b, key), *of))
}

fn same_value(a: Option<&Value>, b: Option<&Value>, of: Of) -> bool {
    let all = |of: Of| same_list(a, b, |a, b| same_value(Some(a), Some(b), of));
    match (of, a, b) {
        (Of::Text, ..) => text(a) == text(b),
        (Of::Boolean, ..) => a.is_some_and(is_true) == b.is_some_and(is_true),
        (Of::Integer, ..) => a.map(Value::as_i64) == b.map(Value::as_i64),
        (Of::Float, ..) => a.map(Value::as_f64) == b.map(Value::as_f64),
        (Of::AnyList | Of::Texts, ..) => all(Of::Any),
        (Of::Schemas, ..) => all(Of::Schema),
        (Of::Structs(keywords), ..) => all(Of::Struct(keywords)),
        (Of::SchemasByName, ..) => same_by_name(a, b, Of::Schema),
        (Of::Dependencies, ..) => same_by_name(a, b, Of::Items),
        (Of::Schema, Some(a), Some(b)) => same_fields(a, b, &SCHEMA),
        (Of::Struct(keywords), Some(a), Some(b)) => same_fields(a, b, keywords),
        (Of::Items, Some(a @ Value::Array(_)), Some(b @ Value::Array(_))) => {
            same_value(Some(a), Some(b), Of::Schemas)
        }
        (
            Of::Items | Of::SchemaOrBoolean,
            Some(a @ Value::Object(_)),
            Some(b @ Value::Object(_)),
        ) => same_value(Some(a), Some(b), Of::Schema),
        _ => a == b,
    }
}

fn text(of: Option<&Value>) -> &str {
    of.and_then(Value::as_str).unwrap_or_default()
}

fn is_true(value: &Value) -> bool {
    value.as_bool().unwrap_or_default()
}

/// Returns true if two lists have equal elements. A missing list equals an empty list.
fn same_list(a: Option<&Value>, b: Option<&Value>, same: impl Fn(&Value, &Value) -> bool) -> bool {
    let (a, b) = (list(a), list(b));
    a.len() == b.len() && a.iter().zip(b).all(|(a, b)| same(a, b))
}

fn list(of: Option<&Value>) -> &[Value] {
    let list = of.and_then(Value::as_array);
    list.map(Vec::as_slice).unwrap_or_default()
}

fn same_by_name(a: Option<&Value>, b: Option<&Value>, of: Of) -> bool {
    let (a, b) = (a.and_then(Value::as_object), b.and_then(Value::as_object));
    let count = |of: Option<&Map<String, Value>>| of.map_or(0, Map::len);
    count(a) == count(b)
        && a.into_iter().flatten().all(|(name, value)| {
            let other = b.and_then(|b| b.get(name));
            other.is_some_and(|other| same_value(Some(value), Some(other), of))
        })
}
