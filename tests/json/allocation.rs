//! Tests that a valid object is validated without an allocation, whatever the old object is.

use allocation_counter::measure;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use union_json::Unions;
use union_runtime::{EnumType, Ratchet, RestoreUnaware, Settings, Union, schema_for};

use crate::agree::{Comparison, Model, State};

#[derive(EnumType, Serialize, Deserialize, JsonSchema, Clone, Debug)]
#[serde(rename_all = "camelCase")]
enum SourceType {
    File,
    Secret,
    Volume,
    Nothing,
}

#[derive(Union, Serialize, Deserialize, JsonSchema, Clone, Debug)]
#[schemars(transform = union_runtime::add_unions::<Source>)]
struct Source {
    #[union(member)]
    #[serde(skip_serializing_if = "Option::is_none")]
    file: Option<String>,
    #[union(key)]
    #[serde(skip_serializing_if = "Option::is_none")]
    name: Option<String>,
    #[union(key)]
    #[serde(skip_serializing_if = "Option::is_none")]
    port: Option<u16>,
    #[union(member)]
    #[serde(skip_serializing_if = "Option::is_none")]
    secret: Option<Vec<u8>>,
    #[union(discriminator)]
    r#type: SourceType,
    #[union(member, optional)]
    #[serde(skip_serializing_if = "Option::is_none")]
    volume: Option<Vec<String>>,
}

/// A struct with one union of each kind, and with nested unions.
#[derive(Union, Serialize, Deserialize, JsonSchema, Clone, Debug)]
#[serde(rename_all = "camelCase")]
#[schemars(transform = union_runtime::add_unions::<Spec>)]
struct Spec {
    #[union(inline)]
    #[serde(flatten)]
    source: Source,
    #[union(discriminator, deduce)]
    #[serde(skip_serializing_if = "Option::is_none")]
    mode: Option<String>,
    #[union(member, discriminated_by = mode)]
    #[serde(skip_serializing_if = "Option::is_none")]
    fast: Option<u8>,
    #[union(member, discriminated_by = mode)]
    #[serde(skip_serializing_if = "Option::is_none")]
    slow: Option<u8>,
    #[union(member, group = side)]
    #[serde(skip_serializing_if = "Option::is_none")]
    left: Option<u8>,
    #[union(member, group = side)]
    #[serde(skip_serializing_if = "Option::is_none")]
    right: Option<u8>,
    #[union(nested)]
    backup: Option<Box<Source>>,
    #[union(nested, list_map_keys("name", "port"))]
    by_both: Vec<Source>,
    #[union(nested, list_map_keys("name"))]
    by_name: Vec<Source>,
    #[union(nested)]
    map: std::collections::BTreeMap<String, Vec<Source>>,
    #[union(nested)]
    plain: Vec<Source>,
}

impl Model for Spec {
    const IS_SORTED: bool = false;
}

/// Returns a valid object with sixteen unions: three in the object, one in a field, and the others
/// in lists and maps of every kind.
fn valid() -> Value {
    let file = json!({"type": "file", "file": "/etc/app.toml", "name": "a", "port": 1});
    let secret = json!({"type": "secret", "secret": [1, 2], "name": "b", "port": 1});
    let volume = json!({"type": "volume", "name": "c", "port": 1});
    let nothing = json!({"type": "nothing", "name": "d"});
    json!({
        "type": "volume", "volume": ["data"],
        "mode": "Slow", "slow": 1,
        "right": 2,
        "backup": nothing,
        "byBoth": [file, secret, volume],
        "byName": [nothing, volume, file],
        "map": {"x": [file], "y": [secret, volume], "z": []},
        "plain": [file, secret, nothing],
    })
}

