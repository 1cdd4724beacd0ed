//! Tests of the replies to the page of the playground. They equal the output of the program, with
//! positions.

use std::fs;

use serde_json::{Value, json};
use unionctl::page::Session;

use crate::process::{run, run_with_stdin, sample, write_file};

fn read_sample(name: &str) -> String {
    fs::read_to_string(sample(name)).unwrap()
}

type SessionMethod = fn(&mut Session, &str) -> String;

fn call(method: SessionMethod, request: &Value) -> Value {
    let reply = method(&mut Session::default(), &request.to_string());
    serde_json::from_str(&reply).unwrap()
}

fn message_texts(messages: &Value) -> Value {
    let messages = messages.as_array().unwrap().iter();
    messages.map(|message| message["text"].clone()).collect()
}

fn message_lines(messages: &Value) -> Value {
    let messages = messages.as_array().unwrap().iter();
    messages.map(|message| message["line"].clone()).collect()
}

/// Returns the sign, the reason and the content of each changed line.
fn changed_lines(object: &Value) -> Vec<String> {
    let lines = object["lines"].as_array().unwrap().iter();
    let lines_with_changes = lines.filter(|line| line["change"].is_object());
    let changes = lines_with_changes.map(|line| {
        let (change, content) = (&line["change"], line["text"].as_str().unwrap());
        let (sign, reason) = (change["sign"].as_str(), change["why"].as_str());
        format!("{} {}: {content}", sign.unwrap(), reason.unwrap())
    });
    changes.collect()
}

#[test]
fn errors_have_lines_and_the_messages_of_check() {
    let (crd_name, stored_name, new_name) = ("crd.yaml", "stored.yaml", "forgotten.yaml");
    let request = json!({ "crd": read_sample(crd_name), "stored": read_sample(stored_name), "new": read_sample(new_name) });
    let reply = call(Session::check, &request);
    let (crd_file, stored_file, new_file) =
        (sample(crd_name), sample(stored_name), sample(new_name));
    let expected = run([
        "check",
        "--crd",
        &crd_file,
        "--old",
        &stored_file,
        "--new",
        &new_file,
        "-o",
        "json",
    ]);
    let expected = &expected.json()["objects"][0];
    let object = &reply["object"];
    assert_eq!(object["title"], "update of Backup \"default/nightly\"");
    assert_eq!(
        message_texts(&object["errors"]),
        message_texts(&expected["errors"])
    );
    // Line 11 contains the key `volume`.
    assert_eq!(message_lines(&object["errors"]), json!([11]));
    assert_eq!(
        (&object["accepted"], &reply["problems"]),
        (&json!(false), &json!([]))
    );
}

#[test]
fn tolerated_errors_have_reasons_and_warnings_have_lines() {
    let request = json!({
        "crd": read_sample("database_crd_tight.yaml"),
        "stored": read_sample("databases/legacy.yaml"),
        "new": read_sample("scaled.yaml"),
    });
    let object = &call(Session::check, &request)["object"];
    assert_eq!(
        object["ratcheted"][0]["why"],
        "unchanged since the stored object"
    );
    assert_eq!(message_lines(&object["ratcheted"]), json!([7]));
    assert_eq!(message_lines(&object["warnings"]), json!([8]));
    assert_eq!(object["accepted"], true);
}

