//! JSON lists to which an expression appended elements. They keep their list type: a set skips
//! equal elements, a map list replaces elements with equal keys.
//!
//! A server that has [`ConvertedSums`](crate::Feature::ConvertedSums) converts the elements before
//! it appends to them, and hashes the converted elements.

use std::collections::{HashMap, HashSet};

use serde_json::{Map, Value};

use super::equal::{self, HashKey, MapKeys, UnhashableError, element, elements_or_errors, set_key};
use super::from_json;
use super::value::{AppendedItem, AppendedList, AppendedStorage, EvalError, ListKind, Val};
use crate::types::declared::{DeclaredId, DeclaredKind, DeclaredTypes, ListType};
use crate::types::feature::Feature;

impl<'v> AppendedList<'v> {
    /// Converts a JSON list, without appended elements yet, or returns a copy of an appended list.
    /// Returns `None` for other values.
    pub(crate) fn from_list(declared_types: &DeclaredTypes, list: &Val<'v>) -> Option<Self> {
        match list {
            Val::JsonList(items, id) => {
                let is_converted = declared_types.has(Feature::ConvertedSums);
                let storage = match list_kind(declared_types, *id) {
                    Some(kind) if is_converted => AppendedStorage::Converted(
                        kind,
                        elements_or_errors(declared_types, list).collect(),
                    ),
                    Some(_) => {
                        AppendedStorage::Elements(items.iter().map(AppendedItem::Json).collect())
                    }
                    None => AppendedStorage::Lists(items, Vec::new()),
                };
                Some(Self {
                    declaration: *id,
                    storage,
                })
            }
            Val::AppendedList(appended) => Some((**appended).clone()),
            _ => None,
        }
    }

    /// Returns the number of elements.
    pub(crate) fn size(&self) -> usize {
        match &self.storage {
            AppendedStorage::Elements(items) => items.len(),
            AppendedStorage::Converted(_, values) => values.len(),
            AppendedStorage::Lists(items, appended_lists) => {
                appended_lists.last().map_or(items.len(), |(end, _)| *end)
            }
        }
    }

    /// Returns the elements of a set or map list whose elements are not converted; otherwise an
    /// empty slice.
    pub(crate) fn items(&self) -> &[AppendedItem<'v>] {
        match &self.storage {
            AppendedStorage::Elements(items) => items,
            AppendedStorage::Lists(..) | AppendedStorage::Converted(..) => &[],
        }
    }

    /// Returns the hidden cost of appending a list. The elements of sets and map lists are copied
    /// and hashed, which costs 5 for each element.
    pub(crate) fn hidden_cost(&self, declared_types: &DeclaredTypes, other: &Val<'v>) -> u64 {
        match &self.storage {
            AppendedStorage::Elements(_) | AppendedStorage::Converted(..) => (self.size() as u64)
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
    /// Returns an error if an element is invalid, or if the server cannot hash an element.
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
                    declared_types,
                    items,
                    keys,
                    elements_or_errors(declared_types, other).map(into_item),
                )?,
                _ => append_to_set(
                    items,
                    elements_or_errors(declared_types, other).map(into_item),
                )?,
            },
            AppendedStorage::Converted(_, values) => {
                let added_values = elements_or_errors(declared_types, other).collect();
                append_converted(declared_types, self.declaration, values, added_values)?;
            }
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
            AppendedStorage::Converted(_, values) => match values.get(index)? {
                Val::Error(message) => Err(EvalError::Expression(message.clone())),
                value => Ok(value.clone()),
            },
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
        // The server identifies a value with the hash key `Other` by its address.
        is_new.push(matches!(hash_key, HashKey::Other) || hash_keys.insert(hash_key));
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
    declared_types: &DeclaredTypes,
    items: &mut Vec<AppendedItem<'v>>,
    keys: &[Box<str>],
    added_items: impl Iterator<Item = AppendedItem<'v>>,
) -> Result<(), EvalError> {
    let mut positions = HashMap::new();
    for (index, item) in items.iter().enumerate() {
        if let Some(key) = item.key(declared_types, keys)? {
            positions.insert(key, index);
        }
    }
    for item in added_items {
        let index = match item.key(declared_types, keys)? {
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

/// Appends values to the elements of a set or map list. A set skips the values that it contains. In
/// a map list, a value replaces the element with the same keys.
fn append_converted<'v>(
    declared_types: &DeclaredTypes,
    list: DeclaredId,
    values: &mut Vec<Val<'v>>,
    added_values: Vec<Val<'v>>,
) -> Result<(), EvalError> {
    let DeclaredKind::List {
        list_type: ListType::Map(keys),
        ..
    } = &declared_types.get(list).kind
    else {
        return append_to_converted_set(values, added_values);
    };
    let map_keys = MapKeys::new(declared_types, values, keys);
    let positions: HashMap<_, usize> = map_keys.iter(0).zip(0..).collect();
    let added_keys = MapKeys::new(declared_types, &added_values, keys);
    // As on a server, added elements do not replace each other.
    let replaced: Vec<Option<usize>> = added_keys
        .iter(values.len())
        .map(|key| positions.get(&key).copied())
        .collect();
    for (value, replaced_index) in added_values.into_iter().zip(replaced) {
        match replaced_index.and_then(|index| values.get_mut(index)) {
            Some(element) => *element = value,
            None => values.push(value),
        }
    }
    Ok(())
}

/// Appends the values that a set does not contain.
fn append_to_converted_set<'v>(
    values: &mut Vec<Val<'v>>,
    added_values: Vec<Val<'v>>,
) -> Result<(), EvalError> {
    let mut is_new = Vec::with_capacity(added_values.len());
    let keys = values.iter().zip(0..);
    let keys = keys.map(|(value, position)| set_key(value, position));
    let mut keys = keys.collect::<Result<HashSet<_>, _>>()?;
    for (value, position) in added_values.iter().zip(values.len()..) {
        is_new.push(keys.insert(set_key(value, position)?));
    }
    drop(keys);
    let new_values = added_values.into_iter().zip(is_new);
    let new_values = new_values.filter(|(_, is_new)| *is_new);
    values.extend(new_values.map(|(value, _)| value));
    Ok(())
}

/// Returns the kind of a set or map list, whose elements are hashed; `None` for an atomic list.
fn list_kind(declared_types: &DeclaredTypes, list: DeclaredId) -> Option<ListKind> {
    match &declared_types.get(list).kind {
        DeclaredKind::List { list_type, .. } => match list_type {
            ListType::Set => Some(ListKind::Set),
            ListType::Map(_) => Some(ListKind::Map),
            ListType::Atomic => None,
        },
        _ => None,
    }
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
    fn key(
        &self,
        declared_types: &DeclaredTypes,
        keys: &[Box<str>],
    ) -> Result<Option<Vec<HashKey<'v>>>, EvalError> {
        let keys = self
            .as_object()
            .map(|object| equal::list_map_key(declared_types, object, keys));
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
