//! A parser of YAML 1.1 with the grammar of libyaml, which creates events from tokens.

use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::mem;

use crate::error::{Error, Mark};
use crate::event::{Events, Node};
use crate::scalar::{Scalar, Style, Tag, YAML_PREFIX};
use crate::scan::{Scanner, TokenKind};

/// The maximum number of directives `%TAG` in a document.
const MAX_TAG_DIRECTIVES: usize = 100;

/// The context of a value, which determines the kinds of collections that the value may be.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Context {
    /// Inside of a flow collection: only flow collections.
    Flow,
    /// In a block: flow and block collections.
    Block,
    /// In an entry of a block map: all collections, and a list whose `-` have the indentation of
    /// the key.
    BlockMapEntry,
}

/// A flow collection that is not yet closed.
#[derive(Clone, Copy)]
struct OpenFlow {
    mark: Mark,
    closing_bracket: char,
}

/// A parser of one document.
struct Parser<'t, 'e> {
    scanner: Scanner<'t>,
    events: &'e mut Events,
    /// The indices of the events with an anchor, by the names of the anchors.
    anchors: HashMap<String, usize>,
    /// The prefixes of tags, by their handles.
    prefixes: HashMap<Vec<u8>, Vec<u8>>,
    open_flows: Vec<OpenFlow>,
}

/// Parses the first document of a string, and ignores the rest, as kubectl does.
pub(crate) fn parse(text: &str, events: &mut Events) -> Result<(), Error> {
    let mut parser = Parser {
        scanner: Scanner::new(text),
        events,
        anchors: HashMap::new(),
        prefixes: HashMap::new(),
        open_flows: Vec::new(),
    };
    parser.parse_document()
}

impl Parser<'_, '_> {
    fn peek(&mut self) -> Result<(&mut TokenKind, Mark), Error> {
        let token = self.scanner.peek()?;
        Ok((&mut token.kind, token.mark))
    }

    fn is_next(&mut self, kind: &TokenKind) -> Result<bool, Error> {
        Ok(self.peek()?.0 == kind)
    }

    fn is_next_any(&mut self, kinds: &[TokenKind]) -> Result<bool, Error> {
        Ok(kinds.contains(self.peek()?.0))
    }

    /// Skips the next token if it has this kind. Returns true if the token was skipped.
    fn skip_if_next(&mut self, kind: &TokenKind) -> Result<bool, Error> {
        let is_next = self.is_next(kind)?;
        if is_next {
            self.scanner.skip();
        }
        Ok(is_next)
    }

    /// Skips the next token if it has this kind. Returns the position after the token, which is the
    /// position of a missing value in a block, as in libyaml.
    fn skip_indicator_if_next(&mut self, kind: &TokenKind) -> Result<Option<Mark>, Error> {
        let (next_kind, mut mark) = self.peek()?;
        if next_kind != kind {
            return Ok(None);
        }
        self.scanner.skip();
        mark.advance("-");
        Ok(Some(mark))
    }

    fn parse_document(&mut self) -> Result<(), Error> {
        if self.is_next(&TokenKind::End)? {
            return Ok(());
        }
        let is_implicit = !matches!(
            self.peek()?.0,
            TokenKind::Version(..) | TokenKind::TagPrefix { .. } | TokenKind::DocumentStart
        );
        self.parse_directives()?;
        if is_implicit {
            self.parse_node(Context::Block)?;
        } else {
            if !self.skip_if_next(&TokenKind::DocumentStart)? {
                return Err(self.unexpected_error("expected `---` after the directives"));
            }
            let (kind, mark) = self.peek()?;
            let is_empty = matches!(
                kind,
                TokenKind::Version(..)
                    | TokenKind::TagPrefix { .. }
                    | TokenKind::DocumentStart
                    | TokenKind::DocumentEnd
                    | TokenKind::End
            );
            if is_empty {
                self.push_null(mark)?;
            } else {
                self.parse_node(Context::Block)?;
            }
        }
        // The token after the document must be valid, but may have any type.
        self.peek().map(|_| ())
    }

