//! JSON lists to which an expression appended elements. They keep their list type: a set skips
//! equal elements, a map list replaces elements with equal keys.

use std::collections::{HashMap, HashSet};

use serde_json::{Map, Value};

use super::equal::{self, HashKey, UnhashableError, element};
use super::from_json;
use super::value::{AppendedItem, AppendedList, AppendedStorage, EvalError, Val};
use crate::types::declared::{DeclaredId, DeclaredKind, DeclaredTypes, ListType};

impl<'v> AppendedList<'v> {
    /// Converts a JSON list, without appended elements yet, or returns a copy of an appended list.
    /// Returns `None` for other values.
    pub(crate) fn from_list(declared_types: &DeclaredTypes, list: &Val<'v>) -> Option<Self> {
        match list {
            Val::JsonList(items, id) => Some(Self {
                declaration: *id,
                storage: if is_set_or_map(declared_types, *id) {
                    AppendedStorage::Elements(items.iter().map(AppendedItem::Json).collect())
                } else {
                    AppendedStorage::Lists(items, Vec::new())
                },
            }),
            Val::AppendedList(appended) => Some((**appended).clone()),
            _ => None,
        }
    }

    /// Returns the number of elements.
    pub(crate) fn size(&self) -> usize {
        match &self.storage {
            AppendedStorage::Elements(items) => items.len(),
            AppendedStorage::Lists(items, appended_lists) => {
                appended_lists.last().map_or(items.len(), |(end, _)| *end)
            }
        }
    }

    /// Returns the elements of a set or map list.
    pub(crate) fn items(&self) -> &[AppendedItem<'v>] {
        match &self.storage {
            AppendedStorage::Elements(items) => items,
            AppendedStorage::Lists(..) => &[],
        }
    }

    /// Returns the hidden cost of appending a list. The elements of sets and map lists are copied
    /// and hashed.
    pub(crate) fn hidden_cost(&self, declared_types: &DeclaredTypes, other: &Val<'v>) -> u64 {
        match &self.storage {
            AppendedStorage::Elements(items) => (items.len() as u64)
                .saturating_add(other.size())
                .saturating_mul(5),
            AppendedStorage::Lists(_, appended_lists) if can_share(declared_types, other) => {
                appended_lists.len() as u64
            }
            AppendedStorage::Lists(_, appended_lists) => {
                (appended_lists.len() as u64).saturating_add(other.size())
            }
        }
    }

    /// Returns the list with the elements of another list appended. A set skips elements that it
    /// already contains; a map list replaces elements with equal keys.
    ///
    /// # Errors
    ///
    /// Returns an error if an element is invalid, or if the server panics because it cannot hash an
    /// element.
    pub(crate) fn with_appended(
        mut self,
        declared_types: &DeclaredTypes,
        other: &Val<'v>,
    ) -> Result<Self, EvalError> {
        let end = self.size();
        match &mut self.storage {
            AppendedStorage::Elements(items) => match &declared_types.get(self.declaration).kind {
                DeclaredKind::List {
                    list_type: ListType::Map(keys),
                    ..
                } => append_to_map_list(
                    items,
                    keys,
                    elements_or_errors(declared_types, other).map(into_item),
                )?,
                _ => append_to_set(
                    items,
                    elements_or_errors(declared_types, other).map(into_item),
                )?,
            },
            // Empty lists are skipped, so that the number of appended lists is at most the number
            // of elements.
            AppendedStorage::Lists(..) if other.size() == 0 => {}
            AppendedStorage::Lists(_, appended_lists) => {
                let other = if can_share(declared_types, other) {
                    other.clone()
                } else {
                    Val::list(elements_or_errors(declared_types, other).collect())
                };
                let end = end.saturating_add(usize::try_from(other.size()).unwrap_or(usize::MAX));
                appended_lists.push((end, other));
            }
        }
        Ok(self)
    }

    /// Returns the element at an index, converted to the element type of the list.
    pub(crate) fn element(
        &self,
        declared_types: &DeclaredTypes,
        index: usize,
    ) -> Option<Result<Val<'v>, EvalError>> {
        let ty = from_json::items_id(declared_types, self.declaration);
        let convert_item = |item: &AppendedItem<'v>| match item {
            AppendedItem::Json(value) => from_json::convert(declared_types, value, ty),
            AppendedItem::Computed(value) => from_json::convert_computed(declared_types, value, ty),
        };
        Some(match &self.storage {
            AppendedStorage::Elements(items) => convert_item(items.get(index)?),
            AppendedStorage::Lists(items, appended_lists) => match items.get(index) {
                Some(item) => from_json::convert(declared_types, item, ty),
                None => convert_item(&appended_item(
                    declared_types,
                    items.len(),
                    appended_lists,
                    index,
                )?),
            },
        })
    }
}

