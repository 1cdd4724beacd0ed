//! The JSON value of the events of a document.

use core::fmt;
use std::borrow::Cow;
use std::collections::HashSet;

use k8s_go_text::{number::JsonFloat, quote::GoQuoted};
use serde_json::{Map, Value};

use super::duplicate_key::{DuplicateKey, PathStep};
use crate::error::{Error, too_deep_message};
use crate::event::{Event, MAX_DEPTH, Node};
use crate::scalar::{ResolvedScalar, Scalar, resolve};

/// The maximum number of bytes of strings that aliases may repeat. go-yaml has no such limit,
/// because its aliases share the strings.
const MAX_REPEATED_BYTES: usize = 64 << 20;

/// The maximum number of duplicate keys in a document. A document may be a `List` of many objects.
const MAX_DUPLICATES: usize = 10_000;

/// Returns the value of a document. A duplicate key in a map is an error.
pub(crate) fn build(events: &[Event]) -> Result<Value, Error> {
    build_with(events, None).map(|(value, _)| value)
}

/// Returns the value of a document, with the last value of each key, and the duplicate keys.
pub(crate) fn build_with_duplicates(events: &[Event]) -> Result<(Value, Vec<DuplicateKey>), Error> {
    build_with(events, Some(Vec::new()))
}

/// Returns the value of a document, and its duplicate keys. A duplicate key is an error if
/// `duplicates` is `None`.
fn build_with(
    events: &[Event],
    duplicates: Option<Vec<DuplicateKey>>,
) -> Result<(Value, Vec<DuplicateKey>), Error> {
    if events.is_empty() {
        return Ok((Value::Null, Vec::new()));
    }
    let mut builder = Builder {
        events,
        duplicates,
        aliases: Vec::new(),
        depth: 0,
        // go-yaml counts the document, too.
        value_count: 1,
        alias_value_count: 0,
        repeated_bytes: 0,
    };
    let (value, _) = builder.read_value(0)?;
    let mut duplicates = builder.duplicates.unwrap_or_default();
    for duplicate in &mut duplicates {
        // The steps were added from the last to the first.
        duplicate.path.reverse();
    }
    Ok((value, duplicates))
}

/// A builder of the JSON value of a document's events.
struct Builder<'e> {
    events: &'e [Event],
    /// The duplicate keys that were found, or `None` if a duplicate key is an error.
    duplicates: Option<Vec<DuplicateKey>>,
    /// The indices of the aliases whose values are being read.
    aliases: Vec<usize>,
    depth: usize,
    /// The number of values that were read.
    value_count: usize,
    /// The number of values that were read through aliases.
    alias_value_count: usize,
    /// The number of bytes of strings that aliases have repeated.
    repeated_bytes: usize,
}

/// A key as Go compares it: 1 and "1" are different keys, even though both become the JSON key "1".
#[derive(PartialEq, Eq, Hash)]
enum Key<'e> {
    String(Cow<'e, str>),
    Bool(bool),
    Int(i64),
    /// The bits of a float; 0.0 and -0.0 are one key.
    Float(u64),
}

/// Prints the key like Go's `%#v`.
impl fmt::Display for Key<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::String(text) => write!(f, "{}", GoQuoted(text)),
            Self::Bool(value) => write!(f, "{value}"),
            Self::Int(int) => write!(f, "{int}"),
            Self::Float(bits) => write!(f, "{}", JsonFloat(f64::from_bits(*bits))),
        }
    }
}

