//! Lists of the object with added elements. They keep their list type, so sets and maps merge new
//! elements.

use std::collections::{HashMap, HashSet};

use serde_json::{Map, Value};

use super::equal::{self, HashKey, UnhashableError, element};
use super::from_json;
use super::value::{AppendedItem, AppendedList, AppendedStorage, EvalError, Val};
use crate::types::declared::{DeclaredId, DeclaredKind, DeclaredTypes, ListType};

impl<'v> AppendedList<'v> {
    /// Returns a list of the object; `None` for all other values.
    pub(crate) fn from_list(declared: &DeclaredTypes, list: &Val<'v>) -> Option<Self> {
        match list {
            Val::JsonList(items, list) => Some(Self {
                declaration: *list,
                storage: if is_set_or_map(declared, *list) {
                    AppendedStorage::Elements(items.iter().map(AppendedItem::Json).collect())
                } else {
                    AppendedStorage::Lists(items, Vec::new())
                },
            }),
            Val::AppendedList(joined) => Some((**joined).clone()),
            _ => None,
        }
    }

    /// Returns the number of elements.
    pub(crate) fn size(&self) -> usize {
        match &self.storage {
            AppendedStorage::Elements(items) => items.len(),
            AppendedStorage::Lists(items, added) => {
                added.last().map_or(items.len(), |(end, _)| *end)
            }
        }
    }

    /// Returns the elements of a set or map.
    pub(crate) fn items(&self) -> &[AppendedItem<'v>] {
        match &self.storage {
            AppendedStorage::Elements(items) => items,
            AppendedStorage::Lists(..) => &[],
        }
    }

    /// Returns the work of adding another list: elements of sets and maps are copied and looked up.
    pub(crate) fn hidden_cost(&self, declared: &DeclaredTypes, other: &Val<'v>) -> u64 {
        match &self.storage {
            AppendedStorage::Elements(items) => (items.len() as u64)
                .saturating_add(other.size())
                .saturating_mul(5),
            AppendedStorage::Lists(_, added) if is_kept_uncopied(declared, other) => {
                added.len() as u64
            }
            AppendedStorage::Lists(_, added) => (added.len() as u64).saturating_add(other.size()),
        }
    }

