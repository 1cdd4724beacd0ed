//! An enum of each kind, whose members read any object of numbers.

use std::collections::BTreeMap;
use std::fmt::Debug;

use schemars::JsonSchema;
use union_json::{Source, Unions};
use union_runtime::{RawUnion, UnionEnum, schema_for};

type Numbers = BTreeMap<String, i64>;

/// A value without a member, an optional member and one that is not.
#[derive(UnionEnum, Clone, Debug, PartialEq)]
#[union(discriminator = "type")]
pub(crate) enum Plain {
    None,
    Alpha(Numbers),
    Beta(Option<Numbers>),
    #[union(other)]
    Other(RawUnion),
}

/// An absent discriminator stands for a value.
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

/// An absent discriminator stands for a variant of its own.
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

/// An absent discriminator is the value `""`.
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

/// Exactly one member.
#[derive(UnionEnum, Clone, Debug, PartialEq)]
#[union(undiscriminated)]
pub(crate) enum ExactlyOne {
    Alpha(Numbers),
    Beta(Numbers),
    Gamma(Numbers),
    #[union(other)]
    Other(RawUnion),
}

/// One member or none.
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

/// What is done with each kind.
pub(crate) trait Visit {
    fn visit<T: UnionEnum + JsonSchema + Clone + PartialEq + Debug>(&mut self, name: &str);
}

pub(crate) fn each(visit: &mut impl Visit) {
    visit.visit::<Plain>("Plain");
    visit.visit::<Defaulted>("Defaulted");
    visit.visit::<Absent>("Absent");
    visit.visit::<Empty>("Empty");
    visit.visit::<ExactlyOne>("ExactlyOne");
    visit.visit::<AtMostOne>("AtMostOne");
}

/// The engine for an enum, by its schema; no shape of the extension says "exactly one", so unions without a discriminator
/// are declared.
pub(crate) fn engine<T: UnionEnum + JsonSchema>() -> Unions {
    let schema = schema_for::<T>().to_value();
    let union = T::unions()[0];
    let unions = if union.discriminator().is_none() {
        Unions::compiler()
            .union_at("", union)
            .compile(Source::Places)
    } else {
        Unions::compile(Source::Schema(&schema))
    };
    unions.unwrap_or_else(|error| panic!("{error}: {schema:#}"))
}
