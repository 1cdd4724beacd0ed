//! Tests that a valid object of any depth is validated, normalized and admitted without an
//! allocation, both on a create and on an update of any old object.

use std::collections::{BTreeMap, HashMap};

use allocation_counter::measure;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use union_runtime::spec::Nested as _;
use union_runtime::{Settings, Union};

use crate::unions::nested::answer::{RATCHETS, read};
use crate::unions::nested::types::{Choice, Source, Target};

#[derive(Union, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(transform = union_runtime::add_unions::<Root>)]
struct Root {
    #[union(nested, list_map_keys("name"))]
    volumes: Vec<Volume>,
    #[union(nested)]
    by_name: BTreeMap<String, Vec<Choice>>,
    #[union(nested)]
    by_hash: HashMap<String, Option<Box<Root>>>,
    #[union(inline)]
    #[serde(flatten)]
    target: Target,
}

#[derive(Union, Serialize, Deserialize, JsonSchema)]
#[schemars(transform = union_runtime::add_unions::<Volume>)]
struct Volume {
    #[union(key)]
    name: String,
    #[union(inline)]
    #[serde(flatten)]
    source: Source,
    #[union(nested)]
    #[serde(skip_serializing_if = "Option::is_none")]
    inner: Option<Choice>,
}

fn root(nested_root: Option<&Value>) -> Value {
    json!({
        "volumes": [
            {"name": "a", "hostPath": 1},
            {"name": "b", "emptyDir": 1, "inner": {"kind": "Alpha", "alpha": 1}},
            {"name": "a"},
        ],
        "byName": {"x": [{"kind": "Beta", "beta": 1}, {"kind": "Nothing"}], "y": []},
        "byHash": {"z": nested_root, "none": null},
        "of": "Pod",
        "pod": "p",
    })
}

fn valid() -> Value {
    root(Some(&root(Some(&root(None)))))
}

/// Returns invalid objects: for each union of the valid object, a copy in which only that union is
/// invalid.
fn invalid_objects() -> Vec<Value> {
    let pointers = [
        ("/volumes/0", "emptyDir"),
        ("/volumes/1/inner", "beta"),
        ("/byName/x/1", "alpha"),
        ("/byHash/z/volumes/2", "both"),
        ("/byHash/z/byHash/z/byName/x/0", "alpha"),
        ("/byHash/z/byHash/z", "service"),
        ("", "service"),
    ];
    let invalid_at = |(pointer, field): (&str, &str)| {
        let mut object = valid();
        let target = object.pointer_mut(pointer).expect("a present value");
        match field {
            "both" => {
                target["hostPath"] = json!(1);
                target["emptyDir"] = json!(1);
            }
            "service" => target["service"] = json!("s"),
            field => target[field] = json!(1),
        }
        object
    };
    pointers.into_iter().map(invalid_at).collect()
}

/// Asserts that the action allocates no memory.
#[track_caller]
fn assert_allocates_nothing(action: impl FnOnce()) {
    assert_eq!(measure(action).count_total, 0, "allocations");
}

#[test]
fn a_deep_object_is_settled_if_and_only_if_all_its_unions_are() {
    assert!(read::<Root>(&valid()).is_settled());
    for invalid in invalid_objects() {
        let invalid: Root = read(&invalid);
        assert!(!invalid.is_settled());
        let report = invalid.validate_unions();
        assert_eq!(report.errors().len(), 1, "{report}");
    }
}

#[test]
fn a_valid_deep_object_is_created_without_an_allocation() {
    let mut object: Root = read(&valid());
    assert_allocates_nothing(|| {
        assert!(object.validate_unions().is_accepted());
        assert!(
            object
                .normalize_unions(None, &Settings::default())
                .is_empty()
        );
        assert!(
            object
                .admit_unions(None, &Settings::default())
                .is_accepted()
        );
    });
}

#[test]
fn an_update_from_any_object_to_a_valid_deep_object_allocates_nothing() {
    let mut object: Root = read(&valid());
    let old_objects = invalid_objects().into_iter().chain([valid()]);
    for old in old_objects.map(|old| read::<Root>(&old)) {
        assert_allocates_nothing(|| {
            assert!(
                object
                    .validate_unions_update(&old, &Settings::default())
                    .is_accepted()
            );
            assert!(
                object
                    .normalize_unions(Some(&old), &Settings::default())
                    .is_empty()
            );
            for ratchet in RATCHETS {
                let settings = Settings::default().ratchet(ratchet);
                assert!(object.validate_unions_update(&old, &settings).is_accepted());
                assert!(object.admit_unions(Some(&old), &settings).is_accepted());
            }
        });
    }
}

#[test]
fn with_unions_off_an_invalid_deep_object_allocates_nothing() {
    let off = Settings::default().unions(false);
    let old: Root = read(&valid());
    for invalid in invalid_objects() {
        let mut object: Root = read(&invalid);
        assert_allocates_nothing(|| assert!(object.admit_unions(Some(&old), &off).is_accepted()));
    }
}

#[test]
fn the_counter_counts_the_walk_of_an_invalid_object() {
    for invalid in invalid_objects() {
        let object: Root = read(&invalid);
        assert_ne!(
            measure(|| drop(object.validate_unions())).count_total,
            0,
            "texts are allocated"
        );
    }
}
