//! Tests that a valid object is normalized, validated and admitted without an allocation.

use std::collections::BTreeMap;

use allocation_counter::measure;
use k8s_crd_validation::{ServerSettings, StructuralSchema};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use union_runtime::{EnumType, Ratchet, RawUnion, Settings, Union, UnionEnum};

#[derive(EnumType, Serialize, Deserialize, Clone, Debug)]
#[serde(rename_all = "camelCase")]
enum SourceType {
    File,
    Secret,
    Volume,
    Web,
    /// No source is mounted.
    Nothing,
    #[enum_type(other)]
    #[serde(untagged)]
    Unknown(String),
}

/// A union with four members, all of which own memory.
#[derive(Union, Serialize, Deserialize, Clone, Debug)]
struct Source {
    #[union(discriminator)]
    r#type: SourceType,
    #[union(member)]
    #[serde(skip_serializing_if = "Option::is_none")]
    file: Option<String>,
    #[union(member)]
    #[serde(skip_serializing_if = "Option::is_none")]
    secret: Option<Box<[u8]>>,
    #[union(member, optional)]
    #[serde(skip_serializing_if = "Option::is_none")]
    volume: Option<Vec<String>>,
    #[union(member)]
    #[serde(skip_serializing_if = "Option::is_none")]
    web: Option<Value>,
    /// Values of the enum type outside of the union.
    #[serde(default)]
    others: Vec<SourceType>,
    #[serde(default)]
    by_name: BTreeMap<String, Option<Box<SourceType>>>,
}

const RATCHETS: [Ratchet; 3] = [Ratchet::SameReason, Ratchet::Unchanged, Ratchet::Off];

fn read(json: Value) -> Source {
    serde_json::from_value(json).expect("a readable value")
}

/// Returns a valid object for each value, and an object whose optional member is unset.
fn valid() -> Vec<Source> {
    let objects = [
        json!({"type": "file", "file": "/etc/app.toml", "others": ["file", "web"]}),
        json!({"type": "secret", "secret": [1, 2, 3], "by_name": {"a": "volume", "b": null}}),
        json!({"type": "volume", "volume": ["data"]}),
        json!({"type": "volume"}),
        json!({"type": "web", "web": {"url": "https://example.com"}}),
        json!({"type": "nothing"}),
    ];
    objects.into_iter().map(read).collect()
}

/// Returns old objects: valid objects with the same and with another discriminator, and invalid
/// objects.
fn before() -> Vec<Source> {
    let wrong = [
        json!({"type": "file"}),
        json!({"type": "web", "web": {}, "file": "", "volume": [], "secret": []}),
        json!({"type": "nothing", "volume": ["data"]}),
        json!({"type": "tape", "file": "/dev/st0"}),
        json!({"type": "nothing", "others": ["tape"], "by_name": {"a": "tape"}}),
    ];
    valid()
        .into_iter()
        .chain(wrong.into_iter().map(read))
        .collect()
}

#[track_caller]
fn allocates_nothing(work: impl FnOnce()) {
    assert_eq!(measure(work).count_total, 0, "allocations");
}

#[test]
fn the_counter_counts() {
    assert_eq!(measure(|| drop(Box::new(1))).count_total, 1);
    let wrong = read(json!({"type": "file"}));
    assert_ne!(
        measure(|| drop(wrong.validate_unions())).count_total,
        0,
        "texts are allocated"
    );
}

#[test]
fn validating_a_valid_object_allocates_nothing() {
    for object in valid() {
        allocates_nothing(|| assert!(object.validate_unions().is_accepted()));
    }
}

#[test]
fn validating_an_update_to_a_valid_object_allocates_nothing() {
    for new in valid() {
        for old in before() {
            allocates_nothing(|| {
                assert!(
                    new.validate_unions_update(&old, &Settings::default())
                        .is_accepted()
                );
                for ratchet in RATCHETS {
                    let settings = Settings::default().ratchet(ratchet);
                    assert!(new.validate_unions_update(&old, &settings).is_accepted());
                }
            });
        }
    }
}

#[test]
fn normalizing_a_clean_object_allocates_nothing() {
    for mut new in valid() {
        for old in before() {
            allocates_nothing(|| {
                assert!(new.normalize_unions(None, &Settings::default()).is_empty());
                assert!(
                    new.normalize_unions(Some(&old), &Settings::default())
                        .is_empty()
                );
            });
        }
    }
}

#[test]
fn admitting_a_valid_object_allocates_nothing() {
    for mut new in valid() {
        allocates_nothing(|| assert!(new.admit_unions(None, &Settings::default()).is_accepted()));
        for old in before() {
            for ratchet in RATCHETS {
                let settings = Settings::default().ratchet(ratchet);
                allocates_nothing(|| {
                    assert!(new.admit_unions(Some(&old), &settings).is_accepted());
                });
            }
        }
    }
}

