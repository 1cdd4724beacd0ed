//! CRDs and objects of the Gateway API. Without these files, a generated CRD and generated objects
//! of the same size.

use std::path::{Path, PathBuf};
use std::{env, fs};

use k8s_crd_validation::StructuralSchema;
use serde_json::{Map, Value, json};

/// A CRD, and valid objects of the CRD.
pub(crate) struct Input {
    pub(crate) crd: Value,
    pub(crate) version: &'static str,
    pub(crate) objects: Vec<Value>,
    /// Changes an object so that it is invalid.
    pub(crate) spoil: fn(&mut Value),
    /// The number of errors of an object after `spoil`.
    pub(crate) spoiled: usize,
}

impl Input {
    pub(crate) fn compile(&self) -> StructuralSchema {
        let compiled = StructuralSchema::compiler().crd(&self.crd, Some(self.version));
        compiled.unwrap_or_else(|errors| panic!("{errors}"))
    }
}

/// Returns the kinds to measure.
pub(crate) fn kinds() -> &'static [&'static str] {
    if gateway().is_some() {
        &["HTTPRoute", "Gateway"]
    } else {
        &["Made"]
    }
}

pub(crate) fn input_for_kind(kind: &str, cel: bool) -> Input {
    let mut input = match (kind, gateway()) {
        ("HTTPRoute", Some(folder)) => read(&folder, kind, |object| {
            object["spec"]["hostnames"] = json!(["Not a host"]);
        }),
        ("Gateway", Some(folder)) => read(&folder, kind, |object| {
            object["spec"]["gatewayClassName"] = json!("");
        }),
        _ => made(),
    };
    if !cel {
        strip_rules(&mut input.crd);
    }
    input
}

/// Returns the source of the CRDs, for the names of rows.
pub(crate) fn source() -> &'static str {
    if gateway().is_some() {
        "the Gateway API"
    } else {
        "this bench"
    }
}

/// Returns all CRDs of the source.
pub(crate) fn crds() -> Vec<Value> {
    let Some(folder) = gateway() else {
        return vec![made().crd];
    };
    let mut documents = documents(&folder.join("crds"));
    documents.retain(|document| document["kind"] == "CustomResourceDefinition");
    assert!(!documents.is_empty(), "there are CRDs");
    documents
}

/// Returns each version of a CRD, as the CRD and the name of the version.
pub(crate) fn versions(crd: &Value) -> impl Iterator<Item = (&Value, &str)> {
    let versions = crd["spec"]["versions"].as_array().into_iter().flatten();
    versions.filter_map(move |version| Some((crd, version["name"].as_str()?)))
}

fn gateway() -> Option<PathBuf> {
    let shared = match env::var_os("SHARED_CASES") {
        Some(folder) => PathBuf::from(folder),
        None => Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/cases"),
    };
    Some(shared.join("gateway")).filter(|folder| folder.is_dir())
}

/// Reads the same input as the reference: the objects of version v1beta1, with a namespace and a
/// resource version.
fn read(folder: &Path, kind: &str, spoil: fn(&mut Value)) -> Input {
    let mut definitions = documents(&folder.join("crds")).into_iter();
    let crd = definitions.find(|crd| crd["spec"]["names"]["kind"] == *kind);
    let mut objects = documents(&folder.join("valid"));
    objects.retain(|object| {
        object["kind"] == *kind && object["apiVersion"] == "gateway.networking.k8s.io/v1beta1"
    });
    for object in &mut objects {
        object["metadata"]["namespace"] = json!("default");
        object["metadata"]["resourceVersion"] = json!("7");
    }
    Input {
        crd: crd.expect("the CRD is there"),
        version: "v1beta1",
        objects,
        spoil,
        spoiled: 1,
    }
}

fn documents(folder: &Path) -> Vec<Value> {
    let mut found = Vec::new();
    let mut paths: Vec<_> = fs::read_dir(folder)
        .expect("a folder")
        .map(|entry| entry.expect("an entry").path())
        .collect();
    paths.sort();
    for path in paths {
        if path.is_dir() {
            found.extend(documents(&path));
            continue;
        }
        let text = fs::read_to_string(&path).expect("a string");
        let read: Vec<Value> = serde_saphyr::from_multiple(&text)
            .unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        found.extend(read.into_iter().filter(|document| !document.is_null()));
    }
    found
}

