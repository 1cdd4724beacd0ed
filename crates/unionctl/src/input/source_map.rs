//! Finds the positions of JSON pointers in a source.

use std::collections::HashMap;
use std::fmt::Write as _;

use k8s_yaml::{Documents, Event, Node};
use serde::Serialize;
use union_json::pointer::unescape;

/// A position in a source. Lines and columns count from 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub(crate) struct Position {
    pub(crate) line: usize,
    pub(crate) column: usize,
}

/// A tree of the requested JSON pointers, with the positions that were found.
#[derive(Debug, Default)]
pub(crate) struct SourceMap {
    /// The indexes of the root nodes, by the index of their document.
    roots: HashMap<usize, usize>,
    nodes: Vec<TreeNode>,
}

/// A requested value, or a parent of a requested value.
#[derive(Debug, Default)]
struct TreeNode {
    /// The indexes of the child nodes, by key or by list index.
    children: HashMap<String, usize>,
    position: Option<Position>,
}

impl SourceMap {
    /// Finds the positions of JSON pointers and of their parents. A pointer has the index of its
    /// document; null documents are not counted. If the source has a syntax error, only positions
    /// in front of the error are found.
    pub(crate) fn build<'p>(
        text: &str,
        requested: impl IntoIterator<Item = (usize, &'p str)>,
    ) -> Self {
        let mut map = Self::default();
        for (document, pointer) in requested {
            map.add(document, pointer);
        }
        let documents = Documents::new(text).filter(|document| !document.is_null());
        for (number, document) in documents.enumerate() {
            let root = map.roots.get(&number).copied();
            let mut search = PositionSearch::new(&mut map.nodes, root);
            for event in document.events() {
                search.step(event);
            }
        }
        map
    }

    /// Adds a JSON pointer to the tree.
    fn add(&mut self, document: usize, pointer: &str) {
        let root = self.roots.entry(document);
        let mut node = *root.or_insert_with(|| add_node(&mut self.nodes));
        for token in pointer.split('/').skip(1) {
            let name = unescape(token);
            let child = self.child(node, &name);
            node = child.unwrap_or_else(|| {
                let child = add_node(&mut self.nodes);
                let parent = &mut self.nodes[node];
                parent.children.insert(name.into_owned(), child);
                child
            });
        }
    }

    fn child(&self, node: usize, name: &str) -> Option<usize> {
        self.nodes[node].children.get(name).copied()
    }

    /// Returns the position of a JSON pointer, or of its nearest parent that has a position.
    pub(crate) fn nearest(&self, document: usize, pointer: &str) -> Option<Position> {
        let mut node = *self.roots.get(&document)?;
        let mut nearest = self.nodes[node].position;
        for token in pointer.split('/').skip(1) {
            let Some(child) = self.child(node, &unescape(token)) else {
                break;
            };
            node = child;
            nearest = self.nodes[node].position.or(nearest);
        }
        nearest
    }
}

fn add_node(nodes: &mut Vec<TreeNode>) -> usize {
    nodes.push(TreeNode::default());
    nodes.len() - 1
}

/// A walk over the events of a document, which sets the positions of the nodes.
struct PositionSearch<'m> {
    nodes: &'m mut [TreeNode],
    root: Option<usize>,
    open: Vec<OpenContainer>,
    /// A buffer for list indexes, which are strings in the tree.
    index: String,
}

/// A list or a map whose end has not been read.
struct OpenContainer {
    /// The node of the list or the map, if the tree contains it.
    node: Option<usize>,
    is_list: bool,
    /// The number of elements that have been read.
    length: usize,
    /// The position of the last key, and the node of its value.
    entry: Option<(Position, Option<usize>)>,
}

impl<'m> PositionSearch<'m> {
    fn new(nodes: &'m mut [TreeNode], root: Option<usize>) -> Self {
        Self {
            nodes,
            root,
            open: Vec::new(),
            index: String::new(),
        }
    }

    /// Processes an event of the document.
    fn step(&mut self, event: &Event) {
        let node = match &event.node {
            Node::End => {
                self.open.pop();
                return;
            }
            _ if event.is_key => self.key(event),
            _ => self.value(event),
        };
        if let Node::Map { .. } | Node::List { .. } = &event.node {
            self.open.push(OpenContainer {
                node,
                is_list: matches!(event.node, Node::List { .. }),
                length: 0,
                entry: None,
            });
        }
    }

