//! Tests of errors in lists in which elements share their merge key.

use k8s_strategic_merge_patch::{DiffError, OnConflict};
use serde_json::{Value, json};

use crate::shared_keys::{service, tcp, udp, with};

/// The original and the modified version of a port that cannot be compared.
fn incomparable() -> Vec<[Value; 2]> {
    let ports = |ports: [Value; 2]| ports.map(|ports| with(tcp(), "ports", ports));
    let fields = [1, 2].map(|value| with(udp(), "unknown", json!({ "value": value })));
    vec![
        ports([json!([{}]), json!([1])]),
        ports([json!([[]]), json!([{ "port": 1 }])]),
        ports([json!([{ "name": "keyless" }]), json!([{ "port": 1 }])]),
        ports([json!([{ "port": 1 }]), json!([{ "name": "keyless" }])]),
        ports(fields.map(|port| json!([port]))),
    ]
}

/// The lists around an incomparable port: elements share a key in some of the documents.
fn lists([original, modified]: [Value; 2]) -> Vec<[Vec<Value>; 2]> {
    let shared = || [1, 2].map(|at| json!({ "port": 2, "name": at.to_string() }));
    let one = || vec![json!({ "port": 2, "name": "1" })];
    let around = |around: Vec<Value>, port: &Value| {
        let mut list = around;
        list.insert(list.len() / 2, port.clone());
        list
    };
    let twice = |port: &Value| vec![port.clone(), with(udp(), "name", "other")];
    vec![
        [
            around(shared().to_vec(), &original),
            around(one(), &modified),
        ],
        [
            around(one(), &original),
            around(shared().to_vec(), &modified),
        ],
        [
            around(shared().to_vec(), &original),
            around(shared().to_vec(), &modified),
        ],
        [
            around(Vec::new(), &original),
            around(shared().to_vec(), &modified),
        ],
        [twice(&original), vec![modified.clone()]],
        [vec![original.clone()], twice(&modified)],
        [twice(&original), twice(&modified)],
    ]
}

/// The live lists: `None` if the live object lacks the list.
fn live_lists(original: &Value) -> Vec<Option<Vec<Value>>> {
    let other = json!({ "port": 3 });
    let of_author = json!({ "port": 2, "name": "1" });
    vec![
        None,
        Some(Vec::new()),
        Some(vec![other.clone()]),
        Some(vec![of_author, other]),
        Some(vec![original.clone()]),
    ]
}

/// Returns the document with a list at one of several places.
fn document(place: usize, list: Option<Vec<Value>>) -> Value {
    let list = list.map_or_else(|| json!({}), |list| json!({ "ports": list }));
    match place {
        0 => list,
        1 => json!({ "spec": list }),
        2 => json!({ "union": list }),
        3 => json!({ "retained": [with(list, "port", 7)] }),
        _ => json!({ "ports": [with(json!({ "spec": list }), "port", 7)] }),
    }
}

fn error_of(documents: &[Value; 3], on_conflict: OnConflict) -> Option<String> {
    let [original, modified, current] = documents;
    match service().three_way(original, modified, current, on_conflict) {
        Err(DiffError::Invalid(error)) => Some(format!("{:?}: {}", error.kind(), error.message())),
        _ => None,
    }
}

#[test]
fn versions_that_cannot_be_compared_are_an_error_whatever_the_live_object_has() {
    let mut count = 0;
    for [old, new] in incomparable() {
        for (place, form) in (0..5).flat_map(|place| [0, 1].map(|form| (place, form))) {
            let on_conflict = || [OnConflict::Overwrite, OnConflict::Fail][form];
            let alone = [&old, &new].map(|port| document(place, Some(vec![port.clone()])));
            let [original, modified] = alone;
            let expected = error_of(&[original, modified, json!({})], on_conflict());
            assert!(expected.is_some(), "{old} {new}");
            for [original, modified] in lists([old.clone(), new.clone()]) {
                let mut lives: Vec<Value> = vec![Value::Null, json!({})];
                lives.extend(
                    live_lists(&old)
                        .into_iter()
                        .map(|list| document(place, list)),
                );
                for live in lives {
                    let versions =
                        [&original, &modified].map(|list| document(place, Some(list.clone())));
                    let [original, modified] = versions;
                    let documents = [original, modified, live];
                    assert_eq!(
                        error_of(&documents, on_conflict()),
                        expected,
                        "{documents:?}"
                    );
                    count += 1;
                }
            }
        }
    }
    assert!(count > 2_000, "{count}");
}
