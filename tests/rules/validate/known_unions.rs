//! Tests of `validate_known_unions`: values and members of newer versions are not errors, and all
//! other errors are the errors of `validate_unions`.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use union_runtime::{EnumType, RawUnion, Report, Union, UnionEnum};

#[derive(EnumType, Serialize, Deserialize)]
enum Kind {
    Disk,
    Bucket,
    #[enum_type(other)]
    #[serde(untagged)]
    Unknown(String),
}

#[derive(Union, Serialize, Deserialize)]
struct Struct {
    #[union(discriminator)]
    kind: Kind,
    #[union(member)]
    #[serde(skip_serializing_if = "Option::is_none")]
    disk: Option<u8>,
    #[union(member, optional)]
    #[serde(skip_serializing_if = "Option::is_none")]
    bucket: Option<u8>,
    #[serde(default)]
    levels: BTreeMap<String, Vec<Kind>>,
}

#[derive(UnionEnum)]
#[union(discriminator = "type", schema = false)]
enum Enum {
    Disk(u8),
    #[union(nested)]
    Inner(Box<Enum>),
    Kind(Kind),
    #[union(other)]
    Other(RawUnion),
}

#[derive(UnionEnum)]
#[union(undiscriminated, schema = false)]
enum Undiscriminated {
    Exec(u8),
    Http(u8),
    #[union(other)]
    Other(RawUnion),
}

#[derive(Union, Serialize, Deserialize)]
struct Deduced {
    #[union(discriminator, deduce)]
    #[serde(skip_serializing_if = "Option::is_none")]
    kind: Option<String>,
    #[union(member)]
    #[serde(skip_serializing_if = "Option::is_none")]
    disk: Option<u8>,
}

/// Returns the paths of the errors, separated by spaces. The path of the object is `<root>`.
fn paths(report: &Report) -> String {
    let errors = report.errors().iter();
    let paths: Vec<String> = errors
        .map(|error| match error.path().as_str() {
            "" => "<root>".to_owned(),
            path => path.to_owned(),
        })
        .collect();
    paths.join(" ")
}

/// Checks an object. `all` has the paths of the errors of `validate_unions`, and `known` the paths
/// of the errors of `validate_known_unions`.
fn check<T: Union + for<'de> Deserialize<'de>>(json: &Value, all: &str, known: &str) {
    let object: T = serde_json::from_value(json.clone()).expect("a readable object");
    assert_eq!(paths(&object.validate_unions()), all, "{json}");
    let report = object.validate_known_unions();
    assert_eq!(paths(&report), known, "{json}");
    let all_messages = object.validate_unions().to_string();
    for error in report.errors() {
        assert!(all_messages.contains(&error.to_string()), "{json}: {error}");
    }
}

#[test]
fn unknown_values_of_a_struct_are_not_errors() {
    check::<Struct>(&json!({"kind": "Disk", "disk": 1}), "", "");
    check::<Struct>(&json!({"kind": "Tape", "tape": 1}), "kind", "");
    check::<Struct>(&json!({"kind": "Disk"}), "disk", "disk");
    check::<Struct>(
        &json!({"kind": "Disk", "disk": 1, "bucket": 2}),
        "bucket",
        "bucket",
    );
    let levels = json!({"kind": "Disk", "levels": {"a": ["Disk", "Tape"]}});
    check::<Struct>(&levels, "disk levels[a][1]", "disk");
    check::<Option<Vec<Struct>>>(
        &json!([{"kind": "Tape"}, {"kind": "Disk"}]),
        "[0].kind [1].disk",
        "[1].disk",
    );
}

#[test]
fn unknown_values_of_an_enum_are_not_errors() {
    check::<Enum>(&json!({"type": "Disk", "disk": 1}), "", "");
    check::<Enum>(&json!({"type": "Tape", "tape": 1}), "type", "");
    check::<Enum>(&json!({"type": "Disk"}), "disk", "disk");
    check::<Enum>(&json!({"type": "Disk", "disk": "text"}), "disk", "disk");
    check::<Enum>(&json!({"type": 1}), "type", "type");
    check::<Enum>(&json!({}), "type", "type");
    let inner = |inner: Value| json!({"type": "Inner", "inner": inner});
    check::<Enum>(&inner(json!({"type": "Tape"})), "inner.type", "");
    check::<Enum>(&inner(json!({"type": "Disk"})), "inner.disk", "inner.disk");
    check::<Enum>(&json!({"type": "Kind", "kind": "Tape"}), "kind", "");
}

#[test]
fn unknown_members_are_not_errors() {
    check::<Undiscriminated>(&json!({"exec": 1}), "", "");
    check::<Undiscriminated>(&json!({"grpc": 1}), "<root>", "");
    check::<Undiscriminated>(&json!({}), "<root>", "<root>");
    check::<Undiscriminated>(&json!({"exec": 1, "http": 1}), "<root>", "<root>");
}

#[test]
fn a_string_that_follows_the_members_has_no_unknown_values() {
    check::<Deduced>(&json!({"kind": "Disk", "disk": 1}), "", "");
    check::<Deduced>(&json!({"kind": "Tape", "disk": 1}), "disk", "disk");
    check::<Deduced>(&json!({"kind": "Tape"}), "", "");
}
