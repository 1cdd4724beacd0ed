//! `skip_serializing_if` omits unset fields only, or JSON would lose a set member.

use serde::{Deserialize, Serialize};
use union_runtime::{EnumType, Union};

#[derive(EnumType, Serialize, Deserialize)]
enum Kind {
    Alpha,
    Beta,
    Gamma,
    Delta,
}

fn is_empty(member: &Option<String>) -> bool {
    member.as_deref().is_none_or(str::is_empty)
}

#[derive(Union, Serialize, Deserialize)]
struct Strategy {
    #[union(discriminator)]
    #[serde(skip_serializing_if = "Option::is_some")]
    kind: Option<Kind>,
    #[union(member)]
    #[serde(skip_serializing_if = "is_empty")]
    alpha: Option<String>,
    #[union(member, optional)]
    #[serde(default, skip_serializing_if = "Option::is_some")]
    beta: Option<String>,
    #[union(member)]
    #[serde(skip_serializing_if = "is_empty")]
    gamma: Box<Option<String>>,
    #[union(member)]
    #[serde(skip_serializing_if = "std::option::Option::is_none")]
    delta: Option<String>,
}

#[derive(Union, Serialize, Deserialize)]
#[union(all_members)]
struct AllMembers {
    #[serde(skip_serializing_if = "is_empty")]
    alpha: Option<String>,
    #[serde(skip_serializing_if = "Option::<String>::is_none")]
    beta: Option<String>,
}

fn main() {}
