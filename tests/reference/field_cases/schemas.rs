//! Random schemas with all kinds of nodes between which pruning distinguishes.

use serde_json::{Map, Value, json};
use union_random::Random;

use super::names::ODD;

/// The names of properties. Some are similar to each other. A server treats some in a special way,
/// but in other positions.
const NAMES: [&str; 16] = [
    "width",
    "widths",
    "height",
    "replicas",
    "image",
    "images",
    "selector",
    "a",
    "b",
    "kind",
    "apiVersion",
    "metadata",
    "spec",
    "items",
    "type",
    "Width",
];

/// Returns the schema of a custom resource.
pub(crate) fn root(random: &mut Random) -> Value {
    let mut schema = object(random, 4);
    // In errors about values, a server removes the dot at the start of a path, even if the dot is
    // the name of the field.
    remove(&mut schema["properties"], ".");
    schema["properties"]["spec"] = object(random, 4);
    schema["properties"]["status"] = object(random, 2);
    for name in ["kind", "apiVersion"] {
        schema["properties"][name] = json!({"type": "string"});
    }
    schema["properties"]["metadata"] = json!({"type": "object"});
    if random.chance(40) {
        for name in ["kind", "apiVersion", "metadata"] {
            remove(&mut schema["properties"], name);
        }
    } else if random.chance(30) {
        schema["properties"]["metadata"]["properties"] =
            json!({"name": {"type": "string", "maxLength": 200}});
    }
    if random.chance(12) {
        schema["x-kubernetes-preserve-unknown-fields"] = json!(true);
    }
    schema
}

fn remove(object: &mut Value, name: &str) {
    if let Some(object) = object.as_object_mut() {
        object.remove(name);
    }
}

fn any(random: &mut Random, depth: usize) -> Value {
    type Make = fn(&mut Random, usize) -> Value;
    const SCALARS: [(usize, Make); 2] = [
        (8, |random, _| scalar(random)),
        (2, |random, _| empty(random)),
    ];
    const DEEP: [(usize, Make); 6] = [
        (6, object),
        (5, map),
        (6, list),
        (3, embedded),
        (3, preserving),
        (2, free),
    ];
    let mut schema = if depth > 0 && random.chance(70) {
        random.weighted(&DEEP)(random, depth - 1)
    } else {
        random.weighted(&SCALARS)(random, 0)
    };
    if random.chance(10) {
        schema["nullable"] = json!(true);
    }
    schema
}

fn scalar(random: &mut Random) -> Value {
    let schemas = [
        json!({"type": "string"}),
        json!({"type": "integer"}),
        json!({"type": "number"}),
        json!({"type": "boolean"}),
        json!({"x-kubernetes-int-or-string": true}),
    ];
    random.pick(&schemas).clone()
}

/// Returns a schema without properties.
fn empty(random: &mut Random) -> Value {
    let schemas = [
        json!({"type": "object"}),
        json!({"type": "object", "x-kubernetes-preserve-unknown-fields": true}),
        json!({"x-kubernetes-preserve-unknown-fields": true}),
    ];
    random.pick(&schemas).clone()
}

fn object(random: &mut Random, depth: usize) -> Value {
    json!({"type": "object", "properties": properties(random, depth)})
}

fn properties(random: &mut Random, depth: usize) -> Value {
    let mut properties = Map::new();
    for _ in 0..=random.below(3) {
        let name = if random.chance(10) {
            *random.pick(&ODD)
        } else {
            *random.pick(&NAMES)
        };
        properties.insert(name.to_owned(), any(random, depth));
    }
    properties.into()
}

fn map(random: &mut Random, depth: usize) -> Value {
    json!({"type": "object", "additionalProperties": any(random, depth)})
}

fn list(random: &mut Random, depth: usize) -> Value {
    json!({"type": "array", "items": any(random, depth)})
}

fn embedded(random: &mut Random, depth: usize) -> Value {
    let mut schema = object(random, depth);
    // A server knows these fields without a schema, and rejects most schemas of these fields.
    for name in ["kind", "apiVersion", "metadata"] {
        remove(&mut schema["properties"], name);
    }
    // A server rejects embedded resources without fields.
    schema["properties"]["spec"] = any(random, depth);
    schema["x-kubernetes-embedded-resource"] = json!(true);
    if random.chance(30) {
        schema["x-kubernetes-preserve-unknown-fields"] = json!(true);
    }
    if random.chance(20) {
        schema["properties"]["metadata"] =
            json!({"type": "object", "properties": {"name": {"type": "string"}}});
    }
    schema
}

/// Returns a schema below which only described fields are pruned.
fn preserving(random: &mut Random, depth: usize) -> Value {
    let mut schema = if random.chance(80) {
        object(random, depth)
    } else {
        map(random, depth)
    };
    schema["x-kubernetes-preserve-unknown-fields"] = json!(true);
    schema
}

fn free(_: &mut Random, _: usize) -> Value {
    json!({"type": "object", "additionalProperties": true})
}
