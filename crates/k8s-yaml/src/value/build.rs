//! The JSON value of the events of a document.

use core::fmt;
use std::borrow::Cow;
use std::collections::HashSet;

use k8s_go_text::{number::JsonFloat, quote::GoQuoted};
use serde_json::{Map, Value};

use super::duplicate_key::{DuplicateKey, PathStep};
use crate::error::{Error, too_deep};
use crate::event::{Event, MAX_DEPTH, Node};
use crate::scalar::{ResolvedScalar, Scalar, resolve};

/// The greatest number of bytes of strings that aliases may repeat. go-yaml shares them instead.
const MAX_REPEATED_BYTES: usize = 64 << 20;

/// The greatest number of duplicate keys in a document. A `List` has the duplicate keys of all of
/// its objects.
const MAX_DUPLICATES: usize = 10_000;

/// Returns the value of a document. A key that is written twice in a map is an error.
pub(crate) fn build(events: &[Event]) -> Result<Value, Error> {
    build_with(events, None).map(|(value, _)| value)
}

/// Returns the value of a document, with the last value of each key, and the keys that are written
/// more than once.
pub(crate) fn build_with_duplicates(events: &[Event]) -> Result<(Value, Vec<DuplicateKey>), Error> {
    build_with(events, Some(Vec::new()))
}

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
        read: 1,
        read_by_alias: 0,
        repeated: 0,
    };
    let (value, _) = builder.value(0)?;
    let mut duplicates = builder.duplicates.unwrap_or_default();
    for duplicate in &mut duplicates {
        // The steps were added from the last to the first.
        duplicate.path.reverse();
    }
    Ok((value, duplicates))
}

struct Builder<'e> {
    events: &'e [Event],
    /// The duplicate keys that were found, or `None` if a duplicate key is an error.
    duplicates: Option<Vec<DuplicateKey>>,
    /// The aliases whose values are being read.
    aliases: Vec<usize>,
    depth: usize,
    read: usize,
    read_by_alias: usize,
    /// The number of bytes of strings that aliases have repeated.
    repeated: usize,
}

