//! `optional`, `group` and `discriminated_by` need `member`. The missing members cause no further
//! errors.

use serde::{Deserialize, Serialize};
use union_runtime::{EnumType, Union};

#[derive(EnumType, Serialize, Deserialize)]
enum Kind {
    Alpha,
}

#[derive(Union, Serialize, Deserialize)]
struct Optional {
    #[union(discriminator)]
    kind: Kind,
    #[union(optional)]
    #[serde(skip_serializing_if = "Option::is_none")]
    alpha: Option<u8>,
}

#[derive(Union, Serialize, Deserialize)]
struct Named {
    #[union(discriminator)]
    kind: Kind,
    #[union(discriminated_by = kind)]
    #[serde(skip_serializing_if = "Option::is_none")]
    alpha: Option<u8>,
}

#[derive(Union, Serialize, Deserialize)]
struct Grouped {
    #[union(group = source)]
    #[serde(skip_serializing_if = "Option::is_none")]
    alpha: Option<u8>,
    #[union(member, group = source)]
    #[serde(skip_serializing_if = "Option::is_none")]
    beta: Option<u8>,
}

fn main() {}
