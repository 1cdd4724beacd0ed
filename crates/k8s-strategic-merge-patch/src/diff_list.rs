//! The difference of two lists that are merged.

use std::borrow::Cow;
use std::collections::HashMap;

use serde_json::{Map, Value};

use super::arrange::{Places, places};
use super::diff::Diff;
use super::directive::{DELETE, PATCH, is_deletion};
use super::error::PatchError;
use super::scalar::{Kind, Scalar, TEXT, common_kind, identity, key_value, text};
use super::schema::Found;
use k8s_json_internals::equality::same;
use union_runtime::path::{Path, Step};

/// What a patch says of a list.
#[derive(Default)]
pub(super) struct Lists {
    /// The list itself.
    pub(super) patch: Vec<Value>,
    /// `$deleteFromPrimitiveList`
    pub(super) deleted: Vec<Value>,
    /// `$setElementOrder`
    pub(super) order: Vec<Value>,
}

/// The elements of a list that have found no pair yet. Two lists mostly have theirs in one order, so that the next one is the pair, or
/// one of the next; where many are not, they are found by their texts.
struct Unpaired<'k, 'v> {
    keys: &'k [&'v Value],
    /// Those that were passed by and have not been taken.
    passed: Vec<usize>,
    /// Where those begin that have not been looked at.
    ahead: usize,
    /// How many may still be looked at one by one.
    looks: usize,
    by_text: Option<ByText<'v>>,
}

/// How many elements are passed by at most.
const MOST_PASSED: usize = 32;

/// How often each element is looked at on average, before a table of them is the cheaper way.
const LOOKS: usize = 16;

impl<'k, 'v> Unpaired<'k, 'v> {
    const fn of(keys: &'k [&'v Value]) -> Self {
        Self {
            keys,
            passed: Vec::new(),
            ahead: 0,
            looks: keys.len().saturating_mul(LOOKS),
            by_text: None,
        }
    }

    /// Takes the first element of a text.
    fn take(&mut self, key: &str) -> Option<usize> {
        if let Some(by_text) = &mut self.by_text {
            return by_text.take(key);
        }
        let is = |at: &usize| {
            let found = self.keys.get(*at);
            found.is_some_and(|found| text(found) == key)
        };
        // The first of a text is taken first, so those that were passed by come first.
        if let Some(at) = self.passed.iter().position(is) {
            return Some(self.passed.remove(at));
        }
        let end = self.keys.len().min(self.ahead.saturating_add(self.looks));
        let found = (self.ahead..end).find(is);
        let looked_at = found.map_or(end, |found| found + 1) - self.ahead;
        self.looks -= looked_at;
        match found {
            Some(found) if self.passed.len() + found - self.ahead <= MOST_PASSED => {
                self.passed.extend(self.ahead..found);
                self.ahead = found + 1;
                Some(found)
            }
            None if end == self.keys.len() => None,
            _ => {
                let left: Vec<usize> = self.left_in_order().collect();
                self.by_text.insert(ByText::of(self.keys, left)).take(key)
            }
        }
    }

    fn left_in_order(&self) -> impl Iterator<Item = usize> {
        self.passed
            .iter()
            .copied()
            .chain(self.ahead..self.keys.len())
    }

    /// Those that are left, by their texts.
    fn left(self) -> Vec<usize> {
        if let Some(by_text) = self.by_text {
            return by_text.left();
        }
        let left = self.left_in_order();
        let mut left: Vec<(Cow<'_, str>, usize)> = left
            .filter_map(|at| Some((text(self.keys.get(at)?), at)))
            .collect();
        left.sort_unstable();
        left.into_iter().map(|(_, at)| at).collect()
    }
}

/// Elements of a list by their texts.
struct ByText<'v> {
    /// The first one of each text; `None` where all have been taken.
    first: HashMap<Cow<'v, str>, Option<usize>>,
    /// The next one of the same text, for each element.
    next: Vec<Option<usize>>,
}

impl<'v> ByText<'v> {
    /// Those elements of a list that stand at these positions, in order.
    fn of(keys: &[&'v Value], positions: Vec<usize>) -> Self {
        let mut found = Self {
            first: HashMap::with_capacity(positions.len()),
            next: vec![None; keys.len()],
        };
        for i in positions.into_iter().rev() {
            let Some(key) = keys.get(i) else { continue };
            let after = found.first.insert(text(key), Some(i));
            if let Some(next) = found.next.get_mut(i) {
                *next = after.flatten();
            }
        }
        found
    }

    /// Takes the first element of a text.
    fn take(&mut self, key: &str) -> Option<usize> {
        let first = self.first.get_mut(key)?;
        let taken = (*first)?;
        *first = self.next.get(taken).copied().flatten();
        Some(taken)
    }

    /// Those that are left, by their texts.
    fn left(self) -> Vec<usize> {
        let firsts = self.first.into_iter();
        let firsts = firsts.filter_map(|(text, first)| Some((text, first?)));
        let mut firsts: Vec<(Cow<'_, str>, usize)> = firsts.collect();
        firsts.sort_unstable_by(|(a, _), (b, _)| a.cmp(b));
        let mut left = Vec::new();
        for (_, first) in firsts {
            let mut at = Some(first);
            while let Some(i) = at {
                left.push(i);
                at = self.next.get(i).copied().flatten();
            }
        }
        left
    }
}

/// Whether the elements of two lists are pairs where they stand.
fn are_aligned(first: &[&Value], second: &[&Value]) -> bool {
    let mut pairs = first.iter().zip(second);
    first.len() == second.len() && pairs.all(|(first, second)| text(first) == text(second))
}

/// The merge keys of the elements of a list.
fn merge_keys<'v>(
    list: &'v [Value],
    merge_key: &str,
    at: &Path<'_>,
) -> Result<Vec<&'v Value>, PatchError> {
    let keys = list.iter().enumerate().map(|(i, item)| {
        let at = at.step(Step::Index(i));
        let key = key_value(item, merge_key, &at)?;
        match Scalar::of(key) {
            Some(_) => Ok(key),
            None => Err(PatchError::bad_type(TEXT, key, &at)),
        }
    });
    keys.collect()
}

