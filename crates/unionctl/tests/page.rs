//! Tests of the answers to the page of the playground: the same as of the tool, with positions.

use std::fs;

use serde_json::{Value, json};
use unionctl::page::Session;

use crate::process::{run, run_with, sample};

fn text(name: &str) -> String {
    fs::read_to_string(sample(name)).unwrap()
}

type SessionMethod = fn(&mut Session, &str) -> String;

fn ask(what: SessionMethod, question: &Value) -> Value {
    let answer = what(&mut Session::default(), &question.to_string());
    serde_json::from_str(&answer).unwrap()
}

fn texts(notes: &Value) -> Value {
    let notes = notes.as_array().unwrap().iter();
    notes.map(|note| note["text"].clone()).collect()
}

fn lines(notes: &Value) -> Value {
    let notes = notes.as_array().unwrap().iter();
    notes.map(|note| note["line"].clone()).collect()
}

/// Returns the changed lines: sign, reason and text.
fn changed(object: &Value) -> Vec<String> {
    let lines = object["lines"].as_array().unwrap().iter();
    let changed = lines.filter(|line| line["change"].is_object());
    let said = changed.map(|line| {
        let (change, text) = (&line["change"], line["text"].as_str().unwrap());
        let (sign, why) = (change["sign"].as_str(), change["why"].as_str());
        format!("{} {}: {text}", sign.unwrap(), why.unwrap())
    });
    said.collect()
}

#[test]
fn errors_stand_at_their_lines_in_the_words_of_check() {
    let (crd, stored, new) = ("crd.yaml", "stored.yaml", "forgotten.yaml");
    let question = json!({ "crd": text(crd), "stored": text(stored), "new": text(new) });
    let said = ask(Session::judge, &question);
    let (crd, stored, new) = (sample(crd), sample(stored), sample(new));
    let wanted = run([
        "check", "--crd", &crd, "--old", &stored, "--new", &new, "-o", "json",
    ]);
    let wanted = &wanted.json()["objects"][0];
    let object = &said["object"];
    assert_eq!(object["title"], "update of Backup \"default/nightly\"");
    assert_eq!(texts(&object["errors"]), texts(&wanted["errors"]));
    // Line 11 has the key `volume`.
    assert_eq!(lines(&object["errors"]), json!([11]));
    assert_eq!(
        (&object["accepted"], &said["problems"]),
        (&json!(false), &json!([]))
    );
}

#[test]
fn what_is_tolerated_says_why_and_warnings_have_lines() {
    let question = json!({
        "crd": text("database_crd_tight.yaml"),
        "stored": text("databases/legacy.yaml"),
        "new": text("scaled.yaml"),
    });
    let object = &ask(Session::judge, &question)["object"];
    assert_eq!(
        object["ratcheted"][0]["why"],
        "unchanged since the stored object"
    );
    assert_eq!(lines(&object["ratcheted"]), json!([7]));
    assert_eq!(lines(&object["warnings"]), json!([8]));
    assert_eq!(object["accepted"], true);
}

