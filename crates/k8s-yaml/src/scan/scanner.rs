//! The scanner, which finds out the type of the next token and reads the token.

use std::collections::VecDeque;

use super::cursor::Cursor;
use super::simple_key::SimpleKeys;
use super::token::{Token, TokenKind};
use crate::error::{Error, Mark};

/// A scanner of a document.
#[derive(Debug)]
pub(crate) struct Scanner<'t> {
    pub(super) cursor: Cursor<'t>,
    queue: VecDeque<Token>,
    /// The number of tokens that were taken out of the queue.
    taken_count: usize,
    /// True if the scanner knows that the first token of the queue is not a simple key.
    is_ready: bool,
    simple_keys: SimpleKeys,
    pub(super) allows_simple_key: bool,
    /// The number of open flow collections.
    pub(super) flow_level: usize,
    /// The column of the innermost block collection; `None` outside of block collections.
    pub(super) indent: Option<usize>,
    /// The columns of the block collections around the innermost one.
    outer_indents: Vec<Option<usize>>,
}

impl<'t> Scanner<'t> {
    pub(crate) fn new(text: &'t str) -> Self {
        Self {
            cursor: Cursor::new(text),
            queue: VecDeque::new(),
            taken_count: 0,
            is_ready: false,
            simple_keys: SimpleKeys::new(),
            allows_simple_key: true,
            flow_level: 0,
            indent: None,
            outer_indents: Vec::new(),
        }
    }

    /// Returns the next token, whose strings a caller may move out before it skips the token.
    pub(crate) fn peek(&mut self) -> Result<&mut Token, Error> {
        while !self.is_ready {
            let is_ready = !self.queue.is_empty()
                && !self
                    .simple_keys
                    .may_become_key(self.taken_count, self.cursor.mark)?;
            if is_ready {
                self.is_ready = true;
            } else {
                self.fetch()?;
            }
        }
        let cursor = &self.cursor;
        let end_error = || cursor.error("unexpected end");
        self.queue.front_mut().ok_or_else(end_error)
    }

    /// Skips the token that [`peek`](Self::peek) has returned. The end is never skipped.
    pub(crate) fn skip(&mut self) {
        if matches!(
            self.queue.front(),
            None | Some(Token {
                kind: TokenKind::End,
                ..
            })
        ) {
            return;
        }
        self.queue.pop_front();
        self.is_ready = false;
        self.taken_count += 1;
    }

    /// Adds the next tokens of the document to the queue.
    fn fetch(&mut self) -> Result<(), Error> {
        self.skip_to_token();
        self.close_blocks(Some(self.cursor.mark.column));
        let cursor = &self.cursor;
        let is_block = self.flow_level == 0;
        let is_before_space = cursor.is_space_at(1);
        match cursor.byte(0) {
            0 => self.fetch_end(),
            b'%' if cursor.mark.column == 0 => self.fetch_directive(),
            b'-' if cursor.is_document_marker(b'-') => {
                self.fetch_document_marker(TokenKind::DocumentStart)
            }
            b'.' if cursor.is_document_marker(b'.') => {
                self.fetch_document_marker(TokenKind::DocumentEnd)
            }
            b'[' => self.fetch_flow_start(TokenKind::FlowList),
            b'{' => self.fetch_flow_start(TokenKind::FlowMap),
            b']' => self.fetch_flow_end(TokenKind::FlowListEnd),
            b'}' => self.fetch_flow_end(TokenKind::FlowMapEnd),
            b',' => {
                self.simple_keys.remove()?;
                self.allows_simple_key = true;
                self.push_token(TokenKind::FlowEntry, 1);
                Ok(())
            }
            b'-' if is_before_space => self.fetch_block_entry(),
            b'?' if !is_block || is_before_space => self.fetch_key(),
            b':' if !is_block || is_before_space => self.fetch_value(),
            b'*' | b'&' | b'!' | b'\'' | b'"' => self.fetch_node_part(),
            b'|' | b'>' if is_block => {
                self.simple_keys.remove()?;
                self.allows_simple_key = true;
                let token = self.scan_block_scalar()?;
                self.queue.push_back(token);
                Ok(())
            }
            // A tab is skipped unless a block may begin here.
            b'\t' => Err(self.cursor.tab_indentation_error()),
            _ if self.starts_plain_scalar() => self.fetch_node_part(),
            _ => Err(self.cursor.error(format!(
                "{} cannot begin a value; quote the string",
                self.describe_character()
            ))),
        }
    }

