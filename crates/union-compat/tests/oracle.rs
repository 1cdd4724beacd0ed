//! An oracle for findings: the results of the union engine and of the validator of custom
//! resources, without the crate under test.

use k8s_crd_validation::{ServerSettings, StructuralSchema};
use serde_json::{Value, json};
use union_compat::{CompatReport, Decision, Decisions, Finding};
use union_json::{SchemaSource, Unions};

/// Returns a CRD whose versions have these names and schemas of `spec`.
pub(crate) fn crd(versions: &[(&str, Value)]) -> Value {
    let versions: Vec<Value> = versions
        .iter()
        .enumerate()
        .map(|(index, (name, spec))| {
            json!({
                "name": name,
                "served": true,
                "storage": index == 0,
                "schema": {"openAPIV3Schema": {"type": "object", "properties": {"spec": spec}}},
            })
        })
        .collect();
    json!({
        "apiVersion": "apiextensions.k8s.io/v1",
        "kind": "CustomResourceDefinition",
        "metadata": {"name": "things.example.com"},
        "spec": {
            "group": "example.com",
            "scope": "Namespaced",
            "names": {"kind": "Thing", "plural": "things", "singular": "thing", "listKind": "ThingList"},
            "versions": versions,
        },
    })
}

/// Returns an object of the CRD.
pub(crate) fn thing(version: &str, spec: &Value) -> Value {
    json!({
        "apiVersion": format!("example.com/{version}"),
        "kind": "Thing",
        "metadata": {"name": "one", "namespace": "default"},
        "spec": spec,
    })
}

/// Returns the `spec` that a server stores for a new object, or its first error.
pub(crate) fn create(crd: &Value, version: &str, spec: &Value) -> Result<Value, String> {
    let schema = StructuralSchema::compiler()
        .crd(crd, Some(version))
        .expect("the CRD is fine");
    let mut object = thing(version, spec);
    let outcome = schema.create(&mut object, &ServerSettings::default());
    match outcome.errors().first() {
        None => Ok(object["spec"].clone()),
        Some(error) => Err(error.to_string()),
    }
}

/// Returns true if a server accepts an update of an object.
pub(crate) fn update(crd: &Value, version: &str, old: &Value, new: &Value) -> bool {
    let schema = StructuralSchema::compiler()
        .crd(crd, Some(version))
        .expect("the CRD is fine");
    let stored = |spec: &Value| {
        let mut object = thing(version, spec);
        object["metadata"]["resourceVersion"] = json!("1");
        object["metadata"]["uid"] = json!("a");
        object
    };
    let outcome = schema.update(&mut stored(new), &stored(old), &ServerSettings::default());
    outcome.is_accepted()
}

/// Returns true if the union engine accepts an object. The unions are declared by the schema or
/// implied by its rules.
pub(crate) fn engine_accepts(schema: &Value, object: &Value) -> bool {
    let compiler =
        crd_unions::add_unions_to(Unions::compiler(), &crd_unions::analyze_schema(schema));
    let unions = compiler.lenient().compile(SchemaSource::Schema(schema));
    let unions = unions.expect("a valid schema");
    unions.validate(object).is_accepted()
}

/// Returns the code, the subjects and the object of each finding.
pub(crate) fn findings_of(comparison: &CompatReport) -> Vec<(&'static str, Vec<&str>, Value)> {
    let findings = comparison.findings.iter();
    findings
        .map(|finding: &Finding| {
            let subjects = finding.subjects.iter().map(String::as_str).collect();
            (finding.code.as_str(), subjects, finding.object.clone())
        })
        .collect()
}

pub(crate) fn is_rejected(decision: &Decision) -> bool {
    matches!(decision, Decision::Rejected(_))
}

/// Compares the decisions of a finding with the results of the engine and the validator. `object`
/// is the `spec` of the object.
#[track_caller]
pub(crate) fn assert_decisions(decisions: &Decisions, crd: &Value, version: &str, object: &Value) {
    let schema = crd["spec"]["versions"]
        .as_array()
        .and_then(|versions| {
            versions
                .iter()
                .find(|version_entry| version_entry["name"] == version)
        })
        .expect("the CRD has the version");
    let spec = &schema["schema"]["openAPIV3Schema"]["properties"]["spec"];
    assert_eq!(
        is_rejected(&decisions.union),
        !engine_accepts(spec, object),
        "engine: {object}"
    );
    let outcome = create(crd, version, object);
    assert_eq!(
        is_rejected(&decisions.server),
        outcome.is_err(),
        "validator: {object}: {outcome:?}"
    );
}
