//! Tests that the detection of elements with the same key does not allocate for lists without such
//! elements.

use allocation_counter::measure;
use k8s_strategic_merge_patch::{OnConflict, PatchSchema};
use serde_json::{Value, json};

use crate::shared_keys::service;

/// Returns a service with `count` ports; the ports have numbers or names as their keys.
fn ports(count: i64, key: fn(i64) -> Value) -> Value {
    let ports = (0..count).map(|i| json!({"port": key(i), "protocol": "TCP"}));
    json!({"ports": ports.collect::<Value>()})
}

fn allocations(work: impl FnOnce()) -> u64 {
    measure(work).count_total
}

const KEYS: [fn(i64) -> Value; 2] = [|i| json!(i + 8_000), |i| json!(format!("name-{i}"))];

/// The allocations of an unchanged list do not depend on its length.
#[test]
fn unchanged_lists() {
    let schema = service();
    for key in KEYS {
        let counts = [2, 8, 9, 100, 256].map(|count| {
            let list = ports(count, key);
            let diff = allocations(|| drop(schema.diff(&list, &list).expect("a patch")));
            let three_way = allocations(|| {
                let patch = schema.three_way(&list, &list, &list, OnConflict::Overwrite);
                drop(patch.expect("a patch"));
            });
            (diff, three_way)
        });
        assert!(counts.iter().all(|each| *each == counts[0]), "{counts:?}");
    }
}

/// A new list is copied into the patch, and needs nothing more than the copy.
#[test]
fn new_lists() {
    let schema: PatchSchema = service();
    let empty = json!({"ports": []});
    for key in KEYS {
        let counts = [1, 2, 8, 9, 100, 256].map(|count| {
            let list = ports(count, key);
            let copy = allocations(|| drop(list["ports"].clone()));
            let diff = allocations(|| drop(schema.diff(&empty, &list).expect("a patch")));
            diff - copy
        });
        assert!(counts.iter().all(|each| *each == counts[0]), "{counts:?}");
    }
}
