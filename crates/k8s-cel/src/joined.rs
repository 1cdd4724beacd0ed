//! Lists of the object that elements were added to. They stay of their type, so that sets and maps take in what is new to them.

use std::collections::{HashMap, HashSet};

use serde_json::{Map, Value};

use super::convert;
use super::declared::{DeclaredKind, DeclaredTypes, ListType};
use super::equal::{self, Hashed, Unhashable, element};
use super::value::{Fault, Item, Joined, Val};

impl<'v> Joined<'v> {
    /// A list of the object; `None` of all else.
    pub(super) fn of(list: &Val<'v>) -> Option<Self> {
        match list {
            Val::Items(items, list) => Some(Self {
                list: *list,
                items: items.iter().map(Item::Json).collect(),
            }),
            Val::Joined(joined) => Some((**joined).clone()),
            _ => None,
        }
    }

    /// The work of adding another list, beyond that of copying both: elements of sets and maps are looked up.
    pub(super) fn work(&self, declared: &DeclaredTypes, other: &Val<'v>) -> u64 {
        match &declared.get(self.list).kind {
            DeclaredKind::List {
                list_type: ListType::Set | ListType::Map(_),
                ..
            } => (self.items.len() as u64)
                .saturating_add(other.size())
                .saturating_mul(4),
            _ => 0,
        }
    }

    /// The list with the elements of another one: with those that are not in it yet, if it is a set; in the place of those with
    /// the same keys, if it is a map.
    ///
    /// # Errors
    ///
    /// That of an element; and a crash, where a server breaks down as it cannot look up an element.
    pub(super) fn plus(mut self, declared: &DeclaredTypes, other: &Val<'v>) -> Result<Self, Fault> {
        let mut more = Vec::new();
        while let Some(value) = element(declared, other, more.len()) {
            more.push(native(value.unwrap_or_else(|fault| fault.as_value())));
        }
        match &declared.get(self.list).kind {
            DeclaredKind::List {
                list_type: ListType::Set,
                ..
            } => self.add_to_set(more)?,
            DeclaredKind::List {
                list_type: ListType::Map(keys),
                ..
            } => self.add_to_map(keys, more)?,
            _ => self.items.extend(more),
        }
        Ok(self)
    }

    fn add_to_set(&mut self, more: Vec<Item<'v>>) -> Result<(), Fault> {
        let mut is_new = Vec::with_capacity(more.len());
        let known = self.items.iter().map(Item::hashed);
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
        self.items.extend(new.map(|(item, _)| item));
        Ok(())
    }

    fn add_to_map(&mut self, keys: &[Box<str>], more: Vec<Item<'v>>) -> Result<(), Fault> {
        let mut places = HashMap::new();
        for (at, item) in self.items.iter().enumerate() {
            if let Some(key) = item.key(keys)? {
                places.insert(key, at);
            }
        }
        for item in more {
            let at = match item.key(keys)? {
                // What is added is not compared with what else is.
                Some(key) => places.get(&key).copied().unwrap_or(self.items.len()),
                // What has no keys equals nothing.
                None => self.items.len(),
            };
            match self.items.get_mut(at) {
                Some(place) => *place = item,
                None => self.items.push(item),
            }
        }
        Ok(())
    }

    /// The element at a place, as the type of the list has it.
    pub(super) fn element(
        &self,
        declared: &DeclaredTypes,
        at: usize,
    ) -> Option<Result<Val<'v>, Fault>> {
        let ty = convert::items_of(declared, self.list);
        Some(match self.items.get(at)? {
            Item::Json(value) => convert::convert(declared, value, ty),
            Item::Made(value) => convert::adopt(declared, value, ty),
        })
    }
}

impl<'v> Item<'v> {
    /// The element as a server looks it up.
    pub(super) fn hashed(&self) -> Result<Hashed<'_>, Unhashable> {
        match self {
            Self::Json(value) => equal::hashed(value),
            Self::Made(Val::Null) => Ok(Hashed::MadeNull),
            Self::Made(value) => equal::hashed_value(value),
        }
    }

    /// The element as an object of the object.
    pub(super) const fn as_object(&self) -> Option<&'v Map<String, Value>> {
        match self {
            Self::Json(Value::Object(object)) => Some(object),
            Self::Made(Val::Object(object, _)) => Some(*object),
            _ => None,
        }
    }

    /// The keys of an element of a map, if it has them.
    fn key(&self, keys: &[Box<str>]) -> Result<Option<Vec<Hashed<'v>>>, Fault> {
        let keys = self.as_object().map(|object| equal::key_of(object, keys));
        keys.transpose()
    }
}

/// What a server keeps of a value: what is in an optional value, and the name of a type.
fn native(mut value: Val<'_>) -> Item<'_> {
    while let Val::Optional(Some(inner)) = value {
        value = (*inner).clone();
    }
    match value {
        Val::Optional(None) => Item::Json(&Value::Null),
        Val::Type(name) => Item::Made(Val::text(name)),
        value => Item::Made(value),
    }
}
