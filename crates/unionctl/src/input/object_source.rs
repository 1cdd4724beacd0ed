//! The sources of objects: positions of fields, and duplicate keys.
//!
//! A key or a value is identified by the index of its event in `Document::events`.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use k8s_crd_validation::DuplicateKey;
use k8s_yaml::{Document, Event, Node};
use serde::Serialize;
use serde_json::Value;
use union_runtime::path::{FieldPath, PathStep};

use super::list::list_items;
use super::source_map::Position;
use crate::error::InputError;

/// The maximum number of bytes in the paths of the duplicate keys of a JSON document. A path
/// repeats the names of all its parents, so a small document can have paths of many gigabytes.
const MAX_PATH_BYTES: usize = 16 << 20;

/// The source of a document.
#[derive(Debug)]
pub(super) struct DocumentSource {
    document: Document,
    duplicates: Vec<k8s_yaml::DuplicateKey>,
    /// The events of the elements of `items`; empty if the document is not a list.
    item_events: Vec<usize>,
    /// The entries of maps and the elements of lists in which a field was searched, by the index of
    /// the first event inside. An object with many errors would be searched for each error.
    maps: Mutex<HashMap<usize, MapTable>>,
    lists: Mutex<HashMap<usize, Vec<usize>>>,
}

/// The entries of a map by their names; `None` if the map has the entries of other maps.
type MapTable = Option<HashMap<String, MapEntry>>;

/// The source of an object, which is a document or an element of `items` in a document.
#[derive(Clone, Debug)]
pub(crate) struct ObjectSource {
    document: Arc<DocumentSource>,
    /// The index of the object in `items`; `None` if the object is the document.
    item: Option<usize>,
}

/// A duplicate key, and its position.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct LocatedDuplicate {
    /// The key as an API server reports it.
    #[serde(skip)]
    pub(crate) key: DuplicateKey,
    /// The key in messages.
    #[serde(rename = "key")]
    pub(crate) name: String,
    #[serde(flatten)]
    pub(crate) position: Position,
}

/// The events of a key and of its value.
#[derive(Clone, Copy, Debug)]
struct MapEntry {
    key: usize,
    value: usize,
}

impl DocumentSource {
    /// Parses a document, and returns its value and its source. The value has the last value of a
    /// duplicate key. A duplicate key of a list itself, outside its objects, is an error, because
    /// objects in the first value would not be validated.
    pub(super) fn parse(document: Document) -> Result<(Value, Self), InputError> {
        let (value, duplicates) = document
            .value_and_duplicates()
            .map_err(InputError::from_reader)?;
        if document.is_json() {
            check_path_bytes(&duplicates)?;
        }
        let mut source = Self {
            document,
            duplicates,
            item_events: Vec::new(),
            maps: Mutex::default(),
            lists: Mutex::default(),
        };
        if list_items(&value).is_some() {
            source.item_events = source.find_item_events();
            let mut duplicates = source.duplicates.iter();
            if let Some(duplicate) = duplicates.find(|duplicate| !is_in_item(duplicate)) {
                return Err(InputError {
                    line: duplicate.line,
                    column: duplicate.column,
                    message: format!("duplicate key {}; remove one", duplicate.printed),
                });
            }
        }
        Ok((value, source))
    }

    fn event(&self, index: usize) -> Option<&Event> {
        self.document.events().get(index)
    }

    /// Returns the events of the elements of `items`.
    fn find_item_events(&self) -> Vec<usize> {
        let items = self.entry(0, "items");
        let contents = items.map(|items| self.contents(items.value));
        contents.map_or_else(Vec::new, |contents| self.element_events(contents))
    }

    /// Returns the events of the elements of a list with these contents.
    fn element_events(&self, (mut index, end): (usize, usize)) -> Vec<usize> {
        let mut element_events = Vec::new();
        while index < end {
            element_events.push(index);
            index = self.index_after(index);
        }
        element_events
    }

    /// Returns the event of an element of a list.
    fn element(&self, list: usize, element_index: usize) -> Option<usize> {
        let contents = self.contents(list);
        if contents.0 >= contents.1 {
            return None;
        }
        let mut lists = lock(&self.lists);
        let elements = lists
            .entry(contents.0)
            .or_insert_with(|| self.element_events(contents));
        elements.get(element_index).copied()
    }

