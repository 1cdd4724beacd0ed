//! Tests of the types in fields without `nested`: `not_nested` leaves unions unchecked, and types
//! without unions need no attribute. `ui/not_nested` has the types that need an attribute.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet, HashMap, VecDeque};
use std::marker::PhantomData;

use serde::{Deserialize, Serialize};
use serde_json::Value;
use union_runtime::{EnumType, RawUnion, Union, UnionEnum};

use crate::error_paths;

#[derive(UnionEnum, Clone, Debug, PartialEq)]
#[union(discriminator = "type", schema = false)]
enum Target {
    Disk(String),
    #[union(other)]
    Other(RawUnion),
}

/// A struct with a union that has no derive of this crate, so the derive sees no unions in it.
#[derive(Serialize, Deserialize, Default)]
struct Hidden {
    target: Option<Target>,
}

/// An enum type whose unknown values serde rejects, so every container may have its values.
#[derive(EnumType, Serialize, Deserialize, Clone, PartialEq, Eq, PartialOrd, Ord)]
enum Closed {
    Low,
}

#[derive(Serialize, Deserialize, Default)]
struct Generic<T>(Option<T>);

type Json = BTreeMap<String, Value>;

/// A struct with a field for each type without unions.
#[derive(Union, Serialize, Deserialize, Default)]
#[serde(default)]
struct WithoutUnions<'a, T> {
    #[union(member, group = choice, alone)]
    #[serde(skip_serializing_if = "Option::is_none")]
    choice: Option<Vec<T>>,
    name: Option<String>,
    marker: PhantomData<Target>,
    free: Value,
    frees: Option<Json>,
    numbers: [u8; 3],
    pair: (u8, Option<String>),
    hidden: Hidden,
    hiddens: VecDeque<Box<Hidden>>,
    of_a_target: Generic<Hidden>,
    parameter: Option<T>,
    sizes: Vec<Generic<T>>,
    #[serde(skip)]
    skipped: Option<Target>,
    #[serde(skip)]
    skipped_reference: Option<&'a [Target; 2]>,
    #[serde(skip)]
    function: Option<fn(Target) -> Target>,
    #[serde(flatten)]
    rest: Json,
    set: BTreeSet<Closed>,
    by_level: BTreeMap<Closed, Vec<u8>>,
    text: Cow<'a, str>,
}

#[test]
fn types_without_unions_need_no_attribute() {
    let json =
        r#"{"hidden": {"target": {"type": "Tape"}}, "set": ["Low"], "free": {"type": "Tape"}}"#;
    let value: WithoutUnions<'_, u8> = serde_json::from_str(json).expect("a readable value");
    assert_eq!(error_paths(&value), "");
}

/// Declares a struct with a field of each container, with an attribute on each field.
macro_rules! containers {
    ($name:ident, $attribute:ident) => {
        #[derive(Union, Serialize, Deserialize, Default)]
        #[serde(default)]
        struct $name {
            #[union(member, group = choice, alone, $attribute)]
            #[serde(skip_serializing_if = "Option::is_none")]
            member: Option<Target>,
            #[union($attribute)]
            option: Option<Target>,
            #[union($attribute)]
            boxed: Option<Box<Target>>,
            #[union($attribute)]
            list: Vec<Target>,
            #[union($attribute)]
            options: Vec<Option<Target>>,
            #[union($attribute)]
            map: BTreeMap<String, Target>,
            #[union($attribute)]
            lists: HashMap<String, Vec<Target>>,
            #[union($attribute)]
            alias: Alias,
        }
    };
}

type Alias = Option<Vec<Target>>;

containers!(Nested, nested);
containers!(NotNested, not_nested);

/// Pairs of a field, and its value with an invalid union.
const INVALID_FIELDS: [(&str, &str); 8] = [
    ("member", r#"{"type": "Disk"}"#),
    ("option", r#"{"type": "Disk"}"#),
    ("boxed", r#"{"type": "Disk"}"#),
    ("list", r#"[{"type": "Disk"}]"#),
    ("options", r#"[null, {"type": "Disk"}]"#),
    ("map", r#"{"a": {"type": "Disk"}}"#),
    ("lists", r#"{"a": [{"type": "Disk"}]}"#),
    ("alias", r#"[{"type": "Disk"}]"#),
];

#[test]
fn nested_checks_the_unions_of_each_container_and_not_nested_none() {
    for (field, value) in INVALID_FIELDS {
        let json = format!(r#"{{"{field}": {value}}}"#);
        let nested: Nested = serde_json::from_str(&json).expect("a readable value");
        let paths = error_paths(&nested);
        assert!(
            paths.starts_with(field) && paths.rsplit('.').next() == Some("disk"),
            "{paths}"
        );
        let not_nested: NotNested = serde_json::from_str(&json).expect("a readable value");
        assert_eq!(error_paths(&not_nested), "", "{field}");
    }
}

#[derive(Union, Serialize, Deserialize)]
#[union(nested(spec), not_nested(r#type))]
struct NamedByTheStruct {
    spec: Target,
    r#type: Option<Target>,
}

#[test]
fn the_struct_names_fields_without_attributes() {
    let json = r#"{"spec": {"type": "Disk"}, "type": {"type": "Disk"}}"#;
    let value: NamedByTheStruct = serde_json::from_str(json).expect("a readable value");
    assert_eq!(error_paths(&value), "spec.disk");
}

#[derive(UnionEnum, Debug, PartialEq)]
#[union(discriminator = "type", schema = false)]
enum Job {
    #[union(nested)]
    Checked(Target),
    #[union(not_nested)]
    Unchecked(Vec<Target>),
    #[union(nested)]
    Next(Box<Job>),
    #[union(other)]
    Other(RawUnion),
}

#[test]
fn a_variant_with_not_nested_leaves_its_member_unchecked() {
    for (json, expected_paths) in [
        (
            r#"{"type": "Checked", "checked": {"type": "Disk"}}"#,
            "checked.disk",
        ),
        (
            r#"{"type": "Unchecked", "unchecked": [{"type": "Disk"}]}"#,
            "",
        ),
        (
            r#"{"type": "Next", "next": {"type": "Checked", "checked": {"type": "Disk"}}}"#,
            "next.checked.disk",
        ),
    ] {
        let job: Job = serde_json::from_str(json).expect("a readable value");
        assert_eq!(error_paths(&job), expected_paths, "{json}");
    }
}

#[derive(EnumType, Serialize, Deserialize, Clone, PartialEq, Eq, PartialOrd, Ord)]
enum Level {
    Low,
    #[enum_type(other)]
    #[serde(untagged)]
    Unknown(String),
}

/// A struct with values that a walk does not visit. `open` accepts their unknown values.
#[derive(Union, Serialize, Deserialize, Default)]
#[serde(default)]
struct Levels {
    #[union(member, group = choice, alone, open)]
    #[serde(skip_serializing_if = "Option::is_none")]
    member: Option<(u8, Level)>,
    #[union(open)]
    set: BTreeSet<Level>,
    #[union(open)]
    by_level: BTreeMap<Level, u8>,
    checked: Vec<Option<Level>>,
}

#[test]
fn open_accepts_unknown_values_in_other_containers() {
    let json =
        r#"{"member": [1, "a"], "set": ["b"], "by_level": {"c": 1}, "checked": [null, "d"]}"#;
    let levels: Levels = serde_json::from_str(json).expect("a readable value");
    assert_eq!(error_paths(&levels), "checked[1]");
}
