//! Tests of `unionctl patch --jsonl`.

use serde_json::{Value, json};

use crate::process::{run_with_stdin, sample};

/// Returns the replies to lines.
#[track_caller]
fn replies(args: &[&str], lines: &[Value]) -> Vec<Value> {
    let lines: Vec<String> = lines.iter().map(Value::to_string).collect();
    let output = run_with_stdin(["patch", "--jsonl"].iter().chain(args), lines.join("\n\n"));
    assert_eq!((output.code, output.stderr.as_str()), (0, ""));
    let replies = output.stdout.lines();
    replies
        .map(|line| serde_json::from_str(line).unwrap())
        .collect()
}

/// Returns the reply to a line with the [`schema`] of the tests.
#[track_caller]
fn reply(mut line: Value) -> Value {
    line["schema"] = schema();
    let [reply] = replies(&[], &[line]).try_into().unwrap();
    reply
}

fn schema() -> Value {
    json!({ "properties": {
        "union": {
            "properties": { "a": { "type": "string" }, "b": { "type": "string" } },
            "x-kubernetes-patch-strategy": "retainKeys",
        },
        "set": { "items": { "type": "string" }, "x-kubernetes-patch-strategy": "merge" },
    }})
}

#[test]
fn every_op_has_a_reply() {
    let (original, modified) = (
        json!({ "union": { "a": "x" } }),
        json!({ "union": { "b": "y" } }),
    );
    let patch = json!({ "union": { "$retainKeys": ["b"], "a": null, "b": "y" } });
    assert_eq!(
        reply(json!({ "op": "diff", "original": original, "modified": modified })),
        json!({ "patch": patch })
    );
    assert_eq!(
        reply(json!({ "op": "apply", "original": original, "patch": patch })),
        json!({ "result": modified })
    );
    let three_way = json!({ "op": "three_way", "original": original, "modified": modified, "current": original });
    assert_eq!(reply(three_way), json!({ "patch": patch }));
    let earlier_patch = json!({ "union": { "$retainKeys": ["b"], "b": "z" } });
    assert_eq!(
        reply(json!({ "op": "compose", "patches": [earlier_patch, patch] })),
        json!({ "patch": patch })
    );
    assert_eq!(
        reply(json!({ "op": "sort", "original": { "set": ["b", "a", "b"] } })),
        json!({ "result": { "set": ["a", "b"] } })
    );
}

/// A Service may use the same port for two protocols.
#[test]
fn warnings_name_elements_that_share_their_merge_key() {
    let schema = json!({ "properties": { "ports": {
        "items": { "properties": { "port": { "type": "integer" } } },
        "x-kubernetes-patch-strategy": "merge", "x-kubernetes-patch-merge-key": "port",
    }}});
    let port = |protocol: &str| json!({ "port": 53, "protocol": protocol });
    let two_ports = json!({ "ports": [port("UDP"), port("TCP")] });
    let one_port = json!({ "ports": [port("TCP")] });
    let lines = [
        json!({ "op": "three_way", "schema": schema, "original": two_ports, "modified": one_port, "current": two_ports }),
        json!({ "op": "diff", "schema": schema, "original": two_ports, "modified": one_port }),
        json!({ "op": "diff", "schema": schema, "original": two_ports, "modified": two_ports }),
    ];
    let [three_way, diff, empty_diff] = replies(&[], &lines).try_into().unwrap();
    assert_eq!(three_way, diff);
    assert_eq!(empty_diff, json!({ "patch": {} }));
    assert_eq!(
        diff["patch"],
        json!({ "ports": [{ "$patch": "replace" }, port("TCP")] })
    );
    let warning = &diff["warnings"][0];
    assert_eq!(
        (&warning["kind"], &warning["path"], &warning["elements"]),
        (&json!("ListReplaced"), &json!("ports"), &two_ports["ports"])
    );
    assert!(warning["message"].as_str().unwrap().contains("`port`"));
}

