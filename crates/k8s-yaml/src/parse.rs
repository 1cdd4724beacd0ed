//! The grammar of YAML 1.1, as libyaml has it: tokens in, events out.

use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::mem;

use crate::error::{Error, Mark};
use crate::event::{Events, Node};
use crate::scalar::{Scalar, Style, Tag, YAML_PREFIX};
use crate::scan::{Kind, Scanner};

/// The greatest number of directives `%TAG` of a document.
const MAX_TAG_DIRECTIVES: usize = 100;

/// A parser of one document.
struct Parser<'t, 'e> {
    scanner: Scanner<'t>,
    events: &'e mut Events,
    /// The numbers of the events with an anchor, by its name.
    anchors: HashMap<String, usize>,
    /// The prefixes of tags, by their handles.
    prefixes: HashMap<Vec<u8>, Vec<u8>>,
    /// The positions of the open flow collections, with the signs that close them.
    open: Vec<(Mark, char)>,
}

/// Reads the first document of a string. As kubectl, it ignores what follows the document.
pub(crate) fn parse(text: &str, events: &mut Events) -> Result<(), Error> {
    let mut parser = Parser {
        scanner: Scanner::new(text),
        events,
        anchors: HashMap::new(),
        prefixes: HashMap::new(),
        open: Vec::new(),
    };
    parser.document()
}

impl Parser<'_, '_> {
    fn peek(&mut self) -> Result<(&mut Kind, Mark), Error> {
        let token = self.scanner.peek()?;
        Ok((&mut token.kind, token.mark))
    }

    fn is(&mut self, kind: &Kind) -> Result<bool, Error> {
        Ok(self.peek()?.0 == kind)
    }

    fn is_any(&mut self, kinds: &[Kind]) -> Result<bool, Error> {
        Ok(kinds.contains(self.peek()?.0))
    }

    /// Takes the next token if it is of a kind.
    fn takes(&mut self, kind: &Kind) -> Result<bool, Error> {
        let is = self.is(kind)?;
        if is {
            self.scanner.skip();
        }
        Ok(is)
    }

    fn document(&mut self) -> Result<(), Error> {
        if self.is(&Kind::End)? {
            return Ok(());
        }
        let is_implicit = !matches!(
            self.peek()?.0,
            Kind::Version(..) | Kind::TagPrefix { .. } | Kind::DocumentStart
        );
        self.directives()?;
        if is_implicit {
            self.node(true, false)?;
        } else {
            if !self.takes(&Kind::DocumentStart)? {
                return Err(self.unexpected("expected `---` after the directives"));
            }
            let (kind, mark) = self.peek()?;
            let is_empty = matches!(
                kind,
                Kind::Version(..)
                    | Kind::TagPrefix { .. }
                    | Kind::DocumentStart
                    | Kind::DocumentEnd
                    | Kind::End
            );
            if is_empty {
                self.empty(mark)?;
            } else {
                self.node(true, false)?;
            }
        }
        // The scanner must read a token after the document without an error; the type of the
        // token does not matter.
        self.peek().map(|_| ())
    }

    fn directives(&mut self) -> Result<(), Error> {
        let mut has_version = false;
        loop {
            let (kind, mark) = self.peek()?;
            match kind {
                Kind::Version(major, minor) => {
                    if has_version {
                        return Err(Error::yaml(mark, "duplicate %YAML; remove one"));
                    }
                    if (*major, *minor) != (1, 1) {
                        let text = format!(
                            "version {major}.{minor} is not supported; remove the directive"
                        );
                        return Err(Error::yaml(mark, text));
                    }
                    has_version = true;
                }
                Kind::TagPrefix { handle, prefix } => {
                    let (handle, prefix) = (mem::take(handle), mem::take(prefix));
                    self.add_prefix(handle, prefix, mark)?;
                }
                _ => break,
            }
            self.scanner.skip();
        }
        // The directives of the document win.
        for (handle, prefix) in [(b"!".as_slice(), b"!".as_slice()), (b"!!", YAML_PREFIX)] {
            let prefixes = self.prefixes.entry(handle.to_vec());
            prefixes.or_insert_with(|| prefix.to_vec());
        }
        Ok(())
    }

    fn add_prefix(&mut self, handle: Vec<u8>, prefix: Vec<u8>, mark: Mark) -> Result<(), Error> {
        if self.prefixes.len() == MAX_TAG_DIRECTIVES {
            let text = format!(
                "the document exceeds the limit of {MAX_TAG_DIRECTIVES} directives %TAG; remove some"
            );
            return Err(Error::new(mark, text));
        }
        match self.prefixes.entry(handle) {
            Entry::Vacant(entry) => {
                entry.insert(prefix);
                Ok(())
            }
            Entry::Occupied(_) => Err(Error::yaml(mark, "duplicate %TAG; remove one")),
        }
    }

