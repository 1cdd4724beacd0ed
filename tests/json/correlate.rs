//! Tests of the pairs of old and new elements that are correlated, as an API server correlates them
//! (KEP-4008, `x-kubernetes-list-type: map`).

use proptest::prelude::*;
use serde_json::{Value, json};
use union_json::{SchemaSource, Unions};
use union_runtime::Settings;

use crate::read::choice;

/// Returns the schema of a list, whose elements have a union and the keys `k` and `l`.
fn list(keys: &[&str], defaults: [Option<Value>; 2]) -> Value {
    let mut items = choice();
    for (key, default) in ["k", "l"].into_iter().zip(defaults) {
        items["properties"][key] = default.map_or(json!({}), |default| json!({"default": default}));
    }
    json!({"x-kubernetes-list-type": "map", "x-kubernetes-list-map-keys": keys, "items": items})
}

fn compile_list(list: &Value) -> Unions {
    let schema = json!({"properties": {"list": list}});
    Unions::compile(SchemaSource::Schema(&schema)).unwrap_or_else(|error| panic!("{error}"))
}

/// Returns the index of the old element that is correlated with a new element.
///
/// Each old element has an unknown discriminator value of its own. A new element with an unknown
/// value is only tolerated if the correlated old element has the same value.
fn find_partner(unions: &Unions, old: &Value, new: &Value) -> Option<usize> {
    let mut old = old.clone();
    for (i, element) in old.as_array_mut().into_iter().flatten().enumerate() {
        if element.is_object() {
            element["type"] = format!("odd{i}").into();
        }
    }
    let count = old.as_array().map_or(3, Vec::len);
    let old = json!({"list": old});
    let mut partners = (0..count).filter(|i| {
        let mut new = new.clone();
        new["type"] = format!("odd{i}").into();
        // The elements before and after it must not affect the result.
        let new = json!({"list": [{"type": "B"}, new, {"type": "B"}]});
        unions
            .validate_update(&new, &old, &Settings::default())
            .is_accepted()
    });
    let partner = partners.next();
    assert_eq!(partners.next(), None, "it is compared with one");
    partner
}

#[track_caller]
fn assert_partner(unions: &Unions, old: Value, new: Value, expected: Option<usize>) {
    assert_eq!(find_partner(unions, &old, &new), expected, "{new} in {old}");
}

const NO_DEFAULTS: [Option<Value>; 2] = [None, None];

#[test]
fn elements_are_paired_by_key_and_not_by_index() {
    let unions = compile_list(&list(&["k"], NO_DEFAULTS));
    let old = json!([{"k": "x"}, {"k": "y"}, {"k": ""}, {"k": 5}]);
    for (i, key) in ["x", "y", ""].into_iter().enumerate() {
        assert_partner(&unions, old.clone(), json!({"k": key}), Some(i));
    }
    assert_partner(&unions, old.clone(), json!({"k": 5}), Some(3));
    assert_partner(&unions, old, json!({"k": "z"}), None);
    assert_partner(&unions, json!([]), json!({"k": "x"}), None);
}

#[test]
fn the_first_old_element_with_a_key_is_the_pair() {
    let unions = compile_list(&list(&["k"], NO_DEFAULTS));
    let old = json!([5, {"k": "y"}, {"k": "x"}, {"k": "x", "a": 1}, {"k": "x"}]);
    assert_partner(&unions, old, json!({"k": "x"}), Some(2));
}

