//! Tests of the schema hook on types of other shapes: generic types, recursive types, types with
//! lifetimes, and types with every attribute that renames.

use std::borrow::Cow;

use schemars::generate::SchemaSettings;
use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use union_runtime::{EnumType, Union, add_unions, schema_for};

use crate::{alpha_beta, property, rule_texts, rules_of};

#[derive(EnumType, Serialize, Deserialize, Clone, JsonSchema)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
enum Kind {
    Alpha,
    Beta,
    None,
}

#[derive(Union, Serialize, Deserialize, JsonSchema)]
#[schemars(transform = add_unions::<Self>)]
struct Generic<A, B>
where
    B: Clone,
{
    #[union(discriminator)]
    r#type: Kind,
    #[union(member)]
    #[serde(skip_serializing_if = "Option::is_none")]
    alpha: Option<A>,
    #[union(member)]
    #[serde(skip_serializing_if = "Option::is_none")]
    beta: Option<Vec<B>>,
}

#[test]
fn a_generic_struct() {
    assert_eq!(
        property::<Generic<i32, String>>("type")["x-kubernetes-unions"],
        alpha_beta()
    );
    assert_eq!(rule_texts::<Generic<i32, String>>().len(), 2);
    let nested = property::<Generic<Generic<i32, bool>, String>>("alpha");
    assert_eq!(
        nested["properties"]["type"]["x-kubernetes-unions"],
        alpha_beta(),
        "{nested:#}"
    );
}

#[derive(Union, Serialize, Deserialize, JsonSchema)]
#[schemars(transform = add_unions::<Fixed<N>>)]
struct Fixed<const N: usize> {
    #[union(discriminator)]
    r#type: Kind,
    #[union(member)]
    #[serde(skip_serializing_if = "Option::is_none")]
    alpha: Option<String>,
    #[union(member)]
    #[serde(skip_serializing_if = "Option::is_none")]
    beta: Option<String>,
}

#[test]
fn a_struct_with_a_const_parameter() {
    assert_eq!(
        property::<Fixed<3>>("type")["x-kubernetes-unions"],
        alpha_beta()
    );
}

#[derive(Union, Serialize, Deserialize, JsonSchema)]
#[schemars(transform = add_unions::<Borrowed<'a>>)]
struct Borrowed<'a> {
    #[union(discriminator)]
    r#type: Kind,
    #[union(member)]
    #[serde(borrow, skip_serializing_if = "Option::is_none")]
    alpha: Option<Cow<'a, str>>,
    #[union(member)]
    #[serde(skip_serializing_if = "Option::is_none")]
    beta: Option<i32>,
}

#[test]
fn a_struct_with_a_lifetime() {
    assert_eq!(
        property::<Borrowed<'_>>("type")["x-kubernetes-unions"],
        alpha_beta()
    );
}

#[derive(Union, Serialize, Deserialize, JsonSchema)]
#[schemars(transform = add_unions::<Tree>)]
struct Tree {
    #[union(discriminator)]
    r#type: Kind,
    #[union(member)]
    #[serde(skip_serializing_if = "Option::is_none")]
    alpha: Option<Box<Tree>>,
    #[union(member, optional)]
    #[serde(skip_serializing_if = "Option::is_none")]
    beta: Option<Vec<Tree>>,
}

#[test]
fn a_recursive_struct_refers_to_itself() {
    let generator = SchemaSettings::draft2020_12().into_generator();
    for (schema, end) in [
        (generator.into_root_schema_for::<Tree>(), "$ref"),
        (schema_for::<Tree>(), "x-kubernetes-preserve-unknown-fields"),
    ] {
        let schema = schema.to_value();
        assert_eq!(rules_of(&schema).len(), 2, "{schema:#}");
        assert_eq!(schema["properties"]["type"]["type"], "string");
        assert!(schema["properties"]["beta"].to_string().contains(end));
    }
}

