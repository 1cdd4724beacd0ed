//! A shared value is not `nested`, because normalization would change it for all owners.

use std::borrow::Cow;
use std::rc::Rc;
use std::sync::Arc;

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

#[derive(Union)]
struct Holder {
    #[union(nested)]
    counted: Rc<Choice>,
    #[union(nested)]
    sent: Option<Arc<Choice>>,
    #[union(nested)]
    borrowed: &'static Choice,
    #[union(nested)]
    either: Cow<'static, Choice>,
    #[union(nested)]
    slice: &'static [Choice],
}

fn main() {}
