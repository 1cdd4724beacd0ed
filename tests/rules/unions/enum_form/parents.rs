//! Tests of an enum that is flattened beside other fields: the fields that the enum reads, and the
//! fields that remain for the parent.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use union_runtime::{RawUnion, Settings, Union, UnionEnum, needed_when};

#[derive(Serialize, Deserialize, JsonSchema, Clone, Debug, PartialEq)]
struct Path {
    path: String,
}

#[derive(UnionEnum, Clone, Debug, PartialEq)]
#[union(discriminator = "type", flattened = "own_fields")]
enum Source {
    None,
    HostPath(Path),
    #[union(member = "NFS")]
    Nfs(Option<Path>),
    #[union(other)]
    Other(RawUnion),
}

#[derive(UnionEnum, Clone, Debug, PartialEq)]
#[union(undiscriminated, flattened = "own_fields")]
enum Access {
    Nobody,
    Everybody(Path),
    Owner(Path),
    #[union(other)]
    Other(RawUnion),
}

#[derive(Union, Serialize, Deserialize, JsonSchema, Clone, Debug, PartialEq)]
#[schemars(transform = union_runtime::add_unions::<Volume>)]
struct Volume {
    name: String,
    #[union(inline)]
    #[serde(flatten)]
    source: Source,
    #[union(unknown)]
    #[serde(flatten)]
    #[schemars(skip)]
    rest: BTreeMap<String, Value>,
}

#[derive(Union, Serialize, Deserialize, JsonSchema, Clone, Debug, PartialEq)]
#[serde(deny_unknown_fields)]
#[schemars(transform = union_runtime::add_unions::<TwoEnums>)]
struct TwoEnums {
    name: String,
    #[union(inline)]
    #[serde(flatten)]
    source: Source,
    #[union(inline)]
    #[serde(flatten)]
    access: Access,
}

#[derive(Union, Serialize, Deserialize, JsonSchema, Clone, Debug, PartialEq)]
#[schemars(transform = union_runtime::add_unions::<WithoutMap>)]
struct WithoutMap {
    name: String,
    #[union(inline(lossy))]
    #[serde(flatten)]
    source: Source,
}

fn read<T: for<'de> Deserialize<'de>>(object: &Value) -> T {
    serde_json::from_value(object.clone()).unwrap_or_else(|error| panic!("{error}: {object}"))
}

fn to_json<T: Serialize>(value: &T) -> Value {
    serde_json::to_value(value).unwrap()
}

fn path(path: &str) -> Path {
    let path = path.to_owned();
    Path { path }
}

#[test]
fn each_field_belongs_to_one_union_and_is_written_once() {
    for object in [
        json!({"name": "a", "type": "HostPath", "hostPath": {"path": "/"}, "owner": {"path": "o"}}),
        json!({"name": "a", "type": "NFS"}),
        json!({"name": "a", "type": "None", "everybody": {"path": "o"}}),
        json!({"name": "a", "type": "HostPath", "everybody": {"path": "e"}, "owner": {"path": "o"}}),
    ] {
        let parent: TwoEnums = read(&object);
        assert_eq!(to_json(&parent), object);
        let text = serde_json::to_string(&parent).unwrap();
        for field in object.as_object().unwrap().keys() {
            assert_eq!(text.matches(&format!("\"{field}\":")).count(), 1, "{text}");
        }
    }
    let parent: TwoEnums = read(&json!({"name": "a", "type": "NFS", "owner": {"path": "o"}}));
    assert_eq!(parent.source, Source::Nfs(None));
    assert_eq!(parent.access, Access::Owner(path("o")));
    let error = serde_json::from_value::<TwoEnums>(json!({"name": "a", "type": "Tape", "tape": 1}));
    assert!(
        error
            .unwrap_err()
            .to_string()
            .contains("unknown field `tape`")
    );
}

