//! Tests of hostile input: each request has a clear error or a correct answer, in bounded time and
//! stack.

use allocation_counter::measure;
use k8s_crd_validation::{Report, Request, ServerSettings, StructuralSchema};
use serde_json::{Map, Value, json};

/// Wraps a value `depth` times, without recursion.
fn nested(depth: usize, innermost_value: Value, wrap: impl Fn(Value) -> Value) -> Value {
    (0..depth).fold(innermost_value, |inner, _| wrap(inner))
}

/// Drops a value without recursion, which could overflow the stack.
pub(crate) fn drop_iteratively(value: Value) {
    let mut pending = vec![value];
    while let Some(value) = pending.pop() {
        match value {
            Value::Array(elements) => pending.extend(elements),
            Value::Object(object) => pending.extend(object.into_iter().map(|(_, value)| value)),
            _ => {}
        }
    }
}

#[test]
fn a_schema_with_more_than_200_levels_is_rejected() {
    let schema = nested(10_000, json!({"type": "string"}), |inner| {
        let mut object = Map::new();
        object.insert("type".into(), "object".into());
        object.insert(
            "properties".into(),
            Value::Object(Map::from_iter([("a".to_owned(), inner)])),
        );
        Value::Object(object)
    });
    let rejection = StructuralSchema::compile(&schema).unwrap_err();
    assert!(
        rejection.to_string().contains("more than 200 levels"),
        "{rejection}"
    );
    drop_iteratively(schema);
}

#[test]
fn an_update_that_keeps_a_deep_value_is_accepted() {
    let schema = StructuralSchema::compile(&json!({"type": "object", "properties": {
        "any": {"x-kubernetes-preserve-unknown-fields": true, "enum": [1]},
        "map": {"type": "object", "additionalProperties": true},
        "name": {"type": "string"},
    }}))
    .unwrap();
    let deep = || nested(10_000, json!(1), |inner| Value::Array(vec![inner]));
    for field in ["any", "map", "name"] {
        let old = Value::Object(Map::from_iter([(field.to_owned(), deep())]));
        let mut new = Value::Object(Map::from_iter([(field.to_owned(), deep())]));
        let report = schema.update(&mut new, &old, &ServerSettings::default());
        // All errors are tolerated, because the value is unchanged.
        assert!(report.is_accepted(), "{field}");
        let report = schema.create(&mut new, &ServerSettings::default());
        assert_eq!(
            report.is_accepted(),
            field == "map" && new[field].is_object(),
            "{field}"
        );
        drop_iteratively(old);
        drop_iteratively(new);
    }
}

#[test]
fn a_million_duplicates_are_one_error() {
    let schema = StructuralSchema::compile(&json!({"type": "object", "properties": {
        "l": {"type": "array", "x-kubernetes-list-type": "set", "items": {"type": "integer"}},
    }}))
    .unwrap();
    let mut object = json!({"l": vec![7; 1_000_000]});
    let report = schema.create(&mut object, &ServerSettings::default());
    assert_eq!(crate::errors(&report), ["l[1]: Duplicate value: 7"]);
}

#[test]
fn extreme_numbers_cause_no_panic() {
    let schema = StructuralSchema::compile(&json!({"type": "object", "properties": {
        "i": {"type": "integer"}, "n": {"type": "number", "multipleOf": 1e-300}, "e": {"type": "number", "enum": [1]},
    }}))
    .unwrap();
    for number in [
        "1e308",
        "-1e308",
        "1e-308",
        "18446744073709551615",
        "-9223372036854775808",
        "0.1",
        "-0.0",
    ] {
        let number: Value = serde_json::from_str(number).unwrap();
        let mut object = json!({"i": number, "n": number, "e": number});
        let _ = schema.create(&mut object, &ServerSettings::default());
    }
}

#[test]
fn nested_any_of_takes_linear_work() {
    // Each level has two alternatives, so all combinations would take 2^60 steps.
    let branch = nested(
        60,
        json!({"minLength": 5}),
        |inner| json!({"anyOf": [inner, {"maxLength": 0}]}),
    );
    let schema =
        json!({"type": "object", "properties": {"a": {"type": "string", "anyOf": [branch]}}});
    let schema = StructuralSchema::compile(&schema).unwrap();
    assert!(
        !schema
            .create(&mut json!({"a": "x"}), &ServerSettings::default())
            .is_accepted()
    );
}