    /// Returns the character at the cursor for messages.
    fn describe_character(&self) -> String {
        match self.cursor.byte(0) {
            byte if byte.is_ascii_graphic() => format!("`{}`", char::from(byte)),
            _ => "this character".to_owned(),
        }
    }

    /// Returns true at a character that begins a plain scalar.
    fn starts_plain_scalar(&self) -> bool {
        let cursor = &self.cursor;
        match cursor.byte(0) {
            b'?' | b':' => self.flow_level == 0 && !cursor.is_space_at(1),
            b',' | b'[' | b']' | b'{' | b'}' | b'#' | b'&' | b'*' | b'!' | b'|' | b'>' | b'\''
            | b'"' | b'%' | b'@' | b'`' => false,
            _ => !cursor.is_space(),
        }
    }

    /// Skips spaces, comments and line breaks.
    fn skip_to_token(&mut self) {
        loop {
            // A tab may separate tokens, but must not indent a block.
            while self.cursor.is_byte(b' ')
                || self.cursor.is_byte(b'\t') && (self.flow_level > 0 || !self.allows_simple_key)
            {
                self.cursor.skip();
            }
            self.cursor.skip_comment();
            if !self.cursor.is_break() {
                return;
            }
            self.cursor.skip_break();
            if self.flow_level == 0 {
                self.allows_simple_key = true;
            }
        }
    }

    /// Returns the number of the next token that is added to the queue.
    fn next_token_number(&self) -> usize {
        self.taken_count + self.queue.len()
    }

    /// Adds a token of `length` characters at the cursor, and skips the characters.
    fn push_token(&mut self, kind: TokenKind, length: usize) {
        let mark = self.cursor.mark;
        for _ in 0..length {
            self.cursor.skip();
        }
        self.queue.push_back(Token { kind, mark });
    }

    /// Inserts a token before the token with the number `token_number`. If the queue does not
    /// contain the numbered token, appends the new token.
    fn insert(&mut self, token_number: usize, kind: TokenKind, mark: Mark) {
        let token = Token { kind, mark };
        match token_number.checked_sub(self.taken_count) {
            Some(index) if index < self.queue.len() => self.queue.insert(index, token),
            _ => self.queue.push_back(token),
        }
    }

    /// Opens a block collection if the column of `mark` is deeper than the current block. The token
    /// is inserted before the token with the number `key_token_number`, or else appended: a map
    /// that begins with a simple key opens before the tokens of the key.
    fn open_block(&mut self, kind: TokenKind, mark: Mark, key_token_number: Option<usize>) {
        if self.flow_level > 0 || self.indent.is_some_and(|indent| indent >= mark.column) {
            return;
        }
        self.outer_indents.push(self.indent);
        self.indent = Some(mark.column);
        match key_token_number {
            Some(key_token_number) => self.insert(key_token_number, kind, mark),
            None => self.queue.push_back(Token { kind, mark }),
        }
    }

    /// Closes the block collections that are deeper than a column; closes all for `None`.
    fn close_blocks(&mut self, column: Option<usize>) {
        if self.flow_level > 0 {
            return;
        }
        while self.indent > column {
            let mark = self.cursor.mark;
            self.queue.push_back(Token {
                kind: TokenKind::BlockEnd,
                mark,
            });
            self.indent = self.outer_indents.pop().flatten();
        }
    }

    fn fetch_end(&mut self) -> Result<(), Error> {
        self.cursor.end_line();
        self.leave_content()?;
        self.push_token(TokenKind::End, 0);
        Ok(())
    }

