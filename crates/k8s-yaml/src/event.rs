//! The events of a document: the starts and ends of lists and maps, scalars and aliases.

use crate::error::{Error, Mark, too_deep_message};
use crate::scalar::Scalar;

/// The maximum number of keys and values in a source.
const MAX_NODES: usize = 2_000_000;

/// The maximum number of nested lists and maps.
pub(crate) const MAX_DEPTH: usize = 128;

/// An event: a part of a document, with its position.
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
    /// The start of a map. Its keys and values follow in alternation, and then [`Node::End`].
    Map {
        /// The index of the event that ends the map; 0 if the source has an error before the end.
        end: usize,
    },
    /// The start of a list. Its elements follow, and then [`Node::End`].
    List {
        /// The index of the event that ends the list; 0 if the source has an error before the end.
        end: usize,
    },
    /// The end of a list or a map.
    End,
    /// A value that is not a list or a map.
    Scalar(Scalar),
    /// An alias, with the index of the event of the value that the alias repeats.
    Alias(usize),
}

/// A list or a map whose end is not yet parsed.
#[derive(Debug)]
struct OpenContainer {
    /// The index of its first event.
    start_index: usize,
    /// True if the next event is a key of a map.
    expects_key: bool,
}

/// The events of a document that is being parsed.
#[derive(Debug, Default)]
pub(crate) struct Events {
    pub(crate) all: Vec<Event>,
    /// The lists and maps that are open.
    open: Vec<OpenContainer>,
    /// The number of keys and values in this document and in all documents before it.
    pub(crate) node_count: usize,
}

impl Events {
    /// Creates the events of a document. `node_count` is the number of keys and values in the
    /// documents before it.
    pub(crate) fn with_node_count(node_count: usize) -> Self {
        Self {
            node_count,
            ..Self::default()
        }
    }

    /// Adds an event; returns its index.
    pub(crate) fn push(&mut self, node: Node, mark: Mark) -> Result<usize, Error> {
        let index = self.all.len();
        let is_start = matches!(node, Node::Map { .. } | Node::List { .. });
        if is_start && self.open.len() == MAX_DEPTH {
            return Err(Error::new(mark, too_deep_message(MAX_DEPTH)));
        }
        if !matches!(node, Node::End) {
            if self.node_count == MAX_NODES {
                let message = format!(
                    "the input exceeds the limit of {MAX_NODES} keys and values; split the input"
                );
                return Err(Error::new(mark, message));
            }
            self.node_count += 1;
        }
        let is_key = match self.open.last_mut() {
            Some(open_container) if !matches!(node, Node::End) => {
                let is_key = open_container.expects_key;
                let container_node = self
                    .all
                    .get(open_container.start_index)
                    .map(|event| &event.node);
                open_container.expects_key =
                    !is_key && matches!(container_node, Some(Node::Map { .. }));
                is_key
            }
            _ => false,
        };
        if is_start {
            self.open.push(OpenContainer {
                start_index: index,
                expects_key: matches!(node, Node::Map { .. }),
            });
        }
        if matches!(node, Node::End)
            && let Some(open_container) = self.open.pop()
            && let Some(Node::Map { end } | Node::List { end }) = self
                .all
                .get_mut(open_container.start_index)
                .map(|event| &mut event.node)
        {
            *end = index;
        }
        self.all.push(Event {
            line: mark.line + 1,
            column: mark.column + 1,
            is_key,
            node,
        });
        Ok(index)
    }
}
