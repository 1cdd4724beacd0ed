//! CRDs that a server accepts.

use serde_json::{Value, json};

use union_random::Random;

/// Returns a CRD with one to three versions. Some parts, such as the columns, are the same in all
/// versions.
pub(crate) fn random(random: &mut Random) -> Value {
    let count = random.weighted(&[(5, 1), (4, 2), (1, 3)]);
    let stored = random.below(count);
    let is_common: [bool; 4] = std::array::from_fn(|_| random.chance(60));
    let first = parts(random);
    let mut versions = Vec::new();
    for (number, name) in NAMES.iter().enumerate().take(count) {
        let mut version = json!({
            "name": name,
            "served": number == stored || random.chance(80),
            "storage": number == stored,
        });
        let own = parts(random);
        for (i, name) in PARTS.into_iter().enumerate() {
            let part = if is_common[i] { &first } else { &own };
            if let Some(part) = part.get(name) {
                version[name] = part.clone();
            }
        }
        if random.chance(15) {
            version["deprecated"] = json!(true);
            if random.chance(50) {
                version["deprecationWarning"] = json!("use another one");
            }
        }
        versions.push(version);
    }
    let mut crd = json!({
        "apiVersion": "apiextensions.k8s.io/v1",
        "kind": "CustomResourceDefinition",
        "metadata": {"name": "docs.example.com"},
        "spec": {
            "group": "example.com",
            "names": {"kind": "Doc", "plural": "docs"},
            "scope": *random.pick(&["Namespaced", "Cluster"]),
            "versions": versions,
        },
    });
    if random.chance(20) {
        crd["spec"]["names"] = json!({
            "kind": "Doc", "plural": "docs", "singular": "doc", "listKind": "DocList",
            "shortNames": ["d"], "categories": ["all"],
        });
    }
    if random.chance(25) {
        crd["spec"]["conversion"] = conversion(random);
    }
    if random.chance(10) {
        let group = *random.pick(&["k8s.io", "apps.kubernetes.io", "ak8s.io"]);
        crd["metadata"]["name"] = json!(format!("docs.{group}"));
        crd["spec"]["group"] = json!(group);
        let approved = *random.pick(&["https://github.com/a/b/1", "unapproved, for tests"]);
        crd["metadata"]["annotations"] = json!({"api-approved.kubernetes.io": approved});
    }
    crd
}

const NAMES: [&str; 3] = ["v1", "v2beta1", "v3alpha2"];

const PARTS: [&str; 4] = [
    "schema",
    "subresources",
    "additionalPrinterColumns",
    "selectableFields",
];

fn parts(random: &mut Random) -> Value {
    let mut parts = json!({"schema": {"openAPIV3Schema": schema(random)}});
    if random.chance(30) {
        parts["subresources"] = random
            .pick(&[
                json!({}),
                json!({"status": {}}),
                json!({"scale": {"specReplicasPath": ".spec.count", "statusReplicasPath": ".status.count"}}),
                json!({"status": {}, "scale": {
                    "specReplicasPath": ".spec.count", "statusReplicasPath": ".status.count",
                    "labelSelectorPath": ".status.selector",
                }}),
            ])
            .clone();
    }
    if random.chance(30) {
        let columns = [
            json!({"name": "Age", "type": "date", "jsonPath": ".metadata.creationTimestamp"}),
            json!({"name": "Text", "type": "string", "jsonPath": ".spec.text", "priority": 1, "format": "byte"}),
        ];
        parts["additionalPrinterColumns"] =
            random.subset(&columns, 60).into_iter().cloned().collect();
    }
    if random.chance(30) {
        let fields = [
            ".spec.text",
            ".spec.count",
            ".spec.labels.a",
            ".status.phase",
        ];
        let fields = random.subset(&fields, 50);
        parts["selectableFields"] = fields
            .into_iter()
            .map(|path| json!({"jsonPath": path}))
            .collect();
    }
    parts
}

/// Returns a schema with the fields that printer columns, the scale subresource and selectable
/// fields refer to, and a random field.
fn schema(random: &mut Random) -> Value {
    let mut schema = json!({"type": "object", "properties": {
        "spec": {"type": "object", "properties": {
            "text": {"type": "string"},
            "count": {"type": "integer"},
            "labels": {"type": "object", "additionalProperties": {"type": "string"}},
        }},
        "status": {"type": "object", "properties": {
            "phase": {"type": "string"},
            "count": {"type": "integer", "format": "int32"},
            "selector": {"type": "string"},
        }},
    }});
    if random.chance(20) {
        schema["properties"]["spec"]["properties"]["when"] =
            json!({"type": "string", "format": *random.pick(&["date-time", "datetime", "uri2"])});
    }
    if random.chance(20) {
        schema["description"] = json!(*random.pick(&["", "A <doc> & more.", "Ä"]));
    }
    schema
}

fn conversion(random: &mut Random) -> Value {
    if random.chance(30) {
        return json!({"strategy": "None"});
    }
    let client = random
        .pick(&[
            json!({"url": "https://example.com/convert"}),
            json!({"service": {"name": "a", "namespace": "b"}}),
            json!({"service": {"name": "a", "namespace": "b", "path": "/c/d", "port": 8443}, "caBundle": "eA=="}),
        ])
        .clone();
    let versions = random
        .pick(&[json!(["v1"]), json!(["v1", "v1beta1"]), json!(["v2", "v1"])])
        .clone();
    json!({"strategy": "Webhook", "webhook": {"clientConfig": client, "conversionReviewVersions": versions}})
}