    /// Returns the start and the end of the events in a map or a list. An alias has the events of
    /// its anchor.
    fn contents(&self, index: usize) -> (usize, usize) {
        match self.event(index).map(|event| &event.node) {
            Some(Node::Map { end } | Node::List { end }) => (index + 1, *end),
            Some(Node::Alias(target)) if *target < index => self.contents(*target),
            _ => (index, index),
        }
    }

    /// Returns the index of the event after a value.
    fn index_after(&self, index: usize) -> usize {
        match self.event(index).map(|event| &event.node) {
            Some(Node::Map { end } | Node::List { end }) => end.max(&index) + 1,
            _ => index + 1,
        }
    }

    /// Returns the entry with this name in a map. The last entry with the name wins, and `<<` adds
    /// the entries of other maps.
    fn entry(&self, map: usize, name: &str) -> Option<MapEntry> {
        let (start, end) = self.contents(map);
        if start >= end {
            return None;
        }
        let mut maps = lock(&self.maps);
        let table = maps
            .entry(start)
            .or_insert_with(|| self.map_table(start, end));
        if let Some(table) = table {
            return table.get(name).copied();
        }
        drop(maps);
        self.search_entry(start, end, name)
    }

    /// Returns the entries between two events of a map.
    fn map_table(&self, mut key: usize, end: usize) -> MapTable {
        let mut table = HashMap::new();
        while key < end {
            let value = key + 1;
            if let Some(Node::Scalar(scalar)) = self.event(key).map(|event| &event.node) {
                if scalar.is_merge() && !self.document.is_json() {
                    return None;
                }
                table.insert(scalar.key().to_string(), MapEntry { key, value });
            }
            key = self.index_after(value);
        }
        Some(table)
    }

    /// Searches an entry between two events of a map.
    fn search_entry(&self, mut key: usize, end: usize, name: &str) -> Option<MapEntry> {
        let mut entry = None;
        while key < end {
            let value = key + 1;
            if let Some(Node::Scalar(scalar)) = self.event(key).map(|event| &event.node) {
                if scalar.is_merge() && !self.document.is_json() {
                    entry = self.merged_entry(value, name).or(entry);
                } else if scalar.key() == name {
                    entry = Some(MapEntry { key, value });
                }
            }
            key = self.index_after(value);
        }
        entry
    }

    /// Returns the entry with this name in the value of `<<`: in a map, or in the first map of a
    /// list that has the entry.
    fn merged_entry(&self, value: usize, name: &str) -> Option<MapEntry> {
        if !matches!(self.event(value)?.node, Node::List { .. }) {
            return self.entry(value, name);
        }
        let (mut index, end) = self.contents(value);
        while index < end {
            let entry = self.entry(index, name);
            if entry.is_some() {
                return entry;
            }
            index = self.index_after(index);
        }
        None
    }

    fn position(&self, index: usize) -> Option<Position> {
        let event = self.event(index)?;
        Some(Position {
            line: event.line,
            column: event.column,
        })
    }

    /// Returns the position of a field. If the field is missing, returns the position of the
    /// deepest parent that exists.
    fn find(&self, object: usize, path: &FieldPath) -> Option<Position> {
        self.position(self.find_entry(object, path).0.key)
    }

    /// Returns the string and the position of a value without quotes.
    fn unquoted(&self, index: usize) -> Option<(&str, Position)> {
        match &self.event(index)?.node {
            Node::Scalar(scalar) if !self.document.is_json() => {
                Some((scalar.unquoted_text()?, self.position(index)?))
            }
            Node::Alias(target) if *target < index => self.unquoted(*target),
            _ => None,
        }
    }

    /// Returns the entry of a field, and true. If the field is missing, returns the entry of the
    /// deepest parent that exists, and false.
    fn find_entry(&self, object: usize, path: &FieldPath) -> (MapEntry, bool) {
        // The position of a field is the position of its key, and the position of an element is
        // the position of its value.
        let mut entry = MapEntry {
            key: object,
            value: object,
        };
        for step in path.steps() {
            let child = match step {
                PathStep::Field(name) | PathStep::Key(name) => self.entry(entry.value, name),
                PathStep::Index(element_index) => {
                    let element = self.element(entry.value, element_index);
                    element.map(|element| MapEntry {
                        key: element,
                        value: element,
                    })
                }
            };
            let Some(child) = child else {
                return (entry, false);
            };
            entry = child;
        }
        (entry, true)
    }
}

