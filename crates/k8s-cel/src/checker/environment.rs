//! The environment of an expression, and the compiler.

use super::compile::{Scope, compile};
use super::error::CompileError;
use crate::interpreter::program::Program;
use crate::pattern::LARGEST_IN_ALL;
use crate::types::declared::{DeclaredId, DeclaredTypes};
use crate::types::version::Version;

/// An environment of expressions: the variables `self` and `oldSelf`, which is the value of `self`
/// before an update, and the functions of an API server.
#[derive(Clone, Copy, Debug)]
pub struct Environment<'s> {
    scope: Scope<'s>,
}

impl<'s> Environment<'s> {
    /// Returns an environment for values of a declared type: [`DeclaredTypes::ROOT`] is the
    /// outermost type. Values of a type that expressions do not see are `dyn`.
    #[must_use]
    pub const fn new(declared: &'s DeclaredTypes, this: DeclaredId) -> Self {
        Self {
            scope: Scope {
                declared,
                this,
                optional_old_self: false,
                version: Version::LATEST,
                pattern_room: LARGEST_IN_ALL,
            },
        }
    }

    /// Sets whether `oldSelf` is an optional value: `optionalOldSelf` of a rule.
    #[must_use]
    pub const fn optional_old_self(mut self, is_optional: bool) -> Self {
        self.scope.optional_old_self = is_optional;
        self
    }

    /// Sets the version of the server's libraries, which decides which functions exist. The default
    /// is [`Version::LATEST`].
    #[must_use]
    pub const fn version(mut self, version: Version) -> Self {
        self.scope.version = version;
        self
    }

    /// Sets the maximum weight of the regular expressions that are literals of the expression. The
    /// default is [`pattern::LARGEST_IN_ALL`], the limit for all expressions of a schema together;
    /// subtract the [`Program::pattern_weight`] of the others.
    ///
    /// [`pattern::LARGEST_IN_ALL`]: LARGEST_IN_ALL
    #[must_use]
    pub const fn pattern_room(mut self, weight: u64) -> Self {
        self.scope.pattern_room = weight;
        self
    }

    /// Checks an expression, and compiles it to a program. The macros are the macros of an API
    /// server, including the macros with two variables.
    ///
    /// # Errors
    ///
    /// Returns an error if an API server's compiler rejects the expression, with its messages and
    /// the position and the line of each problem. Returns an error too if the expression has more
    /// than 100,000 bytes, 200 levels or 64 open brackets.
    pub fn compile(&self, source: &str) -> Result<Program, CompileError> {
        compile(self.scope, source)
    }
}
