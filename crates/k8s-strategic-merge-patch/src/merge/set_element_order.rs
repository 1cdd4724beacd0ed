//! `$setElementOrder`: sorts a merged list in the order that a patch requires.

use std::collections::HashSet;

use serde_json::{Map, Value};

use super::directive::{DirectiveElements, find_directive, is_deletion};
use super::directive_names::{DIRECTIVE_MARKER, SET_ELEMENT_ORDER_PREFIX, directive_field};
use super::list::{ElementOrder, mergeable_type};
use super::merge::Merger;
use super::merge_order::{compute_sort_keys, index_elements, sort_elements};
use super::merge_target::MergeTarget;
use super::strip_directives::strip_inserted_value;
use crate::elements::element_index::{ElementIndex, HashedKey};
use crate::elements::identity::identity;
use crate::elements::scalar::{Scalar, common_type};
use crate::error::{PatchError, PatchErrorKind};
use crate::schema::schema::{FieldPatchMeta, NodeId};
use crate::schema::strategy::BaseStrategy;
use crate::values::json_type::{GO_SLICE, JsonType};
use crate::values::print::GoList;
use k8s_json_internals::equality::deep_equal;
use union_runtime::path::{Path, PathStep};

impl Merger<'_> {
    /// Applies a key `$setElementOrder/field`, and returns the field if it is then completely
    /// merged.
    pub(crate) fn apply_element_order<'p>(
        self,
        target: &mut Map<String, Value>,
        patch: &'p Map<String, Value>,
        key: &'p str,
        order: &Value,
        node: NodeId,
        location: &Path<'_>,
    ) -> Result<Option<&'p str>, PatchError> {
        let order_location = location.field(key);
        if self.target == MergeTarget::Patch {
            match target.get(key) {
                None if self.is_own_patch && can_move_element_orders(patch) => {}
                None => {
                    target.insert(key.to_owned(), order.clone());
                }
                Some(existing) if deep_equal(existing, order) => {}
                Some(_) => return Err(PatchError::bad_order(&order_location)),
            }
        }
        let required_order = expect_list(order, &order_location)?;
        let Some(name) = directive_field(key, SET_ELEMENT_ORDER_PREFIX) else {
            return Err(PatchError::bad_order(&order_location));
        };
        let list_location = location.field(name);
        let patch_list = patch
            .get(name)
            .map(|value| expect_list(value, &list_location));
        let patch_list = patch_list.transpose()?;
        let live = target
            .get(name)
            .map(|live| expect_list(live, &list_location));
        let live = live.transpose()?;
        let field = self.schema.patch_meta_for_list(node, name, location)?;
        let merge_key = field.merge_key;
        if let Some(patch_list) = patch_list {
            check_order(
                patch_list,
                required_order,
                merge_key,
                &list_location,
                &order_location,
            )?;
        }
        if let Some(live) = live {
            check_objects(
                live,
                patch_list,
                required_order,
                &field,
                &list_location,
                &order_location,
            )?;
        }
        let index_order = || index_elements(required_order, merge_key, &order_location);
        let is_complete = self.sort_field(
            target,
            name,
            patch_list,
            &field,
            index_order,
            &list_location,
        )?;
        Ok(is_complete.then_some(name))
    }

    /// Merges the list of a field in the required order; returns false if neither the target nor
    /// the patch has the list.
    fn sort_field<'w>(
        self,
        target: &mut Map<String, Value>,
        name: &str,
        patch_list: Option<&[Value]>,
        field: &FieldPatchMeta<'_>,
        index_order: impl Fn() -> Result<ElementIndex<Scalar<'w>>, PatchError>,
        list_location: &Path<'_>,
    ) -> Result<bool, PatchError> {
        let live = target.get_mut(name).and_then(Value::as_array_mut);
        if let (Some(live), Some(patch_list), BaseStrategy::Merge) =
            (live, patch_list, field.strategy)
        {
            mergeable_type(live, patch_list, field, list_location)?;
            let order_index = index_order()?;
            let order = ElementOrder {
                index: &order_index,
            };
            self.merge_list_in_order(live, patch_list, Some(&order), field, list_location)?;
            return Ok(true);
        }
        self.sort_unmerged_field(target, name, patch_list, field, index_order, list_location)
    }

    /// Sorts a list that the patch does not have, or that is not merged. If the patch has the
    /// empty list, the list becomes empty. Returns false if neither side has the list.
    ///
    /// This function is not a part of the recursive `sort_field`, so that the stack frame of
    /// `sort_field` stays small.
    fn sort_unmerged_field<'w>(
        self,
        target: &mut Map<String, Value>,
        name: &str,
        patch_list: Option<&[Value]>,
        field: &FieldPatchMeta<'_>,
        index_order: impl Fn() -> Result<ElementIndex<Scalar<'w>>, PatchError>,
        list_location: &Path<'_>,
    ) -> Result<bool, PatchError> {
        let merge_key = field.merge_key;
        let live = match target.get_mut(name) {
            Some(Value::Array(live)) => Some(live),
            _ => None,
        };
        match (live, patch_list) {
            // Observed in Kubernetes: nothing checks the order in this case.
            (None, None) => return Ok(false),
            (Some(live), Some([])) => {
                // An element without a merge key is an error even if the list becomes empty.
                if common_type(live, &[], list_location)? == Some(JsonType::Object) {
                    index_order()?;
                    index_elements(live, merge_key, list_location)?;
                }
                live.clear();
            }
            (Some(live), None) => {
                // Observed in Kubernetes: with a merge key, an element that is not an object fails
                // because it does not have the key. The type of the elements is checked without a
                // merge key only.
                if merge_key.is_empty() {
                    common_type(live, &[], list_location)?;
                }
                let (order_index, live_index) = (
                    index_order()?,
                    index_elements(live, merge_key, list_location)?,
                );
                let sort_keys =
                    compute_sort_keys(&*live, &order_index, &live_index, merge_key, list_location)?;
                drop(live_index);
                *live = sort_elements(std::mem::take(live), &sort_keys);
            }
            (Some(live), Some(patch_list)) => {
                common_type(live, patch_list, list_location)?;
                let (order_index, live_index) = (
                    index_order()?,
                    index_elements(live, merge_key, list_location)?,
                );
                let sort_keys = compute_sort_keys(
                    patch_list,
                    &order_index,
                    &live_index,
                    merge_key,
                    list_location,
                )?;
                drop(live_index);
                *live = sort_elements(patch_list.to_vec(), &sort_keys);
            }
            (None, Some(patch_list)) => {
                common_type(&[], patch_list, list_location)?;
                let (order_index, live) = (index_order()?, ElementIndex::default());
                let items = patch_list.iter().filter_map(|item| {
                    let kept_item = strip_inserted_value(item, self.target)?;
                    Some((item, kept_item))
                });
                let (items, kept_items): (Vec<&Value>, Vec<Value>) = items.unzip();
                // `items` still contain merge keys that are null, which `kept_items` lack.
                let sort_keys =
                    compute_sort_keys(items, &order_index, &live, merge_key, list_location)?;
                target.insert(
                    name.to_owned(),
                    sort_elements(kept_items, &sort_keys).into(),
                );
            }
        }
        Ok(true)
    }
}