/// Removes all CEL rules from a schema, for the rows without CEL.
fn strip_rules(schema: &mut Value) {
    match schema {
        Value::Object(object) => {
            object.remove("x-kubernetes-validations");
            object.values_mut().for_each(strip_rules);
        }
        Value::Array(elements) => elements.iter_mut().for_each(strip_rules),
        _ => {}
    }
}

/// Returns a CRD similar to `HTTPRoute`, and objects of the CRD.
fn made() -> Input {
    let objects = (1..=24).map(|i| {
        let rules = (0..=i % 3).map(|j| {
            let weights = (0..=j).map(|k| json!({"name": format!("service-{k}"), "port": 8080 + k, "weight": 10 * k + 1}));
            json!({
                "matches": [{"path": {"type": "PathPrefix", "value": format!("/path/{j}")}, "method": "GET",
                    "headers": [{"name": "version", "value": format!("v{j}")}]}],
                "filters": [{"type": "HeaderModifier", "headers": {"set": [{"name": "x-from", "value": "gateway"}]}}],
                "backends": weights.collect::<Vec<_>>(),
            })
        });
        json!({
            "apiVersion": "bench.example.com/v1", "kind": "Made",
            "metadata": {"name": format!("made-{i}"), "namespace": "default", "resourceVersion": "7"},
            "spec": {
                "hostnames": [format!("host-{i}.example.com")],
                "parents": [{"name": "gateway", "section": "http"}],
                "rules": rules.collect::<Vec<_>>(),
            },
        })
    });
    let version = json!({
        "name": "v1", "served": true, "storage": true, "subresources": {"status": {}},
        "schema": {"openAPIV3Schema": synthetic_schema()},
    });
    Input {
        crd: json!({"spec": {
            "group": "bench.example.com", "scope": "Namespaced", "versions": [version],
            "names": {"kind": "Made", "plural": "mades"},
        }}),
        version: "v1",
        objects: objects.collect(),
        spoil: |object| object["spec"]["hostnames"] = json!(["Not a host"]),
        spoiled: 1,
    }
}

