//! The difference of two merged lists.

use std::borrow::Cow;
use std::iter;

use serde_json::{Map, Value};

use super::diff::Differ;
use crate::elements::element_index::{ElementIndex, HashedKey};
use crate::elements::identity::{identity, merge_key_value};
use crate::elements::repeated::may_have_duplicates;
use crate::elements::scalar::{
    Scalar, common_type, has_same_sort_string, sort_string_digest, to_sort_string,
};
use crate::error::PatchError;
use crate::merge::directive::is_deletion;
use crate::merge::directive_names::{DELETE_DIRECTIVE, DIRECTIVE_MARKER};
use crate::merge::merge_order::index_elements;
use crate::schema::schema::FieldPatchMeta;
use crate::values::json_type::{GO_STRING, JsonType};
use k8s_json_internals::equality::deep_equal;
use union_runtime::path::{Path, PathStep};

/// The difference of a list, as parts of a patch.
#[derive(Default)]
pub(crate) struct ListPatch {
    /// The list itself.
    pub(crate) patch: Vec<Value>,
    /// The value of `$deleteFromPrimitiveList`.
    pub(crate) deleted: Vec<Value>,
    /// The value of `$setElementOrder`.
    pub(crate) order: Vec<Value>,
}

/// The elements of a list that are not yet paired. Two lists usually have their elements in the
/// same order, so the search starts with the next elements. After too many comparisons, a table by
/// string finds the pairs.
struct UnmatchedElements<'k, 'v> {
    keys: &'k [&'v Value],
    /// The digests of the strings of all elements, computed when the next elements do not match.
    digests: Vec<u64>,
    /// The skipped elements that are not yet taken.
    skipped: Vec<usize>,
    /// A Bloom filter of the skipped elements.
    skipped_bits: u64,
    /// The position of the first element that was not yet compared.
    next_position: usize,
    /// The number of comparisons that are still allowed.
    comparisons_left: usize,
    /// The table by string, boxed because comparisons of nested lists are on one stack.
    by_string: Option<Box<ElementsByString<'v>>>,
}

/// The maximum number of skipped elements.
const MAX_SKIPPED: usize = 32;

/// The number of next elements that are compared before digests are computed.
const COMPARED_WITHOUT_DIGEST: usize = 3;

/// The average number of comparisons of each element beyond which a table is faster.
const MAX_AVERAGE_COMPARISONS: usize = 16;

impl<'k, 'v> UnmatchedElements<'k, 'v> {
    const fn new(keys: &'k [&'v Value]) -> Self {
        Self {
            keys,
            digests: Vec::new(),
            skipped: Vec::new(),
            skipped_bits: 0,
            next_position: 0,
            comparisons_left: keys.len().saturating_mul(MAX_AVERAGE_COMPARISONS),
            by_string: None,
        }
    }

    /// Takes the first element with the string of `key`.
    fn take(&mut self, key: &Value) -> Option<usize> {
        if let Some(by_string) = &mut self.by_string {
            return by_string.take(to_sort_string(key));
        }
        let next = self.next_position;
        // The first element of a string is taken first, so skipped elements come first.
        if self.skipped_bits & bloom_bit(key) != 0 {
            self.ensure_digests();
            let digest = sort_string_digest(key);
            let mut skipped = self.skipped.iter();
            if let Some(position) =
                skipped.position(|position| self.is_digest_match(*position, digest, key))
            {
                return Some(self.skipped.remove(position));
            }
        }
        let window_end = self
            .keys
            .len()
            .min(next.saturating_add(self.comparisons_left));
        let near_end = window_end.min(next + COMPARED_WITHOUT_DIGEST);
        let matching_position = (next..near_end).find(|position| self.is_match(*position, key));
        let matching_position = match matching_position {
            None if near_end < window_end => {
                self.ensure_digests();
                let digest = sort_string_digest(key);
                (near_end..window_end).find(|position| self.is_digest_match(*position, digest, key))
            }
            position => position,
        };
        self.comparisons_left -=
            matching_position.map_or(window_end, |position| position + 1) - next;
        match matching_position {
            Some(position) if self.skipped.len() + position - next <= MAX_SKIPPED => {
                for skipped in self.keys.get(next..position).unwrap_or_default() {
                    self.skipped_bits |= bloom_bit(skipped);
                }
                self.skipped.extend(next..position);
                self.next_position = position + 1;
                Some(position)
            }
            None if window_end == self.keys.len() => None,
            _ => {
                let remaining: Vec<usize> = self.remaining_in_order().collect();
                let by_string =
                    Box::new(ElementsByString::new(self.keys, &self.digests, remaining));
                let by_string = self.by_string.insert(by_string);
                by_string.take(to_sort_string(key))
            }
        }
    }

    /// Computes the digests of all elements, unless they are already computed.
    fn ensure_digests(&mut self) {
        if self.digests.is_empty() {
            let digests = self.keys.iter().map(|key| sort_string_digest(key));
            self.digests = digests.collect();
        }
    }

    fn is_digest_match(&self, position: usize, digest: u64, key: &Value) -> bool {
        self.digests.get(position) == Some(&digest) && self.is_match(position, key)
    }

    fn is_match(&self, position: usize, key: &Value) -> bool {
        let candidate = self.keys.get(position);
        candidate.is_some_and(|candidate| has_same_sort_string(candidate, key))
    }

    fn remaining_in_order(&self) -> impl Iterator<Item = usize> {
        self.skipped
            .iter()
            .copied()
            .chain(self.next_position..self.keys.len())
    }

    fn remaining_in_any_order(&self) -> impl Iterator<Item = usize> {
        let tables = self.by_string.iter();
        let in_table = tables.flat_map(|table| table.remaining_in_any_order());
        let without_table = self.by_string.is_none().then(|| self.remaining_in_order());
        in_table.chain(without_table.into_iter().flatten())
    }

    /// Returns the remaining elements, sorted by their strings.
    fn remaining_sorted(&self) -> Vec<usize> {
        let mut remaining: Vec<(Cow<'_, str>, usize)> = self
            .remaining_in_any_order()
            .filter_map(|position| Some((to_sort_string(self.keys.get(position)?), position)))
            .collect();
        remaining.sort_unstable();
        remaining
            .into_iter()
            .map(|(_, position)| position)
            .collect()
    }
}

