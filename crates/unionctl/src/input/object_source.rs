//! The sources of objects: the positions of their fields, and their duplicate keys.

use std::rc::Rc;

use k8s_crd_validation::DuplicateKey;
use k8s_yaml::{Document, Event, Node};
use serde_json::Value;
use union_runtime::path::{FieldPath, PathStep};

use super::source_map::Position;
use crate::error::InputError;

/// The source of a document.
#[derive(Debug)]
pub(super) struct DocumentSource {
    document: Document,
    duplicates: Vec<k8s_yaml::DuplicateKey>,
    /// The event of each element of `items`, if there are any.
    items: Vec<usize>,
}

/// The source of an object: a document, or an element of its `items`.
#[derive(Clone, Debug)]
pub(crate) struct ObjectSource {
    document: Rc<DocumentSource>,
    item: Option<usize>,
}

/// A key that an object has more than once, and its position.
#[derive(Clone, Debug)]
pub(crate) struct LocatedDuplicate {
    /// The key as an API server reports it.
    pub(crate) key: DuplicateKey,
    /// The key as it is written in messages.
    pub(crate) name: String,
    pub(crate) position: Position,
}

impl DocumentSource {
    /// Returns the value of a document, with the last value of each key, and its source.
    pub(super) fn parse(document: Document) -> Result<(Value, Self), InputError> {
        let read = document.value_and_duplicates();
        let (value, duplicates) = read.map_err(|error| InputError {
            line: error.line,
            column: error.column,
            message: error.message,
        })?;
        let mut source = Self {
            document,
            duplicates,
            items: Vec::new(),
        };
        if value.get("items").is_some_and(Value::is_array) {
            source.items = source.items();
        }
        Ok((value, source))
    }

    fn event(&self, at: usize) -> Option<&Event> {
        self.document.events().get(at)
    }

    fn items(&self) -> Vec<usize> {
        let mut elements = Vec::new();
        let Some((_, list)) = self.entry(0, "items") else {
            return elements;
        };
        let (start, end) = self.contents(list);
        let mut at = start;
        while at < end {
            elements.push(at);
            at = self.after(at);
        }
        elements
    }

    /// Returns the events of the keys and values of a map, or of the elements of a list.
    fn contents(&self, at: usize) -> (usize, usize) {
        match self.event(at).map(|event| &event.node) {
            Some(Node::Map { end } | Node::List { end }) => (at + 1, *end),
            Some(Node::Alias(target)) if *target < at => self.contents(*target),
            _ => (at, at),
        }
    }

    /// Returns the number of the event after a value.
    fn after(&self, at: usize) -> usize {
        match self.event(at).map(|event| &event.node) {
            Some(Node::Map { end } | Node::List { end }) => end.max(&at) + 1,
            _ => at + 1,
        }
    }

    /// Returns the events of the last key with this name in a map, and of its value.
    fn entry(&self, map: usize, name: &str) -> Option<(usize, usize)> {
        let (mut at, end) = self.contents(map);
        let mut found = None;
        while at < end {
            let value = at + 1;
            if let Some(Node::Scalar(key)) = self.event(at).map(|event| &event.node)
                && key.key() == name
            {
                found = Some((at, value));
            }
            at = self.after(value);
        }
        found
    }

    fn position(&self, at: usize) -> Option<Position> {
        let event = self.event(at)?;
        Some(Position {
            line: event.line,
            column: event.column,
        })
    }

    /// Returns the position of a field of the value at an event, or of the nearest value around it
    /// that has a position.
    fn find(&self, start: usize, path: &FieldPath) -> Option<Position> {
        let (mut value, mut shown) = (start, start);
        for step in path.steps() {
            let next = match step {
                PathStep::Field(name) | PathStep::Key(name) => self.entry(value, name),
                PathStep::Index(index) => {
                    let (start, end) = self.contents(value);
                    let mut elements =
                        std::iter::successors(Some(start), |at| Some(self.after(*at)));
                    let element = elements.nth(index).filter(|at| *at < end);
                    element.map(|element| (element, element))
                }
            };
            let Some(next) = next else { break };
            (shown, value) = next;
        }
        self.position(shown)
    }
}

impl ObjectSource {
    pub(super) fn new(document: &Rc<DocumentSource>, item: Option<usize>) -> Self {
        Self {
            document: Rc::clone(document),
            item,
        }
    }

    /// Returns the position of a field of the object, or of the nearest value around it.
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
            .filter_map(|found| self.located_duplicate(found))
            .collect()
    }

    fn located_duplicate(&self, found: &k8s_yaml::DuplicateKey) -> Option<LocatedDuplicate> {
        let path = found.path.iter().map(|step| match step {
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
                line: found.value_line,
                key: found.printed.clone(),
            }
        };
        Some(LocatedDuplicate {
            key,
            name,
            position: Position {
                line: found.line,
                column: found.column,
            },
        })
    }
}
