//! Schemas, most of which compile.

use serde_json::{Map, Value, json};

use crate::rule::rule;
use crate::source::Source;

/// The names of properties.
pub(crate) const NAMES: [&str; 10] = [
    "a", "b", "type", "name", "spec", "status", "metadata", "items", "x-y", "a__b",
];

/// The strings in objects.
pub(crate) const TEXTS: [&str; 12] = [
    "",
    "a",
    "b",
    "A",
    "B",
    "10",
    "1.5",
    "2024-02-30",
    "10.0.0.1",
    "*",
    "ä",
    "x.y/z",
];

const TYPES: [&str; 6] = ["object", "array", "string", "integer", "number", "boolean"];
const FORMATS: [&str; 14] = [
    "date",
    "date-time",
    "duration",
    "int32",
    "int64",
    "float",
    "double",
    "email",
    "uri",
    "ipv4",
    "cidr",
    "uuid",
    "byte",
    "quantity",
];
const PATTERNS: [&str; 10] = [
    "^a+$",
    "(a|b)*c",
    "[^\\d]{2,5}",
    "\\p{Greek}",
    "(?i)x",
    "\\bz\\B",
    "(a*)*",
    "[a-",
    "\\Qx\\E",
    "(?P<n>.)",
];
const KEYWORDS: [&str; 24] = [
    "type",
    "format",
    "pattern",
    "enum",
    "default",
    "minimum",
    "maximum",
    "multipleOf",
    "minLength",
    "maxLength",
    "minItems",
    "maxItems",
    "uniqueItems",
    "required",
    "nullable",
    "not",
    "allOf",
    "oneOf",
    "$ref",
    "items",
    "x-kubernetes-unions",
    "x-kubernetes-int-or-string",
    "x-kubernetes-preserve-unknown-fields",
    "x-kubernetes-embedded-resource",
];

/// Returns a schema.
pub fn schema(source: &mut Source<'_>) -> Value {
    source
        .nested(node)
        .unwrap_or_else(|| json!({"type": "string"}))
}

/// Returns a schema with random keywords.
fn node(source: &mut Source<'_>) -> Value {
    let schema_type = source.word(&TYPES);
    let mut node = Map::new();
    node.insert("type".into(), json!(schema_type));
    match schema_type {
        "object" => {
            if source.chance(60) {
                node.insert("additionalProperties".into(), schema(source));
            } else {
                node.insert("properties".into(), properties(source));
                if source.chance(60) {
                    node.insert("required".into(), json!([source.pick(&NAMES)]));
                }
                if source.chance(90) {
                    add_union(source, &mut node);
                }
            }
            if source.chance(20) {
                let map_type = source.word(&["atomic", "granular"]);
                node.insert("x-kubernetes-map-type".into(), json!(map_type));
            }
        }
        "array" => {
            node.insert("items".into(), schema(source));
            if source.chance(100) {
                let list_type = source.word(&["map", "set", "atomic"]);
                node.insert("x-kubernetes-list-type".into(), json!(list_type));
                if list_type == "map" {
                    let keys = json!([source.pick(&NAMES)]);
                    node.insert("x-kubernetes-list-map-keys".into(), keys);
                }
            }
        }
        "string" => {
            if source.chance(80) {
                node.insert("format".into(), json!(source.pick(&FORMATS)));
            }
            if source.chance(60) {
                node.insert("pattern".into(), json!(source.text(&PATTERNS)));
            }
            if source.chance(60) {
                node.insert(
                    "enum".into(),
                    json!([source.pick(&TEXTS), source.pick(&TEXTS)]),
                );
            }
        }
        _ => {
            if source.chance(80) {
                let bound = source.word(&["minimum", "maximum", "multipleOf"]);
                node.insert(bound.into(), source.number());
            }
        }
    }
    if source.chance(40) {
        node.insert("nullable".into(), json!(true));
    }
    if source.chance(50) {
        node.insert("default".into(), source.json(&TEXTS));
    }
    while source.chance(40) {
        let rule = json!({"rule": rule(source), "message": "no"});
        let rules = node
            .entry("x-kubernetes-validations")
            .or_insert_with(|| json!([]));
        if let Some(rules) = rules.as_array_mut() {
            rules.push(rule);
        }
    }
    if source.chance(30) {
        let combinator = source.word(&["allOf", "anyOf", "oneOf"]);
        let branches = [branch(source), branch(source)];
        node.insert(combinator.into(), json!(branches));
    }
    if source.chance(20) {
        let strategy = source.word(&[
            "merge",
            "replace",
            "retainKeys",
            "merge,retainKeys",
            "merge, x",
        ]);
        node.insert("x-kubernetes-patch-strategy".into(), json!(strategy));
        node.insert(
            "x-kubernetes-patch-merge-key".into(),
            json!(source.pick(&NAMES)),
        );
    }
    // A random value of a random keyword is invalid in most places.
    if source.chance(12) {
        let key = source.text(&KEYWORDS);
        node.insert(key, source.json(&KEYWORDS));
    }
    Value::Object(node)
}

