//! The errors of expressions that do not compile.

use core::error::Error;
use core::fmt;

use crate::syntax::SourceErrors;

/// The reason that an expression does not compile. `Display` prints the message of an API server.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum CompileError {
    /// A syntax error of the source, or a mismatch of its types.
    Compilation(SourceErrors),
    /// An error of a part that is evaluated in advance.
    #[non_exhaustive]
    Instantiation {
        /// The message of the server for the part.
        message: String,
    },
}

impl fmt::Display for CompileError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Compilation(problems) => write!(f, "compilation failed: {problems}"),
            Self::Instantiation { message: problem } => {
                write!(f, "program instantiation failed: {problem}")
            }
        }
    }
}

impl Error for CompileError {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        match self {
            Self::Compilation(problems) => Some(problems),
            Self::Instantiation { .. } => None,
        }
    }
}
