//! A member is an `Option` on the outside.

use std::borrow::Cow;
use std::cell::RefCell;

use serde::Serialize;
use union_runtime::{EnumType, Union};

#[derive(EnumType, Serialize)]
enum Kind {
    Alpha,
    Beta,
    Gamma,
}

#[derive(Union, Serialize)]
struct Strategy<'a> {
    #[union(discriminator)]
    kind: Kind,
    #[union(member)]
    #[serde(skip_serializing_if = "Option::is_none")]
    alpha: &'a Option<String>,
    #[union(member)]
    #[serde(skip_serializing_if = "Option::is_none")]
    beta: Cow<'a, Option<String>>,
    #[union(member)]
    #[serde(skip_serializing_if = "is_none")]
    gamma: RefCell<Option<Vec<u8>>>,
}

fn is_none(member: &RefCell<Option<Vec<u8>>>) -> bool {
    member.borrow().is_none()
}

fn main() {}