/// Returns the bit of a key in a Bloom filter of 64 bits. The bit depends on the end and the length
/// of the string, because names usually differ there. A value that is not a string has all bits,
/// because it may print like any string.
fn bloom_bit(key: &Value) -> u64 {
    let Value::String(string) = key else {
        return u64::MAX;
    };
    let [next_to_last, last] = string.as_bytes().last_chunk().copied().unwrap_or_default();
    1 << ((usize::from(next_to_last) * 13 + usize::from(last) * 5 + string.len()) % 64)
}

/// The elements of a list, by their strings.
struct ElementsByString<'v> {
    index: ElementIndex<Cow<'v, str>>,
    /// For the first element of each string, the position of the next element with this string that
    /// is not yet taken; `None` if all of them are taken.
    next_untaken: Vec<Option<usize>>,
    /// For each element of the list, the position of the next element with the same string.
    next: Vec<Option<usize>>,
}

impl<'v> ElementsByString<'v> {
    /// Creates the table of the elements at these positions, which are sorted. `digests` has the
    /// digests of all strings, or is empty.
    fn new(keys: &[&'v Value], digests: &[u64], positions: Vec<usize>) -> Self {
        let mut strings = Vec::with_capacity(positions.len());
        for position in &positions {
            let string = keys
                .get(*position)
                .map_or(Cow::Borrowed(""), |key| to_sort_string(key));
            strings.push(match digests.get(*position) {
                Some(digest) => HashedKey::from_digested_string(string, *digest),
                None => HashedKey::from_string(string),
            });
        }
        let index = ElementIndex::new(strings);
        let mut next_untaken = vec![None; positions.len()];
        let mut next = vec![None; keys.len()];
        for (i, position) in positions.into_iter().enumerate().rev() {
            let first = next_untaken.get_mut(index.first_position(i));
            if let (Some(first), Some(next)) = (first, next.get_mut(position)) {
                *next = first.replace(position);
            }
        }
        Self {
            index,
            next_untaken,
            next,
        }
    }

    /// Takes the first element with this string.
    fn take(&mut self, key: Cow<'_, str>) -> Option<usize> {
        let index = self.index.get(&HashedKey::from_string(key))?;
        let first = self.next_untaken.get_mut(index)?;
        let position = (*first)?;
        *first = self.next.get(position).copied().flatten();
        Some(position)
    }

    fn remaining_in_any_order(&self) -> impl Iterator<Item = usize> {
        let untaken = self.next_untaken.iter().copied();
        untaken.flat_map(|first_untaken| {
            iter::successors(first_untaken, |position| {
                self.next.get(*position).copied().flatten()
            })
        })
    }
}

/// Returns true if the keys at each position of two lists have the same string.
fn are_aligned(keys: &[&Value], other_keys: &[&Value]) -> bool {
    let mut pairs = keys.iter().zip(other_keys);
    keys.len() == other_keys.len()
        && pairs.all(|(key, other_key)| has_same_sort_string(key, other_key))
}

/// Returns the merge keys of the elements of a list.
fn merge_keys<'v>(
    list: &'v [Value],
    merge_key: &str,
    location: &Path<'_>,
) -> Result<Vec<&'v Value>, PatchError> {
    let mut keys = Vec::with_capacity(list.len());
    for (i, item) in list.iter().enumerate() {
        let key = merge_key_value(item, merge_key, &location.step(PathStep::Index(i)))?;
        if key.is_array() || key.is_object() {
            return Err(PatchError::bad_type(
                GO_STRING,
                key,
                &location.step(PathStep::Index(i)),
            ));
        }
        keys.push(key);
    }
    Ok(keys)
}

