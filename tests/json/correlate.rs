//! Tests of the pairs of old and new elements that are correlated, as an API server correlates them
//! (KEP-4008, `x-kubernetes-list-type: map`).

use proptest::prelude::*;
use serde_json::{Value, json};
use union_json::{SchemaSource, Unions};
use union_runtime::Settings;

use crate::read::choice;

/// Returns the schema of a list, whose elements have a union and the keys `k` and `l`.
fn list_schema(keys: &[&str], defaults: [Option<Value>; 2]) -> Value {
    let mut items = choice();
    for (key, default) in ["k", "l"].into_iter().zip(defaults) {
        items["properties"][key] = default.map_or(json!({}), |default| json!({"default": default}));
    }
    json!({"x-kubernetes-list-type": "map", "x-kubernetes-list-map-keys": keys, "items": items})
}

fn compile_list(list_schema: &Value) -> Unions {
    let schema = json!({"properties": {"list": list_schema}});
    Unions::compile(SchemaSource::Schema(&schema)).unwrap_or_else(|error| panic!("{error}"))
}

/// Returns the index of the old element that is correlated with a new element.
///
/// Each old element has an unknown discriminator value of its own. A new element with an unknown
/// value is only tolerated if the correlated old element has the same value.
fn find_correlated_element(unions: &Unions, old: &Value, new: &Value) -> Option<usize> {
    let mut old = old.clone();
    for (i, element) in old.as_array_mut().into_iter().flatten().enumerate() {
        if element.is_object() {
            element["type"] = format!("odd{i}").into();
        }
    }
    let count = old.as_array().map_or(3, Vec::len);
    let old = json!({"list": old});
    let mut correlated_elements = (0..count).filter(|i| {
        let mut new = new.clone();
        new["type"] = format!("odd{i}").into();
        // The elements before and after the new element must not affect the result.
        let new = json!({"list": [{"type": "B"}, new, {"type": "B"}]});
        unions
            .validate_update(&new, &old, &Settings::default())
            .is_accepted()
    });
    let correlated_element = correlated_elements.next();
    assert_eq!(
        correlated_elements.next(),
        None,
        "only one element is correlated"
    );
    correlated_element
}

/// Asserts the index of the old element that is correlated with a new element. `expected` is `None`
/// if no old element is correlated.
#[track_caller]
fn assert_correlated(unions: &Unions, old: Value, new: Value, expected: Option<usize>) {
    assert_eq!(
        find_correlated_element(unions, &old, &new),
        expected,
        "{new} in {old}"
    );
}

const NO_DEFAULTS: [Option<Value>; 2] = [None, None];

#[test]
fn elements_are_correlated_by_key_and_not_by_index() {
    let unions = compile_list(&list_schema(&["k"], NO_DEFAULTS));
    let old = json!([{"k": "x"}, {"k": "y"}, {"k": ""}, {"k": 5}]);
    for (i, key) in ["x", "y", ""].into_iter().enumerate() {
        assert_correlated(&unions, old.clone(), json!({"k": key}), Some(i));
    }
    assert_correlated(&unions, old.clone(), json!({"k": 5}), Some(3));
    assert_correlated(&unions, old, json!({"k": "z"}), None);
    assert_correlated(&unions, json!([]), json!({"k": "x"}), None);
}

#[test]
fn the_first_old_element_with_a_key_is_correlated() {
    let unions = compile_list(&list_schema(&["k"], NO_DEFAULTS));
    let old = json!([5, {"k": "y"}, {"k": "x"}, {"k": "x", "a": 1}, {"k": "x"}]);
    assert_correlated(&unions, old, json!({"k": "x"}), Some(2));
}

#[test]
fn all_new_elements_with_a_key_have_the_same_old_element() {
    let unions = compile_list(&list_schema(&["k"], NO_DEFAULTS));
    let old = json!({"list": [{"k": "x", "type": "A", "a": 1}]});
    let element = json!({"k": "x", "type": "B", "a": 1});
    let mut new = json!({"list": [element, {"k": "y", "type": "B"}, element, element]});
    let changes = unions.normalize(&mut new, Some(&old), &Settings::default());
    assert_eq!(
        changes.to_string(),
        "list[0].a: cleared\nlist[2].a: cleared\nlist[3].a: cleared"
    );
}

