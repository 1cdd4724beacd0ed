//! The keys that are recognized only at their `:`.

use std::collections::HashMap;

use crate::error::{Error, Mark};

/// The greatest number of characters between the beginning of a key and its `:`.
const MAX_KEY_LENGTH: usize = 1024;

/// A token that may begin a key.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Candidate {
    is_possible: bool,
    /// True if a block mapping cannot continue without a key here.
    is_required: bool,
    /// The number of the token.
    pub(super) token: usize,
    pub(super) mark: Mark,
}

/// The candidates for keys: one for each level of flow collections.
#[derive(Debug)]
pub(super) struct Candidates {
    levels: Vec<Candidate>,
    /// The level of each candidate, by the number of its token. As in libyaml, only the candidate
    /// that is the next token is checked, and removing a level removes its token from this map;
    /// both affect which tokens become keys.
    by_token: HashMap<usize, usize>,
}

impl Candidates {
    pub(super) fn new() -> Self {
        Self {
            levels: vec![Candidate::default()],
            by_token: HashMap::new(),
        }
    }

    /// Returns true if a token may still become a key.
    pub(super) fn awaits(&mut self, token: usize, now: Mark) -> Result<bool, Error> {
        let level = self.by_token.get(&token);
        match level.and_then(|level| self.levels.get_mut(*level)) {
            Some(candidate) => candidate.is_valid(now),
            None => Ok(false),
        }
    }

    /// Returns the candidate of this level, if it is still possible, and forgets it.
    pub(super) fn take(&mut self, now: Mark) -> Result<Option<Candidate>, Error> {
        let Some(candidate) = self.levels.last_mut() else {
            return Ok(None);
        };
        if !candidate.is_valid(now)? {
            return Ok(None);
        }
        candidate.is_possible = false;
        let found = *candidate;
        self.by_token.remove(&found.token);
        Ok(Some(found))
    }

    /// Makes a token the candidate of this level.
    pub(super) fn save(
        &mut self,
        token: usize,
        is_required: bool,
        mark: Mark,
    ) -> Result<(), Error> {
        self.remove()?;
        if let Some(last) = self.levels.last_mut() {
            *last = Candidate {
                is_possible: true,
                is_required,
                token,
                mark,
            };
        }
        self.by_token.insert(token, self.levels.len() - 1);
        Ok(())
    }

    /// Forgets the candidate of this level.
    pub(super) fn remove(&mut self) -> Result<(), Error> {
        if let Some(last) = self.levels.last_mut().filter(|last| last.is_possible) {
            if last.is_required {
                return Err(no_colon(last.mark));
            }
            last.is_possible = false;
            self.by_token.remove(&last.token);
        }
        Ok(())
    }

    pub(super) fn open_level(&mut self, token: usize) {
        self.levels.push(Candidate {
            token,
            ..Candidate::default()
        });
    }

    pub(super) fn close_level(&mut self) {
        if let Some(closed) = self.levels.pop() {
            self.by_token.remove(&closed.token);
        }
    }
}

impl Candidate {
    fn is_valid(&mut self, now: Mark) -> Result<bool, Error> {
        if !self.is_possible {
            return Ok(false);
        }
        if self.mark.line < now.line || self.mark.index + MAX_KEY_LENGTH < now.index {
            if self.is_required {
                return Err(no_colon(self.mark));
            }
            self.is_possible = false;
        }
        Ok(self.is_possible)
    }
}

fn no_colon(mark: Mark) -> Error {
    Error::yaml(mark, "expected `:` after the key, in the same line")
}