/// The schema of a line, of `use`, and of a CRD in `use` declare the union.
#[test]
fn a_patch_that_leaves_two_members_set_has_a_warning() {
    let schema = json!({
        "type": "object",
        "properties": {"value": {"type": "string"}, "valueFrom": {"type": "object"}},
        "x-kubernetes-unions": [
            {"fields-to-discriminateBy": {"value": "Value", "valueFrom": "ValueFrom"}},
        ],
    });
    let crd = json!({"kind": "CustomResourceDefinition", "spec": {"versions": [
        {"name": "v1", "storage": true, "schema": {"openAPIV3Schema": schema}},
    ]}});
    let request = json!({
        "op": "three_way", "original": {"valueFrom": {"a": 1}}, "modified": {"valueFrom": {"a": 2}},
        "current": {"value": "x"}, "overwrite": true,
    });
    let mut with_schema = request.clone();
    with_schema["schema"] = schema.clone();
    let one_member = json!({"op": "diff", "original": {"value": "x"}, "modified": {"value": "y"}});
    let lines = [
        with_schema,
        json!({"use": {"schema": schema}}),
        request.clone(),
        json!({"use": {"crd": crd}}),
        request,
        one_member,
    ];
    let warning = "after the patch, the object has `value` (from the live object) and `valueFrom` \
                   (from the author): add `value: null` to the wanted object";
    let patch = json!({"patch": {"valueFrom": {"a": 2}}, "union_warnings": [warning]});
    let set = json!({});
    assert_eq!(
        replies(&[], &lines),
        [
            patch.clone(),
            set.clone(),
            patch.clone(),
            set,
            patch,
            json!({"patch": {"value": "y"}})
        ]
    );
}

#[test]
fn null_is_an_empty_document() {
    assert_eq!(
        reply(json!({ "op": "diff", "original": null, "modified": { "x": 1 } })),
        json!({ "patch": { "x": 1 } })
    );
    assert_eq!(
        reply(json!({ "op": "apply", "original": { "x": 1 }, "patch": null })),
        json!({ "result": { "x": 1 } })
    );
    assert_eq!(
        reply(json!({ "op": "compose", "patches": [null] })),
        json!({ "patch": {} })
    );
}

#[test]
fn errors_have_a_kind_a_message_and_a_path() {
    let object = json!({ "union": { "a": "x" } });
    let invalid_patch = json!({ "union": { "$retainKeys": ["a"], "b": "y" } });
    assert_eq!(
        reply(json!({ "op": "apply", "original": object, "patch": invalid_patch })),
        json!({ "error": {
            "kind": "BadRetainKeys",
            "message": "invalid patch format of retainKeys",
            "path": "union.b",
        }})
    );
    let error_kind = |line: Value| reply(line)["error"]["kind"].clone();
    assert_eq!(
        error_kind(json!({ "op": "apply", "original": [1], "patch": {} })),
        "BadJson"
    );
    let object_with_unknown_field = |value: i32| json!({ "free": { "a": value } });
    assert_eq!(
        error_kind(
            json!({ "op": "diff", "original": object_with_unknown_field(1), "modified": object_with_unknown_field(2) })
        ),
        "FieldNotFound"
    );
    let mut three_way = json!({
        "op": "three_way", "original": { "x": 1 }, "modified": { "x": 2 }, "current": { "x": 3 },
    });
    let conflict_reply = reply(three_way.clone());
    assert_eq!(
        conflict_reply["error"],
        json!({
            "kind": "Conflict",
            "message": "patch:\nx: 2\n\nconflicts with changes made from original to current:\nx: 3\n\n",
            "path": "x",
            "conflicts": [{ "path": "x", "patch": 2, "changed": 3 }],
        })
    );
    three_way["unchanged"] = json!(["x"]);
    assert_eq!(error_kind(three_way.clone()), "PreconditionFailed");
    three_way["unchanged"] = json!(["metadata.x"]);
    three_way["overwrite"] = json!(true);
    assert_eq!(reply(three_way), json!({ "patch": { "x": 2 } }));
}

