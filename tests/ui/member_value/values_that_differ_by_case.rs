//! The name of a member matches a single value; values that differ only in case both match.

use serde::Serialize;
use union_runtime::{EnumType, Union};

#[derive(EnumType, Serialize)]
enum Kind {
    #[serde(rename = "CORS")]
    Upper,
    #[serde(rename = "CoRS")]
    Mixed,
}

#[derive(Union, Serialize)]
struct Strategy {
    #[union(discriminator)]
    kind: Kind,
    #[union(member)]
    #[serde(skip_serializing_if = "Option::is_none")]
    cors: Option<u8>,
}

fn main() {}
