//! Tests of errors: their kinds, paths, and exact messages.

use k8s_strategic_merge_patch::{
    DiffError, OnConflict, PatchErrorKind, PatchSchema, ThreeWayOptions, check_preconditions,
    require_key_unchanged, require_metadata_key_unchanged,
};
use serde_json::{Value, json};

use crate::item_schema::{apply_error, compile_item_schema, three_way_checked};

/// Checks each kind of error that `apply` can return at least once.
#[test]
#[expect(clippy::too_many_lines, reason = "a table")]
fn errors_of_apply_have_kind_path_and_message() {
    let cases: [(Value, Value, &str, &str, &str); 27] = [
        (json!([]), json!({}), "BadJson", "", "invalid JSON document"),
        (
            json!({}),
            json!("x"),
            "BadJson",
            "",
            "invalid JSON document",
        ),
        (
            json!({"set": [[1]]}),
            json!({"set": [[2]]}),
            "NoListOfLists",
            "set",
            "lists of lists are not supported",
        ),
        (
            json!({"set": [1]}),
            json!({"$deleteFromPrimitiveList": [1]}),
            "BadDeleteList",
            "$deleteFromPrimitiveList",
            "invalid patch format of primitive list",
        ),
        (
            json!({"set": [1]}),
            json!({"$deleteFromPrimitiveListset": [1]}),
            "BadDeleteList",
            "$deleteFromPrimitiveListset",
            "invalid patch format of primitive list",
        ),
        (
            json!({}),
            json!({"$retainKeys": null}),
            "BadRetainKeys",
            "$retainKeys",
            "invalid patch format of retainKeys",
        ),
        (
            json!({}),
            json!({"$retainKeys": "a"}),
            "BadRetainKeys",
            "$retainKeys",
            "invalid patch format of retainKeys",
        ),
        (
            json!({}),
            json!({"$retainKeys": [], "a": "x"}),
            "BadRetainKeys",
            "a",
            "invalid patch format of retainKeys",
        ),
        (
            json!({}),
            json!({"$setElementOrder": []}),
            "BadSetElementOrder",
            "$setElementOrder",
            "invalid patch format of setElementOrder list",
        ),
        (
            json!({"set": [1]}),
            json!({"$setElementOrder/set": [1, 2], "set": [2, 1]}),
            "OrderMismatch",
            "set",
            "The order in patch list:\n[2 1]\n doesn't match $setElementOrder list:\n[1 2]\n",
        ),
        (
            json!({"merged": [{"name": "a"}]}),
            json!({"merged": [{"b": "x"}]}),
            "NoMergeKey",
            "merged[0]",
            "map: map[b:x] does not contain declared merge key: name",
        ),
        (
            json!({"merged": [{"b": 1.5e6}]}),
            json!({"merged": [{"name": "x"}]}),
            "NoMergeKey",
            "merged",
            "map: map[b:1.5e+06] does not contain declared merge key: name",
        ),
        (
            json!({"merged": [{"name": "a"}]}),
            json!({"merged": [{"$patch": "delete", "n": null}]}),
            "NoMergeKey",
            "merged[0]",
            "map: map[$patch:delete n:<nil>] does not contain declared merge key: name",
        ),
        (
            json!({"merged": [{"name": "a"}, 10]}),
            json!({"$setElementOrder/merged": []}),
            "BadArgType",
            "merged[1]",
            "expected a map[string]interface {}, but received a int64",
        ),
        (
            json!({"merged": [null]}),
            json!({"$setElementOrder/merged": [1]}),
            "BadArgType",
            "$setElementOrder/merged[0]",
            "expected a map[string]interface {}, but received a int64",
        ),
        (
            json!({"set": [1, "a"]}),
            json!({"$setElementOrder/set": []}),
            "MixedElements",
            "set",
            "list element types are not identical: [[1 a] []]",
        ),
        (
            json!({}),
            json!({"$setElementOrder/set": 1}),
            "BadArgType",
            "$setElementOrder/set",
            "expected a []interface {}, but received a int64",
        ),
        (
            json!({"set": null}),
            json!({"$setElementOrder/set": []}),
            "BadArgType",
            "set",
            "expected a []interface {}, but received a %!s(<nil>)",
        ),
        (
            json!({"odd": {}}),
            json!({"odd": {}}),
            "BadArgType",
            "odd",
            "expected a string, but received a []interface {}",
        ),
        (
            json!({"set": [1]}),
            json!({"set": ["a"]}),
            "MixedElements",
            "set",
            "list element types are not identical: [[1] [a]]",
        ),
        (
            json!({"set": [1]}),
            json!({"set": [1.0]}),
            "MixedElements",
            "set",
            "list element types are not identical: [[1] [1]]",
        ),
        (
            json!({"keyless": [{}]}),
            json!({"keyless": [{}]}),
            "NoMergeKeyDeclared",
            "keyless",
            "cannot merge lists without merge key for keyless",
        ),
        (
            json!({"inner": {}}),
            json!({"inner": {"$patch": "merge"}}),
            "UnknownPatchType",
            "inner.$patch",
            "unknown patch type: merge in map: map[$patch:merge]",
        ),
        (
            json!({"merged": []}),
            json!({"merged": [{"$patch": 1}]}),
            "UnknownPatchType",
            "merged[0].$patch",
            "unknown patch type: 1 in map: map[$patch:1]",
        ),
        (
            json!({"merged": []}),
            json!({"merged": [{"name": "a", "$patch": "merge"}]}),
            "MergeDirective",
            "merged[0].$patch",
            "merging lists cannot yet be specified in the patch",
        ),
        (
            json!({"bad": {}}),
            json!({"bad": {}}),
            "BadStrategy",
            "bad",
            "unexpected patch strategy: [merge replace]",
        ),
        (
            json!({"inner": {"free": {"x": {}}}}),
            json!({"inner": {"free": {"x": {}}}}),
            "FieldNotFound",
            "inner.free.x",
            "unable to find api field \"x\"",
        ),
    ];
    for (live, patch, kind, path, message) in cases {
        let error = apply_error(live, patch.clone());
        let actual = (
            error.kind().as_str(),
            error.path().as_str(),
            error.message(),
        );
        assert_eq!(actual, (kind, path, message), "{patch}");
        // The printed error ends with the remedy.
        assert!(
            error.to_string().ends_with(error.kind().remedy()),
            "{error}"
        );
    }
}

