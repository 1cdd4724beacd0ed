//! `$setElementOrder`: sorts a merged list in the order that a patch requires.

use std::collections::HashSet;

use serde_json::{Map, Value};

use super::directive::{DirectiveElements, find_directive, is_deletion};
use super::directive_names::{DIRECTIVE_MARKER, SET_ELEMENT_ORDER_PREFIX, directive_field};
use super::list::{ElementOrder, mergeable_type};
use super::merge::{MergeTarget, Merger};
use super::merge_order::{arrange, index_elements, sort_keys};
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
    /// Applies a key `$setElementOrder/field`, and returns the field if it is then complete.
    pub(crate) fn apply_element_order<'p>(
        self,
        target: &mut Map<String, Value>,
        patch: &'p Map<String, Value>,
        key: &'p str,
        order: &Value,
        node: NodeId,
        at: &Path<'_>,
    ) -> Result<Option<&'p str>, PatchError> {
        let at_order = at.field(key);
        if self.target == MergeTarget::Patch {
            match target.get(key) {
                None if self.is_own_patch && can_move_element_orders(patch) => {}
                None => {
                    target.insert(key.to_owned(), order.clone());
                }
                Some(before) if deep_equal(before, order) => {}
                Some(_) => return Err(PatchError::bad_order(&at_order)),
            }
        }
        let wanted = as_list(order, &at_order)?;
        let Some(name) = directive_field(key, SET_ELEMENT_ORDER_PREFIX) else {
            return Err(PatchError::bad_order(&at_order));
        };
        let at_list = at.field(name);
        let patched = patch.get(name).map(|value| as_list(value, &at_list));
        let patched = patched.transpose()?;
        let live = target.get(name).map(|live| as_list(live, &at_list));
        let live = live.transpose()?;
        let field = self.schema.patch_meta_for_list(node, name, at)?;
        let merge_key = field.merge_key;
        if let Some(patched) = patched {
            check_order(patched, wanted, merge_key, &at_list, &at_order)?;
        }
        if let Some(live) = live {
            check_objects(live, patched, wanted, &field, &at_list, &at_order)?;
        }
        let of_order = || index_elements(wanted, merge_key, &at_order);
        let is_done = self.put_in_order(target, name, patched, &field, of_order, &at_list)?;
        Ok(is_done.then_some(name))
    }

    /// Sorts the list of a field in the required order; returns false if neither side has the list.
    fn put_in_order<'w>(
        self,
        target: &mut Map<String, Value>,
        name: &str,
        patched: Option<&[Value]>,
        field: &FieldPatchMeta<'_>,
        of_order: impl Fn() -> Result<ElementIndex<Scalar<'w>>, PatchError>,
        at_list: &Path<'_>,
    ) -> Result<bool, PatchError> {
        let live = target.get_mut(name).and_then(Value::as_array_mut);
        if let (Some(live), Some(patched), BaseStrategy::Merge) = (live, patched, field.strategy) {
            mergeable_type(live, patched, field, at_list)?;
            let of_order = of_order()?;
            let order = ElementOrder { index: &of_order };
            self.merge_list_in_order(live, patched, Some(&order), field, at_list)?;
            return Ok(true);
        }
        self.put_unmerged_in_order(target, name, patched, field, of_order, at_list)
    }

    /// Sorts a list that the patch does not have, or that is not merged. A separate function,
    /// because `put_in_order` is on the stack once for each level.
    fn put_unmerged_in_order<'w>(
        self,
        target: &mut Map<String, Value>,
        name: &str,
        patched: Option<&[Value]>,
        field: &FieldPatchMeta<'_>,
        of_order: impl Fn() -> Result<ElementIndex<Scalar<'w>>, PatchError>,
        at_list: &Path<'_>,
    ) -> Result<bool, PatchError> {
        let merge_key = field.merge_key;
        let live = match target.get_mut(name) {
            Some(Value::Array(live)) => Some(live),
            _ => None,
        };
        match (live, patched) {
            // The order itself is not checked.
            (None, None) => return Ok(false),
            (Some(live), Some([])) => {
                // The elements of the order and of the list must still have their merge keys.
                if common_type(live, &[], at_list)? == Some(JsonType::Object) {
                    of_order()?;
                    index_elements(live, merge_key, at_list)?;
                }
                live.clear();
            }
            (Some(live), None) => {
                // Observed in Kubernetes: the keys of a list of objects are read first, and an
                // element that is not an object does not have a key.
                if merge_key.is_empty() {
                    common_type(live, &[], at_list)?;
                }
                let (of_order, places) = (of_order()?, index_elements(live, merge_key, at_list)?);
                let ranks = sort_keys(&*live, &of_order, &places, merge_key, at_list)?;
                drop(places);
                *live = arrange(std::mem::take(live), &ranks);
            }
            (Some(live), Some(patched)) => {
                common_type(live, patched, at_list)?;
                let (of_order, places) = (of_order()?, index_elements(live, merge_key, at_list)?);
                let ranks = sort_keys(patched, &of_order, &places, merge_key, at_list)?;
                drop(places);
                *live = arrange(patched.to_vec(), &ranks);
            }
            (None, Some(patched)) => {
                common_type(&[], patched, at_list)?;
                let (of_order, live) = (of_order()?, ElementIndex::default());
                let items = patched.iter().filter_map(|item| {
                    let kept = strip_inserted_value(item, self.targets_object())?;
                    Some((item, kept))
                });
                let (items, kept): (Vec<&Value>, Vec<Value>) = items.unzip();
                // A key that is null is there until the nulls are left out.
                let ranks = sort_keys(items, &of_order, &live, merge_key, at_list)?;
                target.insert(name.to_owned(), arrange(kept, &ranks).into());
            }
        }
        Ok(true)
    }
}

