//! Merges a patch's list into a list: of objects by their merge key, of scalars as a set.

use serde_json::Value;

use super::directive::{DirectiveElements, is_deletion};
use super::merge::Merger;
use super::merge_order::{SortKey, compute_sort_keys, index_elements, sort_elements};
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
        location: &Path<'_>,
    ) -> Result<(), PatchError> {
        self.merge_list_in_order(live, patch, None, field, location)
    }

    /// Merges a list into another, in the given order or else in the order of the patch.
    pub(super) fn merge_list_in_order(
        self,
        live: &mut Vec<Value>,
        patch: &[Value],
        order: Option<&ElementOrder<'_, '_>>,
        field: &FieldPatchMeta<'_>,
        location: &Path<'_>,
    ) -> Result<(), PatchError> {
        match mergeable_type(live, patch, field, location)? {
            None => Ok(()),
            Some(JsonType::Object) => self.merge_objects(live, patch, order, field, location),
            Some(_) => Self::merge_scalars(live, patch, order, field, location),
        }
    }

    fn merge_objects(
        self,
        live: &mut Vec<Value>,
        patch: &[Value],
        order: Option<&ElementOrder<'_, '_>>,
        field: &FieldPatchMeta<'_>,
        location: &Path<'_>,
    ) -> Result<(), PatchError> {
        let elements = DirectiveElements::parse(patch, field.merge_key, location)?;
        if elements.replace {
            return self.replace_list(live, &elements, order, field, location);
        }
        let plan = ListMergePlan::new(live, &elements, order, field, location)?;
        let ListMergePlan {
            mut is_kept,
            steps,
            sort_keys,
        } = plan;
        if !elements.deleted_keys.is_empty() {
            is_kept.reverse();
            live.retain(|_| is_kept.pop().unwrap_or(true));
        }
        let element_merger = Self {
            is_own_patch: false,
            ..self
        };
        for step in steps {
            let location = location.step(PathStep::Index(step.patch_position));
            let Some(target) = live.get_mut(step.target_position) else {
                live.extend(strip_new_element(step.element, self.target));
                continue;
            };
            if let (Value::Object(target), Value::Object(patch)) = (&mut *target, step.element) {
                element_merger.merge_object(target, patch, field.node, &location)?;
            }
            // A null in the patch may have removed the merge key, which is an error.
            identity(target, field.merge_key, &location)?;
        }
        *live = sort_elements(std::mem::take(live), &sort_keys);
        Ok(())
    }

    /// Applies `$patch: replace` in an element: the other elements replace the list.
    fn replace_list(
        self,
        live: &mut Vec<Value>,
        elements: &DirectiveElements<'_>,
        order: Option<&ElementOrder<'_, '_>>,
        field: &FieldPatchMeta<'_>,
        location: &Path<'_>,
    ) -> Result<(), PatchError> {
        let items = elements.without_directive.iter();
        let items = items.filter_map(|(_, item)| strip_replacement_element(item, self.target));
        let items: Vec<Value> = items.collect();
        let sort_keys = if let Some(order) = order {
            let kept_elements = live.iter().filter(|item| {
                let key = identity(item, field.merge_key, location);
                !key.is_ok_and(|key| elements.deleted_keys.contains(&HashedKey::from_scalar(key)))
            });
            let kept_elements: Vec<Value> = kept_elements.cloned().collect();
            let live = index_elements(&kept_elements, field.merge_key, location)?;
            compute_sort_keys(&items, order.index, &live, field.merge_key, location)?
        } else {
            let live = index_elements(&items, field.merge_key, location)?;
            compute_sort_keys(
                &items,
                &ElementIndex::default(),
                &live,
                field.merge_key,
                location,
            )?
        };
        *live = sort_elements(items, &sort_keys);
        Ok(())
    }

    fn merge_scalars(
        live: &mut Vec<Value>,
        patch: &[Value],
        order: Option<&ElementOrder<'_, '_>>,
        field: &FieldPatchMeta<'_>,
        location: &Path<'_>,
    ) -> Result<(), PatchError> {
        if let (false, Some(element)) =
            (field.merge_key.is_empty(), live.iter().chain(patch).next())
        {
            return Err(PatchError::bad_type(GO_MAP, element, location));
        }
        let patch_index;
        let patch_order = if let Some(order) = order {
            order.index
        } else {
            patch_index = index_elements(patch, "", location)?;
            &patch_index
        };
        let live_count = live.len();
        let mut keys = Vec::with_capacity(live_count + patch.len());
        for item in live.iter().chain(patch) {
            keys.push(HashedKey::from_scalar(identity(item, "", location)?));
        }
        let combined_index = ElementIndex::new(keys);
        let mut sort_keys = Vec::with_capacity(combined_index.keys().len());
        let mut is_new = Vec::with_capacity(combined_index.keys().len());
        for (i, key) in combined_index.keys().iter().enumerate() {
            let is_first = combined_index.first_position(i) == i;
            is_new.push(is_first);
            if is_first {
                sort_keys.push(SortKey {
                    patch_position: patch_order.get(key),
                    live_position: Some(i).filter(|i| *i < live_count),
                    is_deletion: false,
                });
            }
        }
        drop(combined_index);
        let mut is_new = is_new.into_iter();
        live.retain(|_| is_new.next().unwrap_or(true));
        let added_elements = patch.iter().zip(is_new).filter(|(_, is_new)| *is_new);
        live.extend(added_elements.map(|(item, _)| item.clone()));
        *live = sort_elements(std::mem::take(live), &sort_keys);
        Ok(())
    }

    /// Removes the elements of `deleted_elements` from a list.
    pub(super) fn delete_elements(
        live: &mut Vec<Value>,
        deleted_elements: &[Value],
        location: &Path<'_>,
    ) -> Result<(), PatchError> {
        match common_type(live, deleted_elements, location)? {
            None => Ok(()),
            // Kubernetes merges objects into the list instead.
            Some(JsonType::Object) => Err(PatchError::bad_delete_list(location)),
            Some(_) => {
                let deleted_index = index_elements(deleted_elements, "", location)?;
                live.retain(|item| {
                    Scalar::from_value(item)
                        .is_none_or(|item| !deleted_index.contains(&HashedKey::from_scalar(item)))
                });
                Ok(())
            }
        }
    }
}

