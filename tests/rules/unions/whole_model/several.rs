//! Tests of several unions in one struct: each union is normalized and validated as if it were the
//! only union.

use proptest::prelude::*;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};
use union_runtime::spec::{MemberSpec, UnionSpec, UnionType as _};
use union_runtime::{Change, ChangeKind, EnumType, Ratchet, Settings, Union, Violation};

use crate::unions::whole_model::states::{as_json, read};

#[derive(EnumType, Serialize, Deserialize, JsonSchema, Clone, Debug)]
#[schemars(transform = union_runtime::add_enum::<Kind>)]
enum Kind {
    A,
    B,
    None,
    #[enum_type(other)]
    #[serde(untagged)]
    Unknown(String),
}

#[derive(EnumType, Serialize, Deserialize, JsonSchema, Clone, Debug)]
#[schemars(transform = union_runtime::add_enum::<Mode>)]
enum Mode {
    Slow,
    Fast,
    #[enum_type(other)]
    #[serde(untagged)]
    Unknown(String),
}

/// A struct with a union of each kind, whose members are mixed with each other and with ordinary
/// fields. One discriminator has a raw name.
#[derive(Union, Serialize, Deserialize, JsonSchema, Clone, Debug)]
#[union(exactly_one(one))]
#[schemars(transform = union_runtime::add_unions::<Whole>)]
struct Whole {
    name: String,
    #[union(member, discriminated_by = r#type)]
    #[serde(skip_serializing_if = "Option::is_none")]
    a: Option<u8>,
    #[union(member, group = pair)]
    #[serde(skip_serializing_if = "Option::is_none")]
    left: Option<u8>,
    #[union(discriminator, deduce)]
    #[serde(skip_serializing_if = "Option::is_none")]
    mode: Option<Mode>,
    #[union(member, group = one)]
    #[serde(skip_serializing_if = "Option::is_none")]
    x: Option<u8>,
    #[union(member, group = r#pair)]
    #[serde(skip_serializing_if = "Option::is_none")]
    right: Option<u8>,
    #[union(discriminator)]
    r#type: Kind,
    #[union(member, discriminated_by = mode)]
    #[serde(skip_serializing_if = "Option::is_none")]
    fast: Option<u8>,
    #[serde(skip_serializing_if = "Option::is_none")]
    replicas: Option<u8>,
    #[union(member, discriminated_by = mode)]
    #[serde(skip_serializing_if = "Option::is_none")]
    slow: Option<u8>,
    #[union(member, optional, discriminated_by = type)]
    #[serde(skip_serializing_if = "Option::is_none")]
    b: Option<u8>,
    #[union(member, group = one)]
    #[serde(skip_serializing_if = "Option::is_none")]
    y: Option<u8>,
}

#[derive(Union, Serialize, Deserialize, Clone, Debug)]
struct Typed {
    #[union(discriminator)]
    r#type: Kind,
    #[union(member)]
    #[serde(skip_serializing_if = "Option::is_none")]
    a: Option<u8>,
    #[union(member, optional)]
    #[serde(skip_serializing_if = "Option::is_none")]
    b: Option<u8>,
}

#[derive(Union, Serialize, Deserialize, Clone, Debug)]
#[union(all_members)]
struct Pair {
    #[serde(skip_serializing_if = "Option::is_none")]
    left: Option<u8>,
    #[serde(skip_serializing_if = "Option::is_none")]
    right: Option<u8>,
}

#[derive(Union, Serialize, Deserialize, Clone, Debug)]
#[union(all_members)]
struct WithMode {
    #[union(discriminator, deduce)]
    #[serde(skip_serializing_if = "Option::is_none")]
    mode: Option<Mode>,
    #[serde(skip_serializing_if = "Option::is_none")]
    fast: Option<u8>,
    #[serde(skip_serializing_if = "Option::is_none")]
    slow: Option<u8>,
}

#[derive(Union, Serialize, Deserialize, Clone, Debug)]
#[union(all_members, exactly_one)]
struct One {
    #[serde(skip_serializing_if = "Option::is_none")]
    x: Option<u8>,
    #[serde(skip_serializing_if = "Option::is_none")]
    y: Option<u8>,
}

/// The result of a request for a type.
#[derive(Debug, Default, PartialEq)]
struct Answer {
    normalized: Map<String, Value>,
    changes: Vec<(String, ChangeKind)>,
    errors: Vec<Violation>,
    ratcheted: Vec<Violation>,
}

/// Returns the result of a request.
fn answer<T>(new: &Value, old: Option<&Value>, ratchet: Ratchet) -> Answer
where
    T: Union + Serialize + for<'de> Deserialize<'de>,
{
    let mut value: T = read(new.clone());
    let old: Option<T> = old.map(|old| read(old.clone()));
    let settings = Settings::default().ratchet(ratchet);
    let changes = value.normalize_unions(old.as_ref(), &Settings::default());
    let change = |change: &Change| (change.path().to_string(), change.kind());
    let changes = changes.iter().map(change).collect();
    let report = match &old {
        Some(old) => value.validate_unions_update(old, &settings),
        None => value.validate_unions(),
    };
    let normalized = as_json(&value);
    Answer {
        normalized: normalized.as_object().expect("a struct is one").clone(),
        changes,
        errors: report.errors().to_vec(),
        ratcheted: report.tolerated().to_vec(),
    }
}

