//! Tests of `unionctl check --jsonl`.

use serde_json::{Value, json};

use crate::process::{run, run_with_stdin, sample};

/// Returns the replies to lines.
#[track_caller]
fn replies(args: &[&str], lines: &[Value]) -> Vec<Value> {
    let lines: Vec<String> = lines.iter().map(Value::to_string).collect();
    let output = run_with_stdin(["check", "--jsonl"].iter().chain(args), lines.join("\n\n"));
    assert_eq!((output.code, output.stderr.as_str()), (0, ""));
    let replies = output.stdout.lines();
    replies
        .map(|line| serde_json::from_str(line).unwrap())
        .collect()
}

#[track_caller]
fn reply(line: Value) -> Value {
    let [reply] = replies(&[], &[line]).try_into().unwrap();
    reply
}

/// Returns the error in the reply to a line, and checks that the next line has a reply.
#[track_caller]
fn error_in_line(line: Value) -> String {
    let valid_line = json!({ "op": "crd", "schema": { "type": "object" } });
    let [invalid_reply, valid_reply] = replies(&[], &[line, valid_line]).try_into().unwrap();
    assert_eq!(valid_reply["errors"], json!([]));
    invalid_reply["error"].as_str().unwrap().to_owned()
}

fn schema() -> Value {
    json!({ "type": "object", "properties": {
        "size": { "type": "integer", "minimum": 3 },
        "note": { "type": "string" },
        "status": { "type": "object", "properties": { "phase": { "type": "string", "maxLength": 2 } } },
    }})
}

/// Returns the reply to a valid object whose only field is unknown.
fn reply_to_object_with_unknown_field(field: &str) -> Value {
    json!({
        "object": {}, "errors": [], "ratcheted": [],
        "warnings": [format!("unknown field {field:?}")], "unknown_fields": [{ "field": field }],
    })
}

const SIZE_ERROR: &str =
    "size: Invalid value: 1: size in body should be greater than or equal to 3";