/// Returns the patch that deletes an element.
pub(crate) fn deletion(merge_key: &str, key: &Value) -> Value {
    let mut deletion = single_entry_object(merge_key, key);
    deletion.insert(DIRECTIVE_MARKER.to_owned(), DELETE_DIRECTIVE.into());
    deletion.into()
}

impl Differ<'_> {
    /// Returns the difference of two lists, with the order of this list if `with_order` is
    /// true. Lists in the elements always have their orders, if [`Differ`] creates orders.
    pub(crate) fn diff_list(
        &self,
        original: &[Value],
        modified: &[Value],
        with_order: bool,
        field: &FieldPatchMeta<'_>,
        location: &Path<'_>,
    ) -> Result<ListPatch, PatchError> {
        if original.is_empty() {
            for new in modified {
                self.check_modified_depth(new)?;
            }
            self.report_shared_keys(modified.iter().filter_map(|new| new.get(field.merge_key)));
            let added_elements = if self.additions { modified } else { &[] };
            return Ok(ListPatch {
                patch: added_elements.to_vec(),
                ..ListPatch::default()
            });
        }
        match common_type(original, modified, location)? {
            Some(JsonType::Object) => {
                self.diff_objects(original, modified, with_order, field, location)
            }
            _ => self.diff_scalars(original, modified, with_order, location),
        }
    }

    fn diff_objects(
        &self,
        original: &[Value],
        modified: &[Value],
        with_order: bool,
        field: &FieldPatchMeta<'_>,
        location: &Path<'_>,
    ) -> Result<ListPatch, PatchError> {
        let merge_key = field.merge_key;
        let [original_keys, modified_keys] = [
            merge_keys(original, merge_key, location)?,
            merge_keys(modified, merge_key, location)?,
        ];
        let mut unmatched = if are_aligned(&original_keys, &modified_keys) {
            None
        } else {
            Some(UnmatchedElements::new(&original_keys))
        };
        self.report_shared_keys(modified_keys.iter().copied());
        if unmatched.is_some() {
            self.report_shared_keys(original_keys.iter().copied());
        }
        let mut patch = Vec::new();
        for (i, (new, key)) in modified.iter().zip(&modified_keys).enumerate() {
            let old_position = match &mut unmatched {
                Some(unmatched) => unmatched.take(key),
                None => Some(i),
            };
            let old = old_position.and_then(|position| original.get(position));
            if let (Some(Value::Object(old)), Value::Object(new)) = (old, new) {
                let location = location.step(PathStep::Index(i));
                let differ = self.for_child()?;
                let child_patch =
                    differ.diff_object(old, new, field.node, field.retain_keys, &location)?;
                if let Some(mut child_patch) = child_patch {
                    child_patch.insert(merge_key.to_owned(), (*key).clone());
                    patch.push(child_patch.into());
                }
            } else {
                self.check_modified_depth(new)?;
                patch.extend(self.additions.then(|| new.clone()));
            }
        }
        sort_like_modified(&mut patch, modified, merge_key, location)?;
        if let Some(unmatched) = &unmatched {
            self.add_deletions(&mut patch, original, merge_key, unmatched)?;
        }
        let order = if with_order {
            element_order(
                merge_key,
                [&original_keys, &modified_keys],
                &patch,
                self.additions,
            )
        } else {
            Vec::new()
        };
        Ok(ListPatch {
            patch,
            deleted: Vec::new(),
            order,
        })
    }

    /// Sets [`shared_keys`](Differ::shared_keys) if elements of a list share their key.
    fn report_shared_keys<'v>(&self, keys: impl Iterator<Item = &'v Value> + Clone) {
        if let Some(shared_keys) = self.shared_keys
            && !shared_keys.get()
            && may_have_duplicates(keys)
        {
            shared_keys.set(true);
        }
    }

    /// Adds a deletion for each element that only the original list has.
    fn add_deletions(
        &self,
        patch: &mut Vec<Value>,
        original: &[Value],
        merge_key: &str,
        unmatched: &UnmatchedElements<'_, '_>,
    ) -> Result<(), PatchError> {
        for position in unmatched.remaining_in_any_order() {
            if let Some(element) = original.get(position) {
                self.check_original_depth(element)?;
            }
        }
        if self.deletions {
            let positions = unmatched.remaining_sorted().into_iter();
            let keys = positions.filter_map(|position| unmatched.keys.get(position));
            patch.extend(keys.map(|key| deletion(merge_key, key)));
        }
        Ok(())
    }

    fn diff_scalars(
        &self,
        original: &[Value],
        modified: &[Value],
        with_order: bool,
        location: &Path<'_>,
    ) -> Result<ListPatch, PatchError> {
        if original.len() == modified.len()
            && original
                .iter()
                .zip(modified)
                .all(|(old, new)| deep_equal(old, new))
        {
            return Ok(ListPatch::default());
        }
        let original_keys: Vec<&Value> = original.iter().collect();
        let mut unmatched = UnmatchedElements::new(&original_keys);
        let mut patch = Vec::new();
        for new in modified {
            if unmatched.take(new).is_none() && self.additions {
                patch.push(new.clone());
            }
        }
        sort_like_modified(&mut patch, modified, "", location)?;
        let mut deleted: Vec<Value> = Vec::new();
        if self.deletions {
            let positions = unmatched.remaining_sorted().into_iter();
            let elements = positions.filter_map(|position| original.get(position));
            deleted.extend(elements.cloned());
            deleted.dedup();
        }
        let needs_order = with_order && (!deleted.is_empty() || self.additions);
        Ok(ListPatch {
            patch,
            deleted,
            order: if needs_order {
                modified.to_vec()
            } else {
                Vec::new()
            },
        })
    }
}

