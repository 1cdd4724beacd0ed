//! `$setElementOrder`: puts a merged list in the order that a patch asks for.

use std::collections::HashSet;

use serde_json::{Map, Value};

use super::arrange::{arrange, places, ranks};
use super::directive::{Elements, directive_in, is_deletion};
use super::insert::inserted;
use super::list::{Order, mergeable_kind};
use super::merge::{Merge, Mode};
use super::names::{ORDER, PATCH, field_of};
use crate::elements::identity::identity;
use crate::elements::places::{Keyed, Places};
use crate::elements::scalar::{Scalar, common_kind};
use crate::error::{PatchError, PatchErrorKind};
use crate::schema::schema::{Found, NodeId};
use crate::schema::strategy::Rest;
use crate::values::kind::{Kind, LIST};
use crate::values::print::PrintedList;
use k8s_json_internals::equality::same;
use union_runtime::path::{Path, Step};

impl Merge<'_> {
    /// Does what a key `$setElementOrder/field` says, and returns the field that is done by that.
    pub(crate) fn order<'p>(
        self,
        target: &mut Map<String, Value>,
        patch: &'p Map<String, Value>,
        key: &'p str,
        order: &Value,
        node: NodeId,
        at: &Path<'_>,
    ) -> Result<Option<&'p str>, PatchError> {
        let at_order = at.field(key);
        if self.mode == Mode::Compose {
            match target.get(key) {
                None if self.is_ours && is_handed_over(patch) => {}
                None => {
                    target.insert(key.to_owned(), order.clone());
                }
                Some(before) if same(before, order) => {}
                Some(_) => return Err(PatchError::bad_order(&at_order)),
            }
        }
        let wanted = list(order, &at_order)?;
        let Some(name) = field_of(key, ORDER) else {
            return Err(PatchError::bad_order(&at_order));
        };
        let at_list = at.field(name);
        let patched = patch.get(name).map(|value| list(value, &at_list));
        let patched = patched.transpose()?;
        let live = target.get(name).map(|live| list(live, &at_list));
        let live = live.transpose()?;
        let field = self.schema.as_list(node, name, at)?;
        let merge_key = field.merge_key;
        if let Some(patched) = patched {
            check_order(patched, wanted, merge_key, &at_list, &at_order)?;
        }
        if let Some(live) = live {
            check_objects(live, patched, wanted, &field, &at_list, &at_order)?;
        }
        let of_order = || places(wanted, merge_key, &at_order);
        let is_done = self.put_in_order(target, name, patched, &field, of_order, &at_list)?;
        Ok(is_done.then_some(name))
    }

    /// Puts the list of a field in the order that is asked for; false where there is nothing to put in order.
    fn put_in_order<'w>(
        self,
        target: &mut Map<String, Value>,
        name: &str,
        patched: Option<&[Value]>,
        field: &Found<'_>,
        of_order: impl Fn() -> Result<Places<Scalar<'w>>, PatchError>,
        at_list: &Path<'_>,
    ) -> Result<bool, PatchError> {
        let live = target.get_mut(name).and_then(Value::as_array_mut);
        if let (Some(live), Some(patched), Rest::Merge) = (live, patched, field.rest) {
            mergeable_kind(live, patched, field, at_list)?;
            let of_order = of_order()?;
            let order = Order { places: &of_order };
            self.list_in_order(live, patched, Some(&order), field, at_list)?;
            return Ok(true);
        }
        self.put_unmerged_in_order(target, name, patched, field, of_order, at_list)
    }

    /// The same of a list that the patch does not have, or that is not merged. Apart, since the above stands on the stack
    /// once for each level.
    fn put_unmerged_in_order<'w>(
        self,
        target: &mut Map<String, Value>,
        name: &str,
        patched: Option<&[Value]>,
        field: &Found<'_>,
        of_order: impl Fn() -> Result<Places<Scalar<'w>>, PatchError>,
        at_list: &Path<'_>,
    ) -> Result<bool, PatchError> {
        let merge_key = field.merge_key;
        let live = match target.get_mut(name) {
            Some(Value::Array(live)) => Some(live),
            _ => None,
        };
        match (live, patched) {
            // What is asked for is not looked into.
            (None, None) => return Ok(false),
            (Some(live), Some([])) => {
                // An order of objects has to name them all the same.
                if common_kind(live, &[], at_list)? == Some(Kind::Object) {
                    of_order()?;
                    places(live, merge_key, at_list)?;
                }
                live.clear();
            }
            (Some(live), None) => {
                common_kind(live, &[], at_list)?;
                let (of_order, places) = (of_order()?, places(live, merge_key, at_list)?);
                let ranks = ranks(live, &of_order, &places, merge_key, at_list)?;
                drop(places);
                *live = arrange(std::mem::take(live), &ranks);
            }
            (Some(live), Some(patched)) => {
                common_kind(live, patched, at_list)?;
                let (of_order, places) = (of_order()?, places(live, merge_key, at_list)?);
                let ranks = ranks(patched, &of_order, &places, merge_key, at_list)?;
                drop(places);
                *live = arrange(patched.to_vec(), &ranks);
            }
            (None, Some(patched)) => {
                common_kind(&[], patched, at_list)?;
                let kept = patched.iter();
                let kept = kept.filter_map(|item| inserted(item, self.is_server()));
                let kept: Vec<Value> = kept.collect();
                let of_order = of_order()?;
                let ranks = ranks(&kept, &of_order, &Places::default(), merge_key, at_list)?;
                target.insert(name.to_owned(), arrange(kept, &ranks).into());
            }
        }
        Ok(true)
    }
}

