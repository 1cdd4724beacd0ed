//! Two fields have different JSON names, or serde writes both and reads the first.

use serde::{Deserialize, Serialize};
use union_runtime::{EnumType, Union};

#[derive(EnumType, Serialize, Deserialize)]
enum Kind {
    Alpha,
    Beta,
}

#[derive(Union, Serialize, Deserialize)]
struct Members {
    #[union(discriminator)]
    kind: Kind,
    #[union(member)]
    #[serde(skip_serializing_if = "Option::is_none")]
    alpha: Option<u8>,
    #[union(member = "Beta")]
    #[serde(rename = "alpha", skip_serializing_if = "Option::is_none")]
    second: Option<u8>,
}

#[derive(Union, Serialize, Deserialize)]
struct OtherFields {
    #[union(discriminator)]
    kind: Kind,
    #[union(member)]
    #[serde(skip_serializing_if = "Option::is_none")]
    alpha: Option<u8>,
    #[serde(rename = "kind")]
    of_another: String,
    #[serde(alias = "alpha")]
    first: String,
    /// Fields outside of the union, whose names only concern serde.
    #[serde(rename = "same")]
    second: String,
    #[serde(rename = "same")]
    third: String,
}

#[derive(Union, Serialize, Deserialize)]
#[serde(tag = "kind")]
struct Tagged {
    #[union(discriminator)]
    kind: Kind,
    #[union(member)]
    #[serde(skip_serializing_if = "Option::is_none")]
    alpha: Option<u8>,
}

fn main() {}
