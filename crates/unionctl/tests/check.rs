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

/// Writes files to a folder of their own, and returns the path of the folder.
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
fn an_update_is_told_what_is_tolerated_and_why() {
    let ran = check(&[
        "--old",
        &sample("databases/legacy.yaml"),
        "--new",
        &sample("scaled.yaml"),
    ]);
    // The file of stored objects contains another object, which does not matter for the update.
    assert_eq!((ran.code, ran.stderr.as_str()), (0, ""));
    assert_eq!(
        ran.stdout,
        format!(
            "update of Database \"default/legacy\"\ntolerated:\n  \
             {TYPE_ERROR} (unchanged since the stored object)\nwarnings:\n  \
             spec.owner: Invalid value: \"alice\": an owner has an address\naccepted\n"
        )
    );
}

#[test]
fn what_changes_is_refused() {
    let new = database(
        "legacy",
        &json!({ "engine": "Oracle", "owner": "alice", "replicas": 9 }),
    );
    let new = file("check_changed.json", new.to_string());
    let old = sample("databases/legacy.yaml");
    let ran = check(&["--old", &old, "--new", &new, "-o", "json"]);
    assert_eq!(ran.code, 1);
    let json = ran.json();
    assert_eq!(
        (&json["accepted"], &json["refused"]),
        (&json!(0), &json!(1))
    );
    let object = &json["objects"][0];
    assert_eq!(object["op"], "update");
    // Metadata that the file lacks is taken from the stored object.
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
fn a_create_tolerates_nothing_and_fills_in_what_kubectl_does() {
    let ran = check(&["--new", &sample("scaled.yaml"), "-o", "json"]);
    assert_eq!(ran.code, 1);
    let object = &ran.json()["objects"][0];
    assert_eq!(
        (&object["op"], &object["namespace"]),
        (&json!("create"), &json!("default"))
    );
    assert_eq!(object["errors"][0]["text"], TYPE_ERROR);
}

#[test]
fn the_status_is_updated_alone() {
    let mut new = database("legacy", &json!({ "engine": "Oracle" }));
    new["status"] = json!({ "phase": 1 });
    let new = file("check_status.json", new.to_string());
    let old = sample("databases/legacy.yaml");
    let ran = check(&["--old", &old, "--new", &new, "--status"]);
    assert_eq!(ran.code, 1);
    assert!(
        ran.stdout.starts_with("update of the status of Database"),
        "{}",
        ran.stdout
    );
    assert!(
        ran.stdout
            .contains("  status.phase: Invalid value: \"integer\""),
        "{}",
        ran.stdout
    );
    assert!(!ran.stdout.contains("Oracle"));
}

#[test]
fn policies_and_versions() {
    // With the policy of KEP-4008, a duplicate key in a list is tolerated if the list is unchanged.
    let crd = sample("database_crd_tight.yaml");
    for policy in ["api-server", "kep-4008"] {
        let old = sample("databases/legacy.yaml");
        let ran = run([
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
        assert_eq!(ran.code, 0, "{policy}: {ran:?}");
    }
    let ran = run(["check", "--crd", &crd, "--kube-version", "latest"]);
    assert_eq!((ran.code, ran.stdout.as_str()), (2, ""));
    assert!(
        ran.stderr.contains(
            "\"latest\" is not a version of Kubernetes; expected a version from 1.25 to 1.36"
        ),
        "{}",
        ran.stderr
    );
}

#[test]
fn crds_are_checked_alone() {
    let ran = check(&[]);
    assert_eq!(
        (ran.code, ran.stdout.as_str()),
        (0, "no errors\naccepted\n")
    );
    let crd = fs::read_to_string(sample("database_crd.yaml")).unwrap();
    let crd = file(
        "check_bad_crd.yaml",
        crd.replace("                type: integer\n", ""),
    );
    let ran = run(["check", "--crd", &crd]);
    let wrong = "spec.validation.openAPIV3Schema.properties[spec].properties[replicas].type: \
                 Required value: must not be empty for specified object fields";
    assert_eq!(
        (ran.code, ran.stdout),
        (1, format!("errors:\n  {wrong}\nrejected\n"))
    );
    let json = run(["check", "--crd", &crd, "-o", "json"]).json();
    assert_eq!(json["errors"][0]["text"], wrong);

    // A server keeps using an invalid CRD that it has stored.
    let ran = run(["check", "--crd", &crd, "--new", &sample("scaled.yaml")]);
    assert_eq!(ran.code, 0, "{ran:?}");
    assert!(ran.stderr.starts_with(&format!(
        "note: {crd}: an API server would reject this CRD (1 error);"
    )));
}

#[test]
fn wrong_use() {
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

/// Errors in declarations of unions are only notes, whatever the verdict on the CRD is, because a
/// server does not know unions.
#[test]
fn broken_unions_are_noted_and_change_no_verdict() {
    let crd = |extension: &Value, annotation: &Value, more: &Value| {
        let mut crd = json!({
            "apiVersion": "apiextensions.k8s.io/v1", "kind": "CustomResourceDefinition",
            "metadata": {"name": "docs.example.com", "annotations": annotation},
            "spec": {
                "group": "example.com", "names": {"kind": "Doc", "plural": "docs"}, "scope": "Cluster",
                "versions": [{"name": "v1", "served": true, "storage": true, "schema": {"openAPIV3Schema": {
                    "type": "object", "properties": {
                        "type": {"type": "string", "enum": ["A"]},
                        "a": more,
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
    let text = json!({"type": "string"});
    let annotated = json!({"v1": {"/properties/type": nowhere}}).to_string();
    let annotated = json!({"union-runtime.dev/unions": annotated});
    let nothing = json!({});
    let typeless = json!({"patternProperties": {"a": {}}});
    for (name, crd, code, is_noted) in [
        ("sound", crd(&good, &nothing, &text), 0, false),
        ("broken", crd(&nowhere, &nothing, &text), 0, true),
        ("annotated", crd(&nothing, &annotated, &text), 0, true),
        ("refused", crd(&nowhere, &nothing, &typeless), 1, true),
    ] {
        let file = file(&format!("check_unions_{name}.json"), crd.to_string());
        // A server does not know the keyword of unions.
        let ran = run(["check", "--validate=warn", "--crd", &file]);
        assert_eq!(ran.code, code, "{name}: {}", ran.stdout);
        let note = "the union has a field \"nowhere\", which is not a property of the object";
        assert_eq!(
            ran.stderr.contains(note),
            is_noted,
            "{name}: {}",
            ran.stderr
        );
        assert_eq!(ran.stderr.is_empty(), !is_noted, "{name}: {}", ran.stderr);
    }
}

/// Ratcheting is off by default until 1.29. A flag, a line and a question can set the gate.
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
        let ran = run(&args);
        assert_eq!(
            ran.code, code,
            "{version} {gate:?}: {}{}",
            ran.stdout, ran.stderr
        );

        let mut question = json!({"crd": crd_of(&schema).to_string(), "stored": object(1), "new": object(2), "kube_version": version});
        if let Some(gate) = gate {
            question["ratchet"] = (gate == "on").into();
        }
        let answer = Session::default().judge(&question.to_string());
        let answer: Value = serde_json::from_str(&answer).expect("it is JSON");
        let errors = answer["object"]["errors"].as_array().map(Vec::len);
        assert_eq!(
            errors,
            Some(usize::try_from(code).expect("it is small")),
            "{answer}"
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

/// The old CRD counts as established, because it has objects, unless its status contradicts this.
#[test]
fn an_old_crd_counts_as_established_unless_it_says_otherwise() {
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
            let ran = run(["check", "--old-crd", &old_file, "--crd", &new_file]);
            assert_eq!(
                ran.code,
                i32::from(is_established),
                "{name} {path}: {}",
                ran.stdout
            );
            assert_eq!(
                ran.stdout.contains("field is immutable"),
                is_established,
                "{name} {path}"
            );
        }
    }
}