#[test]
fn clearing_members_allocates_only_for_the_report() {
    let old = read(json!({"type": "file", "file": "/etc/app.toml"}));
    let mut new = read(json!({"type": "nothing", "file": "/etc/app.toml"}));
    let counted = measure(|| {
        let changes = new.normalize_unions(Some(&old), &Settings::default());
        assert_eq!(changes.len(), 1);
    });
    assert!(
        counted.count_total <= 3,
        "one path and its list: {counted:?}"
    );
}

#[test]
fn unknown_members_allocate_nothing() {
    #[derive(Union, Serialize, Deserialize)]
    struct Keeping {
        #[union(discriminator)]
        r#type: SourceType,
        #[union(member)]
        #[serde(skip_serializing_if = "Option::is_none")]
        file: Option<String>,
        #[union(unknown)]
        #[serde(flatten)]
        rest: BTreeMap<String, Value>,
    }
    let read = |json: Value| -> Keeping { serde_json::from_value(json).expect("a readable value") };
    let old = read(json!({"type": "nothing", "tape": 1}));
    let mut new = read(json!({"type": "file", "file": "/etc/app.toml", "tape": 1, "web": {}}));
    for ratchet in RATCHETS {
        let settings = Settings::default().ratchet(ratchet);
        allocates_nothing(|| {
            assert!(new.admit_unions(None, &settings).is_accepted());
            assert!(new.admit_unions(Some(&old), &settings).is_accepted());
        });
    }
}

#[test]
fn a_variant_of_an_enum_allocates_nothing() {
    #[derive(UnionEnum, Clone, Debug)]
    #[union(discriminator = "type", schema = false)]
    enum Enumerated {
        File(String),
        Volume(Option<Vec<String>>),
        #[union(nested)]
        Source(Source),
        Nothing,
        #[union(other)]
        Other(RawUnion),
    }
    let read =
        |json: Value| -> Enumerated { serde_json::from_value(json).expect("a readable value") };
    let variants = [
        json!({"type": "File", "file": "/etc/app.toml"}),
        json!({"type": "Volume"}),
        json!({"type": "Volume", "volume": ["data"]}),
        json!({"type": "Source", "source": {"type": "file", "file": ""}}),
        json!({"type": "Nothing"}),
    ];
    let variants = variants.map(read);
    let others = [
        json!({}),
        json!({"type": "tape"}),
        json!({"type": "Volume", "volume": 5}),
    ];
    let before: Vec<Enumerated> = variants.iter().cloned().chain(others.map(read)).collect();
    for mut new in variants {
        assert!(new.raw().is_none());
        allocates_nothing(|| {
            assert!(new.validate_unions().is_accepted());
            assert!(new.normalize_unions(None, &Settings::default()).is_empty());
        });
        for old in &before {
            for ratchet in RATCHETS {
                let settings = Settings::default().ratchet(ratchet);
                allocates_nothing(|| assert!(new.admit_unions(Some(old), &settings).is_accepted()));
            }
        }
    }
}

#[test]
fn with_unions_off_an_invalid_object_allocates_nothing() {
    let off = Settings::default().unions(false);
    for mut new in before() {
        for old in before() {
            allocates_nothing(|| assert!(new.admit_unions(Some(&old), &off).is_accepted()));
        }
    }
}

/// Checks that a valid write with ratcheting allocates no memory (KEP-4008, "Goals": the cost of a
/// valid write does not grow).
#[test]
fn ratcheting_allocates_nothing_for_valid_updates() {
    let schema = StructuralSchema::compile(&json!({"type": "object", "properties": {"spec": {
        "type": "object",
        "properties": {
            "replicas": {"type": "integer"},
            "ports": {
                "type": "array", "x-kubernetes-list-type": "map", "x-kubernetes-list-map-keys": ["port"],
                "items": {"type": "object", "required": ["port"], "properties": {
                    "port": {"type": "integer", "minimum": 1}, "host": {"type": "string", "maxLength": 20},
                }},
            },
        },
    }}}))
    .expect("the schema is structural");
    let object = |replicas: u32| {
        let ports: Vec<Value> = (1..=50)
            .map(|port| json!({"port": port, "host": "a"}))
            .collect();
        json!({
            "apiVersion": "example.com/v1", "kind": "Thing",
            "metadata": {"name": "a", "resourceVersion": "1"},
            "spec": {"ports": ports, "replicas": replicas},
        })
    };
    let allocations = |ratchet: bool| {
        let (old, mut new) = (object(1), object(2));
        let settings = ServerSettings::default().ratchet(ratchet);
        measure(|| assert!(schema.update(&mut new, &old, &settings).is_accepted())).count_total
    };
    assert_eq!(allocations(true), allocations(false));
}
