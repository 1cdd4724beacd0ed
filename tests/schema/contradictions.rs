//! Tests of an `enum` keyword that the schema already has: the result is one enum, or an error.
//!
//! If the macro can read the list, a contradiction is a compile error (tests/ui). In these tests,
//! the macro cannot read the list.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use union_runtime::{EnumType, Union, add_enum, add_unions, schema_for};

use crate::property;

/// An enum type whose schema has the same values in another order.
#[derive(EnumType, Serialize, Deserialize, JsonSchema)]
#[schemars(transform = add_enum::<SameInAttribute>, extend("enum" = ["B", "A"]))]
enum SameInAttribute {
    A,
    B,
}

#[derive(EnumType, Serialize, Deserialize, JsonSchema)]
#[schemars(transform = add_enum::<SameInFunction>, extend("enum" = same_values()))]
enum SameInFunction {
    A,
    B,
}

fn same_values() -> Value {
    json!(["A", "B"])
}

#[derive(EnumType, Serialize, Deserialize, JsonSchema)]
#[schemars(transform = add_enum::<Different>, extend("enum" = different_values()))]
enum Different {
    A,
    B,
}

fn different_values() -> Value {
    json!(["A", "C"])
}

#[derive(EnumType, Serialize, Deserialize, JsonSchema)]
#[schemars(transform = add_enum::<Fewer>, extend("enum" = fewer_values()))]
enum Fewer {
    A,
    B,
}

fn fewer_values() -> Value {
    json!(["A"])
}

#[test]
fn a_list_of_the_same_values_becomes_one_enum_in_source_order() {
    for schema in [
        schema_for::<SameInAttribute>(),
        schema_for::<SameInFunction>(),
    ] {
        assert_eq!(schema.get("enum"), Some(&json!(["A", "B"])));
        assert_eq!(schema.get("type"), Some(&json!("string")));
        assert_eq!(schema.get("oneOf"), None);
    }
}

#[test]
#[should_panic = r#"the schema lists the values ["A","C"], but the enum type has ["A","B"]"#]
fn an_additional_value_is_rejected() {
    let _ = schema_for::<Different>();
}

#[test]
#[should_panic = r#"the schema lists the values ["A"], but the enum type has ["A","B"]"#]
fn a_missing_value_is_rejected() {
    let _ = schema_for::<Fewer>();
}

#[derive(EnumType, Serialize, Deserialize, JsonSchema)]
enum Kind {
    A,
    B,
}

#[derive(Union, Serialize, Deserialize, JsonSchema)]
#[schemars(transform = add_unions::<SameOnDiscriminator>)]
struct SameOnDiscriminator {
    #[union(discriminator)]
    #[schemars(extend("enum" = ["B", "A"]))]
    r#type: Kind,
    #[union(member)]
    #[serde(skip_serializing_if = "Option::is_none")]
    a: Option<i32>,
}

#[derive(Union, Serialize, Deserialize, JsonSchema)]
#[schemars(transform = add_unions::<NullOnDiscriminator>)]
struct NullOnDiscriminator {
    #[union(discriminator)]
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(extend("enum" = ["B", "A", null]))]
    r#type: Option<Kind>,
    #[union(member)]
    #[serde(skip_serializing_if = "Option::is_none")]
    a: Option<i32>,
}

#[derive(Union, Serialize, Deserialize, JsonSchema)]
#[schemars(transform = add_unions::<FewerOnDiscriminator>)]
struct FewerOnDiscriminator {
    #[union(discriminator)]
    #[schemars(extend("enum" = ["A"]))]
    r#type: Kind,
    #[union(member)]
    #[serde(skip_serializing_if = "Option::is_none")]
    a: Option<i32>,
}

#[test]
fn a_list_of_the_same_values_on_the_discriminator_becomes_one_enum() {
    assert_eq!(
        property::<SameOnDiscriminator>("type")["enum"],
        json!(["A", "B"])
    );
    assert_eq!(
        property::<NullOnDiscriminator>("type")["enum"],
        json!(["A", "B"])
    );
}

#[test]
#[should_panic = r#"the schema lists the values ["A"], but the enum type has ["A","B"]"#]
fn a_missing_value_on_the_discriminator_is_rejected() {
    let _ = schema_for::<FewerOnDiscriminator>();
}

/// A struct with a field that allows fewer values than its enum type. The field is not a
/// discriminator, so this is not an error.
#[derive(Serialize, Deserialize, JsonSchema)]
struct Narrow {
    #[schemars(extend("enum" = ["A"]))]
    only: SameInFunction,
}

#[test]
fn a_field_that_is_not_a_discriminator_may_list_fewer_values() {
    assert_eq!(property::<Narrow>("only")["enum"], json!(["A"]));
}
