//! Random objects with values and members that this build does not know.

use proptest::prelude::*;
use serde_json::{Map, Number, Value, json};

/// Generates any JSON value.
fn anything() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        any::<u64>().prop_map(Value::from),
        any::<f64>().prop_map(|float| Number::from_f64(float).map_or(Value::Null, Value::from)),
        ".{0,6}".prop_map(Value::from),
    ];
    leaf.prop_recursive(3, 12, 4, |inner| {
        prop_oneof![
            proptest::collection::vec(inner.clone(), 0..4).prop_map(Value::from),
            proptest::collection::btree_map(".{0,4}", inner, 0..4)
                .prop_map(|map| Value::Object(map.into_iter().collect())),
        ]
    })
}

/// Generates known values, values of newer servers, and values that differ from known values only
/// in case.
fn kind() -> impl Strategy<Value = String> {
    let kinds = [
        "Alpha", "Beta", "Gamma", "GAMMA", "Delta", "", "alpha", "kind", "rest",
    ];
    prop_oneof![
        4 => proptest::sample::select(&["Alpha", "Beta", "Nothing"][..]).prop_map(str::to_owned),
        4 => proptest::sample::select(kinds.to_vec()).prop_map(str::to_owned),
        1 => ".{0,4}",
    ]
}

/// Generates names that match an unknown value, ignoring case, and names that match no value.
fn unknown_name() -> impl Strategy<Value = String> {
    let names = [
        "gamma", "Gamma", "gAMMA", "delta", "rest", "others", "cache", "Alpha", "BETA", "KIND", "",
        "é",
    ];
    prop_oneof![
        6 => proptest::sample::select(names.to_vec()).prop_map(str::to_owned),
        1 => "[a-z]{1,3}",
    ]
}

/// Generates objects of a union that the type can read.
pub(crate) fn choice() -> impl Strategy<Value = Value> {
    let alpha = proptest::option::of(any::<u32>());
    let beta = proptest::option::of(proptest::collection::vec("[a-z]{0,3}", 0..3));
    let unknown = proptest::collection::btree_map(unknown_name(), anything(), 0..4);
    (kind(), alpha, beta, unknown).prop_map(|(kind, alpha, beta, unknown)| {
        let mut object: Map<String, Value> = unknown.into_iter().collect();
        object.insert("kind".to_owned(), kind.into());
        for (name, value) in [
            ("alpha", alpha.map(Value::from)),
            ("beta", beta.map(Value::from)),
        ] {
            object.remove(name);
            // A null on a known member means that the member is unset, and is not written back.
            if let Some(value) = value {
                object.insert(name.to_owned(), value);
            }
        }
        object.into()
    })
}

fn element() -> impl Strategy<Value = Value> {
    let name = proptest::sample::select(&["a", "b", "c"][..]);
    let note = proptest::option::of("[a-z]{0,3}");
    (name, note, choice()).prop_map(|(name, note, mut choice)| {
        choice["name"] = name.into();
        if let Some(note) = note {
            choice["note"] = note.into();
        } else if let Some(choice) = choice.as_object_mut() {
            choice.remove("note");
        }
        choice
    })
}

pub(crate) fn nested_unions() -> impl Strategy<Value = Value> {
    let elements = proptest::collection::vec(element(), 0..4);
    let map = proptest::collection::btree_map("[ab.]{0,2}", choice(), 0..3);
    let plain = proptest::collection::vec(choice(), 0..3);
    let maybe = proptest::option::of(choice());
    (choice(), maybe, elements, map, plain).prop_map(|(one, maybe, by_name, map, plain)| {
        let mut nested_unions =
            json!({ "one": one, "byName": by_name, "map": map, "plain": plain });
        if let Some(maybe) = maybe {
            nested_unions["maybe"] = maybe;
        }
        nested_unions
    })
}

/// Generates an old object and a new object that differs in the discriminator, in one member, or in
/// everything.
pub(crate) fn choices() -> impl Strategy<Value = (Value, Value)> {
    prop_oneof![
        (choice(), choice()),
        (choice(), kind()).prop_map(|(old, kind)| {
            let mut new = old.clone();
            new["kind"] = kind.into();
            (old, new)
        }),
        (choice(), unknown_name(), anything()).prop_map(|(old, name, value)| {
            let mut new = old.clone();
            new[name] = value;
            (old, new)
        }),
    ]
}

/// Returns a configuration with many cases, because the objects are small.
pub(crate) fn config(cases: u32) -> ProptestConfig {
    ProptestConfig {
        failure_persistence: None,
        ..ProptestConfig::with_cases(cases)
    }
}
