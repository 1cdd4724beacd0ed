//! Lists of the object with added elements. They keep their list type, so sets and maps merge new
//! elements.

use std::collections::{HashMap, HashSet};

use serde_json::{Map, Value};

use super::convert;
use super::equal::{self, Hashed, Unhashable, element};
use super::value::{Fault, Item, Joined, Kept, Val};
use crate::types::declared::{DeclaredId, DeclaredKind, DeclaredTypes, ListType};

impl<'v> Joined<'v> {
    /// Returns a list of the object; `None` for all other values.
    pub(crate) fn of(declared: &DeclaredTypes, list: &Val<'v>) -> Option<Self> {
        match list {
            Val::Items(items, list) => Some(Self {
                list: *list,
                kept: if is_looked_up(declared, *list) {
                    Kept::Each(items.iter().map(Item::Json).collect())
                } else {
                    Kept::Lists(items, Vec::new())
                },
            }),
            Val::Joined(joined) => Some((**joined).clone()),
            _ => None,
        }
    }

    /// Returns the number of elements.
    pub(crate) fn size(&self) -> usize {
        match &self.kept {
            Kept::Each(items) => items.len(),
            Kept::Lists(items, added) => added.last().map_or(items.len(), |(end, _)| *end),
        }
    }

    /// Returns the elements of a set or map.
    pub(crate) fn items(&self) -> &[Item<'v>] {
        match &self.kept {
            Kept::Each(items) => items,
            Kept::Lists(..) => &[],
        }
    }

    /// Returns the work of adding another list: elements of sets and maps are copied and looked up.
    pub(crate) fn work(&self, declared: &DeclaredTypes, other: &Val<'v>) -> u64 {
        match &self.kept {
            Kept::Each(items) => (items.len() as u64)
                .saturating_add(other.size())
                .saturating_mul(5),
            Kept::Lists(_, added) if is_shared(declared, other) => added.len() as u64,
            Kept::Lists(_, added) => (added.len() as u64).saturating_add(other.size()),
        }
    }

    /// Returns the list with the elements of another list. A set adds the elements that it does not
    /// contain yet; a map replaces the elements with the same keys.
    ///
    /// # Errors
    ///
    /// Returns an error if an element is invalid. Returns a crash if a server panics because it
    /// does not have a hash of an element.
    pub(crate) fn plus(mut self, declared: &DeclaredTypes, other: &Val<'v>) -> Result<Self, Fault> {
        let end = self.size();
        let list = self.list;
        match &mut self.kept {
            Kept::Each(items) => match &declared.get(list).kind {
                DeclaredKind::List {
                    list_type: ListType::Map(keys),
                    ..
                } => add_to_map(items, keys, values(declared, other).map(native))?,
                _ => add_to_set(items, values(declared, other).map(native))?,
            },
            // Empty lists are not kept, so the number of kept lists is at most the number of
            // elements.
            Kept::Lists(..) if other.size() == 0 => {}
            Kept::Lists(_, added) => {
                let other = if is_shared(declared, other) {
                    other.clone()
                } else {
                    Val::list(values(declared, other).collect())
                };
                let end = end.saturating_add(usize::try_from(other.size()).unwrap_or(usize::MAX));
                added.push((end, other));
            }
        }
        Ok(self)
    }

    /// Returns the element at a position, converted to the type of the list.
    pub(crate) fn element(
        &self,
        declared: &DeclaredTypes,
        at: usize,
    ) -> Option<Result<Val<'v>, Fault>> {
        let ty = convert::items_of(declared, self.list);
        let read = |item: &Item<'v>| match item {
            Item::Json(value) => convert::convert(declared, value, ty),
            Item::Made(value) => convert::adopt(declared, value, ty),
        };
        Some(match &self.kept {
            Kept::Each(items) => read(items.get(at)?),
            Kept::Lists(items, added) => match items.get(at) {
                Some(item) => convert::convert(declared, item, ty),
                None => read(&added_at(declared, items.len(), added, at)?),
            },
        })
    }
}