#[test]
fn errors_of_diff_have_kind_path_and_message() {
    let error = compile_item_schema()
        .diff(&json!({"$patch": 1}), &json!({"$patch": "x"}))
        .unwrap_err();
    assert_eq!(error.message(), "invalid value for special key: $patch");
    assert_eq!(
        (error.kind(), error.path().as_str()),
        (PatchErrorKind::BadPatchValue, "$patch")
    );
    let [original, modified] = [
        json!({"keyless": [{"a": "x"}]}),
        json!({"keyless": [{"a": "y"}]}),
    ];
    let error = compile_item_schema()
        .diff(&original, &modified)
        .unwrap_err();
    assert_eq!(
        error.message(),
        "map: map[a:x] does not contain declared merge key: "
    );
    // Equal values do not need a schema, but different values do.
    assert_eq!(
        compile_item_schema()
            .diff(
                &json!({"free": {"x": {"y": 1}}}),
                &json!({"free": {"x": {"y": 1}}})
            )
            .map(Value::from),
        Ok(json!({}))
    );
    let error = compile_item_schema()
        .diff(
            &json!({"free": {"x": {"y": 1}}}),
            &json!({"free": {"x": {"y": 2}}}),
        )
        .unwrap_err();
    assert_eq!(
        (error.kind(), error.path().as_str()),
        (PatchErrorKind::FieldNotFound, "free.x")
    );
}

#[test]
fn patches_with_different_directives_cannot_be_composed() {
    let compose = |patches: [Value; 2]| compile_item_schema().compose(&patches).unwrap_err();
    let error = compose([
        json!({"union": {"$retainKeys": ["a"], "a": "x"}}),
        json!({"union": {"$retainKeys": ["b"], "b": "x"}}),
    ]);
    // The second patch is merged into the first.
    assert_eq!(error.kind(), PatchErrorKind::RetainMismatch);
    assert_eq!(
        error.message(),
        "[a] and [b] are not deep equal: this may happen when calculating the 3-way diff patch"
    );
    assert_eq!(error.path(), "union.$retainKeys");
    let error = compose([
        json!({"$setElementOrder/set": [1, 2]}),
        json!({"$setElementOrder/set": [2, 1]}),
    ]);
    assert_eq!(error.kind(), PatchErrorKind::BadSetElementOrder);
}

#[test]
fn a_composed_patch_has_the_effect_of_its_patches() {
    let patches = [
        json!({"a": "x", "inner": {"a": "y", "b": "z"}, "merged": [{"name": "n", "a": "1"}]}),
        json!({"a": null, "inner": {"b": null}, "merged": [{"name": "n", "b": "2"}, {"name": "m"}]}),
        json!({"b": "w", "set": [3], "$deleteFromPrimitiveList/set": [1]}),
    ];
    let live = json!({"a": "0", "inner": {"b": "0"}, "set": [1, 2]});
    let composed_patch = compile_item_schema().compose(&patches).unwrap();
    let result_of_composed = compile_item_schema()
        .apply(live.clone(), &composed_patch)
        .unwrap();
    let result_of_patches = patches.iter().fold(live, |live, patch| {
        compile_item_schema().apply(live, patch).unwrap()
    });
    assert_eq!(result_of_composed, result_of_patches);
    assert_eq!(composed_patch["a"], Value::Null);
}

