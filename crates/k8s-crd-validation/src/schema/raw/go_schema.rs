//! The Go types of schemas (`JSONSchemaProps` of `apiextensions-apiserver`): a table of keywords
//! for each struct. Schemas are printed and compared by these tables, so that the results match Go.

use core::fmt::Write as _;

use serde_json::{Map, Value};

use crate::schema::depth::MAX_VALUE_DEPTH;
use crate::schema::unknown::unknown_fields::FieldNames;
use k8s_json_internals::deep::is_deeper;
use k8s_json_internals::number::JsonFloat;
use k8s_json_internals::print::{GoJson, JsonString};

/// The type of the value of a keyword.
#[derive(Clone, Copy, Debug)]
pub(super) enum KeywordType {
    String,
    /// A string that Go stores as a pointer, so that a missing string differs from an empty string.
    OptionalString,
    Boolean,
    OptionalBoolean,
    Integer,
    /// A number. Go stores each number as a float, even if the schema has an integer.
    Float,
    /// Any value.
    Any,
    /// A list of any values.
    AnyList,
    Strings,
    Schema,
    Schemas,
    /// An object whose values are schemas.
    SchemasByName,
    /// A schema or a list of schemas.
    Items,
    SchemaOrBoolean,
    /// An object whose values are schemas or lists of strings.
    Dependencies,
    Struct(&'static KeywordTable),
    Structs(&'static KeywordTable),
}

/// A keyword: the name of the field in Go, the name in JSON, and the type of the value.
#[derive(Debug)]
pub(super) struct KeywordRow(&'static str, &'static str, KeywordType);

/// The keywords of a Go struct, in the order of the struct's declaration.
#[derive(Debug)]
pub(super) struct KeywordTable(&'static [KeywordRow]);

impl KeywordTable {
    /// Returns the type of a keyword's value, or `None` if the keyword is unknown.
    pub(super) fn field(&self, name: &str) -> Option<KeywordType> {
        let mut rows = self.0.iter();
        let KeywordRow(_, _, value_type) = rows.find(|KeywordRow(_, key, _)| *key == name)?;
        Some(*value_type)
    }
}

impl FieldNames for KeywordTable {
    fn visit_names<'n>(&'n self, visit: &mut dyn FnMut(&'n str)) {
        self.0.iter().for_each(|KeywordRow(_, key, _)| visit(key));
    }
}

/// The keywords of a schema.
pub(super) static SCHEMA: KeywordTable = KeywordTable(&[
    KeywordRow("ID", "id", KeywordType::String),
    KeywordRow("Schema", "$schema", KeywordType::String),
    KeywordRow("Ref", "$ref", KeywordType::OptionalString),
    KeywordRow("Description", "description", KeywordType::String),
    KeywordRow("Type", "type", KeywordType::String),
    KeywordRow("Nullable", "nullable", KeywordType::Boolean),
    KeywordRow("Format", "format", KeywordType::String),
    KeywordRow("Title", "title", KeywordType::String),
    KeywordRow("Default", "default", KeywordType::Any),
    KeywordRow("Maximum", "maximum", KeywordType::Float),
    KeywordRow("ExclusiveMaximum", "exclusiveMaximum", KeywordType::Boolean),
    KeywordRow("Minimum", "minimum", KeywordType::Float),
    KeywordRow("ExclusiveMinimum", "exclusiveMinimum", KeywordType::Boolean),
    KeywordRow("MaxLength", "maxLength", KeywordType::Integer),
    KeywordRow("MinLength", "minLength", KeywordType::Integer),
    KeywordRow("Pattern", "pattern", KeywordType::String),
    KeywordRow("MaxItems", "maxItems", KeywordType::Integer),
    KeywordRow("MinItems", "minItems", KeywordType::Integer),
    KeywordRow("UniqueItems", "uniqueItems", KeywordType::Boolean),
    KeywordRow("MultipleOf", "multipleOf", KeywordType::Float),
    KeywordRow("Enum", "enum", KeywordType::AnyList),
    KeywordRow("MaxProperties", "maxProperties", KeywordType::Integer),
    KeywordRow("MinProperties", "minProperties", KeywordType::Integer),
    KeywordRow("Required", "required", KeywordType::Strings),
    KeywordRow("Items", "items", KeywordType::Items),
    KeywordRow("AllOf", "allOf", KeywordType::Schemas),
    KeywordRow("OneOf", "oneOf", KeywordType::Schemas),
    KeywordRow("AnyOf", "anyOf", KeywordType::Schemas),
    KeywordRow("Not", "not", KeywordType::Schema),
    KeywordRow("Properties", "properties", KeywordType::SchemasByName),
    KeywordRow(
        "AdditionalProperties",
        "additionalProperties",
        KeywordType::SchemaOrBoolean,
    ),
    KeywordRow(
        "PatternProperties",
        "patternProperties",
        KeywordType::SchemasByName,
    ),
    KeywordRow("Dependencies", "dependencies", KeywordType::Dependencies),
    KeywordRow(
        "AdditionalItems",
        "additionalItems",
        KeywordType::SchemaOrBoolean,
    ),
    KeywordRow("Definitions", "definitions", KeywordType::SchemasByName),
    KeywordRow("ExternalDocs", "externalDocs", KeywordType::Struct(&DOCS)),
    KeywordRow("Example", "example", KeywordType::Any),
    KeywordRow(
        "XPreserveUnknownFields",
        "x-kubernetes-preserve-unknown-fields",
        KeywordType::OptionalBoolean,
    ),
    KeywordRow(
        "XEmbeddedResource",
        "x-kubernetes-embedded-resource",
        KeywordType::Boolean,
    ),
    KeywordRow(
        "XIntOrString",
        "x-kubernetes-int-or-string",
        KeywordType::Boolean,
    ),
    KeywordRow(
        "XListMapKeys",
        "x-kubernetes-list-map-keys",
        KeywordType::Strings,
    ),
    KeywordRow(
        "XListType",
        "x-kubernetes-list-type",
        KeywordType::OptionalString,
    ),
    KeywordRow(
        "XMapType",
        "x-kubernetes-map-type",
        KeywordType::OptionalString,
    ),
    KeywordRow(
        "XValidations",
        "x-kubernetes-validations",
        KeywordType::Structs(&RULE),
    ),
]);

/// The keywords of `externalDocs`.
static DOCS: KeywordTable = KeywordTable(&[
    KeywordRow("Description", "description", KeywordType::String),
    KeywordRow("URL", "url", KeywordType::String),
]);

/// The keywords of a CEL rule.
static RULE: KeywordTable = KeywordTable(&[
    KeywordRow("Rule", "rule", KeywordType::String),
    KeywordRow("Message", "message", KeywordType::String),
    KeywordRow(
        "MessageExpression",
        "messageExpression",
        KeywordType::String,
    ),
    KeywordRow("Reason", "reason", KeywordType::OptionalString),
    KeywordRow("FieldPath", "fieldPath", KeywordType::String),
    KeywordRow(
        "OptionalOldSelf",
        "optionalOldSelf",
        KeywordType::OptionalBoolean,
    ),
]);

/// Prints a schema, or `null` if the schema is missing or has more than [`MAX_VALUE_DEPTH`] levels.
/// The lint reports a separate error for such a depth.
pub(crate) fn print_schema(schema: Option<&Value>, out: &mut String) {
    let schema = schema.filter(|schema| !is_deeper(schema, MAX_VALUE_DEPTH));
    print_value(schema, KeywordType::Schema, out);
}

/// Prints the list of schemas of `items`, or an empty list if a schema has more than
/// [`MAX_VALUE_DEPTH`] levels.
pub(crate) fn print_items_array(items: &[Value], out: &mut String) {
    let is_printed = !items.iter().any(|item| is_deeper(item, MAX_VALUE_DEPTH));
    print_schema_array(if is_printed { items } else { &[] }, out);
}

fn print_schema_array(items: &[Value], out: &mut String) {
    out.push_str("{\"Schema\":null,\"JSONSchemas\":");
    print_list(Some(items), out, print_required_schema);
    out.push('}');
}

/// Prints a list, or `null` if the list is missing.
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

/// Prints all fields of a Go struct, including the missing fields.
fn print_fields(value: Option<&Value>, keywords: &KeywordTable, out: &mut String) {
    let object = value.and_then(Value::as_object);
    for (i, KeywordRow(name, key, value_type)) in keywords.0.iter().enumerate() {
        if i > 0 {
            out.push(',');
        }
        // Writing to a String cannot fail.
        let _ = write!(out, "\"{name}\":");
        print_value(get(object, key), *value_type, out);
    }
}

/// Returns a field, or `None` if the field is missing or null.
fn get<'v>(object: Option<&'v Map<String, Value>>, key: &str) -> Option<&'v Value> {
    object?.get(key).filter(|value| !value.is_null())
}

/// Prints the value of a keyword as Go encodes the field of the struct.
fn print_value(value: Option<&Value>, value_type: KeywordType, out: &mut String) {
    let list = value.and_then(Value::as_array).map(Vec::as_slice);
    match value_type {
        KeywordType::String => {
            let _ = write!(out, "{}", JsonString(string_or_empty(value)));
        }
        KeywordType::Boolean => {
            let boolean = value.and_then(Value::as_bool).unwrap_or_default();
            let _ = write!(out, "{boolean}");
        }
        KeywordType::OptionalString | KeywordType::OptionalBoolean | KeywordType::Any => {
            let _ = write!(out, "{}", GoJson(value.unwrap_or(&Value::Null)));
        }
        KeywordType::Integer => match value.and_then(Value::as_i64) {
            Some(integer) => drop(write!(out, "{integer}")),
            None => out.push_str("null"),
        },
        KeywordType::Float => match value.and_then(Value::as_f64) {
            Some(float) => drop(write!(out, "{}", JsonFloat(float))),
            None => out.push_str("null"),
        },
        KeywordType::AnyList | KeywordType::Strings => {
            print_list(list, out, print_any);
        }
        KeywordType::Schema => print_struct(value, &SCHEMA, out),
        KeywordType::Schemas => print_list(list, out, print_required_schema),
        KeywordType::SchemasByName => print_map(value, out, print_required_schema),
        KeywordType::Items => print_items(value, out),
        KeywordType::SchemaOrBoolean => print_schema_or_boolean(value, out),
        KeywordType::Dependencies => print_map(value, out, |value, out| {
            let strings = value.as_array().map(Vec::as_slice);
            out.push_str("{\"Schema\":");
            self::print_value(
                Some(value).filter(|value| value.is_object()),
                KeywordType::Schema,
                out,
            );
            out.push_str(",\"Property\":");
            print_list(strings, out, print_any);
            out.push('}');
        }),
        KeywordType::Struct(keywords) => print_struct(value, keywords, out),
        KeywordType::Structs(keywords) => {
            print_list(list, out, |item, out| {
                print_struct(Some(item), keywords, out);
            });
        }
    }
}

fn print_any(item: &Value, out: &mut String) {
    print_value(Some(item), KeywordType::Any, out);
}

/// Prints a schema that is not a pointer in Go: a null prints as an empty schema.
fn print_required_schema(schema: &Value, out: &mut String) {
    print_value(Some(schema), KeywordType::Schema, out);
}

fn print_struct(value: Option<&Value>, keywords: &KeywordTable, out: &mut String) {
    if value.is_none() {
        out.push_str("null");
        return;
    }
    out.push('{');
    print_fields(value, keywords, out);
    out.push('}');
}

fn print_map(value: Option<&Value>, out: &mut String, mut print: impl FnMut(&Value, &mut String)) {
    let Some(object) = value.and_then(Value::as_object) else {
        out.push_str("null");
        return;
    };
    let mut entries: Vec<(&String, &Value)> = object.iter().collect();
    entries.sort_unstable_by_key(|(name, _)| *name);
    out.push('{');
    for (i, (name, value)) in entries.into_iter().enumerate() {
        let comma = if i > 0 { "," } else { "" };
        let _ = write!(out, "{comma}{}:", JsonString(name));
        print(value, out);
    }
    out.push('}');
}

fn print_items(value: Option<&Value>, out: &mut String) {
    let Some(value) = value else {
        out.push_str("null");
        return;
    };
    if let Value::Array(items) = value {
        return print_schema_array(items, out);
    }
    out.push_str("{\"Schema\":");
    print_value(
        Some(value).filter(|value| value.is_object()),
        KeywordType::Schema,
        out,
    );
    out.push_str(",\"JSONSchemas\":null}");
}

fn print_schema_or_boolean(value: Option<&Value>, out: &mut String) {
    let Some(value) = value else {
        out.push_str("null");
        return;
    };
    let is_allowed = value.as_bool().unwrap_or(true);
    let _ = write!(out, "{{\"Allows\":{is_allowed},\"Schema\":");
    print_value(
        Some(value).filter(|value| value.is_object()),
        KeywordType::Schema,
        out,
    );
    out.push('}');
}

/// Returns true if an API server treats two schemas as equal. A null equals a missing value. An
/// empty value equals a missing value too, unless Go stores the keyword as a pointer.
pub(crate) fn is_same_schema(a: Option<&Value>, b: Option<&Value>) -> bool {
    is_same_value(a, b, KeywordType::Schema)
}

fn is_same_struct(a: &Value, b: &Value, keywords: &KeywordTable) -> bool {
    let (a, b) = (a.as_object(), b.as_object());
    keywords
        .0
        .iter()
        .all(|KeywordRow(_, key, value_type)| is_same_value(get(a, key), get(b, key), *value_type))
}

/// Returns true if an API server treats two values of a keyword as equal.
fn is_same_value(a: Option<&Value>, b: Option<&Value>, value_type: KeywordType) -> bool {
    let is_same_lists = |value_type: KeywordType| {
        is_same_list(a, b, |a, b| is_same_value(Some(a), Some(b), value_type))
    };
    match (value_type, a, b) {
        (KeywordType::String, ..) => string_or_empty(a) == string_or_empty(b),
        (KeywordType::Boolean, ..) => a.is_some_and(is_true) == b.is_some_and(is_true),
        (KeywordType::Float, ..) => a.map(Value::as_f64) == b.map(Value::as_f64),
        (KeywordType::AnyList | KeywordType::Strings, ..) => is_same_lists(KeywordType::Any),
        (KeywordType::Schemas, ..) => is_same_lists(KeywordType::Schema),
        (KeywordType::Structs(keywords), ..) => is_same_lists(KeywordType::Struct(keywords)),
        (KeywordType::SchemasByName, ..) => is_same_map(a, b, KeywordType::Schema),
        (KeywordType::Dependencies, ..) => is_same_map(a, b, KeywordType::Items),
        (KeywordType::Schema, Some(a), Some(b)) => is_same_struct(a, b, &SCHEMA),
        (KeywordType::Struct(keywords), Some(a), Some(b)) => is_same_struct(a, b, keywords),
        (KeywordType::Items, Some(a @ Value::Array(_)), Some(b @ Value::Array(_))) => {
            is_same_value(Some(a), Some(b), KeywordType::Schemas)
        }
        (
            KeywordType::Items | KeywordType::SchemaOrBoolean,
            Some(a @ Value::Object(_)),
            Some(b @ Value::Object(_)),
        ) => is_same_value(Some(a), Some(b), KeywordType::Schema),
        _ => a == b,
    }
}

fn string_or_empty(value: Option<&Value>) -> &str {
    value.and_then(Value::as_str).unwrap_or_default()
}

fn is_true(value: &Value) -> bool {
    value.as_bool().unwrap_or_default()
}

/// Returns true if two lists have equal elements. A missing list equals an empty list.
fn is_same_list(
    a: Option<&Value>,
    b: Option<&Value>,
    is_same: impl Fn(&Value, &Value) -> bool,
) -> bool {
    let (a, b) = (list_or_empty(a), list_or_empty(b));
    a.len() == b.len() && a.iter().zip(b).all(|(a, b)| is_same(a, b))
}

fn list_or_empty(value: Option<&Value>) -> &[Value] {
    let list = value.and_then(Value::as_array);
    list.map(Vec::as_slice).unwrap_or_default()
}

fn is_same_map(a: Option<&Value>, b: Option<&Value>, value_type: KeywordType) -> bool {
    let (a, b) = (a.and_then(Value::as_object), b.and_then(Value::as_object));
    let entry_count = |map: Option<&Map<String, Value>>| map.map_or(0, Map::len);
    entry_count(a) == entry_count(b)
        && a.into_iter().flatten().all(|(name, value)| {
            let other_value = b.and_then(|b| b.get(name));
            other_value.is_some_and(|other_value| {
                is_same_value(Some(value), Some(other_value), value_type)
            })
        })
}
