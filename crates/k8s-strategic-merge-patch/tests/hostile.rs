//! Tests of malicious patches: they do not cause a panic, a directive in the result, or unbounded
//! work.

use std::time::{Duration, Instant};

use k8s_strategic_merge_patch::{OnConflict, PatchErrorKind, PatchSchema, UnknownFieldPolicy};
use proptest::prelude::*;
use serde_json::{Map, Value, json};

use crate::deep::{self, Deep};
use crate::item_schema::{compile_item_schema, item_schema};

const DIRECTIVES: [&str; 4] = [
    "$patch",
    "$retainKeys",
    "$setElementOrder",
    "$deleteFromPrimitiveList",
];

/// Returns true if a value contains a directive. Fields that a patch replaces as a whole are
/// skipped, because their content is data.
fn contains_directive(value: &Value) -> bool {
    let is_directive = |key: &str| {
        let [patch, retain_keys, order, delete] = DIRECTIVES;
        key == patch || key == retain_keys || key.starts_with(order) || key.starts_with(delete)
    };
    let is_merged = |key: &str| ["merged", "retained", "set", "keyless"].contains(&key);
    match value {
        Value::Object(object) => object.iter().any(|(key, value)| {
            let is_data = key == "whole" || value.is_array() && !is_merged(key);
            is_directive(key) || !is_data && contains_directive(value)
        }),
        Value::Array(values) => values.iter().any(contains_directive),
        _ => false,
    }
}

fn scalar() -> impl Strategy<Value = Value> {
    prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        (-2_i64..4).prop_map(Value::from),
        prop_oneof![Just(1.0), Just(-0.0), Just(1e300)].prop_map(Value::from),
        prop_oneof!["a", "b", "name", "delete", "replace", "merge"].prop_map(Value::from),
        Just(json!(u64::MAX)),
    ]
}

fn key(with_directives: bool) -> impl Strategy<Value = String> {
    let field_name = prop::sample::select(vec![
        "name", "a", "merged", "retained", "atomic", "set", "numbers", "union", "whole", "inner",
        "free", "keyless", "bad", "odd", "unknown",
    ]);
    let directive_name = prop::sample::select(vec![
        "$patch",
        "$retainKeys",
        "$setElementOrder/merged",
        "$setElementOrder/set",
        "$setElementOrder/atomic",
        "$setElementOrder/retained",
        "$setElementOrder",
        "$setElementOrder/",
        "$setElementOrder/unknown",
        "$deleteFromPrimitiveList/set",
        "$deleteFromPrimitiveList/merged",
        "$deleteFromPrimitiveList/inner",
        "$deleteFromPrimitiveList",
        "$deleteFromPrimitiveList/",
        "$setElementOrder/$patch",
        "$setElementOrder/$setElementOrder/set",
        "$deleteFromPrimitiveList/$retainKeys",
    ]);
    let weight = if with_directives { 2 } else { 0 };
    prop_oneof![3 => field_name, weight => directive_name].prop_map(str::to_owned)
}

/// Generates a document without directives.
fn document() -> impl Strategy<Value = Value> {
    document_or_patch(false)
}

/// Generates a document with directives.
fn patch() -> impl Strategy<Value = Value> {
    document_or_patch(true)
}

fn document_or_patch(with_directives: bool) -> impl Strategy<Value = Value> {
    let value = scalar().prop_recursive(5, 48, 5, move |inner| {
        prop_oneof![
            1 => prop::collection::vec(inner.clone(), 0..5).prop_map(Value::from),
            1 => prop::collection::vec(
                ("[ab]", inner.clone()).prop_map(|(name, value)| json!({"name": name, "a": value})), 0..4,
            ).prop_map(Value::from),
            3 => prop::collection::vec((key(with_directives), inner), 0..6)
                .prop_map(|fields| Value::Object(fields.into_iter().collect())),
        ]
    });
    prop::collection::vec((key(with_directives), value), 0..6)
        .prop_map(|fields| Value::Object(fields.into_iter().collect::<Map<_, _>>()))
}

