//! Tests of the order of a list, which a three-way patch contains once, even if both of its halves
//! need the order.

use k8s_strategic_merge_patch::OnConflict;
use serde_json::json;

use crate::world::three_way;

#[test]
fn lists_in_elements_have_orders_of_their_own() {
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
fn the_order_is_there_whichever_half_asks_for_it() {
    let [one, two, three] =
        [json!([1]), json!([1, 2]), json!([1, 2, 3])].map(|set| json!({"inner": {"set": set}}));
    for (original, modified, current, inner) in [
        // The patch only adds elements.
        (
            &two,
            &two,
            &one,
            json!({"$setElementOrder/set": [1, 2], "set": [2]}),
        ),
        // The patch only removes elements.
        (
            &three,
            &two,
            &two,
            json!({"$setElementOrder/set": [1, 2], "$deleteFromPrimitiveList/set": [3]}),
        ),
        // The patch adds and removes elements.
        (
            &three,
            &two,
            &one,
            json!({"$setElementOrder/set": [1, 2], "set": [2], "$deleteFromPrimitiveList/set": [3]}),
        ),
    ] {
        let patch = three_way(original.clone(), modified.clone(), current.clone());
        assert_eq!(patch, json!({ "inner": inner }));
    }
}

/// A document may have fields that are named like orders.
#[test]
fn what_reads_like_an_order_in_a_document_is_none() {
    let order = json!([2, 1]);
    let refused = crate::world::item().three_way(
        &json!({"set": [1, 3]}),
        &json!({"set": [1, 2], "$setElementOrder/set": order}),
        &json!({"set": [1, 2]}),
        OnConflict::Overwrite,
    );
    assert_eq!(refused.unwrap_err().kind(), "BadSetElementOrder");
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
