//! More union types of the cases: with unusual names of fields, with enums that keep unknown
//! values, and with two unions that are flattened into the same struct.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use union_runtime::{EnumType, Union, add_enum, add_rules, add_unions};

#[derive(EnumType, Serialize, Deserialize, Clone, Debug, PartialEq, JsonSchema)]
pub(crate) enum Name {
    A,
    B,
    C,
    D,
}

/// A union whose fields have names that CEL reserves.
#[derive(Union, Serialize, Deserialize, JsonSchema)]
#[schemars(transform = add_unions::<Reserved>)]
pub(crate) struct Reserved {
    #[union(discriminator)]
    r#in: Name,
    #[union(member = "A")]
    #[serde(skip_serializing_if = "Option::is_none")]
    namespace: Option<i64>,
    #[union(member = "B", optional)]
    #[serde(skip_serializing_if = "Option::is_none")]
    r#true: Option<i64>,
    #[union(member = "C")]
    #[serde(skip_serializing_if = "Option::is_none")]
    package: Option<i64>,
    #[union(member = "D")]
    #[serde(skip_serializing_if = "Option::is_none")]
    r#type: Option<i64>,
}

/// A union whose fields have names with characters that CEL must escape.
#[derive(Union, Serialize, Deserialize, JsonSchema)]
#[schemars(transform = add_unions::<Signs>)]
pub(crate) struct Signs {
    #[union(discriminator)]
    #[serde(rename = "my-type")]
    kind: Name,
    #[union(member = "A")]
    #[serde(rename = "x-y", skip_serializing_if = "Option::is_none")]
    dash: Option<i64>,
    #[union(member = "B")]
    #[serde(rename = "x.y", skip_serializing_if = "Option::is_none")]
    dot: Option<i64>,
    #[union(member = "C")]
    #[serde(rename = "x/y", skip_serializing_if = "Option::is_none")]
    slash: Option<i64>,
    #[union(member = "D")]
    #[serde(rename = "x__y_z", skip_serializing_if = "Option::is_none")]
    underscores: Option<i64>,
}

/// A union whose fields have names with several adjacent characters that CEL must escape.
#[derive(Union, Serialize, Deserialize, JsonSchema)]
#[schemars(transform = add_unions::<Runs>)]
pub(crate) struct Runs {
    #[union(discriminator)]
    #[serde(rename = "__type__")]
    kind: Name,
    #[union(member = "A")]
    #[serde(rename = "x___y", skip_serializing_if = "Option::is_none")]
    three: Option<i64>,
    #[union(member = "B")]
    #[serde(rename = "-_-", skip_serializing_if = "Option::is_none")]
    face: Option<i64>,
    #[union(member = "C")]
    #[serde(rename = "__in__", skip_serializing_if = "Option::is_none")]
    escaped: Option<i64>,
    #[union(member = "D")]
    #[serde(rename = "./", skip_serializing_if = "Option::is_none")]
    path: Option<i64>,
}

/// The values of a discriminator that keeps unknown values.
#[derive(EnumType, Serialize, Deserialize, Clone, Debug, PartialEq, JsonSchema)]
#[schemars(transform = add_enum::<Open>)]
pub(crate) enum Open {
    A,
    B,
    #[enum_type(other)]
    #[serde(untagged)]
    Unknown(String),
}

#[derive(Union, Serialize, Deserialize, JsonSchema)]
#[schemars(transform = add_unions::<Keeps>)]
pub(crate) struct Keeps {
    #[union(discriminator)]
    r#type: Open,
    #[union(member)]
    #[serde(skip_serializing_if = "Option::is_none")]
    a: Option<Vec<String>>,
    #[union(member)]
    #[serde(skip_serializing_if = "Option::is_none")]
    b: Option<Vec<String>>,
}

#[derive(Union, Serialize, Deserialize, JsonSchema)]
#[schemars(transform = add_unions::<Source>)]
pub(crate) struct Source {
    #[union(discriminator)]
    from: Open,
    #[union(member = "A")]
    #[serde(skip_serializing_if = "Option::is_none")]
    file: Option<i64>,
    #[union(member = "B")]
    #[serde(skip_serializing_if = "Option::is_none")]
    secret: Option<i64>,
}

#[derive(Union, Serialize, Deserialize, JsonSchema)]
#[schemars(transform = add_unions::<Target>)]
pub(crate) struct Target {
    #[union(discriminator)]
    #[serde(skip_serializing_if = "Option::is_none")]
    to: Option<Open>,
    #[union(member = "A", optional)]
    #[serde(skip_serializing_if = "Option::is_none")]
    disk: Option<i64>,
    #[union(member = "B")]
    #[serde(skip_serializing_if = "Option::is_none")]
    bucket: Option<i64>,
}

/// A struct with two flattened unions.
#[derive(Serialize, Deserialize, JsonSchema)]
#[schemars(transform = add_rules)]
pub(crate) struct Copy {
    #[serde(flatten)]
    pub(crate) source: Source,
    #[serde(flatten)]
    pub(crate) target: Target,
}