fn properties(source: &mut Source<'_>) -> Value {
    let mut properties = Map::new();
    while source.chance(190) {
        let name = source.word(&NAMES).to_owned();
        properties.insert(name, schema(source));
    }
    Value::Object(properties)
}

/// Returns a branch of a combinator, which may only have keywords that validate a value.
fn branch(source: &mut Source<'_>) -> Value {
    match source.below(4) {
        0 => json!({"required": [source.pick(&NAMES)]}),
        1 => json!({"properties": {source.word(&NAMES): {"enum": [source.pick(&TEXTS)]}}}),
        2 => json!({"not": {"required": [source.pick(&NAMES)]}}),
        _ => json!({"minLength": source.byte(), "maximum": source.number()}),
    }
}

/// Adds the properties and the keyword of a union to a schema.
fn add_union(source: &mut Source<'_>, node: &mut Map<String, Value>) {
    let union = union_schema(source);
    for key in ["properties", "x-kubernetes-unions"] {
        match (node.get_mut(key), union.get(key)) {
            (Some(Value::Object(fields)), Some(Value::Object(union_fields))) => {
                fields.extend(
                    union_fields
                        .iter()
                        .map(|(name, schema)| (name.clone(), schema.clone())),
                );
            }
            (_, Some(value)) => {
                node.insert(key.into(), value.clone());
            }
            _ => {}
        }
    }
}

/// Returns the schema of a struct with a union, in one of the two shapes.
pub fn union_schema(source: &mut Source<'_>) -> Value {
    const MEMBERS: [(&str, &str); 3] = [("A", "a"), ("B", "b"), ("XY", "x-y")];
    let member_count = 1 + source.below(MEMBERS.len());
    let mut properties = Map::new();
    for (_, field) in &MEMBERS[..member_count] {
        properties.insert((*field).into(), schema(source));
    }
    if source.chance(128) {
        let mut entries = Map::new();
        for (value, field) in &MEMBERS[..member_count] {
            let entry = json!({"name": field, "optional": source.chance(128)});
            entries.insert((*value).into(), entry);
        }
        if source.chance(100) {
            entries.insert("".into(), Value::Null);
        }
        let values: Vec<&String> = entries.keys().collect();
        let discriminator = json!({
            "type": "string", "enum": values, "x-kubernetes-unions": {"fieldMembers": entries},
        });
        properties.insert("type".into(), discriminator);
        return json!({"type": "object", "properties": properties, "required": ["type"]});
    }
    let fields: Map<String, Value> = MEMBERS[..member_count]
        .iter()
        .map(|(value, field)| ((*field).to_owned(), json!(value)))
        .collect();
    let mut union = json!({"fields-to-discriminateBy": fields});
    if source.chance(128) {
        union["discriminator"] = json!("type");
        properties.insert("type".into(), json!({"type": "string"}));
    }
    json!({"type": "object", "properties": properties, "x-kubernetes-unions": [union]})
}