#[test]
fn use_sets_the_schema_of_later_lines() {
    let diff = json!({
        "op": "diff", "original": { "set": ["a"] }, "modified": { "set": ["b"] },
    });
    let mut line_with_schema = diff.clone();
    line_with_schema["schema"] = json!({ "properties": { "set": {} } });
    let crd = json!({ "spec": { "versions": [{
        "name": "v1", "storage": true, "schema": { "openAPIV3Schema": schema() },
    }]}});
    let line_replies = replies(
        &[],
        &[
            diff.clone(),
            json!({ "use": { "schema": schema() } }),
            diff.clone(),
            line_with_schema.clone(),
            line_with_schema,
            json!({ "use": { "crd": crd } }),
            diff.clone(),
            json!({ "use": { "crd": crd, "version": "v2" } }),
            diff,
        ],
    );
    let merge_patch = json!({ "patch": {
        "$setElementOrder/set": ["b"], "$deleteFromPrimitiveList/set": ["a"], "set": ["b"],
    }});
    let replace_patch = json!({ "patch": { "set": ["b"] } });
    assert!(
        line_replies[0]["error"]
            .as_str()
            .unwrap()
            .contains("missing `schema`")
    );
    assert_eq!(
        (&line_replies[1], &line_replies[2]),
        (&json!({}), &merge_patch)
    );
    assert_eq!(
        (&line_replies[3], &line_replies[4]),
        (&replace_patch, &replace_patch)
    );
    assert_eq!(
        (&line_replies[5], &line_replies[6]),
        (&json!({}), &merge_patch)
    );
    // After an invalid `use`, the schema of the previous `use` still applies.
    assert!(
        line_replies[7]["error"].as_str().unwrap().contains("crd: "),
        "{}",
        line_replies[7]
    );
    assert_eq!(line_replies[8], merge_patch);
}

#[test]
fn a_flag_sets_the_initial_schema() {
    let line = json!({
        "op": "apply",
        "original": { "spec": { "strategy": { "type": "A", "rollingUpdate": {} } } },
        "patch": { "spec": { "strategy": { "$retainKeys": ["type"] } } },
    });
    let schema = sample("patch/openapi.yaml");
    let name = "io.k8s.api.apps.v1.Deployment";
    let [reply] = replies(&["--schema", &schema, "--name", name], &[line])
        .try_into()
        .unwrap();
    assert_eq!(
        reply,
        json!({ "result": { "spec": { "strategy": { "type": "A" } } } })
    );
}

#[test]
#[expect(clippy::too_many_lines, reason = "a table of requests")]
fn invalid_lines_have_errors_and_do_not_stop_the_loop() {
    let object = json!({});
    for (line, expected) in [
        (json!([1]), "the line must be a JSON object: {\"op\": "),
        (
            json!({ "original": object }),
            "missing `op`: expected diff, apply, three_way, compose or sort",
        ),
        (
            json!({ "op": "diff", "modified": object }),
            "missing `original`: expected an object, or null",
        ),
        (
            json!({ "op": "apply", "original": object }),
            "missing `patch`: expected an object, or null",
        ),
        (
            json!({ "op": "compose" }),
            "missing `patches`: expected a list of patches",
        ),
        (json!({ "op": "compose", "patches": 1 }), "invalid type"),
        (json!({ "op": "merge" }), "unknown variant `merge`"),
        (
            json!({ "op": "diff", "originel": 1 }),
            "unknown field `originel`",
        ),
        (
            json!({ "op": "diff", "original": object, "modified": object, "patch": object }),
            "`patch` is not supported by this op; expected original, modified, unchanged",
        ),
        (
            json!({ "op": "diff", "original": object, "modified": object }),
            "missing `schema`; add `schema`",
        ),
        (
            json!({ "op": "diff", "original": object, "modified": object, "schema": { "$ref": "#/nowhere" } }),
            "stdin:1:",
        ),
        (
            json!({ "op": "sort", "original": object, "schema": { "openapi": "3.0.0" } }),
            "schema: expected a schema, found an OpenAPI document",
        ),
        (
            json!({ "op": "sort", "use": { "schema": {} } }),
            "`use` cannot be combined with other keys",
        ),
        (
            json!({ "use": {} }),
            "use: expected either `crd` or `schema`",
        ),
        (
            json!({ "use": { "schema": {}, "version": "v1" } }),
            "use: `version` is supported only with `crd`",
        ),
    ] {
        let valid_line = json!({ "op": "sort", "schema": {}, "original": { "a": 1 } });
        let [invalid_reply, valid_reply] = replies(&[], &[line.clone(), valid_line])
            .try_into()
            .unwrap();
        let error = invalid_reply["error"].as_str().unwrap_or_default();
        assert!(
            error.starts_with("stdin:1:") && error.contains(expected),
            "{line}: {invalid_reply}"
        );
        assert_eq!(valid_reply, json!({ "result": { "a": 1 } }));
    }
}
