//! Tests of the proposal of `retainKeys`: its examples, its invalid and valid cases, and its
//! version skew.

use k8s_strategic_merge_patch::{OnConflict, PatchErrorKind, PatchSchema};
use serde_json::{Map, Value, json};

fn compile(schema: Value) -> PatchSchema {
    PatchSchema::compile(&schema).expect("the schema is well formed")
}

/// An example: the schema, the live object, the local file, and the patch in the proposal.
struct Example {
    schema: PatchSchema,
    live: Value,
    local: Value,
    patch: Value,
}

impl Example {
    /// Checks that the patch in the proposal changes the live object to the local file, and that
    /// created patches do the same.
    fn assert_patches_result_in_local_file(&self) {
        let Self {
            schema,
            live,
            local,
            patch,
        } = self;
        assert_eq!(&schema.apply(live.clone(), patch).unwrap(), local);
        let two_way_patch = schema.diff(live, local).unwrap();
        assert_eq!(&schema.apply(live.clone(), &two_way_patch).unwrap(), local);
        // The client did not apply anything before, so it does not know the live fields.
        let three_way_patch = schema
            .three_way(&json!({}), local, live, OnConflict::Overwrite)
            .unwrap();
        assert_eq!(
            &schema.apply(live.clone(), &three_way_patch).unwrap(),
            local
        );
        assert!(three_way_patch.to_string().contains("$retainKeys"));
    }
}

/// Returns example 1: a union that is not inlined, without a discriminator.
fn container_state_example() -> Example {
    Example {
        schema: compile(json!({"properties": {"state": {
            "x-kubernetes-patch-strategy": "retainKeys",
            "properties": {
                "running": {"properties": {"startedAt": {"type": "string"}}},
                "terminated": {"properties": {"exitCode": {"type": "integer"}}},
            },
        }}})),
        live: json!({"state": {"running": {"startedAt": "2017-01-01T00:00:00Z"}}}),
        local: json!({"state": {"terminated": {"exitCode": 0, "finishedAt": "2017-01-02T00:00:00Z"}}}),
        patch: json!({"state": {
            "$retainKeys": ["terminated"],
            "terminated": {"exitCode": 0, "finishedAt": "2017-01-02T00:00:00Z"},
        }}),
    }
}

/// Returns example 2: a union that is not inlined, with a discriminator.
fn discriminated_union_example() -> Example {
    Example {
        schema: compile(json!({"properties": {"unionName": {
            "x-kubernetes-patch-strategy": "retainKeys",
            "properties": {
                "discriminatorName": {"type": "string"},
                "fooField": {"properties": {"fooSubfield": {"type": "string"}}},
                "barField": {"properties": {"barSubfield": {"type": "string"}}},
            },
        }}})),
        live: json!({"unionName": {"discriminatorName": "foo", "fooField": {"fooSubfield": "val1"}}}),
        local: json!({"unionName": {"discriminatorName": "bar", "barField": {"barSubfield": "val2"}}}),
        patch: json!({"unionName": {
            "$retainKeys": ["discriminatorName", "barField"],
            "discriminatorName": "bar",
            "barField": {"barSubfield": "val2"},
        }}),
    }
}

/// Returns example 3: an inlined union with a merge key. The strategy has the form of the proposal.
fn volumes_example() -> Example {
    Example {
        schema: compile(json!({"properties": {"spec": {"properties": {"volumes": {
            "x-kubernetes-patch-strategy": "merge|retainKeys",
            "x-kubernetes-patch-merge-key": "name",
            "items": {"properties": {
                "name": {"type": "string"},
                "emptyDir": {"properties": {"medium": {"type": "string"}}},
                "hostPath": {"properties": {"path": {"type": "string"}}},
            }},
        }}}}})),
        live: json!({"spec": {"volumes": [{"name": "foo", "emptyDir": {"medium": "Memory"}}]}}),
        local: json!({"spec": {"volumes": [{"name": "foo", "hostPath": {"path": "/data"}}]}}),
        patch: json!({"spec": {"volumes": [{
            "$retainKeys": ["name", "hostPath"],
            "name": "foo",
            "hostPath": {"path": "/data"},
        }]}}),
    }
}

#[test]
fn examples_have_the_results_of_the_proposal() {
    for example in [
        container_state_example(),
        discriminated_union_example(),
        volumes_example(),
    ] {
        example.assert_patches_result_in_local_file();
    }
}

fn compile_union_schema() -> PatchSchema {
    compile(json!({"properties": {"union": {
        "x-kubernetes-patch-strategy": "retainKeys",
        "properties": {"foo": {"type": "string"}, "bar": {"type": "string"}},
    }}}))
}

#[test]
fn a_field_missing_in_retain_keys_is_rejected() {
    let patch = json!({"union": {"$retainKeys": ["foo"], "foo": "a", "bar": "x"}});
    let error = compile_union_schema()
        .apply(json!({"union": {"foo": "z"}}), &patch)
        .unwrap_err();
    assert_eq!(error.kind(), PatchErrorKind::BadRetainKeys);
    assert_eq!(error.message(), "invalid patch format of retainKeys");
    assert_eq!(error.path(), "union.bar");
}

