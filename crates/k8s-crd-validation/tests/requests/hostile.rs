//! Input that means no good: a clear error or a correct answer, in bounded time and stack.

use allocation_counter::measure;
use k8s_crd_validation::{Report, ServerSettings, StructuralSchema};
use serde_json::{Map, Value, json};

/// A value in `depth` others, made without recursion.
fn nested(depth: usize, core: Value, wrap: impl Fn(Value) -> Value) -> Value {
    (0..depth).fold(core, |inner, _| wrap(inner))
}

/// Takes a value apart, so that it is not dropped level by level on the stack.
fn take_apart(value: Value) {
    let mut waiting = vec![value];
    while let Some(value) = waiting.pop() {
        match value {
            Value::Array(elements) => waiting.extend(elements),
            Value::Object(object) => waiting.extend(object.into_iter().map(|(_, value)| value)),
            _ => {}
        }
    }
}

#[test]
fn a_deep_schema_is_refused() {
    let schema = nested(10_000, json!({"type": "string"}), |inner| {
        let mut object = Map::new();
        object.insert("type".into(), "object".into());
        object.insert(
            "properties".into(),
            Value::Object(Map::from_iter([("a".to_owned(), inner)])),
        );
        Value::Object(object)
    });
    let refused = StructuralSchema::compile(&schema).unwrap_err();
    assert!(
        refused.to_string().contains("more than 200 levels"),
        "{refused}"
    );
    take_apart(schema);
}

#[test]
fn a_deep_object_is_judged() {
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
        let outcome = schema.update(&mut new, &old, &ServerSettings::default());
        // The same value again: tolerated, whatever is wrong with it.
        assert!(outcome.is_accepted(), "{field}");
        let outcome = schema.create(&mut new, &ServerSettings::default());
        assert_eq!(
            outcome.is_accepted(),
            field == "map" && new[field].is_object(),
            "{field}"
        );
        take_apart(old);
        take_apart(new);
    }
}

#[test]
fn a_million_duplicates_are_one_error() {
    let schema = StructuralSchema::compile(&json!({"type": "object", "properties": {
        "l": {"type": "array", "x-kubernetes-list-type": "set", "items": {"type": "integer"}},
    }}))
    .unwrap();
    let mut object = json!({"l": vec![7; 1_000_000]});
    let outcome = schema.create(&mut object, &ServerSettings::default());
    assert_eq!(crate::errors(&outcome), ["l[1]: Duplicate value: 7"]);
}

