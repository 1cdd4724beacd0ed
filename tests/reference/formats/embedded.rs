//! Random objects with embedded resources.

use serde_json::{Map, Value, json};

use crate::metadata::{metadata, or_anything};
use crate::random::Random;

/// Returns a schema with embedded resources in objects, lists and maps.
pub(crate) fn embedding_schema() -> Value {
    let resource = json!({
        "type": "object", "x-kubernetes-embedded-resource": true, "x-kubernetes-preserve-unknown-fields": true,
    });
    let nested = json!({
        "type": "object", "x-kubernetes-embedded-resource": true,
        "properties": { "inner": resource, "x": { "type": "string" } },
    });
    json!({
        "type": "object",
        "properties": { "spec": { "type": "object", "properties": {
            "one": resource,
            "nested": nested,
            "list": { "type": "array", "items": resource },
            "map": { "type": "object", "additionalProperties": nested },
        } } },
    })
}

pub(crate) fn embedding(random: &mut Random) -> Value {
    let mut spec = Map::new();
    if random.once_in(2) {
        spec.insert("one".to_owned(), resource(random));
    }
    if random.once_in(3) {
        let mut outer = resource(random);
        outer["inner"] = resource(random);
        spec.insert("nested".to_owned(), outer);
    }
    if random.once_in(4) {
        spec.insert(
            "list".to_owned(),
            (0..random.below(3)).map(|_| resource(random)).collect(),
        );
    }
    if random.once_in(4) {
        let mut outer = resource(random);
        outer["inner"] = resource(random);
        spec.insert(
            "map".to_owned(),
            json!({ random.part(&["k", "k.x"]): outer }),
        );
    }
    json!({ "spec": spec })
}

fn resource(random: &mut Random) -> Value {
    let mut resource = json!({});
    if !random.once_in(8) {
        let version = random
            .part(&["v1", "apps/v1", "a/b/c", "", "/", "é/<"])
            .into();
        resource["apiVersion"] = or_anything(random, version, 12);
    }
    if !random.once_in(8) {
        let kind = random.part(&[
            "Pod",
            "",
            "1x",
            "pod-",
            "A b",
            "\u{212a}ind",
            "\u{130}x",
            "Pödchen",
        ]);
        let kind = if random.once_in(10) {
            "K".repeat(60 + random.below(8))
        } else {
            kind.to_owned()
        };
        resource["kind"] = or_anything(random, kind.into(), 12);
    }
    if !random.once_in(4) {
        let wrong = if random.once_in(6) { 4 } else { 0 };
        resource["metadata"] = metadata(random, wrong);
    }
    resource
}