/// Moves the orders of lists from a patch to its merge result, if the result does not have an
/// order. Elements of lists already have theirs.
pub(crate) fn move_element_orders(patch: &mut Map<String, Value>, target: &mut Map<String, Value>) {
    if patch.contains_key(DIRECTIVE_MARKER) {
        return;
    }
    let is_handed_over = can_move_element_orders(patch);
    for (key, value) in patch {
        match target.get_mut(key) {
            Some(Value::Object(target)) => {
                if let Value::Object(patch) = value {
                    move_element_orders(patch, target);
                }
            }
            // A merged field had lists on both sides, and a value that was inserted as a whole is a
            // list.
            None if is_handed_over
                && key.starts_with(SET_ELEMENT_ORDER_PREFIX)
                && value.is_array() =>
            {
                target.insert(key.clone(), value.take());
            }
            _ => {}
        }
    }
}

/// Returns true if the orders of a patch can be handed over: if no field with an order is itself
/// named like an order. Such a field would be confused with an order in the target.
fn can_move_element_orders(patch: &Map<String, Value>) -> bool {
    let names = patch
        .keys()
        .filter_map(|key| directive_field(key, SET_ELEMENT_ORDER_PREFIX));
    !names
        .into_iter()
        .any(|name| name.starts_with(SET_ELEMENT_ORDER_PREFIX))
}

/// Rejects an order of objects that contains another value. Observed in Kubernetes: an order is
/// read only up to the wanted element, so the first kept element that does not precede the other
/// value in the order causes the error.
fn check_objects(
    live: &[Value],
    patched: Option<&[Value]>,
    wanted: &[Value],
    field: &FieldPatchMeta<'_>,
    at_list: &Path<'_>,
    at_order: &Path<'_>,
) -> Result<(), PatchError> {
    let merge_key = field.merge_key;
    let Some(odd) = wanted.iter().position(|item| !item.is_object()) else {
        return Ok(());
    };
    // The elements of a replaced list are the elements of the patch.
    let (items, patched) = match patched {
        Some(patched) if field.strategy != BaseStrategy::Merge => (patched, None),
        patched => (live, patched),
    };
    let are_objects =
        |list: &[Value]| common_type(list, &[], at_list).ok() == Some(Some(JsonType::Object));
    if merge_key.is_empty() || !are_objects(items) {
        return Ok(());
    }
    let mut deleted = ElementIndex::default();
    if let Some(patched) = patched.filter(|patched| are_objects(patched)) {
        match DirectiveElements::parse(patched, merge_key, at_list) {
            Ok(elements) if !elements.replace => deleted = elements.deleted,
            // Errors of the patch are reported elsewhere.
            _ => return Ok(()),
        }
    }
    let before = wanted.iter().take(odd);
    let before = before.filter_map(|item| Scalar::from_value(item.get(merge_key)?));
    let before: HashSet<Scalar<'_>> = before.collect();
    for (i, item) in items.iter().enumerate() {
        let key = identity(item, merge_key, &at_list.step(PathStep::Index(i)))?;
        if !before.contains(&key) && !deleted.contains(&HashedKey::from_scalar(key)) {
            return Err(PatchError::not_an_object(
                odd,
                &at_order.step(PathStep::Index(odd)),
            ));
        }
    }
    Ok(())
}

fn as_list<'v>(value: &'v Value, at: &Path<'_>) -> Result<&'v [Value], PatchError> {
    match value {
        Value::Array(values) => Ok(values),
        other => Err(PatchError::bad_type(GO_SLICE, other, at)),
    }
}

/// Checks that the elements of the patch are in the required order, which lists each of them.
fn check_order(
    patched: &[Value],
    wanted: &[Value],
    merge_key: &str,
    at_list: &Path<'_>,
    at_order: &Path<'_>,
) -> Result<(), PatchError> {
    let is_deleted = |item: &Value| !merge_key.is_empty() && is_deletion(item);
    let numbered = patched.iter().enumerate();
    let mut elements = numbered.filter(|(_, item)| !is_deleted(item)).peekable();
    let mut wanted_here = wanted.iter().enumerate();
    if patched.is_empty() || wanted.is_empty() {
        return Ok(());
    }
    while let Some((i, item)) = elements.peek() {
        // At the end of the order, Kubernetes does not look at any more elements.
        if wanted_here.len() > 0 && find_directive(item).is_some() {
            elements.next();
            continue;
        }
        let Some((j, wanted_item)) = wanted_here.next() else {
            let message = format!(
                "The order in patch list:\n{}\n doesn't match $setElementOrder list:\n{}\n",
                GoList(patched),
                GoList(wanted)
            );
            return Err(PatchError::new(
                PatchErrorKind::OrderMismatch,
                message,
                at_list,
            ));
        };
        // Without a merge key the elements themselves are compared.
        if merge_key.is_empty() && JsonType::from_value(item) != JsonType::from_value(wanted_item) {
            continue;
        }
        let key = identity(item, merge_key, &at_list.step(PathStep::Index(*i)))?;
        if key == identity(wanted_item, merge_key, &at_order.step(PathStep::Index(j)))? {
            elements.next();
        }
    }
    Ok(())
}
