//! How often rules run at worst.

use k8s_cel::declared::MAX_REQUEST;

use crate::schema::{Additional, Kind, Node};

/// How many values a value holds at most; `None` where there is no bound.
pub(crate) fn most_below(node: &Node) -> Option<u64> {
    let most = match node.kind {
        Some(Kind::Object) if !matches!(node.additional, Additional::Nothing) => {
            node.max_properties
        }
        Some(Kind::Array) => node.list.as_ref().and_then(|list| list.max_items),
        _ => Some(1),
    };
    most.map(|most| u64::try_from(most).unwrap_or_default())
}

/// The product of the bounds above a node; `None` where one is missing.
pub(crate) fn product(mut bounds: impl Iterator<Item = Option<u64>>) -> Option<u64> {
    bounds.try_fold(1_u64, |product, bound| Some(product.saturating_mul(bound?)))
}

/// How often a node is in an object at most: as often as its bounds allow, or as often as its smallest value fits into a
/// request.
pub(crate) fn cardinality(times: Option<u64>, smallest: u64) -> u64 {
    times.unwrap_or(MAX_REQUEST / (smallest + 1))
}