#[test]
fn lines_that_change_say_why() {
    let crd = text("database_crd.yaml");
    let stored = json!({
        "apiVersion": "db.example.com/v1", "kind": "Database", "metadata": {"name": "a"},
        "spec": {"engine": "x"}, "status": {"phase": "Ready"},
    });
    let mut new = stored.clone();
    new["spec"] = json!({"engine": null, "typo": {"deep": [1]}, "owner": "me"});
    new["status"]["phase"] = "Lost".into();
    let question = json!({ "crd": crd, "stored": stored.to_string(), "new": new.to_string() });
    assert_eq!(
        changed(&ask(Session::judge, &question)["object"]),
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
    // The first field of an element is on the line of its dash.
    let mut listed = stored.clone();
    listed["spec"] = json!({"items": [{"a": 1, "b": [[2], {}]}, []]});
    let question_of_list = json!({ "crd": crd, "new": listed.to_string() });
    let object = &ask(Session::judge, &question_of_list)["object"];
    let pruned: Vec<String> = changed(object);
    let wanted = [
        "removed pruned: items:",
        "removed pruned: - a: 1",
        "removed pruned: b:",
        "removed pruned: - - 2",
        "removed pruned: - {}",
        "removed pruned: - []",
    ];
    assert_eq!(pruned[..6], wanted, "{pruned:?}");
    // An update of the status leaves the other fields unchanged.
    let mut of_status = question.clone();
    of_status["status"] = true.into();
    let kept = changed(&ask(Session::judge, &of_status)["object"]);
    assert!(
        kept.contains(&"added kept: engine: x".to_owned()),
        "{kept:?}"
    );
    assert!(!kept.iter().any(|line| line.contains("phase")), "{kept:?}");
    // The status of an object that is not stored cannot be updated.
    of_status["stored"] = "".into();
    let said = ask(Session::judge, &of_status);
    assert_eq!(said["problems"][0]["editor"], "new");
}

#[test]
fn unions_are_normalized_on_demand_by_the_crd_or_by_its_rules() {
    for (crd, stored, new, cleared) in [
        ("crd.yaml", "stored.yaml", "switched.yaml", "spec.target.s3"),
        (
            "pipeline_crd.yaml",
            "pipeline_stored.yaml",
            "pipeline_switched.yaml",
            "spec.source.git",
        ),
    ] {
        let mut question = json!({ "crd": text(crd), "stored": text(stored), "new": text(new) });
        let object = &ask(Session::judge, &question)["object"];
        assert_eq!(
            (&object["accepted"], &object["changes"]),
            (&json!(false), &json!([]))
        );
        question["normalize"] = true.into();
        let object = &ask(Session::judge, &question)["object"];
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
fn texts_that_cannot_be_read_say_where() {
    let question = json!({
        "crd": "kind: CustomResourceDefinition\nspec: [\n",
        "stored": "a: 1\na: 2\n",
        "new": "{\"a\": \"tru}",
    });
    let said = ask(Session::judge, &question);
    let problems = said["problems"].as_array().unwrap();
    let places = problems.iter().map(|problem| {
        (
            problem["editor"].as_str().unwrap(),
            problem["line"].as_u64(),
        )
    });
    let places: Vec<_> = places.collect();
    assert_eq!(
        places,
        [("stored", Some(2)), ("new", Some(1)), ("crd", Some(2))]
    );
    assert_eq!(
        (&said["crd"], &said["object"]),
        (&Value::Null, &Value::Null)
    );
    // These sources have a valid syntax, but do not contain the requested document.
    let question = json!({ "crd": "kind: Pod", "new": "" });
    assert_eq!(
        ask(Session::judge, &question)["problems"][0]["editor"],
        "crd"
    );
    let question = json!({ "crd": text("crd.yaml"), "new": text("scaled.yaml") });
    assert_eq!(
        ask(Session::judge, &question)["problems"][0]["editor"],
        "new"
    );
    // These questions are invalid or empty.
    assert!(ask(Session::judge, &json!({ "crds": 1 }))["error"].is_string());
    assert!(ask(Session::costs, &json!([1]))["error"].is_string());
    let nothing = ask(Session::judge, &json!({}));
    assert_eq!(
        nothing,
        json!({ "problems": [], "crd": null, "object": null })
    );
}

/// Returns a CRD with a rule for items of a list without bounds.
fn costly() -> String {
    let crd = text("database_crd.yaml");
    let rule = "              tags:\n                type: array\n                items:\n                  type: string\n                  \
                x-kubernetes-validations:\n                  - rule: self.contains('x')\n                  - rule: self.contains('x')\n";
    let before = "              replicas:\n";
    crd.replacen(before, &(rule.to_owned() + before), 1)
}

#[test]
fn errors_of_a_crd_stand_at_their_rules_and_costs_do_too() {
    let crd = costly();
    let at = crd
        .lines()
        .position(|line| line.contains("- rule: self"))
        .unwrap()
        + 1;
    let said = ask(Session::judge, &json!({ "crd": crd }));
    // The paths of these errors are at the CRD itself, because all versions share the schema. Their
    // positions are in the version.
    let errors = said["crd"]["errors"].as_array().unwrap();
    assert_eq!(
        (errors.len(), &errors[0]["line"]),
        (5, &json!(at)),
        "{errors:?}"
    );
    let said = ask(Session::costs, &json!({ "crd": crd }));
    let rules = said["schemas"][0]["rules"].as_array().unwrap();
    let mut found: Vec<u64> = rules
        .iter()
        .map(|rule| rule["line"].as_u64().unwrap())
        .collect();
    found.sort_unstable();
    assert_eq!(found, [at as u64, at as u64 + 1]);
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
fn unions_are_those_of_list_with_lines() {
    let said = ask(
        Session::unions,
        &json!({ "crd": text("pipeline_crd.yaml") }),
    );
    let places = &said["kinds"][0]["versions"][0]["places"];
    assert_eq!(lines(places), json!([62, 48, 25]));
    assert_eq!(places[1]["findings"][0]["line"], 57);
    let listed = run([
        "unions",
        "--list",
        "--crd",
        &sample("pipeline_crd.yaml"),
        "-o",
        "json",
    ]);
    assert_eq!(said["findings"], listed.json()["findings"]);
    let said = ask(Session::unions, &json!({ "crd": "a: [" }));
    assert_eq!(said["problems"][0]["line"], 1);
}

#[test]
fn a_second_crd_is_judged_as_tighten_does() {
    let (old, new) = ("database_crd.yaml", "database_crd_tight.yaml");
    let stored = "databases/legacy.yaml";
    let question = json!({ "crd": text(old), "crd_new": text(new), "stored": text(stored) });
    let said = ask(Session::tighten, &question);
    let wanted = run([
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
    let (found, wanted) = (&said["report"], wanted.json());
    assert_eq!(
        found["objects"][0]["findings"],
        wanted["objects"][0]["findings"]
    );
    assert_eq!(found["summary"], wanted["summary"]);
    assert_eq!(
        (lines(&said["places"]), &said["accepted"]),
        (json!([9, 10]), &json!(true))
    );
    // A server rejects the second CRD, because its scope is invalid and scopes are immutable.
    let other = text(new).replace("scope: Namespaced", "scope: Galaxy");
    let question = json!({ "crd": text(old), "crd_new": other });
    let said = ask(Session::tighten, &question);
    assert_eq!(
        (&said["accepted"], lines(&said["errors"])),
        (&json!(false), json!([12, 12]))
    );
    assert_eq!(said["report"], Value::Null);
}

#[test]
fn lines_are_answered_as_jsonl_is() {
    let mut session = Session::default();
    for (subcommand, file) in [("check", "requests.jsonl"), ("unions", "cases.jsonl")] {
        let lines = text(file) + "{\"op\": 1}\nx\n";
        let ran = run_with([subcommand, "--jsonl"], lines.as_str());
        let answers = lines.lines().map(|line| match subcommand {
            "check" => session.check_line(line),
            _ => session.unions_line(line),
        });
        assert_eq!(answers.collect::<Vec<_>>().join("\n") + "\n", ran.stdout);
    }
}
