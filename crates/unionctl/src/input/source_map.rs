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

/// The positions of JSON pointers in a source, as a tree of the reference tokens.
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
    /// Finds the positions of JSON pointers and of their parents. Each pointer comes with the index
    /// of its document; null documents are not counted. If the source has a syntax error, only
    /// positions before the error are found.
    pub(crate) fn build<'p>(
        source: &str,
        pointers: impl IntoIterator<Item = (usize, &'p str)>,
    ) -> Self {
        let mut map = Self::default();
        for (document_index, pointer) in pointers {
            map.add_pointer(document_index, pointer);
        }
        let documents = Documents::new(source).filter(|document| !document.is_null());
        for (document_index, document) in documents.enumerate() {
            let root = map.roots.get(&document_index).copied();
            let mut search = PositionSearch::new(&mut map.nodes, root);
            for event in document.events() {
                search.process(event);
            }
        }
        map
    }

    /// Adds a JSON pointer to the tree.
    fn add_pointer(&mut self, document_index: usize, pointer: &str) {
        let root = self.roots.entry(document_index);
        let mut node_index = *root.or_insert_with(|| add_node(&mut self.nodes));
        for token in pointer.split('/').skip(1) {
            let name = unescape(token);
            let child_index = self.child_index(node_index, &name);
            node_index = child_index.unwrap_or_else(|| {
                let child_index = add_node(&mut self.nodes);
                let parent = &mut self.nodes[node_index];
                parent.children.insert(name.into_owned(), child_index);
                child_index
            });
        }
    }

    fn child_index(&self, node_index: usize, name: &str) -> Option<usize> {
        self.nodes[node_index].children.get(name).copied()
    }

    /// Returns the position of a JSON pointer, or of its nearest parent that has a position.
    pub(crate) fn nearest_position(
        &self,
        document_index: usize,
        pointer: &str,
    ) -> Option<Position> {
        let mut node_index = *self.roots.get(&document_index)?;
        let mut position = self.nodes[node_index].position;
        for token in pointer.split('/').skip(1) {
            let Some(child_index) = self.child_index(node_index, &unescape(token)) else {
                break;
            };
            node_index = child_index;
            position = self.nodes[node_index].position.or(position);
        }
        position
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
    /// The containers around the next event, from the outermost to the innermost.
    open_containers: Vec<OpenContainer>,
    /// A buffer for list indexes, which are strings in the tree.
    index_token: String,
}

/// A list or a map whose end has not been read.
struct OpenContainer {
    /// The node of the list or the map, if the tree contains it.
    node: Option<usize>,
    is_list: bool,
    /// The number of elements that have been read, if the container is a list.
    element_count: usize,
    /// The last key, if its value has not been read.
    pending_key: Option<PendingKey>,
}

/// A key whose value has not been read.
struct PendingKey {
    position: Position,
    /// The node of the value, if the tree contains it.
    value_node: Option<usize>,
}

impl<'m> PositionSearch<'m> {
    fn new(nodes: &'m mut [TreeNode], root: Option<usize>) -> Self {
        Self {
            nodes,
            root,
            open_containers: Vec::new(),
            index_token: String::new(),
        }
    }

    /// Processes an event of the document.
    fn process(&mut self, event: &Event) {
        let node = match &event.node {
            Node::End => {
                self.open_containers.pop();
                return;
            }
            _ if event.is_key => self.process_key(event),
            _ => self.process_value(event),
        };
        if let Node::Map { .. } | Node::List { .. } = &event.node {
            self.open_containers.push(OpenContainer {
                node,
                is_list: matches!(event.node, Node::List { .. }),
                element_count: 0,
                pending_key: None,
            });
        }
    }

    /// Processes a key. Returns `None`, because a key has no node of its own.
    fn process_key(&mut self, event: &Event) -> Option<usize> {
        let map = self.open_containers.last_mut()?;
        let children = map.node.map(|node| &self.nodes[node].children);
        let children = children.filter(|children| !children.is_empty());
        let value_node = match &event.node {
            Node::Scalar(scalar) => {
                children.and_then(|children| children.get(&*scalar.key()).copied())
            }
            _ => None,
        };
        map.pending_key = Some(PendingKey {
            position: event_position(event),
            value_node,
        });
        None
    }

