//! Tests of the flags that select a schema (`--schema`, `--crd`, `--version`, `--name`), and of the
//! selection of one object among several.

use serde_json::{Value, json};

use crate::process::{ProgramOutput, run, run_with_stdin, sample, write_file};

/// Returns the schema of an object with a union.
fn strategy_schema() -> Value {
    json!({
        "type": "object",
        "properties": {
            "type": {
                "type": "string",
                "enum": ["Recreate", "RollingUpdate"],
                "x-kubernetes-unions": { "fieldMembers": {
                    "Recreate": null,
                    "RollingUpdate": { "name": "rollingUpdate", "optional": true },
                }},
            },
            "rollingUpdate": { "type": "object" },
        },
    })
}

/// Validates an object that is invalid by [`strategy_schema`].
#[track_caller]
fn validate(args: &[&str]) -> ProgramOutput {
    let args = ["unions", "--new", "-"].iter().chain(args);
    run_with_stdin(args, "{type: Recreate, rollingUpdate: {}}")
}

#[test]
fn a_schema_without_a_crd_is_selected_by_the_schema_flag() {
    let schema = write_file("alone.json", strategy_schema().to_string());
    let output = validate(&["--schema", &schema]);
    assert_eq!((output.code, output.stderr.as_str()), (1, ""));
    assert!(output.stdout.contains("rollingUpdate: Invalid value"));
}

#[test]
fn a_schema_of_an_openapi_document_is_selected_by_name() {
    let schemas = json!({ "io.example.v1.Strategy": strategy_schema(), "io.example.v1.Other": {} });
    let schemas_with_reference = |reference: &str| json!({ "io.example.v1.Strategy": strategy_schema(), "io.example.v1.Other": { "$ref": reference } });
    let v3 = json!({ "openapi": "3.0.0", "components": { "schemas": schemas } });
    let v2 = json!({ "swagger": "2.0", "definitions": schemas });
    for (version, document, pointer) in [
        ("v3", v3, "/components/schemas"),
        ("v2", v2, "/definitions"),
    ] {
        let document_file = write_file(&format!("openapi_{version}.json"), document.to_string());
        let output = validate(&[
            "--schema",
            &document_file,
            "--name",
            "io.example.v1.Strategy",
        ]);
        assert_eq!((output.code, output.stderr.as_str()), (1, ""));

        let mut document = document;
        let reference = format!("#{pointer}/io.example.v1.Strategy");
        *document.pointer_mut(pointer).unwrap() = schemas_with_reference(&reference);
        let reference_file =
            write_file(&format!("openapi_ref_{version}.json"), document.to_string());
        assert_eq!(
            validate(&["--schema", &reference_file, "--name", "io.example.v1.Other"]).code,
            1
        );

        assert_eq!(
            validate(&["--schema", &document_file]).error_message(),
            format!(
                "{document_file}: expected a schema, found an OpenAPI document; \
                 select a schema with --name, such as --name io.k8s.api.apps.v1.Deployment"
            )
        );
        for similar_name in ["Strategy", "strategy", "apps.Strategy"] {
            assert_eq!(
                validate(&["--schema", &document_file, "--name", similar_name]).error_message(),
                format!(
                    "{document_file}: unknown schema {similar_name:?}; use io.example.v1.Strategy"
                )
            );
        }
        assert_eq!(
            validate(&["--schema", &document_file, "--name", "x"]).error_message(),
            format!(
                "{document_file}: unknown schema \"x\"; use one of: io.example.v1.Other, io.example.v1.Strategy"
            )
        );
    }
}

#[test]
fn the_name_flag_is_an_error_without_named_schemas() {
    let schema = write_file("nameless.json", strategy_schema().to_string());
    assert_eq!(
        validate(&["--schema", &schema, "--name", "x"]).error_message(),
        format!(
            "{schema}: unknown schema \"x\"; the document has no named schemas, so remove --name"
        )
    );
}

#[test]
fn a_crd_and_a_schema_need_different_flags() {
    let crd = sample("crd.yaml");
    assert_eq!(
        validate(&["--schema", &crd]).error_message(),
        format!("{crd}: expected a schema, found a CustomResourceDefinition; pass it to --crd")
    );
    let schema = write_file("schemas_no_crd.json", strategy_schema().to_string());
    assert_eq!(
        validate(&["--crd", &schema]).error_message(),
        format!(
            "{schema}: expected a CustomResourceDefinition, found an object without a kind; pass a schema to --schema"
        )
    );
}

#[test]
fn an_invalid_extension_is_noted_with_its_pointer() {
    let schema = write_file(
        "malformed.yaml",
        "properties: {type: {x-kubernetes-unions: {fieldMembers: {}}}}",
    );
    let output = validate(&["--schema", &schema]);
    let note = format!(
        "note: {schema}: /properties/type: `fieldMembers` is empty; add an entry for each discriminator value (unions here are \
         skipped)\n"
    );
    assert_eq!((output.code, output.stderr), (0, note));
}