    fn parse_directives(&mut self) -> Result<(), Error> {
        let mut has_version = false;
        loop {
            let (kind, mark) = self.peek()?;
            match kind {
                TokenKind::Version(major, minor) => {
                    if has_version {
                        return Err(Error::yaml(mark, "duplicate %YAML; remove one"));
                    }
                    if (*major, *minor) != (1, 1) {
                        let message = format!(
                            "version {major}.{minor} is not supported; remove the directive"
                        );
                        return Err(Error::yaml(mark, message));
                    }
                    has_version = true;
                }
                TokenKind::TagPrefix { handle, prefix } => {
                    let (handle, prefix) = (mem::take(handle), mem::take(prefix));
                    self.add_tag_prefix(handle, prefix, mark)?;
                }
                _ => break,
            }
            self.scanner.skip();
        }
        // A directive of the document has precedence over the default prefix.
        for (handle, prefix) in [(b"!".as_slice(), b"!".as_slice()), (b"!!", YAML_PREFIX)] {
            let entry = self.prefixes.entry(handle.to_vec());
            entry.or_insert_with(|| prefix.to_vec());
        }
        Ok(())
    }

    fn add_tag_prefix(
        &mut self,
        handle: Vec<u8>,
        prefix: Vec<u8>,
        mark: Mark,
    ) -> Result<(), Error> {
        if self.prefixes.len() == MAX_TAG_DIRECTIVES {
            let message = format!(
                "the document exceeds the limit of {MAX_TAG_DIRECTIVES} directives %TAG; remove some"
            );
            return Err(Error::new(mark, message));
        }
        match self.prefixes.entry(handle) {
            Entry::Vacant(entry) => {
                entry.insert(prefix);
                Ok(())
            }
            Entry::Occupied(_) => Err(Error::yaml(mark, "duplicate %TAG; remove one")),
        }
    }

    /// Parses a value, with its anchor and tag.
    fn parse_node(&mut self, context: Context) -> Result<(), Error> {
        let (kind, start) = self.peek()?;
        if let TokenKind::Alias(name) = kind {
            let name = mem::take(name);
            self.scanner.skip();
            let Some(target_index) = self.anchors.get(&name) else {
                let message = format!("unknown anchor {name:?}; write `&{name}` before the value");
                return Err(Error::yaml(start, message));
            };
            return self.push(Node::Alias(*target_index), start);
        }
        let (has_anchor, tag) = self.parse_anchor_and_tag(start)?;
        let (kind, mark) = self.peek()?;
        match kind {
            TokenKind::BlockEntry if context == Context::BlockMapEntry => {
                self.open_list(start)?;
                self.parse_list_at_key()
            }
            TokenKind::Scalar { text, is_plain } => {
                let style = if *is_plain {
                    Style::Plain
                } else {
                    Style::Quoted
                };
                let text = mem::take(text);
                self.scanner.skip();
                self.push(Node::Scalar(Scalar { text, tag, style }), start)
            }
            TokenKind::FlowList => {
                self.scanner.skip();
                self.open_flow(mark, ']');
                self.open_list(start)?;
                self.parse_flow_list()
            }
            TokenKind::FlowMap => {
                self.scanner.skip();
                self.open_flow(mark, '}');
                self.open_map(start)?;
                self.parse_flow_map()
            }
            TokenKind::BlockList if context != Context::Flow => {
                self.scanner.skip();
                self.open_list(start)?;
                self.parse_block_list()
            }
            TokenKind::BlockMap if context != Context::Flow => {
                self.scanner.skip();
                self.open_map(start)?;
                self.parse_block_map()
            }
            _ if has_anchor || tag != Tag::Absent => {
                let (text, style) = (String::new(), Style::Plain);
                self.push(Node::Scalar(Scalar { text, tag, style }), start)
            }
            _ => Err(self.unexpected_error("expected a value")),
        }
    }

