//! The two policies side by side.

use k8s_crd_validation::{Policy, ServerSettings};
use serde_json::{Value, json};

/// How many errors an update of `spec` has by each policy: what a server does, and the text of the KEP.
fn both(spec_schema: Value, old: Value, new: Value) -> [usize; 2] {
    let schema = crate::schema(spec_schema);
    [Policy::ApiServer, Policy::Kep4008].map(|policy| {
        let (old, new) = (
            json!({"spec": old, "other": "1"}),
            json!({"spec": new, "other": "2"}),
        );
        let settings = ServerSettings::default().policy(policy);
        let outcome = schema.update(
            &mut crate::resource(&new),
            &crate::resource(&old),
            &settings,
        );
        outcome.errors.len()
    })
}

#[test]
fn unchanged_values_are_tolerated_by_both() {
    let schema = json!({"type": "object", "properties": {"a": {"type": "string", "minLength": 3}, "b": {"type": "string"}}});
    assert_eq!(
        both(
            schema.clone(),
            json!({"a": "x"}),
            json!({"a": "x", "b": "1"})
        ),
        [0, 0]
    );
    assert_eq!(both(schema, json!({"a": "x"}), json!({"a": "y"})), [1, 1]);
}

#[test]
fn combinators_are_tolerated_by_servers_alone() {
    let schema = json!({"type": "object", "properties": {
        "a": {"type": "string", "anyOf": [{"minLength": 3}, {"pattern": "^y"}]},
    }});
    // The errors of the best branch, and the summary.
    assert_eq!(both(schema, json!({"a": "x"}), json!({"a": "x"})), [0, 2]);
}

#[test]
fn undescribed_fields_make_a_difference_to_servers_alone() {
    let schema = json!({"type": "object", "required": ["b"], "x-kubernetes-preserve-unknown-fields": true, "properties": {
        "b": {"type": "string"},
    }});
    assert_eq!(both(schema, json!({"zz": 1}), json!({"zz": 1})), [1, 0]);
}

#[test]
fn the_order_of_a_map_list_makes_a_difference_to_the_text_alone() {
    let schema = json!({"type": "object", "properties": {"l": {
        "type": "array", "maxItems": 1, "x-kubernetes-list-type": "map", "x-kubernetes-list-map-keys": ["k"],
        "items": {"type": "object", "required": ["k"], "properties": {"k": {"type": "integer"}}},
    }}});
    assert_eq!(
        both(
            schema,
            json!({"l": [{"k": 1}, {"k": 2}]}),
            json!({"l": [{"k": 2}, {"k": 1}]})
        ),
        [0, 1]
    );
}

#[test]
fn duplicates_are_tolerated_everywhere_or_with_their_list() {
    let set =
        json!({"type": "array", "x-kubernetes-list-type": "set", "items": {"type": "string"}});
    let schema = json!({"type": "object", "properties": {"x": set, "y": set}});
    let old = json!({"x": ["a", "a"], "y": ["b"]});
    // A server looks at the whole object: one old duplicate anywhere, and new ones may be anywhere.
    assert_eq!(
        both(
            schema.clone(),
            old.clone(),
            json!({"x": ["a"], "y": ["b", "b"]})
        ),
        [0, 1]
    );
    assert_eq!(
        both(schema.clone(), old, json!({"x": ["a", "a"], "y": []})),
        [0, 0]
    );
    assert_eq!(
        both(schema, json!({"x": ["a"]}), json!({"x": ["a", "a"]})),
        [1, 1]
    );
}
