//! Tests of server-side apply: every applied object on every live object, compared with a plain
//! implementation of "Normalization" in `docs/design.md`.

use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};
use union_runtime::{EnumType, Report, Settings, Union, only_when};

#[derive(EnumType, Serialize, Deserialize, Clone, Debug)]
enum Kind {
    Nothing,
    Alpha,
    Beta,
    Gamma,
}

/// A union of the 2019 model, whose discriminator follows the members.
#[derive(Union, Serialize, Deserialize, Clone, Debug)]
struct Deduced {
    #[union(discriminator, deduce)]
    #[serde(skip_serializing_if = "Option::is_none")]
    kind: Option<Kind>,
    #[union(member)]
    #[serde(skip_serializing_if = "Option::is_none")]
    alpha: Option<u8>,
    #[union(member)]
    #[serde(skip_serializing_if = "Option::is_none")]
    beta: Option<u8>,
    #[union(member)]
    #[serde(skip_serializing_if = "Option::is_none")]
    gamma: Option<u8>,
}

/// A union of the 2022 model, whose discriminator selects the member.
#[derive(Union, Serialize, Deserialize, Clone, Debug)]
struct Discriminated {
    #[union(discriminator)]
    #[serde(skip_serializing_if = "Option::is_none")]
    kind: Option<Kind>,
    #[union(member)]
    #[serde(skip_serializing_if = "Option::is_none")]
    alpha: Option<u8>,
    #[union(member)]
    #[serde(skip_serializing_if = "Option::is_none")]
    beta: Option<u8>,
    #[union(member)]
    #[serde(skip_serializing_if = "Option::is_none")]
    gamma: Option<u8>,
}

/// A union without a discriminator.
#[derive(Union, Serialize, Deserialize, Clone, Debug)]
struct Grouped {
    #[union(member, group = one)]
    #[serde(skip_serializing_if = "Option::is_none")]
    alpha: Option<u8>,
    #[union(member, group = one)]
    #[serde(skip_serializing_if = "Option::is_none")]
    beta: Option<u8>,
    #[union(member, group = one)]
    #[serde(skip_serializing_if = "Option::is_none")]
    gamma: Option<u8>,
}

const MEMBERS: [(&str, &str); 3] = [("Alpha", "alpha"), ("Beta", "beta"), ("Gamma", "gamma")];
const KINDS: [Option<&str>; 5] = [
    None,
    Some("Nothing"),
    Some("Alpha"),
    Some("Beta"),
    Some("Gamma"),
];

type Object = Map<String, Value>;

/// Returns every combination of a discriminator value with a set of members.
fn objects(kinds: &[Option<&str>]) -> Vec<Object> {
    let mut objects = Vec::new();
    for kind in kinds {
        for mask in 0..8 {
            let mut object = Object::new();
            if let Some(kind) = kind {
                object.insert("kind".into(), json!(kind));
            }
            for (index, (_, member)) in MEMBERS.iter().enumerate() {
                if mask & (1 << index) != 0 {
                    object.insert((*member).into(), json!(1));
                }
            }
            objects.push(object);
        }
    }
    objects
}

/// Returns the members that are set.
fn set_members(object: &Object) -> BTreeSet<&str> {
    let members = MEMBERS.iter().map(|(_, member)| *member);
    members
        .filter(|member| object.contains_key(*member))
        .collect()
}

/// Returns the value of the discriminator.
fn kind(object: &Object) -> Option<&str> {
    object.get("kind").and_then(Value::as_str)
}

/// Returns the member that a discriminator value selects.
fn member_of(kind: &str) -> Option<&'static str> {
    let member = MEMBERS.iter().find(|(value, _)| *value == kind);
    member.map(|(_, member)| *member)
}

/// Removes all members except `member`.
fn keep_only(object: &mut Object, member: Option<&str>) {
    for (_, candidate) in MEMBERS {
        if Some(candidate) != member {
            object.remove(candidate);
        }
    }
}

