//! Tests of `unionctl unions --jsonl`, which answers a case on each line.

use std::io::{BufRead as _, BufReader, Write as _};
use std::process::Stdio;
use std::sync::mpsc;
use std::thread;
use std::time::Duration;

use serde_json::{Value, json};

use crate::process::{run_with, sample, unionctl};

fn schema() -> Value {
    json!({
        "type": "object",
        "required": ["type"],
        "properties": {
            "type": {
                "type": "string",
                "enum": ["None", "Alpha", "Beta"],
                "x-kubernetes-unions": { "fieldMembers": {
                    "None": null,
                    "Alpha": { "name": "alpha", "optional": false },
                    "Beta": { "name": "beta", "optional": true },
                }},
            },
            "alpha": {},
            "beta": {},
        },
    })
}

/// Returns a case with the [`schema`] of the tests.
fn case(old: &Value, new: &Value, settings: Option<Value>) -> Value {
    let mut case = json!({ "schema": schema(), "old": old, "new": new });
    if let Some(settings) = settings {
        case["settings"] = settings;
    }
    case
}

/// Returns the answers to lines.
#[track_caller]
fn answers(lines: impl Into<Vec<u8>>) -> Vec<Value> {
    let ran = run_with(["unions", "--jsonl"], lines);
    assert_eq!((ran.code, ran.stderr.as_str()), (0, ""));
    let lines = ran.stdout.lines();
    lines
        .map(|line| serde_json::from_str(line).unwrap())
        .collect()
}

#[track_caller]
fn answer(case: &Value) -> Value {
    let answers = answers(format!("{case}\n"));
    assert_eq!(answers.len(), 1);
    answers.into_iter().next().unwrap()
}

/// Returns the error in the answer to a line, and checks that the next line is answered.
#[track_caller]
fn error(line: impl AsRef<[u8]>) -> String {
    let good = case(&Value::Null, &json!({ "type": "None" }), None).to_string();
    let lines = [line.as_ref(), good.as_bytes()].join(&b'\n');
    let answers = answers(lines);
    assert_eq!(answers.len(), 2, "{answers:?}");
    assert_eq!(answers[1]["errors"], json!([]));
    let error = answers[0].as_object().unwrap();
    assert_eq!(error.len(), 1, "{error:?}");
    error["error"].as_str().unwrap().to_owned()
}

#[test]
fn what_changed_is_wrong_and_is_tolerated() {
    let both = json!({ "type": "Beta", "alpha": 1, "beta": 2 });
    let old = json!({ "type": "Alpha", "alpha": 1 });
    assert_eq!(
        answer(&case(&old, &both, None)),
        json!({
            "object": { "type": "Beta", "beta": 2 },
            "changes": [{ "path": "alpha", "kind": "cleared" }],
            "errors": [],
            "ratcheted": [],
        })
    );

    let left = json!({ "type": "None", "alpha": 1 });
    let refusal = answer(&case(&Value::Null, &left, None));
    let text = refusal["errors"][0]["text"].as_str().unwrap();
    let only = union_runtime::only_when("type", "Alpha");
    let start = format!("alpha: Invalid value: \"\": {only}: ");
    assert!(text.starts_with(&start), "{text}");
    let finding = json!([{ "type": "FieldValueInvalid", "field": "alpha", "text": text }]);
    let refused = json!({ "object": left, "changes": [], "errors": finding, "ratcheted": [] });
    let tolerated = json!({ "object": left, "changes": [], "errors": [], "ratcheted": finding });
    assert_eq!(refusal, refused);
    assert_eq!(answer(&case(&left, &left, None)), tolerated);
    let off = json!({ "ratchet": "off" });
    assert_eq!(answer(&case(&left, &left, Some(off))), refused);
}

#[test]
fn an_object_is_normalized_also_if_it_is_refused() {
    let old = json!({ "type": "Beta", "beta": 1 });
    let answer = answer(&case(&old, &json!({ "type": "Alpha", "beta": 1 }), None));
    assert_eq!(answer["object"], json!({ "type": "Alpha" }));
    assert_eq!(
        answer["changes"],
        json!([{ "path": "beta", "kind": "cleared" }])
    );
    assert_eq!(answer["errors"][0]["field"], "alpha");
}