    /// Parses an anchor and a tag, in any order. Returns true if there is an anchor, and the tag.
    fn parse_anchor_and_tag(&mut self, start: Mark) -> Result<(bool, Tag), Error> {
        let (mut anchor, mut tag) = (None, None);
        loop {
            match self.peek()?.0 {
                TokenKind::Anchor(name) if anchor.is_none() => anchor = Some(mem::take(name)),
                TokenKind::Tag { handle, suffix } if tag.is_none() => {
                    tag = Some((mem::take(handle), mem::take(suffix)));
                }
                _ => break,
            }
            self.scanner.skip();
        }
        let tag = match tag {
            None => Tag::Absent,
            Some((handle, suffix)) => self.resolve_tag(&handle, &suffix, start)?,
        };
        let has_anchor = anchor.is_some();
        if let Some(name) = anchor {
            self.anchors.insert(name, self.events.all.len());
        }
        Ok((has_anchor, tag))
    }

    fn resolve_tag(&self, handle: &[u8], suffix: &[u8], mark: Mark) -> Result<Tag, Error> {
        if handle.is_empty() {
            return Ok(Tag::new(b"", suffix));
        }
        let prefix = self.prefixes.get(handle);
        let tag = prefix.map(|prefix| Tag::new(prefix, suffix));
        tag.ok_or_else(|| {
            let handle = String::from_utf8_lossy(handle);
            let message = format!("unknown tag handle {handle}; remove the tag");
            Error::yaml(mark, message)
        })
    }

    fn push(&mut self, node: Node, mark: Mark) -> Result<(), Error> {
        self.events.push(node, mark).map(|_| ())
    }

    fn open_flow(&mut self, mark: Mark, closing_bracket: char) {
        self.open_flows.push(OpenFlow {
            mark,
            closing_bracket,
        });
    }

    /// Starts a list. [`Events::push`] sets `end` at the end of the list.
    fn open_list(&mut self, mark: Mark) -> Result<(), Error> {
        self.push(Node::List { end: 0 }, mark)
    }

    /// Starts a map. [`Events::push`] sets `end` at the end of the map.
    fn open_map(&mut self, mark: Mark) -> Result<(), Error> {
        self.push(Node::Map { end: 0 }, mark)
    }

    /// Ends a list or a map, at the position of the next token.
    fn push_end(&mut self) -> Result<(), Error> {
        let mark = self.peek()?.1;
        self.push(Node::End, mark)
    }

    /// Adds the null of a missing value.
    fn push_null(&mut self, mark: Mark) -> Result<(), Error> {
        let scalar = Scalar {
            text: String::new(),
            tag: Tag::Absent,
            style: Style::Plain,
        };
        self.push(Node::Scalar(scalar), mark)
    }

    /// Parses a value, or adds a null at `null_mark` if the next token is one of `end_tokens`.
    fn parse_node_or_null(
        &mut self,
        end_tokens: &[TokenKind],
        context: Context,
        null_mark: Mark,
    ) -> Result<(), Error> {
        if self.is_next_any(end_tokens)? {
            self.push_null(null_mark)
        } else {
            self.parse_node(context)
        }
    }

    /// Returns an error at the next token. At the end of the source, returns the error that the
    /// innermost flow collection is not closed.
    fn unexpected_error(&mut self, message: &str) -> Error {
        let innermost_flow = self.open_flows.last().copied();
        match (self.peek(), innermost_flow) {
            (Ok((TokenKind::End, _)), Some(innermost_flow)) => {
                let bracket = innermost_flow.closing_bracket;
                Error::yaml(innermost_flow.mark, format!("`{bracket}` is missing"))
            }
            (Ok((_, mark)), _) => Error::yaml(mark, message),
            (Err(error), _) => error,
        }
    }

    fn parse_block_list(&mut self) -> Result<(), Error> {
        let end_tokens = [TokenKind::BlockEntry, TokenKind::BlockEnd];
        while let Some(null_mark) = self.skip_indicator_if_next(&TokenKind::BlockEntry)? {
            self.parse_node_or_null(&end_tokens, Context::Block, null_mark)?;
        }
        if !self.is_next(&TokenKind::BlockEnd)? {
            return Err(self.unexpected_error("expected `-` at the indentation of the list"));
        }
        self.push_end()?;
        self.scanner.skip();
        Ok(())
    }

    /// Parses a list whose `-` have the indentation of the key above.
    fn parse_list_at_key(&mut self) -> Result<(), Error> {
        let end_tokens = [
            TokenKind::BlockEntry,
            TokenKind::Key,
            TokenKind::Value,
            TokenKind::BlockEnd,
        ];
        while let Some(null_mark) = self.skip_indicator_if_next(&TokenKind::BlockEntry)? {
            self.parse_node_or_null(&end_tokens, Context::Block, null_mark)?;
        }
        self.push_end()
    }