/// Returns the expected object of a union of the 2019 model or without a discriminator, or `None`
/// if the applied object contradicts itself.
fn expected_deduced(applied: &Object, merged: &Object, has_kind: bool) -> Option<Object> {
    let mut expected = merged.clone();
    let applied_members = set_members(applied);
    let selected = kind(applied);
    match (applied_members.len(), selected) {
        (0, None) => {}
        (0, Some(kind)) => keep_only(&mut expected, member_of(kind)),
        (1, selected) => {
            let member = *applied_members.first()?;
            if selected.is_some_and(|kind| member_of(kind) != Some(member)) {
                return None;
            }
            keep_only(&mut expected, Some(member));
            if has_kind {
                let (value, _) = MEMBERS.iter().find(|(_, name)| *name == member)?;
                expected.insert("kind".into(), json!(value));
            }
        }
        _ => return None,
    }
    Some(expected)
}

/// Returns the expected object of a union of the 2022 model: the merged object, normalized as an
/// update of the live object.
fn expected_discriminated(live: &Object, merged: &Object) -> Object {
    let mut expected = merged.clone();
    if let Some(merged_kind) = kind(merged)
        && Some(merged_kind) != kind(live)
    {
        keep_only(&mut expected, member_of(merged_kind));
    }
    expected
}

fn read<T: for<'de> Deserialize<'de>>(object: &Object) -> T {
    serde_json::from_value(Value::Object(object.clone())).expect("the type reads all of these")
}

/// Applies every object on every live object, and returns the number of pairs and the number of
/// rejected pairs.
fn check<T>(
    kinds: &[Option<&str>],
    expected: impl Fn(&Object, &Object, &Object) -> Option<Object>,
) -> (usize, usize)
where
    T: Union + Serialize + for<'de> Deserialize<'de> + Clone,
{
    let (mut pair_count, mut rejected_count) = (0, 0);
    for live in objects(kinds) {
        for applied in objects(kinds) {
            pair_count += 1;
            let mut merged = live.clone();
            merged.extend(applied.clone());
            let mut value: T = read(&merged);
            let report = value.normalize_unions_apply(
                &read(&applied),
                Some(&read(&live)),
                &Settings::default(),
            );
            let normalized = serde_json::to_value(&value).expect("the value serializes");
            let request = format!("{applied:?} on {live:?}");
            if let Some(expected) = expected(&applied, &live, &merged) {
                assert!(report.is_accepted(), "{request}: {report}");
                let changes = report.changes();
                assert_eq!(normalized, Value::Object(expected.clone()), "{request}");
                let (members_before, members_after) =
                    (set_members(&merged), set_members(&expected));
                let removed: BTreeSet<&str> =
                    members_before.difference(&members_after).copied().collect();
                let cleared: BTreeSet<&str> = changes.cleared().map(AsRef::as_ref).collect();
                assert_eq!(cleared, removed, "{request}");
                let is_kind_changed = kind(&merged) != kind(&expected);
                assert_eq!(
                    changes.discriminators_set().eq(["kind"]),
                    is_kind_changed,
                    "{request}"
                );
            } else {
                rejected_count += 1;
                assert!(!report.is_accepted(), "{request}");
                assert_eq!(
                    normalized,
                    Value::Object(merged),
                    "{request}: what is refused stays"
                );
            }
        }
    }
    (pair_count, rejected_count)
}

#[test]
fn the_applied_object_selects_the_member_of_a_deduced_union() {
    let counts = check::<Deduced>(&KINDS, |applied, _, merged| {
        expected_deduced(applied, merged, true)
    });
    // 29 of the 40 applied objects are rejected: 4 sets of several members with each of 5
    // discriminators, and 3 sets of one member with each of 3 discriminators that do not select
    // that member.
    assert_eq!(counts, (1600, 40 * (20 + 9)));
}

#[test]
fn the_applied_object_selects_the_member_without_a_discriminator() {
    let counts = check::<Grouped>(&[None], |applied, _, merged| {
        expected_deduced(applied, merged, false)
    });
    assert_eq!(counts, (64, 8 * 4));
}

#[test]
fn in_the_2022_model_an_apply_is_an_update_of_the_live_object() {
    let counts = check::<Discriminated>(&KINDS, |_, live, merged| {
        Some(expected_discriminated(live, merged))
    });
    assert_eq!(counts, (1600, 0));
}

#[test]
fn a_rejection_names_the_contradicting_member() {
    let applied: Deduced =
        serde_json::from_value(json!({"kind": "Alpha", "beta": 1})).expect("a readable value");
    let mut merged = applied.clone();
    let report = merged.normalize_unions_apply(&applied, None, &Settings::default());
    let wording = only_when("kind", "Beta");
    let line_start = format!("beta: Invalid value: \"\": {wording}: ");
    assert!(report.to_string().starts_with(&line_start), "{report}");
}

