//! The type of a discriminator does not depend on a lifetime parameter.

use serde::Serialize;
use union_runtime::{EnumType, EnumValue, Union};

#[derive(Serialize)]
struct Kind<'a>(&'a str);

impl EnumType for Kind<'_> {
    const VALUES: &'static [&'static str] = &["Alpha"];
    const DOCS: &'static [&'static str] = &[""];

    fn value(&self) -> EnumValue<'_> {
        EnumValue::parse::<Self>(self.0)
    }

    fn from_index(_: usize) -> Option<Self> {
        None
    }
}

#[derive(Union, Serialize)]
struct Choice<'a> {
    #[union(discriminator)]
    kind: Kind<'a>,
    #[union(member)]
    #[serde(skip_serializing_if = "Option::is_none")]
    alpha: Option<&'a str>,
}

fn main() {}