/// Moves the orders of lists from a patch to its merge result, except orders that the result
/// already has. Orders in the elements of lists are not moved, because the merge copies them.
pub(crate) fn move_element_orders(patch: &mut Map<String, Value>, target: &mut Map<String, Value>) {
    if patch.contains_key(DIRECTIVE_MARKER) {
        return;
    }
    let can_move = can_move_element_orders(patch);
    for (key, value) in patch {
        match target.get_mut(key) {
            Some(Value::Object(target)) => {
                if let Value::Object(patch) = value {
                    move_element_orders(patch, target);
                }
            }
            // Only a list can be an order; the merge copies other values.
            None if can_move && key.starts_with(SET_ELEMENT_ORDER_PREFIX) && value.is_array() => {
                target.insert(key.clone(), value.take());
            }
            _ => {}
        }
    }
}

/// Returns true if the orders of a patch can be moved. If a field with an order is itself named
/// like an order, the field would be confused with an order in the target.
fn can_move_element_orders(patch: &Map<String, Value>) -> bool {
    let names = patch
        .keys()
        .filter_map(|key| directive_field(key, SET_ELEMENT_ORDER_PREFIX));
    !names
        .into_iter()
        .any(|name| name.starts_with(SET_ELEMENT_ORDER_PREFIX))
}