#[test]
fn with_unions_off_an_apply_has_an_empty_report() {
    let applied: Deduced =
        serde_json::from_value(json!({"alpha": 1, "beta": 1})).expect("a readable value");
    let mut merged = applied.clone();
    let settings = Settings::default().unions(false);
    let report = merged.normalize_unions_apply(&applied, None, &settings);
    assert_eq!(report, Report::default(), "unions are not checked");
}

/// A union that requires exactly one member. An applied object may lack the member nevertheless.
#[derive(Union, Serialize, Deserialize, Clone, Debug, PartialEq)]
#[union(exactly_one(one))]
struct ExactlyOne {
    #[union(member, group = one)]
    #[serde(skip_serializing_if = "Option::is_none")]
    alpha: Option<u8>,
    #[union(member, group = one)]
    #[serde(skip_serializing_if = "Option::is_none")]
    beta: Option<u8>,
}

#[test]
fn an_applied_object_without_the_union_changes_nothing() {
    let read = |object: Value| -> ExactlyOne { serde_json::from_value(object).unwrap() };
    let (applied, live) = (read(json!({})), read(json!({"alpha": 1})));
    let mut merged = live.clone();
    let report = merged.normalize_unions_apply(&applied, Some(&live), &Settings::default());
    assert_eq!(report, Report::default());
    assert_eq!(merged, live);
}

/// A struct with a list without keys. Server-side apply replaces such a list as a whole, so its
/// elements are the applied elements.
#[derive(Union, Serialize, Deserialize, Clone, Debug)]
struct Holder {
    #[union(nested)]
    list: Vec<Deduced>,
}

#[test]
fn elements_of_a_list_without_keys_are_the_applied_elements() {
    let applied: Holder = serde_json::from_value(json!({"list": [{"alpha": 1}]})).unwrap();
    let mut merged = applied.clone();
    let report = merged.normalize_unions_apply(&applied, None, &Settings::default());
    assert!(report.is_accepted(), "{report}");
    assert_eq!(report.changes().to_string(), "list[0].kind: set");
}

/// A struct with a list with keys. Server-side apply merges such a list by the keys.
#[derive(Union, Serialize, Deserialize, Clone, Debug)]
struct KeyedHolder {
    #[union(nested, list_map_keys("name"))]
    list: Vec<Named>,
}

#[derive(Union, Serialize, Deserialize, Clone, Debug)]
struct Named {
    #[union(key)]
    name: String,
    #[union(inline)]
    #[serde(flatten)]
    union: Deduced,
}

/// The applied element decides about the merged element with its key, wherever both are in their
/// lists.
#[test]
fn elements_of_a_list_with_keys_are_paired_by_their_keys() {
    let beta = |name: &str| json!({"name": name, "kind": "Beta", "beta": 1});
    let both = |name: &str| json!({"name": name, "kind": "Beta", "alpha": 1, "beta": 1});
    let applied = |names: &[&str]| -> Value {
        let elements = names.iter().map(|name| json!({"name": name, "alpha": 1}));
        json!({"list": elements.collect::<Vec<Value>>()})
    };
    for (applied, merged, changes) in [
        (
            applied(&["a"]),
            json!([both("a"), beta("b")]),
            "list[0].kind: set\nlist[0].beta: cleared",
        ),
        (
            applied(&["b"]),
            json!([beta("a"), both("b")]),
            "list[1].kind: set\nlist[1].beta: cleared",
        ),
        (
            applied(&["b", "a"]),
            json!([both("a"), beta("c"), both("b")]),
            "list[0].kind: set\nlist[0].beta: cleared\nlist[2].kind: set\nlist[2].beta: cleared",
        ),
        (applied(&["c"]), json!([beta("a"), beta("b")]), ""),
    ] {
        let read = |object: Value| -> KeyedHolder { serde_json::from_value(object).unwrap() };
        let mut merged = read(json!({ "list": merged }));
        let live = merged.clone();
        let report =
            merged.normalize_unions_apply(&read(applied), Some(&live), &Settings::default());
        assert!(report.is_accepted(), "{report}");
        assert_eq!(report.changes().to_string(), changes);
    }
}
