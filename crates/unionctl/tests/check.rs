//! Tests of `unionctl check` with files.

use std::fs;
use std::path::Path;

use serde_json::{Value, json};
use unionctl::page::Session;

use crate::process::{ProgramOutput, run, run_with_stdin, sample, write_file};

const TYPE_ERROR: &str =
    "spec.engine: Unsupported value: \"Ingres\": supported values: \"Postgres\", \"MySQL\"";

#[track_caller]
pub(crate) fn check(args: &[&str]) -> ProgramOutput {
    let crd = sample("database_crd_tight.yaml");
    run(["check", "--crd", &crd].iter().chain(args))
}

pub(crate) fn database(name: &str, spec: &Value) -> Value {
    json!({
        "apiVersion": "db.example.com/v1",
        "kind": "Database",
        "metadata": { "name": name },
        "spec": spec,
    })
}

/// Writes files to a folder for one test, and returns the path of the folder.
pub(crate) fn folder(name: &str, files: &[(&str, String)]) -> String {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR"))
        .join("unionctl")
        .join(name);
    let _ = fs::remove_dir_all(&path);
    for (name, content) in files {
        let file = path.join(name);
        fs::create_dir_all(file.parent().unwrap()).unwrap();
        fs::write(file, content).unwrap();
    }
    path.display().to_string()
}

#[test]
fn an_update_reports_tolerated_errors_with_reasons() {
    let output = check(&[
        "--old",
        &sample("databases/legacy.yaml"),
        "--new",
        &sample("scaled.yaml"),
    ]);
    // The old file contains another object too, which does not affect the update.
    assert_eq!((output.code, output.stderr.as_str()), (0, ""));
    assert_eq!(
        output.stdout,
        format!(
            "update of Database \"default/legacy\"\ntolerated:\n  \
             {TYPE_ERROR} (unchanged since the stored object)\nwarnings:\n  \
             spec.owner: Invalid value: \"alice\": an owner has an address\naccepted\n"
        )
    );
}

#[test]
fn errors_in_changed_fields_are_rejected() {
    let new_object = database(
        "legacy",
        &json!({ "engine": "Oracle", "owner": "alice", "replicas": 9 }),
    );
    let new_file = write_file("check_changed.json", new_object.to_string());
    let old_file = sample("databases/legacy.yaml");
    let output = check(&["--old", &old_file, "--new", &new_file, "-o", "json"]);
    assert_eq!(output.code, 1);
    let json = output.json();
    assert_eq!(
        (&json["accepted"], &json["refused"]),
        (&json!(0), &json!(1))
    );
    let object = &json["objects"][0];
    assert_eq!(object["op"], "update");
    // Metadata that the file lacks is copied from the stored object.
    assert_eq!(object["object"]["metadata"]["resourceVersion"], "41");
    assert_eq!(object["object"]["metadata"]["uid"], "8f4e9c61");
    let fields: Vec<&Value> = object["errors"]
        .as_array()
        .unwrap()
        .iter()
        .map(|error| &error["field"])
        .collect();
    assert_eq!(fields, ["spec.engine", "spec.replicas", "<nil>"]);
    assert_eq!(object["errors"][1]["type"], "FieldValueInvalid");
}

#[test]
fn a_create_tolerates_no_errors_and_has_a_default_namespace() {
    let output = check(&["--new", &sample("scaled.yaml"), "-o", "json"]);
    assert_eq!(output.code, 1);
    let object = &output.json()["objects"][0];
    assert_eq!(
        (&object["op"], &object["namespace"]),
        (&json!("create"), &json!("default"))
    );
    assert_eq!(object["errors"][0]["text"], TYPE_ERROR);
}

#[test]
fn a_status_update_validates_only_the_status() {
    let mut new_object = database("legacy", &json!({ "engine": "Oracle" }));
    new_object["status"] = json!({ "phase": 1 });
    let new_file = write_file("check_status.json", new_object.to_string());
    let old_file = sample("databases/legacy.yaml");
    let output = check(&["--old", &old_file, "--new", &new_file, "--status"]);
    assert_eq!(output.code, 1);
    assert!(
        output
            .stdout
            .starts_with("update of the status of Database"),
        "{}",
        output.stdout
    );
    assert!(
        output
            .stdout
            .contains("  status.phase: Invalid value: \"integer\""),
        "{}",
        output.stdout
    );
    assert!(!output.stdout.contains("Oracle"));
}