#[test]
fn changed_lines_have_reasons() {
    let crd = read_sample("database_crd.yaml");
    let stored_object = json!({
        "apiVersion": "db.example.com/v1", "kind": "Database", "metadata": {"name": "a"},
        "spec": {"engine": "x"}, "status": {"phase": "Ready"},
    });
    let mut new_object = stored_object.clone();
    new_object["spec"] = json!({"engine": null, "typo": {"deep": [1]}, "owner": "me"});
    new_object["status"]["phase"] = "Lost".into();
    let request =
        json!({ "crd": crd, "stored": stored_object.to_string(), "new": new_object.to_string() });
    assert_eq!(
        changed_lines(&call(Session::check, &request)["object"]),
        [
            "removed null: engine: null",
            "added defaulted: replicas: 1",
            "removed pruned: typo:",
            "removed pruned: deep:",
            "removed pruned: - 1",
            "removed kept: phase: Lost",
            "added kept: phase: Ready",
        ]
    );
    // The first field of an element is on the line of the dash.
    let mut object_with_list = stored_object.clone();
    object_with_list["spec"] = json!({"items": [{"a": 1, "b": [[2], {}]}, []]});
    let list_request = json!({ "crd": crd, "new": object_with_list.to_string() });
    let object = &call(Session::check, &list_request)["object"];
    let lines: Vec<String> = changed_lines(object);
    let expected = [
        "removed pruned: items:",
        "removed pruned: - a: 1",
        "removed pruned: b:",
        "removed pruned: - - 2",
        "removed pruned: - {}",
        "removed pruned: - []",
    ];
    assert_eq!(lines[..6], expected, "{lines:?}");
    // An update of the status does not change other fields.
    let mut status_request = request.clone();
    status_request["status"] = true.into();
    let lines = changed_lines(&call(Session::check, &status_request)["object"]);
    assert!(
        lines.contains(&"added kept: engine: x".to_owned()),
        "{lines:?}"
    );
    assert!(
        !lines.iter().any(|line| line.contains("phase")),
        "{lines:?}"
    );
    // The status of an object that is not stored cannot be updated.
    status_request["stored"] = "".into();
    let reply = call(Session::check, &status_request);
    assert_eq!(reply["problems"][0]["editor"], "new");
}

#[test]
fn declared_and_inferred_unions_are_normalized_on_request() {
    for (crd_name, stored_name, new_name, cleared_field) in [
        ("crd.yaml", "stored.yaml", "switched.yaml", "spec.target.s3"),
        (
            "pipeline_crd.yaml",
            "pipeline_stored.yaml",
            "pipeline_switched.yaml",
            "spec.source.git",
        ),
    ] {
        let mut request = json!({ "crd": read_sample(crd_name), "stored": read_sample(stored_name), "new": read_sample(new_name) });
        let object = &call(Session::check, &request)["object"];
        assert_eq!(
            (&object["accepted"], &object["changes"]),
            (&json!(false), &json!([]))
        );
        request["normalize"] = true.into();
        let object = &call(Session::check, &request)["object"];
        assert_eq!(object["accepted"], true, "{object}");
        assert_eq!(
            object["changes"],
            json!([{"path": cleared_field, "kind": "cleared"}])
        );
        let lines = changed_lines(object);
        assert!(
            lines
                .iter()
                .any(|line| line.starts_with("removed normalized: ")),
            "{lines:?}"
        );
    }
}

#[test]
fn a_normalized_object_keeps_the_warnings_of_its_unknown_fields() {
    let new_source = read_sample("switched.yaml").replace("spec:\n", "spec:\n  wdith: 3\n");
    let request = json!({ "crd": read_sample("crd.yaml"), "stored": read_sample("stored.yaml"), "new": new_source, "normalize": true });
    let object = &call(Session::check, &request)["object"];
    assert_eq!(object["accepted"], true, "{object}");
    let warnings = message_texts(&object["warnings"]).to_string();
    assert!(warnings.contains("spec.wdith"), "{warnings}");
}

