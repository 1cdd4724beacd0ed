//! The regular expressions that are literals of an expression.

use std::collections::HashMap;
use std::sync::Arc;

use crate::pattern::Finder;

/// A compiler of regular expressions. It compiles each expression once, within a limit of the total
/// weight.
pub(super) struct Patterns {
    room: u64,
    weight: u64,
    known: HashMap<Box<str>, Result<Arc<Finder>, String>>,
}

impl Patterns {
    pub(super) fn new(room: u64) -> Self {
        Self {
            room,
            weight: 0,
            known: HashMap::new(),
        }
    }

    /// Returns the total weight so far.
    pub(super) const fn weight(&self) -> u64 {
        self.weight
    }

    /// Compiles a regular expression. The error is the message of the server.
    pub(super) fn compile(&mut self, pattern: &str) -> Result<Arc<Finder>, String> {
        if let Some(known) = self.known.get(pattern) {
            return known.clone();
        }
        let room = self.room.saturating_sub(self.weight);
        let compiled = Finder::compile(pattern, room).map(Arc::new);
        if let Ok(finder) = &compiled {
            self.weight = self.weight.saturating_add(finder.weight);
        }
        self.known.insert(pattern.into(), compiled.clone());
        compiled
    }
}
