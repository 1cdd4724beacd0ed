//! Compiles the literal regular expressions of an expression.

use std::collections::HashMap;
use std::sync::Arc;

use crate::pattern::Matcher;

/// A compiler of regular expressions. It compiles each pattern once, and limits the total compiled
/// size.
pub(super) struct PatternCompiler {
    size_limit: u64,
    size: u64,
    cache: HashMap<Box<str>, Result<Arc<Matcher>, String>>,
}

impl PatternCompiler {
    pub(super) fn new(size_limit: u64) -> Self {
        Self {
            size_limit,
            size: 0,
            cache: HashMap::new(),
        }
    }

    /// Returns the total compiled size so far.
    pub(super) const fn size(&self) -> u64 {
        self.size
    }

    /// Compiles a regular expression. The error is the server's message.
    pub(super) fn compile(&mut self, pattern: &str) -> Result<Arc<Matcher>, String> {
        if let Some(cached) = self.cache.get(pattern) {
            return cached.clone();
        }
        let remaining = self.size_limit.saturating_sub(self.size);
        let compiled = Matcher::compile(pattern, remaining).map(Arc::new);
        if let Ok(matcher) = &compiled {
            self.size = self.size.saturating_add(matcher.size);
        }
        self.cache.insert(pattern.into(), compiled.clone());
        compiled
    }
}
