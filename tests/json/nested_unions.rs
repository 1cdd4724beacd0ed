//! Tests of random objects that contain objects with unions, in every way that a type allows, on
//! both sides.

use std::collections::{BTreeMap, HashMap};

use proptest::prelude::*;
use proptest::test_runner::TestRunner;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};
use union_runtime::Union;

use crate::agree::{Comparison, Model, State};
use crate::models::{Kind, OptionalDiscriminator};

/// An element with two unions, two keys, and further nested unions.
#[derive(Union, Serialize, Deserialize, JsonSchema, Clone, Debug)]
#[schemars(transform = union_runtime::add_unions::<Item>)]
struct Item {
    #[union(member, discriminated_by = kind)]
    #[serde(skip_serializing_if = "Option::is_none")]
    alpha: Option<u8>,
    #[union(member, discriminated_by = kind, optional)]
    #[serde(skip_serializing_if = "Option::is_none")]
    beta: Option<u8>,
    #[union(nested)]
    #[serde(skip_serializing_if = "Option::is_none")]
    inner: Option<Box<Inner>>,
    #[union(discriminator)]
    kind: Kind,
    #[union(member, group = pair)]
    #[serde(skip_serializing_if = "Option::is_none")]
    left: Option<u8>,
    #[union(key)]
    #[serde(skip_serializing_if = "Option::is_none")]
    name: Option<String>,
    #[union(key)]
    #[serde(skip_serializing_if = "Option::is_none")]
    port: Option<i64>,
    #[union(member, group = pair)]
    #[serde(skip_serializing_if = "Option::is_none")]
    right: Option<u8>,
}

#[derive(Union, Serialize, Deserialize, JsonSchema, Clone, Debug)]
#[schemars(transform = union_runtime::add_unions::<Inner>)]
struct Inner {
    #[union(member)]
    #[serde(skip_serializing_if = "Option::is_none")]
    fast: Option<u8>,
    #[union(discriminator, deduce)]
    #[serde(skip_serializing_if = "Option::is_none")]
    mode: Option<String>,
    #[union(nested, list_map_keys("switch"))]
    #[serde(skip_serializing_if = "Option::is_none")]
    parts: Option<Vec<Part>>,
    #[union(member)]
    #[serde(skip_serializing_if = "Option::is_none")]
    slow: Option<u8>,
}

#[derive(Union, Serialize, Deserialize, JsonSchema, Clone, Debug)]
#[schemars(transform = union_runtime::add_unions::<Part>)]
struct Part {
    #[union(inline)]
    #[serde(flatten)]
    perhaps: Option<OptionalDiscriminator>,
    #[union(key)]
    switch: bool,
}

#[derive(Union, Serialize, Deserialize, JsonSchema, Clone, Debug)]
#[serde(rename_all = "camelCase")]
#[schemars(transform = union_runtime::add_unions::<NestedUnions>)]
struct NestedUnions {
    #[union(inline)]
    #[serde(flatten)]
    perhaps: OptionalDiscriminator,
    #[union(nested, list_map_keys("name", "port"))]
    by_both: Vec<Item>,
    #[union(nested, list_map_keys("name"))]
    #[serde(skip_serializing_if = "Option::is_none")]
    by_name: Option<Vec<Item>>,
    #[union(nested)]
    #[serde(default)]
    hash: HashMap<String, Item>,
    #[union(nested)]
    #[serde(default)]
    map: BTreeMap<String, Item>,
    #[union(nested)]
    #[serde(default)]
    maps: BTreeMap<String, Vec<BTreeMap<String, Item>>>,
    #[union(nested)]
    #[serde(default)]
    plain: Vec<Item>,
    #[union(nested)]
    #[serde(skip_serializing_if = "Option::is_none")]
    single: Option<Box<Item>>,
}

impl Model for NestedUnions {}

/// A recursive type.
#[derive(Union, Serialize, Deserialize, JsonSchema, Clone, Debug)]
#[schemars(transform = union_runtime::add_unions::<Tree>)]
struct Tree {
    /// A member with a union of its own.
    #[union(member, nested)]
    #[serde(skip_serializing_if = "Option::is_none")]
    alpha: Option<Box<Tree>>,
    #[union(member)]
    #[serde(skip_serializing_if = "Option::is_none")]
    beta: Option<u8>,
    #[union(discriminator)]
    kind: Kind,
    #[union(key)]
    #[serde(skip_serializing_if = "Option::is_none")]
    name: Option<String>,
    #[union(nested, list_map_keys("name"))]
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    trees: Vec<Tree>,
}

impl Model for Tree {}

