//! Tests of enums that structs without `derive(Union)` flatten: no unknown field is lost silently,
//! in whatever place the enum is.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use union_runtime::{RawUnion, Union, UnionEnum};

macro_rules! enums {
    ($module:ident $($flattened:tt)*) => {
        mod $module {
            use super::*;

            #[derive(UnionEnum, Clone, Debug, PartialEq)]
            #[union(discriminator = "type", schema = false $($flattened)*)]
            pub(super) enum Target {
                None,
                Disk(String),
                #[union(other)]
                Other(RawUnion),
            }

            #[derive(UnionEnum, Clone, Debug, PartialEq)]
            #[union(undiscriminated, schema = false $($flattened)*)]
            pub(super) enum Access {
                Nobody,
                Owner(String),
                #[union(other)]
                Other(RawUnion),
            }

            #[derive(UnionEnum, Clone, Debug, PartialEq)]
            #[union(undiscriminated, schema = false $($flattened)*)]
            pub(super) enum Source {
                Claim(String),
                #[union(other)]
                Other(RawUnion),
            }
        }
    };
}

enums!(undeclared);
enums!(own, flattened = "own_fields");
enums!(all, flattened = "all_fields");

#[derive(Serialize, Deserialize)]
struct Alone<T> {
    name: String,
    #[serde(flatten)]
    union: T,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Denying<T> {
    name: String,
    #[serde(flatten)]
    union: T,
}

#[derive(Serialize, Deserialize)]
struct WithMap<T> {
    name: String,
    #[serde(flatten)]
    union: T,
    #[serde(flatten)]
    rest: BTreeMap<String, Value>,
}

#[derive(Serialize, Deserialize)]
struct AfterMembers<T> {
    #[serde(flatten)]
    first: Members,
    #[serde(flatten)]
    union: T,
}

#[derive(Serialize, Deserialize)]
struct Members {
    name: String,
}

#[derive(Serialize, Deserialize)]
struct Two<T, U> {
    name: String,
    #[serde(flatten)]
    first: T,
    #[serde(flatten)]
    second: U,
}

#[derive(Serialize, Deserialize)]
struct Ordinary<T> {
    name: String,
    union: T,
}

#[derive(Serialize, Deserialize)]
struct Twice<T> {
    kind: String,
    #[serde(flatten)]
    inner: Alone<T>,
}

#[derive(Serialize, Deserialize)]
#[serde(tag = "kind")]
enum Tagged<T> {
    A(Alone<T>),
}

#[derive(Serialize, Deserialize)]
#[serde(untagged)]
enum Untagged<T> {
    Number(u8),
    Struct(Alone<T>),
}

/// The result of reading an object and writing it back.
#[derive(Debug, PartialEq)]
enum RoundTrip {
    Unchanged,
    /// An error of the read, or of the write.
    Fails,
}

/// Reads the object from a string and writes it back. The string must not have duplicate fields,
/// and must be equal to the string of the object.
fn round_trip<T: Serialize + for<'de> Deserialize<'de>>(object: &Value) -> RoundTrip {
    let parsed: Vec<Result<T, serde_json::Error>> = vec![
        serde_json::from_str(&object.to_string()),
        serde_json::from_value(object.clone()),
    ];
    let mut results = parsed.into_iter().map(|parsed| {
        let written = parsed.and_then(|value| serde_json::to_string(&value));
        let Ok(written) = written else {
            return RoundTrip::Fails;
        };
        // serde's derive reports a field that is written twice.
        let value: Value = serde_json::from_str(&written).expect("JSON");
        assert_eq!(value, *object, "{}", std::any::type_name::<T>());
        assert_eq!(written.len(), object.to_string().len(), "{written}");
        RoundTrip::Unchanged
    });
    let first = results.next().expect("two results");
    assert_eq!(results.next(), Some(first), "a string and a value differ");
    match serde_json::from_value::<T>(object.clone()).map(|value| serde_json::to_value(&value)) {
        Ok(Ok(_)) => RoundTrip::Unchanged,
        _ => RoundTrip::Fails,
    }
}

fn unknown() -> Value {
    json!({"name": "n", "type": "Tape", "tape": 7})
}

fn known() -> Value {
    json!({"name": "n", "type": "Disk", "disk": "d"})
}

fn unknown_member() -> Value {
    json!({"name": "n", "tape": 7})
}

fn known_member() -> Value {
    json!({"name": "n", "owner": "o"})
}

fn in_field(object: &Value) -> Value {
    let mut union = object.clone();
    let name = union.as_object_mut().and_then(|union| union.remove("name"));
    json!({"name": name, "union": union})
}

fn with_kind(object: &Value) -> Value {
    let mut object = object.clone();
    object["kind"] = "A".into();
    object
}

use RoundTrip::{Fails, Unchanged};

/// Checks each place with each declaration of the enum. A declared enum keeps its unknown fields,
/// or the struct keeps or rejects the fields.
#[test]
fn an_unknown_value_is_kept_or_an_error_in_each_place() {
    let object = unknown();
    // An ordinary field keeps everything.
    let field = in_field(&object);
    assert_eq!(
        round_trip::<Ordinary<undeclared::Target>>(&field),
        Unchanged
    );
    assert_eq!(round_trip::<Ordinary<own::Target>>(&field), Unchanged);
    assert_eq!(round_trip::<Ordinary<all::Target>>(&field), Unchanged);
    assert_eq!(
        round_trip::<Ordinary<Option<undeclared::Target>>>(&field),
        Unchanged
    );
    assert_eq!(
        round_trip::<Ordinary<Box<undeclared::Target>>>(&field),
        Unchanged
    );
    let list = json!({"name": "n", "union": [field["union"].clone()]});
    assert_eq!(
        round_trip::<Ordinary<Vec<undeclared::Target>>>(&list),
        Unchanged
    );
    let map = json!({"name": "n", "union": {"a": field["union"].clone()}});
    assert_eq!(
        round_trip::<Ordinary<BTreeMap<String, undeclared::Target>>>(&map),
        Unchanged
    );
    // An undeclared enum is not written.
    assert_eq!(round_trip::<Alone<undeclared::Target>>(&object), Fails);
    assert_eq!(
        round_trip::<Alone<Option<undeclared::Target>>>(&object),
        Fails
    );
    assert_eq!(round_trip::<Alone<Box<undeclared::Target>>>(&object), Fails);
    assert_eq!(round_trip::<Denying<undeclared::Target>>(&object), Fails);
    assert_eq!(round_trip::<WithMap<undeclared::Target>>(&object), Fails);
    assert_eq!(
        round_trip::<AfterMembers<undeclared::Target>>(&object),
        Fails
    );
    assert_eq!(
        round_trip::<Two<undeclared::Target, own::Access>>(&object),
        Fails
    );
    assert_eq!(
        round_trip::<Twice<undeclared::Target>>(&with_kind(&object)),
        Fails
    );
    assert_eq!(
        round_trip::<Tagged<undeclared::Target>>(&with_kind(&object)),
        Fails
    );
    assert_eq!(round_trip::<Untagged<undeclared::Target>>(&object), Fails);
    // With `own_fields`, the struct keeps or rejects the field.
    assert_eq!(round_trip::<WithMap<own::Target>>(&object), Unchanged);
    assert_eq!(round_trip::<WithMap<Box<own::Target>>>(&object), Unchanged);
    assert_eq!(
        round_trip::<WithMap<Option<own::Target>>>(&object),
        Unchanged
    );
    assert_eq!(round_trip::<Denying<own::Target>>(&object), Fails);
    // With `all_fields`, the enum keeps the field.
    assert_eq!(round_trip::<Alone<all::Target>>(&object), Unchanged);
    assert_eq!(round_trip::<Alone<Option<all::Target>>>(&object), Unchanged);
    assert_eq!(round_trip::<Alone<Box<all::Target>>>(&object), Unchanged);
    assert_eq!(round_trip::<AfterMembers<all::Target>>(&object), Unchanged);
    assert_eq!(
        round_trip::<Two<own::Access, all::Target>>(&object),
        Unchanged
    );
    assert_eq!(
        round_trip::<Twice<all::Target>>(&with_kind(&object)),
        Unchanged
    );
    assert_eq!(
        round_trip::<Tagged<all::Target>>(&with_kind(&object)),
        Unchanged
    );
    assert_eq!(round_trip::<Untagged<all::Target>>(&object), Unchanged);
    let list = json!([object.clone(), known(), object]);
    assert_eq!(round_trip::<Vec<Alone<all::Target>>>(&list), Unchanged);
    assert_eq!(round_trip::<Vec<Alone<undeclared::Target>>>(&list), Fails);
}

#[test]
fn a_known_value_is_unchanged_in_each_place() {
    let object = known();
    assert_eq!(
        round_trip::<Ordinary<undeclared::Target>>(&in_field(&object)),
        Unchanged
    );
    assert_eq!(round_trip::<Alone<undeclared::Target>>(&object), Unchanged);
    assert_eq!(round_trip::<Alone<own::Target>>(&object), Unchanged);
    assert_eq!(round_trip::<Alone<all::Target>>(&object), Unchanged);
    assert_eq!(round_trip::<Alone<Option<all::Target>>>(&object), Unchanged);
    assert_eq!(
        round_trip::<Denying<undeclared::Target>>(&object),
        Unchanged
    );
    assert_eq!(round_trip::<Denying<own::Target>>(&object), Unchanged);
    assert_eq!(
        round_trip::<WithMap<undeclared::Target>>(&object),
        Unchanged
    );
    assert_eq!(round_trip::<WithMap<own::Target>>(&object), Unchanged);
    let both = json!({"name": "n", "type": "Disk", "disk": "d", "owner": "o"});
    assert_eq!(
        round_trip::<Two<undeclared::Target, undeclared::Access>>(&both),
        Unchanged
    );
    assert_eq!(
        round_trip::<Two<own::Target, own::Access>>(&both),
        Unchanged
    );
    assert_eq!(
        round_trip::<Two<own::Target, all::Access>>(&both),
        Unchanged
    );
    let mut with_rest = object;
    with_rest["label"] = 1.into();
    assert_eq!(
        round_trip::<WithMap<undeclared::Target>>(&with_rest),
        Unchanged
    );
    assert_eq!(round_trip::<WithMap<own::Target>>(&with_rest), Unchanged);
}

#[test]
fn an_unknown_member_is_kept_or_an_error_in_each_place() {
    let object = unknown_member();
    for result in [
        round_trip::<Ordinary<undeclared::Access>>(&in_field(&object)),
        round_trip::<Ordinary<undeclared::Source>>(&in_field(&object)),
        round_trip::<Alone<all::Access>>(&object),
        round_trip::<Alone<all::Source>>(&object),
        round_trip::<WithMap<own::Access>>(&object),
        round_trip::<WithMap<own::Source>>(&object),
        round_trip::<Alone<undeclared::Access>>(&known_member()),
    ] {
        assert_eq!(result, Unchanged);
    }
    for result in [
        round_trip::<Alone<undeclared::Access>>(&object),
        round_trip::<Alone<undeclared::Source>>(&object),
        round_trip::<WithMap<undeclared::Access>>(&object),
        round_trip::<WithMap<undeclared::Source>>(&object),
        round_trip::<Denying<own::Source>>(&object),
    ] {
        assert_eq!(result, Fails);
    }
}

#[test]
fn the_error_names_the_enum_and_both_remedies() {
    let parent: Alone<undeclared::Target> =
        serde_json::from_value(unknown()).expect("the object is read");
    assert_eq!(parent.union.discriminator(), Some("Tape"));
    let expected = "unknown fields may be lost, because a struct flattens `Target`; write \
         `#[union(flattened = \"all_fields\")]` on `Target`, or `flattened = \"own_fields\"` if the \
         struct keeps or rejects unknown fields itself";
    let error = serde_json::to_value(&parent).expect_err("`tape` would be lost");
    assert_eq!(error.to_string(), expected);
    // An empty union and an unknown member have the same own fields.
    let error = serde_json::from_value::<Alone<undeclared::Access>>(json!({"name": "n"}));
    assert_eq!(
        error.map(|_| ()).expect_err("not declared").to_string(),
        expected.replace("Target", "Access")
    );
}

/// Checks that a struct with `derive(Union)` needs no map if the enum reads all fields.
#[test]
fn an_inlined_enum_may_keep_all_fields() {
    #[derive(Union, Serialize, Deserialize)]
    struct Parent {
        name: String,
        #[union(inline)]
        #[serde(flatten)]
        target: all::Target,
    }
    assert_eq!(round_trip::<Parent>(&unknown()), Unchanged);
    let parent: Parent = serde_json::from_value(unknown()).expect("the object is read");
    assert!(!parent.validate_unions().is_accepted());
    let mut new: Parent =
        serde_json::from_value(json!({"name": "n", "type": "Disk", "disk": "d", "tape": 7}))
            .expect("the object is read");
    let _ = new.normalize_unions(Some(&parent), &union_runtime::Settings::default());
    assert_eq!(serde_json::to_value(&new).expect("JSON"), known());
}
