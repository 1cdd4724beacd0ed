//! The source of a CEL expression, parsed to a tree.
//!
//! The `cel` crate's parser is not used: it does not keep positions for the errors of a type check,
//! does not support macros with two variables or `cel.bind`, and recurses once for each operator of
//! a chain.
//!
//! The module is for programs that read rules without running them:
//!
//! ```
//! use k8s_cel::KubeVersion;
//! use k8s_cel::syntax::{AstKind, parse};
//!
//! let rule = parse("!has(self.a) || self.d == 'A'", KubeVersion::LATEST)
//!     .expect("it is an expression");
//! let AstKind::Call { function, args, .. } = &rule.kind else { unreachable!() };
//! assert_eq!((&**function, args.len()), ("_||_", 2));
//! // Macros are expanded: `has` is a selection that is a test.
//! let AstKind::Call { args, .. } = &args[0].kind else { unreachable!() };
//! assert!(matches!(&args[0].kind, AstKind::Select { field, test_only: true, .. } if field == "a"));
//! ```
//!
//! Operators are calls of functions with names such as `_&&_`, `!_`, `_?_:_`, `_==_`, `@in`,
//! `_[_]`, `_?._`. A tree has at most 200 levels, so a walk over it does not need another limit of
//! its depth.

mod ast;
mod error_recovery;
mod lexer;
mod literal;
mod macros;
mod parser;
mod source_error;
mod token;

pub use ast::{Ast, AstKind, Comprehension, Element, Entry, Literal};
pub use parser::parse;
pub(crate) use parser::parse_rule;
pub use source_error::{SourceError, SourceErrors};