    /// Reads a value. `in_block` allows block collections, and `or_list` a list at the indentation
    /// of its key.
    fn node(&mut self, in_block: bool, or_list: bool) -> Result<(), Error> {
        let (kind, start) = self.peek()?;
        if let Kind::Alias(name) = kind {
            let name = mem::take(name);
            self.scanner.skip();
            let Some(target) = self.anchors.get(&name) else {
                let text = format!("unknown anchor {name:?}; write `&{name}` before the value");
                return Err(Error::yaml(start, text));
            };
            return self.push(Node::Alias(*target), start);
        }
        let (has_anchor, tag) = self.properties(start)?;
        let (kind, mark) = self.peek()?;
        match kind {
            Kind::BlockEntry if or_list => {
                self.open_list(start)?;
                self.list_at_key()
            }
            Kind::Scalar { text, is_plain } => {
                let style = if *is_plain {
                    Style::Plain
                } else {
                    Style::Quoted
                };
                let text = mem::take(text);
                self.scanner.skip();
                self.push(Node::Scalar(Scalar { text, tag, style }), start)
            }
            Kind::FlowList => {
                self.scanner.skip();
                self.open.push((mark, ']'));
                self.open_list(start)?;
                self.flow_list()
            }
            Kind::FlowMap => {
                self.scanner.skip();
                self.open.push((mark, '}'));
                self.open_map(start)?;
                self.flow_map()
            }
            Kind::BlockList if in_block => {
                self.scanner.skip();
                self.open_list(start)?;
                self.block_list()
            }
            Kind::BlockMap if in_block => {
                self.scanner.skip();
                self.open_map(start)?;
                self.block_map()
            }
            _ if has_anchor || tag != Tag::Absent => {
                let (text, style) = (String::new(), Style::Plain);
                self.push(Node::Scalar(Scalar { text, tag, style }), start)
            }
            _ => Err(self.unexpected("expected a value")),
        }
    }

    /// Reads an anchor and a tag, in any order. Returns true if there is an anchor, and the tag.
    fn properties(&mut self, start: Mark) -> Result<(bool, Tag), Error> {
        let (mut anchor, mut tag) = (None, None);
        loop {
            match self.peek()?.0 {
                Kind::Anchor(name) if anchor.is_none() => anchor = Some(mem::take(name)),
                Kind::Tag { handle, suffix } if tag.is_none() => {
                    tag = Some((mem::take(handle), mem::take(suffix)));
                }
                _ => break,
            }
            self.scanner.skip();
        }
        let tag = match tag {
            None => Tag::Absent,
            Some((handle, suffix)) => self.tag(&handle, &suffix, start)?,
        };
        let has_anchor = anchor.is_some();
        if let Some(name) = anchor {
            self.anchors.insert(name, self.events.all.len());
        }
        Ok((has_anchor, tag))
    }

    fn tag(&self, handle: &[u8], suffix: &[u8], mark: Mark) -> Result<Tag, Error> {
        if handle.is_empty() {
            return Ok(Tag::new(b"", suffix));
        }
        let prefix = self.prefixes.get(handle);
        let tag = prefix.map(|prefix| Tag::new(prefix, suffix));
        tag.ok_or_else(|| {
            let handle = String::from_utf8_lossy(handle);
            let text = format!("unknown tag handle {handle}; remove the tag");
            Error::yaml(mark, text)
        })
    }

    fn push(&mut self, node: Node, mark: Mark) -> Result<(), Error> {
        self.events.push(node, mark).map(|_| ())
    }

    fn open_list(&mut self, mark: Mark) -> Result<(), Error> {
        self.push(Node::List { end: 0 }, mark)
    }

    fn open_map(&mut self, mark: Mark) -> Result<(), Error> {
        self.push(Node::Map { end: 0 }, mark)
    }

    /// Ends a list or a map at the next token.
    fn close(&mut self) -> Result<(), Error> {
        let mark = self.peek()?.1;
        self.push(Node::End, mark)
    }

    /// Adds a null that is not written.
    fn empty(&mut self, mark: Mark) -> Result<(), Error> {
        let scalar = Scalar {
            text: String::new(),
            tag: Tag::Absent,
            style: Style::Plain,
        };
        self.push(Node::Scalar(scalar), mark)
    }