#[test]
fn an_element_without_its_key_is_not_correlated() {
    let unions = compile_list(&list_schema(&["k"], NO_DEFAULTS));
    for key in [Value::Null, json!([]), json!({}), json!(["x"])] {
        let element = json!({"k": key});
        assert_correlated(&unions, json!([element, {}]), element, None);
    }
    assert_correlated(&unions, json!([{}, {"k": "x"}]), json!({}), None);
    assert_correlated(&unions, json!([{}, {"k": null}]), json!({"k": null}), None);
}

#[test]
fn an_absent_key_counts_as_its_default_in_the_old_and_the_new_element() {
    let unions = compile_list(&list_schema(&["k"], [Some(json!("d")), None]));
    assert_correlated(&unions, json!([{"k": "x"}, {}]), json!({"k": "d"}), Some(1));
    assert_correlated(&unions, json!([{"k": "x"}, {"k": "d"}]), json!({}), Some(1));
    assert_correlated(&unions, json!([{"k": "x"}, {}]), json!({}), Some(1));
    // A null is present, but is not a key.
    assert_correlated(
        &unions,
        json!([{"k": null}, {"k": "d"}]),
        json!({"k": null}),
        None,
    );
    for default in [Value::Null, json!([]), json!({"a": 1})] {
        let unions = compile_list(&list_schema(&["k"], [Some(default), None]));
        assert_correlated(&unions, json!([{}]), json!({}), None);
    }
    // A default may be in a schema that is combined with the schema of the property.
    let mut list_schema = list_schema(&["k"], NO_DEFAULTS);
    list_schema["items"]["properties"]["k"] =
        json!({"allOf": [{"type": "string"}, {"default": "d"}]});
    assert_correlated(
        &compile_list(&list_schema),
        json!([{}]),
        json!({"k": "d"}),
        Some(0),
    );
}

#[test]
fn keys_of_different_types_are_different() {
    let unions = compile_list(&list_schema(&["k"], NO_DEFAULTS));
    let by_two_keys = compile_list(&list_schema(&["k", "l"], NO_DEFAULTS));
    let keys = [
        json!(1),
        json!(1.0),
        json!("1"),
        json!(true),
        json!("true"),
        json!(0),
        json!(false),
        json!(""),
    ];
    let elements_with_one_key: Value = keys.iter().map(|key| json!({"k": key})).collect();
    let elements_with_two_keys: Value =
        keys.iter().map(|key| json!({"k": key, "l": "x"})).collect();
    for (i, key) in keys.iter().enumerate() {
        assert_correlated(
            &unions,
            elements_with_one_key.clone(),
            json!({"k": key}),
            Some(i),
        );
        assert_correlated(
            &by_two_keys,
            elements_with_two_keys.clone(),
            json!({"k": key, "l": "x"}),
            Some(i),
        );
    }
}

#[test]
fn floats_have_six_decimals_with_several_keys() {
    let by_one_key = compile_list(&list_schema(&["k"], NO_DEFAULTS));
    let by_two_keys = compile_list(&list_schema(&["k", "l"], NO_DEFAULTS));
    for (old, new, is_equal_as_one_key, is_equal_of_two_keys) in [
        (json!(1.000_000_1), json!(1.000_000_2), false, true),
        (json!(1.000_001), json!(1.000_002), false, false),
        (json!(1.0), json!(1.000_000_01), false, true),
        (json!(1.0), json!(1), false, false),
        // The numbers are equal, but they are written differently.
        (json!(0.0), json!(-0.0), true, false),
        (json!(-0.0), json!(-0.000_000_1), false, true),
        (json!(1e300), json!(1e300), true, true),
        (json!(1e-300), json!(0.0), false, true),
    ] {
        let expected = |is_equal: bool| is_equal.then_some(0);
        assert_correlated(
            &by_one_key,
            json!([{"k": old}]),
            json!({"k": new}),
            expected(is_equal_as_one_key),
        );
        assert_correlated(
            &by_two_keys,
            json!([{"k": old, "l": 1}]),
            json!({"k": new, "l": 1}),
            expected(is_equal_of_two_keys),
        );
    }
}

#[test]
fn keys_may_be_the_largest_and_smallest_numbers() {
    let unions = compile_list(&list_schema(&["k"], NO_DEFAULTS));
    let keys = [
        json!(u64::MAX),
        json!(i64::MIN),
        json!(i64::MAX),
        json!(f64::MAX),
        json!(f64::MIN_POSITIVE),
    ];
    let old: Value = keys.iter().map(|key| json!({"k": key})).collect();
    for (i, key) in keys.into_iter().enumerate() {
        assert_correlated(&unions, old.clone(), json!({"k": key}), Some(i));
    }
    // To an API server, a number that does not fit into 64 bits with a sign is a float, and both
    // numbers are the same float.
    assert_correlated(&unions, old, json!({"k": u64::MAX - 1}), Some(0));
}

