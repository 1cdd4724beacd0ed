//! Tests of discriminator properties: for every form of the enum type, the property has the type
//! `string` and the values in source order.

use schemars::JsonSchema;
use schemars::generate::SchemaSettings;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use union_runtime::{EnumType, Union, add_enum, add_unions};

use crate::{alpha_beta_extension, property, rule_expressions};

#[derive(EnumType, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "UPPERCASE")]
enum Plain {
    Alpha,
    Beta,
    None,
}

#[derive(EnumType, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "UPPERCASE")]
enum Documented {
    /// The first.
    Alpha,
    /// The second,
    /// in two lines.
    Beta,
    /// Neither.
    None,
}

/// schemars puts the documented value behind the others.
#[derive(EnumType, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "UPPERCASE")]
enum PartlyDocumented {
    /// The first.
    Alpha,
    Beta,
    None,
}

#[derive(EnumType, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "UPPERCASE")]
#[schemars(transform = add_enum::<Open>)]
enum Open {
    Alpha,
    Beta,
    None,
    #[enum_type(other)]
    #[serde(untagged)]
    Unknown(String),
}

/// Defines a union with a discriminator of any type.
macro_rules! declare_union {
    ($name:ident, $kind:ty $(, #[$attr:meta])?) => {
        #[derive(Union, Serialize, Deserialize, JsonSchema)]
        #[schemars(transform = add_unions::<$name>)]
        struct $name {
            #[union(discriminator)]
            $(#[$attr])?
            r#type: $kind,
            #[union(member)]
            #[serde(skip_serializing_if = "Option::is_none")]
            alpha: Option<i32>,
            #[union(member)]
            #[serde(skip_serializing_if = "Option::is_none")]
            beta: Option<i32>,
        }
    };
}

declare_union!(OfPlain, Plain);
declare_union!(OfDocumented, Documented);
declare_union!(OfPartlyDocumented, PartlyDocumented);
declare_union!(OfOpen, Open);
declare_union!(OfOption, Option<Plain>, #[serde(skip_serializing_if = "Option::is_none")]);
declare_union!(OfOptionDocumented, Option<Documented>, #[serde(skip_serializing_if = "Option::is_none")]);
declare_union!(OfOptionPartly, Option<PartlyDocumented>, #[serde(skip_serializing_if = "Option::is_none")]);
declare_union!(OfOptionOpen, Option<Open>, #[serde(skip_serializing_if = "Option::is_none")]);

const PLAIN_DESCRIPTION: &str =
    "Possible enum values:\n - `\"ALPHA\"`\n - `\"BETA\"`\n - `\"NONE\"`";
const DOCUMENTED_DESCRIPTION: &str = "Possible enum values:\n - `\"ALPHA\"` The first.\n - `\"BETA\"` The second, in two lines.\n - `\"NONE\"` Neither.";
const PARTLY_DOCUMENTED_DESCRIPTION: &str =
    "Possible enum values:\n - `\"ALPHA\"` The first.\n - `\"BETA\"`\n - `\"NONE\"`";

/// Returns the expected property, which has no other keywords of the enum's schema.
fn expected_property(description: &str) -> Value {
    json!({
        "description": description,
        "enum": ["ALPHA", "BETA", "NONE"],
        "type": "string",
        "x-kubernetes-unions": alpha_beta_extension(),
    })
}

#[test]
fn a_plain_enum_is_a_string_with_its_values() {
    assert_eq!(
        property::<OfPlain>("type"),
        expected_property(PLAIN_DESCRIPTION)
    );
}

#[test]
fn a_documented_enum_lists_the_docs_of_its_values() {
    assert_eq!(
        property::<OfDocumented>("type"),
        expected_property(DOCUMENTED_DESCRIPTION)
    );
}

#[test]
fn a_partly_documented_enum_keeps_its_order() {
    let description = format!(
        "schemars puts the documented value behind the others.\n\n{PARTLY_DOCUMENTED_DESCRIPTION}"
    );
    assert_eq!(
        property::<OfPartlyDocumented>("type"),
        expected_property(&description)
    );
}

#[test]
fn an_other_variant_is_not_a_value() {
    assert_eq!(
        property::<OfOpen>("type"),
        expected_property(PLAIN_DESCRIPTION)
    );
}

/// Checks that null is not in the enum. API servers reject null as a value of an enum. If the
/// property does not allow null, API servers drop null, and the discriminator counts as absent.
#[test]
fn an_option_has_the_same_values_and_is_not_required() {
    assert_eq!(
        property::<OfOption>("type"),
        expected_property(PLAIN_DESCRIPTION)
    );
    assert_eq!(
        property::<OfOptionDocumented>("type"),
        expected_property(DOCUMENTED_DESCRIPTION)
    );
    let partly = property::<OfOptionPartly>("type");
    assert_eq!(partly["enum"], json!(["ALPHA", "BETA", "NONE"]));
    assert_eq!(partly["type"], "string");
    assert_eq!(
        property::<OfOptionOpen>("type"),
        expected_property(PLAIN_DESCRIPTION)
    );
    for schema in [
        union_runtime::schema_for::<OfOption>(),
        union_runtime::schema_for::<OfOptionDocumented>(),
        union_runtime::schema_for::<OfOptionOpen>(),
    ] {
        assert_eq!(schema.get("required"), None, "{schema:?}");
    }
}

/// CEL reads a string with a format as a date or as bytes, which a rule cannot compare with a
/// value.
#[test]
fn the_format_of_another_schema_is_removed() {
    #[derive(Union, Serialize, Deserialize, JsonSchema)]
    #[schemars(transform = add_unions::<OfFormat>)]
    struct OfFormat {
        #[union(discriminator)]
        #[schemars(extend("format" = "date"))]
        r#type: Plain,
        #[union(member)]
        #[serde(skip_serializing_if = "Option::is_none")]
        alpha: Option<i32>,
        #[union(member)]
        #[serde(skip_serializing_if = "Option::is_none")]
        beta: Option<i32>,
    }

    assert_eq!(
        property::<OfFormat>("type"),
        expected_property(PLAIN_DESCRIPTION)
    );
    let mut schema = schemars::json_schema!({"type": "string", "format": "byte"});
    add_enum::<Plain>(&mut schema);
    assert_eq!(schema.get("format"), None, "{schema:?}");
}

#[test]
fn a_required_discriminator_is_required() {
    for schema in [
        union_runtime::schema_for::<OfPlain>(),
        union_runtime::schema_for::<OfDocumented>(),
        union_runtime::schema_for::<OfOpen>(),
    ] {
        assert_eq!(schema.get("required"), Some(&json!(["type"])), "{schema:?}");
    }
}

#[test]
fn every_form_of_the_enum_has_the_same_rules() {
    let expected = rule_expressions::<OfPlain>();
    assert_eq!(expected.len(), 2);
    for rules in [
        rule_expressions::<OfDocumented>(),
        rule_expressions::<OfPartlyDocumented>(),
        rule_expressions::<OfOpen>(),
        rule_expressions::<OfOption>(),
        rule_expressions::<OfOptionDocumented>(),
        rule_expressions::<OfOptionPartly>(),
        rule_expressions::<OfOptionOpen>(),
    ] {
        assert_eq!(rules, expected);
    }
}

/// Returns the schema of a generator that uses a `$ref` to the enum. A transform cannot see the
/// target of the reference.
fn schema_with_reference<T: JsonSchema>() -> Value {
    let generator = SchemaSettings::draft2020_12().into_generator();
    generator.into_root_schema_for::<T>().to_value()
}

#[test]
fn a_reference_to_the_enum_is_replaced_by_the_values() {
    for (schema, description) in [
        (schema_with_reference::<OfPlain>(), PLAIN_DESCRIPTION),
        (
            schema_with_reference::<OfDocumented>(),
            DOCUMENTED_DESCRIPTION,
        ),
        (schema_with_reference::<OfOpen>(), PLAIN_DESCRIPTION),
        (schema_with_reference::<OfOption>(), PLAIN_DESCRIPTION),
        (
            schema_with_reference::<OfOptionDocumented>(),
            DOCUMENTED_DESCRIPTION,
        ),
        (schema_with_reference::<OfOptionOpen>(), PLAIN_DESCRIPTION),
    ] {
        let mut property = schema["properties"]["type"].clone();
        let mark = property
            .as_object_mut()
            .and_then(|property| property.remove("x-union-enforced"));
        assert_eq!(mark, Some(json!(true)), "{schema:#}");
        assert_eq!(property, expected_property(description), "{schema:#}");
        let rules = schema["x-kubernetes-validations"].as_array();
        assert_eq!(rules.map(Vec::len), Some(2));
    }
}

#[derive(EnumType, Serialize, Deserialize, JsonSchema)]
enum KindWithEmptyValue {
    Alpha,
    /// Nothing is selected.
    #[serde(rename = "")]
    Nothing,
}

#[derive(Union, Serialize, Deserialize, JsonSchema)]
#[schemars(transform = add_unions::<WithEmptyValue>)]
struct WithEmptyValue {
    #[union(discriminator)]
    r#type: KindWithEmptyValue,
    #[union(member)]
    #[serde(skip_serializing_if = "Option::is_none")]
    alpha: Option<i32>,
}

#[test]
fn the_empty_string_is_a_value_without_a_member() {
    let property = property::<WithEmptyValue>("type");
    assert_eq!(property["enum"], json!(["Alpha", ""]));
    assert_eq!(
        property["description"],
        "Possible enum values:\n - `\"Alpha\"`\n - `\"\"` Nothing is selected."
    );
    assert_eq!(
        property["x-kubernetes-unions"],
        json!({ "fieldMembers": { "Alpha": { "name": "alpha", "optional": false }, "": null } })
    );
}

#[derive(Union, Serialize, Deserialize, JsonSchema)]
#[schemars(transform = add_unions::<Boxed>)]
struct Boxed {
    #[union(discriminator)]
    r#type: Documented,
    #[union(member)]
    #[serde(skip_serializing_if = "Option::is_none")]
    alpha: Option<Box<i32>>,
    #[union(member)]
    #[serde(skip_serializing_if = "Option::is_none")]
    beta: Box<Option<i32>>,
}

#[test]
fn boxed_members_have_the_schema_of_members() {
    assert_eq!(
        property::<Boxed>("type"),
        expected_property(DOCUMENTED_DESCRIPTION)
    );
    assert_eq!(rule_expressions::<Boxed>(), rule_expressions::<OfPlain>());
}