#[test]
fn discriminators_are_set_and_members_restored() {
    let schema = json!({ "x-kubernetes-unions": [
        { "discriminator": "type", "fields-to-discriminateBy": { "a": "A", "b": "B" } }
    ]});
    let set = answer(&json!({ "schema": schema, "old": null, "new": { "a": 1 } }));
    assert_eq!(set["object"], json!({ "type": "A", "a": 1 }));
    assert_eq!(set["changes"], json!([{ "path": "type", "kind": "set" }]));

    let settings = json!({ "restore_unaware": "required" });
    let old = json!({ "type": "Alpha", "alpha": 1 });
    let restored = answer(&case(&old, &json!({ "type": "Alpha" }), Some(settings)));
    assert_eq!(
        restored["changes"],
        json!([{ "path": "alpha", "kind": "restored" }])
    );
    assert_eq!(restored["errors"], json!([]));
}

#[test]
fn types_of_errors() {
    let of = |new: Value| answer(&case(&Value::Null, &new, None))["errors"][0]["type"].clone();
    assert_eq!(of(json!({ "type": "Gamma" })), "FieldValueNotSupported");
    assert_eq!(of(json!({})), "FieldValueRequired");
    assert_eq!(of(json!({ "type": "Alpha" })), "FieldValueInvalid");
    assert_eq!(of(json!({ "type": 1 })), "FieldValueTypeInvalid");
}

#[test]
fn settings_of_a_line() {
    let old = json!({ "type": "None", "alpha": 1, "other": 1 });
    let new = json!({ "type": "None", "alpha": 1, "other": 2 });
    let tolerated = |settings: Value| {
        let answer = answer(&case(&old, &new, Some(settings)));
        let count = |key: &str| answer[key].as_array().unwrap().len();
        (count("errors"), count("ratcheted"))
    };
    assert_eq!(tolerated(json!({})), (0, 1));
    assert_eq!(tolerated(Value::Null), (0, 1));
    assert_eq!(tolerated(json!({ "ratchet": "same-reason" })), (0, 1));
    assert_eq!(tolerated(json!({ "ratchet": "unchanged" })), (1, 0));
    assert_eq!(
        tolerated(json!({ "ratchet": "off", "unions": true })),
        (1, 0)
    );
    assert_eq!(
        tolerated(json!({ "ratchet": "off", "unions": false })),
        (0, 0)
    );
}

#[test]
fn flags_hold_for_lines_that_say_nothing() {
    let both = json!({ "type": "None", "alpha": 1 });
    let errors = |settings| {
        let line = case(&both, &both, settings).to_string();
        let ran = run_with(["unions", "--jsonl", "--ratchet", "off"], line);
        ran.json()["errors"].as_array().unwrap().len()
    };
    assert_eq!(errors(None), 1);
    assert_eq!(errors(Some(json!({ "ratchet": "same-reason" }))), 0);

    let line = json!({ "new": { "spec": { "target": { "type": "S3" } } } }).to_string();
    let ran = run_with(["unions", "--jsonl", "--crd", &sample("crd.yaml")], line);
    assert_eq!(ran.json()["errors"][0]["field"], "spec.target.s3");
}

