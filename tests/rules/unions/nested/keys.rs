//! Tests of the types of list map keys: strings, integers, bools, enum types, and `Option`s of
//! these types; and of a key that is also the discriminator.

use std::cell::Cell;

use schemars::JsonSchema;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use union_runtime::spec::{Key, KeyField, Keyed as _};
use union_runtime::{EnumType, Settings, Union};

use crate::unions::nested::answer::{read, update};
use crate::unions::nested::types::{Choice, Kind};

#[derive(EnumType, Serialize, Deserialize, JsonSchema, Clone)]
#[schemars(transform = union_runtime::add_enum::<Protocol>)]
enum Protocol {
    #[serde(rename = "TCP")]
    Tcp,
    #[serde(rename = "UDP")]
    Udp,
    #[enum_type(other)]
    #[serde(untagged)]
    Unknown(String),
}

/// An element with one key of the type `K`.
#[derive(Union, Serialize, Deserialize)]
#[union(schema = false)]
struct ElementWithKey<K: KeyField> {
    #[union(key)]
    #[serde(rename = "theKey")]
    key: K,
    #[union(inline)]
    #[serde(flatten)]
    choice: Choice,
}

macro_rules! lists {
    ($($list:ident: $key:ty;)*) => {$(
        #[derive(Union, Serialize, Deserialize)]
        struct $list {
            #[union(nested, list_map_keys("theKey"))]
            list: Vec<ElementWithKey<$key>>,
        }
    )*};
}

lists! {
    StringKeys: String;
    BoolKeys: bool;
    EnumKeys: Protocol;
    I8Keys: i8;
    U64Keys: u64;
    I64Keys: i64;
    OptionalKeys: Option<u16>;
    NestedOptionalKeys: Option<Option<Protocol>>;
    BoxedKeys: Box<Protocol>;
}

/// Returns the indexes of the `new` keys that are correlated with an element of `old`.
#[track_caller]
fn correlated_indexes<T: Union + Serialize + DeserializeOwned>(
    old: &[Value],
    new: &[Value],
) -> Vec<usize> {
    let list_of = |keys: &[Value], choice: &Value| {
        let elements = keys.iter().map(|key| {
            let mut element = choice.clone();
            element["theKey"] = key.clone();
            element
        });
        json!({ "list": elements.collect::<Vec<_>>() })
    };
    let old = list_of(old, &json!({"kind": "Alpha", "alpha": 1}));
    let new = list_of(new, &json!({"kind": "Beta", "alpha": 1, "beta": 1}));
    let answer = update::<T>(&old, &new);
    let elements = answer.object["list"].as_array().expect("a list");
    (0..elements.len())
        .filter(|index| elements[*index].get("alpha").is_none())
        .collect()
}

#[test]
fn a_string_is_a_key() {
    let (old, new) = (
        [json!("a"), json!("1")],
        [json!("1"), json!("A"), json!("a")],
    );
    assert_eq!(correlated_indexes::<StringKeys>(&old, &new), [0, 2]);
}

#[test]
fn a_bool_is_a_key() {
    let new = [json!(false), json!(true)];
    assert_eq!(correlated_indexes::<BoolKeys>(&[json!(true)], &new), [1]);
}

#[test]
fn an_integer_is_a_key_at_both_ends_of_its_range() {
    let (old, new) = ([json!(-128), json!(5)], [json!(127), json!(5), json!(-128)]);
    assert_eq!(correlated_indexes::<I8Keys>(&old, &new), [1, 2]);
    let (old, new) = (
        [json!(u64::MAX)],
        [json!(0), json!(u64::MAX), json!(u32::MAX)],
    );
    assert_eq!(correlated_indexes::<U64Keys>(&old, &new), [1]);
    let (old, new) = ([json!(i64::MIN)], [json!(i64::MAX), json!(i64::MIN)]);
    assert_eq!(correlated_indexes::<I64Keys>(&old, &new), [1]);
}

#[test]
fn the_string_of_an_enum_value_is_a_key_even_if_the_value_is_unknown() {
    let (old, new) = (
        [json!("TCP"), json!("QUIC")],
        [json!("UDP"), json!("QUIC"), json!("TCP")],
    );
    assert_eq!(correlated_indexes::<EnumKeys>(&old, &new), [1, 2]);
    assert_eq!(correlated_indexes::<BoxedKeys>(&old, &new), [1, 2]);
}

#[test]
fn an_element_whose_optional_key_is_null_is_never_paired() {
    let (old, new) = ([Value::Null, json!(80)], [Value::Null, json!(80), json!(0)]);
    assert_eq!(correlated_indexes::<OptionalKeys>(&old, &new), [1]);
    let (old, new) = ([Value::Null, json!("TCP")], [json!("TCP"), Value::Null]);
    assert_eq!(correlated_indexes::<NestedOptionalKeys>(&old, &new), [0]);
}

