//! Random CRDs, with the shapes that CRDs of projects have.

use serde_json::{Map, Value, json};
use union_random::Random;

use crate::crds::KindCase;

/// Names as projects write them: in several cases, keywords of Rust, and with characters that
/// identifiers do not have.
const NAMES: [&str; 30] = [
    "replicas",
    "image",
    "type",
    "matchLabels",
    "clusterIP",
    "self",
    "http2",
    "x-header",
    "pod_spec",
    "ref",
    "URL",
    "dnsNames",
    "async",
    "enableTLS",
    "@class",
    "max.poll",
    "impl",
    "nodeSelector",
    "Name",
    "name",
    "tlsConfig",
    "tls_config",
    "3scale",
    "crate",
    "env",
    "args",
    "$prefix",
    "ipV6Only",
    "retry",
    "box",
];

/// Values of enums, some of which are not identifiers.
const VALUES: [&str; 12] = [
    "Always",
    "never",
    "OnFailure",
    "a b",
    "1",
    "",
    "TLSv1.2",
    "*",
    "Self",
    "None",
    "HTTP/2",
    "other",
];

/// Returns a random kind.
pub(crate) fn kind_case(index: usize, random: &mut Random) -> KindCase {
    let kind = format!("Random{index}");
    let plural = format!("random{index}s");
    let mut properties = Map::new();
    let mut required: Vec<&str> = Vec::new();
    if random.chance(90) {
        properties.insert("spec".to_owned(), root_schema(random));
        if random.chance(60) {
            required.push("spec");
        }
    }
    if random.chance(70) {
        properties.insert("status".to_owned(), root_schema(random));
    }
    if random.chance(15) {
        properties.insert("data".to_owned(), schema(random, 2));
    }
    let mut root = json!({ "type": "object", "properties": properties });
    if !required.is_empty() {
        root["required"] = json!(required);
    }
    if random.chance(8) {
        root["x-kubernetes-preserve-unknown-fields"] = true.into();
    }
    let crd = json!({
        "apiVersion": "apiextensions.k8s.io/v1",
        "kind": "CustomResourceDefinition",
        "metadata": { "name": format!("{plural}.random.example.com") },
        "spec": {
            "group": "random.example.com",
            "scope": "Namespaced",
            "names": { "kind": kind, "plural": plural, "singular": kind.to_lowercase(), "listKind": format!("{kind}List") },
            "versions": [{ "name": "v1", "served": true, "storage": true, "schema": { "openAPIV3Schema": root } }],
        },
    });
    KindCase::from_crd(crd).unwrap()
}

/// Returns a schema for a spec or a status, which is an object in most cases.
fn root_schema(random: &mut Random) -> Value {
    match random.below(10) {
        0 => schema(random, 1),
        1 => json!({ "type": "object", "x-kubernetes-preserve-unknown-fields": true }),
        _ => object(random, 3),
    }
}

/// Returns a schema with at most `depth` levels of objects.
fn schema(random: &mut Random, depth: usize) -> Value {
    let mut schema = match random.below(if depth == 0 { 7 } else { 12 }) {
        0 => json!({ "type": "boolean" }),
        1 => integer(random),
        2 => json!({ "type": "number" }),
        3 => json!({ "type": "string", "enum": random.subset(&VALUES, 40) }),
        4 => {
            json!({ "x-kubernetes-int-or-string": true, "anyOf": [{ "type": "integer" }, { "type": "string" }] })
        }
        5 | 6 => string(random),
        7 => json!({ "type": "array", "items": schema(random, depth - 1) }),
        8 => json!({ "type": "object", "additionalProperties": schema(random, depth - 1) }),
        9 => json!({ "x-kubernetes-preserve-unknown-fields": true }),
        10 => union(random, depth - 1),
        _ => object(random, depth - 1),
    };
    if schema["enum"].as_array().is_some_and(Vec::is_empty) {
        schema["enum"] = json!(["Always"]);
    }
    if schema["type"].is_string() && random.chance(8) {
        schema["nullable"] = true.into();
    }
    if random.chance(50) {
        schema["description"] =
            "A field, as in `spec`.\n\nSee https://example.com/a <b> [c].".into();
    }
    schema
}

fn integer(random: &mut Random) -> Value {
    match random.below(4) {
        0 => json!({ "type": "integer" }),
        1 => json!({ "type": "integer", "format": "int32", "minimum": 1, "maximum": 65_535 }),
        2 => json!({ "type": "integer", "format": "int64", "default": 3 }),
        _ => json!({ "type": "integer", "enum": [301, 302, 307] }),
    }
}

fn string(random: &mut Random) -> Value {
    match random.below(7) {
        0 => json!({ "type": "string", "format": "date-time" }),
        1 => json!({ "type": "string", "minLength": 2, "maxLength": 9 }),
        2 => json!({ "type": "string", "pattern": "^[a-z]([-a-z0-9]*[a-z0-9])?$" }),
        3 => json!({ "type": "string", "format": "byte" }),
        4 => json!({ "type": "string", "default": "a" }),
        _ => json!({ "type": "string" }),
    }
}

fn object(random: &mut Random, depth: usize) -> Value {
    let mut properties = Map::new();
    for name in random.subset(&NAMES, 22) {
        properties.insert((*name).to_owned(), schema(random, depth));
    }
    let names: Vec<String> = properties.keys().cloned().collect();
    let required: Vec<&String> = random.subset(&names, 25);
    let mut schema = json!({ "type": "object", "properties": properties });
    if !required.is_empty() {
        schema["required"] = json!(required);
    }
    if random.chance(6) {
        schema["x-kubernetes-preserve-unknown-fields"] = true.into();
    }
    schema
}

/// Returns an object that is a union, in one of the forms that projects use.
fn union(random: &mut Random, depth: usize) -> Value {
    let members: Vec<&str> = random
        .subset(&["git", "bucket", "helm", "oci"], 70)
        .into_iter()
        .copied()
        .collect();
    let members = if members.len() < 2 {
        vec!["git", "bucket"]
    } else {
        members
    };
    let mut properties = Map::new();
    for member in &members {
        properties.insert((*member).to_owned(), object(random, depth));
    }
    let one_of: Vec<Value> = members
        .iter()
        .map(|member| json!({ "required": [member] }))
        .collect();
    let count: Vec<String> = members
        .iter()
        .map(|member| format!("(has(self.{member}) ? 1 : 0)"))
        .collect();
    let count = count.join(" + ");
    let mut keywords = match random.below(5) {
        0 => json!({ "oneOf": one_of }),
        1 => json!({ "minProperties": 1, "maxProperties": 1 }),
        2 => {
            json!({ "x-kubernetes-validations": [{ "rule": format!("{count} == 1"), "message": "set exactly one" }] })
        }
        3 => {
            json!({ "x-kubernetes-validations": [{ "rule": format!("{count} <= 1"), "message": "set at most one" }] })
        }
        _ => {
            let values: Vec<String> = members.iter().map(|member| member.to_uppercase()).collect();
            let rules = members.iter().zip(&values);
            let rules = rules.map(|(member, value)| {
                json!({ "rule": format!("self.type == '{value}' ? has(self.{member}) : !has(self.{member})") })
            });
            let rules: Vec<Value> = rules.collect();
            properties.insert(
                "type".to_owned(),
                json!({ "type": "string", "enum": values }),
            );
            json!({ "required": ["type"], "x-kubernetes-validations": rules })
        }
    };
    keywords["type"] = "object".into();
    keywords["properties"] = Value::Object(properties);
    keywords
}