impl<'e> Builder<'e> {
    /// Returns the event at an index. Without such an event, returns an error at the last event.
    fn event_at(&self, index: usize) -> Result<&'e Event, Error> {
        let events = self.events;
        events.get(index).ok_or_else(|| {
            let (line, column) = events
                .last()
                .map_or((1, 1), |last| (last.line, last.column));
            Error {
                line,
                column,
                message: "invalid YAML: unexpected end".to_owned(),
            }
        })
    }

    fn error(event: &Event, message: String) -> Error {
        Error {
            line: event.line,
            column: event.column,
            message,
        }
    }

    fn invalid_error(event: &Event, message: &str) -> Error {
        let is_json = matches!(&event.node, Node::Scalar(scalar) if scalar.is_json());
        let format = if is_json { "JSON" } else { "YAML" };
        Self::error(event, format!("invalid {format}: {message}"))
    }

    /// Counts a value. Rejects a document in which aliases create too many of the values, as
    /// go-yaml does.
    fn count_value(&mut self, event: &Event) -> Result<(), Error> {
        self.value_count += 1;
        if !self.aliases.is_empty() {
            self.alias_value_count += 1;
        }
        // The limits of go-yaml.
        let is_large = self.alias_value_count > 100 && self.value_count > 1000;
        if is_large
            && ratio(self.alias_value_count, self.value_count) > allowed_ratio(self.value_count)
            || self.repeated_bytes > MAX_REPEATED_BYTES
        {
            let message = "aliases repeat too many values; write them out";
            return Err(Self::invalid_error(event, message));
        }
        Ok(())
    }

    fn enter_container(&mut self, event: &Event) -> Result<(), Error> {
        self.depth += 1;
        if self.depth > MAX_DEPTH {
            return Err(Self::error(event, too_deep_message(MAX_DEPTH)));
        }
        Ok(())
    }

    /// Returns the index of the event after a value.
    fn index_after(&self, index: usize) -> Result<usize, Error> {
        Ok(match self.event_at(index)?.node {
            Node::Map { end } | Node::List { end } => end.max(index) + 1,
            _ => index + 1,
        })
    }

    /// Reads the value at an event; returns the value and the index of the event after the value.
    fn read_value(&mut self, index: usize) -> Result<(Value, usize), Error> {
        let event = self.event_at(index)?;
        self.count_value(event)?;
        match &event.node {
            Node::Scalar(scalar) => {
                let resolved = self.resolve_scalar(event, scalar)?;
                let value = resolved.value();
                let value = value.map_err(|message| Self::invalid_error(event, &message))?;
                Ok((value, index + 1))
            }
            Node::Alias(target_index) => {
                self.enter_alias(event, index)?;
                let (value, _) = self.read_value(*target_index)?;
                self.aliases.pop();
                Ok((value, index + 1))
            }
            Node::List { .. } => {
                self.enter_container(event)?;
                let mut values = Vec::new();
                let mut next_index = index + 1;
                while !matches!(self.event_at(next_index)?.node, Node::End) {
                    let first_duplicate = self.duplicate_count();
                    let value;
                    (value, next_index) = self.read_value(next_index)?;
                    self.add_step(first_duplicate, || PathStep::Index(values.len()));
                    values.push(value);
                }
                self.depth -= 1;
                Ok((values.into(), next_index + 1))
            }
            Node::Map { .. } => {
                let mut map = Map::new();
                let next_index = self.add_entries(index, &mut map)?;
                Ok((map.into(), next_index))
            }
            Node::End => Err(Self::invalid_error(event, "expected a value")),
        }
    }

    fn enter_alias(&mut self, event: &Event, index: usize) -> Result<(), Error> {
        if self.aliases.contains(&index) {
            let message = "the value of the anchor contains its own alias; write it out";
            return Err(Self::invalid_error(event, message));
        }
        // A chain of aliases recurses like nested lists.
        if self.aliases.len() >= MAX_DEPTH {
            return Err(Self::error(event, too_deep_message(MAX_DEPTH)));
        }
        self.aliases.push(index);
        Ok(())
    }

    fn resolve_scalar(
        &mut self,
        event: &Event,
        scalar: &'e Scalar,
    ) -> Result<ResolvedScalar<'e>, Error> {
        if !self.aliases.is_empty() {
            self.repeated_bytes += scalar.text.len();
        }
        resolve(scalar).map_err(|message| Self::invalid_error(event, &message))
    }

    /// Adds the entries of the map at an event; returns the index of the event after the map.
    fn add_entries(&mut self, index: usize, map: &mut Map<String, Value>) -> Result<usize, Error> {
        self.enter_container(self.event_at(index)?)?;
        let mut keys = HashSet::new();
        let mut next_index = index + 1;
        loop {
            let event = self.event_at(next_index)?;
            match &event.node {
                Node::End => break,
                Node::Scalar(scalar) if scalar.is_merge() => {
                    next_index = self.merge_maps(next_index + 1, map)?;
                    continue;
                }
                _ => {}
            }
            let (key, json_key) = self.read_key(next_index)?;
            let printed_duplicate = match &key {
                Some(key) if keys.contains(key) => Some(key.to_string()),
                _ => None,
            };
            keys.extend(key);
            if printed_duplicate.is_some() && self.duplicates.is_none() {
                let message = format!("duplicate key {json_key:?}; remove one");
                return Err(Self::error(event, message));
            }
            let first_duplicate = self.duplicate_count();
            let value_index = next_index + 1;
            let value;
            (value, next_index) = self.read_value(value_index)?;
            // As in go-yaml, the duplicates in the value come first.
            if let Some(printed_duplicate) = printed_duplicate {
                self.add_duplicate(event, value_index, printed_duplicate)?;
            }
            self.add_step(first_duplicate, || PathStep::Key((&*json_key).into()));
            map.insert(json_key.into_owned(), value);
        }
        self.depth -= 1;
        Ok(next_index + 1)
    }

    fn duplicate_count(&self) -> usize {
        self.duplicates.as_ref().map_or(0, Vec::len)
    }

    /// Adds a duplicate key. `value_index` is the index of the event where the value begins.
    fn add_duplicate(
        &mut self,
        key: &Event,
        value_index: usize,
        printed: String,
    ) -> Result<(), Error> {
        let value_line = self.event_at(value_index)?.line;
        let duplicates = self.duplicates.get_or_insert_default();
        if duplicates.len() == MAX_DUPLICATES {
            let message = format!("more than {MAX_DUPLICATES} duplicate keys; remove them");
            return Err(Self::error(key, message));
        }
        duplicates.push(DuplicateKey {
            line: key.line,
            column: key.column,
            value_line,
            printed,
            path: Vec::new(),
        });
        Ok(())
    }

    /// Adds a step to the paths of the duplicate keys from index `first_duplicate` on.
    fn add_step(&mut self, first_duplicate: usize, step: impl FnOnce() -> PathStep) {
        let mut duplicates = self
            .duplicates
            .iter_mut()
            .flatten()
            .skip(first_duplicate)
            .peekable();
        if duplicates.peek().is_none() {
            return;
        }
        let step = step();
        for duplicate in duplicates {
            duplicate.path.push(step.clone());
        }
    }

    /// Reads a key; returns the key as Go compares it, and the key in JSON. The former is `None`
    /// for NaN, which does not equal any key.
    fn read_key(&mut self, index: usize) -> Result<(Option<Key<'e>>, Cow<'e, str>), Error> {
        let event = self.event_at(index)?;
        self.count_value(event)?;
        let mut target_event = event;
        if let Node::Alias(target_index) = event.node {
            self.enter_alias(event, index)?;
            target_event = self.event_at(target_index)?;
            self.count_value(target_event)?;
        }
        let Node::Scalar(scalar) = &target_event.node else {
            let message = "a list or a map is not supported as a key; use a string";
            return Err(Self::invalid_error(event, message));
        };
        let resolved = self.resolve_scalar(event, scalar)?;
        if matches!(event.node, Node::Alias(_)) {
            self.aliases.pop();
        }
        let key = match &resolved {
            ResolvedScalar::String(text) => Some(Key::String(text.clone())),
            ResolvedScalar::Bool(value) => Some(Key::Bool(*value)),
            ResolvedScalar::Int(int) => Some(Key::Int(*int)),
            ResolvedScalar::Float(float) if float.is_nan() => None,
            ResolvedScalar::Float(float) => Some(Key::Float((float + 0.0).to_bits())),
            _ => None,
        };
        let json_key = resolved.key();
        let json_key = json_key.map_err(|message| Self::invalid_error(event, &message))?;
        Ok((key, json_key))
    }

    /// Adds the maps of `<<` to a map; returns the index of the event after them. As in go-yaml,
    /// their entries replace earlier entries, and later entries replace theirs.
    fn merge_maps(&mut self, index: usize, map: &mut Map<String, Value>) -> Result<usize, Error> {
        let event = self.event_at(index)?;
        if !matches!(event.node, Node::List { .. }) {
            self.merge_map(index, map)?;
            return self.index_after(index);
        }
        let mut source_indices = Vec::new();
        let mut next_index = index + 1;
        while !matches!(self.event_at(next_index)?.node, Node::End) {
            source_indices.push(next_index);
            next_index = self.index_after(next_index)?;
        }
        // The first map has precedence, so it is added last.
        for source_index in source_indices.into_iter().rev() {
            self.merge_map(source_index, map)?;
        }
        Ok(next_index + 1)
    }

    fn merge_map(&mut self, index: usize, map: &mut Map<String, Value>) -> Result<(), Error> {
        let event = self.event_at(index)?;
        let mut source_index = index;
        if let Node::Alias(target_index) = event.node {
            source_index = target_index;
        }
        let target_event = self.event_at(source_index)?;
        if !matches!(target_event.node, Node::Map { .. }) {
            let message = "`<<` merges a map or a list of maps only; quote the key";
            return Err(Self::invalid_error(event, message));
        }
        self.count_value(event)?;
        if source_index == index {
            self.add_entries(source_index, map)?;
        } else {
            self.enter_alias(event, index)?;
            self.count_value(target_event)?;
            self.add_entries(source_index, map)?;
            self.aliases.pop();
        }
        Ok(())
    }
}

#[expect(clippy::cast_precision_loss, reason = "the counts are far below 2^52")]
fn ratio(part: usize, whole: usize) -> f64 {
    part as f64 / whole as f64
}

/// Returns the ratio of values that aliases may create, as go-yaml allows: 99 % up to 400,000
/// values, falling to 10 % at 4,000,000 values.
fn allowed_ratio(value_count: usize) -> f64 {
    const LOW: usize = 400_000;
    const HIGH: usize = 4_000_000;
    match value_count {
        ..=LOW => 0.99,
        HIGH.. => 0.10,
        _ => 0.99 - 0.89 * ratio(value_count - LOW, HIGH - LOW),
    }
}
