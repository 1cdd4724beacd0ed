//! Merges a patch's list into a list: of objects by their merge key, of scalars as a set.

use serde_json::Value;

use super::arrange::{Rank, arrange, places, ranks};
use super::directive::{Elements, is_deletion};
use super::insert::{element, replaced_element};
use super::merge::Merge;
use crate::elements::identity::identity;
use crate::elements::places::{Keyed, Places};
use crate::elements::scalar::{Scalar, common_kind};
use crate::error::{PatchError, PatchErrorKind};
use crate::schema::schema::Found;
use crate::values::kind::{Kind, OBJECT};
use union_runtime::path::{Path, Step};

impl Merge<'_> {
    /// Merges a list into another by the strategy `merge`.
    pub(crate) fn list(
        self,
        live: &mut Vec<Value>,
        patch: &[Value],
        field: &Found<'_>,
        at: &Path<'_>,
    ) -> Result<(), PatchError> {
        self.list_in_order(live, patch, None, field, at)
    }

    /// Merges a list into another, in the given order or else in the order of the patch.
    pub(super) fn list_in_order(
        self,
        live: &mut Vec<Value>,
        patch: &[Value],
        order: Option<&Order<'_, '_>>,
        field: &Found<'_>,
        at: &Path<'_>,
    ) -> Result<(), PatchError> {
        match mergeable_kind(live, patch, field, at)? {
            None => Ok(()),
            Some(Kind::Object) => self.objects(live, patch, order, field, at),
            Some(_) => Self::scalars(live, patch, order, field, at),
        }
    }

    fn objects(
        self,
        live: &mut Vec<Value>,
        patch: &[Value],
        order: Option<&Order<'_, '_>>,
        field: &Found<'_>,
        at: &Path<'_>,
    ) -> Result<(), PatchError> {
        let elements = Elements::of(patch, field.merge_key, at)?;
        if elements.replace {
            return self.replace(live, &elements, order, field, at);
        }
        let plan = Plan::of(live, &elements, order, field, self, at)?;
        let Plan {
            mut stays,
            steps,
            ranks,
        } = plan;
        if !elements.deleted.is_empty() {
            stays.reverse();
            live.retain(|_| stays.pop().unwrap_or(true));
        }
        let of_element = Self {
            is_ours: false,
            ..self
        };
        for (i, item, position) in steps {
            let at = at.step(Step::Index(i));
            let Some(before) = live.get_mut(position) else {
                live.extend(element(item, self.is_server()));
                continue;
            };
            if let (Value::Object(before), Value::Object(item)) = (&mut *before, item) {
                of_element.object(before, item, field.below, &at)?;
            }
            // A patch may remove the merge key, by a null.
            identity(before, field.merge_key, &at)?;
        }
        *live = arrange(std::mem::take(live), &ranks);
        Ok(())
    }

    /// Applies `$patch: replace` in an element: the other elements replace the list.
    fn replace(
        self,
        live: &mut Vec<Value>,
        elements: &Elements<'_>,
        order: Option<&Order<'_, '_>>,
        field: &Found<'_>,
        at: &Path<'_>,
    ) -> Result<(), PatchError> {
        let items = elements.plain.iter();
        let items = items.filter_map(|(_, item)| replaced_element(item, self.is_server()));
        let items: Vec<Value> = items.collect();
        let ranks = if let Some(order) = order {
            let kept = live.iter().filter(|item| {
                let key = identity(item, field.merge_key, at);
                !key.is_ok_and(|key| elements.deleted.contains(&Keyed::of(key)))
            });
            let kept: Vec<Value> = kept.cloned().collect();
            let live = places(&kept, field.merge_key, at)?;
            ranks(&items, order.places, &live, field.merge_key, at)?
        } else {
            let live = places(&items, field.merge_key, at)?;
            ranks(&items, &Places::default(), &live, field.merge_key, at)?
        };
        *live = arrange(items, &ranks);
        Ok(())
    }

    fn scalars(
        live: &mut Vec<Value>,
        patch: &[Value],
        order: Option<&Order<'_, '_>>,
        field: &Found<'_>,
        at: &Path<'_>,
    ) -> Result<(), PatchError> {
        if let (false, Some(first)) = (field.merge_key.is_empty(), live.iter().chain(patch).next())
        {
            return Err(PatchError::bad_type(OBJECT, first, at));
        }
        let of_patch;
        let wanted = if let Some(order) = order {
            order.places
        } else {
            of_patch = places(patch, "", at)?;
            &of_patch
        };
        let count = live.len();
        let mut keys = Vec::with_capacity(count + patch.len());
        for item in live.iter().chain(patch) {
            keys.push(Keyed::of(identity(item, "", at)?));
        }
        let both = Places::of(keys);
        let mut ranks = Vec::with_capacity(both.keys().len());
        let mut is_new = Vec::with_capacity(both.keys().len());
        for (i, key) in both.keys().iter().enumerate() {
            let is_first = both.first(i) == i;
            is_new.push(is_first);
            if is_first {
                ranks.push(Rank {
                    wanted: wanted.get(key),
                    live: Some(i).filter(|i| *i < count),
                    is_deletion: false,
                });
            }
        }
        drop(both);
        let mut is_new = is_new.into_iter();
        live.retain(|_| is_new.next().unwrap_or(true));
        let added = patch.iter().zip(is_new).filter(|(_, is_new)| *is_new);
        live.extend(added.map(|(item, _)| item.clone()));
        *live = arrange(std::mem::take(live), &ranks);
        Ok(())
    }

    /// Removes the elements of `deleted` from a list.
    pub(super) fn delete_elements(
        live: &mut Vec<Value>,
        deleted: &[Value],
        at: &Path<'_>,
    ) -> Result<(), PatchError> {
        match common_kind(live, deleted, at)? {
            None => Ok(()),
            // Kubernetes merges them.
            Some(Kind::Object) => Err(PatchError::bad_delete_list(at)),
            Some(_) => {
                let deleted = places(deleted, "", at)?;
                live.retain(|item| {
                    Scalar::of(item).is_none_or(|item| !deleted.contains(&Keyed::of(item)))
                });
                Ok(())
            }
        }
    }
}

