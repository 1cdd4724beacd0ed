//! Tests that a valid object is validated without an allocation, for every old object.

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
fn valid_object() -> Value {
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

/// Returns old objects: the valid object itself, and other valid and invalid objects.
fn old_objects() -> Vec<Value> {
    let mut changed_object = valid_object();
    changed_object["byName"]
        .as_array_mut()
        .expect("a list")
        .reverse();
    changed_object["type"] = "secret".into();
    changed_object["left"] = 1.into();
    let mut object_with_unknown_values = valid_object();
    object_with_unknown_values["type"] = "tape".into();
    object_with_unknown_values["byBoth"][0]["type"] = json!(5);
    vec![
        json!({}),
        json!(5),
        valid_object(),
        changed_object,
        object_with_unknown_values,
    ]
}

fn unions() -> Unions {
    let schema = schema_for::<Spec>();
    Unions::compile(union_json::SchemaSource::Schema(schema.as_value()))
        .unwrap_or_else(|error| panic!("{error}"))
}

#[track_caller]
fn assert_no_allocation(work: impl FnOnce()) {
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
    let mut error_count = 0;
    // Each union is made invalid, which shows that the engine finds the union.
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
        let mut invalid_object = valid_object();
        invalid_object
            .pointer_mut(pointer)
            .expect("a present value")["type"] = "tape".into();
        let report = unions.validate(&invalid_object);
        assert!(!report.is_accepted(), "the value is unknown");
        error_count += report.errors().len();
    }
    for (field, value) in [("mode", json!("Fast")), ("left", json!(1))] {
        let mut invalid_object = valid_object();
        invalid_object[field] = value;
        let report = unions.validate(&invalid_object);
        assert!(!report.is_accepted(), "the object is invalid");
        error_count += report.errors().len();
    }
    assert_eq!(error_count, 16);
    let state = State::read(&valid_object()).expect("the type reads it");
    Comparison::<Spec>::new().assert_same_results(&state, None);
    Comparison::<Spec>::new().assert_same_results(&state, Some(&state));
}

#[test]
fn validation_of_an_invalid_object_allocates() {
    let unions = unions();
    let measurement = measure(|| drop(unions.validate(&json!({}))));
    assert_ne!(measurement.count_total, 0, "texts are allocated");
}

#[test]
fn a_valid_object_allocates_nothing() {
    let unions = unions();
    let mut new = valid_object();
    for settings in settings() {
        assert_no_allocation(|| assert!(unions.validate(&new).is_accepted()));
        assert_no_allocation(|| assert!(unions.normalize(&mut new, None, &settings).is_empty()));
        assert_no_allocation(|| assert!(unions.admit(&mut new, None, &settings).is_accepted()));
    }
}

#[test]
fn an_update_to_a_valid_object_allocates_nothing() {
    let unions = unions();
    let mut new = valid_object();
    for old in old_objects() {
        for settings in settings() {
            assert_no_allocation(|| {
                assert!(unions.validate_update(&new, &old, &settings).is_accepted());
            });
            assert_no_allocation(|| {
                assert!(unions.normalize(&mut new, Some(&old), &settings).is_empty());
            });
            assert_no_allocation(|| {
                assert!(unions.admit(&mut new, Some(&old), &settings).is_accepted());
            });
        }
    }
}

#[test]
fn with_unions_off_an_invalid_object_allocates_nothing() {
    let unions = unions();
    let off = Settings::default().unions(false);
    for mut new in old_objects() {
        for old in old_objects() {
            assert_no_allocation(|| {
                assert!(unions.admit(&mut new, Some(&old), &off).is_accepted());
            });
        }
    }
}
