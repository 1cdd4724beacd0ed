//! The union types that the cases are made of: one for each form that has a rule of its own.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use union_runtime::{EnumType, Union, add_unions};

/// An enum type, and the plain form of a union over it.
macro_rules! kind {
    ($name:ident { $($(#[$attr:meta])* $value:ident),* $(,)? }) => {
        #[derive(EnumType, Serialize, Deserialize, Clone, Debug, PartialEq, JsonSchema)]
        pub(crate) enum $name { $($(#[$attr])* $value),* }
    };
}

kind!(Kind {
    /// The first.
    Alpha,
    Beta,
    None,
});

/// Required discriminator, an empty member.
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

/// Optional discriminator.
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

/// Optional members, one of each kind.
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

/// Optional members, and nothing that says which one counts.
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

/// `""` is a value, and the discriminator is required.
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

/// `""` is a value, and the discriminator is optional.
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

/// The struct has a default, and absence of the discriminator stands for its value.
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

/// The field has a default.
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

/// An optional field has a default that is a value.
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

/// Values that CEL must quote.
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
