//! Parses the source of a CEL expression to a syntax tree.
//!
//! The parser of the `cel` crate is not used: it does not keep positions for the errors of a type
//! check, does not support macros with two variables, and recurses for each operator of a chain.
//!
//! Programs that read rules without running them can use this module:
//!
//! ```
//! use k8s_cel::KubeVersion;
//! use k8s_cel::syntax::{AstKind, parse};
//!
//! let rule = parse("!has(self.a) || self.d == 'A'", KubeVersion::LATEST)
//!     .expect("a valid expression");
//! let AstKind::Call { function, args, .. } = &rule.kind else { unreachable!() };
//! assert_eq!((&**function, args.len()), ("_||_", 2));
//! // Macros are expanded: `has` is a selection with `test_only`.
//! let AstKind::Call { args, .. } = &args[0].kind else { unreachable!() };
//! let AstKind::Select { field, test_only, .. } = &args[0].kind else { unreachable!() };
//! assert!(*test_only && field == "a");
//! ```
//!
//! Operators are calls of functions with names such as `_&&_`, `!_`, `_?_:_`, `_==_`, `@in`,
//! `_[_]`, `_?._`. A tree has at most 200 levels, so recursive visitors need no other limit.

mod ast;
mod error_recovery;
mod lexer;
mod literal;
mod macros;
mod parser;
mod source_error;
mod token;

pub use ast::{Ast, AstKind, Comprehension, Element, Entry, Literal};
pub(crate) use macros::ACCUMULATOR;
pub use parser::parse;
pub(crate) use parser::parse_rule;
pub use source_error::{SourceError, SourceErrors};
