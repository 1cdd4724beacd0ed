//! One union enum of each kind, whose members accept any JSON object with integer values.

use std::collections::BTreeMap;
use std::fmt::Debug;

use schemars::JsonSchema;
use union_json::{SchemaSource, Unions};
use union_runtime::{RawUnion, UnionEnum, schema_for};

type Numbers = BTreeMap<String, i64>;

/// A union with a value without a member, a required member and an optional member.
#[derive(UnionEnum, Clone, Debug, PartialEq)]
#[union(discriminator = "type")]
pub(crate) enum Plain {
    None,
    Alpha(Numbers),
    Beta(Option<Numbers>),
    #[union(other)]
    Other(RawUnion),
}

/// A union whose absent discriminator means the default value.
#[derive(UnionEnum, Clone, Debug, PartialEq)]
#[union(discriminator = "type")]
pub(crate) enum Defaulted {
    None,
    #[union(default)]
    Alpha(Numbers),
    Beta(Option<Numbers>),
    #[union(other)]
    Other(RawUnion),
}

/// A union whose absent discriminator means a variant of its own.
#[derive(UnionEnum, Clone, Debug, PartialEq)]
#[union(discriminator = "type")]
pub(crate) enum Absent {
    #[union(absent)]
    Nothing,
    Alpha(Numbers),
    Beta(Option<Numbers>),
    #[union(other)]
    Other(RawUnion),
}

/// A union whose absent discriminator means the value `""`.
#[derive(UnionEnum, Clone, Debug, PartialEq)]
#[union(discriminator = "type")]
pub(crate) enum Empty {
    #[union(member = "")]
    Nothing,
    None,
    Alpha(Numbers),
    Beta(Option<Numbers>),
    #[union(other)]
    Other(RawUnion),
}

/// A union without a discriminator that requires exactly one member.
#[derive(UnionEnum, Clone, Debug, PartialEq)]
#[union(undiscriminated)]
pub(crate) enum ExactlyOne {
    Alpha(Numbers),
    Beta(Numbers),
    Gamma(Numbers),
    #[union(other)]
    Other(RawUnion),
}

/// A union without a discriminator that allows at most one member.
#[derive(UnionEnum, Clone, Debug, PartialEq)]
#[union(undiscriminated)]
pub(crate) enum AtMostOne {
    Alpha(Numbers),
    Nothing,
    Beta(Numbers),
    Gamma(Numbers),
    #[union(other)]
    Other(RawUnion),
}

/// A visitor that `visit_each_enum` calls once for each enum.
pub(crate) trait VisitEnum {
    fn visit<T: UnionEnum + JsonSchema + Clone + PartialEq + Debug>(&mut self, name: &str);
}

/// Calls the visitor once for each enum of this file.
pub(crate) fn visit_each_enum(visitor: &mut impl VisitEnum) {
    visitor.visit::<Plain>("Plain");
    visitor.visit::<Defaulted>("Defaulted");
    visitor.visit::<Absent>("Absent");
    visitor.visit::<Empty>("Empty");
    visitor.visit::<ExactlyOne>("ExactlyOne");
    visitor.visit::<AtMostOne>("AtMostOne");
}

/// Compiles the engine for an enum from the schema of the enum.
///
/// No shape of the extension can express "exactly one", so a union without a discriminator is
/// declared instead.
pub(crate) fn compile_engine<T: UnionEnum + JsonSchema>() -> Unions {
    let schema = schema_for::<T>().to_value();
    let union = T::unions()[0];
    let unions = if union.discriminator().is_none() {
        Unions::compiler()
            .union_at("", union)
            .compile(SchemaSource::WithoutSchema)
    } else {
        Unions::compile(SchemaSource::Schema(&schema))
    };
    unions.unwrap_or_else(|error| panic!("{error}: {schema:#}"))
}
