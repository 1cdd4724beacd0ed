//! Tests of errors in lists in which elements share their merge key.

use k8s_strategic_merge_patch::{DiffError, OnConflict};
use serde_json::{Value, json};

use crate::shared_keys::{service, tcp, udp, with_field};

/// Returns the original and the modified versions of ports that cannot be compared.
fn incomparable_ports() -> Vec<[Value; 2]> {
    let ports = |ports: [Value; 2]| ports.map(|ports| with_field(tcp(), "ports", ports));
    let fields = [1, 2].map(|value| with_field(udp(), "unknown", json!({ "value": value })));
    vec![
        ports([json!([{}]), json!([1])]),
        ports([json!([[]]), json!([{ "port": 1 }])]),
        ports([json!([{ "name": "keyless" }]), json!([{ "port": 1 }])]),
        ports([json!([{ "port": 1 }]), json!([{ "name": "keyless" }])]),
        ports(fields.map(|port| json!([port]))),
    ]
}

/// Returns lists that contain an incomparable port, and elements that share a key in the original
/// or the modified list.
fn lists([original, modified]: [Value; 2]) -> Vec<[Vec<Value>; 2]> {
    let elements_with_shared_key = || [1, 2].map(|i| json!({ "port": 2, "name": i.to_string() }));
    let single_element = || vec![json!({ "port": 2, "name": "1" })];
    let insert_in_middle = |elements: Vec<Value>, port: &Value| {
        let mut list = elements;
        list.insert(list.len() / 2, port.clone());
        list
    };
    let with_duplicate = |port: &Value| vec![port.clone(), with_field(udp(), "name", "other")];
    vec![
        [
            insert_in_middle(elements_with_shared_key().to_vec(), &original),
            insert_in_middle(single_element(), &modified),
        ],
        [
            insert_in_middle(single_element(), &original),
            insert_in_middle(elements_with_shared_key().to_vec(), &modified),
        ],
        [
            insert_in_middle(elements_with_shared_key().to_vec(), &original),
            insert_in_middle(elements_with_shared_key().to_vec(), &modified),
        ],
        [
            insert_in_middle(Vec::new(), &original),
            insert_in_middle(elements_with_shared_key().to_vec(), &modified),
        ],
        [with_duplicate(&original), vec![modified.clone()]],
        [vec![original.clone()], with_duplicate(&modified)],
        [with_duplicate(&original), with_duplicate(&modified)],
    ]
}

/// Returns the live lists; `None` if the live object does not have the list.
fn live_lists(original: &Value) -> Vec<Option<Vec<Value>>> {
    let other_port = json!({ "port": 3 });
    let authored = json!({ "port": 2, "name": "1" });
    vec![
        None,
        Some(Vec::new()),
        Some(vec![other_port.clone()]),
        Some(vec![authored, other_port]),
        Some(vec![original.clone()]),
    ]
}

/// Returns a document that has the list at one of five positions.
fn document(position: usize, list: Option<Vec<Value>>) -> Value {
    let list = list.map_or_else(|| json!({}), |list| json!({ "ports": list }));
    match position {
        0 => list,
        1 => json!({ "spec": list }),
        2 => json!({ "union": list }),
        3 => json!({ "retained": [with_field(list, "port", 7)] }),
        _ => json!({ "ports": [with_field(json!({ "spec": list }), "port", 7)] }),
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
fn incomparable_versions_are_an_error_for_each_live_object() {
    let mut document_count = 0;
    for [old, new] in incomparable_ports() {
        for (position, conflict_option) in
            (0..5).flat_map(|position| [0, 1].map(|conflict_option| (position, conflict_option)))
        {
            let on_conflict = || [OnConflict::Overwrite, OnConflict::Fail][conflict_option];
            let single_ports =
                [&old, &new].map(|port| document(position, Some(vec![port.clone()])));
            let [original, modified] = single_ports;
            let expected = error_of(&[original, modified, json!({})], on_conflict());
            assert!(expected.is_some(), "{old} {new}");
            for [original, modified] in lists([old.clone(), new.clone()]) {
                let mut lives: Vec<Value> = vec![Value::Null, json!({})];
                lives.extend(
                    live_lists(&old)
                        .into_iter()
                        .map(|list| document(position, list)),
                );
                for live in lives {
                    let versions =
                        [&original, &modified].map(|list| document(position, Some(list.clone())));
                    let [original, modified] = versions;
                    let documents = [original, modified, live];
                    assert_eq!(
                        error_of(&documents, on_conflict()),
                        expected,
                        "{documents:?}"
                    );
                    document_count += 1;
                }
            }
        }
    }
    assert!(document_count > 2_000, "{document_count}");
}