#[test]
fn numbers_at_the_edges_are_judged() {
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
fn nested_alternatives_take_linear_work() {
    // Each level has two, so that going through all combinations would take 2^60 steps.
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

/// A schema below many combinators that fail is evaluated a few times for each level, not twice as
/// often for each further level.
#[test]
fn nested_combinators_that_fail_take_bounded_work() {
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
        let outcome = schema.create(&mut json!({"a": "x"}), &settings);
        let last = outcome.errors().last().map(ToString::to_string);
        let text = "\"a\" must validate all the schemas (allOf). None validated";
        assert!(last.is_some_and(|last| last.contains(text)), "{schema:?}");
        assert!(
            schema
                .create(&mut json!({"a": "long enough"}), &settings)
                .is_accepted()
        );
    }
}

/// Returns a stored CRD whose objects have one list. Stored CRDs may have keywords that a server
/// rejects in new CRDs.
fn stored(list: Value) -> Value {
    json!({"spec": {"group": "g.example.com", "names": {"kind": "K"}, "versions": [
        {"name": "v1", "storage": true, "schema": {"openAPIV3Schema": {"type": "object", "properties": {"l": list}}}},
    ]}})
}

/// Returns an object of the CRD that [`stored`] returns.
fn named(list: Value) -> Value {
    let metadata = json!({"name": "n", "namespace": "n"});
    json!({"apiVersion": "g.example.com/v1", "kind": "K", "metadata": metadata, "l": list})
}

/// Only a stored CRD may have `uniqueItems`.
#[test]
fn long_lists_of_unique_items_take_linear_work() {
    let crd = stored(
        json!({"type": "array", "uniqueItems": true, "items": {"x-kubernetes-preserve-unknown-fields": true}}),
    );
    let schema = StructuralSchema::compiler()
        .stored()
        .crd(&crd, Some("v1"))
        .unwrap();
    let judge = |last: Value| {
        let mut list: Vec<Value> = (0..60_000).map(|i| json!({"a": [i, 0.0]})).collect();
        list.push(last);
        let mut new = named(list.into());
        crate::errors(&schema.create(&mut new, &ServerSettings::default()))
    };
    let twice = "l: Invalid value: \"\": l in body shouldn't contain duplicates";
    assert_eq!(judge(json!({"a": [7, -0.0]})), [twice]);
    // An integer and a float are two values.
    for other in [
        json!({"a": [7.0, 0.0]}),
        json!({"a": [0.0, 7]}),
        json!({"b": [7, 0.0]}),
        json!([7, 0.0]),
    ] {
        assert!(judge(other).is_empty());
    }
}

/// Returns the number of allocations of a validation of a list with `uniqueItems` below `levels`
/// combinators. Each search for duplicates allocates, so the number shows how often
/// the innermost schema is evaluated.
fn asked_below(levels: usize, wrap: impl Fn(Value) -> Value) -> u64 {
    let branch = nested(levels, json!({"uniqueItems": true}), wrap);
    let crd = stored(json!({"type": "array", "allOf": [branch], "items": {"type": "integer"}}));
    let schema = StructuralSchema::compiler()
        .stored()
        .crd(&crd, Some("v1"))
        .unwrap();
    let mut object = named(json!(vec![1; 10]));
    let mut outcome = Report::default();
    let used =
        measure(|| outcome = schema.create(&mut object, &ServerSettings::default())).count_total;
    let last = crate::errors(&outcome).pop();
    let text = "\"l\" must validate all the schemas (allOf). None validated";
    assert!(last.is_some_and(|last| last.contains(text)), "{levels}");
    used
}

/// Twice the levels double the number of evaluations. For `anyOf` and `oneOf`, which search on each
/// level for the branch that matches best, the number becomes at most four times as large. It does
/// not grow exponentially.
#[test]
fn combinators_that_fail_ask_what_is_below_them_seldom() {
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
    for (name, most, wrap) in wraps {
        // The first step is small, so that it shows exponential growth soon; with more levels, such
        // a validation would not end.
        let mut before = asked_below(7, wrap);
        for levels in [14, 28, 56] {
            let asked = asked_below(levels, wrap);
            assert!(asked <= most * before, "{name}: {before}, then {asked}");
            before = asked;
        }
    }
}

/// Returns the number of allocations of a validation of a list with `count` unique elements. The
/// elements differ only at a deep level, so each comparison of two elements allocates.
fn uniques(count: usize) -> u64 {
    let crd = stored(
        json!({"type": "array", "uniqueItems": true, "items": {"x-kubernetes-preserve-unknown-fields": true}}),
    );
    let schema = StructuralSchema::compiler()
        .stored()
        .crd(&crd, Some("v1"))
        .unwrap();
    let element = |number: usize| nested(40, json!(number), |inner| Value::Array(vec![inner]));
    let mut object = named((0..count).map(element).collect());
    let mut outcome = Report::default();
    let used =
        measure(|| outcome = schema.create(&mut object, &ServerSettings::default())).count_total;
    assert!(outcome.is_accepted(), "{outcome:?}");
    used
}

#[test]
fn to_compare_unique_items_takes_work_in_proportion_to_their_number() {
    let (few, many) = (uniques(500), uniques(1_000));
    assert!(2 * many < 5 * few, "{few} times, then {many}");
}

/// If several elements have the same key, they are all compared with the same old element, and the
/// content of the old element is read only once.
#[test]
fn duplicates_take_no_more_memory_than_their_number() {
    let list = |items: Value| {
        json!({"type": "array", "items": items, "maxItems": 1000,
               "x-kubernetes-list-type": "map", "x-kubernetes-list-map-keys": ["k"]})
    };
    let bytes = |rules: &Value, count: usize| {
        let entry = json!({"type": "object", "required": ["k"], "x-kubernetes-validations": rules, "properties": {
            "k": {"type": "integer"}, "v": {"type": "string", "minLength": 3, "maxLength": 9},
        }});
        let group = json!({"type": "object", "required": ["k"], "properties": {
            "k": {"type": "integer"}, "list": list(entry),
        }});
        let schema = json!({"type": "object", "properties": {"groups": list(group)}});
        let schema = StructuralSchema::compile(&schema).expect("a schema");
        let group = |keys: usize| {
            let list: Vec<Value> = (0..keys).map(|k| json!({"k": k, "v": "x"})).collect();
            json!({"k": 1, "list": list})
        };
        let old = json!({ "groups": [group(count)] });
        let mut new = json!({ "groups": vec![group(1); count] });
        let mut outcome = Report::default();
        let taken = measure(|| outcome = schema.update(&mut new, &old, &ServerSettings::default()));
        let found = outcome.errors().len() + outcome.tolerated().len() + outcome.warnings().len();
        assert!(found >= count, "only {found} were looked at");
        taken.bytes_total
    };
    for rules in [json!([]), json!([{"rule": "self.v != oldSelf.v"}])] {
        let [once, twice] = [200, 400].map(|count| bytes(&rules, count));
        assert!(2 * twice < 5 * once, "{once} bytes, then {twice}: {rules}");
    }
}