#[test]
fn a_create_an_update_and_a_status_update_are_validated() {
    let size_errors = json!([{ "type": "FieldValueInvalid", "field": "size", "text": SIZE_ERROR }]);
    assert_eq!(
        reply(
            json!({ "op": "create", "schema": schema(), "old": null, "new": { "size": 1, "typo": 1 } })
        ),
        json!({
            "object": { "size": 1 }, "errors": size_errors, "ratcheted": [],
            "warnings": [r#"unknown field "typo""#], "unknown_fields": [{ "field": "typo" }],
        })
    );
    let old_object = json!({ "size": 1 });
    let new_object = json!({ "size": 1, "note": "x" });
    assert_eq!(
        reply(json!({ "op": "update", "schema": schema(), "old": old_object, "new": new_object })),
        json!({ "object": new_object, "errors": [], "ratcheted": size_errors, "warnings": [] })
    );
    let new_object = json!({ "size": 0, "status": { "phase": "abc" } });
    let status_reply =
        reply(json!({ "op": "status", "schema": schema(), "old": old_object, "new": new_object }));
    assert_eq!(
        status_reply["object"],
        json!({ "size": 1, "status": { "phase": "abc" } })
    );
    assert_eq!(status_reply["errors"][0]["type"], "FieldValueTooLong");
    assert_eq!(status_reply["errors"].as_array().unwrap().len(), 1);
}

#[test]
fn fields_that_the_tool_added_to_a_request_are_removed_from_the_reply() {
    let metadata = json!({ "name": "a", "namespace": "b" });
    let create_reply =
        reply(json!({ "op": "create", "schema": schema(), "new": { "metadata": metadata } }));
    assert_eq!(create_reply["object"], json!({ "metadata": metadata }));
    // A schema without a CRD does not define a kind, so the rule reads the kind of the object.
    let rule = json!([{ "rule": "self.kind == 'Other' && self.apiVersion == 'a/v1'" }]);
    let schema_with_rule = json!({ "type": "object", "x-kubernetes-validations": rule });
    let new_object = json!({ "kind": "Other", "apiVersion": "a/v1" });
    let request = json!({ "op": "create", "schema": schema_with_rule, "new": new_object });
    let expected_reply =
        json!({ "object": new_object, "errors": [], "ratcheted": [], "warnings": [] });
    assert_eq!(reply(request.clone()), expected_reply);
    let lines = [json!({ "use": { "schema": schema_with_rule } }), request];
    assert_eq!(replies(&[], &lines)[1], expected_reply);
    let invalid_reply =
        reply(json!({ "op": "create", "schema": schema(), "new": { "metadata": { "name": 5 } } }));
    assert_eq!(invalid_reply["errors"][0]["type"], "BadRequest");
}

#[test]
fn only_the_op_crd_rejects_invalid_schemas() {
    // A server would reject the schema in a new CRD, but keeps using a stored one.
    let schema = json!({ "type": "object", "properties": { "size": { "minimum": 3 } } });
    let [crd_reply, object_reply] = replies(
        &[],
        &[
            json!({ "op": "crd", "schema": schema }),
            json!({ "op": "create", "schema": schema, "new": { "size": 1 } }),
        ],
    )
    .try_into()
    .unwrap();
    assert_eq!(crd_reply["errors"][0]["type"], "FieldValueRequired");
    assert_eq!(
        (&crd_reply["ratcheted"], &crd_reply["warnings"]),
        (&json!([]), &json!([]))
    );
    assert_eq!(object_reply["errors"][0]["text"], SIZE_ERROR);

    let schema_with_root_rule = json!({ "type": "object", "minProperties": 1 });
    let error_count = |has_status: bool| {
        let line = json!({ "op": "crd", "schema": schema_with_root_rule, "status_subresource": has_status });
        reply(line)["errors"].as_array().unwrap().len()
    };
    assert_eq!((error_count(false), error_count(true)), (0, 1));
}

#[test]
fn use_sets_the_schema_of_later_lines_without_a_schema() {
    let crd = json!({ "spec": {
        "group": "a.example.com",
        "names": { "kind": "A" },
        "scope": "Cluster",
        "versions": [
            { "name": "v1", "storage": true, "schema": { "openAPIV3Schema": { "type": "object" } } },
            { "name": "v2", "schema": { "openAPIV3Schema": schema() }, "subresources": { "status": {} } },
        ],
    }});
    let object = json!({
        "apiVersion": "a.example.com/v2",
        "kind": "A",
        "metadata": { "name": "one" },
        "size": 1,
        "status": { "phase": "abc" },
    });
    let replies = replies(
        &[],
        &[
            json!({ "use": { "crd": crd, "version": "v2" } }),
            json!({ "op": "create", "new": object }),
            json!({ "op": "create", "new": {} }),
            json!({ "op": "create", "schema": { "type": "object" }, "new": { "size": 1 } }),
            json!({ "use": { "schema": schema() } }),
            json!({ "op": "create", "new": { "size": 1, "status": { "phase": "abc" } } }),
            json!({ "use": { "schema": { "properties": {} }, "status_subresource": true } }),
            json!({ "op": "create", "new": { "status": {} } }),
            json!({ "use": { "crd": crd, "version": "v3" } }),
            json!({ "op": "create", "new": {} }),
        ],
    );
    let messages = |index: usize| -> Vec<&str> {
        let errors = replies[index]["errors"].as_array().unwrap();
        errors
            .iter()
            .map(|error| error["text"].as_str().unwrap())
            .collect()
    };
    assert_eq!(replies[0], json!({}));
    // A create drops the status, because the CRD has the status subresource.
    assert_eq!(
        (messages(1), replies[1]["object"].get("status")),
        (vec![SIZE_ERROR], None)
    );
    // Missing fields are added only for schemas without a CRD.
    assert_eq!(messages(2)[0], "kind: Invalid value: \"\": must be A");
    assert_eq!(replies[3], reply_to_object_with_unknown_field("size"));
    assert_eq!(replies[4], json!({}));
    assert_eq!(messages(5).len(), 2);
    // The schema is used although a server would reject it in a new CRD.
    assert_eq!(messages(6).len(), 1);
    assert_eq!(replies[7], reply_to_object_with_unknown_field("status"));
    assert!(!messages(8).is_empty());
    assert!(replies[9]["error"].as_str().unwrap().contains("schema: "));
}

#[test]
fn a_flag_sets_the_initial_schema() {
    let line = json!({ "op": "create", "new": { "spec": { "engine": "Ingres" } } });
    let crd = sample("database_crd_tight.yaml");
    let [reply] = replies(&["--crd", &crd], &[line]).try_into().unwrap();
    assert_eq!(reply["errors"][0]["field"], "kind");
}

#[test]
fn settings_of_a_line_take_precedence_over_flags() {
    let schema = json!({ "type": "object", "properties": {
        "size": { "type": "integer", "allOf": [{ "minimum": 3 }] },
    }});
    let request = |settings: Value| json!({ "op": "update", "schema": schema, "old": { "size": 1 }, "new": { "size": 1 }, "settings": settings });
    let error_count = |args: &[&str], settings: Value| {
        let [reply] = replies(args, &[request(settings)]).try_into().unwrap();
        reply["errors"].as_array().unwrap().len()
    };
    assert_eq!(
        error_count(
            &[],
            json!({ "policy": "api-server", "kube_version": "v1.34.2", "unions": true })
        ),
        0
    );
    assert!(error_count(&[], json!({ "ratchet": false })) > 0);
    assert!(error_count(&[], json!({ "policy": "kep-4008" })) > 0);
    assert!(error_count(&["--policy", "kep-4008"], Value::Null) > 0);
    assert_eq!(
        error_count(&["--policy", "kep-4008"], json!({ "policy": "api-server" })),
        0
    );
    let union_schema = json!({ "type": "object", "properties": { "spec": { "type": "object",
        "properties": { "a": { "type": "string" }, "b": { "type": "string" } },
        "x-kubernetes-unions": [{ "fields-to-discriminateBy": { "a": "A", "b": "B" } }],
    }}});
    let has_union_errors = |unions_setting: bool| {
        let new_object = json!({ "spec": { "a": "", "b": "" } });
        reply(
            json!({ "op": "create", "schema": union_schema, "new": new_object, "settings": { "unions": unions_setting } }),
        )["errors"]
            != json!([])
    };
    assert!(has_union_errors(true) && !has_union_errors(false));
}

/// Kubernetes 1.30 introduced `ip`: stored rules may call it from 1.30 on, and new rules from 1.31
/// on.
#[test]
fn rules_depend_on_the_version() {
    let schema = |rule: &str| {
        json!({ "type": "object", "properties": { "a": {
            "type": "string", "maxLength": 40, "x-kubernetes-validations": [{ "rule": rule }],
        }}})
    };
    let schema_with_ip = schema("ip(self).family() == 4");
    let errors = |args: &[&str], line: Value| {
        let [reply] = replies(args, &[line]).try_into().unwrap();
        reply["errors"].to_string()
    };
    let unknown_function = "undeclared reference to 'ip'";
    let crd_line = |version: &str| json!({ "op": "crd", "schema": schema_with_ip, "settings": { "kube_version": version } });
    for version in ["1.29", "1.30", "v1.30", "1.30.14"] {
        assert!(
            errors(&[], crd_line(version)).contains(unknown_function),
            "{version}"
        );
    }
    assert_eq!(errors(&[], crd_line("1.31")), "[]");
    let crd_line = json!({ "op": "crd", "schema": schema_with_ip });
    assert_eq!(errors(&[], crd_line.clone()), "[]");
    for flag in ["--kube-version", "--kubernetes-version"] {
        let errors_with_flag = errors(&[flag, "1.30"], crd_line.clone());
        assert!(
            errors_with_flag.contains(unknown_function),
            "{errors_with_flag}"
        );
    }
    // The rules of a request count as stored.
    let request = |version: &str| json!({ "op": "create", "schema": schema_with_ip, "new": { "a": "::1" }, "settings": { "kube_version": version } });
    assert!(errors(&[], request("1.29")).contains(unknown_function));
    assert!(errors(&[], request("1.30")).contains("failed rule"));
}

/// A schema that `use` sets is compiled again for the version of each line.
#[test]
fn a_current_schema_is_compiled_for_the_version_of_each_line() {
    let schema = json!({ "type": "object", "properties": { "a": {
        "type": "string", "maxLength": 40,
        "x-kubernetes-validations": [{ "rule": "ip(self).family() == 4" }],
    }}});
    let version = json!({ "name": "v1", "served": true, "storage": true, "schema": { "openAPIV3Schema": schema } });
    let crd = json!({ "spec": {
        "group": "example.com", "names": { "kind": "Doc", "plural": "docs" },
        "scope": "Cluster", "versions": [version],
    }});
    let object = json!({ "apiVersion": "example.com/v1", "kind": "Doc", "metadata": { "name": "d" }, "a": "::1" });
    for source in [json!({ "schema": schema }), json!({ "crd": crd })] {
        let request = |version: &str| json!({ "op": "create", "new": object, "settings": { "kube_version": version } });
        let lines = [
            json!({ "use": source }),
            request("1.29"),
            request("1.30"),
            request("1.29"),
        ];
        let replies = replies(&[], &lines);
        for (reply, expected) in replies[1..].iter().zip([
            "undeclared reference to 'ip'",
            "failed rule",
            "undeclared reference to 'ip'",
        ]) {
            let errors = reply["errors"].to_string();
            assert!(errors.contains(expected), "{errors}");
        }
    }
}

/// An unknown version is an error of the flag or of the line. The message lists the supported
/// versions.
#[test]
fn unknown_versions_are_rejected() {
    for version in [
        "1.99",
        "1.10",
        "1.24",
        "1.037",
        "36",
        "2.36",
        "1.36-alpha",
        "",
    ] {
        let line = json!({ "op": "crd", "schema": { "type": "object" }, "settings": { "kube_version": version } });
        let [reply] = replies(&[], &[line]).try_into().unwrap();
        let error = reply["error"].as_str().unwrap_or_default();
        assert!(
            error.contains("expected a version from 1.25 to 1.37"),
            "{version:?}: {error}"
        );
        for command in [["check", "--jsonl"], ["policy", "--validating"]] {
            let output = run([&command[..], &["--kube-version", version]].concat());
            assert_eq!(output.code, 2, "{version:?}");
            assert!(
                output
                    .stderr
                    .contains("expected a version from 1.25 to 1.37"),
                "{}",
                output.stderr
            );
        }
    }
}

#[test]
fn invalid_lines_have_errors_and_do_not_stop_the_loop() {
    let object = json!({});
    for (line, expected) in [
        (
            json!([1]),
            "stdin:1:1: the line must be a JSON object: {\"op\": ..., \"schema\": ..., \"old\": ..., \"new\": ...}",
        ),
        (
            json!({ "new": object }),
            "stdin:1:1: missing `op`: expected create, update, status or crd, or a line with `use`",
        ),
        (
            json!({ "op": "create" }),
            "stdin:1:1: missing `new`: the object that a client sends",
        ),
        (
            json!({ "op": "update", "new": object }),
            "stdin:1:1: missing `old`: the stored object",
        ),
        (
            json!({ "op": "create", "new": object, "old": object }),
            "stdin:1:1: a create has no `old`; remove it, or use \"op\": \"update\"",
        ),
        (
            json!({ "op": "create", "new": object }),
            "stdin:1:1: missing `schema`; add `schema`, send a line with `use` first, or pass --crd",
        ),
        (
            json!({ "op": "crd" }),
            "stdin:1:1: missing `crd` or `schema`",
        ),
        (
            json!({ "op": "crd", "use": { "schema": {} } }),
            "stdin:1:1: `use` cannot be combined with other keys",
        ),
        (
            json!({ "use": {} }),
            "stdin:1:1: use: expected either `crd` or `schema`",
        ),
        (
            json!({ "use": { "schema": {}, "version": "v1" } }),
            "stdin:1:1: use: `version` is supported only with `crd`",
        ),
        (
            json!({ "use": { "crd": {}, "status_subresource": true } }),
            "stdin:1:1: use: `status_subresource` is supported only with `schema`; a CRD declares its subresources",
        ),
    ] {
        assert_eq!(error_in_line(line), expected);
    }
}

#[test]
fn lines_with_invalid_values_have_errors() {
    let object = json!({});
    for (line, expected) in [
        (
            json!({ "op": "delete", "new": object }),
            "unknown variant `delete`",
        ),
        (
            json!({ "op": "create", "new": object, "typo": 1 }),
            "unknown field `typo`",
        ),
        (
            json!({ "op": "create", "new": object, "settings": { "policy": "x" } }),
            "unknown variant `x`",
        ),
        (
            json!({ "op": "create", "new": object, "settings": { "kube_version": "x" } }),
            "is not a version of Kubernetes",
        ),
        (
            json!({ "op": "create", "new": [], "schema": {} }),
            "`new` must be an object, not a list",
        ),
        (
            json!({ "op": "create", "new": 1, "schema": {} }),
            "`new` must be an object, not a number",
        ),
        (
            json!({ "op": "crd", "schema": { "kind": "CustomResourceDefinition" } }),
            "found a CustomResourceDefinition",
        ),
        (
            json!({ "op": "create", "schema": 1, "new": object }),
            "schema: ",
        ),
    ] {
        let error = error_in_line(line);
        assert!(error.contains(expected), "{error}");
    }
}

#[test]
fn the_op_crd_validates_new_and_updated_crds() {
    let version = json!({
        "name": "v1", "served": true, "storage": true,
        "schema": { "openAPIV3Schema": { "type": "object", "properties": {
            "a": { "type": "string", "format": "b" },
            "set": {
                "type": "array", "x-kubernetes-list-type": "set",
                "items": { "type": "object", "x-kubernetes-map-type": "atomic" },
            },
        } } },
    });
    let build_crd = |scope: &str| {
        json!({
            "apiVersion": "apiextensions.k8s.io/v1", "kind": "CustomResourceDefinition",
            "metadata": { "name": "docs.example.com", "resourceVersion": "7" },
            "spec": {
                "group": "example.com", "names": { "kind": "Doc", "plural": "docs" }, "scope": scope,
                "versions": [version],
            },
            "status": { "conditions": [{ "type": "Established", "status": "True" }] },
        })
    };
    let create_reply = reply(json!({ "op": "crd", "crd": build_crd("Cluster") }));
    assert_eq!(create_reply["errors"], json!([]));
    let format_warning = "unrecognized format \"b\"";
    let set_warning = "x-kubernetes-list-type: set for items of type \"object\" is not supported by \
                       server-side apply or CEL validation rules";
    assert_eq!(
        create_reply["warnings"],
        json!([format_warning, set_warning])
    );
    let old_crd = build_crd("Namespaced");
    let update_reply = reply(json!({ "op": "crd", "crd": build_crd("Cluster"), "old": old_crd }));
    assert_eq!(
        update_reply["errors"],
        json!([{
            "type": "FieldValueInvalid", "field": "spec.scope",
            "text": "spec.scope: Invalid value: \"Cluster\": field is immutable",
        }])
    );
}
