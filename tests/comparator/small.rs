//! Tests of all schemas of two levels with all pairs of objects of a small domain: an update
//! rejects the errors that the comparator calls new.

use k8s_crd_validation::{RatchetingPolicy, ServerSettings, StructuralSchema};
use serde_json::{Value, json};

use crate::server::{count_messages, split_by_comparator};

/// Wraps a schema and its values in an outer schema and outer values.
type Wrapper = fn(&Value, &[Value]) -> (Value, Vec<Value>);

const WRAPPERS: [Wrapper; 4] = [in_object, in_map, in_atomic_list, in_keyed_list];

fn in_object(inner: &Value, values: &[Value]) -> (Value, Vec<Value>) {
    let schema = json!({"type": "object", "required": ["p"], "properties": {"p": inner}});
    let values = values.iter().map(|value| json!({"p": value}));
    (schema, core::iter::once(json!({})).chain(values).collect())
}

fn in_map(inner: &Value, values: &[Value]) -> (Value, Vec<Value>) {
    let schema = json!({"type": "object", "additionalProperties": inner, "maxProperties": 1});
    let with_one = values.iter().map(|value| json!({"7": value}));
    let with_other = values.iter().map(|value| json!({"007": value}));
    let with_both = values
        .iter()
        .map(|value| json!({"7": value, "007": values[0]}));
    (
        schema,
        core::iter::once(json!({}))
            .chain(with_one)
            .chain(with_other)
            .chain(with_both)
            .collect(),
    )
}

fn in_atomic_list(inner: &Value, values: &[Value]) -> (Value, Vec<Value>) {
    let schema = json!({"type": "array", "items": inner, "maxItems": 1});
    let with_one = values.iter().map(|value| json!([value]));
    let with_two = values.iter().map(|value| json!([value, values[0]]));
    let with_reversed = values.iter().skip(1).map(|value| json!([values[0], value]));
    (
        schema,
        core::iter::once(json!([]))
            .chain(with_one)
            .chain(with_two)
            .chain(with_reversed)
            .collect(),
    )
}

fn in_keyed_list(inner: &Value, values: &[Value]) -> (Value, Vec<Value>) {
    let schema = json!({
        "type": "array", "maxItems": 1, "x-kubernetes-list-type": "map", "x-kubernetes-list-map-keys": ["k"],
        "items": {"type": "object", "required": ["k"], "properties": {"k": {"type": "string"}, "v": inner}},
    });
    let element = |key: &str, value: &Value| json!({"k": key, "v": value});
    let with_a = values.iter().map(|value| json!([element("a", value)]));
    let with_b = values.iter().map(|value| json!([element("b", value)]));
    let with_two = values
        .iter()
        .map(|value| json!([element("a", value), element("b", &values[0])]));
    let with_reversed = values
        .iter()
        .map(|value| json!([element("b", &values[0]), element("a", value)]));
    (
        schema,
        core::iter::once(json!([]))
            .chain(with_a)
            .chain(with_b)
            .chain(with_two)
            .chain(with_reversed)
            .collect(),
    )
}

#[test]
fn all_updates_of_small_objects_are_split_as_a_server_decides() {
    let leaf = json!({"type": "integer", "maximum": 0});
    let leaves = [json!(0), json!(1), json!(2)];
    let (mut update_count, mut tolerated_count) = (0, 0);
    for outer in WRAPPERS {
        for inner in WRAPPERS {
            let (schema, values) = inner(&leaf, &leaves);
            let (spec, values) = outer(&schema, &values);
            let schema = json!({"type": "object", "properties": {"spec": spec}});
            let compiled = StructuralSchema::compile(&schema).expect("a structural schema");
            let full_object = |spec: &Value| {
                let metadata = json!({"name": "a", "resourceVersion": "7", "uid": "abc"});
                json!({"apiVersion": "a.example/v1", "kind": "A", "metadata": metadata, "spec": spec})
            };
            let objects: Vec<Value> = values.iter().map(full_object).collect();
            for old in &objects {
                for new in &objects {
                    for policy in [RatchetingPolicy::ApiServer, RatchetingPolicy::Kep4008] {
                        let settings = ServerSettings::default().policy(policy);
                        let report = compiled.update(&mut new.clone(), old, &settings);
                        let [new_errors, tolerated_errors] =
                            split_by_comparator(&compiled, [new, old], policy);
                        let context = || format!("{policy:?}\n{schema}\nold: {old}\nnew: {new}");
                        assert_eq!(
                            count_messages(&new_errors),
                            count_messages(report.errors()),
                            "{}",
                            context()
                        );
                        assert_eq!(
                            count_messages(&tolerated_errors),
                            count_messages(report.tolerated()),
                            "{}",
                            context()
                        );
                        update_count += 1;
                        tolerated_count += usize::from(!tolerated_errors.is_empty());
                    }
                }
            }
        }
    }
    assert!(
        update_count > 20_000 && tolerated_count > 1_500,
        "{update_count} {tolerated_count}"
    );
}
