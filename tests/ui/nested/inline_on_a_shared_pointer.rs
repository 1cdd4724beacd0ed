//! A shared value is not `inline`, because normalization would change it for all owners.

use std::borrow::Cow;

use serde::Serialize;
use union_runtime::Union;

#[derive(Union, Serialize, Clone)]
struct Choice {
    #[union(member, group = choice)]
    #[serde(skip_serializing_if = "Option::is_none")]
    alpha: Option<u8>,
    #[union(member, group = choice)]
    #[serde(skip_serializing_if = "Option::is_none")]
    beta: Option<u8>,
}

#[derive(Union, Serialize)]
struct Holder {
    #[union(inline)]
    #[serde(flatten)]
    either: Cow<'static, Choice>,
    #[union(inline)]
    #[serde(flatten)]
    borrowed: &'static Choice,
}

fn main() {}
