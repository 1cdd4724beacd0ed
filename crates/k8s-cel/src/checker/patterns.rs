//! The regular expressions that an expression has as literals.

use std::collections::HashMap;
use std::sync::Arc;

use crate::pattern::Finder;

/// Compiles them, once each, within a room.
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

    /// What they weigh so far.
    pub(super) const fn weight(&self) -> u64 {
        self.weight
    }

    /// Compiles one; what is wrong with it, in the words of the server.
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
