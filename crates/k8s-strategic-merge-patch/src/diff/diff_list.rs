//! The difference of two merged lists.

use std::borrow::Cow;
use std::iter;

use serde_json::{Map, Value};

use super::diff::Differ;
use crate::elements::element_index::{ElementIndex, HashedKey};
use crate::elements::identity::{identity, merge_key_value};
use crate::elements::repeated::may_repeat;
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
/// same order, so that the pair is one of the next elements. After too many comparisons, a table by
/// string finds the pairs.
struct UnmatchedElements<'k, 'v> {
    keys: &'k [&'v Value],
    /// The digests of the strings of all elements, computed when none of the next elements is the
    /// pair.
    digests: Vec<u64>,
    /// The skipped elements that are not yet taken.
    passed: Vec<usize>,
    /// The [marks](mark) of the skipped elements.
    marks: u64,
    /// The position of the first element that was not yet compared.
    ahead: usize,
    /// The number of comparisons that are still allowed.
    looks: usize,
    /// A table by string, boxed because comparisons of lists nest on the stack.
    by_text: Option<Box<ElementsByString<'v>>>,
}

/// The maximum number of skipped elements.
const MAX_PASSED: usize = 32;

/// The number of next elements that are compared before digests are computed.
const NEAR: usize = 3;

/// The average number of comparisons of each element beyond which a table is faster.
const MAX_AVERAGE_LOOKS: usize = 16;

impl<'k, 'v> UnmatchedElements<'k, 'v> {
    const fn new(keys: &'k [&'v Value]) -> Self {
        Self {
            keys,
            digests: Vec::new(),
            passed: Vec::new(),
            marks: 0,
            ahead: 0,
            looks: keys.len().saturating_mul(MAX_AVERAGE_LOOKS),
            by_text: None,
        }
    }

    /// Takes the first element with the string of `key`.
    fn take(&mut self, key: &Value) -> Option<usize> {
        if let Some(by_text) = &mut self.by_text {
            return by_text.take(to_sort_string(key));
        }
        let next = self.ahead;
        // The first element of a string is taken first, so skipped elements come first.
        if self.marks & mark(key) != 0 {
            let digest = self.digest(key);
            let mut passed = self.passed.iter();
            if let Some(at) = passed.position(|at| self.is_digest_match(*at, digest, key)) {
                return Some(self.passed.remove(at));
            }
        }
        let end = self.keys.len().min(next.saturating_add(self.looks));
        let near = end.min(next + NEAR);
        let found = (next..near).find(|at| self.is_match(*at, key));
        let found = match found {
            None if near < end => {
                let digest = self.digest(key);
                (near..end).find(|at| self.is_digest_match(*at, digest, key))
            }
            found => found,
        };
        self.looks -= found.map_or(end, |found| found + 1) - next;
        match found {
            Some(found) if self.passed.len() + found - next <= MAX_PASSED => {
                for passed in self.keys.get(next..found).unwrap_or_default() {
                    self.marks |= mark(passed);
                }
                self.passed.extend(next..found);
                self.ahead = found + 1;
                Some(found)
            }
            None if end == self.keys.len() => None,
            _ => {
                let left: Vec<usize> = self.remaining_in_order().collect();
                let by_text = Box::new(ElementsByString::new(self.keys, &self.digests, left));
                let by_text = self.by_text.insert(by_text);
                by_text.take(to_sort_string(key))
            }
        }
    }

    /// Returns the digest of a string, and computes the digests of all elements if necessary.
    fn digest(&mut self, key: &Value) -> u64 {
        if self.digests.is_empty() {
            let digests = self.keys.iter().map(|key| sort_string_digest(key));
            self.digests = digests.collect();
        }
        sort_string_digest(key)
    }

    fn is_digest_match(&self, at: usize, digest: u64, key: &Value) -> bool {
        self.digests.get(at) == Some(&digest) && self.is_match(at, key)
    }

    fn is_match(&self, at: usize, key: &Value) -> bool {
        let found = self.keys.get(at);
        found.is_some_and(|found| has_same_sort_string(found, key))
    }

    fn remaining_in_order(&self) -> impl Iterator<Item = usize> {
        self.passed
            .iter()
            .copied()
            .chain(self.ahead..self.keys.len())
    }

    fn remaining_in_any_order(&self) -> impl Iterator<Item = usize> {
        let by_text = self.by_text.iter();
        let by_text = by_text.flat_map(|by_text| by_text.remaining_in_any_order());
        let others = self.by_text.is_none().then(|| self.remaining_in_order());
        by_text.chain(others.into_iter().flatten())
    }

    /// Returns the elements that are left, sorted by their strings.
    fn remaining_sorted(&self) -> Vec<usize> {
        let mut left: Vec<(Cow<'_, str>, usize)> = self
            .remaining_in_any_order()
            .filter_map(|at| Some((to_sort_string(self.keys.get(at)?), at)))
            .collect();
        left.sort_unstable();
        left.into_iter().map(|(_, at)| at).collect()
    }
}