fn schemas() -> [PatchSchema; 2] {
    let schemaless_compiler = PatchSchema::compiler().with_policy(UnknownFieldPolicy::Schemaless);
    [
        compile_item_schema(),
        schemaless_compiler
            .schema(&item_schema())
            .expect("the schema is well formed"),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(1_500) })]

    #[test]
    fn results_do_not_contain_directives(live in document(), patch in patch()) {
        for schema in schemas() {
            if let Ok(result) = schema.apply(live.clone(), &patch) {
                prop_assert!(!contains_directive(&result), "{live} patched by {patch} is {result}");
            }
        }
    }

    #[test]
    fn patches_as_documents_do_not_panic(first in patch(), second in patch(), third in patch()) {
        for schema in schemas() {
            let _ = schema.apply(first.clone(), &second);
            let _ = schema.diff(&first, &second);
            let _ = schema.three_way(&first, &second, &third, OnConflict::Fail);
            let _ = schema.compose([&first, &second, &third]);
            let _ = schema.sort_merge_lists(first.clone());
        }
    }
}

/// Every directive is applied or rejected, with values of every type at every position.
#[test]
fn directives_of_every_type_are_applied_or_rejected() {
    let values = [
        json!(null),
        json!(true),
        json!(1),
        json!(1.5),
        json!("delete"),
        json!("x"),
        json!([]),
        json!([null]),
        json!([1]),
        json!(["a"]),
        json!([[1]]),
        json!([{}]),
        json!([{"name": "a"}]),
        json!([{"name": null}]),
        json!([{"name": {}}]),
        json!({}),
        json!({"$patch": "delete"}),
        json!([{"$patch": "replace"}]),
    ];
    let live = json!({
        "name": "a", "set": [1], "merged": [{"name": "a"}], "retained": [{"name": "a"}],
        "atomic": [{"name": "a"}], "union": {"a": "x"}, "inner": {"set": [1]},
    });
    let mut applied_count = 0;
    for directive in DIRECTIVES {
        for field in [
            "",
            "/",
            "/set",
            "/merged",
            "/retained",
            "/atomic",
            "/union",
            "/inner",
            "/unknown",
            "/name",
        ] {
            let key = format!("{directive}{field}");
            for value in &values {
                for sibling in &values {
                    let name = field.trim_start_matches('/');
                    let patch = json!({name: sibling, key.clone(): value});
                    for patch in [
                        patch.clone(),
                        json!({"inner": patch}),
                        json!({"merged": [patch]}),
                    ] {
                        if let Ok(result) = compile_item_schema().apply(live.clone(), &patch) {
                            applied_count += 1;
                            assert!(!contains_directive(&result), "{patch} gives {result}");
                        }
                    }
                }
            }
        }
    }
    assert!(applied_count > 1_000, "{applied_count}");
}

#[test]
fn deep_documents_are_rejected_without_a_stack_overflow() {
    let nest = |depth| Deep::new(depth, json!(1), |inner| deep::object([("inner", inner)]));
    let lists = |depth| {
        Deep::new(depth, json!(1), |inner| deep::list([inner]))
            .within(|list| deep::object([("atomic", list)]))
    };
    let schema = compile_item_schema();
    for depth in [130, 10_000, 100_000] {
        for document in [nest(depth), lists(depth)] {
            let errors = [
                schema.apply(json!({}), &document).unwrap_err(),
                schema.diff(&document, &json!({})).unwrap_err(),
                schema.diff(&json!({}), &document).unwrap_err(),
                schema.compose([&*document]).unwrap_err(),
            ];
            for error in errors {
                assert_eq!(error.kind(), PatchErrorKind::TooDeep);
                assert!(["inner", "atomic"].contains(&error.path().as_str()));
            }
            // A document that is passed by value is dropped without recursion.
            let mut document = document;
            let error = schema.apply(document.take(), &json!({})).unwrap_err();
            assert_eq!(error.kind(), PatchErrorKind::TooDeep);
        }
        let mut list = Deep::new(depth, json!(1), |inner| deep::list([inner]));
        assert_eq!(
            schema.apply(list.take(), &json!({})).unwrap_err().kind(),
            PatchErrorKind::BadJson
        );
    }
}