#[test]
fn keys_have_their_names_in_json() {
    assert_eq!(ElementWithKey::<String>::KEYS, ["theKey"]);
    let element: ElementWithKey<u16> = read(&json!({"theKey": 80, "kind": "Nothing"}));
    assert_eq!(element.key(0), Some(Key::Integer(80)));
    assert_eq!(element.key(1), None);
}

/// A list whose key is the discriminator, such as a list of conditions with one element per type.
#[derive(Union, Serialize, Deserialize, JsonSchema)]
#[schemars(transform = union_runtime::add_unions::<ByKind>)]
struct ByKind {
    #[union(nested, list_map_keys("kind"))]
    list: Vec<KeyedChoice>,
}

#[derive(Union, Serialize, Deserialize, JsonSchema)]
#[schemars(transform = union_runtime::add_unions::<KeyedChoice>)]
struct KeyedChoice {
    #[union(key, discriminator)]
    kind: Kind,
    #[union(member)]
    #[serde(skip_serializing_if = "Option::is_none")]
    alpha: Option<i32>,
    #[union(member)]
    #[serde(skip_serializing_if = "Option::is_none")]
    beta: Option<i32>,
}

#[test]
fn a_discriminator_that_is_the_key_never_changes() {
    let old =
        json!({"list": [{"kind": "Alpha", "alpha": 1}, {"kind": "Beta", "beta": 1, "alpha": 1}]});
    let new = json!({"list": [{"kind": "Beta", "beta": 1, "alpha": 1}, {"kind": "Alpha", "alpha": 1, "beta": 1}]});
    update::<ByKind>(&old, &new).assert_lines(&[], &["list[1].beta"], &["list[0].alpha"]);
}

/// An element type with a const parameter, which its parent passes on.
#[derive(Union, Serialize, Clone)]
struct SizedElement<const N: usize> {
    #[union(key)]
    name: String,
}

#[derive(Union, Serialize)]
struct SizedElements<const N: usize> {
    #[union(nested, list_map_keys("name"))]
    list: Vec<SizedElement<N>>,
}

#[test]
fn elements_may_have_a_const_parameter() {
    let element = SizedElement::<3> {
        name: "a".to_owned(),
    };
    let elements = SizedElements::<3> {
        list: vec![element.clone()],
    };
    assert_eq!(element.name, "a");
    assert!(elements.validate_unions().is_accepted());
}

thread_local! {
    static READ_COUNT: Cell<usize> = const { Cell::new(0) };
}

/// A key type that counts how often its value is read.
#[derive(Serialize, Deserialize)]
struct CountedKey(u32);

impl KeyField for CountedKey {
    fn key(&self) -> Option<Key<'_>> {
        READ_COUNT.set(READ_COUNT.get() + 1);
        Some(Key::Integer(self.0.into()))
    }
}

#[derive(Union, Serialize, Deserialize)]
struct Group {
    #[union(key)]
    name: String,
    #[union(nested, list_map_keys("theKey"))]
    list: Vec<ElementWithKey<CountedKey>>,
}

#[derive(Union, Serialize, Deserialize)]
struct Groups {
    #[union(nested, list_map_keys("name"))]
    groups: Vec<Group>,
}

/// Checks that the number of key reads grows linearly with the number of duplicates: all elements
/// with one key are correlated with one old element, and the lists in that element are indexed only
/// once.
#[test]
fn duplicates_are_correlated_in_linear_time() {
    let count_reads = |count: usize| {
        let element = |key| json!({"theKey": key, "kind": "Alpha", "alpha": 1, "beta": 1});
        let group = |key_count: usize| {
            let list: Vec<Value> = (0..key_count).map(element).collect();
            json!({"name": "a", "list": list})
        };
        let old = json!({ "groups": [group(count)] });
        let new = json!({ "groups": vec![group(1); count] });
        let (old, mut new): (Groups, Groups) = (read(&old), read(&new));
        READ_COUNT.set(0);
        assert!(
            new.normalize_unions(Some(&old), &Settings::default())
                .is_empty()
        );
        let report = new.validate_unions_update(&old, &Settings::default());
        assert!(report.is_accepted(), "no error is new");
        assert_eq!(report.tolerated().len(), count);
        READ_COUNT.get()
    };
    let [reads_of_200, reads_of_400] = [200, 400].map(count_reads);
    assert!(reads_of_200 >= 200, "only {reads_of_200} keys were read");
    assert!(
        2 * reads_of_400 < 5 * reads_of_200,
        "{reads_of_200} keys read, then {reads_of_400}"
    );
}