/// Rejects an order of objects that contains a value of another type. Observed in Kubernetes: the
/// lookup of an element stops at its position in the order, so the error occurs only if an element
/// does not precede the invalid value.
fn check_objects(
    live: &[Value],
    patch_list: Option<&[Value]>,
    required_order: &[Value],
    field: &FieldPatchMeta<'_>,
    list_location: &Path<'_>,
    order_location: &Path<'_>,
) -> Result<(), PatchError> {
    let merge_key = field.merge_key;
    let Some(invalid_position) = required_order.iter().position(|item| !item.is_object()) else {
        return Ok(());
    };
    // The elements of a replaced list are the elements of the patch.
    let (items, patch_list) = match patch_list {
        Some(patch_list) if field.strategy != BaseStrategy::Merge => (patch_list, None),
        patch_list => (live, patch_list),
    };
    let are_objects =
        |list: &[Value]| common_type(list, &[], list_location).ok() == Some(Some(JsonType::Object));
    if merge_key.is_empty() || !are_objects(items) {
        return Ok(());
    }
    let mut deleted_keys = ElementIndex::default();
    if let Some(patch_list) = patch_list.filter(|patch_list| are_objects(patch_list)) {
        match DirectiveElements::parse(patch_list, merge_key, list_location) {
            Ok(elements) if !elements.replace => deleted_keys = elements.deleted_keys,
            // The merge reports errors of the patch.
            _ => return Ok(()),
        }
    }
    let preceding_keys = required_order.iter().take(invalid_position);
    let preceding_keys = preceding_keys.filter_map(|item| Scalar::from_value(item.get(merge_key)?));
    let preceding_keys: HashSet<Scalar<'_>> = preceding_keys.collect();
    for (i, item) in items.iter().enumerate() {
        let key = identity(item, merge_key, &list_location.step(PathStep::Index(i)))?;
        if !preceding_keys.contains(&key) && !deleted_keys.contains(&HashedKey::from_scalar(key)) {
            return Err(PatchError::not_an_object(
                invalid_position,
                &order_location.step(PathStep::Index(invalid_position)),
            ));
        }
    }
    Ok(())
}

fn expect_list<'v>(value: &'v Value, location: &Path<'_>) -> Result<&'v [Value], PatchError> {
    match value {
        Value::Array(values) => Ok(values),
        value => Err(PatchError::bad_type(GO_SLICE, value, location)),
    }
}

/// Checks that the elements of the patch are in the required order, which lists each of them.
fn check_order(
    patch_list: &[Value],
    required_order: &[Value],
    merge_key: &str,
    list_location: &Path<'_>,
    order_location: &Path<'_>,
) -> Result<(), PatchError> {
    let is_deleted = |item: &Value| !merge_key.is_empty() && is_deletion(item);
    let indexed_elements = patch_list.iter().enumerate();
    let mut elements = indexed_elements
        .filter(|(_, item)| !is_deleted(item))
        .peekable();
    let mut remaining_order = required_order.iter().enumerate();
    if patch_list.is_empty() || required_order.is_empty() {
        return Ok(());
    }
    while let Some((patch_position, item)) = elements.peek() {
        // At the end of the order, Kubernetes does not look at any more elements.
        if remaining_order.len() > 0 && find_directive(item).is_some() {
            elements.next();
            continue;
        }
        let Some((order_position, required_item)) = remaining_order.next() else {
            let message = format!(
                "The order in patch list:\n{}\n doesn't match $setElementOrder list:\n{}\n",
                GoList(patch_list),
                GoList(required_order)
            );
            return Err(PatchError::new(
                PatchErrorKind::OrderMismatch,
                message,
                list_location,
            ));
        };
        // Without a merge key the elements themselves are compared.
        if merge_key.is_empty() && JsonType::from_value(item) != JsonType::from_value(required_item)
        {
            continue;
        }
        let key = identity(
            item,
            merge_key,
            &list_location.step(PathStep::Index(*patch_position)),
        )?;
        if key
            == identity(
                required_item,
                merge_key,
                &order_location.step(PathStep::Index(order_position)),
            )?
        {
            elements.next();
        }
    }
    Ok(())
}
