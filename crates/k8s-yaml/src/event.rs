//! The parts of a document, in the order of the source.

use crate::error::{Error, Mark, too_deep};
use crate::scalar::Scalar;

/// The greatest number of keys and values in a source.
const MAX_NODES: usize = 2_000_000;

/// The greatest number of nested lists and maps.
pub(crate) const MAX_DEPTH: usize = 128;

/// A part of a document, and its position.
#[derive(Clone, Debug)]
pub struct Event {
    /// The line, from 1.
    pub line: usize,
    /// The column in characters, from 1.
    pub column: usize,
    /// True for the key of a map.
    pub is_key: bool,
    /// The part itself.
    pub node: Node,
}

/// A part of a document.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub enum Node {
    /// The begin of a map. Its keys and values follow in turns, and then [`Node::End`].
    Map {
        /// The number of the event that ends the map; 0 if the source has an error before it.
        end: usize,
    },
    /// The begin of a list. Its elements follow, and then [`Node::End`].
    List {
        /// The number of the event that ends the list; 0 if the source has an error before it.
        end: usize,
    },
    /// The end of a list or a map.
    End,
    /// A value that is not a list or a map.
    Scalar(Scalar),
    /// An alias, with the number of the event of the value that it repeats.
    Alias(usize),
}

/// A list or a map that is being read.
#[derive(Debug)]
struct OpenContainer {
    /// The number of its first event.
    start: usize,
    /// True before a key of a map.
    expects_key: bool,
}

/// The events of a document that is being read.
#[derive(Debug, Default)]
pub(crate) struct Events {
    pub(crate) all: Vec<Event>,
    /// The lists and maps that are open.
    open: Vec<OpenContainer>,
    /// The number of keys and values, with those of the documents before.
    pub(crate) nodes: usize,
}

impl Events {
    /// Creates the events of a document after documents with a number of keys and values.
    pub(crate) fn after(nodes: usize) -> Self {
        Self {
            nodes,
            ..Self::default()
        }
    }

    /// Adds an event; returns its number.
    pub(crate) fn push(&mut self, node: Node, mark: Mark) -> Result<usize, Error> {
        let at = self.all.len();
        let is_start = matches!(node, Node::Map { .. } | Node::List { .. });
        if is_start && self.open.len() == MAX_DEPTH {
            return Err(Error::new(mark, too_deep(MAX_DEPTH)));
        }
        if !matches!(node, Node::End) {
            if self.nodes == MAX_NODES {
                let text = format!(
                    "the input exceeds the limit of {MAX_NODES} keys and values; split the input"
                );
                return Err(Error::new(mark, text));
            }
            self.nodes += 1;
        }
        let is_key = match self.open.last_mut() {
            Some(open) if !matches!(node, Node::End) => {
                let is_key = open.expects_key;
                let start = self.all.get(open.start).map(|start| &start.node);
                open.expects_key = !is_key && matches!(start, Some(Node::Map { .. }));
                is_key
            }
            _ => false,
        };
        if is_start {
            self.open.push(OpenContainer {
                start: at,
                expects_key: matches!(node, Node::Map { .. }),
            });
        }
        if matches!(node, Node::End)
            && let Some(open) = self.open.pop()
            && let Some(Node::Map { end } | Node::List { end }) =
                self.all.get_mut(open.start).map(|start| &mut start.node)
        {
            *end = at;
        }
        self.all.push(Event {
            line: mark.line + 1,
            column: mark.column + 1,
            is_key,
            node,
        });
        Ok(at)
    }
}