    /// Returns the list with the elements of another list. A set adds the elements that it does not
    /// contain yet; a map replaces the elements with the same keys.
    ///
    /// # Errors
    ///
    /// Returns an error if an element is invalid. Returns a crash if a server panics because it
    /// does not have a hash of an element.
    pub(crate) fn with_appended(
        mut self,
        declared: &DeclaredTypes,
        other: &Val<'v>,
    ) -> Result<Self, EvalError> {
        let end = self.size();
        let list = self.declaration;
        match &mut self.storage {
            AppendedStorage::Elements(items) => match &declared.get(list).kind {
                DeclaredKind::List {
                    list_type: ListType::Map(keys),
                    ..
                } => add_to_map(
                    items,
                    keys,
                    elements_or_errors(declared, other).map(into_item),
                )?,
                _ => add_to_set(items, elements_or_errors(declared, other).map(into_item))?,
            },
            // Empty lists are not kept, so the number of kept lists is at most the number of
            // elements.
            AppendedStorage::Lists(..) if other.size() == 0 => {}
            AppendedStorage::Lists(_, added) => {
                let other = if is_kept_uncopied(declared, other) {
                    other.clone()
                } else {
                    Val::list(elements_or_errors(declared, other).collect())
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
    ) -> Option<Result<Val<'v>, EvalError>> {
        let ty = from_json::items_id(declared, self.declaration);
        let read = |item: &AppendedItem<'v>| match item {
            AppendedItem::Json(value) => from_json::convert(declared, value, ty),
            AppendedItem::Computed(value) => from_json::convert_computed(declared, value, ty),
        };
        Some(match &self.storage {
            AppendedStorage::Elements(items) => read(items.get(at)?),
            AppendedStorage::Lists(items, added) => match items.get(at) {
                Some(item) => from_json::convert(declared, item, ty),
                None => read(&appended_at(declared, items.len(), added, at)?),
            },
        })
    }
}

fn add_to_set<'v>(
    items: &mut Vec<AppendedItem<'v>>,
    more: impl Iterator<Item = AppendedItem<'v>>,
) -> Result<(), EvalError> {
    let more: Vec<AppendedItem<'v>> = more.collect();
    let mut is_new = Vec::with_capacity(more.len());
    let known = items.iter().map(AppendedItem::hash_key);
    let mut known = known.collect::<Result<HashSet<_>, _>>()?;
    for item in &more {
        let hashed = item.hash_key();
        let hashed = hashed.map_err(|unhashable| {
            if known.is_empty() {
                unhashable.into_empty_map_error()
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
    items: &mut Vec<AppendedItem<'v>>,
    keys: &[Box<str>],
    more: impl Iterator<Item = AppendedItem<'v>>,
) -> Result<(), EvalError> {
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
fn is_set_or_map(declared: &DeclaredTypes, list: DeclaredId) -> bool {
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
fn is_kept_uncopied(declared: &DeclaredTypes, list: &Val<'_>) -> bool {
    match list {
        Val::JsonList(_, id) => !matches!(
            &declared.get(from_json::items_id(declared, *id)).kind,
            DeclaredKind::Bytes
                | DeclaredKind::Date
                | DeclaredKind::DateTime
                | DeclaredKind::Duration
        ),
        _ => true,
    }
}

/// Returns the elements of a list, with an error value for each invalid element.
fn elements_or_errors<'v>(
    declared: &DeclaredTypes,
    list: &Val<'v>,
) -> impl Iterator<Item = Val<'v>> {
    let values = (0..).map_while(move |at| element(declared, list, at));
    values.map(|value| value.unwrap_or_else(|fault| fault.as_value()))
}

/// Returns an added element at a position. `before` is the number of elements of the object's list.
fn appended_at<'v>(
    declared: &DeclaredTypes,
    before: usize,
    added: &[(usize, Val<'v>)],
    at: usize,
) -> Option<AppendedItem<'v>> {
    let number = added.partition_point(|(end, _)| *end <= at);
    let (_, list) = added.get(number)?;
    let start = number
        .checked_sub(1)
        .and_then(|number| added.get(number))
        .map_or(before, |(end, _)| *end);
    let value = element(declared, list, at.checked_sub(start)?)?;
    Some(into_item(value.unwrap_or_else(|fault| fault.as_value())))
}

impl<'v> AppendedItem<'v> {
    /// Returns the form for the look-up on a server.
    pub(super) fn hash_key(&self) -> Result<HashKey<'_>, UnhashableError> {
        match self {
            Self::Json(value) => equal::hash_key(value),
            Self::Computed(Val::Null) => Ok(HashKey::ComputedNull),
            Self::Computed(value) => equal::hash_key_of_value(value),
        }
    }

    /// Returns the element if it is an object of the object.
    pub(super) const fn as_object(&self) -> Option<&'v Map<String, Value>> {
        match self {
            Self::Json(Value::Object(object)) => Some(object),
            Self::Computed(Val::JsonObject(object, _)) => Some(*object),
            _ => None,
        }
    }

    /// Returns the keys of an element of a map, if it is an object.
    fn key(&self, keys: &[Box<str>]) -> Result<Option<Vec<HashKey<'v>>>, EvalError> {
        let keys = self
            .as_object()
            .map(|object| equal::list_map_key(object, keys));
        keys.transpose()
    }
}

/// Returns the form in which a server keeps a value: the value inside an optional value, and the
/// name of a type.
pub(crate) fn into_item(mut value: Val<'_>) -> AppendedItem<'_> {
    while let Val::Optional(Some(inner)) = value {
        value = (*inner).clone();
    }
    match value {
        Val::Optional(None) => AppendedItem::Json(&Value::Null),
        Val::Type(name) => AppendedItem::Computed(Val::string(name)),
        value => AppendedItem::Computed(value),
    }
}