#[test]
fn syntax_errors_have_positions_and_missing_objects_have_editors() {
    let request = json!({
        "crd": "kind: CustomResourceDefinition\nspec: [\n",
        "stored": "a: 1\na: 2\n",
        "new": "{\"a\": \"tru}",
    });
    let reply = call(Session::check, &request);
    let problems = reply["problems"].as_array().unwrap();
    let editors_and_lines = problems.iter().map(|problem| {
        (
            problem["editor"].as_str().unwrap(),
            problem["line"].as_u64(),
        )
    });
    let editors_and_lines: Vec<_> = editors_and_lines.collect();
    assert_eq!(
        editors_and_lines,
        [("stored", Some(2)), ("new", Some(1)), ("crd", Some(2))]
    );
    assert_eq!(
        (&reply["crd"], &reply["object"]),
        (&Value::Null, &Value::Null)
    );
    // These sources have valid syntax, but do not contain the expected object.
    let request = json!({ "crd": "kind: Pod", "new": "" });
    assert_eq!(
        call(Session::check, &request)["problems"][0]["editor"],
        "crd"
    );
    let request = json!({ "crd": read_sample("crd.yaml"), "new": read_sample("scaled.yaml") });
    let reply = call(Session::check, &request);
    assert_eq!(reply["problems"][0]["editor"], "new");
    // The CRD is validated even if the object has another type.
    assert_eq!(
        (&reply["crd"]["accepted"], &reply["object"]),
        (&json!(true), &Value::Null)
    );
    // These requests are invalid or empty.
    assert!(call(Session::check, &json!({ "crds": 1 }))["error"].is_string());
    assert!(call(Session::costs, &json!([1]))["error"].is_string());
    let empty = call(Session::check, &json!({}));
    assert_eq!(
        empty,
        json!({ "problems": [], "crd": null, "object": null })
    );
    let empty = call(Session::unions, &json!({}));
    assert_eq!(empty, json!({ "kinds": [], "problems": [] }));
}

/// The differences equal those of the program, with the editors as files.
#[test]
fn an_upgrade_has_the_differences_of_the_subcommand() {
    let int32 = "type: integer\n                format: int32";
    let crd = read_sample("database_crd.yaml").replacen("type: integer", int32, 1);
    let object = |name: &str, replicas: u64| {
        let fields = format!("metadata: {{name: {name}}}\nspec: {{replicas: {replicas}}}\n");
        format!("apiVersion: db.example.com/v1\nkind: Database\n{fields}")
    };
    let (stored, new) = (object("a", 3), object("b", 3_000_000_000));
    // Objects of other kinds are ignored.
    let new = format!("apiVersion: v1\nkind: Pod\n---\n{new}");
    let [crd_file, stored_file, new_file] = [("crd", &crd), ("stored", &stored), ("new", &new)]
        .map(|(name, content)| write_file(&format!("page_upgrade_{name}.yaml"), content));
    for [from, to] in [["1.35", "1.36"], ["1.36", "1.35"], ["1.30", "1.29"]] {
        let request = json!({
            "crd": crd, "stored": stored, "new": new, "upgrade_from": from, "upgrade_to": to,
        });
        let reply = call(Session::upgrade, &request);
        let args = ["upgrade", "--from", from, "--to", to, "--crd", &crd_file];
        let files = ["-f", &stored_file, "-f", &new_file, "-o", "json"];
        let output = run(args.iter().chain(&files)).stdout;
        let output = [
            (&crd_file, "the CRD"),
            (&stored_file, "the stored object"),
            (&new_file, "the new object"),
        ]
        .iter()
        .fold(output, |output, (file, editor)| {
            output.replace(*file, editor)
        });
        let mut expected: Value = serde_json::from_str(&output).unwrap();
        // Only the program counts the objects of other kinds.
        expected["skipped"] = 0.into();
        assert_eq!(
            reply,
            json!({"problems": [], "report": expected}),
            "{from} -> {to}"
        );
        let finding = &reply["report"]["groups"][0]["findings"][0];
        if to == "1.36" {
            assert_eq!(
                (&finding["file"], &finding["line"]),
                (&json!("the new object"), &json!(7))
            );
        }
    }
}

#[test]
fn an_upgrade_without_versions_or_with_invalid_input_has_no_report() {
    let crd = read_sample("database_crd.yaml");
    for request in [
        json!({ "crd": crd }),
        json!({ "crd": crd, "upgrade_from": "1.35" }),
        json!({ "upgrade_from": "1.35", "upgrade_to": "1.36" }),
    ] {
        assert_eq!(call(Session::upgrade, &request), json!({ "problems": [] }));
    }
    let versions = |mut request: Value| {
        request["upgrade_from"] = "1.35".into();
        request["upgrade_to"] = "1.36".into();
        call(Session::upgrade, &request)
    };
    for (request, editor, has_report) in [
        (json!({ "crd": "a: [" }), "crd", false),
        (json!({ "crd": crd, "new": "a: 1\na: 2\n" }), "new", true),
    ] {
        let reply = versions(request);
        assert_eq!(reply["problems"][0]["editor"], editor);
        assert_eq!(reply["report"].is_object(), has_report, "{reply}");
    }
    let reply = call(
        Session::upgrade,
        &json!({ "crd": crd, "upgrade_from": "1.5" }),
    );
    assert!(reply["error"].is_string(), "{reply}");
}

