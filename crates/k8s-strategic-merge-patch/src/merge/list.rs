//! Merges a patch's list into a list: of objects by their merge key, of scalars as a set.

use serde_json::Value;

use super::directive::{DirectiveElements, is_deletion};
use super::merge::Merger;
use super::merge_order::{SortKey, arrange, index_elements, sort_keys};
use super::strip_directives::{strip_new_element, strip_replacement_element};
use crate::elements::element_index::{ElementIndex, HashedKey};
use crate::elements::identity::identity;
use crate::elements::scalar::{Scalar, common_type};
use crate::error::{PatchError, PatchErrorKind};
use crate::schema::schema::FieldPatchMeta;
use crate::values::json_type::{GO_MAP, JsonType};
use union_runtime::path::{Path, PathStep};

impl Merger<'_> {
    /// Merges a list into another by the strategy `merge`.
    pub(crate) fn merge_list(
        self,
        live: &mut Vec<Value>,
        patch: &[Value],
        field: &FieldPatchMeta<'_>,
        at: &Path<'_>,
    ) -> Result<(), PatchError> {
        self.merge_list_in_order(live, patch, None, field, at)
    }

    /// Merges a list into another, in the given order or else in the order of the patch.
    pub(super) fn merge_list_in_order(
        self,
        live: &mut Vec<Value>,
        patch: &[Value],
        order: Option<&ElementOrder<'_, '_>>,
        field: &FieldPatchMeta<'_>,
        at: &Path<'_>,
    ) -> Result<(), PatchError> {
        match mergeable_type(live, patch, field, at)? {
            None => Ok(()),
            Some(JsonType::Object) => self.merge_objects(live, patch, order, field, at),
            Some(_) => Self::merge_scalars(live, patch, order, field, at),
        }
    }

    fn merge_objects(
        self,
        live: &mut Vec<Value>,
        patch: &[Value],
        order: Option<&ElementOrder<'_, '_>>,
        field: &FieldPatchMeta<'_>,
        at: &Path<'_>,
    ) -> Result<(), PatchError> {
        let elements = DirectiveElements::parse(patch, field.merge_key, at)?;
        if elements.replace {
            return self.replace_list(live, &elements, order, field, at);
        }
        let plan = ListMergePlan::new(live, &elements, order, field, self, at)?;
        let ListMergePlan {
            mut stays,
            steps,
            sort_keys: ranks,
        } = plan;
        if !elements.deleted.is_empty() {
            stays.reverse();
            live.retain(|_| stays.pop().unwrap_or(true));
        }
        let of_element = Self {
            is_own_patch: false,
            ..self
        };
        for (i, item, position) in steps {
            let at = at.step(PathStep::Index(i));
            let Some(before) = live.get_mut(position) else {
                live.extend(strip_new_element(item, self.targets_object()));
                continue;
            };
            if let (Value::Object(before), Value::Object(item)) = (&mut *before, item) {
                of_element.merge_object(before, item, field.node, &at)?;
            }
            // A patch may remove the merge key, by a null.
            identity(before, field.merge_key, &at)?;
        }
        *live = arrange(std::mem::take(live), &ranks);
        Ok(())
    }

    /// Applies `$patch: replace` in an element: the other elements replace the list.
    fn replace_list(
        self,
        live: &mut Vec<Value>,
        elements: &DirectiveElements<'_>,
        order: Option<&ElementOrder<'_, '_>>,
        field: &FieldPatchMeta<'_>,
        at: &Path<'_>,
    ) -> Result<(), PatchError> {
        let items = elements.without_directive.iter();
        let items =
            items.filter_map(|(_, item)| strip_replacement_element(item, self.targets_object()));
        let items: Vec<Value> = items.collect();
        let ranks = if let Some(order) = order {
            let kept = live.iter().filter(|item| {
                let key = identity(item, field.merge_key, at);
                !key.is_ok_and(|key| elements.deleted.contains(&HashedKey::from_scalar(key)))
            });
            let kept: Vec<Value> = kept.cloned().collect();
            let live = index_elements(&kept, field.merge_key, at)?;
            sort_keys(&items, order.index, &live, field.merge_key, at)?
        } else {
            let live = index_elements(&items, field.merge_key, at)?;
            sort_keys(&items, &ElementIndex::default(), &live, field.merge_key, at)?
        };
        *live = arrange(items, &ranks);
        Ok(())
    }

    fn merge_scalars(
        live: &mut Vec<Value>,
        patch: &[Value],
        order: Option<&ElementOrder<'_, '_>>,
        field: &FieldPatchMeta<'_>,
        at: &Path<'_>,
    ) -> Result<(), PatchError> {
        if let (false, Some(first)) = (field.merge_key.is_empty(), live.iter().chain(patch).next())
        {
            return Err(PatchError::bad_type(GO_MAP, first, at));
        }
        let of_patch;
        let wanted = if let Some(order) = order {
            order.index
        } else {
            of_patch = index_elements(patch, "", at)?;
            &of_patch
        };
        let count = live.len();
        let mut keys = Vec::with_capacity(count + patch.len());
        for item in live.iter().chain(patch) {
            keys.push(HashedKey::from_scalar(identity(item, "", at)?));
        }
        let both = ElementIndex::new(keys);
        let mut ranks = Vec::with_capacity(both.keys().len());
        let mut is_new = Vec::with_capacity(both.keys().len());
        for (i, key) in both.keys().iter().enumerate() {
            let is_first = both.first_position(i) == i;
            is_new.push(is_first);
            if is_first {
                ranks.push(SortKey {
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
        match common_type(live, deleted, at)? {
            None => Ok(()),
            // Kubernetes merges them.
            Some(JsonType::Object) => Err(PatchError::bad_delete_list(at)),
            Some(_) => {
                let deleted = index_elements(deleted, "", at)?;
                live.retain(|item| {
                    Scalar::from_value(item)
                        .is_none_or(|item| !deleted.contains(&HashedKey::from_scalar(item)))
                });
                Ok(())
            }
        }
    }
}

/// Returns the common kind of all elements, and rejects objects without a merge key in the schema.
pub(super) fn mergeable_type(
    live: &[Value],
    patch: &[Value],
    field: &FieldPatchMeta<'_>,
    at: &Path<'_>,
) -> Result<Option<JsonType>, PatchError> {
    let kind = common_type(live, patch, at)?;
    if kind == Some(JsonType::Object) && field.merge_key.is_empty() {
        let message = format!("cannot merge lists without merge key for {at}");
        let kind = PatchErrorKind::NoMergeKeyDeclared;
        return Err(PatchError::new(kind, message, at));
    }
    Ok(kind)
}

/// The order that `$setElementOrder` requires.
pub(super) struct ElementOrder<'o, 'v> {
    pub(crate) index: &'o ElementIndex<Scalar<'v>>,
}

/// The steps of a merge into a list of objects.
struct ListMergePlan<'p> {
    /// For each live element, true if it is kept.
    stays: Vec<bool>,
    /// The elements to merge or append after deletion: their index in the patch, and their position
    /// in the kept list.
    steps: Vec<(usize, &'p Value, usize)>,
    /// The ranks of the elements of the merged list.
    sort_keys: Vec<SortKey>,
}

impl<'p> ListMergePlan<'p> {
    fn new(
        live: &[Value],
        elements: &DirectiveElements<'p>,
        order: Option<&ElementOrder<'_, '_>>,
        field: &FieldPatchMeta<'_>,
        merge: Merger<'_>,
        at: &Path<'_>,
    ) -> Result<Self, PatchError> {
        let keys_of_patch = || elements.keys_without_directive(field.merge_key, at);
        let of_patch;
        let wanted = if let Some(order) = order {
            order.index
        } else {
            of_patch = ElementIndex::new(keys_of_patch()?);
            &of_patch
        };
        let mut keys = Vec::with_capacity(live.len() + elements.without_directive.len());
        let mut stays = Vec::with_capacity(live.len());
        let mut deletions = Vec::with_capacity(live.len());
        for item in live {
            let key = HashedKey::from_scalar(identity(item, field.merge_key, at)?);
            let is_deleted = !elements.deleted.is_empty() && elements.deleted.contains(&key);
            stays.push(!is_deleted);
            if !is_deleted {
                keys.push(key);
                deletions.push(!merge.targets_object() && is_deletion(item));
            }
        }
        // With an order, as many new elements as were deleted count as the last elements of the
        // live list: they take the positions of deleted elements.
        let kept = keys.len();
        let overlay = order.map_or(0, |_| live.len() - kept);
        keys.extend(keys_of_patch()?);
        let both = ElementIndex::new(keys);
        let mut ranks = Vec::with_capacity(both.keys().len());
        for ((place, key), is_deletion) in both.keys().iter().enumerate().zip(deletions) {
            ranks.push(SortKey {
                wanted: wanted.get(key),
                live: Some(both.first_position(place)),
                is_deletion,
            });
        }
        let mut steps = Vec::with_capacity(elements.without_directive.len());
        // The positions of the patch's elements, each of which is the first of its key or has the
        // position of an earlier one.
        let mut positions: Vec<usize> = Vec::with_capacity(elements.without_directive.len());
        let of_patch = both.keys().iter().enumerate().skip(kept);
        for ((place, key), (i, item)) in of_patch.zip(&elements.without_directive) {
            let first = both.first_position(place);
            let position = match first.checked_sub(kept) {
                None => first,
                Some(earlier) => positions.get(earlier).copied().unwrap_or(ranks.len()),
            };
            positions.push(position);
            if position == ranks.len() {
                ranks.push(SortKey {
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
            sort_keys: ranks,
        })
    }
}