/// Returns a mark for a string, a bit of 64, by its end and its length: names usually differ there,
/// and few elements are skipped. A value that is not a string has all bits, because it may print
/// like any string.
fn mark(key: &Value) -> u64 {
    let Value::String(text) = key else {
        return u64::MAX;
    };
    let [before, end] = text.as_bytes().last_chunk().copied().unwrap_or_default();
    1 << ((usize::from(before) * 13 + usize::from(end) * 5 + text.len()) % 64)
}

/// The elements of a list, by their strings.
struct ElementsByString<'v> {
    index: ElementIndex<Cow<'v, str>>,
    /// For the first element of each string, the position of the next element to take; `None` if
    /// all of them were taken.
    first: Vec<Option<usize>>,
    /// For each element of the list, the next one with the same string.
    next: Vec<Option<usize>>,
}

impl<'v> ElementsByString<'v> {
    /// Creates the table of the elements at these positions, which are sorted. `digests` has the
    /// digests of all strings, or is empty.
    fn new(keys: &[&'v Value], digests: &[u64], positions: Vec<usize>) -> Self {
        let mut texts = Vec::with_capacity(positions.len());
        for at in &positions {
            let text = keys
                .get(*at)
                .map_or(Cow::Borrowed(""), |key| to_sort_string(key));
            texts.push(match digests.get(*at) {
                Some(digest) => HashedKey::from_digested_string(text, *digest),
                None => HashedKey::from_string(text),
            });
        }
        let places = ElementIndex::new(texts);
        let mut first = vec![None; positions.len()];
        let mut next = vec![None; keys.len()];
        for (place, position) in positions.into_iter().enumerate().rev() {
            let first = first.get_mut(places.first_position(place));
            if let (Some(first), Some(next)) = (first, next.get_mut(position)) {
                *next = first.replace(position);
            }
        }
        Self {
            index: places,
            first,
            next,
        }
    }

    /// Takes the first element with this string.
    fn take(&mut self, key: Cow<'_, str>) -> Option<usize> {
        let place = self.index.get(&HashedKey::from_string(key))?;
        let first = self.first.get_mut(place)?;
        let taken = (*first)?;
        *first = self.next.get(taken).copied().flatten();
        Some(taken)
    }

    fn remaining_in_any_order(&self) -> impl Iterator<Item = usize> {
        let firsts = self.first.iter().copied();
        firsts.flat_map(|first| iter::successors(first, |at| self.next.get(*at).copied().flatten()))
    }
}

/// Returns true if the elements at each position of two lists are pairs.
fn are_aligned(first: &[&Value], second: &[&Value]) -> bool {
    let mut pairs = first.iter().zip(second);
    first.len() == second.len() && pairs.all(|(first, second)| has_same_sort_string(first, second))
}

/// Returns the merge keys of the elements of a list.
fn merge_keys<'v>(
    list: &'v [Value],
    merge_key: &str,
    at: &Path<'_>,
) -> Result<Vec<&'v Value>, PatchError> {
    let mut keys = Vec::with_capacity(list.len());
    for (i, item) in list.iter().enumerate() {
        let key = merge_key_value(item, merge_key, &at.step(PathStep::Index(i)))?;
        if key.is_array() || key.is_object() {
            return Err(PatchError::bad_type(
                GO_STRING,
                key,
                &at.step(PathStep::Index(i)),
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
    /// Returns the difference of two lists, with the order of this list if `order` is true; it does
    /// not apply to lists in the elements.
    pub(crate) fn diff_list(
        &self,
        original: &[Value],
        modified: &[Value],
        order: bool,
        field: &FieldPatchMeta<'_>,
        at: &Path<'_>,
    ) -> Result<ListPatch, PatchError> {
        if original.is_empty() {
            for new in modified {
                self.check_modified_depth(new)?;
            }
            self.note_shared_keys(modified.iter().filter_map(|new| new.get(field.merge_key)));
            let added = if self.additions { modified } else { &[] };
            return Ok(ListPatch {
                patch: added.to_vec(),
                ..ListPatch::default()
            });
        }
        match common_type(original, modified, at)? {
            Some(JsonType::Object) => self.diff_objects(original, modified, order, field, at),
            _ => self.diff_scalars(original, modified, order, at),
        }
    }

    fn diff_objects(
        &self,
        original: &[Value],
        modified: &[Value],
        order: bool,
        field: &FieldPatchMeta<'_>,
        at: &Path<'_>,
    ) -> Result<ListPatch, PatchError> {
        let merge_key = field.merge_key;
        let [olds, news] = [
            merge_keys(original, merge_key, at)?,
            merge_keys(modified, merge_key, at)?,
        ];
        let mut unpaired = if are_aligned(&olds, &news) {
            None
        } else {
            Some(UnmatchedElements::new(&olds))
        };
        self.note_shared_keys(news.iter().copied());
        if unpaired.is_some() {
            self.note_shared_keys(olds.iter().copied());
        }
        let mut patch = Vec::new();
        for (i, (new, key)) in modified.iter().zip(&news).enumerate() {
            let pair = match &mut unpaired {
                Some(unpaired) => unpaired.take(key),
                None => Some(i),
            };
            let pair = pair.and_then(|old| original.get(old));
            if let (Some(Value::Object(old)), Value::Object(new)) = (pair, new) {
                let at = at.step(PathStep::Index(i));
                let diff = self.for_child()?;
                let below = diff.diff_object(old, new, field.node, field.retain_keys, &at)?;
                if let Some(mut below) = below {
                    below.insert(merge_key.to_owned(), (*key).clone());
                    patch.push(below.into());
                }
            } else {
                self.check_modified_depth(new)?;
                patch.extend(self.additions.then(|| new.clone()));
            }
        }
        sort_like_modified(&mut patch, modified, merge_key, at)?;
        if let Some(unpaired) = &unpaired {
            self.add_deletions(&mut patch, original, merge_key, unpaired)?;
        }
        let order = if order {
            element_order(merge_key, [&olds, &news], &patch, self.additions)
        } else {
            Vec::new()
        };
        Ok(ListPatch {
            patch,
            deleted: Vec::new(),
            order,
        })
    }

    /// Notes for the caller of the comparison that elements of a list share their key.
    fn note_shared_keys<'v>(&self, keys: impl Iterator<Item = &'v Value> + Clone) {
        if let Some(shared_keys) = self.shared_keys
            && !shared_keys.get()
            && may_repeat(keys)
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
        unpaired: &UnmatchedElements<'_, '_>,
    ) -> Result<(), PatchError> {
        for left in unpaired.remaining_in_any_order() {
            if let Some(left) = original.get(left) {
                self.check_original_depth(left)?;
            }
        }
        if self.deletions {
            let gone = unpaired.remaining_sorted().into_iter();
            let gone = gone.filter_map(|old| unpaired.keys.get(old));
            patch.extend(gone.map(|key| deletion(merge_key, key)));
        }
        Ok(())
    }

    fn diff_scalars(
        &self,
        original: &[Value],
        modified: &[Value],
        order: bool,
        at: &Path<'_>,
    ) -> Result<ListPatch, PatchError> {
        if original.len() == modified.len()
            && original
                .iter()
                .zip(modified)
                .all(|(old, new)| deep_equal(old, new))
        {
            return Ok(ListPatch::default());
        }
        let olds: Vec<&Value> = original.iter().collect();
        let mut unpaired = UnmatchedElements::new(&olds);
        let mut patch = Vec::new();
        for new in modified {
            if unpaired.take(new).is_none() && self.additions {
                patch.push(new.clone());
            }
        }
        sort_like_modified(&mut patch, modified, "", at)?;
        let mut deleted: Vec<Value> = Vec::new();
        if self.deletions {
            let gone = unpaired.remaining_sorted().into_iter();
            let gone = gone.filter_map(|i| original.get(i));
            deleted.extend(gone.cloned());
            deleted.dedup();
        }
        let wants_order = order && (!deleted.is_empty() || self.additions);
        Ok(ListPatch {
            patch,
            deleted,
            order: if wants_order {
                modified.to_vec()
            } else {
                Vec::new()
            },
        })
    }
}

/// Returns the value of `$setElementOrder` for a list that was not empty, by the keys of its old
/// and new elements: the new order, if the patch changes elements, or if the order differs and
/// `sends_order` is true.
pub(crate) fn element_order(
    merge_key: &str,
    [olds, news]: [&[&Value]; 2],
    patch: &[Value],
    sends_order: bool,
) -> Vec<Value> {
    let is_wanted = !patch.is_empty() || sends_order && are_reordered(olds, news);
    if olds.is_empty() || !is_wanted {
        return Vec::new();
    }
    let objects = news.iter();
    let objects = objects.map(|key| single_entry_object(merge_key, key).into());
    objects.collect()
}

/// Returns true if the keys of two lists or their order differ.
fn are_reordered(olds: &[&Value], news: &[&Value]) -> bool {
    let mut pairs = olds.iter().zip(news);
    olds.len() != news.len()
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
    at: &Path<'_>,
) -> Result<(), PatchError> {
    if patch.len() < 2 {
        return Ok(());
    }
    let has_deletions = patch.iter().any(is_deletion);
    let mut keys = Vec::with_capacity(patch.len());
    for item in &*patch {
        keys.push(HashedKey::from_scalar(identity(item, merge_key, at)?));
    }
    if !has_deletions && ElementIndex::new(keys).has_unique_keys() {
        return Ok(());
    }
    let wanted = index_elements(modified, merge_key, at)?;
    let mut ranked = Vec::with_capacity(patch.len());
    for item in &*patch {
        let place = wanted.get(&HashedKey::from_scalar(identity(item, merge_key, at)?));
        ranked.push((is_deletion(item), place));
    }
    let mut order: Vec<usize> = (0..patch.len()).collect();
    order.sort_by_key(|i| ranked.get(*i).copied());
    let mut items = std::mem::take(patch);
    let items = order
        .into_iter()
        .filter_map(|i| items.get_mut(i).map(Value::take));
    *patch = items.collect();
    Ok(())
}