/// Locks a table, whose entries are complete even if a thread panicked while it had the lock.
fn lock<T>(table: &Mutex<T>) -> MutexGuard<'_, T> {
    table.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Returns an error if the paths of the duplicate keys exceed the limit.
fn check_path_bytes(duplicates: &[k8s_yaml::DuplicateKey]) -> Result<(), InputError> {
    let mut total_bytes = 0;
    let exceeds_limit = |duplicate: &&k8s_yaml::DuplicateKey| {
        let name_lengths = duplicate.path.iter().map(|step| match step {
            k8s_yaml::PathStep::Key(name) => name.len(),
            k8s_yaml::PathStep::Index(_) => 0,
        });
        total_bytes += name_lengths.sum::<usize>();
        total_bytes > MAX_PATH_BYTES
    };
    match duplicates.iter().find(exceeds_limit) {
        None => Ok(()),
        Some(duplicate) => Err(InputError {
            line: duplicate.line,
            column: duplicate.column,
            message: format!(
                "the paths of the duplicate keys exceed {} MiB; remove the duplicate keys",
                MAX_PATH_BYTES >> 20
            ),
        }),
    }
}

/// Returns true if a duplicate key of a list is inside one of its objects.
fn is_in_item(duplicate: &k8s_yaml::DuplicateKey) -> bool {
    use k8s_yaml::PathStep::{Index, Key};
    matches!(&*duplicate.path, [Key(items), Index(_), _, ..] if &**items == "items")
}

impl ObjectSource {
    pub(super) fn new(document: &Arc<DocumentSource>, item: Option<usize>) -> Self {
        Self {
            document: Arc::clone(document),
            item,
        }
    }

    /// Returns the position of a field of the object, or of its deepest parent that exists.
    pub(crate) fn position(&self, path: &FieldPath) -> Option<Position> {
        self.document.find(self.object_event()?, path)
    }

    /// Returns the string and the position of a YAML value that has no quotes.
    pub(crate) fn unquoted_value(&self, path: &FieldPath) -> Option<(&str, Position)> {
        let (entry, is_found) = self.document.find_entry(self.object_event()?, path);
        self.document.unquoted(entry.value).filter(|_| is_found)
    }

    /// Returns the string of a YAML key that has no quotes.
    pub(crate) fn unquoted_key(&self, path: &FieldPath) -> Option<&str> {
        let (entry, is_found) = self.document.find_entry(self.object_event()?, path);
        let (text, _) = self.document.unquoted(entry.key).filter(|_| is_found)?;
        Some(text)
    }

    /// Returns the index of the event with which the object starts.
    fn object_event(&self) -> Option<usize> {
        match self.item {
            Some(item) => self.document.item_events.get(item).copied(),
            None => Some(0),
        }
    }

    /// Returns the duplicate keys of the object.
    pub(crate) fn duplicates(&self) -> Vec<LocatedDuplicate> {
        let duplicates = self.document.duplicates.iter();
        duplicates
            .filter_map(|duplicate| self.located_duplicate(duplicate))
            .collect()
    }

    fn located_duplicate(&self, duplicate: &k8s_yaml::DuplicateKey) -> Option<LocatedDuplicate> {
        let path = duplicate.path.iter().map(|step| match step {
            k8s_yaml::PathStep::Key(name) => PathStep::Field(name),
            k8s_yaml::PathStep::Index(index) => PathStep::Index(*index),
        });
        let mut path = path.collect::<Vec<_>>();
        if let Some(item) = self.item {
            let item_path = [PathStep::Field("items"), PathStep::Index(item)];
            path = path.strip_prefix(&item_path)?.to_vec();
        }
        let name = path.last()?.name()?.to_owned();
        let key = if self.document.document.is_json() {
            DuplicateKey::Json(path.into_iter().collect())
        } else {
            DuplicateKey::Yaml {
                line: duplicate.value_line - self.document.document.lines_before(),
                key: duplicate.printed.clone(),
            }
        };
        Some(LocatedDuplicate {
            key,
            name,
            position: Position {
                line: duplicate.line,
                column: duplicate.column,
            },
        })
    }
}
