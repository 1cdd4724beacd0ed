//! Tests of `unionctl unions --jsonl`.

use std::io::{BufRead as _, BufReader, Write as _};
use std::process::Stdio;
use std::sync::mpsc;
use std::thread;
use std::time::Duration;

use serde_json::{Value, json};

use crate::process::{run_with_stdin, sample, unionctl};

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
fn request(old_object: &Value, new_object: &Value, settings: Option<Value>) -> Value {
    let mut request = json!({ "schema": schema(), "old": old_object, "new": new_object });
    if let Some(settings) = settings {
        request["settings"] = settings;
    }
    request
}

/// Returns the replies to lines.
#[track_caller]
fn replies(lines: impl Into<Vec<u8>>) -> Vec<Value> {
    let output = run_with_stdin(["unions", "--jsonl"], lines);
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
fn error_in_line(line: impl AsRef<[u8]>) -> String {
    let valid_line = request(&Value::Null, &json!({ "type": "None" }), None).to_string();
    let lines = [line.as_ref(), valid_line.as_bytes()].join(&b'\n');
    let replies = replies(lines);
    assert_eq!(replies.len(), 2, "{replies:?}");
    assert_eq!(replies[1]["errors"], json!([]));
    let error_reply = replies[0].as_object().unwrap();
    assert_eq!(error_reply.len(), 1, "{error_reply:?}");
    error_reply["error"].as_str().unwrap().to_owned()
}

#[test]
fn changes_errors_and_tolerated_errors_are_reported() {
    let object_with_both = json!({ "type": "Beta", "alpha": 1, "beta": 2 });
    let old_object = json!({ "type": "Alpha", "alpha": 1 });
    assert_eq!(
        reply(&request(&old_object, &object_with_both, None)),
        json!({
            "object": { "type": "Beta", "beta": 2 },
            "changes": [{ "path": "alpha", "kind": "cleared" }],
            "errors": [],
            "ratcheted": [],
        })
    );

    let unselected_object = json!({ "type": "None", "alpha": 1 });
    let rejected_reply = reply(&request(&Value::Null, &unselected_object, None));
    let message = rejected_reply["errors"][0]["text"].as_str().unwrap();
    let only_when = union_runtime::only_when("type", "Alpha");
    let start = format!("alpha: Invalid value: \"\": {only_when}: ");
    assert!(message.starts_with(&start), "{message}");
    let errors = json!([{ "type": "FieldValueInvalid", "field": "alpha", "text": message }]);
    let expected_rejection =
        json!({ "object": unselected_object, "changes": [], "errors": errors, "ratcheted": [] });
    let expected_tolerance =
        json!({ "object": unselected_object, "changes": [], "errors": [], "ratcheted": errors });
    assert_eq!(rejected_reply, expected_rejection);
    assert_eq!(
        reply(&request(&unselected_object, &unselected_object, None)),
        expected_tolerance
    );
    let off = json!({ "ratchet": "off" });
    assert_eq!(
        reply(&request(&unselected_object, &unselected_object, Some(off))),
        expected_rejection
    );
}

#[test]
fn a_rejected_object_is_normalized() {
    let old_object = json!({ "type": "Beta", "beta": 1 });
    let reply = reply(&request(
        &old_object,
        &json!({ "type": "Alpha", "beta": 1 }),
        None,
    ));
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
    let reply_with_discriminator =
        reply(&json!({ "schema": schema, "old": null, "new": { "a": 1 } }));
    assert_eq!(
        reply_with_discriminator["object"],
        json!({ "type": "A", "a": 1 })
    );
    assert_eq!(
        reply_with_discriminator["changes"],
        json!([{ "path": "type", "kind": "set" }])
    );

    let settings = json!({ "restore_unaware": "required" });
    let old_object = json!({ "type": "Alpha", "alpha": 1 });
    let reply_with_member = reply(&request(
        &old_object,
        &json!({ "type": "Alpha" }),
        Some(settings),
    ));
    assert_eq!(
        reply_with_member["changes"],
        json!([{ "path": "alpha", "kind": "restored" }])
    );
    assert_eq!(reply_with_member["errors"], json!([]));
}

#[test]
fn errors_have_the_types_of_kubernetes() {
    let error_type =
        |new: Value| reply(&request(&Value::Null, &new, None))["errors"][0]["type"].clone();
    assert_eq!(
        error_type(json!({ "type": "Gamma" })),
        "FieldValueNotSupported"
    );
    assert_eq!(error_type(json!({})), "FieldValueRequired");
    assert_eq!(error_type(json!({ "type": "Alpha" })), "FieldValueInvalid");
    assert_eq!(error_type(json!({ "type": 1 })), "FieldValueTypeInvalid");
}

#[test]
fn a_line_sets_ratcheting_and_unions() {
    let old_object = json!({ "type": "None", "alpha": 1, "other": 1 });
    let new_object = json!({ "type": "None", "alpha": 1, "other": 2 });
    let error_counts = |settings: Value| {
        let reply = reply(&request(&old_object, &new_object, Some(settings)));
        let count = |key: &str| reply[key].as_array().unwrap().len();
        (count("errors"), count("ratcheted"))
    };
    assert_eq!(error_counts(json!({})), (0, 1));
    assert_eq!(error_counts(Value::Null), (0, 1));
    assert_eq!(error_counts(json!({ "ratchet": "same-reason" })), (0, 1));
    assert_eq!(error_counts(json!({ "ratchet": "unchanged" })), (1, 0));
    assert_eq!(
        error_counts(json!({ "ratchet": "off", "unions": true })),
        (1, 0)
    );
    assert_eq!(
        error_counts(json!({ "ratchet": "off", "unions": false })),
        (0, 0)
    );
}

#[test]
fn flags_are_the_defaults_of_lines() {
    let object = json!({ "type": "None", "alpha": 1 });
    let error_count = |settings| {
        let line = request(&object, &object, settings).to_string();
        let output = run_with_stdin(["unions", "--jsonl", "--ratchet", "off"], line);
        output.json()["errors"].as_array().unwrap().len()
    };
    assert_eq!(error_count(None), 1);
    assert_eq!(error_count(Some(json!({ "ratchet": "same-reason" }))), 0);

    let line = json!({ "new": { "spec": { "target": { "type": "S3" } } } }).to_string();
    let output = run_with_stdin(["unions", "--jsonl", "--crd", &sample("crd.yaml")], line);
    assert_eq!(output.json()["errors"][0]["field"], "spec.target.s3");
}

#[test]
fn invalid_lines_have_errors_and_do_not_stop_the_loop() {
    assert_eq!(
        error_in_line("{"),
        "stdin:1:1: incomplete JSON: EOF while parsing an object"
    );
    assert_eq!(
        error_in_line(r#"["x"]"#),
        r#"stdin:1:1: the line must be a JSON object: {"schema": ..., "old": ..., "new": ...}"#
    );
    assert_eq!(
        error_in_line(r#"{"schema": {}, "new": {}, "settings": {"ratched": "off"}}"#),
        "stdin:1:48: unknown field `ratched`, expected one of `ratchet`, `restore_unaware`, `unions`"
    );
    assert!(
        error_in_line(r#"{"schema": {}, "new": {}, "settings": {"ratchet": 1}}"#)
            .contains("stdin:1:")
    );
    assert_eq!(
        error_in_line(r#"{"schema": {}, "new": {}, "old_": {}}"#),
        "stdin:1:32: unknown field `old_`, expected one of `schema`, `old`, `new`, `settings`, `foreign`"
    );
    for line in [r#"{"schema": {}}"#, r#"{"schema": {}, "new": null}"#] {
        assert_eq!(
            error_in_line(line),
            "stdin:1:1: missing `new`: the object that a client sends"
        );
    }
    assert_eq!(
        error_in_line(r#"{"new": {}}"#),
        "stdin:1:1: missing `schema`; add `schema`, or pass --schema or --crd for all lines"
    );
    assert_eq!(
        error_in_line(r#"{"schema": {}, "new": "x"}"#),
        "stdin:1:23: `new` must be an object, not a string"
    );
    assert_eq!(
        error_in_line(r#"{"schema": {}, "old": 1, "new": {}}"#),
        "stdin:1:23: `old` must be an object, not a number"
    );
    assert_eq!(
        error_in_line(r#"{"schema": {}, "new": {"a": 1, "a": 2}}"#),
        "stdin:1:32: new: duplicate key \"a\"; remove one"
    );
    assert_eq!(
        error_in_line(r#"{"schema": 5, "new": {}}"#),
        "stdin:1:12: schema: expected a schema (object, true or false), found 5"
    );
    assert_eq!(
        error_in_line(r#"{"schema": {"kind": "CustomResourceDefinition"}, "new": {}}"#),
        "stdin:1:12: schema: expected a schema, found a CustomResourceDefinition; pass it to --crd"
    );
    assert_eq!(
        error_in_line(b"{\"new\": \"\xff\"}"),
        "stdin:1:10: byte 0xff is not valid UTF-8; save the file as UTF-8"
    );
}

#[test]
fn every_line_that_is_not_blank_has_a_reply_in_order() {
    let mut lines = String::from("\n \t\r\n");
    for index in 0..50 {
        let new_object = json!({ "type": "None", "number": index });
        let line = if index % 5 == 0 {
            "?".to_owned()
        } else {
            request(&Value::Null, &new_object, None).to_string()
        };
        lines += &line;
        lines += if index % 2 == 0 { "\n" } else { "\r\n\n" };
    }
    let replies = replies(lines.trim_end());
    assert_eq!(replies.len(), 50);
    for (index, reply) in replies.iter().enumerate() {
        if index % 5 == 0 {
            // The line number in the error also counts blank lines.
            let line = 3 + index + index / 2;
            let error = reply["error"].as_str().unwrap();
            assert!(error.starts_with(&format!("stdin:{line}:1: ")), "{error}");
        } else {
            assert_eq!(reply["object"]["number"], index);
        }
    }
}

#[test]
fn consecutive_schemas_are_distinguished() {
    let line_with_schema = |schema: Value| {
        format!(
            "{}\n",
            json!({ "schema": schema, "new": { "type": "Alpha" } })
        )
    };
    let invalid_schema = json!(1);
    let lines = [
        schema(),
        schema(),
        json!({}),
        schema(),
        invalid_schema.clone(),
        invalid_schema,
        schema(),
    ];
    let replies = replies(lines.map(line_with_schema).concat());
    let is_rejected = |reply: &Value| reply["errors"].as_array().map(|errors| errors.len() == 1);
    let outcomes: Vec<Option<bool>> = replies.iter().map(is_rejected).collect();
    let (yes, no, error) = (Some(true), Some(false), None);
    assert_eq!(outcomes, [yes, yes, no, yes, error, error, yes]);
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
    let reader_thread = thread::spawn(move || {
        for line in stdout.lines() {
            sender.send(line.unwrap()).unwrap();
        }
    });
    for index in 0..20 {
        let line = request(
            &Value::Null,
            &json!({ "type": "None", "number": index }),
            None,
        );
        let line = if index % 3 == 2 {
            "oops".to_owned()
        } else {
            line.to_string()
        };
        writeln!(stdin, "{line}").unwrap();
        let reply = replies
            .recv_timeout(Duration::from_secs(60))
            .expect("an answer at once");
        let reply: Value = serde_json::from_str(&reply).unwrap();
        if index % 3 == 2 {
            assert!(reply["error"].is_string());
        } else {
            assert_eq!(reply["object"]["number"], index);
        }
    }
    drop(stdin);
    assert!(child.wait().unwrap().success());
    reader_thread.join().unwrap();
}