    /// Closes the blocks of a document before its end or a directive.
    fn leave_content(&mut self) -> Result<(), Error> {
        self.close_blocks(None);
        self.simple_keys.remove()?;
        self.allows_simple_key = false;
        Ok(())
    }

    fn fetch_directive(&mut self) -> Result<(), Error> {
        self.leave_content()?;
        let token = self.scan_directive()?;
        self.queue.push_back(token);
        Ok(())
    }

    fn fetch_document_marker(&mut self, kind: TokenKind) -> Result<(), Error> {
        self.leave_content()?;
        self.push_token(kind, 3);
        Ok(())
    }

    /// Saves the next token as a possible simple key.
    fn save_simple_key(&mut self) -> Result<(), Error> {
        if !self.allows_simple_key {
            return Ok(());
        }
        let mark = self.cursor.mark;
        let is_required = self.flow_level == 0 && self.indent == Some(mark.column);
        self.simple_keys
            .save(self.next_token_number(), is_required, mark)
    }

    fn fetch_flow_start(&mut self, kind: TokenKind) -> Result<(), Error> {
        self.save_simple_key()?;
        self.simple_keys.open_level(self.next_token_number());
        self.flow_level += 1;
        self.allows_simple_key = true;
        self.push_token(kind, 1);
        Ok(())
    }

    fn fetch_flow_end(&mut self, kind: TokenKind) -> Result<(), Error> {
        self.simple_keys.remove()?;
        if self.flow_level > 0 {
            self.flow_level -= 1;
            self.simple_keys.close_level();
        }
        self.allows_simple_key = false;
        self.push_token(kind, 1);
        Ok(())
    }

    fn fetch_block_entry(&mut self) -> Result<(), Error> {
        if self.flow_level == 0 {
            if !self.allows_simple_key {
                return Err(self.misplaced_error("`-`"));
            }
            self.open_block(TokenKind::BlockList, self.cursor.mark, None);
        }
        self.simple_keys.remove()?;
        self.allows_simple_key = true;
        self.push_token(TokenKind::BlockEntry, 1);
        Ok(())
    }

    fn fetch_key(&mut self) -> Result<(), Error> {
        if self.flow_level == 0 {
            if !self.allows_simple_key {
                return Err(self.misplaced_error("`?`"));
            }
            self.open_block(TokenKind::BlockMap, self.cursor.mark, None);
        }
        self.simple_keys.remove()?;
        self.allows_simple_key = self.flow_level == 0;
        self.push_token(TokenKind::Key, 1);
        Ok(())
    }

    fn fetch_value(&mut self) -> Result<(), Error> {
        let now = self.cursor.mark;
        if let Some(key) = self.simple_keys.take(now)? {
            self.insert(key.token_number, TokenKind::Key, key.mark);
            self.open_block(TokenKind::BlockMap, key.mark, Some(key.token_number));
            self.allows_simple_key = false;
        } else {
            if self.flow_level == 0 {
                if !self.allows_simple_key {
                    return Err(self.misplaced_error("`:`"));
                }
                self.open_block(TokenKind::BlockMap, now, None);
            }
            self.allows_simple_key = self.flow_level == 0;
        }
        self.push_token(TokenKind::Value, 1);
        Ok(())
    }

    fn misplaced_error(&self, indicator: &str) -> Error {
        let message =
            format!("{indicator} is not allowed here; quote the string, or begin a new line");
        self.cursor.error(message)
    }

    /// Adds a token that can be a simple key or the beginning of a simple key.
    fn fetch_node_part(&mut self) -> Result<(), Error> {
        self.save_simple_key()?;
        self.allows_simple_key = false;
        let token = match self.cursor.byte(0) {
            b'*' => self.scan_alias()?,
            b'&' => self.scan_anchor()?,
            b'!' => self.scan_tag()?,
            b'\'' | b'"' => self.scan_quoted_scalar()?,
            _ => self.scan_plain_scalar()?,
        };
        self.queue.push_back(token);
        Ok(())
    }
}