/// Returns the common kind of all elements, and rejects objects without a merge key in the schema.
pub(super) fn mergeable_kind(
    live: &[Value],
    patch: &[Value],
    field: &Found<'_>,
    at: &Path<'_>,
) -> Result<Option<Kind>, PatchError> {
    let kind = common_kind(live, patch, at)?;
    if kind == Some(Kind::Object) && field.merge_key.is_empty() {
        let message = format!("cannot merge lists without merge key for {at}");
        let kind = PatchErrorKind::NoMergeKeyDeclared;
        return Err(PatchError::new(kind, message, at));
    }
    Ok(kind)
}

/// The order that `$setElementOrder` requires.
pub(super) struct Order<'o, 'v> {
    pub(crate) places: &'o Places<Scalar<'v>>,
}

/// The steps of a merge into a list of objects.
struct Plan<'p> {
    /// For each live element, true if it is kept.
    stays: Vec<bool>,
    /// The elements to merge or append after deletion: their index in the patch, and their position
    /// in the kept list.
    steps: Vec<(usize, &'p Value, usize)>,
    /// The ranks of the elements of the merged list.
    ranks: Vec<Rank>,
}

impl<'p> Plan<'p> {
    fn of(
        live: &[Value],
        elements: &Elements<'p>,
        order: Option<&Order<'_, '_>>,
        field: &Found<'_>,
        merge: Merge<'_>,
        at: &Path<'_>,
    ) -> Result<Self, PatchError> {
        let keys_of_patch = || elements.plain_keys(field.merge_key, at);
        let of_patch;
        let wanted = if let Some(order) = order {
            order.places
        } else {
            of_patch = Places::of(keys_of_patch()?);
            &of_patch
        };
        let mut keys = Vec::with_capacity(live.len() + elements.plain.len());
        let mut stays = Vec::with_capacity(live.len());
        let mut deletions = Vec::with_capacity(live.len());
        for item in live {
            let key = Keyed::of(identity(item, field.merge_key, at)?);
            let is_deleted = !elements.deleted.is_empty() && elements.deleted.contains(&key);
            stays.push(!is_deleted);
            if !is_deleted {
                keys.push(key);
                deletions.push(!merge.is_server() && is_deletion(item));
            }
        }
        // With an order, as many new elements as were deleted count as the last elements of the
        // live list: they take the positions of deleted elements.
        let kept = keys.len();
        let overlay = order.map_or(0, |_| live.len() - kept);
        keys.extend(keys_of_patch()?);
        let both = Places::of(keys);
        let mut ranks = Vec::with_capacity(both.keys().len());
        for ((place, key), is_deletion) in both.keys().iter().enumerate().zip(deletions) {
            ranks.push(Rank {
                wanted: wanted.get(key),
                live: Some(both.first(place)),
                is_deletion,
            });
        }
        let mut steps = Vec::with_capacity(elements.plain.len());
        // The positions of the patch's elements, each of which is the first of its key or has the
        // position of an earlier one.
        let mut positions: Vec<usize> = Vec::with_capacity(elements.plain.len());
        let of_patch = both.keys().iter().enumerate().skip(kept);
        for ((place, key), (i, item)) in of_patch.zip(&elements.plain) {
            let first = both.first(place);
            let position = match first.checked_sub(kept) {
                None => first,
                Some(earlier) => positions.get(earlier).copied().unwrap_or(ranks.len()),
            };
            positions.push(position);
            if position == ranks.len() {
                ranks.push(Rank {
                    wanted: wanted.get(key),
                    live: Some(position).filter(|position| position - kept < overlay),
                    is_deletion: false,
                });
            }
            steps.push((*i, *item, position));
        }
        Ok(Self {
            stays,
            steps,
            ranks,
        })
    }
}
