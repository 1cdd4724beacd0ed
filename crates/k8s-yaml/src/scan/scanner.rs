//! The scanner: it decides which token comes next.

use std::collections::VecDeque;

use super::cursor::Cursor;
use super::key::Candidates;
use super::token::{Kind, Token};
use crate::error::{Error, Mark};

/// A scanner of a document.
#[derive(Debug)]
pub(crate) struct Scanner<'t> {
    pub(super) cursor: Cursor<'t>,
    queue: VecDeque<Token>,
    /// The number of tokens that were taken out of the queue.
    taken: usize,
    /// True if the first token of the queue cannot become a key any more.
    is_ready: bool,
    candidates: Candidates,
    pub(super) may_begin_key: bool,
    /// The number of open flow collections.
    pub(super) flow: usize,
    /// The column of the innermost block collection; `None` outside of all.
    pub(super) indent: Option<usize>,
    indents: Vec<Option<usize>>,
}

impl<'t> Scanner<'t> {
    pub(crate) fn new(text: &'t str) -> Self {
        Self {
            cursor: Cursor::new(text),
            queue: VecDeque::new(),
            taken: 0,
            is_ready: false,
            candidates: Candidates::new(),
            may_begin_key: true,
            flow: 0,
            indent: None,
            indents: Vec::new(),
        }
    }

    /// Returns the next token, whose strings a caller may move out before it skips the token.
    pub(crate) fn peek(&mut self) -> Result<&mut Token, Error> {
        while !self.is_ready {
            let is_ready =
                !self.queue.is_empty() && !self.candidates.awaits(self.taken, self.cursor.mark)?;
            if is_ready {
                self.is_ready = true;
            } else {
                self.fetch()?;
            }
        }
        let cursor = &self.cursor;
        let end = || cursor.error("unexpected end");
        self.queue.front_mut().ok_or_else(end)
    }

    /// Skips the token that [`peek`](Self::peek) has returned. The end is never skipped.
    pub(crate) fn skip(&mut self) {
        if matches!(
            self.queue.front(),
            None | Some(Token {
                kind: Kind::End,
                ..
            })
        ) {
            return;
        }
        self.queue.pop_front();
        self.is_ready = false;
        self.taken += 1;
    }

    /// Adds the next tokens of the document to the queue.
    fn fetch(&mut self) -> Result<(), Error> {
        self.skip_to_token();
        self.close_blocks(Some(self.cursor.mark.column));
        let cursor = &self.cursor;
        let is_block = self.flow == 0;
        let before_space = cursor.is_space_ahead(1);
        match cursor.byte(0) {
            0 => self.fetch_end(),
            b'%' if cursor.mark.column == 0 => self.fetch_directive(),
            b'-' if cursor.is_indicator(b'-') => self.fetch_indicator(Kind::DocumentStart),
            b'.' if cursor.is_indicator(b'.') => self.fetch_indicator(Kind::DocumentEnd),
            b'[' => self.fetch_flow_start(Kind::FlowList),
            b'{' => self.fetch_flow_start(Kind::FlowMap),
            b']' => self.fetch_flow_end(Kind::FlowListEnd),
            b'}' => self.fetch_flow_end(Kind::FlowMapEnd),
            b',' => {
                self.candidates.remove()?;
                self.may_begin_key = true;
                self.add_sign(Kind::FlowEntry, 1);
                Ok(())
            }
            b'-' if before_space => self.fetch_block_entry(),
            b'?' if !is_block || before_space => self.fetch_key(),
            b':' if !is_block || before_space => self.fetch_value(),
            b'*' | b'&' | b'!' | b'\'' | b'"' => self.fetch_node_part(),
            b'|' | b'>' if is_block => {
                self.candidates.remove()?;
                self.may_begin_key = true;
                let token = self.block_scalar()?;
                self.queue.push_back(token);
                Ok(())
            }
            _ if self.begins_plain() => self.fetch_node_part(),
            _ => Err(self.cursor.error(format!(
                "{} cannot begin a value; quote the string",
                self.found()
            ))),
        }
    }

    /// Returns the character at the cursor for messages.
    fn found(&self) -> String {
        match self.cursor.byte(0) {
            b'\t' => "a tab".to_owned(),
            byte if byte.is_ascii_graphic() => format!("`{}`", char::from(byte)),
            _ => "this character".to_owned(),
        }
    }

    /// Returns true at a character that begins a plain scalar.
    fn begins_plain(&self) -> bool {
        let cursor = &self.cursor;
        match cursor.byte(0) {
            b'?' | b':' => self.flow == 0 && !cursor.is_space_ahead(1),
            b',' | b'[' | b']' | b'{' | b'}' | b'#' | b'&' | b'*' | b'!' | b'|' | b'>' | b'\''
            | b'"' | b'%' | b'@' | b'`' => false,
            _ => !cursor.is_space(),
        }
    }

    /// Skips spaces, comments and line breaks.
    fn skip_to_token(&mut self) {
        loop {
            // A tab may separate tokens, but must not indent a block.
            while self.cursor.is(b' ')
                || self.cursor.is(b'\t') && (self.flow > 0 || !self.may_begin_key)
            {
                self.cursor.skip();
            }
            self.cursor.skip_comment();
            if !self.cursor.is_break() {
                return;
            }
            self.cursor.skip_break();
            if self.flow == 0 {
                self.may_begin_key = true;
            }
        }
    }

    /// Returns the number of the next token that is added to the queue.
    fn next_token(&self) -> usize {
        self.taken + self.queue.len()
    }

