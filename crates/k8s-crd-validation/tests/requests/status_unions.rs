//! Tests of unions in requests to `/status`: only the unions of the status are normalized and
//! validated, because the client cannot change other fields.

use k8s_crd_validation::{ServerSettings, StatusHandling, StructuralSchema};
use serde_json::{Value, json};
use union_runtime::{Ratchet, Violation};

struct Row {
    name: &'static str,
    old: [Value; 2],
    /// The spec and the status that the client sent.
    new: [Value; 2],
    /// The spec and the status after the request.
    expected: [Value; 2],
    changes: &'static str,
    /// The paths of the errors and of the tolerated errors.
    errors: &'static [&'static str],
    tolerated: &'static [&'static str],
}

/// Returns a schema whose spec and status have this union.
fn schema_with_union(union: Value) -> StructuralSchema {
    let union = json!({
        "type": "object",
        "properties": {"kind": {"type": "string"}, "a": {"type": "string"}, "b": {"type": "string"}},
        "x-kubernetes-unions": [union],
    });
    let schema = json!({"type": "object", "properties": {"spec": union, "status": union}});
    StructuralSchema::compiler()
        .status(StatusHandling::Subresource)
        .schema(&schema)
        .expect("a valid schema")
}

/// Returns a union with a member, or with several members.
fn of(members: &[&str]) -> Value {
    members
        .iter()
        .map(|member| ((*member).to_owned(), json!("x")))
        .collect()
}

#[expect(clippy::too_many_lines, reason = "it is a table")]
fn rows() -> Vec<Row> {
    let (a, b, both) = (of(&["a"]), of(&["b"]), of(&["a", "b"]));
    let row = |name, old: [&Value; 2], new: [&Value; 2], expected: [&Value; 2]| Row {
        name,
        old: old.map(Value::clone),
        new: new.map(Value::clone),
        expected: expected.map(Value::clone),
        changes: "",
        errors: &[],
        tolerated: &[],
    };
    vec![
        row("an unchanged status", [&a, &a], [&a, &a], [&a, &a]),
        Row {
            changes: "status.a: cleared",
            ..row(
                "a member is added to the status",
                [&a, &a],
                [&a, &both],
                [&a, &b],
            )
        },
        Row {
            errors: &["status"],
            ..row(
                "two members are new to the status",
                [&a, &of(&[])],
                [&a, &both],
                [&a, &both],
            )
        },
        Row {
            tolerated: &["status"],
            ..row(
                "two members are old in the status",
                [&a, &both],
                [&a, &both],
                [&a, &both],
            )
        },
        row(
            "two members are old in the spec",
            [&both, &a],
            [&both, &b],
            [&both, &b],
        ),
        row(
            "the client sends another spec",
            [&a, &a],
            [&b, &a],
            [&a, &a],
        ),
        row(
            "the client adds a member to the spec",
            [&a, &a],
            [&both, &a],
            [&a, &a],
        ),
        Row {
            changes: "status.a: cleared",
            ..row(
                "an invalid spec stays",
                [&both, &a],
                [&a, &both],
                [&both, &b],
            )
        },
    ]
}

#[test]
fn a_status_update_changes_and_validates_only_the_unions_of_the_status() {
    let schema = schema_with_union(json!({"fields-to-discriminateBy": {"a": "A", "b": "B"}}));
    let settings = ServerSettings::default().unions(union_runtime::Settings::default());
    let object = |[spec, status]: &[Value; 2]| json!({"spec": spec, "status": status});
    for row in rows() {
        let name = row.name;
        let mut new = object(&row.new);
        let report = schema.update_status(&mut new, &object(&row.old), &settings);
        let paths = |violations: &[Violation]| -> Vec<String> {
            violations
                .iter()
                .map(|violation| violation.path().to_string())
                .collect()
        };
        assert_eq!(new, object(&row.expected), "{name}");
        assert_eq!(report.changes().to_string(), row.changes, "{name}");
        assert_eq!(paths(report.errors()), row.errors, "{name}");
        assert_eq!(paths(report.tolerated()), row.tolerated, "{name}");
    }
}

/// Without a ratchet, each error of an unchanged value is reported. An error of the spec is not.
#[test]
fn a_status_update_does_not_report_the_unions_of_the_spec() {
    let schema = schema_with_union(json!({"fields-to-discriminateBy": {"a": "A", "b": "B"}}));
    let unions = union_runtime::Settings::default().ratchet(Ratchet::Off);
    let settings = ServerSettings::default().unions(unions);
    let (a, both) = (of(&["a"]), of(&["a", "b"]));
    for spec in [&a, &both] {
        for status in [&a, &both] {
            let old = json!({"spec": spec, "status": status});
            let mut new = old.clone();
            let report = schema.update_status(&mut new, &old, &settings);
            let in_status =
                |violation: &Violation| violation.path().to_string().starts_with("status");
            assert_eq!(new, old);
            assert!(report.errors().iter().all(in_status), "{report}");
        }
    }
}

/// An update of the spec sets a discriminator that the stored spec does not have. An update of the
/// status does not.
#[test]
fn a_status_update_does_not_set_the_discriminator_of_the_spec() {
    let schema = schema_with_union(
        json!({"discriminator": "kind", "fields-to-discriminateBy": {"a": "A", "b": "B"}}),
    );
    let settings = ServerSettings::default().unions(union_runtime::Settings::default());
    let (a, b) = (of(&["a"]), of(&["b"]));
    let old = json!({"spec": a, "status": a});
    let sent = json!({"spec": a, "status": b});
    let with_kind = |mut union: Value, kind: &str| {
        union["kind"] = json!(kind);
        union
    };
    let status = with_kind(b.clone(), "B");
    let mut new = sent.clone();
    let report = schema.update_status(&mut new, &old, &settings);
    assert_eq!(report.changes().to_string(), "status.kind: set");
    assert_eq!(new, json!({"spec": a, "status": status}));
    let mut new = sent;
    assert!(schema.update(&mut new, &old, &settings).is_accepted());
    assert_eq!(new["spec"], with_kind(a, "A"));
}

#[test]
fn a_status_is_added_beside_a_union_of_the_spec() {
    let schema = schema_with_union(
        json!({"discriminator": "kind", "fields-to-discriminateBy": {"a": "A", "b": "B"}}),
    );
    let settings = ServerSettings::default().unions(union_runtime::Settings::default());
    let old = json!({"spec": {"a": "x"}});
    let mut new = json!({"status": {"b": "x"}});
    let report = schema.update_status(&mut new, &old, &settings);
    assert_eq!(report.changes().to_string(), "status.kind: set");
    let status = json!({"b": "x", "kind": "B"});
    assert_eq!(new, json!({"spec": {"a": "x"}, "status": status}));
}

#[test]
fn a_discriminator_that_the_server_sets_is_validated() {
    let schema = json!({"type": "object", "properties": {"spec": {
        "type": "object",
        "properties": {"kind": {"type": "string", "maxLength": 0}, "a": {"type": "string"}},
        "x-kubernetes-unions": [
            {"discriminator": "kind", "fields-to-discriminateBy": {"a": "A"}},
        ],
    }}});
    let schema = StructuralSchema::compile(&schema).expect("a valid schema");
    let settings = ServerSettings::default().unions(union_runtime::Settings::default());
    let report = schema.create(&mut json!({"spec": {"a": "x"}}), &settings);
    assert_eq!(report.changes().to_string(), "spec.kind: set");
    assert_eq!(
        crate::errors(&report),
        ["spec.kind: Too long: may not be more than 0 bytes"]
    );
}