/// Returns old objects: the same object, other valid objects, and invalid objects.
fn before() -> Vec<Value> {
    let mut turned = valid();
    turned["byName"].as_array_mut().expect("a list").reverse();
    turned["type"] = "secret".into();
    turned["left"] = 1.into();
    let mut unknown = valid();
    unknown["type"] = "tape".into();
    unknown["byBoth"][0]["type"] = json!(5);
    vec![json!({}), json!(5), valid(), turned, unknown]
}

fn unions() -> Unions {
    let schema = schema_for::<Spec>();
    Unions::compile(union_json::SchemaSource::Schema(schema.as_value()))
        .unwrap_or_else(|error| panic!("{error}"))
}

#[track_caller]
fn allocates_nothing(work: impl FnOnce()) {
    assert_eq!(measure(work).count_total, 0, "allocations");
}

fn settings() -> Vec<Settings> {
    let ratchets = [Ratchet::SameReason, Ratchet::Unchanged, Ratchet::Off];
    let restores = [RestoreUnaware::Off, RestoreUnaware::Required];
    ratchets
        .into_iter()
        .flat_map(|ratchet| {
            restores.map(|restore| {
                Settings::default()
                    .ratchet(ratchet)
                    .restore_unaware(restore)
            })
        })
        .collect()
}

#[test]
fn the_object_has_sixteen_unions_and_is_valid_on_both_sides() {
    let unions = unions();
    let mut count = 0;
    // Each union is made invalid, which shows that the engine finds it.
    for pointer in [
        "",
        "/backup",
        "/byBoth/0",
        "/byBoth/1",
        "/byBoth/2",
        "/byName/0",
        "/byName/1",
        "/byName/2",
        "/map/x/0",
        "/map/y/0",
        "/map/y/1",
        "/plain/0",
        "/plain/1",
        "/plain/2",
    ] {
        let mut wrong = valid();
        wrong.pointer_mut(pointer).expect("a present value")["type"] = "tape".into();
        let report = unions.validate(&wrong);
        assert!(!report.is_accepted(), "it is not known");
        count += report.errors().len();
    }
    for (field, value) in [("mode", json!("Fast")), ("left", json!(1))] {
        let mut wrong = valid();
        wrong[field] = value;
        let report = unions.validate(&wrong);
        assert!(!report.is_accepted(), "it is wrong");
        count += report.errors().len();
    }
    assert_eq!(count, 16);
    let state = State::read(&valid()).expect("the type reads it");
    Comparison::<Spec>::new().assert_same_results(&state, None);
    Comparison::<Spec>::new().assert_same_results(&state, Some(&state));
}

#[test]
fn the_counter_counts() {
    let unions = unions();
    let wrong = measure(|| drop(unions.validate(&json!({}))));
    assert_ne!(wrong.count_total, 0, "texts are allocated");
}

#[test]
fn a_valid_object_allocates_nothing() {
    let unions = unions();
    let mut new = valid();
    for settings in settings() {
        allocates_nothing(|| assert!(unions.validate(&new).is_accepted()));
        allocates_nothing(|| assert!(unions.normalize(&mut new, None, &settings).is_empty()));
        allocates_nothing(|| assert!(unions.admit(&mut new, None, &settings).is_accepted()));
    }
}

#[test]
fn an_update_to_a_valid_object_allocates_nothing() {
    let unions = unions();
    let mut new = valid();
    for old in before() {
        for settings in settings() {
            allocates_nothing(|| {
                assert!(unions.validate_update(&new, &old, &settings).is_accepted());
            });
            allocates_nothing(|| {
                assert!(unions.normalize(&mut new, Some(&old), &settings).is_empty());
            });
            allocates_nothing(|| {
                assert!(unions.admit(&mut new, Some(&old), &settings).is_accepted());
            });
        }
    }
}

#[test]
fn with_unions_off_an_invalid_object_allocates_nothing() {
    let unions = unions();
    let off = Settings::default().unions(false);
    for mut new in before() {
        for old in before() {
            allocates_nothing(|| assert!(unions.admit(&mut new, Some(&old), &off).is_accepted()));
        }
    }
}
