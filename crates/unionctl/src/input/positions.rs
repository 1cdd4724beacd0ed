//! Where in a text something stands that a JSON pointer leads to. JSON is read as the YAML that it is.

use std::collections::HashMap;
use std::fmt::Write as _;

use granit_parser::{Event, Parser, ScalarStyle, Span};
use union_json::pointer::escape;

/// A place in a text, both from 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Position {
    pub(crate) line: usize,
    pub(crate) column: usize,
}

/// How deep it is looked: deeper documents are not read either.
const DEEPEST: usize = 256;

/// The places that were asked for.
#[derive(Debug, Default)]
pub(crate) struct Positions(HashMap<(usize, String), Position>);

/// A list or a map that is being read.
struct Open {
    /// How long the pointer is without what is read in it.
    before: usize,
    kind: Kind,
}

enum Kind {
    /// With the number of the next item.
    List(usize),
    /// With the key whose value comes next.
    Map(Option<Span>),
}

impl Positions {
    /// Finds what pointers lead to in the documents of a text that are not null. A text that cannot be read to its end gives
    /// what stands before.
    pub(crate) fn of(text: &str, wanted: impl IntoIterator<Item = (usize, String)>) -> Self {
        let mut search = Search {
            found: wanted.into_iter().map(|wanted| (wanted, None)).collect(),
            document: 0,
            pointer: String::new(),
            open: Vec::new(),
        };
        let text = text.strip_prefix('\u{feff}').unwrap_or(text);
        for read in Parser::new_from_str(text) {
            let Ok((event, span)) = read else { break };
            if !search.step(&event, span) {
                break;
            }
        }
        let found = search.found.into_iter();
        Self(
            found
                .filter_map(|(wanted, at)| Some((wanted, at?)))
                .collect(),
        )
    }

    /// Where a pointer leads to; where its nearest parent does, if it leads nowhere.
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

/// All pointers that lead to one, itself included: what [`Positions::nearest`] may look for.
pub(crate) fn with_parents(pointer: &str) -> impl Iterator<Item = String> + use<'_> {
    let ends = pointer.char_indices().filter(|(_, c)| *c == '/');
    ends.map(|(at, _)| pointer.get(..at).unwrap_or_default().to_owned())
        .chain([pointer.to_owned()])
}

struct Search {
    found: HashMap<(usize, String), Option<Position>>,
    document: usize,
    pointer: String,
    open: Vec<Open>,
}

impl Search {
    /// Takes the next event; says whether there is more to look at.
    fn step(&mut self, event: &Event<'_>, span: Span) -> bool {
        match event {
            Event::DocumentStart(..) => self.pointer.clear(),
            Event::MappingStart(..) => self.open(Kind::Map(None), span),
            Event::SequenceStart(..) => self.open(Kind::List(0), span),
            Event::MappingEnd | Event::SequenceEnd => self.close(),
            Event::Scalar(text, style, ..) => self.scalar(text, *style, span),
            Event::Alias(_) => self.scalar("", ScalarStyle::DoubleQuoted, span),
            _ => {}
        }
        self.open.len() <= DEEPEST
    }

    fn open(&mut self, kind: Kind, span: Span) {
        let before = self.enter(span);
        self.open.push(Open { before, kind });
    }

    fn close(&mut self) {
        if let Some(open) = self.open.pop() {
            self.leave(open.before);
        }
    }

    fn scalar(&mut self, text: &str, style: ScalarStyle, span: Span) {
        match self.open.last_mut().map(|open| &mut open.kind) {
            Some(Kind::Map(key @ None)) => {
                *key = Some(span);
                self.pointer.push('/');
                self.pointer += &escape(text);
            }
            Some(_) => {
                let before = self.enter(span);
                self.leave(before);
            }
            None => {
                let is_null = matches!(text, "" | "~" | "null" | "Null" | "NULL");
                if !(is_null && style == ScalarStyle::Plain) {
                    self.document += 1;
                }
            }
        }
    }

    /// Begins a value that starts there; gives how long the pointer is without it.
    fn enter(&mut self, span: Span) -> usize {
        let mut before = self.pointer.len();
        let mut at = span;
        match self.open.last_mut().map(|open| &mut open.kind) {
            Some(Kind::List(next)) => {
                let _ = write!(self.pointer, "/{next}");
                *next += 1;
            }
            Some(Kind::Map(key)) => {
                // A value stands where its key does. What is not text for a key has no pointer, and nobody asks for it.
                at = key.take().unwrap_or(span);
                before = self.pointer.rfind('/').unwrap_or_default();
            }
            None => {}
        }
        // A copy is made only for what is asked for.
        let key = (self.document, std::mem::take(&mut self.pointer));
        if let Some(found) = self.found.get_mut(&key) {
            found.get_or_insert(Position {
                line: at.start.line(),
                column: at.start.col() + 1,
            });
        }
        self.pointer = key.1;
        before
    }

    /// Ends a value.
    fn leave(&mut self, before: usize) {
        self.pointer.truncate(before);
        if self.open.is_empty() {
            self.document += 1;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(text: &str, wanted: &[(usize, &str)]) -> Vec<Option<(usize, usize)>> {
        let all = wanted
            .iter()
            .flat_map(|(document, pointer)| with_parents(pointer).map(|p| (*document, p)));
        let positions = Positions::of(text, all);
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