#[test]
fn policies_and_versions_are_accepted_and_an_unknown_version_is_an_error() {
    // Both policies tolerate the errors in unchanged fields.
    let crd = sample("database_crd_tight.yaml");
    for policy in ["api-server", "kep-4008"] {
        let old_file = sample("databases/legacy.yaml");
        let output = run([
            "check",
            "--crd",
            &crd,
            "--policy",
            policy,
            "--kube-version",
            "v1.35.0",
            "--old",
            &old_file,
            "--new",
            &sample("scaled.yaml"),
        ]);
        assert_eq!(output.code, 0, "{policy}: {output:?}");
    }
    let output = run(["check", "--crd", &crd, "--kube-version", "latest"]);
    assert_eq!((output.code, output.stdout.as_str()), (2, ""));
    assert!(
        output.stderr.contains(
            "\"latest\" is not a version of Kubernetes; expected a version from 1.25 to 1.37"
        ),
        "{}",
        output.stderr
    );
}

#[test]
fn an_invalid_crd_is_rejected_alone_and_noted_with_objects() {
    let output = check(&[]);
    assert_eq!(
        (output.code, output.stdout.as_str()),
        (0, "no errors\naccepted\n")
    );
    let crd_source = fs::read_to_string(sample("database_crd.yaml")).unwrap();
    let crd_file = write_file(
        "check_bad_crd.yaml",
        crd_source.replace("                type: integer\n", ""),
    );
    let output = run(["check", "--crd", &crd_file]);
    let error = "spec.validation.openAPIV3Schema.properties[spec].properties[replicas].type: \
                 Required value: must not be empty for specified object fields";
    assert_eq!(
        (output.code, output.stdout),
        (1, format!("errors:\n  {error}\nrejected\n"))
    );
    let json = run(["check", "--crd", &crd_file, "-o", "json"]).json();
    assert_eq!(json["errors"][0]["text"], error);

    // A server keeps using a stored CRD that has errors.
    let output = run(["check", "--crd", &crd_file, "--new", &sample("scaled.yaml")]);
    assert_eq!(output.code, 0, "{output:?}");
    assert!(output.stderr.starts_with(&format!(
        "note: {crd_file}: an API server would reject this CRD (1 error);"
    )));
}

#[test]
fn invalid_arguments_and_inputs_are_errors() {
    let crd = sample("database_crd_tight.yaml");
    let backup = sample("stored.yaml");
    assert_eq!(
        check(&["--new", &backup]).error_message(),
        format!(
            "{backup}: {crd} does not define Backup \"nightly\" of db.example.com/v1; \
             it defines Database of db.example.com"
        )
    );
    assert_eq!(
        run(["check", "--crd", &backup, "--new", &backup]).error_message(),
        format!("{backup}: no CustomResourceDefinition found; pass a file with one to --crd")
    );
    let empty_folder = folder("check_empty", &[("notes.txt", String::new())]);
    assert_eq!(
        check(&["--new", &empty_folder]).error_message(),
        format!("{empty_folder}: no .yaml, .yml or .json files found (--filename)")
    );
    assert!(
        check(&["--version", "v2", "--new", &sample("scaled.yaml")])
            .error_message()
            .starts_with(&crd)
    );
    let output = run_with_stdin(["check", "--crd", &crd, "--new", "-"], "5");
    assert_eq!(
        output.error_message(),
        "stdin: expected an object, found a number"
    );
    let orders = &sample("databases/orders.yaml");
    assert_eq!(
        check(&[
            "--old",
            &sample("databases/legacy.yaml"),
            "--new",
            &sample("databases"),
            "--status"
        ])
        .error_message(),
        format!(
            "{orders}: cannot update the status of Database \"default/orders\", which is not stored; pass the stored object to --old"
        )
    );
    for args in [["--status", "--jsonl"].as_slice(), &["--old", orders], &[]] {
        assert_eq!(run(["check"].iter().chain(args)).code, 2);
    }
}

/// Returns a CRD with a union extension, an annotation, and the schema of the member `a`.
fn crd_with_union(extension: &Value, annotation: &Value, member_schema: &Value) -> Value {
    let mut crd = json!({
        "apiVersion": "apiextensions.k8s.io/v1", "kind": "CustomResourceDefinition",
        "metadata": {"name": "docs.example.com", "annotations": annotation},
        "spec": {
            "group": "example.com", "names": {"kind": "Doc", "plural": "docs"}, "scope": "Cluster",
            "versions": [{"name": "v1", "served": true, "storage": true, "schema": {"openAPIV3Schema": {
                "type": "object", "properties": {
                    "type": {"type": "string", "enum": ["A"]},
                    "a": member_schema,
                },
            }}}],
        },
    });
    if extension["fieldMembers"].is_object() {
        let schema = crd.pointer_mut("/spec/versions/0/schema/openAPIV3Schema/properties/type");
        schema.unwrap()["x-kubernetes-unions"] = extension.clone();
    }
    crd
}

