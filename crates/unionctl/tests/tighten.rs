//! Tests of `unionctl tighten`.

use std::{fs, thread};

use serde_json::{Value, json};

use crate::hints::{farm, farm_crd};
use crate::process::{ProgramOutput, run, sample, write_file};

#[track_caller]
fn tighten(new_crd: &str, objects: &str, flags: &[&str]) -> ProgramOutput {
    let old_crd = sample("database_crd.yaml");
    let args = [
        "tighten",
        "--crd",
        &old_crd,
        "--crd-new",
        new_crd,
        "--objects",
        objects,
    ];
    run(args.iter().chain(flags))
}

#[test]
fn the_report_has_each_object_each_field_and_a_summary() {
    let new_crd = sample("database_crd_tight.yaml");
    let output = tighten(&new_crd, &sample("databases"), &[]);
    assert_eq!((output.code, output.stderr.as_str()), (0, ""));
    let legacy_file = sample("databases/legacy.yaml");
    assert_eq!(
        output.stdout,
        format!(
            "the new CRD is valid\n\n\
             {legacy_file}: Database \"default/legacy\"\n  \
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

/// Writes a CRD with this schema of `spec` to a file, and returns its path. `root_keywords` has the
/// other keywords of the root schema.
fn crd_file(name: &str, spec: &Value, root_keywords: &Value) -> String {
    let mut schema = root_keywords.clone();
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
    write_file(name, crd.to_string())
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

/// Returns the field of each error, with the outcomes of the three requests.
fn outcomes(output: &ProgramOutput) -> Vec<String> {
    let json = output.json();
    let findings = json["objects"][0]["findings"].as_array().unwrap().clone();
    let summarize = |finding: &Value| {
        let keys = ["field", "create", "unrelated_update", "update_of_field"];
        keys.map(|key| finding[key].as_str().unwrap()).join(" ")
    };
    findings.iter().map(summarize).collect()
}

#[test]
fn each_kind_of_field_has_the_outcomes_of_three_requests() {
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
    let new_crd = crd_file("tighten_places.json", &spec, &json!({}));
    let spec = json!({
        "a.b": "x",
        "ports": [{ "name": "a", "port": 1 }, { "name": "b", "port": 10 }],
        "either": { "x": "" },
    });
    let objects = write_file("tighten_places_object.json", database(&spec).to_string());
    let mut actual = outcomes(&tighten(&new_crd, &objects, &["-o", "json"]));
    actual.sort();
    assert_eq!(
        actual,
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
    let new_crd = crd_file(
        "tighten_root.json",
        &json!({ "type": "object" }),
        &json!({ "required": ["extra"] }),
    );
    let objects = write_file("tighten_root_object.json", database(&json!({})).to_string());
    let output = tighten(&new_crd, &objects, &["-o", "json"]);
    assert_eq!(output.code, 1);
    let json = output.json();
    assert_eq!(
        json["summary"]["refused_on_unrelated_update"],
        json!({ "objects": 1, "fields": 1 })
    );
    assert_eq!(json["objects"][0]["findings"][0]["old_schema"], "accepted");
    // The report states that the old schema rejects the object too.
    let output = run([
        "tighten",
        "--crd",
        &new_crd,
        "--crd-new",
        &new_crd,
        "--objects",
        &objects,
    ]);
    assert!(
        output.stdout.contains("; the old schema rejects it too\n"),
        "{}",
        output.stdout
    );
}

#[test]
fn errors_in_the_new_crd_are_reported_first() {
    let source = fs::read_to_string(sample("database_crd.yaml")).unwrap();
    let crd_file = write_file(
        "tighten_bad.yaml",
        source.replace("                type: integer\n", ""),
    );
    let output = tighten(&crd_file, &sample("databases"), &[]);
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
    let backup = sample("stored.yaml");
    let new_crd = sample("database_crd_tight.yaml");
    assert!(
        tighten(&new_crd, &backup, &[])
            .error_message()
            .contains("does not define Backup \"nightly\"")
    );
    assert!(
        tighten(&new_crd, "nowhere", &[])
            .error_message()
            .starts_with("nowhere: cannot read the file (--filename)")
    );
    assert!(
        tighten(&backup, &backup, &[])
            .error_message()
            .contains("pass a file with one to --crd-new")
    );
}

#[test]
fn warnings_name_the_file_the_object_and_a_similar_field() {
    let folder = crate::check::folder(
        "tighten_warnings",
        &[("all.json", {
            let database_with_name = |index: usize| {
                let mut object = database(&json!({ "size": 1, "wdith": 2 }));
                object["metadata"]["name"] = json!(format!("d{index:02}"));
                object
            };
            let items: Vec<Value> = (0..23).map(database_with_name).collect();
            json!({ "apiVersion": "v1", "kind": "List", "items": items }).to_string()
        })],
    );
    let integer = json!({ "type": "integer" });
    let spec = json!({ "type": "object", "properties": { "size": integer, "width": integer } });
    let new_crd = crd_file("warned.json", &spec, &json!({}));
    let output = tighten(&new_crd, &folder, &[]);
    let warning = |index: usize| {
        format!(
            "{folder}/all.json: Database \"default/d{index:02}\": unknown field \"spec.wdith\"; did you mean \"width\"?"
        )
    };
    let expected_start = format!("warnings:\n  {}\n  {}\n", warning(0), warning(1));
    assert!(output.stdout.contains(&expected_start), "{}", output.stdout);
    let expected_end = format!("  {}\n  3 more; --output json lists all\n", warning(19));
    assert!(output.stdout.contains(&expected_end), "{}", output.stdout);
    let warnings = tighten(&new_crd, &folder, &["--output", "json"]).json()["notes"].clone();
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
    let owner_property = "              owner:\n                type: string\n";
    let keywords = "                format: color-name\n                maxLenght: 3\n";
    assert!(source.contains(owner_property));
    let source = source.replacen(owner_property, &format!("{owner_property}{keywords}"), 1);
    let new_crd = write_file("crd_warnings.yaml", source);
    let output = tighten(&new_crd, &sample("databases"), &["-o", "json"]);
    let warnings = output.json()["notes"].clone();
    for expected in [
        "/crd_warnings.yaml: line 13: key \"scope\" already set in map",
        "; did you mean \"maxLength\"?",
        "/crd_warnings.yaml: unrecognized format \"color-name\"",
    ] {
        let mut all_warnings = warnings.as_array().into_iter().flatten();
        let is_reported = all_warnings.any(|warning| {
            warning
                .as_str()
                .is_some_and(|warning| warning.ends_with(expected))
        });
        assert!(is_reported, "{expected}: {warnings}");
    }
}

/// Runs `tighten` for a stored spec, an old schema and a new schema of the spec.
fn tighten_spec(old: &Value, new: &Value, spec: &Value, flags: &[&str]) -> ProgramOutput {
    // Tests run at the same time, so each has its own files.
    let test = thread::current().name().map(|name| name.replace("::", "_"));
    let file = |name: &str| format!("{}_{name}.json", test.as_deref().unwrap_or_default());
    let old = write_file(&file("old"), farm_crd(old).to_string());
    let new = write_file(&file("new"), farm_crd(new).to_string());
    let object = write_file(&file("object"), farm(spec).to_string());
    let args = [
        "tighten",
        "--crd",
        &old,
        "--crd-new",
        &new,
        "--objects",
        &object,
    ];
    run(args.iter().chain(flags))
}

fn object_schema(properties: &Value) -> Value {
    json!({"type": "object", "properties": properties})
}

#[test]
fn stored_fields_that_the_new_schema_drops_are_listed() {
    let string = || json!({"type": "string"});
    let both = || object_schema(&json!({"size": {"type": "integer"}, "mode": string()}));
    let one = || object_schema(&json!({"size": {"type": "integer"}}));
    let list = |items: Value| object_schema(&json!({"list": {"type": "array", "items": items}}));
    let map = |values: Value| {
        object_schema(&json!({"map": {"type": "object", "additionalProperties": values}}))
    };
    let mut keeps_all = one();
    keeps_all["x-kubernetes-preserve-unknown-fields"] = json!(true);
    let stored = json!({"size": 3, "mode": "Tilled"});
    let cases = [
        (
            both(),
            one(),
            stored.clone(),
            json!([{"field": "spec.mode", "value": "Tilled"}]),
        ),
        (both(), keeps_all, stored.clone(), json!(null)),
        (one(), one(), stored.clone(), json!(null)),
        (one(), both(), stored.clone(), json!(null)),
        (both(), one(), json!({"size": 3}), json!(null)),
        (
            list(both()),
            list(one()),
            json!({"list": [{"size": 1}, stored]}),
            json!([{"field": "spec.list[1].mode", "value": "Tilled"}]),
        ),
        (
            map(both()),
            map(one()),
            json!({"map": {"a": stored}}),
            json!([{"field": "spec.map.a.mode", "value": "Tilled"}]),
        ),
        (
            object_schema(&json!({"f": both()})),
            object_schema(&json!({})),
            json!({"f": stored}),
            json!([{"field": "spec.f", "value": stored}]),
        ),
    ];
    for (old, new, spec, expected) in cases {
        let output = tighten_spec(&old, &new, &spec, &["-o", "json"]);
        let json = output.json();
        assert_eq!(json["objects"][0]["dropped_fields"], expected, "{spec}");
        let is_dropped = !expected.is_null();
        assert_eq!(output.code, i32::from(is_dropped), "{spec}");
        let count = u64::from(is_dropped);
        let counts = json!({"objects": count, "fields": count});
        assert_eq!(json["summary"]["dropped_fields"], counts, "{spec}");
    }
    let output = tighten_spec(&both(), &one(), &stored, &[]);
    let line = "  spec.mode: \"Tilled\" is dropped on the next write: the new schema does not have the field\n";
    assert!(output.stdout.contains(line), "{}", output.stdout);
    let column = "stored fields        objects  fields\ndropped on a write         1       1\n\
                  another default            0       0\n";
    assert!(output.stdout.contains(column), "{}", output.stdout);
}

#[test]
fn fields_that_are_read_with_another_default_are_listed() {
    let with_default = |default: Option<Value>| {
        let mut mode = json!({"type": "string", "nullable": false});
        if let Some(default) = default {
            mode["default"] = default;
        }
        object_schema(&json!({"size": {"type": "integer"}, "mode": mode}))
    };
    let (tilled, fallow) = (Some(json!("Tilled")), Some(json!("Fallow")));
    let absent = || json!({"size": 3});
    let cases = [
        (
            tilled.clone(),
            fallow.clone(),
            absent(),
            "spec.mode: reads as \"Tilled\", and will read as \"Fallow\": the default changes",
        ),
        (
            None,
            fallow.clone(),
            absent(),
            "spec.mode: is not set, and will read as \"Fallow\": the new schema has a default",
        ),
        (
            tilled.clone(),
            None,
            absent(),
            "spec.mode: reads as \"Tilled\", and will not be set: the new schema has no default",
        ),
        (
            tilled.clone(),
            fallow.clone(),
            json!({"mode": null}),
            "spec.mode: reads as \"Tilled\", and will read as \"Fallow\": the default changes",
        ),
        (tilled.clone(), fallow, json!({"mode": "Tilled"}), ""),
        (tilled.clone(), tilled, absent(), ""),
    ];
    for (old, new, spec, expected) in cases {
        let (old, new) = (with_default(old), with_default(new));
        let output = tighten_spec(&old, &new, &spec, &[]);
        assert_eq!(output.code, 0, "{expected}");
        assert!(
            output.stdout.contains(expected),
            "{expected}: {}",
            output.stdout
        );
        let json = tighten_spec(&old, &new, &spec, &["-o", "json"]).json();
        let count = usize::from(!expected.is_empty());
        assert_eq!(
            json["summary"]["changed_defaults"]["fields"],
            json!(count),
            "{expected}"
        );
        let objects = json["objects"].as_array().unwrap();
        assert_eq!(objects.len(), count, "{expected}");
        if let Some(object) = objects.first() {
            assert_eq!(object["changed_defaults"][0]["field"], json!("spec.mode"));
        }
    }
}

/// Other errors stop only the evaluation of rules, and a create has no status.
#[test]
fn only_rules_are_not_evaluated() {
    let old = farm_crd_with_status(&json!({}), &json!({}));
    let maximum = json!({"maximum": 3});
    let rule = json!({"x-kubernetes-validations": [{"rule": "self < 4"}]});
    for (limit, spec_create, status_create) in [
        (&maximum, "refused", "accepted"),
        (&rule, "unchecked", "accepted"),
    ] {
        let mut new = farm_crd_with_status(limit, limit);
        let new_schema = "/spec/versions/0/schema/openAPIV3Schema/properties/spec";
        new.pointer_mut(new_schema).unwrap()["required"] = json!(["class"]);
        let mut object = farm(&json!({"size": 9}));
        object["status"] = json!({"count": 9});
        let old_file = write_file("only_rules_old.json", old.to_string());
        let new_file = write_file("only_rules_new.json", new.to_string());
        let file = write_file("only_rules_farm.json", object.to_string());
        let args = [
            "tighten",
            "--crd",
            &old_file,
            "--crd-new",
            &new_file,
            "-f",
            &file,
        ];
        let reply = run(args.iter().chain(&["-o", "json"])).json();
        let findings = reply["objects"][0]["findings"].as_array().unwrap();
        let create_of = |field: &str| {
            let mut findings = findings.iter();
            let finding = findings.find(|finding| finding["field"] == field);
            &finding.expect(field)["create"]
        };
        assert_eq!(create_of("spec.size"), spec_create, "{reply}");
        assert_eq!(create_of("status.count"), status_create, "{reply}");
    }
}

/// Returns the CRD of farms with a status, in which `spec.size` and `status.count` have these
/// keywords.
fn farm_crd_with_status(size: &Value, count: &Value) -> Value {
    let integer = |keywords: &Value| {
        let mut schema = keywords.clone();
        schema["type"] = json!("integer");
        schema
    };
    let class = json!({"type": "string"});
    let spec = json!({"type": "object", "properties": {"size": integer(size), "class": class}});
    let mut crd = farm_crd(&spec);
    let version = &mut crd["spec"]["versions"][0];
    version["subresources"] = json!({"status": {}});
    version["schema"]["openAPIV3Schema"]["properties"]["status"] =
        json!({"type": "object", "properties": {"count": integer(count)}});
    crd
}

#[test]
fn a_file_that_is_not_read_leaves_no_verdict() {
    let folder = crate::check::folder(
        "tighten_unreadable",
        &[
            ("broken.yaml", "a: [".to_owned()),
            ("object.json", farm(&json!({"a": 1})).to_string()),
        ],
    );
    let crd = write_file(
        "tighten_unreadable_crd.json",
        farm_crd(&json!({"type": "object"})).to_string(),
    );
    for args in [
        &["tighten", "--crd", &crd, "--crd-new", &crd, "-f", &folder][..],
        &["check", "--crd", &crd, "-f", &folder],
    ] {
        let output = run(args);
        assert_eq!(output.code, 2, "{output:?}");
        assert!(output.stdout.ends_with("not read: 1 file\n"), "{output:?}");
    }
}
