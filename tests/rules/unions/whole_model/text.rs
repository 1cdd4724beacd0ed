//! Tests of the examples in the 2019 text, as types.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use union_runtime::{EnumType, Settings, Union, Violation, schema_for};

use crate::unions::whole_model::states::{as_json, read};

/// The first example: "This will generate one union, with two fields and a discriminator."
#[derive(Union, Serialize, Deserialize, JsonSchema, Clone, Debug)]
#[serde(rename_all = "camelCase")]
#[union(all_members)]
#[schemars(transform = union_runtime::add_unions::<Union1>)]
struct Union1 {
    #[union(discriminator, deduce)]
    #[serde(default)]
    union_type: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    field_a: Option<i32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    field_b: Option<i32>,
}

/// The second example: "This also generates one union, with two fields and on discriminator."
#[derive(Union, Serialize, Deserialize, JsonSchema, Clone, Debug)]
#[schemars(transform = union_runtime::add_unions::<Union2>)]
struct Union2 {
    #[union(discriminator, deduce)]
    r#type: String,
    #[union(member)]
    #[serde(skip_serializing_if = "Option::is_none")]
    alpha: Option<i32>,
    #[union(member)]
    #[serde(skip_serializing_if = "Option::is_none")]
    beta: Option<i32>,
}

/// The part of `InlinedUnion` that is declared in the struct itself: "One for the fields that are
/// directly embedded".
#[derive(Union, Serialize, Deserialize, JsonSchema, Clone, Debug)]
#[schemars(transform = union_runtime::add_unions::<Embedded>)]
struct Embedded {
    name: String,
    #[union(member, group = fields)]
    #[serde(skip_serializing_if = "Option::is_none")]
    field1: Option<i32>,
    #[union(member, group = fields)]
    #[serde(skip_serializing_if = "Option::is_none")]
    field2: Option<i32>,
}

/// A union with `all_members` and without a discriminator. A field that is not in JSON is not a
/// member.
#[derive(Union, Serialize, Deserialize, JsonSchema, Clone, Debug, Default)]
#[union(all_members)]
#[schemars(transform = union_runtime::add_unions::<AllMembers>)]
struct AllMembers {
    #[serde(skip)]
    cache: u8,
    #[serde(skip_serializing_if = "Option::is_none")]
    one: Option<Vec<u8>>,
    #[union(member = "TheSecond")]
    #[serde(skip_serializing_if = "Option::is_none")]
    two: Option<Box<u8>>,
}

/// A union of the 2022 model with `all_members`.
#[derive(Union, Serialize, Deserialize, JsonSchema, Clone, Debug)]
#[union(all_members)]
#[schemars(transform = union_runtime::add_unions::<AllMembersSelected>)]
struct AllMembersSelected {
    #[serde(skip_serializing_if = "Option::is_none")]
    first: Option<u8>,
    #[union(discriminator)]
    which: Selection,
    #[union(member, optional)]
    #[serde(skip_serializing_if = "Option::is_none")]
    second: Option<u8>,
}

#[derive(EnumType, Serialize, Deserialize, JsonSchema, Clone, Debug)]
enum Selection {
    First,
    Second,
}

fn listed_unions<T: JsonSchema>() -> Value {
    schema_for::<T>().as_value()["x-kubernetes-unions"].clone()
}

/// Updates `old` to `new`, and returns the stored object.
pub(crate) fn update<T: Union + Serialize + for<'de> Deserialize<'de>>(
    old: Value,
    new: Value,
) -> Value {
    let (old, mut new): (T, T) = (read(old), read(new));
    let report = new.admit_unions(Some(&old), &Settings::default());
    assert!(report.is_accepted(), "the intent is clear: {report}");
    as_json(&new)
}

#[test]
fn union_of_the_text_is_one_union_with_two_fields_and_a_discriminator() {
    let fields = json!({"fieldA": "FieldA", "fieldB": "FieldB"});
    let unions = json!([{"discriminator": "unionType", "fields-to-discriminateBy": fields}]);
    assert_eq!(listed_unions::<Union1>(), unions);
    let (old, new) = (
        json!({"unionType": "FieldA", "fieldA": 1}),
        json!({"fieldA": 1, "fieldB": 2}),
    );
    assert_eq!(
        update::<Union1>(old, new),
        json!({"unionType": "FieldB", "fieldB": 2})
    );
}

#[test]
fn paths_are_names_in_json() {
    let old: Union1 = read(json!({"unionType": "FieldA", "fieldA": 1}));
    let mut new: Union1 = read(json!({"unionType": "FieldA", "fieldA": 1, "fieldB": 2}));
    let report = new.validate_unions();
    let paths: Vec<_> = report.errors().iter().map(Violation::path).collect();
    assert_eq!(paths, ["fieldB"]);
    assert_eq!(
        new.normalize_unions(Some(&old), &Settings::default())
            .to_string(),
        "fieldA: cleared\nunionType: set"
    );
}

#[test]
fn union2_of_the_text_is_one_union_with_two_fields_and_a_discriminator() {
    let fields = json!({"alpha": "Alpha", "beta": "Beta"});
    let unions = json!([{"discriminator": "type", "fields-to-discriminateBy": fields}]);
    assert_eq!(listed_unions::<Union2>(), unions);
    let (old, new) = (
        json!({"type": "Alpha", "alpha": 1}),
        json!({"type": "Beta", "alpha": 1}),
    );
    assert_eq!(update::<Union2>(old, new), json!({"type": "Beta"}));
}

#[test]
fn embedded_fields_of_the_text_are_one_union_without_a_discriminator() {
    let fields = json!({"field1": "Field1", "field2": "Field2"});
    assert_eq!(
        listed_unions::<Embedded>(),
        json!([{"fields-to-discriminateBy": fields}])
    );
    let (old, new) = (
        json!({"name": "n", "field1": 1}),
        json!({"name": "n", "field1": 1, "field2": 2}),
    );
    assert_eq!(
        update::<Embedded>(old, new),
        json!({"name": "n", "field2": 2})
    );
}

#[test]
fn all_members_without_a_discriminator_are_a_union_without_one() {
    let fields = json!({"one": "One", "two": "TheSecond"});
    assert_eq!(
        listed_unions::<AllMembers>(),
        json!([{"fields-to-discriminateBy": fields}])
    );
    let with_both = AllMembers {
        cache: 7,
        one: Some(Vec::new()),
        two: Some(Box::default()),
    };
    let old = AllMembers {
        one: Some(vec![1]),
        ..AllMembers::default()
    };
    let mut new = with_both.clone();
    assert_eq!(
        new.normalize_unions(Some(&old), &Settings::default())
            .to_string(),
        "one: cleared"
    );
    assert_eq!(
        (new.cache, new.one, new.two),
        (7, None, Some(Box::default()))
    );
    // Both are set, though empty.
    let report = with_both.validate_unions();
    assert!(report.to_string().contains("{one, two}"), "{report}");
}

#[test]
fn all_members_beside_a_discriminator_that_selects_are_its_members() {
    assert_eq!(listed_unions::<AllMembersSelected>(), Value::Null);
    let read = read::<AllMembersSelected>;
    assert!(
        read(json!({"which": "First", "first": 1}))
            .validate_unions()
            .is_accepted()
    );
    assert!(
        !read(json!({"which": "First"}))
            .validate_unions()
            .is_accepted()
    );
    assert!(
        read(json!({"which": "Second"}))
            .validate_unions()
            .is_accepted()
    );
    assert!(
        !read(json!({"which": "Second", "first": 1}))
            .validate_unions()
            .is_accepted()
    );
}