    /// Processes a value, and returns its node. The position of an entry is the position of its
    /// key.
    fn process_value(&mut self, event: &Event) -> Option<usize> {
        let mut position = event_position(event);
        let node = match self.open_containers.last_mut() {
            None => self.root,
            Some(container) if container.is_list => {
                let index = container.element_count;
                container.element_count += 1;
                let children = &self.nodes[container.node?].children;
                if children.is_empty() {
                    return None;
                }
                self.index_token.clear();
                // Writing to a String cannot fail.
                let _ = write!(self.index_token, "{index}");
                children.get(&self.index_token).copied()
            }
            Some(container) => {
                let key = container.pending_key.take()?;
                position = key.position;
                key.value_node
            }
        }?;
        self.nodes[node].position.get_or_insert(position);
        Some(node)
    }
}

const fn event_position(event: &Event) -> Position {
    Position {
        line: event.line,
        column: event.column,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns the lines and columns of JSON pointers, each with the index of its document.
    fn nearest_positions(source: &str, pointers: &[(usize, &str)]) -> Vec<Option<(usize, usize)>> {
        let positions = SourceMap::build(source, pointers.iter().copied());
        pointers
            .iter()
            .map(|(document, pointer)| {
                let position = positions.nearest_position(*document, pointer)?;
                Some((position.line, position.column))
            })
            .collect()
    }

    #[test]
    fn positions_in_each_document_of_a_yaml_stream_are_found() {
        let source = "# first\na:\n  - b: 1\n    c/d: [x, {e: 2}]\n---\n---\nnull\n--- # third\na:\n- 1\n- z: |\n    a: b\n";
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
        assert_eq!(nearest_positions(source, &requested), lines);
    }

    #[test]
    fn keys_are_found_by_their_json_names() {
        let source = "on: 1\n~1: a\n? [x, {y: 1}]\n: {z: 1}\nx: &x k\n*x : {w: 1}\n\"\": 2\n\
                    a: {b: 1}\na: {b: 2, c: 3}\n";
        let root = Some((1, 1));
        for (pointer, position) in [
            ("/true", root),
            ("/~01", Some((2, 1))),
            // Keys that are lists or aliases, and their values, have no JSON pointers.
            ("/y", root),
            ("/z", root),
            ("/w", root),
            ("/", Some((7, 1))),
            ("/a/b", Some((8, 5))),
            ("/a/c", Some((9, 11))),
            ("/a/c/d", Some((9, 11))),
        ] {
            assert_eq!(
                nearest_positions(source, &[(0, pointer)]),
                [position],
                "{pointer}"
            );
        }
    }

    /// Processing the key again for each element would take hours.
    #[test]
    fn a_long_key_of_a_long_list_is_processed_once() {
        let key = "k".repeat(8 << 20);
        let source = format!("{{\"{key}\": [{}1]}}", "1, ".repeat(200_000));
        let pointer = format!("/{key}/200000");
        assert_eq!(
            nearest_positions(&source, &[(0, &pointer)]),
            [Some((1, key.len() + 600_007))]
        );
    }

    #[test]
    fn positions_in_json_are_found() {
        let source = "{\"a\": {\n\t\"b\": [1,\n 2]\n}}";
        let requested = [(0, ""), (0, "/a/b"), (0, "/a/b/1")];
        assert_eq!(
            nearest_positions(source, &requested),
            [Some((1, 1)), Some((2, 2)), Some((3, 2))]
        );
    }

    #[test]
    fn positions_before_a_syntax_error_are_found() {
        assert_eq!(nearest_positions("a: [", &[(0, "/b")]), [Some((1, 1))]);
        assert_eq!(
            nearest_positions("a: 1\nb: {{", &[(0, "/b/c")]),
            [Some((2, 1))]
        );
        assert_eq!(nearest_positions("", &[(0, "/b/c")]), [None]);
        let deep = "[".repeat(10_000);
        assert_eq!(nearest_positions(&deep, &[(0, "/0/x")]).len(), 1);
    }
}
