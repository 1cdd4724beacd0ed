//! Tests of the replies to the page of the playground. They equal the output of the program, with
//! positions.

use std::fs;

use serde_json::{Value, json};
use unionctl::page::Session;

use crate::process::{run, run_with, sample};

fn text(name: &str) -> String {
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

fn lines(messages: &Value) -> Value {
    let messages = messages.as_array().unwrap().iter();
    messages.map(|message| message["line"].clone()).collect()
}

/// Returns the sign, the reason and the content of each changed line.
fn changed(object: &Value) -> Vec<String> {
    let lines = object["lines"].as_array().unwrap().iter();
    let changed_lines = lines.filter(|line| line["change"].is_object());
    let changes = changed_lines.map(|line| {
        let (change, text) = (&line["change"], line["text"].as_str().unwrap());
        let (sign, why) = (change["sign"].as_str(), change["why"].as_str());
        format!("{} {}: {text}", sign.unwrap(), why.unwrap())
    });
    changes.collect()
}

#[test]
fn errors_have_lines_and_the_messages_of_check() {
    let (crd, stored, new) = ("crd.yaml", "stored.yaml", "forgotten.yaml");
    let request = json!({ "crd": text(crd), "stored": text(stored), "new": text(new) });
    let reply = call(Session::judge, &request);
    let (crd, stored, new) = (sample(crd), sample(stored), sample(new));
    let expected = run([
        "check", "--crd", &crd, "--old", &stored, "--new", &new, "-o", "json",
    ]);
    let expected = &expected.json()["objects"][0];
    let object = &reply["object"];
    assert_eq!(object["title"], "update of Backup \"default/nightly\"");
    assert_eq!(
        message_texts(&object["errors"]),
        message_texts(&expected["errors"])
    );
    // Line 11 contains the key `volume`.
    assert_eq!(lines(&object["errors"]), json!([11]));
    assert_eq!(
        (&object["accepted"], &reply["problems"]),
        (&json!(false), &json!([]))
    );
}

#[test]
fn tolerated_errors_have_reasons_and_warnings_have_lines() {
    let request = json!({
        "crd": text("database_crd_tight.yaml"),
        "stored": text("databases/legacy.yaml"),
        "new": text("scaled.yaml"),
    });
    let object = &call(Session::judge, &request)["object"];
    assert_eq!(
        object["ratcheted"][0]["why"],
        "unchanged since the stored object"
    );
    assert_eq!(lines(&object["ratcheted"]), json!([7]));
    assert_eq!(lines(&object["warnings"]), json!([8]));
    assert_eq!(object["accepted"], true);
}

#[test]
fn changed_lines_have_reasons() {
    let crd = text("database_crd.yaml");
    let stored = json!({
        "apiVersion": "db.example.com/v1", "kind": "Database", "metadata": {"name": "a"},
        "spec": {"engine": "x"}, "status": {"phase": "Ready"},
    });
    let mut new = stored.clone();
    new["spec"] = json!({"engine": null, "typo": {"deep": [1]}, "owner": "me"});
    new["status"]["phase"] = "Lost".into();
    let request = json!({ "crd": crd, "stored": stored.to_string(), "new": new.to_string() });
    assert_eq!(
        changed(&call(Session::judge, &request)["object"]),
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
    let mut listed = stored.clone();
    listed["spec"] = json!({"items": [{"a": 1, "b": [[2], {}]}, []]});
    let list_request = json!({ "crd": crd, "new": listed.to_string() });
    let object = &call(Session::judge, &list_request)["object"];
    let pruned: Vec<String> = changed(object);
    let expected = [
        "removed pruned: items:",
        "removed pruned: - a: 1",
        "removed pruned: b:",
        "removed pruned: - - 2",
        "removed pruned: - {}",
        "removed pruned: - []",
    ];
    assert_eq!(pruned[..6], expected, "{pruned:?}");
    // An update of the status does not change other fields.
    let mut status_request = request.clone();
    status_request["status"] = true.into();
    let kept = changed(&call(Session::judge, &status_request)["object"]);
    assert!(
        kept.contains(&"added kept: engine: x".to_owned()),
        "{kept:?}"
    );
    assert!(!kept.iter().any(|line| line.contains("phase")), "{kept:?}");
    // The status of an object that is not stored cannot be updated.
    status_request["stored"] = "".into();
    let reply = call(Session::judge, &status_request);
    assert_eq!(reply["problems"][0]["editor"], "new");
}

#[test]
fn unions_of_the_crd_or_of_its_rules_are_normalized_on_request() {
    for (crd, stored, new, cleared) in [
        ("crd.yaml", "stored.yaml", "switched.yaml", "spec.target.s3"),
        (
            "pipeline_crd.yaml",
            "pipeline_stored.yaml",
            "pipeline_switched.yaml",
            "spec.source.git",
        ),
    ] {
        let mut request = json!({ "crd": text(crd), "stored": text(stored), "new": text(new) });
        let object = &call(Session::judge, &request)["object"];
        assert_eq!(
            (&object["accepted"], &object["changes"]),
            (&json!(false), &json!([]))
        );
        request["normalize"] = true.into();
        let object = &call(Session::judge, &request)["object"];
        assert_eq!(object["accepted"], true, "{object}");
        assert_eq!(
            object["changes"],
            json!([{"path": cleared, "kind": "cleared"}])
        );
        let changed = changed(object);
        assert!(
            changed
                .iter()
                .any(|line| line.starts_with("removed normalized: ")),
            "{changed:?}"
        );
    }
}

#[test]
fn a_normalized_object_keeps_the_warnings_of_its_unknown_fields() {
    let new = text("switched.yaml").replace("spec:\n", "spec:\n  wdith: 3\n");
    let request = json!({ "crd": text("crd.yaml"), "stored": text("stored.yaml"), "new": new, "normalize": true });
    let object = &call(Session::judge, &request)["object"];
    assert_eq!(object["accepted"], true, "{object}");
    let warnings = message_texts(&object["warnings"]).to_string();
    assert!(warnings.contains("spec.wdith"), "{warnings}");
}

#[test]
fn syntax_errors_have_positions() {
    let request = json!({
        "crd": "kind: CustomResourceDefinition\nspec: [\n",
        "stored": "a: 1\na: 2\n",
        "new": "{\"a\": \"tru}",
    });
    let reply = call(Session::judge, &request);
    let problems = reply["problems"].as_array().unwrap();
    let objects = problems.iter().map(|problem| {
        (
            problem["editor"].as_str().unwrap(),
            problem["line"].as_u64(),
        )
    });
    let objects: Vec<_> = objects.collect();
    assert_eq!(
        objects,
        [("stored", Some(2)), ("new", Some(1)), ("crd", Some(2))]
    );
    assert_eq!(
        (&reply["crd"], &reply["object"]),
        (&Value::Null, &Value::Null)
    );
    // These sources have valid syntax, but do not contain the expected object.
    let request = json!({ "crd": "kind: Pod", "new": "" });
    assert_eq!(
        call(Session::judge, &request)["problems"][0]["editor"],
        "crd"
    );
    let request = json!({ "crd": text("crd.yaml"), "new": text("scaled.yaml") });
    assert_eq!(
        call(Session::judge, &request)["problems"][0]["editor"],
        "new"
    );
    // These requests are invalid or empty.
    assert!(call(Session::judge, &json!({ "crds": 1 }))["error"].is_string());
    assert!(call(Session::costs, &json!([1]))["error"].is_string());
    let empty = call(Session::judge, &json!({}));
    assert_eq!(
        empty,
        json!({ "problems": [], "crd": null, "object": null })
    );
}

/// Returns a CRD with rules for the items of a list without `maxItems`.
fn crd_with_costly_rules() -> String {
    let crd = text("database_crd.yaml");
    let rule = "              tags:\n                type: array\n                items:\n                  type: string\n                  \
                x-kubernetes-validations:\n                  - rule: self.contains('x')\n                  - rule: self.contains('x')\n";
    let before = "              replicas:\n";
    crd.replacen(before, &(rule.to_owned() + before), 1)
}

#[test]
fn errors_and_costs_have_the_lines_of_their_rules() {
    let crd = crd_with_costly_rules();
    let line_of_rule = crd
        .lines()
        .position(|line| line.contains("- rule: self"))
        .unwrap()
        + 1;
    let reply = call(Session::judge, &json!({ "crd": crd }));
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
    let mut found: Vec<u64> = rules
        .iter()
        .map(|rule| rule["line"].as_u64().unwrap())
        .collect();
    found.sort_unstable();
    assert_eq!(found, [line_of_rule as u64, line_of_rule as u64 + 1]);
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
        &json!({ "crd": text("pipeline_crd.yaml") }),
    );
    let objects = &reply["kinds"][0]["versions"][0]["places"];
    assert_eq!(lines(objects), json!([62, 48, 25]));
    assert_eq!(objects[1]["findings"][0]["line"], 57);
    let listed = run([
        "unions",
        "--list",
        "--crd",
        &sample("pipeline_crd.yaml"),
        "-o",
        "json",
    ]);
    assert_eq!(reply["findings"], listed.json()["findings"]);
    let reply = call(Session::unions, &json!({ "crd": "a: [" }));
    assert_eq!(reply["problems"][0]["line"], 1);
}

#[test]
fn the_effect_of_a_second_crd_equals_tighten() {
    let (old, new) = ("database_crd.yaml", "database_crd_tight.yaml");
    let stored = "databases/legacy.yaml";
    let request = json!({ "crd": text(old), "crd_new": text(new), "stored": text(stored) });
    let reply = call(Session::tighten, &request);
    let expected = run([
        "tighten",
        "--crd",
        &sample(old),
        "--crd-new",
        &sample(new),
        "--objects",
        &sample(stored),
        "-o",
        "json",
    ]);
    let (found, expected) = (&reply["report"], expected.json());
    assert_eq!(
        found["objects"][0]["findings"],
        expected["objects"][0]["findings"]
    );
    assert_eq!(found["summary"], expected["summary"]);
    assert_eq!(
        (lines(&reply["places"]), &reply["accepted"]),
        (json!([9, 10]), &json!(true))
    );
    // A server rejects the second CRD, because its scope is invalid and a scope is immutable.
    let other = text(new).replace("scope: Namespaced", "scope: Galaxy");
    let request = json!({ "crd": text(old), "crd_new": other });
    let reply = call(Session::tighten, &request);
    assert_eq!(
        (&reply["accepted"], lines(&reply["errors"])),
        (&json!(false), json!([12, 12]))
    );
    assert_eq!(reply["report"], Value::Null);
}

#[test]
fn lines_have_the_replies_of_jsonl() {
    let mut session = Session::default();
    for (subcommand, file) in [("check", "requests.jsonl"), ("unions", "cases.jsonl")] {
        let lines = text(file) + "{\"op\": 1}\nx\n";
        let output = run_with([subcommand, "--jsonl"], lines.as_str());
        let replies = lines.lines().map(|line| match subcommand {
            "check" => session.check_line(line),
            _ => session.unions_line(line),
        });
        assert_eq!(replies.collect::<Vec<_>>().join("\n") + "\n", output.stdout);
    }
}
