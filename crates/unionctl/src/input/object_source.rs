//! The sources of objects: positions of fields, and duplicate keys. Indexes of events are indexes
//! into `Document::events`.

use std::rc::Rc;

use k8s_crd_validation::DuplicateKey;
use k8s_yaml::{Document, Event, Node};
use serde::Serialize;
use serde_json::Value;
use union_runtime::path::{FieldPath, PathStep};

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
    /// The index of the event of each element of `items`; empty if `items` is not a list.
    items: Vec<usize>,
}

/// The source of an object: of a document, or of an element of the document's `items`.
#[derive(Clone, Debug)]
pub(crate) struct ObjectSource {
    document: Rc<DocumentSource>,
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

impl DocumentSource {
    /// Parses a document, and returns its value and its source. The last value of a duplicate key
    /// is kept. A duplicate key of a `List` itself, outside its objects, is an error: objects in
    /// the dropped value would not be validated.
    pub(super) fn parse(document: Document) -> Result<(Value, Self), InputError> {
        let parsed = document.value_and_duplicates();
        let (value, duplicates) = parsed.map_err(InputError::from_reader)?;
        if document.is_json() {
            check_path_bytes(&duplicates)?;
        }
        let mut source = Self {
            document,
            duplicates,
            items: Vec::new(),
        };
        if list_items(&value).is_some() {
            source.items = source.items();
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

    fn items(&self) -> Vec<usize> {
        let mut elements = Vec::new();
        let Some((_, list)) = self.entry(0, "items") else {
            return elements;
        };
        let (start, end) = self.contents(list);
        let mut index = start;
        while index < end {
            elements.push(index);
            index = self.after(index);
        }
        elements
    }

    /// Returns the range of the events in a map or a list. An alias has the range of its anchor.
    fn contents(&self, index: usize) -> (usize, usize) {
        match self.event(index).map(|event| &event.node) {
            Some(Node::Map { end } | Node::List { end }) => (index + 1, *end),
            Some(Node::Alias(target)) if *target < index => self.contents(*target),
            _ => (index, index),
        }
    }

    /// Returns the index of the event after a value.
    fn after(&self, index: usize) -> usize {
        match self.event(index).map(|event| &event.node) {
            Some(Node::Map { end } | Node::List { end }) => end.max(&index) + 1,
            _ => index + 1,
        }
    }

    /// Returns the indexes of the key with this name in a map, and of its value. As in the value
    /// of the map, the last key wins, and `<<` adds the keys of other maps.
    fn entry(&self, map: usize, name: &str) -> Option<(usize, usize)> {
        let (mut index, end) = self.contents(map);
        let mut entry = None;
        while index < end {
            let value = index + 1;
            if let Some(Node::Scalar(key)) = self.event(index).map(|event| &event.node) {
                if key.is_merge() && !self.document.is_json() {
                    entry = self.merged_entry(value, name).or(entry);
                } else if key.key() == name {
                    entry = Some((index, value));
                }
            }
            index = self.after(value);
        }
        entry
    }

    /// Returns the entry with this name in the value of `<<`: in a map, or in the first map of a
    /// list that has the entry.
    fn merged_entry(&self, value: usize, name: &str) -> Option<(usize, usize)> {
        if !matches!(self.event(value)?.node, Node::List { .. }) {
            return self.entry(value, name);
        }
        let (mut index, end) = self.contents(value);
        while index < end {
            let entry = self.entry(index, name);
            if entry.is_some() {
                return entry;
            }
            index = self.after(index);
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

    /// Returns the position of a field. `start` is the event of the object. If the field is
    /// missing, returns the position of the deepest parent that exists.
    fn find(&self, start: usize, path: &FieldPath) -> Option<Position> {
        let (mut value, mut deepest) = (start, start);
        for step in path.steps() {
            let entry = match step {
                PathStep::Field(name) | PathStep::Key(name) => self.entry(value, name),
                PathStep::Index(index) => {
                    let (start, end) = self.contents(value);
                    let mut elements =
                        std::iter::successors(Some(start), |index| Some(self.after(*index)));
                    let element = elements.nth(index).filter(|index| *index < end);
                    element.map(|element| (element, element))
                }
            };
            let Some(entry) = entry else { break };
            (deepest, value) = entry;
        }
        self.position(deepest)
    }
}

/// Returns an error if the paths of the duplicate keys exceed the limit.
fn check_path_bytes(duplicates: &[k8s_yaml::DuplicateKey]) -> Result<(), InputError> {
    let mut bytes = 0;
    let is_over = |duplicate: &&k8s_yaml::DuplicateKey| {
        let names = duplicate.path.iter().map(|step| match step {
            k8s_yaml::PathStep::Key(name) => name.len(),
            k8s_yaml::PathStep::Index(_) => 0,
        });
        bytes += names.sum::<usize>();
        bytes > MAX_PATH_BYTES
    };
    match duplicates.iter().find(is_over) {
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

/// Returns the objects of a `List`; `None` if the value is not a `List`.
pub(super) fn list_items(value: &Value) -> Option<&Vec<Value>> {
    let is_list = value.get("kind").is_some_and(|kind| kind == "List");
    let items = value.get("items").filter(|_| is_list)?;
    items.as_array()
}

/// Returns true if a duplicate key of a `List` is inside one of its objects.
fn is_in_item(duplicate: &k8s_yaml::DuplicateKey) -> bool {
    use k8s_yaml::PathStep::{Index, Key};
    matches!(&*duplicate.path, [Key(items), Index(_), _, ..] if &**items == "items")
}

impl ObjectSource {
    pub(super) fn new(document: &Rc<DocumentSource>, item: Option<usize>) -> Self {
        Self {
            document: Rc::clone(document),
            item,
        }
    }

    /// Returns the position of a field of the object, or of its deepest parent that exists.
    pub(crate) fn position(&self, path: &FieldPath) -> Option<Position> {
        let start = match self.item {
            Some(item) => *self.document.items.get(item)?,
            None => 0,
        };
        self.document.find(start, path)
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
            let start = [PathStep::Field("items"), PathStep::Index(item)];
            path = path.strip_prefix(&start)?.to_vec();
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