/// Documents that are too deep and have another error each.
fn documents_with_other_errors(depth: usize) -> [Deep; 7] {
    let within = |field: &'static str, sibling: Value| {
        let deep_list = Deep::new(depth, json!(1), |inner| deep::list([inner]));
        deep_list
            .within(|deep_list| deep::list([sibling, deep_list]))
            .within(|list| deep::object([(field, list)]))
    };
    let document_without_merge_key = Deep::new(depth, json!(1), |inner| deep::list([inner]))
        .within(|deep_list| deep::object([("a", deep_list)]))
        .within(|item| deep::list([item]))
        .within(|list| deep::object([("merged", list)]));
    [
        // The message of this error would print the elements, which have several types.
        within("merged", json!({"name": "a"})),
        within("set", json!(1)),
        within("keyless", json!({"name": "a"})),
        within("unknown", json!(1)),
        within("whole", json!(1)),
        within("free", json!(1)),
        // The message of this error would print the element, which does not have its merge key.
        document_without_merge_key,
    ]
}

/// The comparison checks the depth of documents, and finds other errors on the way. An error of
/// depth is reported before other errors.
#[test]
fn deep_documents_with_other_errors_are_rejected_for_their_depth() {
    let schema = compile_item_schema();
    for depth in [130, 20_000] {
        let deep_list = Deep::new(depth, json!(1), |inner| deep::list([inner]));
        for document in documents_with_other_errors(depth) {
            for other_documents in [
                [json!({}), json!({"merged": [{"name": "a"}], "set": [1]})],
                [json!({"merged": 1, "set": {}, "whole": {}}), json!(1)],
            ] {
                let [other_document, live] = &other_documents;
                let errors = [
                    schema.three_way(&document, other_document, live, OnConflict::Overwrite),
                    schema.three_way(other_document, &document, live, OnConflict::Overwrite),
                    schema.three_way(
                        other_document,
                        other_document,
                        &document,
                        OnConflict::Overwrite,
                    ),
                    schema.three_way(&document, &document, &document, OnConflict::Overwrite),
                ];
                for error in errors {
                    let kind = error.unwrap_err().kind();
                    // Errors of the live object are reported first, and then errors of the modified
                    // object.
                    let expected = if live.is_object() {
                        ["TooDeep"; 2]
                    } else {
                        ["TooDeep", "BadJson"]
                    };
                    assert!(expected.contains(&kind), "{kind}");
                }
                for (original, modified) in [
                    (&*document, other_document),
                    (other_document, &*document),
                    (&*document, &*document),
                ] {
                    assert_eq!(
                        schema.diff(original, modified).unwrap_err().kind(),
                        PatchErrorKind::TooDeep
                    );
                }
            }
            assert_eq!(
                schema.diff(&deep_list, &document).unwrap_err().kind(),
                PatchErrorKind::BadJson
            );
        }
    }
}

#[test]
fn documents_of_maximum_depth_need_less_than_one_mebibyte_of_stack() {
    let small_stack = std::thread::Builder::new().stack_size(1 << 20);
    let thread = small_stack.spawn(patch_documents_of_maximum_depth).unwrap();
    thread.join().unwrap();
}

fn patch_documents_of_maximum_depth() {
    let limits = union_json::Limits::default().max_depth(usize::MAX);
    let schema = PatchSchema::compiler()
        .with_limits(limits)
        .schema(&item_schema())
        .unwrap();
    let nest = |a: &str| {
        Deep::new(126, json!({"name": "x", "a": a}), |inner| {
            deep::object([("name", "x".into()), ("union", inner)])
        })
    };
    let [original, modified] = [nest("1"), nest("2")];
    let patch = schema.diff(&original, &modified).unwrap();
    assert_eq!(schema.apply(original.clone(), &patch).unwrap(), *modified);
    let lists = |a: &str| {
        Deep::new(63, json!({"name": "x", "a": a}), |inner| {
            deep::object([("name", "x".into()), ("retained", deep::list([inner]))])
        })
    };
    let [original, modified, current] = [lists("1"), lists("2"), lists("3")];
    assert_eq!(
        schema
            .three_way(&original, &modified, &current, OnConflict::Fail)
            .unwrap_err()
            .kind(),
        "Conflict"
    );
    let patch = schema
        .three_way(&original, &modified, &current, OnConflict::Overwrite)
        .unwrap();
    assert_eq!(schema.apply(current.clone(), &patch).unwrap(), *modified);
}

