//! The parts of a document, in the order of the source.

use crate::error::{Error, Mark, too_deep};
use crate::scalar::Scalar;

/// The greatest number of values in a source.
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

/// The events of a document that is being read.
#[derive(Debug, Default)]
pub(crate) struct Events {
    pub(crate) all: Vec<Event>,
    /// The numbers of the lists and maps that are open.
    open: Vec<usize>,
    /// The number of values in the documents before.
    before: usize,
}

impl Events {
    /// Creates the events of a document after others with a number of values.
    pub(crate) fn after(before: usize) -> Self {
        Self {
            before,
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
        if self.before + at >= MAX_NODES {
            let text = format!("the file exceeds the limit of {MAX_NODES} values; split it");
            return Err(Error::new(mark, text));
        }
        if is_start {
            self.open.push(at);
        }
        if matches!(node, Node::End)
            && let Some(start) = self.open.pop()
            && let Some(Node::Map { end } | Node::List { end }) =
                self.all.get_mut(start).map(|start| &mut start.node)
        {
            *end = at;
        }
        self.all.push(Event {
            line: mark.line + 1,
            column: mark.column + 1,
            node,
        });
        Ok(at)
    }
}
