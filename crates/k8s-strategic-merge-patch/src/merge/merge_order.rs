//! The order of a merged list: the orders of the patch and of the live list, interleaved.

use serde_json::Value;

use super::directive::is_deletion;
use crate::elements::element_index::{ElementIndex, HashedKey};
use crate::elements::identity::{identities, identity};
use crate::elements::scalar::Scalar;
use crate::error::PatchError;
use union_runtime::path::{Path, PathStep};

/// The sort keys of an element of a merged list.
#[derive(Clone, Copy, Debug)]
pub(crate) struct SortKey {
    /// The position in the order that the patch requires; `None` for an element that the patch does
    /// not mention.
    pub(crate) wanted: Option<usize>,
    /// The position in the live list; `None` for a new element.
    pub(crate) live: Option<usize>,
    /// True for a deletion, which follows the other elements.
    pub(crate) is_deletion: bool,
}

/// Returns the first position of each element in a list.
pub(crate) fn index_elements<'v>(
    list: &'v [Value],
    merge_key: &str,
    at: &Path<'_>,
) -> Result<ElementIndex<Scalar<'v>>, PatchError> {
    identities(list, merge_key, at).map(ElementIndex::new)
}

/// Returns the ranks of existing elements.
pub(crate) fn sort_keys<'v>(
    items: impl IntoIterator<Item = &'v Value>,
    wanted: &ElementIndex<Scalar<'_>>,
    live: &ElementIndex<Scalar<'_>>,
    merge_key: &str,
    at: &Path<'_>,
) -> Result<Vec<SortKey>, PatchError> {
    let ranks = items.into_iter().enumerate().map(|(i, item)| {
        let key = HashedKey::from_scalar(identity(item, merge_key, &at.step(PathStep::Index(i)))?);
        Ok(SortKey {
            wanted: wanted.get(&key),
            live: live.get(&key),
            is_deletion: is_deletion(item),
        })
    });
    ranks.collect()
}

/// Sorts the elements: the elements that the patch mentions in the order of the patch, the others
/// in the order of the live list. An element that the patch does not mention precedes a mentioned
/// one only if it does in the live list; new elements therefore come first.
pub(crate) fn arrange(mut items: Vec<Value>, ranks: &[SortKey]) -> Vec<Value> {
    let order = sorted_indices(ranks);
    if order.iter().enumerate().all(|(i, at)| i == *at) {
        return items;
    }
    let taken = order
        .into_iter()
        .filter_map(|at| items.get_mut(at).map(Value::take));
    taken.collect()
}

/// Returns the sorted elements, as indices.
pub(crate) fn sorted_indices(ranks: &[SortKey]) -> Vec<usize> {
    let numbered = || ranks.iter().enumerate();
    let mut wanted: Vec<(usize, &SortKey)> = numbered()
        .filter(|(_, rank)| rank.wanted.is_some())
        .collect();
    // Deletions stay in their order.
    let of_rank = |rank: &SortKey, place: Option<usize>| {
        let place = place.filter(|_| !rank.is_deletion);
        (rank.is_deletion, place.is_none(), place)
    };
    wanted.sort_by_key(|(_, rank)| of_rank(rank, rank.wanted));
    let mut others: Vec<(usize, &SortKey)> = numbered()
        .filter(|(_, rank)| rank.wanted.is_none())
        .collect();
    others.sort_by_key(|(_, rank)| of_rank(rank, rank.live));
    let mut order = Vec::with_capacity(ranks.len());
    let mut others = others.into_iter().peekable();
    for (i, rank) in wanted {
        let stands_before = |other: &SortKey| match (other.live, rank.live) {
            (Some(other), Some(this)) => other < this,
            _ => false,
        };
        while let Some((other, _)) = others.next_if(|(_, other)| stands_before(other)) {
            order.push(other);
        }
        order.push(i);
    }
    order.extend(others.map(|(i, _)| i));
    order
}