/// The schema has unions in the extension shape that Kubernetes 1.36 publishes.
#[test]
fn invalid_unions_are_noted_and_valid_unions_are_used() {
    let seccomp_schema = |name: &str| {
        json!({
            "properties": {
                "type": {"type": "string", "enum": ["Localhost", "RuntimeDefault", "Unconfined"]},
                "localhostProfile": {"type": "string"},
            },
            "x-kubernetes-unions": [{"discriminator": "type", "fields-to-discriminateBy": {"localhostProfile": name}}],
        })
    };
    let schema = json!({"properties": {
        "bad": seccomp_schema("LocalhostProfile"), "worse": seccomp_schema("Profile"), "good": seccomp_schema("Localhost"),
    }});
    let schema = write_file("seccomp.json", schema.to_string());
    let profile = json!({"type": "RuntimeDefault", "localhostProfile": "x"});
    let new_object = json!({"bad": profile, "worse": profile, "good": profile});
    let new_file = write_file("profiles.json", new_object.to_string());
    let output = run(["unions", "--schema", &schema, "--new", &new_file]);
    assert_eq!(output.code, 0);
    let notes: Vec<&str> = output.stderr.lines().collect();
    assert_eq!(notes.len(), 2, "{}", output.stderr);
    for (note, name) in notes.iter().zip(["bad", "worse"]) {
        let start = format!("note: {schema}: /properties/{name}/x-kubernetes-unions/0: ");
        assert!(note.starts_with(&start), "{note}");
    }
    let expected_changes = "changed:\n  good.localhostProfile: cleared\nno errors\n";
    assert!(
        output.stdout.contains(expected_changes),
        "{}",
        output.stdout
    );
}

#[test]
fn a_schema_without_unions_is_noted() {
    let schema = write_file("without.yaml", "type: object");
    let output = validate(&["--schema", &schema]);
    assert_eq!(output.code, 0);
    assert_eq!(
        output.stderr,
        format!("note: {schema}: no unions found: `x-kubernetes-unions` is not set\n")
    );
    let output = validate(&[
        "--crd",
        &write_file(
            "without_crd.yaml",
            crd("A", &json!({ "v1": {} })).to_string(),
        ),
    ]);
    assert_eq!(output.code, 0);
    assert!(
        output.stderr.contains(
            "nor the annotation union-runtime.dev/unions declares unions of this version"
        ),
        "{}",
        output.stderr
    );
}

/// Returns a CRD of the group `example.com`. The first version is the storage version.
fn crd(kind: &str, schemas: &Value) -> Value {
    let schemas = schemas.as_object().unwrap().iter().enumerate();
    let versions = schemas.map(|(index, (name, schema))| {
        json!({ "name": name, "storage": index == 0, "schema": { "openAPIV3Schema": schema } })
    });
    let plural = format!("{}s", kind.to_lowercase());
    json!({
        "apiVersion": "apiextensions.k8s.io/v1",
        "kind": "CustomResourceDefinition",
        "metadata": { "name": format!("{plural}.example.com") },
        "spec": {
            "group": "example.com",
            "names": { "kind": kind, "plural": plural },
            "versions": versions.collect::<Vec<_>>(),
        },
    })
}

/// Returns an object of a kind, which is invalid by [`strategy_schema`].
fn object_of_kind(kind: &str, version: &str) -> Value {
    json!({
        "apiVersion": format!("example.com/{version}"),
        "kind": kind,
        "metadata": { "name": "one" },
        "type": "Recreate",
        "rollingUpdate": {},
    })
}

#[test]
fn the_flag_or_the_object_selects_the_version_and_the_stored_version_is_the_default() {
    let schemas_by_version = json!({ "v1": {}, "v2": strategy_schema() });
    let crd_file = write_file("versions.json", crd("A", &schemas_by_version).to_string());
    let validate = |new_object: &Value, version_args: &[&str]| {
        let args = ["unions", "--crd", &crd_file, "--new", "-"];
        run_with_stdin(args.iter().chain(version_args), new_object.to_string())
    };
    let has_no_unions = |output: &ProgramOutput| output.stderr.contains("no unions found");

    let object_without_type = json!({ "type": "Recreate", "rollingUpdate": {} });
    assert!(
        has_no_unions(&validate(&object_without_type, &[])),
        "v1 is stored"
    );
    assert_eq!(validate(&object_without_type, &["--version", "v2"]).code, 1);
    assert!(has_no_unions(&validate(&object_of_kind("A", "v1"), &[])));
    assert!(
        has_no_unions(&validate(&object_of_kind("A", "v7"), &[])),
        "no such version"
    );
    assert!(has_no_unions(&validate(
        &object_of_kind("A", "v2"),
        &["--version", "v1"]
    )));
    let output = validate(&object_of_kind("A", "v2"), &[]);
    assert_eq!(output.code, 1);
    assert_eq!(
        output.stderr,
        format!(
            "note: {crd_file}: using version v2 of the object; the storage version may have other unions\n"
        )
    );
    assert_eq!(
        validate(&object_without_type, &["--version", "v3"]).error_message(),
        format!("{crd_file}: /spec/versions: unknown version \"v3\"; use one of: \"v1\", \"v2\"")
    );
}