#[test]
fn retain_keys_may_list_missing_fields() {
    let patch = json!({"union": {"$retainKeys": ["foo", "bar"], "foo": "a"}});
    let live = json!({"union": {"bar": "kept", "other": "cleared"}});
    assert_eq!(
        compile_union_schema().apply(live, &patch).unwrap(),
        json!({"union": {"foo": "a", "bar": "kept"}})
    );
}

/// "Old kubectl vs New server: All behave the same as before, since no new directive in the patch."
#[test]
fn a_new_server_treats_the_patch_of_an_old_client_as_before() {
    for example in [
        container_state_example(),
        discriminated_union_example(),
        volumes_example(),
    ] {
        // The old client sends the same patch without the directive.
        let patch = strip_directive(&example.patch);
        let result = example.schema.apply(example.live.clone(), &patch).unwrap();
        let expected = merge_ignoring_directives(&example.live, &patch);
        assert_eq!(result, expected);
        assert_ne!(result, example.local);
    }
}

/// "New kubectl vs Old server: All behave the same as before, since new directive will not be
/// recognized by the old server and it will be dropped in conversion."
#[test]
fn an_old_server_treats_the_patch_of_a_new_client_as_before() {
    for example in [
        container_state_example(),
        discriminated_union_example(),
        volumes_example(),
    ] {
        let Example {
            schema,
            live,
            local,
            patch,
        } = &example;
        // The old server merges the directive like any other field, and drops it when it decodes
        // the result into its type. So the patch has the same effect as without the directive.
        let result_of_old_server = strip_directive(&merge_ignoring_directives(live, patch));
        let result_without_directive = merge_ignoring_directives(live, &strip_directive(patch));
        assert_eq!(result_of_old_server, result_without_directive);
        // A client that knows the state it applied last also sends removals. So the old server
        // returns the wanted state.
        let patch_of_aware_client = schema
            .three_way(live, local, live, OnConflict::Overwrite)
            .unwrap();
        assert_eq!(
            &strip_directive(&merge_ignoring_directives(live, &patch_of_aware_client)),
            local
        );
    }
}

/// A stored directive is data, even if a server keeps fields that it does not know.
#[test]
fn stored_directives_are_data() {
    let live = json!({"union": {"$retainKeys": ["foo"], "foo": "a", "bar": "b"}});
    let patch = json!({"union": {"bar": "c"}});
    assert_eq!(
        compile_union_schema().apply(live, &patch).unwrap(),
        json!({"union": {"$retainKeys": ["foo"], "foo": "a", "bar": "c"}})
    );
}

fn strip_directive(value: &Value) -> Value {
    match value {
        Value::Object(object) => {
            let other_fields = object.iter().filter(|(key, _)| !key.starts_with('$'));
            other_fields
                .map(|(key, value)| (key.clone(), strip_directive(value)))
                .collect()
        }
        Value::Array(values) => values.iter().map(strip_directive).collect(),
        scalar => scalar.clone(),
    }
}

/// Returns the result of a server that does not implement the proposal: it merges objects, and
/// lists of objects by their names. To this server, directives are ordinary fields.
fn merge_ignoring_directives(live: &Value, patch: &Value) -> Value {
    match (live, patch) {
        (Value::Object(live), Value::Object(patch)) => {
            let mut result: Map<String, Value> = live.clone();
            for (key, value) in patch {
                match (result.get(key), value) {
                    (_, Value::Null) => drop(result.remove(key)),
                    (Some(live_value), value) => {
                        drop(
                            result
                                .insert(key.clone(), merge_ignoring_directives(live_value, value)),
                        );
                    }
                    (None, value) => drop(result.insert(key.clone(), value.clone())),
                }
            }
            result.into()
        }
        (Value::Array(live), Value::Array(patch)) => {
            let merged_items = live.iter().map(|item| {
                let counterpart = patch
                    .iter()
                    .find(|patch_item| patch_item.get("name") == item.get("name"));
                counterpart.map_or_else(
                    || item.clone(),
                    |counterpart| merge_ignoring_directives(item, counterpart),
                )
            });
            merged_items.collect()
        }
        (_, patch) => patch.clone(),
    }
}

/// The patch has the form of the first alternative in the proposal, which an older server would
/// reject.
#[test]
fn retain_keys_is_not_a_value_of_patch() {
    let patch = json!({"union": {"$patch": "retainKeys", "foo": "a"}});
    let error = compile_union_schema()
        .apply(json!({"union": {"bar": "b"}}), &patch)
        .unwrap_err();
    assert_eq!(error.kind(), PatchErrorKind::UnknownPatchType);
    assert_eq!(error.path(), "union.$patch");
}

/// Applying a patch does not check the union. Validation does so later.
#[test]
fn apply_does_not_validate_the_union() {
    let two_members = json!({"union": {"$retainKeys": ["foo", "bar"], "foo": "a", "bar": "b"}});
    assert_eq!(
        compile_union_schema().apply(json!({"union": {"other": 1}}), &two_members),
        Ok(json!({"union": {"foo": "a", "bar": "b"}}))
    );
    let Example { schema, live, .. } = discriminated_union_example();
    let patch_with_mismatch = json!({"unionName": {
        "$retainKeys": ["discriminatorName", "fooField"], "discriminatorName": "bar",
    }});
    assert_eq!(
        schema.apply(live, &patch_with_mismatch),
        Ok(json!({"unionName": {"discriminatorName": "bar", "fooField": {"fooSubfield": "val1"}}}))
    );
}
