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

/// The elements of a list that have found no pair yet.
struct Unpaired<'v> {
    /// The first one of each text; `None` where all have been taken.
    first: HashMap<Cow<'v, str>, Option<usize>>,
    /// The next one of the same text, for each element.
    next: Vec<Option<usize>>,
}

impl<'v> Unpaired<'v> {
    fn of(keys: impl DoubleEndedIterator<Item = &'v Value> + ExactSizeIterator) -> Self {
        let count = keys.len();
        let mut found = Self {
            first: HashMap::with_capacity(count),
            next: vec![None; count],
        };
        for (i, key) in keys.enumerate().rev() {
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
            Some(Unpaired::of(olds.iter().copied()))
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
        let mut unpaired = Unpaired::of(original.iter());
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