/// A key as Go compares it: 1 and "1" are two keys, and the last one is sent.
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
    /// Returns an event, and an error at it.
    fn event(&self, at: usize) -> Result<&'e Event, Error> {
        let events = self.events;
        events.get(at).ok_or_else(|| {
            let last = events
                .last()
                .map_or((1, 1), |last| (last.line, last.column));
            Error {
                line: last.0,
                column: last.1,
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

    fn invalid(event: &Event, text: &str) -> Error {
        let is_json = matches!(&event.node, Node::Scalar(scalar) if scalar.is_json());
        let format = if is_json { "JSON" } else { "YAML" };
        Self::error(event, format!("invalid {format}: {text}"))
    }

    /// Counts a value, and rejects a document most of which is made by aliases, as go-yaml does.
    fn count(&mut self, event: &Event) -> Result<(), Error> {
        self.read += 1;
        if !self.aliases.is_empty() {
            self.read_by_alias += 1;
        }
        let is_large = self.read_by_alias > 100 && self.read > 1000;
        if is_large && ratio(self.read_by_alias, self.read) > allowed_ratio(self.read)
            || self.repeated > MAX_REPEATED_BYTES
        {
            let text = "aliases repeat too many values; write them out";
            return Err(Self::invalid(event, text));
        }
        Ok(())
    }

    fn enter(&mut self, event: &Event) -> Result<(), Error> {
        self.depth += 1;
        if self.depth > MAX_DEPTH {
            return Err(Self::error(event, too_deep(MAX_DEPTH)));
        }
        Ok(())
    }

    /// Returns the number of the event after a value.
    fn after(&self, at: usize) -> Result<usize, Error> {
        Ok(match self.event(at)?.node {
            Node::Map { end } | Node::List { end } => end.max(at) + 1,
            _ => at + 1,
        })
    }

    /// Reads the value at an event; returns the number of the event after it.
    fn value(&mut self, at: usize) -> Result<(Value, usize), Error> {
        let event = self.event(at)?;
        self.count(event)?;
        match &event.node {
            Node::Scalar(scalar) => {
                let resolved = self.resolve(event, scalar)?;
                let value = resolved.value();
                let value = value.map_err(|text| Self::invalid(event, &text))?;
                Ok((value, at + 1))
            }
            Node::Alias(target) => {
                self.enter_alias(event, at)?;
                let (value, _) = self.value(*target)?;
                self.aliases.pop();
                Ok((value, at + 1))
            }
            Node::List { .. } => {
                self.enter(event)?;
                let mut values = Vec::new();
                let mut next = at + 1;
                while !matches!(self.event(next)?.node, Node::End) {
                    let found = self.duplicate_count();
                    let value;
                    (value, next) = self.value(next)?;
                    self.add_step(found, || PathStep::Index(values.len()));
                    values.push(value);
                }
                self.depth -= 1;
                Ok((values.into(), next + 1))
            }
            Node::Map { .. } => {
                let mut map = Map::new();
                let next = self.fill(at, &mut map)?;
                Ok((map.into(), next))
            }
            Node::End => Err(Self::invalid(event, "expected a value")),
        }
    }

    fn enter_alias(&mut self, event: &Event, at: usize) -> Result<(), Error> {
        if self.aliases.contains(&at) {
            let text = "the value of the anchor contains its own alias; write it out";
            return Err(Self::invalid(event, text));
        }
        // Aliases of aliases are as deep as lists.
        if self.aliases.len() >= MAX_DEPTH {
            return Err(Self::error(event, too_deep(MAX_DEPTH)));
        }
        self.aliases.push(at);
        Ok(())
    }

    fn resolve(&mut self, event: &Event, scalar: &'e Scalar) -> Result<ResolvedScalar<'e>, Error> {
        if !self.aliases.is_empty() {
            self.repeated += scalar.text.len();
        }
        resolve(scalar).map_err(|text| Self::invalid(event, &text))
    }

    /// Adds the entries of the map at an event; returns the number of the event after the map.
    fn fill(&mut self, at: usize, map: &mut Map<String, Value>) -> Result<usize, Error> {
        self.enter(self.event(at)?)?;
        let mut keys = HashSet::new();
        let mut next = at + 1;
        loop {
            let event = self.event(next)?;
            match &event.node {
                Node::End => break,
                Node::Scalar(scalar) if scalar.is_merge() => {
                    next = self.merge(next + 1, map)?;
                    continue;
                }
                _ => {}
            }
            let (key, as_sent) = self.key(next)?;
            let printed = match &key {
                Some(key) if keys.contains(key) => Some(key.to_string()),
                _ => None,
            };
            keys.extend(key);
            if printed.is_some() && self.duplicates.is_none() {
                let text = format!("duplicate key {as_sent:?}; remove one");
                return Err(Self::error(event, text));
            }
            let found = self.duplicate_count();
            let at = next + 1;
            let value;
            (value, next) = self.value(at)?;
            // As in go-yaml, the duplicates in the value come first.
            if let Some(printed) = printed {
                self.add_duplicate(event, at, printed)?;
            }
            self.add_step(found, || PathStep::Key((&*as_sent).into()));
            map.insert(as_sent.into_owned(), value);
        }
        self.depth -= 1;
        Ok(next + 1)
    }

    fn duplicate_count(&self) -> usize {
        self.duplicates.as_ref().map_or(0, Vec::len)
    }

    /// Adds a duplicate key. `value` is the index of the event where the value begins.
    fn add_duplicate(&mut self, key: &Event, value: usize, printed: String) -> Result<(), Error> {
        let value_line = self.event(value)?.line;
        let duplicates = self.duplicates.get_or_insert_default();
        if duplicates.len() == MAX_DUPLICATES {
            let text = format!("more than {MAX_DUPLICATES} duplicate keys; remove them");
            return Err(Self::error(key, text));
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

    /// Adds a step to the paths of the duplicate keys in a value: the keys from index `found` on.
    fn add_step(&mut self, found: usize, step: impl FnOnce() -> PathStep) {
        let mut duplicates = self.duplicates.iter_mut().flatten().skip(found).peekable();
        if duplicates.peek().is_none() {
            return;
        }
        let step = step();
        for duplicate in duplicates {
            duplicate.path.push(step.clone());
        }
    }

    /// Reads a key: as Go compares it, unless it equals no key, and as it is sent.
    fn key(&mut self, at: usize) -> Result<(Option<Key<'e>>, Cow<'e, str>), Error> {
        let event = self.event(at)?;
        self.count(event)?;
        let mut found = event;
        if let Node::Alias(target) = event.node {
            self.enter_alias(event, at)?;
            found = self.event(target)?;
            self.count(found)?;
        }
        let Node::Scalar(scalar) = &found.node else {
            let text = "a list or a map is not supported as a key; use a string";
            return Err(Self::invalid(event, text));
        };
        let resolved = self.resolve(event, scalar)?;
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
        let as_sent = resolved.key();
        let as_sent = as_sent.map_err(|text| Self::invalid(event, &text))?;
        Ok((key, as_sent))
    }

    /// Adds the maps of `<<` to a map; returns the number of the event after them. As in go-yaml,
    /// they win over the keys before, and lose against the keys after.
    fn merge(&mut self, at: usize, map: &mut Map<String, Value>) -> Result<usize, Error> {
        let event = self.event(at)?;
        if !matches!(event.node, Node::List { .. }) {
            self.merge_one(at, map)?;
            return self.after(at);
        }
        let mut sources = Vec::new();
        let mut next = at + 1;
        while !matches!(self.event(next)?.node, Node::End) {
            sources.push(next);
            next = self.after(next)?;
        }
        // Of several maps, the first one wins.
        for source in sources.into_iter().rev() {
            self.merge_one(source, map)?;
        }
        Ok(next + 1)
    }

    fn merge_one(&mut self, at: usize, map: &mut Map<String, Value>) -> Result<(), Error> {
        let event = self.event(at)?;
        let mut source = at;
        if let Node::Alias(target) = event.node {
            source = target;
        }
        let found = self.event(source)?;
        if !matches!(found.node, Node::Map { .. }) {
            let text = "`<<` merges a map or a list of maps only; quote the key";
            return Err(Self::invalid(event, text));
        }
        self.count(event)?;
        if source == at {
            self.fill(source, map)?;
        } else {
            self.enter_alias(event, at)?;
            self.count(found)?;
            self.fill(source, map)?;
            self.aliases.pop();
        }
        Ok(())
    }
}

#[expect(clippy::cast_precision_loss, reason = "the counts are far below 2^52")]
fn ratio(part: usize, all: usize) -> f64 {
    part as f64 / all as f64
}

/// Returns the part of all values that aliases may make, as go-yaml allows it: 99 % of 400,000
/// values, falling to 10 % of 4,000,000.
fn allowed_ratio(read: usize) -> f64 {
    const FEW: usize = 400_000;
    const MANY: usize = 4_000_000;
    match read {
        ..=FEW => 0.99,
        MANY.. => 0.10,
        _ => 0.99 - 0.89 * ratio(read - FEW, MANY - FEW),
    }
}
