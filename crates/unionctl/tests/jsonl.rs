//! Tests of `unionctl unions --jsonl`, which replies to a request on each line.

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

/// Returns a request with the [`schema`] of the tests.
fn request(old: &Value, new: &Value, settings: Option<Value>) -> Value {
    let mut request = json!({ "schema": schema(), "old": old, "new": new });
    if let Some(settings) = settings {
        request["settings"] = settings;
    }
    request
}

/// Returns the replies to lines.
#[track_caller]
fn replies(lines: impl Into<Vec<u8>>) -> Vec<Value> {
    let output = run_with(["unions", "--jsonl"], lines);
    assert_eq!((output.code, output.stderr.as_str()), (0, ""));
    let lines = output.stdout.lines();
    lines
        .map(|line| serde_json::from_str(line).unwrap())
        .collect()
}

#[track_caller]
fn reply(request: &Value) -> Value {
    let replies = replies(format!("{request}\n"));
    assert_eq!(replies.len(), 1);
    replies.into_iter().next().unwrap()
}

/// Returns the error in the reply to a line, and checks that the next line has a reply.
#[track_caller]
fn error(line: impl AsRef<[u8]>) -> String {
    let good = request(&Value::Null, &json!({ "type": "None" }), None).to_string();
    let lines = [line.as_ref(), good.as_bytes()].join(&b'\n');
    let replies = replies(lines);
    assert_eq!(replies.len(), 2, "{replies:?}");
    assert_eq!(replies[1]["errors"], json!([]));
    let error = replies[0].as_object().unwrap();
    assert_eq!(error.len(), 1, "{error:?}");
    error["error"].as_str().unwrap().to_owned()
}

#[test]
fn changes_errors_and_tolerated_errors_are_reported() {
    let both = json!({ "type": "Beta", "alpha": 1, "beta": 2 });
    let old = json!({ "type": "Alpha", "alpha": 1 });
    assert_eq!(
        reply(&request(&old, &both, None)),
        json!({
            "object": { "type": "Beta", "beta": 2 },
            "changes": [{ "path": "alpha", "kind": "cleared" }],
            "errors": [],
            "ratcheted": [],
        })
    );

    let unselected = json!({ "type": "None", "alpha": 1 });
    let rejected_reply = reply(&request(&Value::Null, &unselected, None));
    let text = rejected_reply["errors"][0]["text"].as_str().unwrap();
    let only = union_runtime::only_when("type", "Alpha");
    let start = format!("alpha: Invalid value: \"\": {only}: ");
    assert!(text.starts_with(&start), "{text}");
    let finding = json!([{ "type": "FieldValueInvalid", "field": "alpha", "text": text }]);
    let rejected =
        json!({ "object": unselected, "changes": [], "errors": finding, "ratcheted": [] });
    let tolerated =
        json!({ "object": unselected, "changes": [], "errors": [], "ratcheted": finding });
    assert_eq!(rejected_reply, rejected);
    assert_eq!(reply(&request(&unselected, &unselected, None)), tolerated);
    let off = json!({ "ratchet": "off" });
    assert_eq!(
        reply(&request(&unselected, &unselected, Some(off))),
        rejected
    );
}

#[test]
fn a_rejected_object_is_normalized() {
    let old = json!({ "type": "Beta", "beta": 1 });
    let reply = reply(&request(&old, &json!({ "type": "Alpha", "beta": 1 }), None));
    assert_eq!(reply["object"], json!({ "type": "Alpha" }));
    assert_eq!(
        reply["changes"],
        json!([{ "path": "beta", "kind": "cleared" }])
    );
    assert_eq!(reply["errors"][0]["field"], "alpha");
}

#[test]
fn discriminators_are_set_and_members_restored() {
    let schema = json!({ "x-kubernetes-unions": [
        { "discriminator": "type", "fields-to-discriminateBy": { "a": "A", "b": "B" } }
    ]});
    let set = reply(&json!({ "schema": schema, "old": null, "new": { "a": 1 } }));
    assert_eq!(set["object"], json!({ "type": "A", "a": 1 }));
    assert_eq!(set["changes"], json!([{ "path": "type", "kind": "set" }]));

    let settings = json!({ "restore_unaware": "required" });
    let old = json!({ "type": "Alpha", "alpha": 1 });
    let restored = reply(&request(&old, &json!({ "type": "Alpha" }), Some(settings)));
    assert_eq!(
        restored["changes"],
        json!([{ "path": "alpha", "kind": "restored" }])
    );
    assert_eq!(restored["errors"], json!([]));
}