/// Gives what a patch says of the order of lists to what it was merged into, where that says nothing. Elements of lists have
/// theirs already.
pub(crate) fn hand_over(patch: &mut Map<String, Value>, target: &mut Map<String, Value>) {
    if patch.contains_key(PATCH) {
        return;
    }
    let is_handed_over = is_handed_over(patch);
    for (key, value) in patch {
        match target.get_mut(key) {
            Some(Value::Object(target)) => {
                if let Value::Object(patch) = value {
                    hand_over(patch, target);
                }
            }
            // Whatever was merged had lists there, and what was put in as a whole has them.
            None if is_handed_over && key.starts_with(ORDER) && value.is_array() => {
                target.insert(key.clone(), value.take());
            }
            _ => {}
        }
    }
}

/// Whether what a patch says of the order of lists speaks of no such thing itself, which would have to be there.
fn is_handed_over(patch: &Map<String, Value>) -> bool {
    let names = patch.keys().filter_map(|key| field_of(key, ORDER));
    !names.into_iter().any(|name| name.starts_with(ORDER))
}

/// Seen: an order of objects is read up to the element that is looked for, so that what is not an object in it is found by the first
/// element that stays and that the order does not have before it.
fn check_objects(
    live: &[Value],
    patched: Option<&[Value]>,
    wanted: &[Value],
    field: &Found<'_>,
    at_list: &Path<'_>,
    at_order: &Path<'_>,
) -> Result<(), PatchError> {
    let merge_key = field.merge_key;
    let Some(odd) = wanted.iter().position(|item| !item.is_object()) else {
        return Ok(());
    };
    // The elements of a list that is replaced are those of the patch.
    let (items, patched) = match patched {
        Some(patched) if field.rest != Rest::Merge => (patched, None),
        patched => (live, patched),
    };
    let are_objects =
        |list: &[Value]| common_kind(list, &[], at_list).ok() == Some(Some(Kind::Object));
    if merge_key.is_empty() || !are_objects(items) {
        return Ok(());
    }
    let mut deleted = Places::default();
    if let Some(patched) = patched.filter(|patched| are_objects(patched)) {
        match Elements::of(patched, merge_key, at_list) {
            Ok(elements) if !elements.replace => deleted = elements.deleted,
            // What is wrong with the patch is told elsewhere.
            _ => return Ok(()),
        }
    }
    let before = wanted.iter().take(odd);
    let before = before.filter_map(|item| Scalar::of(item.get(merge_key)?));
    let before: HashSet<Scalar<'_>> = before.collect();
    for (i, item) in items.iter().enumerate() {
        let key = identity(item, merge_key, &at_list.step(Step::Index(i)))?;
        if !before.contains(&key) && !deleted.contains(&Keyed::of(key)) {
            return Err(PatchError::not_an_object(
                odd,
                &at_order.step(Step::Index(odd)),
            ));
        }
    }
    Ok(())
}

fn list<'v>(value: &'v Value, at: &Path<'_>) -> Result<&'v [Value], PatchError> {
    match value {
        Value::Array(values) => Ok(values),
        other => Err(PatchError::bad_type(LIST, other, at)),
    }
}

/// The elements of the patch stand in the order that is asked for, which lists each of them.
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
        // Where the order has come to its end, the reference looks at nothing any more.
        if wanted_here.len() > 0 && directive_in(item).is_some() {
            elements.next();
            continue;
        }
        let Some((j, wanted_item)) = wanted_here.next() else {
            let message = format!(
                "The order in patch list:\n{}\n doesn't match $setElementOrder list:\n{}\n",
                PrintedList(patched),
                PrintedList(wanted)
            );
            return Err(PatchError::new(
                PatchErrorKind::OrderMismatch,
                message,
                at_list,
            ));
        };
        // Without a merge key they are compared as they are.
        if merge_key.is_empty() && Kind::of(item) != Kind::of(wanted_item) {
            continue;
        }
        let key = identity(item, merge_key, &at_list.step(Step::Index(*i)))?;
        if key == identity(wanted_item, merge_key, &at_order.step(Step::Index(j)))? {
            elements.next();
        }
    }
    Ok(())
}