/// A schema below many combinators that fail is evaluated a few times for each level. The number of
/// evaluations does not double with each level.
#[test]
fn nested_combinators_that_fail_finish() {
    type Wrap = fn(Value) -> Value;
    let wraps: [(usize, Wrap); 5] = [
        (90, |inner| json!({"allOf": [inner]})),
        (90, |inner| json!({"anyOf": [inner, {"maxLength": 0}]})),
        (90, |inner| json!({"oneOf": [inner, {"maxLength": 0}]})),
        (90, |inner| json!({"not": {"not": inner}})),
        (
            30,
            |inner| json!({"allOf": [{"anyOf": [{"oneOf": [{"not": {"not": inner}}]}]}]}),
        ),
    ];
    for (levels, wrap) in wraps {
        let branch = nested(levels, json!({"minLength": 5}), wrap);
        let schema =
            json!({"type": "object", "properties": {"a": {"type": "string", "allOf": [branch]}}});
        let schema = StructuralSchema::compile(&schema).unwrap();
        let settings = ServerSettings::default();
        let report = schema.create(&mut json!({"a": "x"}), &settings);
        let last_error = report.errors().last().map(ToString::to_string);
        let expected_message = "\"a\" must validate all the schemas (allOf). None validated";
        assert!(
            last_error.is_some_and(|last_error| last_error.contains(expected_message)),
            "{schema:?}"
        );
        assert!(
            schema
                .create(&mut json!({"a": "long enough"}), &settings)
                .is_accepted()
        );
    }
}

/// Returns a stored CRD whose objects have one list. Stored CRDs may have keywords that a server
/// rejects in new CRDs.
fn stored_crd(list_schema: Value) -> Value {
    json!({"spec": {"group": "g.example.com", "names": {"kind": "K"}, "versions": [
        {"name": "v1", "storage": true, "schema": {"openAPIV3Schema": {"type": "object", "properties": {"l": list_schema}}}},
    ]}})
}

/// Returns an object of the CRD that [`stored_crd`] returns.
fn object_with_list(list: Value) -> Value {
    let metadata = json!({"name": "n", "namespace": "n"});
    json!({"apiVersion": "g.example.com/v1", "kind": "K", "metadata": metadata, "l": list})
}

/// Only a stored CRD may have `uniqueItems`.
#[test]
fn long_lists_of_unique_items_take_linear_work() {
    let crd = stored_crd(
        json!({"type": "array", "uniqueItems": true, "items": {"x-kubernetes-preserve-unknown-fields": true}}),
    );
    let schema = StructuralSchema::compiler()
        .stored()
        .crd(&crd, Some("v1"))
        .unwrap();
    let errors_with_last_element = |last_element: Value| {
        let mut list: Vec<Value> = (0..60_000).map(|i| json!({"a": [i, 0.0]})).collect();
        list.push(last_element);
        let mut new = object_with_list(list.into());
        crate::errors(&schema.create(&mut new, &ServerSettings::default()))
    };
    let duplicate_error = "l: Invalid value: \"\": l in body shouldn't contain duplicates";
    assert_eq!(
        errors_with_last_element(json!({"a": [7, -0.0]})),
        [duplicate_error]
    );
    // An integer and a float are two values.
    for distinct_element in [
        json!({"a": [7.0, 0.0]}),
        json!({"a": [0.0, 7]}),
        json!({"b": [7, 0.0]}),
        json!([7, 0.0]),
    ] {
        assert!(errors_with_last_element(distinct_element).is_empty());
    }
}

