//! Tests of the accidental behavior of Kubernetes that clients and servers rely on, by the numbers
//! in the docs of the crate.

use serde_json::json;

use crate::item_schema::{apply, diff, names_or_elements, three_way};

/// The patch of `[1, 2, 4]` deletes 1 and adds 3, in the order 2, 3. The new element counts as the
/// last element of the live list, so it follows 4.
#[test]
fn a1_new_elements_replace_deleted_elements_at_the_end() {
    let live = json!({"merged": [{"name": 1}, {"name": 2}, {"name": 4}]});
    let patch = json!({
        "$setElementOrder/merged": [{"name": 2}, {"name": 3}],
        "merged": [{"name": 3}, {"name": 1, "$patch": "delete"}],
    });
    assert_eq!(names_or_elements(&apply(live, patch)["merged"]), [2, 4, 3]);
    // Without a deletion, the new element comes first.
    let live = json!({"merged": [{"name": 2}, {"name": 4}]});
    let patch = json!({"$setElementOrder/merged": [{"name": 3}], "merged": [{"name": 3}]});
    assert_eq!(names_or_elements(&apply(live, patch)["merged"]), [3, 2, 4]);
}

#[test]
fn a2_new_elements_precede_elements_of_others() {
    let live = json!({"merged": [{"name": "a"}, {"name": "b"}, {"name": "c"}]});
    let patch = json!({"merged": [{"name": "x"}, {"name": "b"}, {"name": "y"}]});
    assert_eq!(
        names_or_elements(&apply(live, patch)["merged"]),
        ["x", "a", "b", "y", "c"]
    );
    assert_eq!(
        apply(json!({"set": [1, 2]}), json!({"set": [8, 9]}))["set"],
        json!([8, 9, 1, 2])
    );
}

#[test]
fn a3_objects_with_a_directive_are_dropped_without_a_target() {
    for directive in ["replace", "delete", "nonsense"] {
        let patch = json!({"inner": {"$patch": directive, "a": "x"}, "b": "y"});
        assert_eq!(apply(json!({}), patch), json!({"b": "y"}));
        let patch = json!({"inner": {"$patch": directive, "a": "x"}});
        assert_eq!(apply(json!({"inner": "text"}), patch), json!({}));
        let patch = json!({"atomic": [{"$patch": directive}, {"name": "x"}]});
        assert_eq!(apply(json!({}), patch), json!({"atomic": [{"name": "x"}]}));
    }
}

#[test]
fn a4_replaced_objects_are_in_every_difference() {
    let object = json!({"whole": {"x": 1}, "a": "y"});
    assert_eq!(diff(object.clone(), object), json!({"whole": {"x": 1}}));
}

#[test]
fn a5_differences_pair_elements_by_the_strings_of_their_keys() {
    let original = json!({"merged": [{"name": 1, "a": "x"}]});
    let modified = json!({"merged": [{"name": "1", "a": "y"}]});
    let patch = json!({
        "$setElementOrder/merged": [{"name": "1"}],
        "merged": [{"name": "1", "a": "y"}],
    });
    assert_eq!(diff(original.clone(), modified), patch);
    // `apply` does not pair the elements.
    assert_eq!(
        apply(original, patch)["merged"].as_array().unwrap().len(),
        2
    );
}

#[test]
fn a6_elements_of_others_add_the_order() {
    let own_document = json!({"merged": [{"name": "a"}]});
    let live = json!({"merged": [{"name": "a"}, {"name": "b"}]});
    assert_eq!(
        three_way(own_document.clone(), own_document, live),
        json!({"$setElementOrder/merged": [{"name": "a"}]})
    );
}

#[test]
fn a7_an_empty_list_does_not_change_a_merged_list() {
    let live = json!({"merged": [{"name": "a"}], "set": [1], "numbers": [1]});
    let patch = json!({"merged": [], "set": [], "numbers": []});
    assert_eq!(
        apply(live, patch),
        json!({"merged": [{"name": "a"}], "set": [1], "numbers": []})
    );
}

#[test]
fn a8_a_list_that_was_empty_gets_no_order() {
    assert_eq!(
        diff(json!({"set": []}), json!({"set": [2, 1]})),
        json!({"set": [2, 1]})
    );
}