    /// Processes a key. Keys that are lists, maps or aliases have no node.
    fn key(&mut self, event: &Event) -> Option<usize> {
        let open = self.open.last_mut()?;
        let children = open.node.map(|node| &self.nodes[node].children);
        let children = children.filter(|children| !children.is_empty());
        let child = match &event.node {
            Node::Scalar(scalar) => {
                children.and_then(|children| children.get(&*scalar.key()).copied())
            }
            _ => None,
        };
        open.entry = Some((position(event), child));
        None
    }

    /// Processes a value, and returns its node. The position of an entry is the position of its
    /// key.
    fn value(&mut self, event: &Event) -> Option<usize> {
        let mut position = position(event);
        let node = match self.open.last_mut() {
            None => self.root,
            Some(open) if open.is_list => {
                let index = open.length;
                open.length += 1;
                let children = &self.nodes[open.node?].children;
                if children.is_empty() {
                    return None;
                }
                self.index.clear();
                // Writing to a String cannot fail.
                let _ = write!(self.index, "{index}");
                children.get(&self.index).copied()
            }
            Some(open) => {
                let (key, child) = open.entry.take()?;
                position = key;
                child
            }
        }?;
        self.nodes[node].position.get_or_insert(position);
        Some(node)
    }
}

const fn position(event: &Event) -> Position {
    Position {
        line: event.line,
        column: event.column,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(text: &str, requested: &[(usize, &str)]) -> Vec<Option<(usize, usize)>> {
        let positions = SourceMap::build(text, requested.iter().copied());
        requested
            .iter()
            .map(|(document, pointer)| {
                let position = positions.nearest(*document, pointer)?;
                Some((position.line, position.column))
            })
            .collect()
    }

    #[test]
    fn yaml_of_several_documents() {
        let text = "# first\na:\n  - b: 1\n    c/d: [x, {e: 2}]\n---\n---\nnull\n--- # third\na:\n- 1\n- z: |\n    a: b\n";
        let requested = [
            (0, "/a/0/b"),
            (0, "/a/0/c~1d/1/e"),
            (0, "/a/0"),
            (1, "/a/1/z"),
            (1, "/a/1/z/a"),
            (2, "/a"),
        ];
        let lines = [
            Some((3, 5)),
            Some((4, 15)),
            Some((3, 5)),
            Some((11, 3)),
            Some((11, 3)),
            None,
        ];
        assert_eq!(found(text, &requested), lines);
    }

    #[test]
    fn keys_are_found_by_their_json_names() {
        let text = "on: 1\n~1: a\n? [x, {y: 1}]\n: {z: 1}\nx: &x k\n*x : {w: 1}\n\"\": 2\n\
                    a: {b: 1}\na: {b: 2, c: 3}\n";
        let root = Some((1, 1));
        for (pointer, position) in [
            ("/true", root),
            ("/~01", Some((2, 1))),
            // Keys that are lists or aliases have no JSON pointers, and neither have their values.
            ("/y", root),
            ("/z", root),
            ("/w", root),
            ("/", Some((7, 1))),
            ("/a/b", Some((8, 5))),
            ("/a/c", Some((9, 11))),
            ("/a/c/d", Some((9, 11))),
        ] {
            assert_eq!(found(text, &[(0, pointer)]), [position], "{pointer}");
        }
    }

    /// The key must not be processed again for each element, which would take hours.
    #[test]
    fn a_long_key_is_processed_once() {
        let key = "k".repeat(8 << 20);
        let text = format!("{{\"{key}\": [{}1]}}", "1, ".repeat(200_000));
        let pointer = format!("/{key}/200000");
        assert_eq!(
            found(&text, &[(0, &pointer)]),
            [Some((1, key.len() + 600_007))]
        );
    }

    #[test]
    fn json_is_yaml() {
        let text = "{\"a\": {\n\t\"b\": [1,\n 2]\n}}";
        let requested = [(0, ""), (0, "/a/b"), (0, "/a/b/1")];
        assert_eq!(
            found(text, &requested),
            [Some((1, 1)), Some((2, 2)), Some((3, 2))]
        );
    }

    #[test]
    fn positions_in_front_of_a_syntax_error_are_found() {
        assert_eq!(found("a: [", &[(0, "/b")]), [Some((1, 1))]);
        assert_eq!(found("a: 1\nb: {{", &[(0, "/b/c")]), [Some((2, 1))]);
        assert_eq!(found("", &[(0, "/b/c")]), [None]);
        let deep = "[".repeat(10_000);
        assert_eq!(found(&deep, &[(0, "/0/x")]).len(), 1);
    }
}