    fn parse_block_map(&mut self) -> Result<(), Error> {
        let end_tokens = [TokenKind::Key, TokenKind::Value, TokenKind::BlockEnd];
        while let Some(null_mark) = self.skip_indicator_if_next(&TokenKind::Key)? {
            self.parse_node_or_null(&end_tokens, Context::BlockMapEntry, null_mark)?;
            if let Some(null_mark) = self.skip_indicator_if_next(&TokenKind::Value)? {
                self.parse_node_or_null(&end_tokens, Context::BlockMapEntry, null_mark)?;
            } else {
                let mark = self.peek()?.1;
                self.push_null(mark)?;
            }
        }
        if !self.is_next(&TokenKind::BlockEnd)? {
            return Err(self.unexpected_error("expected a key at the indentation of the map"));
        }
        self.push_end()?;
        self.scanner.skip();
        Ok(())
    }

    /// Skips the `,` before the next entry of a flow collection. At the end of the collection,
    /// closes it and returns false.
    fn advance_to_entry(
        &mut self,
        end_token: &TokenKind,
        is_first: bool,
        closing_bracket: char,
    ) -> Result<bool, Error> {
        if !is_first && !self.is_next(end_token)? && !self.skip_if_next(&TokenKind::FlowEntry)? {
            return Err(self.unexpected_error(&format!("expected `,` or `{closing_bracket}`")));
        }
        if !self.is_next(end_token)? {
            return Ok(true);
        }
        self.push_end()?;
        self.scanner.skip();
        self.open_flows.pop();
        Ok(false)
    }

    fn parse_flow_list(&mut self) -> Result<(), Error> {
        let end_tokens = [TokenKind::FlowEntry, TokenKind::FlowListEnd];
        let mut is_first = true;
        while self.advance_to_entry(&TokenKind::FlowListEnd, is_first, ']')? {
            is_first = false;
            if !self.is_next(&TokenKind::Key)? {
                self.parse_node(Context::Flow)?;
                continue;
            }
            // An element that begins with a key is a map with one entry.
            let mark = self.peek()?.1;
            self.scanner.skip();
            self.open_map(mark)?;
            let mark = self.peek()?.1;
            if self.is_next_any(&[
                TokenKind::Value,
                TokenKind::FlowEntry,
                TokenKind::FlowListEnd,
            ])? {
                // libyaml skips the token here, so that the value is lost.
                self.scanner.skip();
                self.push_null(mark)?;
            } else {
                self.parse_node(Context::Flow)?;
            }
            self.parse_flow_value(&end_tokens)?;
            self.push_end()?;
        }
        Ok(())
    }

    fn parse_flow_map(&mut self) -> Result<(), Error> {
        let end_tokens = [TokenKind::FlowEntry, TokenKind::FlowMapEnd];
        let mut is_first = true;
        while self.advance_to_entry(&TokenKind::FlowMapEnd, is_first, '}')? {
            is_first = false;
            if self.skip_if_next(&TokenKind::Key)? {
                let key_end_tokens = [
                    TokenKind::Value,
                    TokenKind::FlowEntry,
                    TokenKind::FlowMapEnd,
                ];
                let null_mark = self.peek()?.1;
                self.parse_node_or_null(&key_end_tokens, Context::Flow, null_mark)?;
                self.parse_flow_value(&end_tokens)?;
            } else {
                self.parse_node(Context::Flow)?;
                let mark = self.peek()?.1;
                self.push_null(mark)?;
            }
        }
        Ok(())
    }

    /// Parses the value after a key in a flow collection, or adds a null if there is no value.
    fn parse_flow_value(&mut self, end_tokens: &[TokenKind]) -> Result<(), Error> {
        let has_value = self.skip_if_next(&TokenKind::Value)?;
        let null_mark = self.peek()?.1;
        if has_value {
            self.parse_node_or_null(end_tokens, Context::Flow, null_mark)
        } else {
            self.push_null(null_mark)
        }
    }
}
