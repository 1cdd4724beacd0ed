//! Tests of `unionctl prune-enums`.

use serde_json::{Value, json};
use union_json::openapi::to_openapi_v2;

use crate::process::{ProgramOutput, file, run, run_with, sample};

/// Returns a schema with an enum type, as Kubernetes publishes it, and with an enum that is not an
/// enum type.
fn schema() -> Value {
    json!({
        "type": "object",
        "properties": {
            "type": {
                "type": "string",
                "description": "What it is.\n\nPossible enum values:\n - `\"A\"` first\n - `\"B\"`",
                "enum": ["A", "B"],
            },
            "level": { "type": "string", "enum": ["low", "high"] },
        },
    })
}

fn pruned() -> Value {
    let mut schema = schema();
    schema["properties"]["type"] = json!({ "type": "string", "description": "What it is." });
    schema
}

#[track_caller]
fn prune(name: &str, document: &Value) -> ProgramOutput {
    run(["prune-enums", "--schema", &file(name, document.to_string())])
}

#[test]
fn a_schema_without_a_crd() {
    let output = prune("alone_with_enums.json", &schema());
    assert_eq!((output.code, output.stderr.as_str()), (0, ""));
    assert_eq!(output.json(), pruned());
}

#[test]
fn openapi_of_both_versions() {
    let of =
        |schema: Value| json!({ "openapi": "3.0.0", "components": { "schemas": { "A": schema } } });
    assert_eq!(prune("enums_v3.json", &of(schema())).json(), of(pruned()));
    let v2 = |schema| to_openapi_v2(of(schema));
    assert_eq!(v2(schema())["swagger"], "2.0");
    assert_eq!(prune("enums_v2.json", &v2(schema())).json(), v2(pruned()));
}

#[test]
fn a_crd_in_yaml_has_yaml_output() {
    let output = run(["prune-enums", "--schema", &sample("crd.yaml")]);
    assert_eq!((output.code, output.stderr.as_str()), (0, ""));
    assert!(
        output
            .stdout
            .starts_with("apiVersion: apiextensions.k8s.io/v1\n"),
        "{}",
        output.stdout
    );
    let crd: Value = serde_saphyr::from_str(&output.stdout).unwrap();
    let before = std::fs::read_to_string(sample("crd.yaml")).unwrap();
    let mut expected: Value = serde_saphyr::from_str(&before).unwrap();
    let schema = "/spec/versions/0/schema/openAPIV3Schema";
    let discriminator = format!("{schema}/properties/spec/properties/target/properties/type");
    *expected.pointer_mut(&discriminator).unwrap() =
        json!({ "type": "string", "description": "Names the field to respect." });
    assert_eq!(crd, expected);

    let output = run(["prune-enums", "--schema", &sample("crd.yaml"), "-o", "json"]);
    assert_eq!(output.json(), expected);
}

#[test]
fn every_document_of_a_file_is_pruned() {
    let both = serde_saphyr::to_string_multiple(&[schema(), schema()]).unwrap();
    let output = run_with(["prune-enums", "--schema", "-"], both);
    assert_eq!(output.code, 0);
    let documents: Vec<Value> = serde_saphyr::from_multiple(&output.stdout).unwrap();
    assert_eq!(documents, [pruned(), pruned()]);
}

#[test]
fn a_list_stays_a_list() {
    let list = |schema: Value| json!({ "apiVersion": "v1", "kind": "List", "items": [schema] });
    assert_eq!(
        prune("enums_list.json", &list(schema())).json(),
        list(pruned())
    );
}

#[test]
fn a_document_without_enum_types_is_noted() {
    let path = file("no_enums.json", pruned().to_string());
    let output = run(["prune-enums", "--schema", &path]);
    assert_eq!((output.code, output.json()), (0, pruned()));
    assert_eq!(
        output.stderr,
        format!(
            "note: {path}: no enum types found: \
             no description has the list \"Possible enum values:\"\n"
        )
    );
}

#[test]
fn empty_input_is_an_error() {
    let output = run(["prune-enums", "--schema", "-"]);
    assert_eq!(
        output.problem(),
        "stdin: empty input; expected a schema, an OpenAPI document or a CRD"
    );
}
