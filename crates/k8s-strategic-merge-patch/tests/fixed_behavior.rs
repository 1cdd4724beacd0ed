//! Tests of the accidental behavior of Kubernetes that this crate fixes, by the numbers in the docs
//! of the crate.

use k8s_strategic_merge_patch::PatchErrorKind;
use serde_json::{Value, json};

use crate::item_schema::{apply, assert_apply_error, diff, three_way, three_way_checked};

#[test]
fn b1_the_order_of_scalars_is_sent_iff_it_changed() {
    for set in [json!([2, 1]), json!([2, 10]), json!([10, 2])] {
        let list = json!({"set": set});
        assert_eq!(diff(list.clone(), list), json!({}));
    }
    let [original, modified] = [json!({"set": [2, 1]}), json!({"set": [1, 2]})];
    let patch = diff(original.clone(), modified.clone());
    assert_eq!(patch, json!({"$setElementOrder/set": [1, 2]}));
    assert_eq!(apply(original, patch), modified);
}

#[test]
fn b2_duplicate_scalars_do_not_change_the_order() {
    let live = json!({"set": [3, 3, 1, 2, 5]});
    assert_eq!(
        apply(live, json!({"set": [9]})),
        json!({"set": [9, 3, 1, 2, 5]})
    );
}

#[test]
fn b3_inserted_values_do_not_contain_directives() {
    let value_with_directives = json!({
        "$retainKeys": ["a"],
        "$setElementOrder/merged": [{"name": "x"}],
        "$deleteFromPrimitiveList/set": [1],
        "a": "x",
        "b": null,
        "merged": [{"name": "y", "$retainKeys": ["name"], "a": null}, {"name": "z", "$patch": "delete"}],
    });
    let value_without_directives = json!({"a": "x", "merged": [{"name": "y"}]});
    let with_name = |value: &Value| {
        let mut value = value.clone();
        value["name"] = "n".into();
        value
    };
    // The fields do not exist, have a value of another kind, or are not in the schema.
    let result = apply(
        json!({"union": 1}),
        json!({"inner": value_with_directives, "union": value_with_directives, "other": value_with_directives}),
    );
    assert_eq!(
        result,
        json!({"inner": value_without_directives, "union": value_without_directives, "other": value_without_directives})
    );
    // The element is new in an existing list, in a missing list, and in a list with an order.
    let patch = json!({"merged": [with_name(&value_with_directives)]});
    let expected_list = json!([with_name(&value_without_directives)]);
    assert_eq!(
        apply(json!({"merged": []}), patch.clone())["merged"],
        expected_list
    );
    assert_eq!(apply(json!({}), patch)["merged"], expected_list);
    let patch_with_order = json!({"$setElementOrder/merged": [{"name": "n"}], "merged": [with_name(&value_with_directives)]});
    assert_eq!(
        apply(json!({}), patch_with_order.clone()),
        json!({"merged": expected_list})
    );
    let live = json!({"merged": [{"name": "m"}]});
    assert_eq!(apply(live, patch_with_order)["merged"][0], expected_list[0]);
    // A key that is null is left out too, with an order and without.
    let list_without_key = json!([{"name": null, "a": "x"}]);
    for patch in [
        json!({"merged": list_without_key}),
        json!({"$setElementOrder/merged": [], "merged": list_without_key}),
    ] {
        assert_eq!(apply(json!({}), patch), json!({"merged": [{"a": "x"}]}));
    }
    // An element that is left out does not need a key.
    let patch = json!({"$setElementOrder/merged": [], "merged": [{"$patch": "replace"}]});
    assert_eq!(apply(json!({}), patch), json!({"merged": []}));
}

#[test]
fn b3_replacements_do_not_contain_directives() {
    let patch = json!({"inner": {
        "$patch": "replace",
        "$retainKeys": ["a"],
        "a": null,
        "inner": {"$setElementOrder/set": [], "b": "x"},
        "union": {"$patch": "delete"},
    }});
    assert_eq!(
        apply(json!({"inner": {"b": "y"}}), patch),
        json!({"inner": {"a": null, "inner": {"b": "x"}}})
    );
    let patch = json!({"merged": [{"$patch": "replace"}, {"name": "x", "$retainKeys": []}]});
    assert_eq!(
        apply(json!({"merged": [{"name": "y"}]}), patch),
        json!({"merged": [{"name": "x"}]})
    );
}

#[test]
fn b3_directives_in_replaced_fields_are_data() {
    let patch = json!({"whole": {"$retainKeys": 1, "$patch": "delete"}});
    // `$patch` applies to merged objects, and this object is replaced.
    assert_eq!(apply(json!({"whole": {}}), patch.clone()), patch);
    let patch = json!({"atomic": [{"$patch": "delete"}, null]});
    assert_eq!(apply(json!({"atomic": []}), patch.clone()), patch);
}

