//! Tests of the schema hook on types of other shapes: generic types, recursive types, types with
//! lifetimes, and types with every attribute that renames.

use std::borrow::Cow;

use schemars::generate::SchemaSettings;
use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use union_runtime::{EnumType, Union, add_unions, schema_for};

use crate::{alpha_beta_extension, cel_rules_of, property, rule_expressions};

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
fn a_generic_struct_has_the_extension_and_the_rules() {
    assert_eq!(
        property::<Generic<i32, String>>("type")["x-kubernetes-unions"],
        alpha_beta_extension()
    );
    assert_eq!(rule_expressions::<Generic<i32, String>>().len(), 2);
    let nested = property::<Generic<Generic<i32, bool>, String>>("alpha");
    assert_eq!(
        nested["properties"]["type"]["x-kubernetes-unions"],
        alpha_beta_extension(),
        "{nested:#}"
    );
}

#[derive(Union, Serialize, Deserialize, JsonSchema)]
#[schemars(transform = add_unions::<ConstParameter<N>>)]
struct ConstParameter<const N: usize> {
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
fn a_struct_with_a_const_parameter_has_the_extension() {
    assert_eq!(
        property::<ConstParameter<3>>("type")["x-kubernetes-unions"],
        alpha_beta_extension()
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
fn a_struct_with_a_lifetime_has_the_extension() {
    assert_eq!(
        property::<Borrowed<'_>>("type")["x-kubernetes-unions"],
        alpha_beta_extension()
    );
}

#[derive(Union, Serialize, Deserialize, JsonSchema)]
#[schemars(transform = add_unions::<Tree>)]
struct Tree {
    #[union(discriminator)]
    r#type: Kind,
    #[union(member, nested)]
    #[serde(skip_serializing_if = "Option::is_none")]
    alpha: Option<Box<Tree>>,
    #[union(member, optional, nested)]
    #[serde(skip_serializing_if = "Option::is_none")]
    beta: Option<Vec<Tree>>,
}

#[test]
fn a_recursive_struct_refers_to_itself() {
    let generator = SchemaSettings::draft2020_12().into_generator();
    for (schema, end_keyword) in [
        (generator.into_root_schema_for::<Tree>(), "$ref"),
        (schema_for::<Tree>(), "x-kubernetes-preserve-unknown-fields"),
    ] {
        let schema = schema.to_value();
        assert_eq!(cel_rules_of(&schema).len(), 2, "{schema:#}");
        assert_eq!(schema["properties"]["type"]["type"], "string");
        assert!(
            schema["properties"]["beta"]
                .to_string()
                .contains(end_keyword)
        );
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
    #[expect(dead_code, reason = "the field tests that the schema omits it")]
    skipped: Option<i32>,
    #[schemars(skip)]
    hidden: Option<i32>,
}

#[test]
fn the_extension_and_the_rules_use_json_names() {
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
        cel_rules_of(&schema)
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
fn a_member_with_the_schema_of_another_type_keeps_the_schema() {
    let beta = property::<Renamed>("betaMember");
    assert_eq!(beta, json!({ "type": "string", "nullable": true }));
}

/// A union whose discriminator has another schema. The values come from the enum type.
#[derive(Union, Serialize, Deserialize, JsonSchema)]
#[schemars(transform = add_unions::<WithString>)]
struct WithString {
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
    #[schemars(schema_with = "any_schema")]
    by_function: Kind,
    #[union(member)]
    #[serde(skip_serializing_if = "Option::is_none")]
    alpha: Option<i32>,
}

fn any_schema(_: &mut SchemaGenerator) -> Schema {
    Schema::default()
}

#[test]
fn a_discriminator_with_the_schema_of_another_type_has_its_values() {
    for (property, rules) in [
        (
            property::<WithString>("by_string"),
            rule_expressions::<WithString>(),
        ),
        (
            property::<SchemaWith>("by_function"),
            rule_expressions::<SchemaWith>(),
        ),
    ] {
        assert_eq!(property["type"], "string");
        assert_eq!(property["enum"], json!(["ALPHA", "BETA", "NONE"]));
        assert_eq!(rules.len(), 1);
    }
}

/// A union whose discriminator has the schema `true`. The hook replaces it by an object.
#[derive(Union, Serialize, Deserialize, JsonSchema)]
#[schemars(transform = add_unions::<TrueSchema>)]
struct TrueSchema {
    #[union(discriminator)]
    #[schemars(with = "Value")]
    kind: Kind,
    #[union(member)]
    #[serde(skip_serializing_if = "Option::is_none")]
    alpha: Option<i32>,
}

#[test]
fn a_discriminator_whose_schema_is_true_has_its_values() {
    let property = property::<TrueSchema>("kind");
    assert_eq!(property["enum"], json!(["ALPHA", "BETA", "NONE"]));
    assert_eq!(property["type"], "string");
}

/// A union whose discriminator has the schema `false`, which accepts no value.
#[derive(Union, Serialize, Deserialize, JsonSchema)]
#[schemars(transform = add_unions::<FalseSchema>)]
struct FalseSchema {
    #[union(discriminator)]
    #[schemars(schema_with = "false_schema")]
    kind: Kind,
    #[union(member)]
    #[serde(skip_serializing_if = "Option::is_none")]
    alpha: Option<i32>,
}

fn false_schema(_: &mut SchemaGenerator) -> Schema {
    Schema::from(false)
}

#[test]
fn a_discriminator_whose_schema_is_false_is_not_changed() {
    let schema = schemars::schema_for!(FalseSchema);
    assert_eq!(schema.as_value()["properties"]["kind"], json!(false));
}

/// A bound on a member of a union enum is on the member's type, because variants have no attributes
/// of schemars.
#[test]
fn a_bound_on_the_type_of_a_member_is_in_the_schema() {
    #[derive(Serialize, Deserialize, JsonSchema)]
    #[serde(transparent)]
    struct ShortValue(#[schemars(length(max = 3))] String);

    #[derive(union_runtime::UnionEnum)]
    #[union(discriminator = "type")]
    enum Name {
        Short(ShortValue),
        Long(Option<String>),
        #[union(other)]
        Other(union_runtime::RawUnion),
    }

    let schema = schema_for::<Name>();
    let properties = &schema.as_value()["properties"];
    assert_eq!(properties["short"]["maxLength"], 3, "{properties:#}");
    assert_eq!(properties["short"]["type"], "string");
    assert_eq!(properties["long"].get("maxLength"), None);
    let name: Name = serde_json::from_str(r#"{"type": "Short", "short": "a"}"#).expect("a name");
    assert_eq!(
        serde_json::to_string(&name).expect("plain data"),
        r#"{"type":"Short","short":"a"}"#
    );
}
