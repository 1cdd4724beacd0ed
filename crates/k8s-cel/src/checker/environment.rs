//! What an expression may name, and how it becomes a program.

use super::compile::{Scope, compile};
use super::error::CompileError;
use crate::interpreter::program::Program;
use crate::pattern::LARGEST_IN_ALL;
use crate::types::declared::{DeclaredId, DeclaredTypes};
use crate::types::version::Version;

/// What an expression may name: `self`, `oldSelf`, which is what `self` was before an update, and the functions of an API server.
#[derive(Clone, Copy, Debug)]
pub struct Environment<'s> {
    scope: Scope<'s>,
}

impl<'s> Environment<'s> {
    /// Expressions about values of the declared type at this place: [`DeclaredTypes::ROOT`] for the outermost one. Values of a type
    /// that expressions do not see are `dyn`.
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

    /// The same, where `oldSelf` is an optional value: `optionalOldSelf` of a rule.
    #[must_use]
    pub const fn optional_old_self(mut self, is_optional: bool) -> Self {
        self.scope.optional_old_self = is_optional;
        self
    }

    /// The same, with the functions that this version of the server's libraries has: [`Version::LATEST`] if nobody says otherwise.
    #[must_use]
    pub const fn version(mut self, version: Version) -> Self {
        self.scope.version = version;
        self
    }

    /// The same, where regular expressions that stand in the expression may weigh so much, of [`pattern::LARGEST_IN_ALL`]: what is left of
    /// that by other expressions of the schema, each of [`Program::pattern_weight`].
    ///
    /// [`pattern::LARGEST_IN_ALL`]: LARGEST_IN_ALL
    #[must_use]
    pub const fn pattern_room(mut self, weight: u64) -> Self {
        self.scope.pattern_room = weight;
        self
    }

    /// Checks an expression, and makes a program of it. Macros are those of an API server, the ones with two variables too.
    ///
    /// # Errors
    ///
    /// What an API server's compiler says, with the place and the line of each problem. Expressions of more than 100,000 bytes, 200
    /// levels or 64 open brackets are refused too.
    pub fn compile(&self, source: &str) -> Result<Program, CompileError> {
        compile(self.scope, source)
    }
}