    /// Adds a token of a number of characters.
    fn add_sign(&mut self, kind: Kind, length: usize) {
        let mark = self.cursor.mark;
        for _ in 0..length {
            self.cursor.skip();
        }
        self.queue.push_back(Token { kind, mark });
    }

    /// Inserts a token before the token with the number `before`, or appends the token if the
    /// token with that number has been consumed.
    fn insert(&mut self, before: usize, kind: Kind, mark: Mark) {
        let token = Token { kind, mark };
        match before.checked_sub(self.taken) {
            Some(at) if at < self.queue.len() => self.queue.insert(at, token),
            _ => self.queue.push_back(token),
        }
    }

    /// Opens a block collection at a column that is deeper than the current one.
    fn open_block(&mut self, kind: Kind, mark: Mark, before: Option<usize>) {
        if self.flow > 0 || self.indent.is_some_and(|indent| indent >= mark.column) {
            return;
        }
        self.indents.push(self.indent);
        self.indent = Some(mark.column);
        match before {
            Some(before) => self.insert(before, kind, mark),
            None => self.queue.push_back(Token { kind, mark }),
        }
    }

    /// Closes the block collections that are deeper than a column; all for `None`.
    fn close_blocks(&mut self, column: Option<usize>) {
        if self.flow > 0 {
            return;
        }
        while self.indent > column {
            let mark = self.cursor.mark;
            self.queue.push_back(Token {
                kind: Kind::BlockEnd,
                mark,
            });
            self.indent = self.indents.pop().flatten();
        }
    }

    fn fetch_end(&mut self) -> Result<(), Error> {
        self.cursor.end_line();
        self.leave_content()?;
        self.add_sign(Kind::End, 0);
        Ok(())
    }

    /// Closes the blocks of a document before its end or a directive.
    fn leave_content(&mut self) -> Result<(), Error> {
        self.close_blocks(None);
        self.candidates.remove()?;
        self.may_begin_key = false;
        Ok(())
    }

    fn fetch_directive(&mut self) -> Result<(), Error> {
        self.leave_content()?;
        let token = self.directive()?;
        self.queue.push_back(token);
        Ok(())
    }

    fn fetch_indicator(&mut self, kind: Kind) -> Result<(), Error> {
        self.leave_content()?;
        self.add_sign(kind, 3);
        Ok(())
    }

    /// Makes the next token a candidate for a key.
    fn save_candidate(&mut self) -> Result<(), Error> {
        if !self.may_begin_key {
            return Ok(());
        }
        let mark = self.cursor.mark;
        let is_required = self.flow == 0 && self.indent == Some(mark.column);
        self.candidates.save(self.next_token(), is_required, mark)
    }

    fn fetch_flow_start(&mut self, kind: Kind) -> Result<(), Error> {
        self.save_candidate()?;
        self.candidates.open_level(self.next_token());
        self.flow += 1;
        self.may_begin_key = true;
        self.add_sign(kind, 1);
        Ok(())
    }

    fn fetch_flow_end(&mut self, kind: Kind) -> Result<(), Error> {
        self.candidates.remove()?;
        if self.flow > 0 {
            self.flow -= 1;
            self.candidates.close_level();
        }
        self.may_begin_key = false;
        self.add_sign(kind, 1);
        Ok(())
    }

    fn fetch_block_entry(&mut self) -> Result<(), Error> {
        if self.flow == 0 {
            if !self.may_begin_key {
                return Err(self.misplaced("`-`"));
            }
            self.open_block(Kind::BlockList, self.cursor.mark, None);
        }
        self.candidates.remove()?;
        self.may_begin_key = true;
        self.add_sign(Kind::BlockEntry, 1);
        Ok(())
    }

    fn fetch_key(&mut self) -> Result<(), Error> {
        if self.flow == 0 {
            if !self.may_begin_key {
                return Err(self.misplaced("`?`"));
            }
            self.open_block(Kind::BlockMap, self.cursor.mark, None);
        }
        self.candidates.remove()?;
        self.may_begin_key = self.flow == 0;
        self.add_sign(Kind::Key, 1);
        Ok(())
    }

    fn fetch_value(&mut self) -> Result<(), Error> {
        let now = self.cursor.mark;
        if let Some(key) = self.candidates.take(now)? {
            self.insert(key.token, Kind::Key, key.mark);
            self.open_block(Kind::BlockMap, key.mark, Some(key.token));
            self.may_begin_key = false;
        } else {
            if self.flow == 0 {
                if !self.may_begin_key {
                    return Err(self.misplaced("`:`"));
                }
                self.open_block(Kind::BlockMap, now, None);
            }
            self.may_begin_key = self.flow == 0;
        }
        self.add_sign(Kind::Value, 1);
        Ok(())
    }

    fn misplaced(&self, sign: &str) -> Error {
        let text = format!("{sign} is not allowed here; quote the string, or begin a new line");
        self.cursor.error(text)
    }

    /// Adds a token that can be a key, or begin one.
    fn fetch_node_part(&mut self) -> Result<(), Error> {
        self.save_candidate()?;
        self.may_begin_key = false;
        let token = match self.cursor.byte(0) {
            b'*' => self.alias()?,
            b'&' => self.anchor()?,
            b'!' => self.tag()?,
            b'\'' | b'"' => self.quoted()?,
            _ => self.plain()?,
        };
        self.queue.push_back(token);
        Ok(())
    }
}
