//! Tests of the four structs of the section "Go tags" of the 2019 text, with the same names and
//! fields.

use std::slice::from_ref;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use union_runtime::schema_for;
use union_runtime::spec::{DiscriminatorSpec, MemberSpec, UnionSpec, UnionType};

use crate::unions::nested::answer::{create, update};

/// The first struct of the section: "This will have one embedded union."
#[derive(union_runtime::Union, Serialize, Deserialize, JsonSchema)]
#[schemars(transform = union_runtime::add_unions::<TopLevelUnion>)]
struct TopLevelUnion {
    name: String,
    #[union(inline)]
    #[serde(flatten)]
    union: Union,
}

/// The second struct of the section: "This will generate one union, with two fields and a
/// discriminator."
#[derive(union_runtime::Union, Serialize, Deserialize, JsonSchema)]
#[union(all_members)]
#[serde(rename_all = "camelCase")]
#[schemars(transform = union_runtime::add_unions::<Union>)]
#[expect(clippy::struct_field_names)] // as the KEP names them
struct Union {
    #[union(discriminator, deduce)]
    #[serde(default, skip_serializing_if = "String::is_empty")]
    union_type: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    field_a: Option<i32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    field_b: Option<i32>,
}

/// The third struct of the section: "This also generates one union, with two fields and on
/// discriminator."
#[derive(union_runtime::Union, Serialize, Deserialize, JsonSchema)]
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

/// The fourth struct of the section: "This has 3 embedded unions: One for the fields that are
/// directly embedded, one for Union, and one for Union2."
#[derive(union_runtime::Union, Serialize, Deserialize, JsonSchema)]
#[schemars(transform = union_runtime::add_unions::<InlinedUnion>)]
struct InlinedUnion {
    name: String,
    #[union(member, group = direct)]
    #[serde(skip_serializing_if = "Option::is_none")]
    field1: Option<i32>,
    #[union(member, group = direct)]
    #[serde(skip_serializing_if = "Option::is_none")]
    field2: Option<i32>,
    #[union(inline)]
    #[serde(flatten)]
    union: Union,
    #[union(inline)]
    #[serde(flatten)]
    union2: Union2,
}

/// Returns the discriminator and the members of each union of a type.
fn unions<T: UnionType>() -> Vec<(Option<&'static str>, Vec<&'static str>)> {
    let mut unions = Vec::new();
    T::visit_unions(&mut |union: &'static UnionSpec<'static>| {
        let members = union.members();
        unions.push((
            union.discriminator().map(DiscriminatorSpec::name),
            members.map(MemberSpec::name).collect(),
        ));
    });
    unions
}

/// Returns the unions that the schema of a type lists.
fn listed_unions<T: JsonSchema>() -> Value {
    schema_for::<T>().as_value()["x-kubernetes-unions"].clone()
}

#[test]
fn each_struct_has_the_unions_of_the_kep() {
    let union = (Some("unionType"), vec!["fieldA", "fieldB"]);
    let union2 = (Some("type"), vec!["alpha", "beta"]);
    assert_eq!(unions::<TopLevelUnion>(), from_ref(&union));
    assert_eq!(unions::<Union>(), from_ref(&union));
    assert_eq!(unions::<Union2>(), from_ref(&union2));
    let direct_union = (None, vec!["field1", "field2"]);
    assert_eq!(unions::<InlinedUnion>(), [direct_union, union, union2]);
}

#[test]
fn the_schema_lists_each_union_of_the_kep_once() {
    let union = json!({
        "discriminator": "unionType",
        "fields-to-discriminateBy": {"fieldA": "FieldA", "fieldB": "FieldB"},
    });
    let union2 = json!({
        "discriminator": "type",
        "fields-to-discriminateBy": {"alpha": "Alpha", "beta": "Beta"},
    });
    let direct_union = json!({
        "fields-to-discriminateBy": {"field1": "Field1", "field2": "Field2"},
    });
    assert_eq!(listed_unions::<TopLevelUnion>(), json!([union]));
    assert_eq!(listed_unions::<Union>(), json!([union]));
    assert_eq!(listed_unions::<Union2>(), json!([union2]));
    let mut inlined_unions = listed_unions::<InlinedUnion>();
    let inlined_unions = inlined_unions.as_array_mut().expect("a list");
    inlined_unions.sort_by_key(ToString::to_string);
    let mut expected = vec![direct_union, union, union2];
    expected.sort_by_key(ToString::to_string);
    assert_eq!(*inlined_unions, expected);
}

#[test]
fn each_of_the_three_unions_follows_its_members() {
    let old = json!({"name": "n", "field1": 1, "unionType": "FieldA", "fieldA": 1, "type": "Alpha", "alpha": 1});
    let new = json!({
        "name": "n", "field1": 1, "field2": 2,
        "unionType": "FieldA", "fieldA": 1, "fieldB": 2,
        "type": "Alpha", "alpha": 1, "beta": 2,
    });
    let answer = update::<InlinedUnion>(&old, &new);
    assert_eq!(
        answer.object,
        json!({"name": "n", "field2": 2, "unionType": "FieldB", "fieldB": 2, "type": "Beta", "beta": 2})
    );
    let mut changes = answer.changes.clone();
    changes.sort();
    let expected = [
        "alpha: cleared",
        "field1: cleared",
        "fieldA: cleared",
        "type: set",
        "unionType: set",
    ];
    assert_eq!(changes, expected);
    assert_eq!(answer.errors, [""; 0]);
}

#[test]
fn a_create_with_two_members_in_three_unions_has_three_errors() {
    let new = json!({
        "name": "n", "field1": 1, "field2": 2,
        "fieldA": 1, "fieldB": 2,
        "type": "", "alpha": 1, "beta": 2,
    });
    let answer = create::<InlinedUnion>(&new);
    answer.assert_lines(&[], &["", "", ""], &[]);
    let new = json!({"name": "n", "fieldA": 1});
    let answer = create::<TopLevelUnion>(&new);
    answer.assert_lines(&["unionType: set"], &[], &[]);
    assert_eq!(
        answer.object,
        json!({"name": "n", "unionType": "FieldA", "fieldA": 1})
    );
}
