//! Finds the positions of JSON pointers in a source.

use std::collections::HashMap;
use std::fmt::Write as _;

use k8s_yaml::{Documents, Event, Node};
use union_json::pointer::escape;

/// A position in a source. Lines and columns count from 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Position {
    pub(crate) line: usize,
    pub(crate) column: usize,
}

/// The positions that were found.
#[derive(Debug, Default)]
pub(crate) struct SourceMap(HashMap<(usize, String), Position>);

/// A list or a map that is being read.
struct OpenContainer {
    /// The length of the pointer of the list or the map itself.
    parent_length: usize,
    container: Container,
}

enum Container {
    /// A list, with the number of its next element.
    List(usize),
    /// A map, with the key of the value that follows.
    Map(Option<Position>),
}

impl SourceMap {
    /// Finds the positions of pointers in the documents of a source that are not null. If the
    /// source has a syntax error, only the positions in front of the error are found.
    pub(crate) fn build(text: &str, wanted: impl IntoIterator<Item = (usize, String)>) -> Self {
        let mut search = PositionSearch {
            found: wanted.into_iter().map(|wanted| (wanted, None)).collect(),
            document: 0,
            pointer: String::new(),
            open: Vec::new(),
        };
        for document in Documents::new(text) {
            if document.is_null() {
                continue;
            }
            search.pointer.clear();
            search.open.clear();
            for event in document.events() {
                search.step(event);
            }
            search.document += 1;
        }
        let found = search.found.into_iter();
        Self(
            found
                .filter_map(|(wanted, at)| Some((wanted, at?)))
                .collect(),
        )
    }

    /// Returns the position of a pointer, or of its nearest parent that has a position.
    pub(crate) fn nearest(&self, document: usize, pointer: &str) -> Option<Position> {
        let mut key = (document, pointer.to_owned());
        loop {
            if let Some(found) = self.0.get(&key) {
                return Some(*found);
            }
            key.1.truncate(key.1.rfind('/')?);
        }
    }
}

/// Returns a pointer and all its parents, which [`SourceMap::nearest`] may look for.
pub(crate) fn pointer_and_parents(pointer: &str) -> impl Iterator<Item = String> + use<'_> {
    let ends = pointer.char_indices().filter(|(_, c)| *c == '/');
    ends.map(|(at, _)| pointer.get(..at).unwrap_or_default().to_owned())
        .chain([pointer.to_owned()])
}

struct PositionSearch {
    found: HashMap<(usize, String), Option<Position>>,
    document: usize,
    pointer: String,
    open: Vec<OpenContainer>,
}

impl PositionSearch {
    /// Handles an event of a document.
    fn step(&mut self, event: &Event) {
        let at = Position {
            line: event.line,
            column: event.column,
        };
        match &event.node {
            Node::Map { .. } => self.open(Container::Map(None), at),
            Node::List { .. } => self.open(Container::List(0), at),
            Node::Scalar(scalar) => self.scalar(|| scalar.key(), at),
            // The key of an alias has no pointer.
            Node::Alias(_) => self.scalar(String::new, at),
            _ => self.close(),
        }
    }

    fn open(&mut self, kind: Container, at: Position) {
        let before = self.enter(at);
        self.open.push(OpenContainer {
            parent_length: before,
            container: kind,
        });
    }

    fn close(&mut self) {
        if let Some(open) = self.open.pop() {
            self.leave(open.parent_length);
        }
    }

    /// Handles a value, or the key of a value; `name` returns the key.
    fn scalar(&mut self, name: impl FnOnce() -> String, at: Position) {
        let container = self.open.last_mut().map(|open| &mut open.container);
        if let Some(Container::Map(key @ None)) = container {
            *key = Some(at);
            self.pointer.push('/');
            self.pointer += &escape(&name());
        } else {
            let before = self.enter(at);
            self.leave(before);
        }
    }

    /// Begins a value at a position; returns the length of the pointer of its parent.
    fn enter(&mut self, found: Position) -> usize {
        let mut before = self.pointer.len();
        let mut at = found;
        match self.open.last_mut().map(|open| &mut open.container) {
            Some(Container::List(next)) => {
                let _ = write!(self.pointer, "/{next}");
                *next += 1;
            }
            Some(Container::Map(key)) => {
                // The position of a value is the position of its key. A key that is not a string
                // has no pointer, so it is never looked for.
                at = key.take().unwrap_or(found);
                before = self.pointer.rfind('/').unwrap_or_default();
            }
            None => {}
        }
        // The pointer is not copied unless it is looked for.
        let key = (self.document, std::mem::take(&mut self.pointer));
        if let Some(found) = self.found.get_mut(&key) {
            found.get_or_insert(at);
        }
        self.pointer = key.1;
        before
    }

    /// Ends a value.
    fn leave(&mut self, before: usize) {
        self.pointer.truncate(before);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(text: &str, wanted: &[(usize, &str)]) -> Vec<Option<(usize, usize)>> {
        let all = wanted
            .iter()
            .flat_map(|(document, pointer)| pointer_and_parents(pointer).map(|p| (*document, p)));
        let positions = SourceMap::build(text, all);
        wanted
            .iter()
            .map(|(document, pointer)| {
                let at = positions.nearest(*document, pointer)?;
                Some((at.line, at.column))
            })
            .collect()
    }

    #[test]
    fn yaml_of_several_documents() {
        let text = "# first\na:\n  - b: 1\n    c/d: [x, {e: 2}]\n---\n---\nnull\n--- # third\na:\n- 1\n- z: |\n    a: b\n";
        let wanted = [
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
        assert_eq!(found(text, &wanted), lines);
    }

    #[test]
    fn json_is_yaml() {
        let text = "{\"a\": {\n\t\"b\": [1,\n 2]\n}}";
        let wanted = [(0, ""), (0, "/a/b"), (0, "/a/b/1")];
        assert_eq!(
            found(text, &wanted),
            [Some((1, 1)), Some((2, 2)), Some((3, 2))]
        );
    }

    #[test]
    fn a_text_that_cannot_be_read_to_its_end_gives_what_stands_before() {
        assert_eq!(found("a: [", &[(0, "/b")]), [Some((1, 1))]);
        assert_eq!(found("a: 1\nb: {{", &[(0, "/b/c")]), [Some((2, 1))]);
        assert_eq!(found("", &[(0, "/b/c")]), [None]);
        let deep = "[".repeat(10_000);
        assert_eq!(found(&deep, &[(0, "/0/x")]).len(), 1);
    }
}
