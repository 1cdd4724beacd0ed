//! Tests of values that are easily confused: elements of lists without keys, odd names, two
//! spellings of one member, and values at a reused address.

use serde_json::{Value, json};
use union_runtime::Ratchet;
use union_runtime::comparator::{Comparison, Equality};
use union_runtime::path::FieldPath;

use crate::world::NAMES;

/// Returns true if an error at `path` of the new object is tolerated.
fn is_tolerated(schema: &Value, [old, new]: [&Value; 2], path: &FieldPath) -> bool {
    let split = Comparison::new(schema, new, old).split([path], &[], Ratchet::Unchanged, |path| {
        ((*path).clone(), ())
    });
    split.new.is_empty()
}

/// Returns true if an error at `path` is tolerated because the old object has the same error at
/// `old_path`.
fn is_tolerated_at_old_path(
    schema: &Value,
    [old, new]: [&Value; 2],
    path: &FieldPath,
    old_path: &FieldPath,
) -> bool {
    let comparison = Comparison::new(schema, new, old);
    let path_and_reason = |path: &&FieldPath| ((*path).clone(), "rule");
    let split = comparison.split([path], &[old_path], Ratchet::SameReason, path_and_reason);
    split.new.is_empty()
}

#[test]
fn a_list_without_keys_decides_for_all_its_values() {
    let number = json!({"type": "integer"});
    let object = json!({"type": "object", "properties": {"p": number}});
    let list = |items: &Value, list_type: Option<&str>| {
        let mut schema = json!({"type": "array", "items": items});
        if let Some(list_type) = list_type {
            schema["x-kubernetes-list-type"] = json!(list_type);
        }
        schema
    };
    let root = FieldPath::root().field("l");
    let cases = [
        (
            list(&object, None),
            json!([{"p": -1}]),
            root.clone().index(0).field("p"),
        ),
        (
            list(&object, Some("atomic")),
            json!([{"p": -1}]),
            root.clone().index(0).field("p"),
        ),
        (
            list(&object, None),
            json!([{"q": 1}, {}]),
            root.clone().index(1).field("p"),
        ),
        (
            list(&number, Some("set")),
            json!([1, -1]),
            root.clone().index(1),
        ),
        (
            list(&list(&number, None), None),
            json!([[], [-1]]),
            root.clone().index(1).index(0),
        ),
        (
            list(
                &json!({"type": "object", "additionalProperties": list(&object, None)}),
                None,
            ),
            json!([{"a.b": [{"p": -1}]}]),
            root.clone().index(0).key("a.b").index(0).field("p"),
        ),
        // Keys of an inner list do not make the elements of the outer list correlated.
        (
            list(
                &json!({"type": "array", "items": object, "x-kubernetes-list-type": "map", "x-kubernetes-list-map-keys": ["p"]}),
                None,
            ),
            json!([[{"p": -1}]]),
            root.clone().index(0).index(0).field("p"),
        ),
    ];
    for (schema, value, path) in cases {
        let schema = json!({"properties": {"n": number, "l": schema}});
        let old = json!({"n": 1, "l": value});
        let unchanged = json!({"n": 2, "l": value});
        let mut changed = unchanged.clone();
        if let Some(elements) = changed["l"].as_array_mut() {
            elements.push(json!({}));
        }
        assert!(
            is_tolerated(&schema, [&old, &unchanged], &path),
            "{schema} {path}"
        );
        assert!(
            !is_tolerated(&schema, [&old, &changed], &path),
            "{schema} {path}"
        );
        // The path of the old error does not matter, because the list has no correlated elements.
        let other_path = FieldPath::root();
        assert!(
            is_tolerated_at_old_path(&schema, [&old, &unchanged], &path, &other_path),
            "{schema} {path}"
        );
        assert!(
            !is_tolerated_at_old_path(&schema, [&old, &changed], &path, &path),
            "{schema} {path}"
        );
    }
}