/// Returns the common type of all elements, and rejects objects without a merge key in the schema.
pub(super) fn mergeable_type(
    live: &[Value],
    patch: &[Value],
    field: &FieldPatchMeta<'_>,
    location: &Path<'_>,
) -> Result<Option<JsonType>, PatchError> {
    let element_type = common_type(live, patch, location)?;
    if element_type == Some(JsonType::Object) && field.merge_key.is_empty() {
        let message = format!("cannot merge lists without merge key for {location}");
        let element_type = PatchErrorKind::NoMergeKeyDeclared;
        return Err(PatchError::new(element_type, message, location));
    }
    Ok(element_type)
}

/// The order that `$setElementOrder` requires, as an index of positions.
pub(super) struct ElementOrder<'o, 'v> {
    pub(crate) index: &'o ElementIndex<Scalar<'v>>,
}

/// A plan for merging into a list of objects.
struct ListMergePlan<'p> {
    /// For each live element, true if it is not deleted.
    is_kept: Vec<bool>,
    steps: Vec<MergeStep<'p>>,
    /// The sort keys of the elements of the merged list.
    sort_keys: Vec<SortKey>,
}

/// An element of the patch that is merged into a live element or appended, after deletions.
struct MergeStep<'p> {
    /// The position of the element in the patch.
    patch_position: usize,
    element: &'p Value,
    /// The position in the list of kept elements; its length, to append the element.
    target_position: usize,
}

/// Returns the sort keys of the live elements, which are the first elements of the index.
/// `deletions` has a flag for each of them.
fn sort_keys_of_live_elements(
    index: &ElementIndex<Scalar<'_>>,
    deletions: &[bool],
    patch_order: &ElementIndex<Scalar<'_>>,
) -> Vec<SortKey> {
    let mut sort_keys = Vec::with_capacity(index.keys().len());
    for ((position, key), is_deletion) in index.keys().iter().enumerate().zip(deletions) {
        sort_keys.push(SortKey {
            patch_position: patch_order.get(key),
            live_position: Some(index.first_position(position)),
            is_deletion: *is_deletion,
        });
    }
    sort_keys
}

impl<'p> ListMergePlan<'p> {
    fn new(
        live: &[Value],
        elements: &DirectiveElements<'p>,
        order: Option<&ElementOrder<'_, '_>>,
        field: &FieldPatchMeta<'_>,
        location: &Path<'_>,
    ) -> Result<Self, PatchError> {
        let patch_keys = || elements.keys_without_directive(field.merge_key, location);
        let patch_index;
        let patch_order = if let Some(order) = order {
            order.index
        } else {
            patch_index = ElementIndex::new(patch_keys()?);
            &patch_index
        };
        let mut keys = Vec::with_capacity(live.len() + elements.without_directive.len());
        let mut is_kept = Vec::with_capacity(live.len());
        let mut deletions = Vec::with_capacity(live.len());
        for item in live {
            let key = HashedKey::from_scalar(identity(item, field.merge_key, location)?);
            let is_deleted =
                !elements.deleted_keys.is_empty() && elements.deleted_keys.contains(&key);
            is_kept.push(!is_deleted);
            if !is_deleted {
                keys.push(key);
                deletions.push(is_deletion(item));
            }
        }
        // With an order, new elements take the positions of deleted elements (A1).
        let kept_count = keys.len();
        let replacing_count = order.map_or(0, |_| live.len() - kept_count);
        keys.extend(patch_keys()?);
        let combined_index = ElementIndex::new(keys);
        let mut sort_keys = sort_keys_of_live_elements(&combined_index, &deletions, patch_order);
        let mut steps = Vec::with_capacity(elements.without_directive.len());
        // Elements of the patch with the same key have the same target position.
        let mut target_positions: Vec<usize> = Vec::with_capacity(elements.without_directive.len());
        let patch_keys = combined_index.keys().iter().enumerate().skip(kept_count);
        for ((position, key), (i, item)) in patch_keys.zip(&elements.without_directive) {
            let first = combined_index.first_position(position);
            let position = match first.checked_sub(kept_count) {
                None => first,
                Some(earlier_patch_position) => target_positions
                    .get(earlier_patch_position)
                    .copied()
                    .unwrap_or(sort_keys.len()),
            };
            target_positions.push(position);
            if position == sort_keys.len() {
                let is_replacing = position - kept_count < replacing_count;
                sort_keys.push(SortKey {
                    patch_position: patch_order.get(key),
                    live_position: is_replacing.then_some(position),
                    is_deletion: false,
                });
            }
            steps.push(MergeStep {
                patch_position: *i,
                element: item,
                target_position: position,
            });
        }
        Ok(Self {
            is_kept,
            steps,
            sort_keys,
        })
    }
}
