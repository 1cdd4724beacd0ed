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
    pub(crate) patch_position: Option<usize>,
    /// The position in the live list; `None` for a new element.
    pub(crate) live_position: Option<usize>,
    /// True for a deletion, which follows the other elements.
    pub(crate) is_deletion: bool,
}

/// Returns the first position of each element in a list.
pub(crate) fn index_elements<'v>(
    list: &'v [Value],
    merge_key: &str,
    location: &Path<'_>,
) -> Result<ElementIndex<Scalar<'v>>, PatchError> {
    identities(list, merge_key, location).map(ElementIndex::new)
}

/// Returns the sort keys of elements.
pub(crate) fn compute_sort_keys<'v>(
    items: impl IntoIterator<Item = &'v Value>,
    patch_order: &ElementIndex<Scalar<'_>>,
    live_order: &ElementIndex<Scalar<'_>>,
    merge_key: &str,
    location: &Path<'_>,
) -> Result<Vec<SortKey>, PatchError> {
    let sort_keys = items.into_iter().enumerate().map(|(i, item)| {
        let key = HashedKey::from_scalar(identity(
            item,
            merge_key,
            &location.step(PathStep::Index(i)),
        )?);
        Ok(SortKey {
            patch_position: patch_order.get(&key),
            live_position: live_order.get(&key),
            is_deletion: is_deletion(item),
        })
    });
    sort_keys.collect()
}

/// Sorts the elements: the elements that the patch mentions in the order of the patch, the others
/// in the order of the live list. An element that the patch does not mention precedes a mentioned
/// element only if it precedes the element in the live list; new elements therefore come first.
pub(crate) fn sort_elements(mut items: Vec<Value>, sort_keys: &[SortKey]) -> Vec<Value> {
    let order = sorted_indices(sort_keys);
    if order.iter().enumerate().all(|(i, position)| i == *position) {
        return items;
    }
    let sorted_items = order
        .into_iter()
        .filter_map(|position| items.get_mut(position).map(Value::take));
    sorted_items.collect()
}

/// Returns the sorted elements, as indices.
pub(crate) fn sorted_indices(sort_keys: &[SortKey]) -> Vec<usize> {
    let indexed_sort_keys = || sort_keys.iter().enumerate();
    let mut mentioned: Vec<(usize, &SortKey)> = indexed_sort_keys()
        .filter(|(_, sort_key)| sort_key.patch_position.is_some())
        .collect();
    // Deletions stay in their order.
    let order_key = |sort_key: &SortKey, position: Option<usize>| {
        let position = position.filter(|_| !sort_key.is_deletion);
        (sort_key.is_deletion, position.is_none(), position)
    };
    mentioned.sort_by_key(|(_, sort_key)| order_key(sort_key, sort_key.patch_position));
    let mut unmentioned: Vec<(usize, &SortKey)> = indexed_sort_keys()
        .filter(|(_, sort_key)| sort_key.patch_position.is_none())
        .collect();
    unmentioned.sort_by_key(|(_, sort_key)| order_key(sort_key, sort_key.live_position));
    let mut order = Vec::with_capacity(sort_keys.len());
    let mut unmentioned = unmentioned.into_iter().peekable();
    for (i, sort_key) in mentioned {
        let precedes = |unmentioned: &SortKey| {
            let positions = [unmentioned.live_position, sort_key.live_position];
            matches!(positions, [Some(unmentioned), Some(mentioned)] if unmentioned < mentioned)
        };
        while let Some((index, _)) = unmentioned.next_if(|(_, sort_key)| precedes(sort_key)) {
            order.push(index);
        }
        order.push(i);
    }
    order.extend(unmentioned.map(|(i, _)| i));
    order
}