#[test]
fn b4_both_sides_may_remove_scalars() {
    let [original, modified] = [json!({"set": [1, 2, 3]}), json!({"set": [1, 2]})];
    let patch = three_way_checked(original, modified.clone(), modified);
    assert_eq!(
        patch.expect("no conflict"),
        json!({"$deleteFromPrimitiveList/set": [3], "$setElementOrder/set": [1, 2]})
    );
}

#[test]
fn b5_input_that_crashes_kubernetes_is_an_error() {
    use PatchErrorKind::{BadArgType, BadRetainKeys};
    let live_object = || json!({"set": [1]});
    assert_apply_error(
        live_object(),
        json!({"set": [null]}),
        PatchErrorKind::MixedElements,
        "set",
    );
    assert_apply_error(
        json!({"set": [null]}),
        json!({"set": [null]}),
        BadArgType,
        "set[0]",
    );
    assert_apply_error(
        json!({"merged": [{"name": {}}]}),
        json!({"merged": [{"name": {}}]}),
        BadArgType,
        "merged[0]",
    );
    assert_apply_error(
        json!({"union": {}}),
        json!({"union": {"$retainKeys": [["a"]]}}),
        BadRetainKeys,
        "union.$retainKeys[0]",
    );
    assert_apply_error(
        live_object(),
        json!({"$setElementOrder/set": [{"name": 1}]}),
        BadArgType,
        "$setElementOrder/set[0]",
    );
    // One of two lists of the same length has a duplicate.
    let conflict = three_way_checked(
        json!({"numbers": [0]}),
        json!({"numbers": [1, 2]}),
        json!({"numbers": [1, 1]}),
    );
    assert_eq!(conflict.expect_err("they conflict").kind(), "Conflict");
}

#[test]
fn b6_deletions_of_scalars_follow_additions() {
    let live = json!({"set": [1, 2, 3]});
    let patch = json!({"$deleteFromPrimitiveList/set": [3, 9], "set": [3, 4]});
    assert_eq!(apply(live, patch), json!({"set": [1, 2, 4]}));
}

#[test]
fn b7_an_empty_list_may_have_an_order() {
    for field in ["merged", "set"] {
        let key = format!("$setElementOrder/{field}");
        let result = apply(json!({field: []}), json!({key.clone(): [], field: []}));
        assert_eq!(result, json!({field: []}));
        assert_eq!(
            apply(json!({field: []}), json!({key: []})),
            json!({field: []})
        );
    }
}

#[test]
fn b8_objects_are_not_deleted_as_scalars() {
    let live = json!({"merged": [{"name": "a"}]});
    let patch = json!({"$deleteFromPrimitiveList/merged": [{"name": "a"}]});
    let location = "$deleteFromPrimitiveList/merged";
    assert_apply_error(live, patch, PatchErrorKind::BadDeleteList, location);
}

#[test]
fn b9_elements_with_one_key_are_paired_by_their_other_fields() {
    let [original, modified] = ["2", "3"]
        .map(|value| json!({"merged": [{"name": "a", "a": "1"}, {"name": "a", "a": value}]}));
    let patch = diff(original.clone(), modified.clone());
    // A server would change the first element.
    assert_eq!(
        patch["merged"],
        json!([{"$patch": "replace"}, {"name": "a", "a": "1"}, {"name": "a", "a": "3"}])
    );
    assert_eq!(apply(original, patch), modified);
}

#[test]
fn b10_the_search_for_conflicts_does_not_change_the_patch() {
    let [original, modified, current] =
        [[0, 0], [3, 1], [1, 3]].map(|list| json!({"numbers": list}));
    let overwriting_patch = three_way(original.clone(), modified.clone(), current.clone());
    let checked_patch =
        three_way_checked(original, modified, current).expect("the same set is not a conflict");
    assert_eq!(checked_patch, overwriting_patch);
    assert_eq!(checked_patch, json!({"numbers": [3, 1]}));
}

/// `|` separates strategies, as in the proposal. This difference from Kubernetes is an addition,
/// not a fix.
#[test]
fn strategies_may_be_separated_by_a_bar() {
    let schema = k8s_strategic_merge_patch::PatchSchema::compile(&json!({"properties": {"list": {
        "items": {"properties": {"name": {}}},
        "x-kubernetes-patch-strategy": "merge|retainKeys",
        "x-kubernetes-patch-merge-key": "name",
    }}}));
    let schema = schema.expect("the schema is well formed");
    let patch = schema.diff(
        &json!({"list": [{"name": "x", "a": 1}]}),
        &json!({"list": [{"name": "x", "b": 1}]}),
    );
    assert_eq!(
        patch.expect("a patch can be made")["list"],
        json!([{"$retainKeys": ["b", "name"], "a": null, "b": 1, "name": "x"}])
    );
}
