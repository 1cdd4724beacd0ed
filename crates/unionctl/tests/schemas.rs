//! Tests of the flags that select a schema (`--schema`, `--crd`, `--version`, `--name`), and of the
//! selection of one object among several.

use serde_json::{Value, json};

use crate::process::{ProgramOutput, file, run, run_with, sample};

/// Returns the schema of an object with a union.
fn strategy() -> Value {
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

/// Validates an object that is invalid by [`strategy`].
#[track_caller]
fn validate(args: &[&str]) -> ProgramOutput {
    let args = ["unions", "--new", "-"].iter().chain(args);
    run_with(args, "{type: Recreate, rollingUpdate: {}}")
}

#[test]
fn a_schema_without_a_crd() {
    let schema = file("alone.json", strategy().to_string());
    let output = validate(&["--schema", &schema]);
    assert_eq!((output.code, output.stderr.as_str()), (1, ""));
    assert!(output.stdout.contains("rollingUpdate: Invalid value"));
}

#[test]
fn a_schema_of_an_openapi_document() {
    let named = json!({ "io.example.v1.Strategy": strategy(), "io.example.v1.Other": {} });
    let referring = |reference: &str| json!({ "io.example.v1.Strategy": strategy(), "io.example.v1.Other": { "$ref": reference } });
    let v3 = json!({ "openapi": "3.0.0", "components": { "schemas": named } });
    let v2 = json!({ "swagger": "2.0", "definitions": named });
    for (form, document, pointer) in [
        ("v3", v3, "/components/schemas"),
        ("v2", v2, "/definitions"),
    ] {
        let path = file(&format!("openapi_{form}.json"), document.to_string());
        let output = validate(&["--schema", &path, "--name", "io.example.v1.Strategy"]);
        assert_eq!((output.code, output.stderr.as_str()), (1, ""));

        let mut document = document;
        let reference = format!("#{pointer}/io.example.v1.Strategy");
        *document.pointer_mut(pointer).unwrap() = referring(&reference);
        let referring = file(&format!("openapi_ref_{form}.json"), document.to_string());
        assert_eq!(
            validate(&["--schema", &referring, "--name", "io.example.v1.Other"]).code,
            1
        );

        assert_eq!(
            validate(&["--schema", &path]).problem(),
            format!(
                "{path}: expected a schema, found an OpenAPI document; \
                 select a schema with --name, such as --name io.k8s.api.apps.v1.Deployment"
            )
        );
        for similar in ["Strategy", "strategy", "apps.Strategy"] {
            assert_eq!(
                validate(&["--schema", &path, "--name", similar]).problem(),
                format!("{path}: unknown schema {similar:?}; use io.example.v1.Strategy")
            );
        }
        assert_eq!(
            validate(&["--schema", &path, "--name", "x"]).problem(),
            format!(
                "{path}: unknown schema \"x\"; use one of: io.example.v1.Other, io.example.v1.Strategy"
            )
        );
    }
}

#[test]
fn a_document_without_named_schemas_has_no_name() {
    let schema = file("nameless.json", strategy().to_string());
    assert_eq!(
        validate(&["--schema", &schema, "--name", "x"]).problem(),
        format!(
            "{schema}: unknown schema \"x\"; the document has no named schemas, so remove --name"
        )
    );
}

#[test]
fn a_crd_and_a_schema_need_different_flags() {
    let crd = sample("crd.yaml");
    assert_eq!(
        validate(&["--schema", &crd]).problem(),
        format!("{crd}: expected a schema, found a CustomResourceDefinition; pass it to --crd")
    );
    let schema = file("no_crd.json", strategy().to_string());
    assert_eq!(
        validate(&["--crd", &schema]).problem(),
        format!(
            "{schema}: expected a CustomResourceDefinition, found an object without a kind; pass a schema to --schema"
        )
    );
}

#[test]
fn an_invalid_extension_is_noted_with_its_pointer() {
    let schema = file(
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
    let seccomp = |name: &str| {
        json!({
            "properties": {
                "type": {"type": "string", "enum": ["Localhost", "RuntimeDefault", "Unconfined"]},
                "localhostProfile": {"type": "string"},
            },
            "x-kubernetes-unions": [{"discriminator": "type", "fields-to-discriminateBy": {"localhostProfile": name}}],
        })
    };
    let schema = json!({"properties": {
        "bad": seccomp("LocalhostProfile"), "worse": seccomp("Profile"), "good": seccomp("Localhost"),
    }});
    let schema = file("seccomp.json", schema.to_string());
    let profile = json!({"type": "RuntimeDefault", "localhostProfile": "x"});
    let new = json!({"bad": profile, "worse": profile, "good": profile});
    let new = file("profiles.json", new.to_string());
    let output = run(["unions", "--schema", &schema, "--new", &new]);
    assert_eq!(output.code, 0);
    let notes: Vec<&str> = output.stderr.lines().collect();
    assert_eq!(notes.len(), 2, "{}", output.stderr);
    for (note, name) in notes.iter().zip(["bad", "worse"]) {
        let start = format!("note: {schema}: /properties/{name}/x-kubernetes-unions/0: ");
        assert!(note.starts_with(&start), "{note}");
    }
    let changed = "changed:\n  good.localhostProfile: cleared\nno errors\n";
    assert!(output.stdout.contains(changed), "{}", output.stdout);
}

#[test]
fn a_schema_without_unions_is_noted() {
    let schema = file("without.yaml", "type: object");
    let output = validate(&["--schema", &schema]);
    assert_eq!(output.code, 0);
    assert_eq!(
        output.stderr,
        format!("note: {schema}: no unions found: `x-kubernetes-unions` is not set\n")
    );
    let output = validate(&[
        "--crd",
        &file(
            "without_crd.yaml",
            crd("A", &json!({ "v1": {} })).to_string(),
        ),
    ]);
    assert_eq!(output.code, 0);
    assert!(
        output
            .stderr
            .contains("nor the annotation union-runtime.dev/unions is set"),
        "{}",
        output.stderr
    );
}

/// Returns a CRD of the group `example.com`. The first version is the storage version.
fn crd(kind: &str, schemas: &Value) -> Value {
    let schemas = schemas.as_object().unwrap().iter().enumerate();
    let versions = schemas.map(|(i, (name, schema))| {
        json!({ "name": name, "storage": i == 0, "schema": { "openAPIV3Schema": schema } })
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

/// Returns an object of a kind. The object is invalid by [`strategy`].
fn object(kind: &str, version: &str) -> Value {
    json!({
        "apiVersion": format!("example.com/{version}"),
        "kind": kind,
        "metadata": { "name": "one" },
        "type": "Recreate",
        "rollingUpdate": {},
    })
}

#[test]
fn the_version_is_that_of_the_flag_or_of_the_object_or_the_stored_version() {
    let two = json!({ "v1": {}, "v2": strategy() });
    let path = file("versions.json", crd("A", &two).to_string());
    let with = |new: &Value, version: &[&str]| {
        let args = ["unions", "--crd", &path, "--new", "-"];
        run_with(args.iter().chain(version), new.to_string())
    };
    let has_no_unions = |output: &ProgramOutput| output.stderr.contains("no unions found");

    let part = json!({ "type": "Recreate", "rollingUpdate": {} });
    assert!(has_no_unions(&with(&part, &[])), "v1 is stored");
    assert_eq!(with(&part, &["--version", "v2"]).code, 1);
    assert!(has_no_unions(&with(&object("A", "v1"), &[])));
    assert!(
        has_no_unions(&with(&object("A", "v7"), &[])),
        "no such version"
    );
    assert!(has_no_unions(&with(
        &object("A", "v2"),
        &["--version", "v1"]
    )));
    let by_object = with(&object("A", "v2"), &[]);
    assert_eq!(by_object.code, 1);
    assert_eq!(
        by_object.stderr,
        format!(
            "note: {path}: using version v2 of the object; the storage version may have other unions\n"
        )
    );
    assert_eq!(
        with(&part, &["--version", "v3"]).problem(),
        format!("{path}: /spec/versions: unknown version \"v3\"; use one of: \"v1\", \"v2\"")
    );
}

#[test]
fn an_object_of_another_type_is_an_error() {
    let path = file(
        "typed.json",
        crd("A", &json!({ "v1": strategy() })).to_string(),
    );
    let with = |new: &Value| run_with(["unions", "--crd", &path, "--new", "-"], new.to_string());
    assert_eq!(with(&object("A", "v1")).code, 1);
    assert_eq!(
        with(&object("B", "v1")).problem(),
        format!(
            "stdin: {path} does not define B \"one\" of example.com/v1; \
             it defines A of example.com"
        )
    );
    assert!(
        with(&json!({ "apiVersion": "v1", "kind": "A" }))
            .problem()
            .contains(" of v1; it defines")
    );
}

/// Returns documents as one YAML file.
fn documents(documents: &[Value]) -> String {
    serde_saphyr::to_string_multiple(documents).unwrap()
}

#[test]
fn a_crd_is_selected_by_the_object_or_by_name() {
    let crds = [
        crd("A", &json!({ "v1": strategy() })),
        crd("B", &json!({ "v1": {} })),
    ];
    let list = json!({ "apiVersion": "v1", "kind": "List", "items": crds });
    for content in [documents(&crds), list.to_string()] {
        let path = file("several_crds.yaml", content);
        let with = |new: &Value, name: &[&str]| {
            let args = ["unions", "--crd", &path, "--new", "-"];
            run_with(args.iter().chain(name), new.to_string())
        };
        let output = with(&object("A", "v1"), &[]);
        assert_eq!(output.code, 1);
        assert_eq!(
            output.stderr,
            format!(
                "note: {path} has 2 objects; using CustomResourceDefinition \"as.example.com\"\n"
            )
        );
        let part = json!({ "type": "Recreate", "rollingUpdate": {} });
        for name in ["as.example.com", "A", "as"] {
            assert_eq!(with(&part, &["--name", name]).code, 1);
        }
        assert_eq!(
            with(&part, &[]).problem(),
            format!(
                "{path}: several of 2 objects match; pass only the CustomResourceDefinition (or select it with --name)"
            )
        );
        assert!(
            with(&part, &["--name", "C"])
                .problem()
                .contains("none of 2 objects matches")
        );
        // Both objects match a CRD, so `--name` is required.
        let objects = json!([object("A", "v1"), object("B", "v1")]);
        let objects = json!({ "kind": "List", "items": objects });
        assert!(
            with(&objects, &[])
                .problem()
                .contains("several of 2 objects match")
        );
        let selected = with(&objects, &["--name", "A"]);
        assert_eq!((selected.code, selected.stderr.lines().count()), (1, 2));
    }
    let one = file("one_crd.yaml", crds[0].to_string());
    assert_eq!(
        validate(&["--crd", &one, "--name", "B"]).problem(),
        format!(
            "{one}: expected \"B\" (--name), found CustomResourceDefinition \"as.example.com\""
        )
    );
}

#[test]
fn an_object_is_selected_by_the_crd() {
    let path = file(
        "for_several.json",
        crd("A", &json!({ "v1": strategy() })).to_string(),
    );
    let with = |objects: &[Value]| {
        let new = file("several_objects.yaml", documents(objects));
        (run(["unions", "--crd", &path, "--new", &new]), new)
    };
    let (output, new) = with(&[object("B", "v1"), object("A", "v1")]);
    assert_eq!(output.code, 1);
    assert_eq!(
        output.stderr,
        format!("note: {new} has 2 objects; using A \"one\"\n")
    );
    let (output, new) = with(&[object("A", "v1"), object("A", "v1")]);
    assert_eq!(
        output.problem(),
        format!("{new}: several of 2 objects match; pass only the object")
    );
    let (output, new) = with(&[object("B", "v1"), object("B", "v1")]);
    assert_eq!(
        output.problem(),
        format!("{new}: none of 2 objects matches; pass only the object")
    );
}

#[test]
fn empty_documents_are_ignored() {
    let schema = file(
        "separated.yaml",
        "---\n# a schema\n---\ntype: object\n---\n# the end\n",
    );
    assert_eq!(validate(&["--schema", &schema]).code, 0);
}