/// A patch may be one level deeper than a document, because of `$retainKeys`.
#[test]
fn documents_and_patches_have_different_maximum_depths() {
    let limits = union_json::Limits::default().max_depth(3);
    let compiler = PatchSchema::compiler()
        .with_limits(limits)
        .with_policy(UnknownFieldPolicy::Schemaless);
    let schema = compiler.schema(&json!({})).unwrap();
    let nest = |depth: usize| (0..depth).fold(json!(1), |inner, _| json!({ "o": inner }));
    for (depth, is_document, is_patch) in [
        (2, true, true),
        (3, true, true),
        (4, false, true),
        (5, false, false),
    ] {
        let object = nest(depth);
        let applied = schema.apply(json!({}), &object);
        assert_eq!(applied.is_ok(), is_patch, "{depth}");
        let composed = schema.compose([&object]);
        assert_eq!(composed.is_ok(), is_patch, "{depth}");
        let difference = schema.diff(&json!({}), &object);
        assert_eq!(difference.is_ok(), is_document, "{depth}");
    }
}

/// Lists and objects with 20,000 elements, at all places where Kubernetes searches a list once for
/// each element: quadratic work would take minutes here.
#[test]
fn wide_patches_take_bounded_work() {
    const MANY: i64 = 20_000;
    let started = Instant::now();
    let schema = compile_item_schema();
    let numbers = |range: std::ops::Range<i64>| Value::from_iter(range);
    let items =
        |range: std::ops::Range<i64>| Value::from_iter(range.map(|name| json!({"name": name})));
    let deletions =
        Value::from_iter((0..MANY).map(|name| json!({"name": name, "$patch": "delete"})));
    let reversed_items = Value::from_iter((0..MANY).rev().map(|name| json!({"name": name})));
    let names = Value::from_iter((0..MANY).map(|name| format!("f{name}")));
    let fields = Value::from_iter((0..MANY).map(|name| (format!("f{name}"), json!(1))));
    let mut patch_with_retain_keys = fields.clone();
    patch_with_retain_keys["$retainKeys"] = names;
    let empty_orders =
        Value::from_iter((0..MANY).map(|name| (format!("$setElementOrder/f{name}"), json!([]))));
    let schemaless_schema = PatchSchema::compiler()
        .with_policy(UnknownFieldPolicy::Schemaless)
        .schema(&json!({}))
        .unwrap();
    let mut patch_with_orders = empty_orders;
    for (name, value) in fields.as_object().unwrap() {
        patch_with_orders[name] = json!([value]);
    }
    schemaless_schema
        .apply(json!({}), &patch_with_orders)
        .unwrap();
    schema
        .apply(
            json!({"inner": fields}),
            &json!({"inner": patch_with_retain_keys}),
        )
        .unwrap();
    for patch in [
        json!({"set": numbers(MANY / 2..2 * MANY)}),
        json!({"$deleteFromPrimitiveList/set": numbers(0..MANY)}),
        json!({"$setElementOrder/set": Value::from_iter((0..MANY).rev())}),
        json!({"merged": items(MANY / 2..2 * MANY)}),
        json!({"merged": deletions}),
        json!({"$setElementOrder/merged": reversed_items, "merged": reversed_items}),
        json!({"merged": Value::from_iter((0..MANY).map(|_| json!({"name": 1, "$patch": "replace"})))}),
    ] {
        let live = json!({"set": numbers(0..MANY), "merged": items(0..MANY)});
        let result = schema.apply(live.clone(), &patch).unwrap();
        let patch = schema.diff(&live, &result).unwrap();
        let _ = schema
            .three_way(&live, &result, &live, OnConflict::Fail)
            .unwrap();
        let _ = schema.apply(live, &patch).unwrap();
    }
    assert!(
        started.elapsed() < Duration::from_secs(60),
        "{:?}",
        started.elapsed()
    );
}