#[test]
fn conflicts_have_the_values_of_both_sides() {
    let original = json!({"a": "1", "merged": [{"name": "x", "a": "1"}], "numbers": [1]});
    let modified = json!({"a": "2", "merged": [{"name": "x", "a": "2"}], "numbers": [1, 2]});
    let current = json!({"a": "3", "b": "theirs", "merged": [{"name": "x", "a": "3"}]});
    let Err(DiffError::Conflict(conflicts)) = three_way_checked(original, modified, current) else {
        panic!("both changed the same");
    };
    let actual_conflicts: Vec<_> = conflicts
        .iter()
        .map(|conflict| {
            let path = conflict.path().as_str();
            (path, conflict.patch().clone(), conflict.live().clone())
        })
        .collect();
    assert_eq!(
        actual_conflicts,
        [
            ("a", json!("2"), json!("3")),
            ("merged[x].a", json!("2"), json!("3")),
            ("numbers", json!([1, 2]), json!(null)),
        ]
    );
    let borrowed_conflicts = (&conflicts).into_iter();
    assert!(borrowed_conflicts.eq(conflicts.iter()));
    assert_eq!(conflicts.live()["b"], json!("theirs"));
    assert_eq!(
        conflicts.message(),
        "patch:\n$setElementOrder/merged:\n- name: x\na: \"2\"\nmerged:\n- a: \"2\"\n  name: x\nnumbers:\n- 1\n- 2\n\n\
         conflicts with changes made from original to current:\n\
         a: \"3\"\nb: theirs\nmerged:\n- a: \"3\"\n  name: x\nnumbers: null\n\n"
    );
    assert_eq!(
        conflicts.to_string(),
        "a: the patch sets \"2\", others changed it to \"3\"\n\
         merged[x].a: the patch sets \"2\", others changed it to \"3\"\n\
         numbers: the patch sets [1,2], others changed it to null\n\
         keep the changes of others, or overwrite them"
    );
}

#[test]
fn messages_of_conflicts_quote_strings_as_kubernetes_does() {
    let changed = |value: &str| json!({"a": value, "merged": [{"name": "12:30", "a": "on"}]});
    let Err(DiffError::Conflict(conflicts)) =
        three_way_checked(changed("oFF"), changed("--- a"), changed("x\ny"))
    else {
        panic!("both changed the same field");
    };
    assert_eq!(
        conflicts.message(),
        "patch:\na: '--- a'\n\n\
         conflicts with changes made from original to current:\na: |-\n  x\n  y\n\n"
    );
}

#[test]
fn equal_changes_on_both_sides_do_not_conflict() {
    let [original, modified] = [
        json!({"a": "1", "merged": [{"name": "x", "a": "1"}]}),
        json!({"a": "2", "merged": []}),
    ];
    let patch =
        three_way_checked(original.clone(), modified.clone(), modified).expect("both say the same");
    assert_eq!(
        patch,
        json!({"merged": [{"name": "x", "$patch": "delete"}]})
    );
    // A deletion and a change of the same element are a conflict.
    let conflict = three_way_checked(
        original,
        json!({"a": "1", "merged": []}),
        json!({"a": "1", "merged": [{"name": "x", "a": "3"}]}),
    );
    assert_eq!(conflict.expect_err("they conflict").path(), "merged[x]");
}

#[test]
fn preconditions_are_checked_before_conflicts() {
    let [original, modified, current] = [
        json!({"name": "a"}),
        json!({"name": "b"}),
        json!({"name": "c"}),
    ];
    let result = compile_item_schema().three_way(
        &original,
        &modified,
        &current,
        ThreeWayOptions::new(OnConflict::Fail).preconditions(&[&require_key_unchanged("name")]),
    );
    let error = result.expect_err("the name changes");
    assert_eq!(error.kind(), "PreconditionFailed");
    assert_eq!(error.message(), "precondition failed for: map[name:b]");
    let conflict = compile_item_schema().three_way(
        &original,
        &modified,
        &current,
        ThreeWayOptions::new(OnConflict::Fail).preconditions(&[&require_key_unchanged("a")]),
    );
    assert_eq!(conflict.expect_err("both changed it").kind(), "Conflict");
    let patch = compile_item_schema()
        .diff(&original, &modified)
        .expect("a patch");
    assert!(check_preconditions(&patch, &[&require_key_unchanged("name")]).is_err());
    let name_is_unchanged = require_metadata_key_unchanged("name");
    assert!(!name_is_unchanged(&json!({"metadata": {"name": null}})));
    assert!(name_is_unchanged(
        &json!({"metadata": {"labels": {}}, "name": "x"})
    ));
}