/// A union with every attribute that renames or hides a field.
#[derive(Union, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(transform = add_unions::<Renamed>, rename = "Choice", title = "A choice")]
struct Renamed {
    /// The discriminator.
    #[union(discriminator)]
    the_kind: Kind,
    #[union(member = "ALPHA")]
    #[serde(rename = "alpha-member", skip_serializing_if = "Option::is_none")]
    alpha: Option<i32>,
    #[union(member = "BETA")]
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Option<String>")]
    beta_member: Option<i32>,
    #[serde(skip)]
    #[expect(dead_code, reason = "it is there to be absent from the schema")]
    skipped: Option<i32>,
    #[schemars(skip)]
    hidden: Option<i32>,
}

#[test]
fn names_are_those_of_the_json() {
    let schema = schema_for::<Renamed>().to_value();
    assert_eq!(
        schema["properties"]["theKind"]["x-kubernetes-unions"],
        json!({ "fieldMembers": {
            "ALPHA": { "name": "alpha-member", "optional": false },
            "BETA": { "name": "betaMember", "optional": false },
            "NONE": null,
        } })
    );
    assert_eq!(
        rules_of(&schema)
            .iter()
            .map(|rule| &rule["fieldPath"])
            .collect::<Vec<_>>(),
        [&json!("['alpha-member']"), &json!(".betaMember")]
    );
    assert_eq!(schema["title"], "A choice");
    assert_eq!(
        schema["properties"].as_object().map(serde_json::Map::len),
        Some(3)
    );
}

#[test]
fn a_member_of_another_schema_stays_one() {
    let beta = property::<Renamed>("betaMember");
    assert_eq!(beta, json!({ "type": "string", "nullable": true }));
}

/// A union whose discriminator has another schema. The values come from the enum type.
#[derive(Union, Serialize, Deserialize, JsonSchema)]
#[schemars(transform = add_unions::<With>)]
struct With {
    #[union(discriminator)]
    #[schemars(with = "String")]
    by_string: Kind,
    #[union(member)]
    #[serde(skip_serializing_if = "Option::is_none")]
    alpha: Option<i32>,
}

#[derive(Union, Serialize, Deserialize, JsonSchema)]
#[schemars(transform = add_unions::<SchemaWith>)]
struct SchemaWith {
    #[union(discriminator)]
    #[schemars(schema_with = "anything")]
    by_function: Kind,
    #[union(member)]
    #[serde(skip_serializing_if = "Option::is_none")]
    alpha: Option<i32>,
}

fn anything(_: &mut SchemaGenerator) -> Schema {
    Schema::default()
}

#[test]
fn a_discriminator_of_another_schema_gets_its_values() {
    for (property, rules) in [
        (property::<With>("by_string"), rule_texts::<With>()),
        (
            property::<SchemaWith>("by_function"),
            rule_texts::<SchemaWith>(),
        ),
    ] {
        assert_eq!(property["type"], "string");
        assert_eq!(property["enum"], json!(["ALPHA", "BETA", "NONE"]));
        assert_eq!(rules.len(), 1);
    }
}

/// A union whose discriminator has the schema `true`. The hook replaces it by an object.
#[derive(Union, Serialize, Deserialize, JsonSchema)]
#[schemars(transform = add_unions::<Anything>)]
struct Anything {
    #[union(discriminator)]
    #[schemars(with = "Value")]
    kind: Kind,
    #[union(member)]
    #[serde(skip_serializing_if = "Option::is_none")]
    alpha: Option<i32>,
}

#[test]
fn a_discriminator_whose_schema_is_true_gets_its_values() {
    let property = property::<Anything>("kind");
    assert_eq!(property["enum"], json!(["ALPHA", "BETA", "NONE"]));
    assert_eq!(property["type"], "string");
}

/// A union whose discriminator has the schema `false`, which accepts no value.
#[derive(Union, Serialize, Deserialize, JsonSchema)]
#[schemars(transform = add_unions::<Nothing>)]
struct Nothing {
    #[union(discriminator)]
    #[schemars(schema_with = "nothing")]
    kind: Kind,
    #[union(member)]
    #[serde(skip_serializing_if = "Option::is_none")]
    alpha: Option<i32>,
}

fn nothing(_: &mut SchemaGenerator) -> Schema {
    Schema::from(false)
}

#[test]
fn the_schema_false_stays() {
    let schema = schemars::schema_for!(Nothing);
    assert_eq!(schema.as_value()["properties"]["kind"], json!(false));
}