/// Checks two members of one object: the first is unchanged, and the second has changed.
#[test]
fn no_name_is_taken_for_another() {
    let number = json!({"type": "integer"});
    let mut check_count = 0;
    for unchanged in NAMES {
        for changed in NAMES.into_iter().filter(|name| *name != unchanged) {
            let old = json!({unchanged: 1, changed: 1});
            let new = json!({unchanged: 1, changed: 2});
            let schema_of_fields = json!({"properties": {unchanged: number, changed: number}});
            let schema_of_map = json!({"additionalProperties": number});
            for schema in [schema_of_fields, schema_of_map] {
                for name in [unchanged, changed] {
                    for path in [FieldPath::root().field(name), FieldPath::root().key(name)] {
                        let context = format!("{schema} {path:?}, {changed:?} has changed");
                        let is_unchanged = name == unchanged;
                        assert_eq!(
                            is_tolerated(&schema, [&old, &new], &path),
                            is_unchanged,
                            "{context}"
                        );
                        // The same must be true below a list with these names as keys.
                        let list_schema = json!({
                            "type": "array", "x-kubernetes-list-type": "map", "x-kubernetes-list-map-keys": [unchanged],
                            "items": {"type": "object", "properties": {unchanged: number, changed: number}},
                        });
                        let element_path = path.under(&FieldPath::root().index(0));
                        let lists = [json!([old]), json!([new])];
                        assert_eq!(
                            is_tolerated(&list_schema, [&lists[0], &lists[1]], &element_path),
                            is_unchanged,
                            "{context}"
                        );
                        for old_name in [unchanged, changed] {
                            let old_path = FieldPath::root().key(old_name);
                            let is_tolerated =
                                is_tolerated_at_old_path(&schema, [&old, &new], &path, &old_path);
                            assert_eq!(is_tolerated, old_name == name, "{context}: {old_path:?}");
                        }
                        check_count += 1;
                    }
                }
            }
        }
    }
    assert_eq!(check_count, NAMES.len() * (NAMES.len() - 1) * 8);
}

/// Checks that the member `a.b` is not mistaken for the member `b` of `a`.
#[test]
fn a_name_with_a_dot_is_no_way_through_two_objects() {
    let number = json!({"type": "integer"});
    let schema = json!({"properties": {
        "a.b": number,
        "a": {"properties": {"b": number}, "type": "object"},
        "a[0]": number,
        "l": {"type": "array", "items": number},
        "l[0]": number,
    }});
    let old = json!({"a.b": 1, "a": {"b": 1}, "l": [1], "l[0]": 1});
    let root = FieldPath::root;
    for (new, changed, unchanged) in [
        (
            json!({"a.b": 2, "a": {"b": 1}, "l": [1], "l[0]": 1}),
            root().field("a.b"),
            root().field("a").field("b"),
        ),
        (
            json!({"a.b": 1, "a": {"b": 2}, "l": [1], "l[0]": 1}),
            root().field("a").field("b"),
            root().field("a.b"),
        ),
        (
            json!({"a.b": 1, "a": {"b": 1}, "l": [2], "l[0]": 1}),
            root().field("l").index(0),
            root().field("l[0]"),
        ),
        (
            json!({"a.b": 1, "a": {"b": 1}, "l": [1], "l[0]": 2}),
            root().field("l[0]"),
            root().field("l").index(0),
        ),
    ] {
        assert!(
            !is_tolerated(&schema, [&old, &new], &changed),
            "{new}: {changed:?}"
        );
        assert!(
            is_tolerated(&schema, [&old, &new], &unchanged),
            "{new}: {unchanged:?}"
        );
        assert_eq!(
            FieldPath::resolve(changed.as_str(), &new),
            None,
            "two places are printed so"
        );
    }
}

#[test]
fn cached_results_belong_to_their_values() {
    let schema = json!({"type": "object", "properties": {"a": {"type": "array", "items": {"type": "integer"}}}});
    let equality = Equality::new();
    let values: Vec<Value> = (0..50).map(|n| json!({"a": [n % 5, n % 3]})).collect();
    // Each pair is compared twice, in both orders.
    for _ in 0..2 {
        for new in &values {
            for old in &values {
                assert_eq!(
                    equality.is_equal(&schema, new, old),
                    new == old,
                    "{new} {old}"
                );
            }
        }
    }
    // The values are at the same address one after another, but each has its own `Equality`.
    for n in 0..1000 {
        let new = Box::new(json!({"a": [n]}));
        let old = json!({"a": [n % 2]});
        assert_eq!(Equality::new().is_equal(&schema, &new, &old), *new == old);
    }
}

/// Checks that a comparison is `Send`, because the handler of a webhook may keep it across an
/// `await`.
#[test]
fn a_comparison_may_be_sent_to_another_thread() {
    let schema = json!({"additionalProperties": {"type": "integer"}});
    let [old, new] = [json!({"a": 1, "b": 1}), json!({"a": 1, "b": 2})];
    let comparison = Comparison::new(&schema, &new, &old);
    assert!(!comparison.root().is_unchanged());
    let are_unchanged = std::thread::scope(|scope| {
        let thread = scope.spawn(move || {
            let is_unchanged = |name| {
                comparison
                    .root()
                    .key(name)
                    .is_some_and(|value| value.is_unchanged())
            };
            [is_unchanged("a"), is_unchanged("b")]
        });
        thread.join().expect("the thread does not panic")
    });
    assert_eq!(are_unchanged, [true, false]);
}