/// The lookup of an element in an order stops at the element.
#[test]
fn an_order_of_objects_must_contain_only_objects() {
    let message_of_non_object = "expected a map[string]interface {}, but received a string";
    for (patch, message) in [
        (
            json!({"$setElementOrder/merged": ["e"]}),
            "value for key 0 is not a map",
        ),
        (
            json!({"$setElementOrder/merged": [{"name": "e"}, "e"]}),
            "value for key 1 is not a map",
        ),
        (
            json!({"$setElementOrder/merged": ["e"], "merged": []}),
            "value for key 0 is not a map",
        ),
        // The element precedes the invalid value in the order, so another check rejects the value.
        (
            json!({"$setElementOrder/merged": [{"name": "d"}, "e"]}),
            message_of_non_object,
        ),
        // The only element is deleted, so no element is searched in the order.
        (
            json!({"$setElementOrder/merged": ["e"], "merged": [{"name": "d", "$patch": "delete"}]}),
            message_of_non_object,
        ),
    ] {
        let target = json!({"merged": [{"name": "d"}]});
        let error = compile_item_schema().apply(target, &patch).unwrap_err();
        assert_eq!(error.message(), message, "{patch}");
    }
    // Elements that are compared without a merge key may have different types.
    let patch = json!({"$setElementOrder/set": [{}], "set": [1]});
    let error = compile_item_schema().apply(json!({}), &patch).unwrap_err();
    assert_eq!(error.kind(), PatchErrorKind::OrderMismatch);
    let target = json!({"keyless": []});
    let patch = json!({"$setElementOrder/keyless": [{}], "keyless": [{"$patch": "delete"}]});
    let error = compile_item_schema().apply(target, &patch).unwrap_err();
    assert_eq!(error.kind(), PatchErrorKind::NoMergeKeyDeclared);
}

/// The search for conflicts has its own message for an element without its merge key.
#[test]
fn the_search_for_conflicts_names_the_element_without_a_key() {
    for (list, key) in [("merged", "name"), ("keyless", "")] {
        let error = three_way_checked(json!({}), json!({list: [{"a": "1"}]}), json!({list: []}));
        let message = format!("cannot find merge key `{key}` in merging list element:map[a:1]");
        assert_eq!(error.unwrap_err().message(), message);
        // A conflict of another field is reported instead of the error.
        let modified = json!({"a": "1", list: [{"a": "1"}]});
        let conflict = three_way_checked(json!({}), modified, json!({"a": "2", list: []}));
        assert_eq!(conflict.unwrap_err().path(), "a");
    }
}

#[test]
fn the_cause_of_a_difference_error_has_its_message() {
    let schema = compile_item_schema();
    let documents = [json!({"a": "x"}), json!({"a": "y"}), json!([])];
    for current in [&documents[1], &documents[2]] {
        let original = json!({"a": "z"});
        let error = schema.three_way(&original, &documents[0], current, OnConflict::Fail);
        let error = error.expect_err("a conflict, or a list in place of an object");
        let cause = std::error::Error::source(&error).map(ToString::to_string);
        assert_eq!(cause, Some(error.to_string()));
    }
}

#[test]
fn sorted_documents_keep_a_directive_and_reject_invalid_lists() {
    let schema = compile_item_schema();
    let document = json!({"$patch": {"unknown": 1}});
    assert_eq!(schema.sort_merge_lists(document.clone()).unwrap(), document);
    for name in ["$setElementOrder/set", "$deleteFromPrimitiveList/set"] {
        let document = json!({name: "x"});
        assert!(schema.sort_merge_lists(document).is_err(), "{name}");
    }
}

/// A patch may have one level more than a document, and a sorted document may be a patch.
#[test]
fn documents_up_to_the_maximum_depth_are_accepted() {
    let schema = json!({"properties": {"atomic": {"type": "array", "items": {}}}});
    let schema = PatchSchema::compile(&schema).expect("a valid schema");
    let list = |depth: usize| (0..depth).fold(json!(1), |inner, _| json!([inner]));
    for (depth, is_applied, is_sorted) in [
        (1, true, true),
        (127, true, true),
        (128, false, true),
        (129, false, false),
    ] {
        let document = json!({"atomic": list(depth)});
        let applied = schema.apply(document.clone(), &json!({}));
        assert_eq!(applied.is_ok(), is_applied, "{depth}");
        assert_eq!(
            schema.sort_merge_lists(document).is_ok(),
            is_sorted,
            "{depth}"
        );
    }
}
