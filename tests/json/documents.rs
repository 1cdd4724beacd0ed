//! Documents that contain schemas.

use serde_json::{Value, json};
use union_json::{ANNOTATION, annotation};

/// Returns a CRD with one version.
pub(crate) fn crd_of(schema: &Value) -> Value {
    json!({
        "apiVersion": "apiextensions.k8s.io/v1",
        "kind": "CustomResourceDefinition",
        "metadata": {"name": "tests.example.com"},
        "spec": {"versions": [version("v1", schema)]},
    })
}

/// Returns a version of a CRD that is served and stored.
pub(crate) fn version(name: &str, schema: &Value) -> Value {
    json!({"name": name, "served": true, "storage": true, "schema": {"openAPIV3Schema": schema}})
}

/// Returns the part of a schema that an API server keeps.
pub(crate) fn without_extensions(value: &Value) -> Value {
    match value {
        Value::Object(object) => {
            let kept_entries = object
                .iter()
                .filter(|(key, _)| *key != "x-kubernetes-unions");
            kept_entries
                .map(|(key, value)| (key.clone(), without_extensions(value)))
                .collect()
        }
        Value::Array(values) => values.iter().map(without_extensions).collect(),
        scalar => scalar.clone(),
    }
}

/// Returns the CRD for the cluster: `stripped` with an annotation that has the unions of `full`.
pub(crate) fn with_annotation(full: &Value, stripped: &Value) -> Value {
    let annotation_value = annotation(full).expect("the CRD has unions");
    let mut crd = stripped.clone();
    crd["metadata"]["annotations"][ANNOTATION] = annotation_value.into();
    crd
}