#[expect(clippy::too_many_lines, reason = "a schema reads best as a whole")]
fn synthetic_schema() -> Value {
    const HOST: &str = r"^(\*\.)?[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$";
    const LABEL: &str = "^[a-z0-9]([-a-z0-9]*[a-z0-9])?$";
    const HEADER: &str = "^[A-Za-z0-9!#$%&'*+\\-.^_\\x60|~]+$";
    let text = |most: u32, pattern: &str| json!({"type": "string", "minLength": 1, "maxLength": most, "pattern": pattern, "description": ABOUT});
    let one_of = |values: &[&str]| json!({"type": "string", "enum": values, "description": ABOUT});
    let port = json!({"type": "integer", "format": "int32", "minimum": 1, "maximum": 65535});
    let list = |items: &Value, most: u32| json!({"type": "array", "maxItems": most, "items": items, "x-kubernetes-list-type": "atomic"});
    let by_name = |items: &Value, most: u32| json!({"type": "array", "maxItems": most, "items": items, "x-kubernetes-list-type": "map", "x-kubernetes-list-map-keys": ["name"]});
    let header = object(
        &[
            ("name", text(256, HEADER)),
            ("value", json!({"type": "string", "maxLength": 4096})),
        ],
        &["name", "value"],
        &[],
    );
    let headers = by_name(&header, 16);
    let modifier = object(
        &[("set", headers.clone()), ("add", headers.clone())],
        &[],
        &[],
    );
    let mut backend_fields = vec![
        (
            "group",
            json!({"type": "string", "maxLength": 253, "default": ""}),
        ),
        (
            "kind",
            json!({"type": "string", "default": "Service", "minLength": 1, "maxLength": 63}),
        ),
        ("name", text(253, LABEL)),
        ("namespace", text(63, LABEL)),
        ("port", port.clone()),
        (
            "weight",
            json!({"type": "integer", "format": "int32", "default": 1, "minimum": 0, "maximum": 1_000_000}),
        ),
    ];
    let reference = object(
        &backend_fields,
        &["name"],
        &["size(self.group) == 0 && self.kind == 'Service' ? has(self.port) : true"],
    );
    let mut filter = vec![(
        "type",
        one_of(&["HeaderModifier", "Mirror", "Redirect", "Rewrite"]),
    )];
    for name in ["headers", "responseHeaders", "first", "second", "third"] {
        filter.push((name, modifier.clone()));
    }
    filter.push((
        "mirror",
        object(&[("backend", reference.clone())], &["backend"], &[]),
    ));
    filter.push((
        "redirect",
        object(&[("host", text(253, HOST)), ("port", port)], &[], &[]),
    ));
    let filter = object(
        &filter,
        &["type"],
        &[
            "!(has(self.headers) && self.type != 'HeaderModifier')",
            "!(has(self.mirror) && self.type != 'Mirror')",
            "!(has(self.redirect) && self.type != 'Redirect')",
        ],
    );
    let filters = list(&filter, 16);
    backend_fields.push(("filters", filters.clone()));
    let backend = object(&backend_fields, &["name"], &[]);
    let path = object(
        &[
            (
                "type",
                json!({"type": "string", "enum": ["Exact", "PathPrefix"], "default": "PathPrefix"}),
            ),
            (
                "value",
                json!({"type": "string", "maxLength": 1024, "default": "/"}),
            ),
        ],
        &[],
        &["self.type in ['Exact', 'PathPrefix'] ? self.value.startsWith('/') : true"],
    );
    let by = by_name(
        &object(
            &[
                ("name", text(256, HEADER)),
                ("type", one_of(&["Exact", "RegularExpression"])),
                ("value", text(4096, ".")),
            ],
            &["name", "value"],
            &[],
        ),
        16,
    );
    let found = object(
        &[
            ("path", path),
            ("headers", by.clone()),
            ("query", by),
            ("method", one_of(&["GET", "HEAD", "POST", "PUT"])),
        ],
        &[],
        &[],
    );
    let rule = object(
        &[
            ("matches", list(&found, 8)),
            ("filters", filters),
            ("backends", list(&backend, 16)),
        ],
        &[],
        &["!has(self.filters) || self.filters.filter(f, f.type == 'Redirect').size() <= 1"],
    );
    let condition = object(
        &[
            ("type", text(316, HEADER)),
            ("status", one_of(&["True", "False", "Unknown"])),
            ("time", json!({"type": "string", "format": "date-time"})),
        ],
        &["type", "status"],
        &[],
    );
    let spec = object(
        &[
            ("hostnames", list(&text(253, HOST), 16)),
            (
                "parents",
                list(
                    &object(
                        &[("name", text(253, LABEL)), ("section", text(253, HOST))],
                        &["name"],
                        &[],
                    ),
                    32,
                ),
            ),
            ("rules", list(&rule, 16)),
        ],
        &[],
        &[],
    );
    object(
        &[
            ("spec", spec),
            (
                "status",
                object(&[("conditions", list(&condition, 8))], &[], &[]),
            ),
        ],
        &["spec"],
        &[],
    )
}

const ABOUT: &str = "A description as long as those of the Gateway API are: what the field is for, which values have a \
                     meaning of their own, which implementations support them, and what happens to a request without one.";

fn object(fields: &[(&str, Value)], required: &[&str], rules: &[&str]) -> Value {
    let fields: Map<String, Value> = fields
        .iter()
        .map(|(name, schema)| ((*name).to_owned(), schema.clone()))
        .collect();
    let mut schema = json!({"type": "object", "properties": fields, "description": ABOUT});
    if !required.is_empty() {
        schema["required"] = json!(required);
    }
    if !rules.is_empty() {
        schema["x-kubernetes-validations"] =
            rules.iter().map(|rule| json!({"rule": rule})).collect();
    }
    schema
}
