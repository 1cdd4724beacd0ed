//! Union types of the cases. Each type has another form of union, with other CEL rules.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use union_runtime::{EnumType, Union, add_unions};

/// Defines an enum type for a discriminator.
macro_rules! kind {
    ($name:ident { $($(#[$attr:meta])* $value:ident),* $(,)? }) => {
        #[derive(EnumType, Serialize, Deserialize, Clone, Debug, PartialEq, JsonSchema)]
        pub(crate) enum $name { $($(#[$attr])* $value),* }
    };
}

kind!(Kind {
    /// The first value.
    Alpha,
    Beta,
    None,
});

/// A union with a required discriminator and a value without a member.
#[derive(Union, Serialize, Deserialize, JsonSchema)]
#[schemars(transform = add_unions::<Plain>)]
pub(crate) struct Plain {
    #[union(discriminator)]
    r#type: Kind,
    #[union(member)]
    #[serde(skip_serializing_if = "Option::is_none")]
    alpha: Option<i64>,
    #[union(member)]
    #[serde(skip_serializing_if = "Option::is_none")]
    beta: Option<i64>,
}

/// A union with an optional discriminator.
#[derive(Union, Serialize, Deserialize, JsonSchema)]
#[schemars(transform = add_unions::<Absent>)]
pub(crate) struct Absent {
    #[union(discriminator)]
    #[serde(skip_serializing_if = "Option::is_none")]
    r#type: Option<Kind>,
    #[union(member)]
    #[serde(skip_serializing_if = "Option::is_none")]
    alpha: Option<i64>,
    #[union(member)]
    #[serde(skip_serializing_if = "Option::is_none")]
    beta: Option<i64>,
}

/// A union with an optional member and a required member.
#[derive(Union, Serialize, Deserialize, JsonSchema)]
#[schemars(transform = add_unions::<OptionalMembers>)]
pub(crate) struct OptionalMembers {
    #[union(discriminator)]
    r#type: Kind,
    #[union(member, optional)]
    #[serde(skip_serializing_if = "Option::is_none")]
    alpha: Option<i64>,
    #[union(member)]
    #[serde(skip_serializing_if = "Option::is_none")]
    beta: Option<i64>,
}

/// A union with an optional discriminator, in which all members are optional.
#[derive(Union, Serialize, Deserialize, JsonSchema)]
#[schemars(transform = add_unions::<AllOptional>)]
pub(crate) struct AllOptional {
    #[union(discriminator)]
    #[serde(skip_serializing_if = "Option::is_none")]
    r#type: Option<Kind>,
    #[union(member, optional)]
    #[serde(skip_serializing_if = "Option::is_none")]
    alpha: Option<i64>,
    #[union(member, optional)]
    #[serde(skip_serializing_if = "Option::is_none")]
    beta: Option<i64>,
}

kind!(OrEmpty {
    Alpha,
    Beta,
    #[serde(rename = "")]
    Nothing,
});

/// A union with a required discriminator, of which the empty string is a value.
#[derive(Union, Serialize, Deserialize, JsonSchema)]
#[schemars(transform = add_unions::<Empty>)]
pub(crate) struct Empty {
    #[union(discriminator)]
    r#type: OrEmpty,
    #[union(member)]
    #[serde(skip_serializing_if = "Option::is_none")]
    alpha: Option<i64>,
    #[union(member, optional)]
    #[serde(skip_serializing_if = "Option::is_none")]
    beta: Option<i64>,
}

/// A union with an optional discriminator, of which the empty string is a value.
#[derive(Union, Serialize, Deserialize, JsonSchema)]
#[schemars(transform = add_unions::<EmptyAbsent>)]
pub(crate) struct EmptyAbsent {
    #[union(discriminator)]
    #[serde(skip_serializing_if = "Option::is_none")]
    r#type: Option<OrEmpty>,
    #[union(member)]
    #[serde(skip_serializing_if = "Option::is_none")]
    alpha: Option<i64>,
    #[union(member)]
    #[serde(skip_serializing_if = "Option::is_none")]
    beta: Option<i64>,
}

/// A union in a struct with a default, so that an absent discriminator has the default value.
#[derive(Union, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
#[schemars(transform = add_unions::<StructDefault>)]
pub(crate) struct StructDefault {
    #[union(discriminator)]
    r#type: Kind,
    #[union(member)]
    #[serde(skip_serializing_if = "Option::is_none")]
    alpha: Option<i64>,
    #[union(member)]
    #[serde(skip_serializing_if = "Option::is_none")]
    beta: Option<i64>,
}

impl Default for StructDefault {
    fn default() -> Self {
        Self {
            r#type: Kind::Beta,
            alpha: None,
            beta: None,
        }
    }
}

/// A union in which the field of the discriminator has a default.
#[derive(Union, Serialize, Deserialize, JsonSchema)]
#[schemars(transform = add_unions::<FieldDefault>)]
pub(crate) struct FieldDefault {
    #[union(discriminator)]
    #[serde(default = "none")]
    r#type: Kind,
    #[union(member)]
    #[serde(skip_serializing_if = "Option::is_none")]
    alpha: Option<i64>,
    #[union(member)]
    #[serde(skip_serializing_if = "Option::is_none")]
    beta: Option<i64>,
}

fn none() -> Kind {
    Kind::None
}

/// A union in which the optional field of the discriminator has a default.
#[derive(Union, Serialize, Deserialize, JsonSchema)]
#[schemars(transform = add_unions::<OptionDefault>)]
pub(crate) struct OptionDefault {
    #[union(discriminator)]
    #[serde(default = "alpha", skip_serializing_if = "Option::is_none")]
    r#type: Option<Kind>,
    #[union(member)]
    #[serde(skip_serializing_if = "Option::is_none")]
    alpha: Option<i64>,
    #[union(member)]
    #[serde(skip_serializing_if = "Option::is_none")]
    beta: Option<i64>,
}

#[expect(clippy::unnecessary_wraps)] // serde wants a value of the field's type
fn alpha() -> Option<Kind> {
    Some(Kind::Alpha)
}

kind!(Odd {
    #[serde(rename = "it's")]
    Quote,
    #[serde(rename = "back\\slash")]
    Backslash,
    #[serde(rename = "say \"yes\"")]
    Double,
    #[serde(rename = "line\nbreak")]
    Line,
    #[serde(rename = "größe 🦀")]
    Unicode,
});

/// A union whose values need quotes or escapes in CEL.
#[derive(Union, Serialize, Deserialize, JsonSchema)]
#[schemars(transform = add_unions::<OddValues>)]
pub(crate) struct OddValues {
    #[union(discriminator)]
    r#type: Odd,
    #[union(member = "it's")]
    #[serde(skip_serializing_if = "Option::is_none")]
    quote: Option<i64>,
    #[union(member = "back\\slash")]
    #[serde(skip_serializing_if = "Option::is_none")]
    backslash: Option<i64>,
    #[union(member = "say \"yes\"")]
    #[serde(skip_serializing_if = "Option::is_none")]
    double: Option<i64>,
    #[union(member = "line\nbreak", optional)]
    #[serde(skip_serializing_if = "Option::is_none")]
    line: Option<i64>,
    #[union(member = "größe 🦀")]
    #[serde(skip_serializing_if = "Option::is_none")]
    unicode: Option<i64>,
}
