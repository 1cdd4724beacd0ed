//! The environment of an expression, and the compiler.

use super::compile::{EnvironmentOptions, compile};
use super::error::CompileError;
use crate::interpreter::program::Program;
use crate::pattern::MAX_TOTAL_SIZE;
use crate::types::declared::{DeclaredId, DeclaredTypes};
use crate::types::feature::RuleVersions;
use crate::types::version::KubeVersion;

/// An environment of expressions: the variables `self` and `oldSelf` (the value of `self` before an
/// update), and the functions of an API server.
#[derive(Clone, Copy, Debug)]
pub struct Environment<'s> {
    options: EnvironmentOptions<'s>,
}

impl<'s> Environment<'s> {
    /// Returns an environment whose `self` has the declared type `self_type`.
    /// [`DeclaredTypes::ROOT`] is the outermost type. If expressions cannot read values of the
    /// declared type, `self` is `dyn`. The version of the server is
    /// [`DeclaredTypes::server_version`], which decides which functions exist.
    #[must_use]
    pub const fn new(declared_types: &'s DeclaredTypes, self_type: DeclaredId) -> Self {
        Self {
            options: EnvironmentOptions {
                declared_types,
                self_type,
                optional_old_self: false,
                version: RuleVersions::of_stored_rules(declared_types.server_version()),
                pattern_size_limit: MAX_TOTAL_SIZE,
            },
        }
    }

    /// Sets whether `oldSelf` is an optional value, as `optionalOldSelf` of a rule does.
    #[must_use]
    pub const fn optional_old_self(mut self, is_optional: bool) -> Self {
        self.options.optional_old_self = is_optional;
        self
    }

    /// Sets the version of the libraries: new rules have the libraries of
    /// [`KubeVersion::of_new_rules`], and the language of the server's version. The default is the
    /// server's version.
    #[must_use]
    pub const fn libraries(mut self, version: KubeVersion) -> Self {
        self.options.version.libraries = version;
        self
    }

    /// Sets the maximum total compiled size of the regular expressions that are literals of the
    /// expression. The default is [`pattern::MAX_TOTAL_SIZE`], the limit for all expressions of a
    /// schema together; subtract the [`Program::pattern_size`] of the schema's other expressions.
    ///
    /// [`pattern::MAX_TOTAL_SIZE`]: MAX_TOTAL_SIZE
    #[must_use]
    pub const fn pattern_size_limit(mut self, size: u64) -> Self {
        self.options.pattern_size_limit = size;
        self
    }

    /// Compiles an expression to a program after checking its types. The macros are the macros of
    /// an API server, including the macros with two variables.
    ///
    /// # Errors
    ///
    /// Returns an error if an API server's compiler rejects the expression, with the server's
    /// messages and the position and the line of each error. Also returns an error if the
    /// expression exceeds a limit of this crate: 100,000 bytes, 64 nested expressions, or a syntax
    /// tree of 200 levels or 200,000 nodes.
    pub fn compile(&self, source: &str) -> Result<Program, CompileError> {
        compile(self.options, source)
    }
}
