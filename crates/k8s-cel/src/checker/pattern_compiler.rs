//! The regular expressions that are literals of an expression.

use std::collections::HashMap;
use std::sync::Arc;

use crate::pattern::Matcher;

/// A compiler of regular expressions. It compiles each expression once, within a limit of the total
/// weight.
pub(super) struct PatternCompiler {
    size_limit: u64,
    size: u64,
    known: HashMap<Box<str>, Result<Arc<Matcher>, String>>,
}

impl PatternCompiler {
    pub(super) fn new(room: u64) -> Self {
        Self {
            size_limit: room,
            size: 0,
            known: HashMap::new(),
        }
    }

    /// Returns the total weight so far.
    pub(super) const fn size(&self) -> u64 {
        self.size
    }

    /// Compiles a regular expression. The error is the message of the server.
    pub(super) fn compile(&mut self, pattern: &str) -> Result<Arc<Matcher>, String> {
        if let Some(known) = self.known.get(pattern) {
            return known.clone();
        }
        let room = self.size_limit.saturating_sub(self.size);
        let compiled = Matcher::compile(pattern, room).map(Arc::new);
        if let Ok(finder) = &compiled {
            self.size = self.size.saturating_add(finder.size);
        }
        self.known.insert(pattern.into(), compiled.clone());
        compiled
    }
}
