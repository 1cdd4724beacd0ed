//! Tests of `unionctl prune-enums`.

use serde_json::{Value, json};
use union_json::openapi::to_openapi_v2;

use crate::process::{ProgramOutput, run, run_with_stdin, sample, write_file};

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

fn pruned_schema() -> Value {
    let mut schema = schema();
    schema["properties"]["type"] = json!({ "type": "string", "description": "What it is." });
    schema
}

#[track_caller]
fn prune(name: &str, document: &Value) -> ProgramOutput {
    run([
        "prune-enums",
        "--schema",
        &write_file(name, document.to_string()),
    ])
}

#[test]
fn a_schema_without_a_crd_is_pruned() {
    let output = prune("alone_with_enums.json", &schema());
    assert_eq!((output.code, output.stderr.as_str()), (0, ""));
    assert_eq!(output.json(), pruned_schema());
}

#[test]
fn openapi_documents_of_both_versions_are_pruned() {
    let openapi_v3 =
        |schema: Value| json!({ "openapi": "3.0.0", "components": { "schemas": { "A": schema } } });
    assert_eq!(
        prune("enums_v3.json", &openapi_v3(schema())).json(),
        openapi_v3(pruned_schema())
    );
    let openapi_v2 = |schema| to_openapi_v2(openapi_v3(schema));
    assert_eq!(openapi_v2(schema())["swagger"], "2.0");
    assert_eq!(
        prune("enums_v2.json", &openapi_v2(schema())).json(),
        openapi_v2(pruned_schema())
    );
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
    let crd_source = std::fs::read_to_string(sample("crd.yaml")).unwrap();
    let mut expected: Value = serde_saphyr::from_str(&crd_source).unwrap();
    let schema_pointer = "/spec/versions/0/schema/openAPIV3Schema";
    let discriminator =
        format!("{schema_pointer}/properties/spec/properties/target/properties/type");
    *expected.pointer_mut(&discriminator).unwrap() =
        json!({ "type": "string", "description": "Names the field to respect." });
    assert_eq!(crd, expected);

    let output = run(["prune-enums", "--schema", &sample("crd.yaml"), "-o", "json"]);
    assert_eq!(output.json(), expected);
}

#[test]
fn every_document_of_a_file_is_pruned() {
    let yaml = serde_saphyr::to_string_multiple(&[schema(), schema()]).unwrap();
    let output = run_with_stdin(["prune-enums", "--schema", "-"], yaml);
    assert_eq!(output.code, 0);
    let documents: Vec<Value> = serde_saphyr::from_multiple(&output.stdout).unwrap();
    assert_eq!(documents, [pruned_schema(), pruned_schema()]);
}

#[test]
fn a_list_stays_a_list() {
    let list = |schema: Value| json!({ "apiVersion": "v1", "kind": "List", "items": [schema] });
    assert_eq!(
        prune("enums_list.json", &list(schema())).json(),
        list(pruned_schema())
    );
}

#[test]
fn a_document_without_enum_types_is_noted() {
    let schema_file = write_file("no_enums.json", pruned_schema().to_string());
    let output = run(["prune-enums", "--schema", &schema_file]);
    assert_eq!((output.code, output.json()), (0, pruned_schema()));
    assert_eq!(
        output.stderr,
        format!(
            "note: {schema_file}: no enum types found: \
             no description has the list \"Possible enum values:\"\n"
        )
    );
}

#[test]
fn empty_input_is_an_error() {
    let output = run(["prune-enums", "--schema", "-"]);
    assert_eq!(
        output.error_message(),
        "stdin: empty input; expected a schema, an OpenAPI document or a CRD"
    );
}
