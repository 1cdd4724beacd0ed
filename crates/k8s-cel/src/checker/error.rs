//! Compile errors of expressions.

use core::error::Error;
use core::fmt;

use crate::syntax::SourceErrors;

/// An error of an expression that does not compile. `Display` prints the message of an API server.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum CompileError {
    /// Syntax errors and type mismatches of the source.
    Compilation(SourceErrors),
    /// An error of a constant part of the expression, which the compiler evaluates.
    #[non_exhaustive]
    Instantiation {
        /// The server's message for the constant part.
        message: String,
    },
}

impl fmt::Display for CompileError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Compilation(errors) => write!(f, "compilation failed: {errors}"),
            Self::Instantiation { message } => {
                write!(f, "program instantiation failed: {message}")
            }
        }
    }
}

impl Error for CompileError {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        match self {
            Self::Compilation(errors) => Some(errors),
            Self::Instantiation { .. } => None,
        }
    }
}
