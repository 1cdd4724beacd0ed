//! CRDs and objects of the Gateway API. Without these files, a generated CRD and generated objects
//! of the same size.

use std::path::{Path, PathBuf};
use std::{env, fs};

use k8s_crd_validation::StructuralSchema;
use serde_json::{Map, Value, json};

/// A CRD, and valid objects of the CRD.
#[derive(Clone)]
pub(crate) struct Input {
    pub(crate) crd: Value,
    pub(crate) version: &'static str,
    pub(crate) objects: Vec<Value>,
    /// Changes an object so that it is invalid.
    pub(crate) spoil: fn(&mut Value),
    /// The number of errors of an object after `spoil`.
    pub(crate) spoiled_error_count: usize,
}

impl Input {
    pub(crate) fn compile(&self) -> StructuralSchema {
        let schema = StructuralSchema::compiler().crd(&self.crd, Some(self.version));
        schema.unwrap_or_else(|errors| panic!("{errors}"))
    }
}

/// Returns the kinds to measure.
pub(crate) fn kinds() -> &'static [&'static str] {
    if gateway_folder().is_some() {
        &["HTTPRoute", "Gateway"]
    } else {
        &["Made"]
    }
}

/// Returns the CRD and the objects of a kind.
pub(crate) fn input_for_kind(kind: &str, with_cel: bool) -> Input {
    let mut input = match (kind, gateway_folder()) {
        ("HTTPRoute", Some(folder)) => read_gateway_input(&folder, kind, |object| {
            object["spec"]["hostnames"] = json!(["Not a host"]);
        }),
        ("Gateway", Some(folder)) => read_gateway_input(&folder, kind, |object| {
            object["spec"]["gatewayClassName"] = json!("");
        }),
        _ => synthetic_input(),
    };
    if !with_cel {
        strip_rules(&mut input.crd);
    }
    input
}

/// Returns the source of the CRDs, for the names of rows.
pub(crate) fn source() -> &'static str {
    if gateway_folder().is_some() {
        "the Gateway API"
    } else {
        "this bench"
    }
}

/// Returns all CRDs of the source.
pub(crate) fn crds() -> Vec<Value> {
    let Some(folder) = gateway_folder() else {
        return vec![synthetic_input().crd];
    };
    let mut documents = read_documents(&folder.join("crds"));
    documents.retain(|document| document["kind"] == "CustomResourceDefinition");
    assert!(!documents.is_empty(), "the folder has CRDs");
    documents
}

/// Returns all CRDs of the source, each with its stored version alone.
pub(crate) fn stored_crds() -> impl Iterator<Item = Value> {
    crds().into_iter().map(|mut crd| {
        let versions = crd["spec"]["versions"].as_array_mut();
        versions
            .expect("versions")
            .retain(|version| version["storage"] == true);
        crd
    })
}

/// Returns each version of a CRD, as the CRD and the name of the version.
pub(crate) fn versions(crd: &Value) -> impl Iterator<Item = (&Value, &str)> {
    let versions = crd["spec"]["versions"].as_array().into_iter().flatten();
    versions.filter_map(move |version| Some((crd, version["name"].as_str()?)))
}

/// Returns the folder of the Gateway API's files, if it exists.
fn gateway_folder() -> Option<PathBuf> {
    let shared_cases = match env::var_os("SHARED_CASES") {
        Some(folder) => PathBuf::from(folder),
        None => Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/cases"),
    };
    Some(shared_cases.join("gateway")).filter(|folder| folder.is_dir())
}

/// Reads the same input as the reference: the objects of version v1beta1, with a namespace and a
/// resource version.
fn read_gateway_input(folder: &Path, kind: &str, spoil: fn(&mut Value)) -> Input {
    let mut crds = read_documents(&folder.join("crds")).into_iter();
    let crd = crds.find(|crd| crd["spec"]["names"]["kind"] == *kind);
    let mut objects = read_documents(&folder.join("valid"));
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
        spoiled_error_count: 1,
    }
}

/// Reads the YAML documents of all files in a folder and its inner folders.
fn read_documents(folder: &Path) -> Vec<Value> {
    let mut documents = Vec::new();
    let mut paths: Vec<_> = fs::read_dir(folder)
        .expect("a folder")
        .map(|entry| entry.expect("an entry").path())
        .collect();
    paths.sort();
    for path in paths {
        if path.is_dir() {
            documents.extend(read_documents(&path));
            continue;
        }
        let text = fs::read_to_string(&path).expect("a string");
        let parsed: Vec<Value> = serde_saphyr::from_multiple(&text)
            .unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        documents.extend(parsed.into_iter().filter(|document| !document.is_null()));
    }
    documents
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
fn synthetic_input() -> Input {
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
        crd: json!({
            "apiVersion": "apiextensions.k8s.io/v1", "kind": "CustomResourceDefinition",
            "metadata": {"name": "mades.bench.example.com"},
            "spec": {
                "group": "bench.example.com", "scope": "Namespaced", "versions": [version],
                "names": {"kind": "Made", "plural": "mades"},
            },
        }),
        version: "v1",
        objects: objects.collect(),
        spoil: |object| object["spec"]["hostnames"] = json!(["Not a host"]),
        spoiled_error_count: 1,
    }
}