#[test]
fn several_keys_must_all_be_present_and_equal() {
    let unions = compile_list(&list_schema(&["k", "l"], NO_DEFAULTS));
    let old = json!([{"k": "x", "l": "y"}, {"k": "y", "l": "x"}, {"k": "x"}, {"l": "x"}, {"k": "xy", "l": ""}]);
    assert_correlated(&unions, old.clone(), json!({"k": "x", "l": "y"}), Some(0));
    assert_correlated(&unions, old.clone(), json!({"k": "y", "l": "x"}), Some(1));
    assert_correlated(&unions, old.clone(), json!({"k": "x"}), None);
    assert_correlated(&unions, old.clone(), json!({"k": "x", "l": null}), None);
    assert_correlated(&unions, old, json!({"k": "", "l": "xy"}), None);
    let unions = compile_list(&list_schema(&["k", "l"], [None, Some(json!("TCP"))]));
    let old = json!([{"k": 80}, {"k": 80, "l": "UDP"}]);
    assert_correlated(&unions, old.clone(), json!({"k": 80, "l": "TCP"}), Some(0));
    assert_correlated(&unions, old.clone(), json!({"k": 80}), Some(0));
    assert_correlated(&unions, old, json!({"l": "UDP", "k": 80}), Some(1));
}

#[test]
fn lists_of_other_types_are_not_correlated() {
    let old = json!([{"k": "x"}, {"k": "y"}]);
    for list_type in ["set", "atomic", "Map"] {
        let mut list_schema = list_schema(&["k"], NO_DEFAULTS);
        list_schema["x-kubernetes-list-type"] = list_type.into();
        assert_correlated(
            &compile_list(&list_schema),
            old.clone(),
            json!({"k": "x"}),
            None,
        );
    }
    let schema_without_keys = json!({"items": choice()});
    assert_correlated(
        &compile_list(&schema_without_keys),
        old.clone(),
        json!({"k": "x"}),
        None,
    );
    let keys_alone = json!({"items": choice(), "x-kubernetes-list-map-keys": ["a"]});
    assert_correlated(&compile_list(&keys_alone), old, json!({"a": 1}), None);
    // The type of the list may be in a schema that is combined with the schema of the list.
    let list_schema = list_schema(&["k"], NO_DEFAULTS);
    let combined_schema = json!({"allOf": [{"type": "array"}, list_schema]});
    assert_correlated(
        &compile_list(&combined_schema),
        json!([{}, {"k": "x"}]),
        json!({"k": "x"}),
        Some(1),
    );
}

#[test]
fn an_old_value_of_another_type_has_no_elements() {
    let unions = compile_list(&list_schema(&["k"], NO_DEFAULTS));
    for old in [
        json!(null),
        json!("x"),
        json!({"k": "x"}),
        json!({"0": {"k": "x"}}),
        json!(5),
    ] {
        assert_correlated(&unions, old, json!({"k": "x"}), None);
    }
    assert_correlated(
        &unions,
        json!(["x", null, [{"k": "x"}], {"k": "x"}]),
        json!({"k": "x"}),
        Some(3),
    );
}

#[test]
fn fields_are_correlated_by_name() {
    let schema = json!({
        "properties": {"spec": choice(), "other": {"additionalProperties": true}},
        "additionalProperties": choice(),
    });
    let unions =
        Unions::compile(SchemaSource::Schema(&schema)).expect("a well-formed schema or document");
    let invalid_union = json!({"type": "odd"});
    let describe_update = |old: Value, new: Value| -> String {
        let report = unions.validate_update(&new, &old, &Settings::default());
        if report.is_accepted() {
            format!("{} tolerated", report.tolerated().len())
        } else {
            let errors = report.errors().iter();
            errors
                .map(|violation| violation.path().to_string())
                .collect()
        }
    };
    assert_eq!(
        describe_update(
            json!({"spec": invalid_union}),
            json!({"spec": invalid_union})
        ),
        "1 tolerated"
    );
    assert_eq!(
        describe_update(
            json!({"other": invalid_union}),
            json!({"spec": invalid_union})
        ),
        "spec.type"
    );
    assert_eq!(
        describe_update(json!({"x.y": invalid_union}), json!({"x.y": invalid_union})),
        "1 tolerated"
    );
    assert_eq!(
        describe_update(json!({"x": invalid_union}), json!({"y": invalid_union})),
        "[y].type"
    );
    for old in [
        json!({}),
        json!({"spec": null}),
        json!({"spec": "odd"}),
        json!({"spec": [invalid_union]}),
        json!([invalid_union]),
        json!(null),
    ] {
        assert_eq!(
            describe_update(old, json!({"spec": invalid_union})),
            "spec.type"
        );
    }
    // A value that the schema does not describe has no unions.
    assert_eq!(
        describe_update(json!({}), json!({"other": {"type": "odd"}})),
        "0 tolerated"
    );
}