/// Errors in declarations of unions are reported as notes. They do not affect the exit code,
/// because a server does not know unions.
#[test]
fn invalid_unions_are_noted_and_do_not_affect_the_exit_code() {
    let [invalid_extension, valid_extension] =
        ["nowhere", "a"].map(|name| json!({"fieldMembers": {"A": {"name": name}}}));
    let string_schema = json!({"type": "string"});
    let annotation = json!({"v1": {"/properties/type": invalid_extension}}).to_string();
    let annotation = json!({"union-runtime.dev/unions": annotation});
    let no_value = json!({});
    let invalid_schema = json!({"patternProperties": {"a": {}}});
    for (name, crd, exit_code, is_noted) in [
        (
            "sound",
            crd_with_union(&valid_extension, &no_value, &string_schema),
            0,
            false,
        ),
        (
            "broken",
            crd_with_union(&invalid_extension, &no_value, &string_schema),
            0,
            true,
        ),
        (
            "annotated",
            crd_with_union(&no_value, &annotation, &string_schema),
            0,
            true,
        ),
        (
            "refused",
            crd_with_union(&invalid_extension, &no_value, &invalid_schema),
            1,
            true,
        ),
    ] {
        let file = write_file(&format!("check_unions_{name}.json"), crd.to_string());
        // A server does not know `x-kubernetes-unions`, so strict validation would reject the CRD.
        let output = run(["check", "--validate=warn", "--crd", &file]);
        assert_eq!(output.code, exit_code, "{name}: {}", output.stdout);
        let note = "the union has a field \"nowhere\", which is not a property of the object";
        assert_eq!(
            output.stderr.contains(note),
            is_noted,
            "{name}: {}",
            output.stderr
        );
        assert_eq!(
            output.stderr.contains(": unions: "),
            is_noted,
            "{name}: {}",
            output.stderr
        );
    }
}

/// Ratcheting is off by default before Kubernetes 1.30. A flag, a line of JSON and a request of the
/// page can set the feature gate.
#[test]
fn ratcheting_depends_on_the_version_unless_the_gate_is_set() {
    let schema = json!({"type": "object", "properties": {
        "spec": {"type": "object", "properties": {"v": {"type": "string", "minLength": 3}, "n": {"type": "integer"}}},
    }});
    let crd_file = write_file("gate_crd.json", gate_crd(&schema).to_string());
    let build_object = |n: i64| {
        json!({
            "apiVersion": "gate.example.com/v1", "kind": "Gate", "metadata": {"name": "a"}, "spec": {"v": "x", "n": n},
        })
        .to_string()
    };
    let (old_file, new_file) = (
        write_file("gate_old.json", build_object(1)),
        write_file("gate_new.json", build_object(2)),
    );
    for (version, gate, exit_code) in [
        ("1.29", None, 1),
        ("1.30", None, 0),
        ("1.29", Some("on"), 0),
        ("1.36", Some("off"), 1),
    ] {
        let mut args = vec![
            "check",
            "--crd",
            &crd_file,
            "--old",
            &old_file,
            "--new",
            &new_file,
            "--kube-version",
            version,
        ];
        args.extend(gate.iter().flat_map(|gate| ["--ratchet", gate]));
        let output = run(&args);
        assert_eq!(
            output.code, exit_code,
            "{version} {gate:?}: {}{}",
            output.stdout, output.stderr
        );

        let mut request = json!({"crd": gate_crd(&schema).to_string(), "stored": build_object(1), "new": build_object(2), "kube_version": version});
        if let Some(gate) = gate {
            request["ratchet"] = (gate == "on").into();
        }
        let reply = Session::default().check(&request.to_string());
        let reply: Value = serde_json::from_str(&reply).expect("valid JSON");
        let errors = reply["object"]["errors"].as_array().map(Vec::len);
        assert_eq!(
            errors,
            Some(usize::try_from(exit_code).expect("a small number")),
            "{reply}"
        );
    }
}

fn gate_crd(schema: &Value) -> Value {
    json!({
        "apiVersion": "apiextensions.k8s.io/v1", "kind": "CustomResourceDefinition",
        "metadata": {"name": "gates.gate.example.com"},
        "spec": {
            "group": "gate.example.com", "scope": "Namespaced", "names": {"kind": "Gate", "plural": "gates"},
            "versions": [{"name": "v1", "served": true, "storage": true, "schema": {"openAPIV3Schema": schema}}],
        },
    })
}