#[expect(clippy::too_many_lines, reason = "a schema reads best as a whole")]
fn synthetic_schema() -> Value {
    const HOST: &str = r"^(\*\.)?[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$";
    const LABEL: &str = "^[a-z0-9]([-a-z0-9]*[a-z0-9])?$";
    const HEADER: &str = "^[A-Za-z0-9!#$%&'*+\\-.^_\\x60|~]+$";
    let string_schema = |max_length: u32, pattern: &str| json!({"type": "string", "minLength": 1, "maxLength": max_length, "pattern": pattern, "description": DESCRIPTION});
    let enum_schema =
        |values: &[&str]| json!({"type": "string", "enum": values, "description": DESCRIPTION});
    let port = json!({"type": "integer", "format": "int32", "minimum": 1, "maximum": 65535});
    let atomic_list = |items: &Value, max_items: u32| json!({"type": "array", "maxItems": max_items, "items": items, "x-kubernetes-list-type": "atomic"});
    let list_by_name = |items: &Value, max_items: u32| json!({"type": "array", "maxItems": max_items, "items": items, "x-kubernetes-list-type": "map", "x-kubernetes-list-map-keys": ["name"]});
    let header = object_schema(
        &[
            ("name", string_schema(256, HEADER)),
            ("value", json!({"type": "string", "maxLength": 4096})),
        ],
        &["name", "value"],
        &[],
    );
    let headers = list_by_name(&header, 16);
    let modifier = object_schema(
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
        ("name", string_schema(253, LABEL)),
        ("namespace", string_schema(63, LABEL)),
        ("port", port.clone()),
        (
            "weight",
            json!({"type": "integer", "format": "int32", "default": 1, "minimum": 0, "maximum": 1_000_000}),
        ),
    ];
    let reference = object_schema(
        &backend_fields,
        &["name"],
        &["size(self.group) == 0 && self.kind == 'Service' ? has(self.port) : true"],
    );
    let mut filter_fields = vec![(
        "type",
        enum_schema(&["HeaderModifier", "Mirror", "Redirect", "Rewrite"]),
    )];
    for name in ["headers", "responseHeaders", "first", "second", "third"] {
        filter_fields.push((name, modifier.clone()));
    }
    filter_fields.push((
        "mirror",
        object_schema(&[("backend", reference.clone())], &["backend"], &[]),
    ));
    filter_fields.push((
        "redirect",
        object_schema(
            &[("host", string_schema(253, HOST)), ("port", port)],
            &[],
            &[],
        ),
    ));
    let filter = object_schema(
        &filter_fields,
        &["type"],
        &[
            "!(has(self.headers) && self.type != 'HeaderModifier')",
            "!(has(self.mirror) && self.type != 'Mirror')",
            "!(has(self.redirect) && self.type != 'Redirect')",
        ],
    );
    let filters = atomic_list(&filter, 16);
    backend_fields.push(("filters", filters.clone()));
    let backend = object_schema(&backend_fields, &["name"], &[]);
    let path = object_schema(
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
    let value_matches = list_by_name(
        &object_schema(
            &[
                ("name", string_schema(256, HEADER)),
                ("type", enum_schema(&["Exact", "RegularExpression"])),
                ("value", string_schema(4096, ".")),
            ],
            &["name", "value"],
            &[],
        ),
        16,
    );
    let request_match = object_schema(
        &[
            ("path", path),
            ("headers", value_matches.clone()),
            ("query", value_matches),
            ("method", enum_schema(&["GET", "HEAD", "POST", "PUT"])),
        ],
        &[],
        &[],
    );
    let rule = object_schema(
        &[
            ("matches", atomic_list(&request_match, 8)),
            ("filters", filters),
            ("backends", atomic_list(&backend, 16)),
        ],
        &[],
        &["!has(self.filters) || self.filters.filter(f, f.type == 'Redirect').size() <= 1"],
    );
    let condition = object_schema(
        &[
            ("type", string_schema(316, HEADER)),
            ("status", enum_schema(&["True", "False", "Unknown"])),
            ("time", json!({"type": "string", "format": "date-time"})),
        ],
        &["type", "status"],
        &[],
    );
    let spec = object_schema(
        &[
            ("hostnames", atomic_list(&string_schema(253, HOST), 16)),
            (
                "parents",
                atomic_list(
                    &object_schema(
                        &[
                            ("name", string_schema(253, LABEL)),
                            ("section", string_schema(253, HOST)),
                        ],
                        &["name"],
                        &[],
                    ),
                    32,
                ),
            ),
            ("rules", atomic_list(&rule, 16)),
        ],
        &[],
        &[],
    );
    object_schema(
        &[
            ("spec", spec),
            (
                "status",
                object_schema(&[("conditions", atomic_list(&condition, 8))], &[], &[]),
            ),
        ],
        &["spec"],
        &[],
    )
}

const DESCRIPTION: &str = "A description with the usual length of the Gateway API: the purpose of the field, the values with any \
                     special meaning, the implementations that support them, and the effect on a request without one.";

/// Returns the schema of an object with these fields and CEL rules.
fn object_schema(fields: &[(&str, Value)], required: &[&str], rules: &[&str]) -> Value {
    let fields: Map<String, Value> = fields
        .iter()
        .map(|(name, schema)| ((*name).to_owned(), schema.clone()))
        .collect();
    let mut schema = json!({"type": "object", "properties": fields, "description": DESCRIPTION});
    if !required.is_empty() {
        schema["required"] = json!(required);
    }
    if !rules.is_empty() {
        schema["x-kubernetes-validations"] =
            rules.iter().map(|rule| json!({"rule": rule})).collect();
    }
    schema
}
