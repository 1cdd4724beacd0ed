//! A field has the same name in the schema as in JSON, or the rules miss the union.

use serde::{Deserialize, Serialize};
use union_runtime::{EnumType, Union};

#[derive(EnumType, Serialize, Deserialize)]
enum Kind {
    Alpha,
}

#[derive(Union, Serialize, Deserialize, schemars::JsonSchema)]
#[schemars(transform = union_runtime::add_unions::<Choice>)]
struct Choice {
    #[union(discriminator)]
    #[schemars(with = "String")]
    kind: Kind,
    #[union(member)]
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(rename = "first")]
    alpha: Option<u8>,
}

fn main() {}
