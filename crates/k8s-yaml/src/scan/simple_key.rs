//! Simple keys: keys without `?`, which are recognized only at their `:`.

use std::collections::HashMap;

use crate::error::{Error, Mark};

/// The maximum number of characters between the beginning of a key and its `:`.
const MAX_KEY_LENGTH: usize = 1024;

/// A token that may begin a simple key.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct SimpleKey {
    is_possible: bool,
    /// True if a block mapping cannot continue without a key here.
    is_required: bool,
    /// The number of the token in the document.
    pub(super) token_number: usize,
    pub(super) mark: Mark,
}

/// The possible simple keys: one for each level of flow collections.
#[derive(Debug)]
pub(super) struct SimpleKeys {
    levels: Vec<SimpleKey>,
    /// The level of each possible key, by the number of its token. As in libyaml, only the possible
    /// key that is the next token is checked, and closing a level removes its token from this map;
    /// both affect which tokens become keys.
    levels_by_token: HashMap<usize, usize>,
}

impl SimpleKeys {
    pub(super) fn new() -> Self {
        Self {
            levels: vec![SimpleKey::default()],
            levels_by_token: HashMap::new(),
        }
    }

    /// Returns true if a token may still become a key.
    pub(super) fn may_become_key(&mut self, token_number: usize, now: Mark) -> Result<bool, Error> {
        let level = self.levels_by_token.get(&token_number);
        match level.and_then(|level| self.levels.get_mut(*level)) {
            Some(simple_key) => simple_key.expire(now),
            None => Ok(false),
        }
    }

    /// Removes and returns the possible key of the current level. Returns `None` if the
    /// level does not have a possible key.
    pub(super) fn take(&mut self, now: Mark) -> Result<Option<SimpleKey>, Error> {
        let Some(simple_key) = self.levels.last_mut() else {
            return Ok(None);
        };
        if !simple_key.expire(now)? {
            return Ok(None);
        }
        simple_key.is_possible = false;
        let taken = *simple_key;
        self.levels_by_token.remove(&taken.token_number);
        Ok(Some(taken))
    }

    /// Saves a token as the possible key of the current level.
    pub(super) fn save(
        &mut self,
        token_number: usize,
        is_required: bool,
        mark: Mark,
    ) -> Result<(), Error> {
        self.remove()?;
        if let Some(last) = self.levels.last_mut() {
            *last = SimpleKey {
                is_possible: true,
                is_required,
                token_number,
                mark,
            };
        }
        self.levels_by_token
            .insert(token_number, self.levels.len() - 1);
        Ok(())
    }

    /// Removes the possible key of the current level. Returns an error if the key is required.
    pub(super) fn remove(&mut self) -> Result<(), Error> {
        if let Some(last) = self.levels.last_mut().filter(|last| last.is_possible) {
            if last.is_required {
                return Err(missing_colon_error(last.mark));
            }
            last.is_possible = false;
            self.levels_by_token.remove(&last.token_number);
        }
        Ok(())
    }

    pub(super) fn open_level(&mut self, token_number: usize) {
        self.levels.push(SimpleKey {
            token_number,
            ..SimpleKey::default()
        });
    }

    pub(super) fn close_level(&mut self) {
        if let Some(closed) = self.levels.pop() {
            self.levels_by_token.remove(&closed.token_number);
        }
    }
}

impl SimpleKey {
    /// Makes the key impossible if it is too far before `now`. Returns true if the key is still
    /// possible.
    fn expire(&mut self, now: Mark) -> Result<bool, Error> {
        if !self.is_possible {
            return Ok(false);
        }
        if self.mark.line < now.line || self.mark.index + MAX_KEY_LENGTH < now.index {
            if self.is_required {
                return Err(missing_colon_error(self.mark));
            }
            self.is_possible = false;
        }
        Ok(self.is_possible)
    }
}

fn missing_colon_error(mark: Mark) -> Error {
    Error::yaml(mark, "expected `:` after the key, in the same line")
}