#[test]
fn an_object_that_fits_no_variant_does_not_affect_another_union() {
    let parent: TwoEnums = read(&json!({"name": "a", "type": "HostPath", "owner": {"path": "o"}}));
    assert_eq!(parent.access, Access::Owner(path("o")));
    let raw = parent.source.raw().unwrap();
    assert_eq!(
        Value::Object(raw.object().clone()),
        json!({"type": "HostPath"})
    );
    let report = parent.validate_unions().to_string();
    let wording = needed_when("type", "HostPath");
    let line_start = format!("hostPath: Invalid value: \"\": {wording}: ");
    assert!(report.starts_with(&line_start), "{report}");
}

#[test]
fn a_map_keeps_the_members_of_unknown_values() {
    let object = json!({"name": "a", "type": "Tape", "tape": {"label": "x"}, "nfs": null});
    let volume: Volume = read(&object);
    let raw = volume.source.raw().unwrap();
    assert_eq!(raw.object()["type"], "Tape");
    assert!(raw.object().get("tape").is_none());
    assert_eq!(
        volume.rest,
        BTreeMap::from([("tape".to_owned(), json!({"label": "x"}))])
    );
    assert_eq!(to_json(&volume), object);
    let text = serde_json::to_string(&volume).unwrap();
    assert_eq!(text.matches("\"tape\":").count(), 1, "{text}");
    assert!(
        volume
            .validate_unions_update(&volume.clone(), &Settings::default())
            .is_accepted()
    );
}

/// Checks that a parent's map keeps the unknown member of an old value: the map may hold any field,
/// so normalization does not clear its entries.
#[test]
fn normalization_does_not_clear_the_map_of_a_parent() {
    let old: Volume = read(&json!({"name": "a", "type": "Tape", "tape": 1}));
    let mut new: Volume =
        read(&json!({"name": "a", "type": "HostPath", "hostPath": {"path": "/"}, "tape": 1}));
    assert!(
        new.normalize_unions(Some(&old), &Settings::default())
            .is_empty()
    );
    assert_eq!(new.rest["tape"], 1);
    assert!(new.validate_unions().is_accepted());
    // The known members of the enum are still cleared.
    let old: Volume = read(&json!({"name": "a", "type": "NFS", "nfs": {"path": "/"}}));
    let mut new: Volume = read(
        &json!({"name": "a", "type": "HostPath", "hostPath": {"path": "/"}, "nfs": {"path": "/"}, "tape": 1}),
    );
    assert_eq!(
        new.normalize_unions(Some(&old), &Settings::default())
            .to_string(),
        "nfs: cleared"
    );
    assert_eq!(new.source, Source::HostPath(path("/")));
    assert_eq!(new.rest["tape"], 1);
}

#[test]
fn without_a_map_a_lossy_parent_loses_unknown_fields() {
    let parent: WithoutMap = read(&json!({"name": "a", "type": "Tape", "tape": 1}));
    assert_eq!(to_json(&parent), json!({"name": "a", "type": "Tape"}));
}

#[test]
fn the_rules_of_two_enums_are_both_in_the_schema_of_the_parent() {
    let schema = schemars::schema_for!(TwoEnums).to_value();
    let rules = schema["x-kubernetes-validations"].as_array().unwrap();
    let expressions: Vec<&str> = rules
        .iter()
        .map(|rule| rule["rule"].as_str().unwrap())
        .collect();
    assert!(
        expressions
            .iter()
            .any(|rule| rule.contains("has(self.hostPath)")),
        "{expressions:?}"
    );
    assert!(
        expressions.iter().any(|rule| rule.contains("self.owner")),
        "{expressions:?}"
    );
    for field in ["name", "type", "hostPath", "nfs", "everybody", "owner"] {
        assert!(schema["properties"][field].is_object(), "{field}: {schema}");
    }
    assert_eq!(schema["required"], json!(["name", "type"]));
    let unions = &schema["properties"]["type"]["x-kubernetes-unions"];
    assert_eq!(unions["fieldMembers"]["HostPath"]["name"], "hostPath");
    let volume = schemars::schema_for!(Volume).to_value();
    assert!(volume["properties"].get("rest").is_none());
    assert_ne!(volume["additionalProperties"], json!(true));
}