/// Returns the number of allocations of a validation of a list with `uniqueItems` below `levels`
/// combinators. Each search for duplicates allocates, so the number shows how often
/// the innermost schema is evaluated.
fn allocations_below_combinators(levels: usize, wrap: impl Fn(Value) -> Value) -> u64 {
    let branch = nested(levels, json!({"uniqueItems": true}), wrap);
    let crd = stored_crd(json!({"type": "array", "allOf": [branch], "items": {"type": "integer"}}));
    let schema = StructuralSchema::compiler()
        .stored()
        .crd(&crd, Some("v1"))
        .unwrap();
    let mut object = object_with_list(json!(vec![1; 10]));
    let mut report = Report::default();
    let allocations =
        measure(|| report = schema.create(&mut object, &ServerSettings::default())).count_total;
    let last_error = crate::errors(&report).pop();
    let expected_message = "\"l\" must validate all the schemas (allOf). None validated";
    assert!(
        last_error.is_some_and(|last_error| last_error.contains(expected_message)),
        "{levels}"
    );
    allocations
}

/// Twice the levels double the number of evaluations. For `anyOf` and `oneOf`, which search on each
/// level for the branch that matches best, the number becomes at most four times as large. It does
/// not grow exponentially.
#[test]
fn nested_combinators_that_fail_do_not_take_exponential_work() {
    type Wrap = fn(Value) -> Value;
    let wraps: [(&str, u64, Wrap); 4] = [
        ("allOf", 2, |inner| json!({"allOf": [inner]})),
        ("not", 2, |inner| json!({"not": {"not": inner}})),
        (
            "anyOf",
            4,
            |inner| json!({"anyOf": [inner, {"maxItems": 0}]}),
        ),
        (
            "oneOf",
            4,
            |inner| json!({"oneOf": [inner, {"maxItems": 0}]}),
        ),
    ];
    for (name, max_factor, wrap) in wraps {
        // The number of levels is small at first, so that exponential growth fails the test before
        // a validation takes very long.
        let mut previous_allocations = allocations_below_combinators(7, wrap);
        for levels in [14, 28, 56] {
            let allocations = allocations_below_combinators(levels, wrap);
            assert!(
                allocations <= max_factor * previous_allocations,
                "{name}: {previous_allocations}, then {allocations}"
            );
            previous_allocations = allocations;
        }
    }
}

/// Returns the number of allocations of a validation of a list with `count` unique elements. The
/// elements differ only at a deep level, so each comparison of two elements allocates.
fn allocations_for_unique_items(count: usize) -> u64 {
    let crd = stored_crd(
        json!({"type": "array", "uniqueItems": true, "items": {"x-kubernetes-preserve-unknown-fields": true}}),
    );
    let schema = StructuralSchema::compiler()
        .stored()
        .crd(&crd, Some("v1"))
        .unwrap();
    let element = |number: usize| nested(40, json!(number), |inner| Value::Array(vec![inner]));
    let mut object = object_with_list((0..count).map(element).collect());
    let mut report = Report::default();
    let allocations =
        measure(|| report = schema.create(&mut object, &ServerSettings::default())).count_total;
    assert!(report.is_accepted(), "{report:?}");
    allocations
}

#[test]
fn allocations_for_unique_items_are_linear_in_their_number() {
    let allocations_for_500 = allocations_for_unique_items(500);
    let allocations_for_1000 = allocations_for_unique_items(1_000);
    assert!(
        2 * allocations_for_1000 < 5 * allocations_for_500,
        "{allocations_for_500} times, then {allocations_for_1000}"
    );
}