/// An established CRD has immutable fields.
#[test]
fn an_old_crd_counts_as_established_unless_its_status_contradicts() {
    let mut old_crd = gate_crd(&json!({"type": "object"}));
    let established =
        |status: &str| json!({"conditions": [{"type": "Established", "status": status}]});
    for (name, status, is_established) in [
        ("absent", None, true),
        ("null", Some(json!(null)), true),
        ("empty", Some(json!({})), true),
        (
            "no_conditions",
            Some(json!({"conditions": [], "storedVersions": []})),
            true,
        ),
        (
            "others",
            Some(json!({"conditions": [{"type": "NamesAccepted", "status": "True"}]})),
            true,
        ),
        ("yes", Some(established("True")), true),
        ("no", Some(established("False")), false),
        ("unknown", Some(established("Unknown")), false),
    ] {
        match status {
            None => old_crd
                .as_object_mut()
                .and_then(|old_crd| old_crd.remove("status")),
            Some(status) => old_crd
                .as_object_mut()
                .and_then(|old_crd| old_crd.insert("status".into(), status)),
        };
        let old_file = write_file(&format!("established_{name}_old.json"), old_crd.to_string());
        for (path, value) in [
            ("/spec/scope", json!("Cluster")),
            ("/spec/names/kind", json!("Door")),
        ] {
            let mut new_crd = gate_crd(&json!({"type": "object"}));
            if let Some(field) = new_crd.pointer_mut(path) {
                *field = value;
            }
            let new_file = write_file(&format!("established_{name}_new.json"), new_crd.to_string());
            let output = run(["check", "--old-crd", &old_file, "--crd", &new_file]);
            assert_eq!(
                output.code,
                i32::from(is_established),
                "{name} {path}: {}",
                output.stdout
            );
            assert_eq!(
                output.stdout.contains("field is immutable"),
                is_established,
                "{name} {path}"
            );
        }
    }
}

const CRD_WITH_UNSTORED_FIELDS: &str = "\
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: farms.acre.example.com, labels: {}}
spec:
  group: acre.example.com
  preserveUnknownFields: false
  scope: Namespaced
  names: {kind: Farm, plural: farms, shortNames: [], categories: []}
  versions:
  - name: v1
    served: true
    storage: true
    additionalPrinterColumns: []
    schema:
      openAPIV3Schema:
        type: object
        properties:
          size:
            type: integer
            nullable: false
            description: null
";

#[test]
fn fields_that_a_server_does_not_store_are_named_with_their_lines() {
    let file = write_file("check_unstored.yaml", CRD_WITH_UNSTORED_FIELDS);
    let output = run(["check", "--crd", &file]);
    assert_eq!(
        (output.code, output.stdout.as_str()),
        (0, "no errors\naccepted\n")
    );
    let schema = "spec.versions[0].schema.openAPIV3Schema.properties.size";
    let notes = [
        "3:42: metadata.labels: a server does not store {}; leave it out".to_owned(),
        "6:3: spec.preserveUnknownFields: a server does not store false; leave it out".to_owned(),
        "8:54: spec.names.categories: a server does not store []; leave it out".to_owned(),
        "8:38: spec.names.shortNames: a server does not store []; leave it out".to_owned(),
        "13:5: spec.versions[0].additionalPrinterColumns: a server does not store []; leave it out"
            .to_owned(),
        format!("21:13: {schema}.description: a server does not store null; leave it out"),
        format!("20:13: {schema}.nullable: a server does not store false; leave it out"),
    ];
    let notes = notes.map(|note| format!("note: {file}:{note}"));
    assert_eq!(output.stderr.lines().collect::<Vec<_>>(), notes);
    let json = run(["check", "--crd", &file, "-o", "json"]).json();
    let stored = &json["stored"];
    assert_eq!(
        stored["spec"]["names"],
        json!({"kind": "Farm", "plural": "farms", "singular": "farm", "listKind": "FarmList"})
    );
    assert_eq!(
        stored["spec"]["versions"][0].get("additionalPrinterColumns"),
        None
    );
    assert_eq!(
        json["not_stored"][1],
        json!({"field": "spec.preserveUnknownFields", "line": 6, "column": 3})
    );
    // The stored form gets no notes.
    let file = write_file("check_stored.json", stored.to_string());
    let output = run(["check", "--crd", &file]);
    assert_eq!((output.code, output.stderr.as_str()), (0, ""));
    assert_eq!(
        run(["check", "--crd", &file, "-o", "json"]).json()["stored"],
        *stored
    );
}
