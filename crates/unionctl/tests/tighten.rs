//! Tests of `unionctl tighten`.

use std::fs;

use serde_json::{Value, json};

use crate::process::{ProgramOutput, file, run, sample};

#[track_caller]
fn tighten(new: &str, objects: &str, more: &[&str]) -> ProgramOutput {
    let old = sample("database_crd.yaml");
    let args = [
        "tighten",
        "--crd",
        &old,
        "--crd-new",
        new,
        "--objects",
        objects,
    ];
    run(args.iter().chain(more))
}

#[test]
fn each_object_and_field() {
    let new = sample("database_crd_tight.yaml");
    let output = tighten(&new, &sample("databases"), &[]);
    assert_eq!((output.code, output.stderr.as_str()), (0, ""));
    let legacy = sample("databases/legacy.yaml");
    assert_eq!(
        output.stdout,
        format!(
            "the new CRD is valid\n\n\
             {legacy}: Database \"default/legacy\"\n  \
             spec.engine: Unsupported value: \"Ingres\": supported values: \"Postgres\", \"MySQL\"\n    \
             create: rejected, unrelated update: tolerated, update of the field: rejected\n  \
             spec.owner: Invalid value: \"alice\": an owner has an address\n    \
             create: not evaluated (other errors stop CEL rules), unrelated update: tolerated, update of the field: rejected\n\n\
             rejected on          objects  fields\n\
             create                     1       1\n\
             unrelated update           0       0\n\
             update of the field        1       2\n\
             checked: 2 objects, skipped: 1 without a matching CRD\naccepted\n"
        )
    );
}

/// Writes a CRD with this schema of `spec` to a file, and returns its path. `root` has the other
/// keywords of the schema.
fn crd(name: &str, spec: &Value, root: &Value) -> String {
    let mut schema = root.clone();
    schema["type"] = json!("object");
    schema["properties"]["spec"] = spec.clone();
    schema["properties"]["status"] = json!({ "type": "object", "properties": { "phase": { "type": "string", "maxLength": 2 } } });
    let crd = json!({
        "apiVersion": "apiextensions.k8s.io/v1",
        "kind": "CustomResourceDefinition",
        "spec": {
            "group": "db.example.com",
            "names": { "kind": "Database" },
            "versions": [{
                "name": "v1",
                "storage": true,
                "subresources": { "status": {} },
                "schema": { "openAPIV3Schema": schema },
            }],
        },
    });
    file(name, crd.to_string())
}

fn database(spec: &Value) -> Value {
    json!({
        "apiVersion": "db.example.com/v1",
        "kind": "Database",
        "metadata": { "name": "one" },
        "spec": spec,
        "status": { "phase": "ready" },
    })
}

/// Returns the field of each error, with the results of the three requests.
fn outcomes(output: &ProgramOutput) -> Vec<String> {
    let json = output.json();
    let findings = json["objects"][0]["findings"].as_array().unwrap().clone();
    let of = |found: &Value| {
        let keys = ["field", "create", "unrelated_update", "update_of_field"];
        keys.map(|key| found[key].as_str().unwrap()).join(" ")
    };
    findings.iter().map(of).collect()
}

#[test]
fn each_kind_of_field_has_the_results_of_three_requests() {
    let spec = json!({
        "type": "object",
        "required": ["owner"],
        "properties": {
            "owner": { "type": "string" },
            "a.b": { "type": "string", "minLength": 3 },
            "ports": {
                "type": "array",
                "x-kubernetes-list-type": "map",
                "x-kubernetes-list-map-keys": ["name"],
                "items": {
                    "type": "object",
                    "required": ["name"],
                    "properties": { "name": { "type": "string" }, "port": { "type": "integer", "maximum": 9 } },
                },
            },
            "either": { "type": "object", "properties": { "x": { "type": "string" } }, "not": { "required": ["x"] } },
        },
    });
    let new = crd("tighten_places.json", &spec, &json!({}));
    let spec = json!({
        "a.b": "x",
        "ports": [{ "name": "a", "port": 1 }, { "name": "b", "port": 10 }],
        "either": { "x": "" },
    });
    let objects = file("tighten_places_object.json", database(&spec).to_string());
    let mut found = outcomes(&tighten(&new, &objects, &["-o", "json"]));
    found.sort();
    assert_eq!(
        found,
        [
            "<nil> refused tolerated refused",
            "spec.a.b refused tolerated refused",
            "spec.owner refused tolerated refused",
            "spec.ports[1].port refused tolerated refused",
            // A create drops the status, and an update of the object keeps the stored status.
            "status.phase accepted tolerated refused",
        ]
    );
}