#[test]
fn bad_lines_are_answered_and_do_not_stop_it() {
    assert_eq!(
        error("{"),
        "stdin:1:1: incomplete JSON: EOF while parsing an object"
    );
    assert_eq!(
        error(r#"["x"]"#),
        r#"stdin:1:1: the line must be a JSON object: {"schema": ..., "old": ..., "new": ...}"#
    );
    assert_eq!(
        error(r#"{"schema": {}, "new": {}, "settings": {"ratched": "off"}}"#),
        "stdin:1:48: unknown field `ratched`, expected one of `ratchet`, `restore_unaware`, `unions`"
    );
    assert!(error(r#"{"schema": {}, "new": {}, "settings": {"ratchet": 1}}"#).contains("stdin:1:"));
    assert_eq!(
        error(r#"{"schema": {}, "new": {}, "old_": {}}"#),
        "stdin:1:32: unknown field `old_`, expected one of `schema`, `old`, `new`, `settings`, `foreign`"
    );
    for none in [r#"{"schema": {}}"#, r#"{"schema": {}, "new": null}"#] {
        assert_eq!(
            error(none),
            "stdin:1:1: missing `new`: the object that a client sends"
        );
    }
    assert_eq!(
        error(r#"{"new": {}}"#),
        "stdin:1:1: missing `schema`; add `schema`, or pass --schema or --crd for all lines"
    );
    assert_eq!(
        error(r#"{"schema": {}, "new": "x"}"#),
        "stdin:1:23: `new` must be an object, not a string"
    );
    assert_eq!(
        error(r#"{"schema": {}, "old": 1, "new": {}}"#),
        "stdin:1:23: `old` must be an object, not a number"
    );
    assert_eq!(
        error(r#"{"schema": {}, "new": {"a": 1, "a": 2}}"#),
        "stdin:1:32: new: duplicate key \"a\"; remove one"
    );
    assert_eq!(
        error(r#"{"schema": 5, "new": {}}"#),
        "stdin:1:12: schema: expected a schema (object, true or false), found 5"
    );
    assert_eq!(
        error(r#"{"schema": {"kind": "CustomResourceDefinition"}, "new": {}}"#),
        "stdin:1:12: schema: expected a schema, found a CustomResourceDefinition; pass it to --crd"
    );
    assert_eq!(
        error(b"{\"new\": \"\xff\"}"),
        "stdin:1:10: byte 0xff is not valid UTF-8; save the file as UTF-8"
    );
}

#[test]
fn every_line_that_is_not_blank_has_its_answer_in_order() {
    let mut lines = String::from("\n \t\r\n");
    for i in 0..50 {
        let new = json!({ "type": "None", "number": i });
        let line = if i % 5 == 0 {
            "?".to_owned()
        } else {
            case(&Value::Null, &new, None).to_string()
        };
        lines += &line;
        lines += if i % 2 == 0 { "\n" } else { "\r\n\n" };
    }
    let answers = answers(lines.trim_end());
    assert_eq!(answers.len(), 50);
    for (i, answer) in answers.iter().enumerate() {
        if i % 5 == 0 {
            // The number in the error counts blank lines, too.
            let line = 3 + i + i / 2;
            let error = answer["error"].as_str().unwrap();
            assert!(error.starts_with(&format!("stdin:{line}:1: ")), "{error}");
        } else {
            assert_eq!(answer["object"]["number"], i);
        }
    }
}

#[test]
fn a_schema_is_not_mistaken_for_the_one_before() {
    let with = |schema: Value| {
        format!(
            "{}\n",
            json!({ "schema": schema, "new": { "type": "Alpha" } })
        )
    };
    let broken = json!(1);
    let lines = [
        schema(),
        schema(),
        json!({}),
        schema(),
        broken.clone(),
        broken,
        schema(),
    ];
    let answers = answers(lines.map(with).concat());
    let is_refused = |answer: &Value| answer["errors"].as_array().map(|errors| errors.len() == 1);
    let refused: Vec<Option<bool>> = answers.iter().map(is_refused).collect();
    let (yes, no, error) = (Some(true), Some(false), None);
    assert_eq!(refused, [yes, yes, no, yes, error, error, yes]);
}

#[test]
fn it_answers_before_the_next_line_comes() {
    let mut child = unionctl(["unions", "--jsonl"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut stdin = child.stdin.take().unwrap();
    let stdout = BufReader::new(child.stdout.take().unwrap());
    let (sender, answers) = mpsc::channel();
    let reader = thread::spawn(move || {
        for line in stdout.lines() {
            sender.send(line.unwrap()).unwrap();
        }
    });
    for i in 0..20 {
        let line = case(&Value::Null, &json!({ "type": "None", "number": i }), None);
        let line = if i % 3 == 2 {
            "oops".to_owned()
        } else {
            line.to_string()
        };
        writeln!(stdin, "{line}").unwrap();
        let answer = answers
            .recv_timeout(Duration::from_secs(60))
            .expect("an answer at once");
        let answer: Value = serde_json::from_str(&answer).unwrap();
        if i % 3 == 2 {
            assert!(answer["error"].is_string());
        } else {
            assert_eq!(answer["object"]["number"], i);
        }
    }
    drop(stdin);
    assert!(child.wait().unwrap().success());
    reader.join().unwrap();
}