/// Returns a CRD with rules for the items of a list without `maxItems`.
fn crd_with_costly_rules() -> String {
    let crd = read_sample("database_crd.yaml");
    let property = "              tags:\n                type: array\n                items:\n                  type: string\n                  \
                x-kubernetes-validations:\n                  - rule: self.contains('x')\n                  - rule: self.contains('x')\n";
    let next_property = "              replicas:\n";
    crd.replacen(next_property, &(property.to_owned() + next_property), 1)
}

#[test]
fn errors_and_costs_have_the_lines_of_their_rules() {
    let crd = crd_with_costly_rules();
    let line_of_rule = crd
        .lines()
        .position(|line| line.contains("- rule: self"))
        .unwrap()
        + 1;
    let reply = call(Session::check, &json!({ "crd": crd }));
    // A server reports these errors at paths without a version, because all versions share the
    // schema. Their positions are in the first version.
    let errors = reply["crd"]["errors"].as_array().unwrap();
    assert_eq!(
        (errors.len(), &errors[0]["line"]),
        (5, &json!(line_of_rule)),
        "{errors:?}"
    );
    let reply = call(Session::costs, &json!({ "crd": crd }));
    let rules = reply["schemas"][0]["rules"].as_array().unwrap();
    let mut rule_lines: Vec<u64> = rules
        .iter()
        .map(|rule| rule["line"].as_u64().unwrap())
        .collect();
    rule_lines.sort_unstable();
    assert_eq!(rule_lines, [line_of_rule as u64, line_of_rule as u64 + 1]);
    assert_eq!(rules[0]["is_within_limit"], false);
    assert_eq!(
        rules[0]["multipliers"],
        json!([{"path": "spec.tags", "keyword": "maxItems", "bound": null}])
    );
    let advice = rules[0]["advice"].as_array().unwrap();
    assert!(
        advice[0]
            .as_str()
            .unwrap()
            .starts_with("set maxItems of `spec.tags`"),
        "{advice:?}"
    );
}

#[test]
fn unions_equal_the_listing_with_lines() {
    let reply = call(
        Session::unions,
        &json!({ "crd": read_sample("pipeline_crd.yaml") }),
    );
    let objects = &reply["kinds"][0]["versions"][0]["places"];
    assert_eq!(message_lines(objects), json!([62, 48, 25]));
    assert_eq!(objects[1]["findings"][0]["line"], 57);
    let output = run([
        "unions",
        "--list",
        "--crd",
        &sample("pipeline_crd.yaml"),
        "-o",
        "json",
    ]);
    assert_eq!(reply["findings"], output.json()["findings"]);
    let reply = call(Session::unions, &json!({ "crd": "a: [" }));
    assert_eq!(reply["problems"][0]["line"], 1);
}

#[test]
fn the_effect_of_a_second_crd_equals_tighten() {
    let (old_name, new_name) = ("database_crd.yaml", "database_crd_tight.yaml");
    let stored_name = "databases/legacy.yaml";
    let request = json!({ "crd": read_sample(old_name), "crd_new": read_sample(new_name), "stored": read_sample(stored_name) });
    let reply = call(Session::tighten, &request);
    let expected = run([
        "tighten",
        "--crd",
        &sample(old_name),
        "--crd-new",
        &sample(new_name),
        "--objects",
        &sample(stored_name),
        "-o",
        "json",
    ]);
    let (report, expected) = (&reply["report"], expected.json());
    assert_eq!(
        report["objects"][0]["findings"],
        expected["objects"][0]["findings"]
    );
    assert_eq!(report["summary"], expected["summary"]);
    assert_eq!(
        (message_lines(&reply["places"]), &reply["accepted"]),
        (json!([9, 10]), &json!(true))
    );
    // A server rejects the second CRD, because its scope is invalid and a scope is immutable.
    let invalid_crd = read_sample(new_name).replace("scope: Namespaced", "scope: Galaxy");
    let request = json!({ "crd": read_sample(old_name), "crd_new": invalid_crd });
    let reply = call(Session::tighten, &request);
    assert_eq!(
        (&reply["accepted"], message_lines(&reply["errors"])),
        (&json!(false), json!([12, 12]))
    );
    assert_eq!(reply["report"], Value::Null);
}