/// Returns the combined results for the parts. The unions are in the order of their first fields.
fn answer_of_parts(new: &Value, old: Option<&Value>, ratchet: Ratchet) -> Answer {
    let parts = [
        answer::<Typed>(new, old, ratchet),
        answer::<Pair>(new, old, ratchet),
        answer::<WithMode>(new, old, ratchet),
        answer::<One>(new, old, ratchet),
    ];
    let mut combined_answer = Answer::default();
    for field in ["name", "replicas"] {
        if let Some(value) = new.get(field) {
            combined_answer
                .normalized
                .insert(field.to_owned(), value.clone());
        }
    }
    for part in parts {
        combined_answer.normalized.extend(part.normalized);
        combined_answer.changes.extend(part.changes);
        combined_answer.errors.extend(part.errors);
        combined_answer.ratcheted.extend(part.ratcheted);
    }
    combined_answer
}

/// Returns the errors of an update without tolerated errors.
fn errors_without_ratchet(new: &Whole, old: &Whole) -> Vec<Violation> {
    let settings = Settings::default().ratchet(Ratchet::Off);
    let report = new.validate_unions_update(old, &settings);
    report.errors().to_vec()
}

fn objects() -> impl Strategy<Value = Value> {
    let types = proptest::sample::select(vec!["A", "B", "None", "Unheard"]);
    let modes = vec![None, Some("Fast"), Some("Slow"), Some("Unheard")];
    let names = proptest::sample::select(vec!["one", "two"]);
    (types, proptest::sample::select(modes), names, 0..512_u32).prop_map(
        |(r#type, mode, name, mask)| {
            let mut object = json!({"type": r#type, "name": name});
            if let Some(mode) = mode {
                object["mode"] = mode.into();
            }
            let fields = [
                "a", "b", "left", "right", "fast", "slow", "x", "y", "replicas",
            ];
            for (index, field) in fields.into_iter().enumerate() {
                if mask & 1 << index != 0 {
                    object[field] = index.into();
                }
            }
            object
        },
    )
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(3000) })]

    #[test]
    fn each_union_of_a_create_is_validated(new in objects()) {
        let whole = answer::<Whole>(&new, None, Ratchet::SameReason);
        prop_assert_eq!(whole, answer_of_parts(&new, None, Ratchet::SameReason));
    }

    #[test]
    fn each_union_of_an_update_is_validated(new in objects(), old in objects()) {
        for ratchet in [Ratchet::SameReason, Ratchet::Off] {
            let whole = answer::<Whole>(&new, Some(&old), ratchet);
            prop_assert_eq!(whole, answer_of_parts(&new, Some(&old), ratchet));
        }
    }

    #[test]
    fn errors_of_all_unions_of_an_unchanged_struct_are_tolerated(old in objects(), name in "one|two") {
        let mut new = old.clone();
        new["name"] = name.into();
        let (value, old_value): (Whole, Whole) = (read(new.clone()), read(old.clone()));
        let all_errors = errors_without_ratchet(&value, &old_value);
        let settings = Settings::default().ratchet(Ratchet::Unchanged);
        let report = value.validate_unions_update(&old_value, &settings);
        if report.is_accepted() {
            prop_assert_eq!(report.tolerated(), all_errors.as_slice());
            prop_assert!(new == old || all_errors.is_empty(), "an ordinary field changed");
        } else {
            prop_assert!(new != old && report.tolerated().is_empty());
            prop_assert_eq!(report.errors(), all_errors.as_slice());
        }
    }
}

#[test]
fn unions_are_in_the_order_of_their_first_fields() {
    let members = |union: &UnionSpec<'static>| -> Vec<&str> {
        union.members().map(MemberSpec::name).collect()
    };
    let unions: Vec<Vec<&str>> = Whole::unions().iter().map(members).collect();
    assert_eq!(
        unions,
        [["a", "b"], ["left", "right"], ["fast", "slow"], ["x", "y"]]
    );
}

#[test]
fn every_union_of_a_request_is_normalized_and_validated() {
    let old: Whole = read(
        json!({"name": "n", "type": "A", "a": 1, "left": 1, "mode": "Fast", "fast": 1, "x": 1}),
    );
    let mut new: Whole = read(json!({
        "name": "m", "type": "None", "a": 1, "left": 1, "right": 2, "mode": "Fast", "slow": 2, "x": 1, "y": 2,
    }));
    let report = new.admit_unions(Some(&old), &Settings::default());
    assert!(report.is_accepted(), "the intent is clear");
    let changes = ["a: cleared", "left: cleared", "mode: set", "x: cleared"];
    assert_eq!(report.changes().to_string(), changes.join("\n"));
    assert_eq!(
        as_json(&new),
        json!({"name": "m", "type": "None", "right": 2, "mode": "Slow", "slow": 2, "y": 2}),
    );
}
