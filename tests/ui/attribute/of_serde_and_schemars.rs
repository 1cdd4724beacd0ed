//! Attributes of serde and schemars belong in their own attributes.

use serde::{Deserialize, Serialize};
use union_runtime::{EnumType, Union};

#[derive(EnumType, Serialize, Deserialize)]
#[enum_type(rename_all = "UPPERCASE")]
enum Kind {
    #[enum_type(rename = "ALPHA")]
    Alpha,
    #[enum_type(default)]
    Beta,
}

#[derive(Union, Serialize, Deserialize)]
#[union(transform = union_runtime::add_unions::<OnTheStruct>)]
struct OnTheStruct {
    #[union(discriminator)]
    kind: Kind,
    #[union(member)]
    #[serde(skip_serializing_if = "Option::is_none")]
    alpha: Option<u8>,
}

#[derive(Union, Serialize, Deserialize)]
struct OnFields {
    #[union(discriminator, rename = "type", default)]
    kind: Kind,
    #[union(member, skip_serializing_if = "Option::is_none")]
    alpha: Option<u8>,
    #[union(member, length(max = 3))]
    #[serde(skip_serializing_if = "Option::is_none")]
    beta: Option<String>,
}

#[derive(Union, Serialize, Deserialize)]
struct OnAFlattenedField {
    #[union(inline, flatten)]
    fields: OnFields,
}

fn main() {}