#[test]
fn lines_have_the_replies_of_jsonl() {
    let mut session = Session::default();
    for (subcommand, sample_name) in [("check", "requests.jsonl"), ("unions", "cases.jsonl")] {
        let lines = read_sample(sample_name) + "{\"op\": 1}\nx\n";
        let output = run_with_stdin([subcommand, "--jsonl"], lines.as_str());
        let replies = lines.lines().map(|line| match subcommand {
            "check" => session.check_line(line),
            _ => session.unions_line(line),
        });
        assert_eq!(replies.collect::<Vec<_>>().join("\n") + "\n", output.stdout);
    }
}

/// Returns a Deployment with `rollingUpdate`, and a line of its strategy.
fn deployment(strategy: &str) -> String {
    format!(
        "apiVersion: apps/v1\nkind: Deployment\nmetadata:\n  name: web\nspec:\n  strategy:\n    {strategy}\n    rollingUpdate:\n      maxSurge: 1\n"
    )
}

#[test]
fn an_object_of_a_built_in_kind_needs_no_crd() {
    let new_source = deployment("type: Recreate");
    let mut request = json!({ "new": new_source });
    let reply = call(Session::check, &request);
    let object = &reply["object"];
    let file = write_file("page_deployment.yaml", &new_source);
    let expected = run(["check", "--new", &file, "-o", "json"]).json();
    assert_eq!(
        message_texts(&object["errors"]),
        message_texts(&expected["objects"][0]["errors"])
    );
    // Line 8 contains the key `rollingUpdate`.
    assert_eq!(message_lines(&object["errors"]), json!([8]));
    assert_eq!(object["title"], "creation of Deployment \"web\"");
    assert_eq!(object["accepted"], false);
    assert_eq!(object["scope"], expected["notes"][0]);
    assert_eq!(
        (&reply["crd"], &reply["problems"]),
        (&json!(null), &json!([]))
    );

    request["stored"] = deployment("type: RollingUpdate").into();
    request["normalize"] = true.into();
    let object = &call(Session::check, &request)["object"];
    assert_eq!(
        (&object["op"], &object["accepted"]),
        (&json!("update"), &json!(true))
    );
    assert_eq!(
        object["changes"],
        json!([{"path": "spec.strategy.rollingUpdate", "kind": "cleared"}])
    );
    assert_eq!(
        changed_lines(object),
        [
            "removed normalized: rollingUpdate:",
            "removed normalized: maxSurge: 1",
        ]
    );
}

#[test]
fn objects_without_a_crd_that_are_not_checked() {
    // A kind without unions, and a stored object of another kind.
    let pod = "apiVersion: v1\nkind: Pod\nspec: {containers: []}\n";
    let config_map = "apiVersion: v1\nkind: ConfigMap\n";
    let reply = call(Session::check, &json!({ "new": config_map }));
    assert_eq!(
        (&reply["object"], &reply["problems"]),
        (&json!(null), &json!([]))
    );
    let reply = call(Session::check, &json!({ "new": pod, "stored": config_map }));
    let problem = &reply["problems"][0];
    assert_eq!(
        (&reply["object"], &problem["editor"]),
        (&json!(null), &json!("stored"))
    );
    assert_eq!(problem["line"], 2);
    let text = problem["text"].as_str().unwrap();
    assert!(text.contains("a Pod of v1"), "{text}");
}
