//! Tests that the detection of elements with the same key does not allocate for lists without such
//! elements.

use allocation_counter::measure;
use k8s_strategic_merge_patch::{OnConflict, PatchSchema};
use serde_json::{Value, json};

use crate::shared_keys::service;

/// Returns a service with `count` ports; the ports have numbers or names as their keys.
fn service_with_ports(count: i64, key: fn(i64) -> Value) -> Value {
    let ports = (0..count).map(|i| json!({"port": key(i), "protocol": "TCP"}));
    json!({"ports": ports.collect::<Value>()})
}

fn count_allocations(work: impl FnOnce()) -> u64 {
    measure(work).count_total
}

const KEY_FUNCTIONS: [fn(i64) -> Value; 2] = [|i| json!(i + 8_000), |i| json!(format!("name-{i}"))];

/// The allocations of an unchanged list do not depend on its length.
#[test]
fn unchanged_lists_of_each_length_have_the_same_allocations() {
    let schema = service();
    for key in KEY_FUNCTIONS {
        let counts = [2, 8, 9, 100, 256].map(|count| {
            let list = service_with_ports(count, key);
            let diff = count_allocations(|| drop(schema.diff(&list, &list).expect("a patch")));
            let three_way = count_allocations(|| {
                let patch = schema.three_way(&list, &list, &list, OnConflict::Overwrite);
                drop(patch.expect("a patch"));
            });
            (diff, three_way)
        });
        assert!(counts.iter().all(|count| *count == counts[0]), "{counts:?}");
    }
}

/// A new list is copied into the patch, and needs nothing more than the copy.
#[test]
fn new_lists_have_only_the_allocations_of_a_copy() {
    let schema: PatchSchema = service();
    let empty = json!({"ports": []});
    for key in KEY_FUNCTIONS {
        let counts = [1, 2, 8, 9, 100, 256].map(|count| {
            let list = service_with_ports(count, key);
            let copy = count_allocations(|| drop(list["ports"].clone()));
            let diff = count_allocations(|| drop(schema.diff(&empty, &list).expect("a patch")));
            diff - copy
        });
        assert!(counts.iter().all(|count| *count == counts[0]), "{counts:?}");
    }
}