/// If several elements have the same key, they are all compared with the same old element, and the
/// content of the old element is read only once.
#[test]
fn memory_for_duplicates_is_linear_in_their_number() {
    let list = |items: Value| {
        json!({"type": "array", "items": items, "maxItems": 1000,
               "x-kubernetes-list-type": "map", "x-kubernetes-list-map-keys": ["k"]})
    };
    let allocated_bytes = |rules: &Value, count: usize| {
        let entry_schema = json!({"type": "object", "required": ["k"], "x-kubernetes-validations": rules, "properties": {
            "k": {"type": "integer"}, "v": {"type": "string", "minLength": 3, "maxLength": 9},
        }});
        let group = json!({"type": "object", "required": ["k"], "properties": {
            "k": {"type": "integer"}, "list": list(entry_schema),
        }});
        let schema = json!({"type": "object", "properties": {"groups": list(group)}});
        let schema = StructuralSchema::compile(&schema).expect("a schema");
        let group = |keys: usize| {
            let list: Vec<Value> = (0..keys).map(|k| json!({"k": k, "v": "x"})).collect();
            json!({"k": 1, "list": list})
        };
        let old = json!({ "groups": [group(count)] });
        let mut new = json!({ "groups": vec![group(1); count] });
        let mut report = Report::default();
        let allocations =
            measure(|| report = schema.update(&mut new, &old, &ServerSettings::default()));
        let violation_count =
            report.errors().len() + report.tolerated().len() + report.warnings().len();
        assert!(
            violation_count >= count,
            "only {violation_count} violations"
        );
        allocations.bytes_total
    };
    for rules in [json!([]), json!([{"rule": "self.v != oldSelf.v"}])] {
        let [bytes_for_200, bytes_for_400] = [200, 400].map(|count| allocated_bytes(&rules, count));
        assert!(
            2 * bytes_for_400 < 5 * bytes_for_200,
            "{bytes_for_200} bytes, then {bytes_for_400}: {rules}"
        );
    }
}

/// Returns the schema of an object whose metadata alone is validated.
fn metadata_schema() -> StructuralSchema {
    StructuralSchema::compile(&json!({"type": "object"})).expect("a schema")
}

fn object_with_metadata(metadata: &Value) -> Value {
    let mut object = json!({"apiVersion": "a/v1", "kind": "A", "metadata": metadata});
    object["metadata"]["name"] = json!("a");
    object
}

#[test]
fn errors_about_controllers_share_a_limit_of_memory() {
    let owner = |n: usize| json!({"apiVersion": "v1", "kind": "A", "name": format!("n{n}"), "uid": "u", "controller": true});
    let owners: Vec<Value> = (0..20_000).map(owner).collect();
    let mut object = object_with_metadata(&json!({ "ownerReferences": owners }));
    let mut report = Report::default();
    let allocations =
        measure(|| report = metadata_schema().create(&mut object, &ServerSettings::default()));
    assert!(
        allocations.bytes_max < 100 << 20,
        "{} bytes",
        allocations.bytes_max
    );
    // No error is lost, and each names its reference.
    assert_eq!(report.errors().len(), owners.len() - 1);
    let last_error = report.errors().last().expect("errors").to_string();
    assert!(
        last_error.ends_with("references for A/n0 and A/n19999"),
        "{last_error}"
    );
}

/// With a comparison of all pairs, the test would run for hours.
#[test]
fn many_finalizers_are_compared_in_linear_time() {
    let finalizers = |prefix: &str| -> Vec<Value> {
        (0..300_000)
            .map(|n| format!("{prefix}/{n}").into())
            .collect()
    };
    let deleted = |finalizers: Vec<Value>| {
        object_with_metadata(&json!({
            "finalizers": finalizers, "deletionTimestamp": "2024-01-01T00:00:00Z",
            "deletionGracePeriodSeconds": 0, "resourceVersion": "1",
        }))
    };
    let schema = metadata_schema();
    for (old, new, error_count) in [("a", "a", 0), ("a", "b", 1)] {
        let old = deleted(finalizers(old));
        let mut new_finalizers = finalizers(new);
        new_finalizers.reverse();
        let mut new = deleted(new_finalizers);
        let report = schema.update(&mut new, &old, &ServerSettings::default());
        assert_eq!(
            report.errors().len(),
            error_count,
            "{:?}",
            report.errors().first()
        );
    }
}

#[test]
fn advice_ends_with_the_last_advice() {
    let schema = json!({"type": "object", "properties": {"spec": {
        "type": "array",
        "items": {"type": "object", "properties": {"v": {"type": "string", "minLength": 5}}},
    }}});
    let schema = StructuralSchema::compile(&schema).expect("a schema");
    let object = |last: &str| {
        let mut elements = vec![json!({"v": "a"}); 30_000];
        elements.push(json!({ "v": last }));
        json!({ "spec": elements })
    };
    let settings = ServerSettings::default();
    let mut request = Request::new(&schema, &settings).with_advice();
    let report = request.update(&mut object("b"), &object("a"));
    assert_eq!(report.errors().len(), 30_001);
    assert_eq!(request.advice().len(), 100);
}