/// Appends the items that a set does not contain.
fn append_to_set<'v>(
    items: &mut Vec<AppendedItem<'v>>,
    added_items: impl Iterator<Item = AppendedItem<'v>>,
) -> Result<(), EvalError> {
    let added_items: Vec<AppendedItem<'v>> = added_items.collect();
    let mut is_new = Vec::with_capacity(added_items.len());
    let existing_keys = items.iter().map(AppendedItem::hash_key);
    let mut hash_keys = existing_keys.collect::<Result<HashSet<_>, _>>()?;
    for item in &added_items {
        let hash_key = item.hash_key();
        let hash_key = hash_key.map_err(|unhashable| {
            if hash_keys.is_empty() {
                unhashable.into_empty_map_error()
            } else {
                unhashable.into()
            }
        })?;
        is_new.push(hash_keys.insert(hash_key));
    }
    drop(hash_keys);
    let new_items = added_items
        .into_iter()
        .zip(is_new)
        .filter(|(_, is_new)| *is_new);
    items.extend(new_items.map(|(item, _)| item));
    Ok(())
}

/// Appends items to a map list, and replaces elements with equal keys.
fn append_to_map_list<'v>(
    items: &mut Vec<AppendedItem<'v>>,
    keys: &[Box<str>],
    added_items: impl Iterator<Item = AppendedItem<'v>>,
) -> Result<(), EvalError> {
    let mut positions = HashMap::new();
    for (index, item) in items.iter().enumerate() {
        if let Some(key) = item.key(keys)? {
            positions.insert(key, index);
        }
    }
    for item in added_items {
        let index = match item.key(keys)? {
            // As on a server, added elements do not replace each other.
            Some(key) => positions.get(&key).copied().unwrap_or(items.len()),
            // An element that is not an object has no keys, and does not replace any element.
            None => items.len(),
        };
        match items.get_mut(index) {
            Some(element) => *element = item,
            None => items.push(item),
        }
    }
    Ok(())
}

/// Returns true if the list is a set or map list, whose elements are hashed.
fn is_set_or_map(declared_types: &DeclaredTypes, list: DeclaredId) -> bool {
    matches!(
        &declared_types.get(list).kind,
        DeclaredKind::List {
            list_type: ListType::Set | ListType::Map(_),
            ..
        }
    )
}

/// Returns true if an appended list can be shared. A JSON list must be copied if its elements have
/// another form in CEL.
fn can_share(declared_types: &DeclaredTypes, list: &Val<'_>) -> bool {
    match list {
        Val::JsonList(_, id) => !matches!(
            &declared_types
                .get(from_json::items_id(declared_types, *id))
                .kind,
            DeclaredKind::Bytes
                | DeclaredKind::Date
                | DeclaredKind::DateTime
                | DeclaredKind::Duration
        ),
        _ => true,
    }
}

/// Returns the elements of a list. An invalid element becomes an error value.
fn elements_or_errors<'v>(
    declared_types: &DeclaredTypes,
    list: &Val<'v>,
) -> impl Iterator<Item = Val<'v>> {
    let values = (0..).map_while(move |index| element(declared_types, list, index));
    values.map(|value| value.unwrap_or_else(|error| error.as_value()))
}

/// Returns an appended element by its index in the whole list. `json_length` is the number of
/// elements of the JSON list.
fn appended_item<'v>(
    declared_types: &DeclaredTypes,
    json_length: usize,
    appended_lists: &[(usize, Val<'v>)],
    index: usize,
) -> Option<AppendedItem<'v>> {
    let list_index = appended_lists.partition_point(|(end, _)| *end <= index);
    let (_, list) = appended_lists.get(list_index)?;
    let start = list_index
        .checked_sub(1)
        .and_then(|list_index| appended_lists.get(list_index))
        .map_or(json_length, |(end, _)| *end);
    let value = element(declared_types, list, index.checked_sub(start)?)?;
    Some(into_item(value.unwrap_or_else(|error| error.as_value())))
}

impl<'v> AppendedItem<'v> {
    /// Returns the hash key of the element.
    pub(super) fn hash_key(&self) -> Result<HashKey<'_>, UnhashableError> {
        match self {
            Self::Json(value) => equal::hash_key(value),
            Self::Computed(Val::Null) => Ok(HashKey::ComputedNull),
            Self::Computed(value) => equal::hash_key_of_value(value),
        }
    }

    /// Returns the element if it is a JSON object.
    pub(super) const fn as_object(&self) -> Option<&'v Map<String, Value>> {
        match self {
            Self::Json(Value::Object(object)) => Some(object),
            Self::Computed(Val::JsonObject(object, _)) => Some(*object),
            _ => None,
        }
    }

    /// Returns the keys of an element of a map list; `None` if the element is not an object.
    fn key(&self, keys: &[Box<str>]) -> Result<Option<Vec<HashKey<'v>>>, EvalError> {
        let keys = self
            .as_object()
            .map(|object| equal::list_map_key(object, keys));
        keys.transpose()
    }
}

/// Returns a value in the form in which a server stores it: optional values are unwrapped, and a
/// type becomes its name.
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