#[test]
fn values_in_an_uncorrelated_element_are_not_correlated() {
    let mut outer_list = list_schema(&["k"], NO_DEFAULTS);
    outer_list["items"]["properties"]["list"] = list_schema(&["k"], NO_DEFAULTS);
    let unions = compile_list(&outer_list);
    let invalid_element = json!({"k": "x", "type": "odd"});
    let nested = |key: &str| json!({"list": [{"k": key, "type": "B", "list": [invalid_element]}]});
    let update = |old: &Value, new: &Value| {
        unions
            .validate_update(new, old, &Settings::default())
            .is_accepted()
    };
    assert!(update(&nested("p"), &nested("p")));
    assert!(!update(&nested("p"), &nested("q")));
}

/// Generates the value of a key, or `None` for an absent key. Two generated values are often equal,
/// or nearly equal.
fn generate_key() -> impl Strategy<Value = Option<Value>> {
    let keys = [
        json!(1),
        json!(1.0),
        json!("1"),
        json!(true),
        json!(false),
        json!(0),
        json!(""),
        json!(null),
        json!([]),
        json!({}),
        json!(0.123_456_1),
        json!(0.123_456_4),
        json!(-1),
        json!("x"),
    ];
    proptest::option::weighted(0.8, proptest::sample::select(keys.to_vec()))
}

/// Generates an element with the keys `k` and `l`, which may be absent.
fn generate_element() -> impl Strategy<Value = Value> {
    (generate_key(), generate_key()).prop_map(|(k, l)| {
        let mut element = json!({});
        for (name, value) in [("k", k), ("l", l)] {
            if let Some(value) = value {
                element[name] = value;
            }
        }
        element
    })
}

/// Returns the correlated old element, which is found by a search through the old elements. The
/// function is written from KEP-4008 and from the behavior of an API server, not from the engine.
fn expected_element(
    keys: &[&str],
    defaults: &[Option<Value>; 2],
    old: &[Value],
    new: &Value,
) -> Option<usize> {
    let value = |element: &Value, key: &str| -> Option<Value> {
        let default = defaults[usize::from(key == "l")].clone();
        element.get(key).cloned().or(default)
    };
    let is_same = |a: &Value, b: &Value| match (a, b) {
        (Value::Number(a), Value::Number(b)) if a.is_f64() && b.is_f64() => {
            let [a, b] = [a, b].map(|number| number.as_f64().expect("a number"));
            if keys.len() == 1 {
                a.to_string() == b.to_string()
            } else {
                format!("{a:.6}") == format!("{b:.6}")
            }
        }
        (Value::Number(a), Value::Number(b)) => a == b,
        (Value::String(a), Value::String(b)) => a == b,
        (Value::Bool(a), Value::Bool(b)) => a == b,
        _ => false,
    };
    old.iter().position(|old| {
        keys.iter()
            .all(|key| match (value(old, key), value(new, key)) {
                (Some(old), Some(new)) => is_same(&old, &new),
                _ => false,
            })
    })
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(1_000) })]

    #[test]
    fn random_lists_are_correlated_like_the_oracle(
        old in proptest::collection::vec(generate_element(), 0..6),
        new in generate_element(),
        keys in proptest::sample::select(vec![vec!["k"], vec!["l"], vec!["k", "l"], vec!["l", "k"]]),
        defaults in [generate_key(), generate_key()],
    ) {
        let unions = compile_list(&list_schema(&keys, defaults.clone()));
        let expected = expected_element(&keys, &defaults, &old, &new);
        prop_assert_eq!(find_correlated_element(&unions, &old.into(), &new), expected);
    }
}