/// Checks that schemars keeps only the rules of the first flattened enum if the fields are not
/// marked `inline`.
#[test]
fn without_the_parents_hook_only_the_first_enum_has_rules() {
    #[derive(JsonSchema)]
    #[expect(dead_code, reason = "only the schema is used")]
    struct Plain {
        #[serde(flatten)]
        source: Source,
        #[serde(flatten)]
        access: Access,
    }
    let schema = schemars::schema_for!(Plain).to_value();
    let rules = schema["x-kubernetes-validations"].to_string();
    assert!(rules.contains("has(self.hostPath)"), "{rules}");
    assert!(!rules.contains("self.owner"), "{rules}");
}

/// Checks that a member may have integer keys: serde's own buffer for flattened and untagged types
/// cannot represent them, but a `Value` can.
#[test]
fn a_member_may_have_integer_keys() {
    #[derive(Serialize, Deserialize, Clone, Debug, PartialEq)]
    struct Weights {
        by_zone: BTreeMap<u32, f64>,
    }
    #[derive(UnionEnum, Clone, Debug, PartialEq)]
    #[union(discriminator = "kind", schema = false)]
    enum Spread {
        Even,
        Weighted(Weights),
        #[union(other)]
        Other(RawUnion),
    }
    #[derive(Serialize, Deserialize)]
    struct Service {
        name: String,
        #[serde(flatten)]
        spread: Spread,
    }
    let object = json!({"name": "a", "kind": "Weighted", "weighted": {"by_zone": {"1": 0.5}}});
    let service: Service = read(&object);
    assert!(matches!(service.spread, Spread::Weighted(_)));
    assert_eq!(to_json(&service), object);
}

#[test]
fn an_untagged_enum_around_the_parent_accepts_any_object() {
    #[derive(Deserialize)]
    #[serde(untagged)]
    enum Either {
        Number(u8),
        Source(Source),
        #[expect(dead_code, reason = "no object comes so far")]
        Never(BTreeMap<String, Value>),
    }
    let number: Either = read(&json!(5));
    assert!(matches!(number, Either::Number(5)));
    let source: Either = read(&json!({"what": "ever"}));
    assert!(matches!(source, Either::Source(Source::Other(_))));
}

#[test]
fn a_boxed_enum_is_flattened_like_the_enum() {
    #[derive(Union, Serialize, Deserialize)]
    struct Boxed {
        name: String,
        #[union(inline(lossy))]
        #[serde(flatten)]
        source: Box<Source>,
    }
    let old: Boxed = read(&json!({"name": "a", "type": "NFS", "nfs": {"path": "/"}}));
    let mut new: Boxed = read(&json!({"name": "a", "type": "None", "nfs": {"path": "/"}}));
    assert_eq!(
        new.normalize_unions(Some(&old), &Settings::default())
            .to_string(),
        "nfs: cleared"
    );
    assert_eq!(*new.source, Source::None);
}

/// Checks that `#[default]` sets the value of `Default`, and `#[union(default)]` the meaning of an
/// absent discriminator.
#[test]
fn the_default_variant_may_differ_from_the_meaning_of_absence() {
    #[derive(UnionEnum, Clone, Debug, Default, PartialEq)]
    #[union(discriminator = "type", flattened = "own_fields")]
    enum Strategy {
        #[default]
        Recreate,
        #[union(default)]
        RollingUpdate(Option<u32>),
        #[union(other)]
        Other(RawUnion),
    }
    #[derive(Union, Serialize, Deserialize, Default, Debug, PartialEq)]
    struct Deployment {
        replicas: u8,
        #[union(inline(lossy))]
        #[serde(flatten)]
        strategy: Strategy,
    }
    assert_eq!(
        to_json(&Deployment::default()),
        json!({"replicas": 0, "type": "Recreate"})
    );
    let deployment: Deployment = read(&json!({"replicas": 1}));
    assert_eq!(deployment.strategy, Strategy::RollingUpdate(None));
}
