//! What the engine and the custom-resource validator say to the object of a finding, asked without the crate.

use k8s_crd_validation::{ServerSettings, StructuralSchema};
use serde_json::{Value, json};
use union_compat::{Answer, Comparison, Finding, Verdict};
use union_json::{Source, Unions};

/// A CRD with one version, or several: their names, whether they are served, and their schemas of `spec`.
pub(crate) fn crd(versions: &[(&str, Value)]) -> Value {
    let versions: Vec<Value> = versions
        .iter()
        .enumerate()
        .map(|(number, (name, spec))| {
            json!({
                "name": name,
                "served": true,
                "storage": number == 0,
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

/// An object of that CRD.
pub(crate) fn thing(version: &str, spec: &Value) -> Value {
    json!({
        "apiVersion": format!("example.com/{version}"),
        "kind": "Thing",
        "metadata": {"name": "one", "namespace": "default"},
        "spec": spec,
    })
}

/// What a server says to a new thing, and which spec it stores.
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

/// Whether an update of a thing is accepted.
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

/// Whether the engine accepts an object of a schema, by the unions that it declares or that its rules say.
pub(crate) fn engine(schema: &Value, object: &Value) -> bool {
    let compiler = crd_unions::declare(Unions::compiler(), &crd_unions::read_schema(schema));
    let unions = compiler.lenient().compile(Source::Schema(schema));
    let unions = unions.expect("it is a schema");
    unions.validate(object).is_accepted()
}

/// The findings, by code, what they are about, and their objects.
pub(crate) fn found(comparison: &Comparison) -> Vec<(&'static str, Vec<&str>, Value)> {
    let findings = comparison.findings.iter();
    findings
        .map(|finding: &Finding| {
            let about = finding.about.iter().map(String::as_str).collect();
            (finding.code.name(), about, finding.object.clone())
        })
        .collect()
}

pub(crate) fn is_refused(answer: &Answer) -> bool {
    matches!(answer, Answer::Refused(_))
}

/// Holds the verdicts of a finding to what the judges say: the object at `spec` itself.
#[track_caller]
pub(crate) fn confirm(of: &Verdict, crd: &Value, version: &str, object: &Value) {
    let schema = crd["spec"]["versions"]
        .as_array()
        .and_then(|versions| versions.iter().find(|found| found["name"] == version))
        .expect("it has the version");
    let spec = &schema["schema"]["openAPIV3Schema"]["properties"]["spec"];
    assert_eq!(
        is_refused(&of.union),
        !engine(spec, object),
        "engine: {object}"
    );
    let said = create(crd, version, object);
    assert_eq!(
        is_refused(&of.server),
        said.is_err(),
        "validator: {object}: {said:?}"
    );
}