#[test]
fn all_new_elements_with_a_key_have_the_same_old_element() {
    let unions = compile_list(&list(&["k"], NO_DEFAULTS));
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
fn an_element_without_its_key_has_no_partner() {
    let unions = compile_list(&list(&["k"], NO_DEFAULTS));
    for key in [Value::Null, json!([]), json!({}), json!(["x"])] {
        let keyed = json!({"k": key});
        assert_partner(&unions, json!([keyed, {}]), keyed, None);
    }
    assert_partner(&unions, json!([{}, {"k": "x"}]), json!({}), None);
    assert_partner(&unions, json!([{}, {"k": null}]), json!({"k": null}), None);
}

#[test]
fn an_absent_key_counts_as_its_default_on_both_sides() {
    let unions = compile_list(&list(&["k"], [Some(json!("d")), None]));
    assert_partner(&unions, json!([{"k": "x"}, {}]), json!({"k": "d"}), Some(1));
    assert_partner(&unions, json!([{"k": "x"}, {"k": "d"}]), json!({}), Some(1));
    assert_partner(&unions, json!([{"k": "x"}, {}]), json!({}), Some(1));
    // A null is present, but is not a key.
    assert_partner(
        &unions,
        json!([{"k": null}, {"k": "d"}]),
        json!({"k": null}),
        None,
    );
    for default in [Value::Null, json!([]), json!({"a": 1})] {
        let unions = compile_list(&list(&["k"], [Some(default), None]));
        assert_partner(&unions, json!([{}]), json!({}), None);
    }
    // A default may be in a schema that is combined with the schema of the property.
    let mut list = list(&["k"], NO_DEFAULTS);
    list["items"]["properties"]["k"] = json!({"allOf": [{"type": "string"}, {"default": "d"}]});
    assert_partner(
        &compile_list(&list),
        json!([{}]),
        json!({"k": "d"}),
        Some(0),
    );
}

#[test]
fn keys_of_different_types_are_different() {
    let unions = compile_list(&list(&["k"], NO_DEFAULTS));
    let by_two_keys = compile_list(&list(&["k", "l"], NO_DEFAULTS));
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
    let alone: Value = keys.iter().map(|key| json!({"k": key})).collect();
    let with_other: Value = keys.iter().map(|key| json!({"k": key, "l": "x"})).collect();
    for (i, key) in keys.iter().enumerate() {
        assert_partner(&unions, alone.clone(), json!({"k": key}), Some(i));
        assert_partner(
            &by_two_keys,
            with_other.clone(),
            json!({"k": key, "l": "x"}),
            Some(i),
        );
    }
}

#[test]
fn floats_have_six_decimals_with_several_keys() {
    let by_one_key = compile_list(&list(&["k"], NO_DEFAULTS));
    let by_two_keys = compile_list(&list(&["k", "l"], NO_DEFAULTS));
    for (old, new, alone, together) in [
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
        let partner = |paired: bool| paired.then_some(0);
        assert_partner(
            &by_one_key,
            json!([{"k": old}]),
            json!({"k": new}),
            partner(alone),
        );
        assert_partner(
            &by_two_keys,
            json!([{"k": old, "l": 1}]),
            json!({"k": new, "l": 1}),
            partner(together),
        );
    }
}

#[test]
fn huge_numbers_are_keys_too() {
    let unions = compile_list(&list(&["k"], NO_DEFAULTS));
    let keys = [
        json!(u64::MAX),
        json!(i64::MIN),
        json!(i64::MAX),
        json!(f64::MAX),
        json!(f64::MIN_POSITIVE),
    ];
    let old: Value = keys.iter().map(|key| json!({"k": key})).collect();
    for (i, key) in keys.into_iter().enumerate() {
        assert_partner(&unions, old.clone(), json!({"k": key}), Some(i));
    }
    // To an API server, a number that does not fit into 64 bits with a sign is a float, and both
    // numbers are the same float.
    assert_partner(&unions, old, json!({"k": u64::MAX - 1}), Some(0));
}

#[test]
fn several_keys_must_all_be_present_and_equal() {
    let unions = compile_list(&list(&["k", "l"], NO_DEFAULTS));
    let old = json!([{"k": "x", "l": "y"}, {"k": "y", "l": "x"}, {"k": "x"}, {"l": "x"}, {"k": "xy", "l": ""}]);
    assert_partner(&unions, old.clone(), json!({"k": "x", "l": "y"}), Some(0));
    assert_partner(&unions, old.clone(), json!({"k": "y", "l": "x"}), Some(1));
    assert_partner(&unions, old.clone(), json!({"k": "x"}), None);
    assert_partner(&unions, old.clone(), json!({"k": "x", "l": null}), None);
    assert_partner(&unions, old, json!({"k": "", "l": "xy"}), None);
    let unions = compile_list(&list(&["k", "l"], [None, Some(json!("TCP"))]));
    let old = json!([{"k": 80}, {"k": 80, "l": "UDP"}]);
    assert_partner(&unions, old.clone(), json!({"k": 80, "l": "TCP"}), Some(0));
    assert_partner(&unions, old.clone(), json!({"k": 80}), Some(0));
    assert_partner(&unions, old, json!({"l": "UDP", "k": 80}), Some(1));
}

#[test]
fn lists_of_other_types_are_not_correlated() {
    let old = json!([{"k": "x"}, {"k": "y"}]);
    for list_type in ["set", "atomic", "Map"] {
        let mut list = list(&["k"], NO_DEFAULTS);
        list["x-kubernetes-list-type"] = list_type.into();
        assert_partner(&compile_list(&list), old.clone(), json!({"k": "x"}), None);
    }
    let plain = json!({"items": choice()});
    assert_partner(&compile_list(&plain), old.clone(), json!({"k": "x"}), None);
    let keys_alone = json!({"items": choice(), "x-kubernetes-list-map-keys": ["a"]});
    assert_partner(&compile_list(&keys_alone), old, json!({"a": 1}), None);
    // The type of the list may be in a schema that is combined with the schema of the list.
    let mut combined = list(&["k"], NO_DEFAULTS);
    combined = json!({"allOf": [{"type": "array"}, combined]});
    assert_partner(
        &compile_list(&combined),
        json!([{}, {"k": "x"}]),
        json!({"k": "x"}),
        Some(1),
    );
}

#[test]
fn an_old_value_of_another_type_has_no_elements() {
    let unions = compile_list(&list(&["k"], NO_DEFAULTS));
    for old in [
        json!(null),
        json!("x"),
        json!({"k": "x"}),
        json!({"0": {"k": "x"}}),
        json!(5),
    ] {
        assert_partner(&unions, old, json!({"k": "x"}), None);
    }
    assert_partner(
        &unions,
        json!(["x", null, [{"k": "x"}], {"k": "x"}]),
        json!({"k": "x"}),
        Some(3),
    );
}

#[test]
fn fields_of_the_schema_are_paired_by_name() {
    let schema = json!({
        "properties": {"spec": choice(), "other": {"additionalProperties": true}},
        "additionalProperties": choice(),
    });
    let unions =
        Unions::compile(SchemaSource::Schema(&schema)).expect("a well-formed schema or document");
    let odd = json!({"type": "odd"});
    let verdict = |old: Value, new: Value| -> String {
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
        verdict(json!({"spec": odd}), json!({"spec": odd})),
        "1 tolerated"
    );
    assert_eq!(
        verdict(json!({"other": odd}), json!({"spec": odd})),
        "spec.type"
    );
    assert_eq!(
        verdict(json!({"x.y": odd}), json!({"x.y": odd})),
        "1 tolerated"
    );
    assert_eq!(verdict(json!({"x": odd}), json!({"y": odd})), "[y].type");
    for old in [
        json!({}),
        json!({"spec": null}),
        json!({"spec": "odd"}),
        json!({"spec": [odd]}),
        json!([odd]),
        json!(null),
    ] {
        assert_eq!(verdict(old, json!({"spec": odd})), "spec.type");
    }
    // A value that the schema does not describe has no unions.
    assert_eq!(
        verdict(json!({}), json!({"other": {"type": "odd"}})),
        "0 tolerated"
    );
}

#[test]
fn values_below_an_unpaired_element_are_unpaired() {
    let mut inner = list(&["k"], NO_DEFAULTS);
    inner["items"]["properties"]["list"] = list(&["k"], NO_DEFAULTS);
    let unions = compile_list(&inner);
    let odd = json!({"k": "x", "type": "odd"});
    let nested = |key: &str| json!({"list": [{"k": key, "type": "B", "list": [odd]}]});
    let update = |old: &Value, new: &Value| {
        unions
            .validate_update(new, old, &Settings::default())
            .is_accepted()
    };
    assert!(update(&nested("p"), &nested("p")));
    assert!(!update(&nested("p"), &nested("q")));
}

/// Generates keys of an old element. Different keys are often equal, or nearly equal.
fn key() -> impl Strategy<Value = Option<Value>> {
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

fn element() -> impl Strategy<Value = Value> {
    (key(), key()).prop_map(|(k, l)| {
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
fn oracle(
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
    fn random_lists_are_paired_like_the_oracle(
        old in proptest::collection::vec(element(), 0..6),
        new in element(),
        keys in proptest::sample::select(vec![vec!["k"], vec!["l"], vec!["k", "l"], vec!["l", "k"]]),
        defaults in [key(), key()],
    ) {
        let unions = compile_list(&list(&keys, defaults.clone()));
        let expected = oracle(&keys, &defaults, &old, &new);
        prop_assert_eq!(find_partner(&unions, &old.into(), &new), expected);
    }
}