/// Returns the value of `$setElementOrder` for a list: the keys of the new elements in their order.
/// Returns an empty value if the list was empty (A8), or if no order is needed. An order is needed
/// if the patch changes elements, or if the order differs and `sends_order` is true.
pub(crate) fn element_order(
    merge_key: &str,
    [original_keys, modified_keys]: [&[&Value]; 2],
    patch: &[Value],
    sends_order: bool,
) -> Vec<Value> {
    let is_needed = !patch.is_empty() || sends_order && are_reordered(original_keys, modified_keys);
    if original_keys.is_empty() || !is_needed {
        return Vec::new();
    }
    let objects = modified_keys.iter();
    let objects = objects.map(|key| single_entry_object(merge_key, key).into());
    objects.collect()
}

/// Returns true if the keys of two lists or their order differ.
fn are_reordered(original_keys: &[&Value], modified_keys: &[&Value]) -> bool {
    let mut pairs = original_keys.iter().zip(modified_keys);
    original_keys.len() != modified_keys.len()
        || pairs.any(|(old, new)| Scalar::from_value(old) != Scalar::from_value(new))
}

/// Returns an object `{key: value}`.
pub(crate) fn single_entry_object(key: &str, value: &Value) -> Map<String, Value> {
    // `from_iter` would sort.
    let mut object = Map::new();
    object.insert(key.to_owned(), value.clone());
    object
}

/// Sorts the additions and changes of a patch in the order of the modified list: duplicate elements
/// are adjacent, and deletions are at the end.
fn sort_like_modified(
    patch: &mut Vec<Value>,
    modified: &[Value],
    merge_key: &str,
    location: &Path<'_>,
) -> Result<(), PatchError> {
    if patch.len() < 2 {
        return Ok(());
    }
    let has_deletions = patch.iter().any(is_deletion);
    let mut keys = Vec::with_capacity(patch.len());
    for item in &*patch {
        keys.push(HashedKey::from_scalar(identity(item, merge_key, location)?));
    }
    if !has_deletions && ElementIndex::new(keys).has_unique_keys() {
        return Ok(());
    }
    let modified_index = index_elements(modified, merge_key, location)?;
    let mut sort_keys = Vec::with_capacity(patch.len());
    for item in &*patch {
        let position = modified_index.get(&HashedKey::from_scalar(identity(
            item, merge_key, location,
        )?));
        sort_keys.push((is_deletion(item), position));
    }
    let mut sorted_positions: Vec<usize> = (0..patch.len()).collect();
    sorted_positions.sort_by_key(|i| sort_keys.get(*i).copied());
    let mut items = std::mem::take(patch);
    let items = sorted_positions
        .into_iter()
        .filter_map(|i| items.get_mut(i).map(Value::take));
    *patch = items.collect();
    Ok(())
}