/// What deletes an element.
fn deletion(merge_key: &str, key: &Value) -> Value {
    let mut deletion = one(merge_key, key);
    deletion.insert(PATCH.to_owned(), DELETE.into());
    deletion.into()
}

impl Diff<'_> {
    pub(super) fn list(
        self,
        original: &[Value],
        modified: &[Value],
        field: &Found<'_>,
        at: &Path<'_>,
    ) -> Result<Lists, PatchError> {
        if original.is_empty() {
            let added = if self.additions { modified } else { &[] };
            return Ok(Lists {
                patch: added.to_vec(),
                ..Lists::default()
            });
        }
        match common_kind(original, modified, at)? {
            Some(Kind::Object) => self.objects(original, modified, field, at),
            _ => self.scalars(original, modified, at),
        }
    }

    fn objects(
        self,
        original: &[Value],
        modified: &[Value],
        field: &Found<'_>,
        at: &Path<'_>,
    ) -> Result<Lists, PatchError> {
        let merge_key = field.merge_key;
        let [olds, news] = [
            merge_keys(original, merge_key, at)?,
            merge_keys(modified, merge_key, at)?,
        ];
        let mut unpaired = if are_aligned(&olds, &news) {
            None
        } else {
            Some(Unpaired::of(&olds))
        };
        let mut patch = Vec::new();
        for (i, (new, key)) in modified.iter().zip(&news).enumerate() {
            let pair = match &mut unpaired {
                Some(unpaired) => unpaired.take(&text(key)),
                None => Some(i),
            };
            match (pair.and_then(|old| original.get(old)), new) {
                (Some(Value::Object(old)), Value::Object(new)) => {
                    let at = at.step(Step::Index(i));
                    let mut below = self.object(old, new, field.below, field.retain, &at)?;
                    if !below.is_empty() {
                        below.insert(merge_key.to_owned(), (*key).clone());
                        patch.push(below.into());
                    }
                }
                _ if self.additions => patch.push(new.clone()),
                _ => {}
            }
        }
        in_order(&mut patch, modified, merge_key, at)?;
        if self.deletions {
            let gone = unpaired.map(Unpaired::left).unwrap_or_default();
            let gone = gone.into_iter().filter_map(|old| olds.get(old));
            patch.extend(gone.map(|key| deletion(merge_key, key)));
        }
        let is_reordered = || {
            let mut pairs = olds.iter().zip(&news);
            olds.len() != news.len() || pairs.any(|(old, new)| Scalar::of(old) != Scalar::of(new))
        };
        let wants_order = self.order && (!patch.is_empty() || self.additions && is_reordered());
        let order = news.iter().filter(|_| wants_order);
        let order = order
            .map(|key| Value::Object(one(merge_key, key)))
            .collect();
        Ok(Lists {
            patch,
            deleted: Vec::new(),
            order,
        })
    }

    fn scalars(
        self,
        original: &[Value],
        modified: &[Value],
        at: &Path<'_>,
    ) -> Result<Lists, PatchError> {
        if original.len() == modified.len()
            && original
                .iter()
                .zip(modified)
                .all(|(old, new)| same(old, new))
        {
            return Ok(Lists::default());
        }
        let olds: Vec<&Value> = original.iter().collect();
        let mut unpaired = Unpaired::of(&olds);
        let mut patch = Vec::new();
        for new in modified {
            if unpaired.take(&text(new)).is_none() && self.additions {
                patch.push(new.clone());
            }
        }
        in_order(&mut patch, modified, "", at)?;
        let mut deleted: Vec<Value> = Vec::new();
        if self.deletions {
            let gone = unpaired.left().into_iter();
            let gone = gone.filter_map(|i| original.get(i));
            deleted.extend(gone.cloned());
            deleted.dedup();
        }
        let wants_order = self.order && (!deleted.is_empty() || self.additions);
        Ok(Lists {
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

/// `{name: value}`
fn one(key: &str, value: &Value) -> Map<String, Value> {
    // Not `from_iter`, which sorts.
    let mut object = Map::new();
    object.insert(key.to_owned(), value.clone());
    object
}

/// Puts what a patch adds and changes in the order of the list that it is to make: duplicate elements stand
/// together, and those that say that something is to go stand last.
fn in_order(
    patch: &mut Vec<Value>,
    modified: &[Value],
    merge_key: &str,
    at: &Path<'_>,
) -> Result<(), PatchError> {
    if patch.len() < 2 {
        return Ok(());
    }
    let has_deletions = patch.iter().any(is_deletion);
    let mut places_of_patch = Places::with_capacity(patch.len());
    let mut are_unique = true;
    for item in &*patch {
        are_unique &= places_of_patch
            .insert(identity(item, merge_key, at)?, 0)
            .is_none();
    }
    drop(places_of_patch);
    if are_unique && !has_deletions {
        return Ok(());
    }
    let wanted = places(modified, merge_key, at)?;
    let mut ranked = Vec::with_capacity(patch.len());
    for item in &*patch {
        let place = wanted.get(&identity(item, merge_key, at)?).copied();
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
