//! What an expression may name, and how it becomes a program.

use core::fmt;

use crate::check::{self, Refused};
use crate::code::Program;
use crate::shapes::{ShapeId, Shapes};

/// What an expression may name: `self`, `oldSelf`, and the functions of an API server.
#[derive(Clone, Copy, Debug)]
pub struct Environment<'s> {
    shapes: &'s Shapes,
    this: ShapeId,
    optional_old_self: bool,
}

/// Why an expression is refused, as an API server words it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum CompileError {
    /// It is not an expression, or its types do not fit.
    Compilation(String),
    /// What is computed in advance fails.
    Instantiation(String),
}

impl<'s> Environment<'s> {
    /// Expressions about values of this shape.
    #[must_use]
    pub const fn new(shapes: &'s Shapes, this: ShapeId) -> Self {
        Self {
            shapes,
            this,
            optional_old_self: false,
        }
    }

    /// The same, where `oldSelf` is an optional value: `optionalOldSelf` of a rule.
    #[must_use]
    pub const fn optional_old_self(mut self, is_optional: bool) -> Self {
        self.optional_old_self = is_optional;
        self
    }

    /// Checks an expression, and makes a program of it.
    ///
    /// # Errors
    ///
    /// What an API server's compiler says.
    pub fn compile(&self, source: &str) -> Result<Program, CompileError> {
        check::compile(self.shapes, self.this, source, self.optional_old_self).map_err(|refused| {
            match refused {
                Refused::Compilation(problem) => CompileError::Compilation(problem),
                Refused::Instantiation(problem) => CompileError::Instantiation(problem),
            }
        })
    }
}

impl fmt::Display for CompileError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Compilation(problem) => write!(f, "compilation failed: {problem}"),
            Self::Instantiation(problem) => write!(f, "program instantiation failed: {problem}"),
        }
    }
}

impl core::error::Error for CompileError {}