#[test]
fn an_object_of_another_type_is_an_error() {
    let crd_file = write_file(
        "typed.json",
        crd("A", &json!({ "v1": strategy_schema() })).to_string(),
    );
    let validate = |new_object: &Value| {
        run_with_stdin(
            ["unions", "--crd", &crd_file, "--new", "-"],
            new_object.to_string(),
        )
    };
    assert_eq!(validate(&object_of_kind("A", "v1")).code, 1);
    assert_eq!(
        validate(&object_of_kind("B", "v1")).error_message(),
        format!(
            "stdin: {crd_file} does not define B \"one\" of example.com/v1; \
             it defines A of example.com"
        )
    );
    assert!(
        validate(&json!({ "apiVersion": "v1", "kind": "A" }))
            .error_message()
            .contains(" of v1; it defines")
    );
}

/// Returns documents as one YAML file.
fn yaml_stream(documents: &[Value]) -> String {
    serde_saphyr::to_string_multiple(documents).unwrap()
}

#[test]
fn a_crd_is_selected_by_the_object_or_by_name() {
    let crds = [
        crd("A", &json!({ "v1": strategy_schema() })),
        crd("B", &json!({ "v1": {} })),
    ];
    let list = json!({ "apiVersion": "v1", "kind": "List", "items": crds });
    for content in [yaml_stream(&crds), list.to_string()] {
        let crd_file = write_file("several_crds.yaml", content);
        let validate = |new_object: &Value, name_args: &[&str]| {
            let args = ["unions", "--crd", &crd_file, "--new", "-"];
            run_with_stdin(args.iter().chain(name_args), new_object.to_string())
        };
        let output = validate(&object_of_kind("A", "v1"), &[]);
        assert_eq!(output.code, 1);
        assert_eq!(
            output.stderr,
            format!(
                "note: {crd_file} has 2 objects; using CustomResourceDefinition \"as.example.com\"\n"
            )
        );
        let object_without_type = json!({ "type": "Recreate", "rollingUpdate": {} });
        for name in ["as.example.com", "A", "as"] {
            assert_eq!(validate(&object_without_type, &["--name", name]).code, 1);
        }
        assert_eq!(
            validate(&object_without_type, &[]).error_message(),
            format!(
                "{crd_file}: several of 2 objects match; pass only the CustomResourceDefinition (or select it with --name)"
            )
        );
        assert!(
            validate(&object_without_type, &["--name", "C"])
                .error_message()
                .contains("none of 2 objects matches")
        );
        // Both objects match a CRD, so `--name` is required.
        let object_list = json!([object_of_kind("A", "v1"), object_of_kind("B", "v1")]);
        let object_list = json!({ "kind": "List", "items": object_list });
        assert!(
            validate(&object_list, &[])
                .error_message()
                .contains("several of 2 objects match")
        );
        let output = validate(&object_list, &["--name", "A"]);
        assert_eq!((output.code, output.stderr.lines().count()), (1, 2));
    }
    let single_crd_file = write_file("one_crd.yaml", crds[0].to_string());
    assert_eq!(
        validate(&["--crd", &single_crd_file, "--name", "B"]).error_message(),
        format!(
            "{single_crd_file}: expected \"B\" (--name), found CustomResourceDefinition \"as.example.com\""
        )
    );
}

#[test]
fn an_object_is_selected_by_the_crd() {
    let crd_file = write_file(
        "for_several.json",
        crd("A", &json!({ "v1": strategy_schema() })).to_string(),
    );
    let validate = |objects: &[Value]| {
        let new_file = write_file("several_objects.yaml", yaml_stream(objects));
        (
            run(["unions", "--crd", &crd_file, "--new", &new_file]),
            new_file,
        )
    };
    let (output, new_file) = validate(&[object_of_kind("B", "v1"), object_of_kind("A", "v1")]);
    assert_eq!(output.code, 1);
    assert_eq!(
        output.stderr,
        format!("note: {new_file} has 2 objects; using A \"one\"\n")
    );
    let (output, new_file) = validate(&[object_of_kind("A", "v1"), object_of_kind("A", "v1")]);
    assert_eq!(
        output.error_message(),
        format!("{new_file}: several of 2 objects match; pass only the object")
    );
    let (output, new_file) = validate(&[object_of_kind("B", "v1"), object_of_kind("B", "v1")]);
    assert_eq!(
        output.error_message(),
        format!("{new_file}: none of 2 objects matches; pass only the object")
    );
}

#[test]
fn empty_documents_are_ignored() {
    let schema = write_file(
        "separated.yaml",
        "---\n# a schema\n---\ntype: object\n---\n# the end\n",
    );
    assert_eq!(validate(&["--schema", &schema]).code, 0);
}