#[test]
fn errors_at_the_root_reject_unrelated_updates() {
    // Every update changes the root of the object, so an error at the root is never tolerated.
    let new = crd(
        "tighten_root.json",
        &json!({ "type": "object" }),
        &json!({ "required": ["extra"] }),
    );
    let objects = file("tighten_root_object.json", database(&json!({})).to_string());
    let output = tighten(&new, &objects, &["-o", "json"]);
    assert_eq!(output.code, 1);
    let json = output.json();
    assert_eq!(
        json["summary"]["refused_on_unrelated_update"],
        json!({ "objects": 1, "fields": 1 })
    );
    assert_eq!(json["objects"][0]["findings"][0]["old_schema"], "accepted");
    // The report states that the old schema rejects the object too.
    let same = run([
        "tighten",
        "--crd",
        &new,
        "--crd-new",
        &new,
        "--objects",
        &objects,
    ]);
    assert!(
        same.stdout.contains("; the old schema rejects it too\n"),
        "{}",
        same.stdout
    );
}

#[test]
fn errors_in_the_new_crd_are_reported_first() {
    let crd = fs::read_to_string(sample("database_crd.yaml")).unwrap();
    let crd = file(
        "tighten_bad.yaml",
        crd.replace("                type: integer\n", ""),
    );
    let output = tighten(&crd, &sample("databases"), &[]);
    assert_eq!(output.code, 1);
    assert!(
        output
            .stdout
            .starts_with("errors in the new CRD:\n  spec.validation."),
        "{}",
        output.stdout
    );
    assert!(
        output
            .stdout
            .ends_with("checked: 2 objects, skipped: 1 without a matching CRD\nrejected\n")
    );
}

#[test]
fn invalid_inputs_are_errors() {
    let other = sample("stored.yaml");
    let new = sample("database_crd_tight.yaml");
    assert!(
        tighten(&new, &other, &[])
            .problem()
            .contains("does not define Backup \"nightly\"")
    );
    assert!(
        tighten(&new, "nowhere", &[])
            .problem()
            .starts_with("nowhere: cannot read the file (--objects)")
    );
    assert!(
        tighten(&other, &other, &[])
            .problem()
            .contains("pass a file with one to --crd-new")
    );
}

#[test]
fn warnings_name_the_file_the_object_and_a_similar_field() {
    let folder = crate::check::folder(
        "tighten_warnings",
        &[("all.json", {
            let named = |i: usize| {
                let mut object = database(&json!({ "size": 1, "wdith": 2 }));
                object["metadata"]["name"] = json!(format!("d{i:02}"));
                object
            };
            let items: Vec<Value> = (0..23).map(named).collect();
            json!({ "apiVersion": "v1", "kind": "List", "items": items }).to_string()
        })],
    );
    let integer = json!({ "type": "integer" });
    let spec = json!({ "type": "object", "properties": { "size": integer, "width": integer } });
    let new = crd("warned.json", &spec, &json!({}));
    let output = tighten(&new, &folder, &[]);
    let warning = |i: usize| {
        format!(
            "{folder}/all.json: Database \"default/d{i:02}\": unknown field \"spec.wdith\"; did you mean \"width\"?"
        )
    };
    let start = format!("warnings:\n  {}\n  {}\n", warning(0), warning(1));
    assert!(output.stdout.contains(&start), "{}", output.stdout);
    let end = format!("  {}\n  3 more; --output json lists all\n", warning(19));
    assert!(output.stdout.contains(&end), "{}", output.stdout);
    let warnings = tighten(&new, &folder, &["--output", "json"]).json()["notes"].clone();
    assert_eq!(warnings.as_array().unwrap().len(), 23);
    assert_eq!(warnings[22], warning(22));
}

#[test]
fn the_warnings_of_the_new_crd_are_reported() {
    let source = fs::read_to_string(sample("database_crd.yaml")).unwrap();
    let source = source.replacen(
        "  scope: Namespaced\n",
        "  scope: Cluster\n  scope: Namespaced\n",
        1,
    );
    let owner = "              owner:\n                type: string\n";
    let keywords = "                format: color-name\n                maxLenght: 3\n";
    assert!(source.contains(owner));
    let source = source.replacen(owner, &format!("{owner}{keywords}"), 1);
    let new = file("crd_warnings.yaml", source);
    let output = tighten(&new, &sample("databases"), &["-o", "json"]);
    let warnings = output.json()["notes"].clone();
    for expected in [
        "/crd_warnings.yaml: line 13: key \"scope\" already set in map",
        "; did you mean \"maxLength\"?",
        "/crd_warnings.yaml: unrecognized format \"color-name\"",
    ] {
        let mut all = warnings.as_array().into_iter().flatten();
        let is_found = all.any(|warning| {
            warning
                .as_str()
                .is_some_and(|warning| warning.ends_with(expected))
        });
        assert!(is_found, "{expected}: {warnings}");
    }
}