fn add_to_set<'v>(
    items: &mut Vec<Item<'v>>,
    more: impl Iterator<Item = Item<'v>>,
) -> Result<(), Fault> {
    let more: Vec<Item<'v>> = more.collect();
    let mut is_new = Vec::with_capacity(more.len());
    let known = items.iter().map(Item::hashed);
    let mut known = known.collect::<Result<HashSet<_>, _>>()?;
    for item in &more {
        let hashed = item.hashed();
        let hashed = hashed.map_err(|unhashable| {
            if known.is_empty() {
                unhashable.in_empty()
            } else {
                unhashable.into()
            }
        })?;
        is_new.push(known.insert(hashed));
    }
    drop(known);
    let new = more.into_iter().zip(is_new).filter(|(_, is_new)| *is_new);
    items.extend(new.map(|(item, _)| item));
    Ok(())
}

fn add_to_map<'v>(
    items: &mut Vec<Item<'v>>,
    keys: &[Box<str>],
    more: impl Iterator<Item = Item<'v>>,
) -> Result<(), Fault> {
    let mut places = HashMap::new();
    for (at, item) in items.iter().enumerate() {
        if let Some(key) = item.key(keys)? {
            places.insert(key, at);
        }
    }
    for item in more {
        let at = match item.key(keys)? {
            // Added elements are not compared with each other.
            Some(key) => places.get(&key).copied().unwrap_or(items.len()),
            // An element without keys does not equal any element.
            None => items.len(),
        };
        match items.get_mut(at) {
            Some(place) => *place = item,
            None => items.push(item),
        }
    }
    Ok(())
}

/// Returns true if new elements of a list are looked up: it is a set or a map.
fn is_looked_up(declared: &DeclaredTypes, list: DeclaredId) -> bool {
    matches!(
        &declared.get(list).kind,
        DeclaredKind::List {
            list_type: ListType::Set | ListType::Map(_),
            ..
        }
    )
}

/// Returns true if an added list is kept as it is. A list of the object whose elements have another
/// form in CEL is copied.
fn is_shared(declared: &DeclaredTypes, list: &Val<'_>) -> bool {
    match list {
        Val::Items(_, id) => !matches!(
            &declared.get(convert::items_of(declared, *id)).kind,
            DeclaredKind::Bytes
                | DeclaredKind::Date
                | DeclaredKind::DateTime
                | DeclaredKind::Duration
        ),
        _ => true,
    }
}

/// Returns the elements of a list, with an error value for each invalid element.
fn values<'v>(declared: &DeclaredTypes, list: &Val<'v>) -> impl Iterator<Item = Val<'v>> {
    let values = (0..).map_while(move |at| element(declared, list, at));
    values.map(|value| value.unwrap_or_else(|fault| fault.as_value()))
}

/// Returns an added element at a position. `before` is the number of elements of the object's list.
fn added_at<'v>(
    declared: &DeclaredTypes,
    before: usize,
    added: &[(usize, Val<'v>)],
    at: usize,
) -> Option<Item<'v>> {
    let number = added.partition_point(|(end, _)| *end <= at);
    let (_, list) = added.get(number)?;
    let start = number
        .checked_sub(1)
        .and_then(|number| added.get(number))
        .map_or(before, |(end, _)| *end);
    let value = element(declared, list, at.checked_sub(start)?)?;
    Some(native(value.unwrap_or_else(|fault| fault.as_value())))
}

impl<'v> Item<'v> {
    /// Returns the form for the look-up on a server.
    pub(super) fn hashed(&self) -> Result<Hashed<'_>, Unhashable> {
        match self {
            Self::Json(value) => equal::hashed(value),
            Self::Made(Val::Null) => Ok(Hashed::MadeNull),
            Self::Made(value) => equal::hashed_value(value),
        }
    }

    /// Returns the element if it is an object of the object.
    pub(super) const fn as_object(&self) -> Option<&'v Map<String, Value>> {
        match self {
            Self::Json(Value::Object(object)) => Some(object),
            Self::Made(Val::Object(object, _)) => Some(*object),
            _ => None,
        }
    }

    /// Returns the keys of an element of a map, if it is an object.
    fn key(&self, keys: &[Box<str>]) -> Result<Option<Vec<Hashed<'v>>>, Fault> {
        let keys = self.as_object().map(|object| equal::key_of(object, keys));
        keys.transpose()
    }
}

/// Returns the form in which a server keeps a value: the value inside an optional value, and the
/// name of a type.
pub(crate) fn native(mut value: Val<'_>) -> Item<'_> {
    while let Val::Optional(Some(inner)) = value {
        value = (*inner).clone();
    }
    match value {
        Val::Optional(None) => Item::Json(&Value::Null),
        Val::Type(name) => Item::Made(Val::text(name)),
        value => Item::Made(value),
    }
}
