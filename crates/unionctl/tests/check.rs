//! Tests of `unionctl check` with files.

use std::fs;
use std::path::Path;

use serde_json::{Value, json};
use unionctl::page::Session;

use crate::process::{ProgramOutput, file, run, run_with, sample};

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
    let new = database(
        "legacy",
        &json!({ "engine": "Oracle", "owner": "alice", "replicas": 9 }),
    );
    let new = file("check_changed.json", new.to_string());
    let old = sample("databases/legacy.yaml");
    let output = check(&["--old", &old, "--new", &new, "-o", "json"]);
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
    let mut new = database("legacy", &json!({ "engine": "Oracle" }));
    new["status"] = json!({ "phase": 1 });
    let new = file("check_status.json", new.to_string());
    let old = sample("databases/legacy.yaml");
    let output = check(&["--old", &old, "--new", &new, "--status"]);
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
fn policies_and_versions() {
    // With the policy of KEP-4008, a duplicate key in a list is tolerated if the list is unchanged.
    let crd = sample("database_crd_tight.yaml");
    for policy in ["api-server", "kep-4008"] {
        let old = sample("databases/legacy.yaml");
        let output = run([
            "check",
            "--crd",
            &crd,
            "--policy",
            policy,
            "--kube-version",
            "v1.35.0",
            "--old",
            &old,
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
fn crds_are_validated_without_objects() {
    let output = check(&[]);
    assert_eq!(
        (output.code, output.stdout.as_str()),
        (0, "no errors\naccepted\n")
    );
    let crd = fs::read_to_string(sample("database_crd.yaml")).unwrap();
    let crd = file(
        "check_bad_crd.yaml",
        crd.replace("                type: integer\n", ""),
    );
    let output = run(["check", "--crd", &crd]);
    let error = "spec.validation.openAPIV3Schema.properties[spec].properties[replicas].type: \
                 Required value: must not be empty for specified object fields";
    assert_eq!(
        (output.code, output.stdout),
        (1, format!("errors:\n  {error}\nrejected\n"))
    );
    let json = run(["check", "--crd", &crd, "-o", "json"]).json();
    assert_eq!(json["errors"][0]["text"], error);

    // A server keeps using a stored CRD that has errors.
    let output = run(["check", "--crd", &crd, "--new", &sample("scaled.yaml")]);
    assert_eq!(output.code, 0, "{output:?}");
    assert!(output.stderr.starts_with(&format!(
        "note: {crd}: an API server would reject this CRD (1 error);"
    )));
}

#[test]
fn invalid_arguments_and_inputs_are_errors() {
    let crd = sample("database_crd_tight.yaml");
    let other = sample("stored.yaml");
    assert_eq!(
        check(&["--new", &other]).problem(),
        format!(
            "{other}: {crd} does not define Backup \"nightly\" of db.example.com/v1; \
             it defines Database of db.example.com"
        )
    );
    assert_eq!(
        run(["check", "--crd", &other, "--new", &other]).problem(),
        format!("{other}: no CustomResourceDefinition found; pass a file with one to --crd")
    );
    let empty = folder("check_empty", &[("notes.txt", String::new())]);
    assert_eq!(
        check(&["--new", &empty]).problem(),
        format!("{empty}: no .yaml, .yml or .json files found (--new)")
    );
    assert!(
        check(&["--version", "v2", "--new", &sample("scaled.yaml")])
            .problem()
            .starts_with(&crd)
    );
    let number = run_with(["check", "--crd", &crd, "--new", "-"], "5");
    assert_eq!(
        number.problem(),
        "stdin: expected an object, found a number"
    );
    let new = &sample("databases/orders.yaml");
    assert_eq!(
        check(&[
            "--old",
            &sample("databases/legacy.yaml"),
            "--new",
            &sample("databases"),
            "--status"
        ])
        .problem(),
        format!(
            "{new}: cannot update the status of Database \"default/orders\", which is not stored; pass the stored object to --old"
        )
    );
    for args in [["--status", "--jsonl"].as_slice(), &["--old", new], &[]] {
        assert_eq!(run(["check"].iter().chain(args)).code, 2);
    }
}

/// Errors in declarations of unions are reported as notes. They never affect the result for the
/// CRD, because a server does not know unions.
#[test]
fn invalid_unions_are_noted_and_do_not_affect_the_result() {
    let crd = |extension: &Value, annotation: &Value, member_schema: &Value| {
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
    };
    let [nowhere, good] =
        ["nowhere", "a"].map(|name| json!({"fieldMembers": {"A": {"name": name}}}));
    let string_schema = json!({"type": "string"});
    let annotated = json!({"v1": {"/properties/type": nowhere}}).to_string();
    let annotated = json!({"union-runtime.dev/unions": annotated});
    let empty = json!({});
    let without_type = json!({"patternProperties": {"a": {}}});
    for (name, crd, code, is_noted) in [
        ("sound", crd(&good, &empty, &string_schema), 0, false),
        ("broken", crd(&nowhere, &empty, &string_schema), 0, true),
        (
            "annotated",
            crd(&empty, &annotated, &string_schema),
            0,
            true,
        ),
        ("refused", crd(&nowhere, &empty, &without_type), 1, true),
    ] {
        let file = file(&format!("check_unions_{name}.json"), crd.to_string());
        // A server does not know `x-kubernetes-unions`, so strict validation would reject the CRD.
        let output = run(["check", "--validate=warn", "--crd", &file]);
        assert_eq!(output.code, code, "{name}: {}", output.stdout);
        let note = "the union has a field \"nowhere\", which is not a property of the object";
        assert_eq!(
            output.stderr.contains(note),
            is_noted,
            "{name}: {}",
            output.stderr
        );
        assert_eq!(
            output.stderr.is_empty(),
            !is_noted,
            "{name}: {}",
            output.stderr
        );
    }
}

/// Ratcheting is off by default before Kubernetes 1.30. A flag, a line of JSON and a request of the
/// page can set the feature gate.
#[test]
fn ratcheting_follows_the_version_unless_it_is_set() {
    let schema = json!({"type": "object", "properties": {
        "spec": {"type": "object", "properties": {"v": {"type": "string", "minLength": 3}, "n": {"type": "integer"}}},
    }});
    let crd = file("gate_crd.json", crd_of(&schema).to_string());
    let object = |n: i64| {
        json!({
            "apiVersion": "gate.example.com/v1", "kind": "Gate", "metadata": {"name": "a"}, "spec": {"v": "x", "n": n},
        })
        .to_string()
    };
    let (old, new) = (
        file("gate_old.json", object(1)),
        file("gate_new.json", object(2)),
    );
    for (version, gate, code) in [
        ("1.29", None, 1),
        ("1.30", None, 0),
        ("1.29", Some("on"), 0),
        ("1.36", Some("off"), 1),
    ] {
        let mut args = vec![
            "check",
            "--crd",
            &crd,
            "--old",
            &old,
            "--new",
            &new,
            "--kube-version",
            version,
        ];
        args.extend(gate.iter().flat_map(|gate| ["--ratchet", gate]));
        let output = run(&args);
        assert_eq!(
            output.code, code,
            "{version} {gate:?}: {}{}",
            output.stdout, output.stderr
        );

        let mut request = json!({"crd": crd_of(&schema).to_string(), "stored": object(1), "new": object(2), "kube_version": version});
        if let Some(gate) = gate {
            request["ratchet"] = (gate == "on").into();
        }
        let reply = Session::default().judge(&request.to_string());
        let reply: Value = serde_json::from_str(&reply).expect("it is JSON");
        let errors = reply["object"]["errors"].as_array().map(Vec::len);
        assert_eq!(
            errors,
            Some(usize::try_from(code).expect("it is small")),
            "{reply}"
        );
    }
}

fn crd_of(schema: &Value) -> Value {
    json!({
        "apiVersion": "apiextensions.k8s.io/v1", "kind": "CustomResourceDefinition",
        "metadata": {"name": "gates.gate.example.com"},
        "spec": {
            "group": "gate.example.com", "scope": "Namespaced", "names": {"kind": "Gate", "plural": "gates"},
            "versions": [{"name": "v1", "served": true, "storage": true, "schema": {"openAPIV3Schema": schema}}],
        },
    })
}

/// The old CRD counts as established, because it has objects, unless its status has another value.
#[test]
fn an_old_crd_counts_as_established_unless_a_condition_contradicts() {
    let mut old = crd_of(&json!({"type": "object"}));
    let condition =
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
        ("yes", Some(condition("True")), true),
        ("no", Some(condition("False")), false),
        ("unknown", Some(condition("Unknown")), false),
    ] {
        match status {
            None => old.as_object_mut().and_then(|old| old.remove("status")),
            Some(status) => old
                .as_object_mut()
                .and_then(|old| old.insert("status".into(), status)),
        };
        let old_file = file(&format!("established_{name}_old.json"), old.to_string());
        for (path, value) in [
            ("/spec/scope", json!("Cluster")),
            ("/spec/names/kind", json!("Door")),
        ] {
            let mut new = crd_of(&json!({"type": "object"}));
            if let Some(field) = new.pointer_mut(path) {
                *field = value;
            }
            let new_file = file(&format!("established_{name}_new.json"), new.to_string());
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
