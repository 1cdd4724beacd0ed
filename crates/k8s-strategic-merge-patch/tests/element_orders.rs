//! Tests of the order of a list. A three-way patch contains the order once, even if both its
//! additions and its deletions need the order.

use k8s_strategic_merge_patch::OnConflict;
use serde_json::json;

use crate::item_schema::three_way;

#[test]
fn lists_in_elements_have_their_own_orders() {
    let original = json!({"merged": [{"name": "a", "set": [1, 2]}, {"name": "gone"}]});
    let modified = json!({"merged": [{"name": "a", "set": [1]}, {"name": "new"}]});
    assert_eq!(
        three_way(original.clone(), modified, original),
        json!({
            "$setElementOrder/merged": [{"name": "a"}, {"name": "new"}],
            "merged": [
                {"name": "a", "$setElementOrder/set": [1], "$deleteFromPrimitiveList/set": [2]},
                {"name": "new"},
                {"name": "gone", "$patch": "delete"},
            ],
        })
    );
}

#[test]
fn additions_and_deletions_add_the_order_once() {
    let [one_element, two_elements, three_elements] =
        [json!([1]), json!([1, 2]), json!([1, 2, 3])].map(|set| json!({"inner": {"set": set}}));
    for (original, modified, current, inner) in [
        // The patch only adds elements.
        (
            &two_elements,
            &two_elements,
            &one_element,
            json!({"$setElementOrder/set": [1, 2], "set": [2]}),
        ),
        // The patch only removes elements.
        (
            &three_elements,
            &two_elements,
            &two_elements,
            json!({"$setElementOrder/set": [1, 2], "$deleteFromPrimitiveList/set": [3]}),
        ),
        // The patch adds and removes elements.
        (
            &three_elements,
            &two_elements,
            &one_element,
            json!({"$setElementOrder/set": [1, 2], "set": [2], "$deleteFromPrimitiveList/set": [3]}),
        ),
    ] {
        let patch = three_way(original.clone(), modified.clone(), current.clone());
        assert_eq!(patch, json!({ "inner": inner }));
    }
}

/// A document may have fields that are named like orders.
#[test]
fn document_fields_named_like_orders_are_not_orders() {
    let order = json!([2, 1]);
    let error = crate::item_schema::compile_item_schema().three_way(
        &json!({"set": [1, 3]}),
        &json!({"set": [1, 2], "$setElementOrder/set": order}),
        &json!({"set": [1, 2]}),
        OnConflict::Overwrite,
    );
    assert_eq!(error.unwrap_err().kind(), "BadSetElementOrder");
    let [original, modified] = [
        json!({}),
        json!({"$setElementOrder/unknown": {"$patch": "x"}}),
    ]
    .map(|whole| json!({ "whole": whole }));
    assert_eq!(
        three_way(original, modified, json!({})),
        json!({"whole": {}}),
    );
}
