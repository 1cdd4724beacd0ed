//! Translates groups and flags.

use super::translator::{OpenGroup, Translator};
use crate::pattern::error::{PatternErrorCode, SyntaxError, prefix_before, without_first_char};

impl<'p> Translator<'p> {
    /// Translates a group or flags, which start with a parenthesis.
    pub(super) fn open_group(&mut self) -> Result<(), SyntaxError<'p>> {
        self.charge(1)?;
        let start = self.rest;
        let Some(after_mark) = start.strip_prefix("(?") else {
            self.rest = without_first_char(start);
            self.push_group();
            return Ok(());
        };
        // As in Go, `(?P<` at the end of the pattern does not start a name.
        let name = match after_mark.strip_prefix("P<") {
            Some(name) if !name.is_empty() => Some(name),
            _ => after_mark.strip_prefix('<').filter(|name| !name.is_empty()),
        };
        match name {
            Some(name) => self.translate_named_group(start, name),
            None => self.translate_group_flags(start, after_mark),
        }
    }

    /// Translates the start of a named group.
    fn translate_named_group(
        &mut self,
        start: &'p str,
        from_name: &'p str,
    ) -> Result<(), SyntaxError<'p>> {
        let Some((name, rest)) = from_name.split_once('>') else {
            return Err(PatternErrorCode::InvalidNamedCapture.error_at(start));
        };
        let is_name_byte = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'_';
        if name.is_empty() || !name.bytes().all(is_name_byte) {
            return Err(PatternErrorCode::InvalidNamedCapture.error_at(prefix_before(start, rest)));
        }
        self.rest = rest;
        self.push_group();
        Ok(())
    }

    /// Translates flags: for the group that they open, or for the rest of the enclosing group.
    fn translate_group_flags(
        &mut self,
        start: &'p str,
        after_mark: &'p str,
    ) -> Result<(), SyntaxError<'p>> {
        let mut flags = self.flags;
        let mut letters = after_mark.chars();
        let mut is_set = true;
        // True if a flag follows the last dash, as the syntax requires.
        let mut has_flag = false;
        loop {
            match letters.next() {
                Some('i') => flags.case_insensitive = is_set,
                Some('m') => flags.multi_line = is_set,
                Some('s') => flags.dot_all = is_set,
                Some('U') => flags.ungreedy = is_set,
                Some('-') if is_set => {
                    is_set = false;
                    has_flag = false;
                    continue;
                }
                Some(end @ (':' | ')')) if is_set || has_flag => {
                    self.rest = letters.as_str();
                    if end == ':' {
                        self.push_group();
                    }
                    self.flags = flags;
                    return Ok(());
                }
                _ => {
                    return Err(PatternErrorCode::InvalidPerlOp
                        .error_at(prefix_before(start, letters.as_str())));
                }
            }
            has_flag = true;
        }
    }

    /// Opens a group, and writes its start.
    fn push_group(&mut self) {
        self.groups.push(OpenGroup {
            flags: self.flags,
            max_repeats: self.max_repeats,
        });
        self.max_repeats = 1;
        self.atom_repeats = None;
        self.out.push_str("(?:");
    }

    /// Translates the end of a group.
    pub(super) fn close_group(&mut self) -> Result<(), SyntaxError<'p>> {
        let Some(group) = self.groups.pop() else {
            return Err(PatternErrorCode::UnexpectedParen.error_at(self.pattern));
        };
        self.rest = without_first_char(self.rest);
        self.flags = group.flags;
        self.atom_repeats = Some(self.max_repeats);
        self.max_repeats = self.max_repeats.max(group.max_repeats);
        self.out.push(')');
        Ok(())
    }
}