fn object(fields: impl IntoIterator<Item = (&'static str, Option<Value>)>) -> Value {
    let fields = fields.into_iter();
    let fields = fields.filter_map(|(name, value)| Some((name.to_owned(), value?)));
    fields.collect::<Map<String, Value>>().into()
}

fn one_of(values: &[Value]) -> BoxedStrategy<Value> {
    proptest::sample::select(values.to_vec()).boxed()
}

/// Generates an absent value, null, or one of the values.
fn optional_value(values: &[Value]) -> BoxedStrategy<Option<Value>> {
    let values = values.to_vec();
    prop_oneof![
        4 => Just(None),
        1 => Just(Some(Value::Null)),
        4 => proptest::sample::select(values).prop_map(Some),
    ]
    .boxed()
}

fn member() -> BoxedStrategy<Option<Value>> {
    optional_value(&[json!(1), json!(2)])
}

fn kind() -> BoxedStrategy<Value> {
    one_of(&["Alpha", "Beta", "Nothing", "Tape"].map(Value::from))
}

fn name() -> BoxedStrategy<Option<Value>> {
    optional_value(&["a", "b", "c", ""].map(Value::from))
}

fn part() -> impl Strategy<Value = Value> {
    let kind = optional_value(&["Alpha", "Beta"].map(Value::from));
    (any::<bool>(), kind, member(), member()).prop_map(|(switch, kind, alpha, beta)| {
        let switch = Some(switch.into());
        object([
            ("switch", switch),
            ("kind", kind),
            ("alpha", alpha),
            ("beta", beta),
        ])
    })
}

fn inner() -> impl Strategy<Value = Value> {
    let mode = optional_value(&["Fast", "Slow", "", "Odd"].map(Value::from));
    let parts = proptest::option::of(proptest::collection::vec(part(), 0..4));
    (mode, member(), member(), parts).prop_map(|(mode, fast, slow, parts)| {
        let parts = parts.map(Value::from);
        object([
            ("mode", mode),
            ("fast", fast),
            ("slow", slow),
            ("parts", parts),
        ])
    })
}

fn item() -> impl Strategy<Value = Value> {
    let port = optional_value(&[json!(1), json!(2)]);
    let members = [member(), member(), member(), member()];
    let inner = proptest::option::weighted(0.3, inner());
    (name(), port, kind(), members, inner).prop_map(|(name, port, kind, members, inner)| {
        let [alpha, beta, left, right] = members;
        object([
            ("name", name),
            ("port", port),
            ("kind", Some(kind)),
            ("alpha", alpha),
            ("beta", beta),
            ("left", left),
            ("right", right),
            ("inner", inner),
        ])
    })
}

fn list() -> impl Strategy<Value = Value> {
    proptest::collection::vec(item(), 0..5).prop_map(Value::from)
}

fn map() -> impl Strategy<Value = Value> {
    proptest::collection::btree_map("[ab.~/]{0,2}", item(), 0..4)
        .prop_map(|map| map.into_iter().collect())
}

fn maps() -> impl Strategy<Value = Value> {
    let lists = proptest::collection::vec(map(), 0..2).prop_map(Value::from);
    proptest::collection::btree_map("[ab]", lists, 0..2).prop_map(|map| map.into_iter().collect())
}

const FIELDS: [&str; 7] = ["byBoth", "byName", "hash", "map", "maps", "plain", "single"];

fn arbitrary_object() -> impl Strategy<Value = Value> {
    let fields = (list(), list(), map(), map(), maps(), list(), item());
    (proptest::option::of(kind()), member(), member(), fields).prop_map(
        |(kind, alpha, beta, (both, name, hash, map, maps, plain, single))| {
            let mut result = object([("kind", kind), ("alpha", alpha), ("beta", beta)]);
            let values = [both, name, hash, map, maps, plain, single];
            for (field, value) in FIELDS.iter().zip(values) {
                result[*field] = value;
            }
            result
        },
    )
}

/// Generates an old object, and a new object that results from edits of the old object.
fn old_and_new() -> impl Strategy<Value = (Value, Value)> {
    let edits =
        proptest::collection::vec((0..FIELDS.len(), any::<u8>(), any::<u8>(), item()), 0..8);
    let fields = (
        proptest::option::of(kind()),
        member(),
        0..FIELDS.len(),
        arbitrary_object(),
    );
    (arbitrary_object(), edits, fields).prop_map(|(old, edits, (kind, alpha, other, another))| {
        let mut new = old.clone();
        for (field, from, to, item) in edits {
            let field = FIELDS[field];
            edit(field, &mut new[field], from.into(), to.into(), item);
        }
        for (field, value) in [("kind", kind), ("alpha", alpha)] {
            match value {
                Some(value) => new[field] = value,
                None => drop(new.as_object_mut().map(|new| new.remove(field))),
            }
        }
        new[FIELDS[other]] = another[FIELDS[other]].clone();
        (old, new)
    })
}

/// Edits a list, a map, maps of lists of maps, or an item.
fn edit(field: &str, value: &mut Value, from: usize, to: usize, item: Value) {
    match (field, value) {
        ("single", single) => edit_item(single, &item),
        ("maps", Value::Object(maps)) => {
            for lists in maps.values_mut().take(1) {
                edit("", lists, from, to, json!({"a": item}));
            }
        }
        (_, Value::Object(entries)) => {
            let count = entries.len().max(1);
            match entries.values_mut().nth(to % count) {
                Some(entry) => edit_item(entry, &item),
                None => drop(entries.insert("a".to_owned(), item)),
            }
        }
        (_, Value::Array(elements)) => {
            let count = elements.len();
            if count == 0 || from < 60 {
                elements.insert(to % (count + 1), item);
            } else if from < 120 || field.is_empty() {
                elements.swap(from % count, to % count);
            } else {
                edit_item(&mut elements[to % count], &item);
            }
        }
        (_, other) => panic!("neither a list nor a map: {other}"),
    }
}

/// Replaces the union of an item. Its keys and its other fields stay.
fn edit_item(edited_item: &mut Value, item: &Value) {
    for field in ["kind", "alpha", "left"] {
        match item.get(field) {
            Some(value) => edited_item[field] = value.clone(),
            None => drop(edited_item.as_object_mut().map(|item| item.remove(field))),
        }
    }
}

fn tree() -> impl Strategy<Value = Value> {
    let node = |trees: Option<Vec<Value>>| {
        (name(), kind(), any::<bool>(), member()).prop_map(move |(name, kind, is_set, beta)| {
            let alpha = trees.iter().flatten().next().filter(|_| is_set).cloned();
            object([
                ("name", name),
                ("kind", Some(kind)),
                ("alpha", alpha),
                ("beta", beta),
                ("trees", trees.clone().map(Value::from)),
            ])
        })
    };
    node(None).prop_recursive(5, 40, 4, move |trees| {
        proptest::collection::vec(trees, 0..4).prop_flat_map(move |trees| node(Some(trees)))
    })
}

fn read_state<T: Model>(json: &Value) -> State<T> {
    State::read(json).unwrap_or_else(|| panic!("invalid JSON of a state: {json}"))
}

/// Runs a test on random values of a type, with one engine for all values.
fn check<T: Model, S: Strategy>(values: &S, test: impl Fn(&Comparison<T>, S::Value)) {
    let comparison = Comparison::new();
    let config = ProptestConfig {
        failure_persistence: None,
        ..ProptestConfig::with_cases(400)
    };
    let result = TestRunner::new(config).run(values, |value| {
        test(&comparison, value);
        Ok(())
    });
    result.unwrap_or_else(|error| panic!("{error}"));
}

#[test]
fn typed_and_json_results_agree_on_creates() {
    check::<NestedUnions, _>(&arbitrary_object(), |comparison, new| {
        comparison.assert_same_results(&read_state(&new), None);
    });
}

#[test]
fn typed_and_json_results_agree_on_updates() {
    check::<NestedUnions, _>(&old_and_new(), |comparison, (old, new)| {
        comparison.assert_same_results(&read_state(&new), Some(&read_state(&old)));
    });
}

#[test]
fn typed_and_json_results_agree_on_applies() {
    check::<NestedUnions, _>(
        &(old_and_new(), arbitrary_object()),
        |comparison, ((live, merged), applied)| {
            let [live, merged, applied] = [live, merged, applied].map(|json| read_state(&json));
            comparison.assert_same_apply_result(&applied, Some(&live), &merged);
            comparison.assert_same_apply_result(&merged, Some(&live), &merged);
            comparison.assert_same_apply_result(&applied, None, &merged);
        },
    );
}

#[test]
fn typed_and_json_results_agree_on_recursive_types() {
    check::<Tree, _>(&(tree(), tree()), |comparison, (old, new)| {
        let [old, new] = [read_state(&old), read_state(&new)];
        comparison.assert_same_results(&new, Some(&old));
        comparison.assert_same_results(&new, None);
        comparison.assert_same_results(&old, Some(&new));
    });
}

/// The type and the engine compare the inner lists differently, because only the engine sees the
/// null. The lists belong to elements with the same key at different indexes.
#[test]
fn a_null_in_a_list_of_a_moved_element_is_left_to_the_tests_without_ratcheting() {
    let old = json!({"kind": "Nothing", "trees": [
        {"kind": "Alpha", "name": "c"},
        {"kind": "Nothing", "name": "a", "trees": [{"kind": "Alpha"}]},
    ]});
    let new = json!({"kind": "Nothing", "trees": [
        {"kind": "Nothing", "name": "a", "trees": [{"beta": null, "kind": "Alpha"}]},
    ]});
    let comparison = Comparison::<Tree>::new();
    comparison.assert_same_results(&read_state(&new), Some(&read_state(&old)));
}
