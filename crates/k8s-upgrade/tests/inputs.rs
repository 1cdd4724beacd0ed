//! CRDs and objects for the tests.

use k8s_upgrade::{Finding, KubeVersion, Upgrade};
use serde_json::{Value, json};

/// Returns a version from its minor version.
pub(crate) fn version(minor: u16) -> KubeVersion {
    KubeVersion::from_minor(minor).expect("a known version")
}

/// Returns a stored CRD with a schema.
pub(crate) fn crd(schema: &Value) -> Value {
    json!({
        "apiVersion": "apiextensions.k8s.io/v1",
        "kind": "CustomResourceDefinition",
        "metadata": {"name": "docs.example.com", "resourceVersion": "1"},
        "spec": {
            "group": "example.com", "scope": "Cluster", "conversion": {"strategy": "None"},
            "names": {"kind": "Doc", "plural": "docs", "singular": "doc", "listKind": "DocList"},
            "versions": [{
                "name": "v1", "served": true, "storage": true, "subresources": {"status": {}},
                "schema": {"openAPIV3Schema": schema},
            }],
        },
        "status": {
            "storedVersions": ["v1"],
            "conditions": [{"type": "Established", "status": "True"}],
        },
    })
}

/// Returns a stored object with these fields.
pub(crate) fn object(fields: &Value) -> Value {
    let mut object = json!({
        "apiVersion": "example.com/v1", "kind": "Doc",
        "metadata": {"name": "a", "resourceVersion": "1"},
    });
    for (field, value) in fields.as_object().expect("an object") {
        object[field] = value.clone();
    }
    object
}

/// Returns the findings for a CRD and for an object.
pub(crate) fn compare(
    from: KubeVersion,
    to: KubeVersion,
    crd: &Value,
    object: &Value,
) -> Vec<Finding> {
    let upgrade = Upgrade::new(from, to);
    let mut findings = upgrade.compare_crd(crd);
    if let Ok(mut schema) = upgrade.schema(crd, "v1") {
        let has_findings = schema.has_findings(object);
        let object_findings = schema.compare_object(object);
        assert_eq!(has_findings, !object_findings.is_empty());
        findings.extend(object_findings);
    }
    findings
}
