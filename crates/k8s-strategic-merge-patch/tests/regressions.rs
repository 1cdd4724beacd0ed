//! Regression tests for differences from Kubernetes, which were found by comparing results with the
//! code of Kubernetes (`tests/reference/strategic`).

use k8s_strategic_merge_patch::{OnConflict, PatchErrorKind, PatchSchema};
use serde_json::{Value, json};

fn compile_list_schema(list: &Value) -> PatchSchema {
    PatchSchema::compile(&json!({ "properties": { "list": list } })).unwrap()
}

#[test]
fn deletions_are_last_in_a_replaced_list() {
    let schema = compile_list_schema(&json!({ "x-kubernetes-patch-merge-key": "id" }));
    let order = json!([{ "id": 20 }, { "id": 3 }]);
    let patches = [
        json!({ "list": [{ "id": 1 }] }),
        json!({
            "$setElementOrder/list": order,
            "list": [{ "id": 20, "$patch": "delete" }, { "id": 3 }],
        }),
    ];
    assert_eq!(
        schema.compose(&patches).unwrap(),
        json!({
            "$setElementOrder/list": order,
            "list": [{ "id": 3 }, { "id": 20, "$patch": "delete" }],
        })
    );
}

#[test]
fn an_order_of_a_missing_list_is_not_checked() {
    // A list of scalars with a merge key cannot be merged, but the object does not have the list.
    let scalars =
        json!({ "x-kubernetes-patch-strategy": "merge", "x-kubernetes-patch-merge-key": "name" });
    let schema = compile_list_schema(&scalars);
    let patch = json!({ "$setElementOrder/list": ["b"] });
    assert_eq!(schema.compose([&patch]).unwrap(), patch);
    assert_eq!(schema.apply(json!({}), &patch).unwrap(), json!({}));
    let (modified, current) = (json!({ "list": ["d"] }), json!({ "list": ["1", "d"] }));
    assert_eq!(
        schema
            .three_way(&Value::Null, &modified, &current, OnConflict::Overwrite)
            .unwrap(),
        json!({ "$setElementOrder/list": ["d"] })
    );
}

#[test]
fn a_diff_of_a_merged_list_without_a_merge_key_is_an_error() {
    let schema = compile_list_schema(&json!({ "x-kubernetes-patch-strategy": "merge" }));
    let (old, new) = (
        json!({ "list": [{ "a": 1 }] }),
        json!({ "list": [{ "a": 2 }] }),
    );
    let error = schema.diff(&old, &new).unwrap_err();
    assert_eq!(
        (error.kind(), error.message()),
        (
            PatchErrorKind::NoMergeKey,
            "map: map[a:1] does not contain declared merge key: "
        )
    );
}

#[test]
fn an_empty_replaced_list_ignores_its_order() {
    let schema = compile_list_schema(&json!({ "x-kubernetes-patch-merge-key": "name" }));
    for order in [json!([]), json!(["a"])] {
        let patch = json!({ "$setElementOrder/list": order, "list": [] });
        assert_eq!(
            schema.apply(json!({ "list": ["c"] }), &patch).unwrap(),
            json!({ "list": [] })
        );
    }
    let order = json!({ "$setElementOrder/list": ["a"], "list": [] });
    let error = schema.apply(json!({ "list": [{ "name": "c" }] }), &order);
    assert_eq!(error.unwrap_err().kind(), PatchErrorKind::BadArgType);
}

#[test]
fn deletions_keep_their_order() {
    let schema = compile_list_schema(&json!({ "x-kubernetes-patch-merge-key": "id" }));
    let patch_with_deletions = json!({
        "$setElementOrder/list": [{ "id": 1 }, { "id": 2 }],
        "list": [{ "id": 2, "$patch": "delete" }, { "id": 1, "$patch": "delete" }],
    });
    let composed_patch = schema.compose(&[json!({ "list": [] }), patch_with_deletions.clone()]);
    assert_eq!(composed_patch.unwrap(), patch_with_deletions);
}

#[test]
fn a_null_directive_in_a_new_element_is_a_null_with_and_without_an_order() {
    let nested_list = json!({
        "x-kubernetes-patch-strategy": "merge",
        "x-kubernetes-patch-merge-key": "id",
    });
    let schema = compile_list_schema(&json!({
        "x-kubernetes-patch-strategy": "merge",
        "x-kubernetes-patch-merge-key": "id",
        "items": { "properties": { "list": nested_list, "object": {} } },
    }));
    let element = json!({
        "id": 0,
        "list": [{ "$patch": null }, { "$patch": null, "id": 1 }, { "$patch": "delete", "id": 2 }],
        "object": { "$patch": null },
    });
    let inserted_element = json!({ "id": 0, "list": [{}, { "id": 1 }], "object": {} });
    let list = json!([element]);
    let patches = [
        json!({ "list": list }),
        json!({ "$setElementOrder/list": [], "list": list }),
        json!({ "$setElementOrder/list": [{ "id": 0 }], "list": list }),
    ];
    let lives = || [json!({}), json!({ "list": [] })];
    for (patch, live) in patches
        .iter()
        .flat_map(|patch| lives().map(|live| (patch, live)))
    {
        assert_eq!(
            schema.apply(live.clone(), patch).unwrap(),
            json!({ "list": [inserted_element] }),
            "{live} {patch}"
        );
    }
}

#[test]
fn a_duplicate_scalar_does_not_change_the_position_of_a_new_scalar() {
    let schema = compile_list_schema(&json!({ "x-kubernetes-patch-strategy": "merge" }));
    let object_with_directive = json!({ "$patch": "replace" });
    let lists = [
        json!(["d", "b", "d"]),
        json!(["d", "b", "d", object_with_directive]),
        json!([object_with_directive, "d", "b"]),
    ];
    for list in lists {
        let patches = [json!({ "list": list }), json!({ "list": ["c"] })];
        assert_eq!(
            schema.compose(&patches).unwrap(),
            json!({ "list": ["c", "d", "b"] }),
            "{list}"
        );
    }
}
