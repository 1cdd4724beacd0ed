//! A field with `skip_serializing_if` counts as an `Option`, even if its type is an alias.

use serde::{Deserialize, Serialize};
use union_runtime::{EnumType, Union};

#[derive(EnumType, Serialize, Deserialize)]
enum Kind {
    Alpha,
    #[serde(rename = "CORSAndMore")]
    CorsAndMore,
}

type Text = Option<String>;

#[derive(Union, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
struct Choice {
    #[union(discriminator)]
    #[serde(skip_serializing_if = "Option::is_none")]
    kind: Option<Kind>,
    #[union(member)]
    #[serde(skip_serializing_if = "Option::is_none")]
    alpha: Option<u8>,
    #[serde(skip_serializing_if = "Option::is_none")]
    cors_and_more: Text,
}

fn main() {}