#[test]
fn types_of_errors() {
    let of = |new: Value| reply(&request(&Value::Null, &new, None))["errors"][0]["type"].clone();
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
        let reply = reply(&request(&old, &new, Some(settings)));
        let count = |key: &str| reply[key].as_array().unwrap().len();
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
fn flags_are_the_defaults_of_lines() {
    let both = json!({ "type": "None", "alpha": 1 });
    let errors = |settings| {
        let line = request(&both, &both, settings).to_string();
        let output = run_with(["unions", "--jsonl", "--ratchet", "off"], line);
        output.json()["errors"].as_array().unwrap().len()
    };
    assert_eq!(errors(None), 1);
    assert_eq!(errors(Some(json!({ "ratchet": "same-reason" }))), 0);

    let line = json!({ "new": { "spec": { "target": { "type": "S3" } } } }).to_string();
    let output = run_with(["unions", "--jsonl", "--crd", &sample("crd.yaml")], line);
    assert_eq!(output.json()["errors"][0]["field"], "spec.target.s3");
}

#[test]
fn invalid_lines_have_errors_and_do_not_stop_the_loop() {
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
    for line in [r#"{"schema": {}}"#, r#"{"schema": {}, "new": null}"#] {
        assert_eq!(
            error(line),
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
fn every_line_that_is_not_blank_has_a_reply_in_order() {
    let mut lines = String::from("\n \t\r\n");
    for i in 0..50 {
        let new = json!({ "type": "None", "number": i });
        let line = if i % 5 == 0 {
            "?".to_owned()
        } else {
            request(&Value::Null, &new, None).to_string()
        };
        lines += &line;
        lines += if i % 2 == 0 { "\n" } else { "\r\n\n" };
    }
    let replies = replies(lines.trim_end());
    assert_eq!(replies.len(), 50);
    for (i, reply) in replies.iter().enumerate() {
        if i % 5 == 0 {
            // The line number in the error also counts blank lines.
            let line = 3 + i + i / 2;
            let error = reply["error"].as_str().unwrap();
            assert!(error.starts_with(&format!("stdin:{line}:1: ")), "{error}");
        } else {
            assert_eq!(reply["object"]["number"], i);
        }
    }
}

#[test]
fn consecutive_schemas_are_distinguished() {
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
    let replies = replies(lines.map(with).concat());
    let is_rejected = |reply: &Value| reply["errors"].as_array().map(|errors| errors.len() == 1);
    let rejected: Vec<Option<bool>> = replies.iter().map(is_rejected).collect();
    let (yes, no, error) = (Some(true), Some(false), None);
    assert_eq!(rejected, [yes, yes, no, yes, error, error, yes]);
}

#[test]
fn each_reply_is_written_before_the_next_line_is_read() {
    let mut child = unionctl(["unions", "--jsonl"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut stdin = child.stdin.take().unwrap();
    let stdout = BufReader::new(child.stdout.take().unwrap());
    let (sender, replies) = mpsc::channel();
    let reader = thread::spawn(move || {
        for line in stdout.lines() {
            sender.send(line.unwrap()).unwrap();
        }
    });
    for i in 0..20 {
        let line = request(&Value::Null, &json!({ "type": "None", "number": i }), None);
        let line = if i % 3 == 2 {
            "oops".to_owned()
        } else {
            line.to_string()
        };
        writeln!(stdin, "{line}").unwrap();
        let reply = replies
            .recv_timeout(Duration::from_secs(60))
            .expect("an answer at once");
        let reply: Value = serde_json::from_str(&reply).unwrap();
        if i % 3 == 2 {
            assert!(reply["error"].is_string());
        } else {
            assert_eq!(reply["object"]["number"], i);
        }
    }
    drop(stdin);
    assert!(child.wait().unwrap().success());
    reader.join().unwrap();
}