    /// Reads a value, or adds a null at a token that does not begin one.
    fn node_unless(&mut self, ends: &[Kind], in_block: bool, or_list: bool) -> Result<(), Error> {
        if self.is_any(ends)? {
            let mark = self.peek()?.1;
            self.empty(mark)
        } else {
            self.node(in_block, or_list)
        }
    }

    /// Returns an error at the next token. At the end, it is about the collection that is open.
    fn unexpected(&mut self, text: &str) -> Error {
        let open = self.open.last().copied();
        match (self.peek(), open) {
            (Ok((Kind::End, _)), Some((mark, sign))) => {
                Error::yaml(mark, format!("`{sign}` is missing"))
            }
            (Ok((_, mark)), _) => Error::yaml(mark, text),
            (Err(error), _) => error,
        }
    }

    fn block_list(&mut self) -> Result<(), Error> {
        while self.takes(&Kind::BlockEntry)? {
            self.node_unless(&[Kind::BlockEntry, Kind::BlockEnd], true, false)?;
        }
        if !self.is(&Kind::BlockEnd)? {
            return Err(self.unexpected("expected `-` at the indentation of the list"));
        }
        self.close()?;
        self.scanner.skip();
        Ok(())
    }

    /// Reads a list whose `-` have the indentation of the key above.
    fn list_at_key(&mut self) -> Result<(), Error> {
        let ends = [Kind::BlockEntry, Kind::Key, Kind::Value, Kind::BlockEnd];
        while self.takes(&Kind::BlockEntry)? {
            self.node_unless(&ends, true, false)?;
        }
        self.close()
    }

    fn block_map(&mut self) -> Result<(), Error> {
        let ends = [Kind::Key, Kind::Value, Kind::BlockEnd];
        while self.takes(&Kind::Key)? {
            self.node_unless(&ends, true, true)?;
            if self.takes(&Kind::Value)? {
                self.node_unless(&ends, true, true)?;
            } else {
                let mark = self.peek()?.1;
                self.empty(mark)?;
            }
        }
        if !self.is(&Kind::BlockEnd)? {
            return Err(self.unexpected("expected a key at the indentation of the map"));
        }
        self.close()?;
        self.scanner.skip();
        Ok(())
    }

    /// Takes the `,` between two entries of a flow collection; returns false at its end.
    fn next_entry(&mut self, end: &Kind, is_first: bool, sign: char) -> Result<bool, Error> {
        if !is_first && !self.is(end)? && !self.takes(&Kind::FlowEntry)? {
            return Err(self.unexpected(&format!("expected `,` or `{sign}`")));
        }
        if !self.is(end)? {
            return Ok(true);
        }
        self.close()?;
        self.scanner.skip();
        self.open.pop();
        Ok(false)
    }

    fn flow_list(&mut self) -> Result<(), Error> {
        let ends = [Kind::FlowEntry, Kind::FlowListEnd];
        let mut is_first = true;
        while self.next_entry(&Kind::FlowListEnd, is_first, ']')? {
            is_first = false;
            if !self.is(&Kind::Key)? {
                self.node(false, false)?;
                continue;
            }
            // A key makes the element a map of one entry.
            let mark = self.peek()?.1;
            self.scanner.skip();
            self.open_map(mark)?;
            let mark = self.peek()?.1;
            if self.is_any(&[Kind::Value, Kind::FlowEntry, Kind::FlowListEnd])? {
                // libyaml loses the token here, and with it the value.
                self.scanner.skip();
                self.empty(mark)?;
            } else {
                self.node(false, false)?;
            }
            self.flow_value(&ends)?;
            self.close()?;
        }
        Ok(())
    }

    fn flow_map(&mut self) -> Result<(), Error> {
        let ends = [Kind::FlowEntry, Kind::FlowMapEnd];
        let mut is_first = true;
        while self.next_entry(&Kind::FlowMapEnd, is_first, '}')? {
            is_first = false;
            if self.takes(&Kind::Key)? {
                let ends_of_key = [Kind::Value, Kind::FlowEntry, Kind::FlowMapEnd];
                self.node_unless(&ends_of_key, false, false)?;
                self.flow_value(&ends)?;
            } else {
                self.node(false, false)?;
                let mark = self.peek()?.1;
                self.empty(mark)?;
            }
        }
        Ok(())
    }

    /// Reads the value after a key in a flow collection.
    fn flow_value(&mut self, ends: &[Kind]) -> Result<(), Error> {
        if self.takes(&Kind::Value)? {
            self.node_unless(ends, false, false)
        } else {
            let mark = self.peek()?.1;
            self.empty(mark)
        }
    }
}
