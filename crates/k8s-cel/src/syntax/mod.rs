//! The text of a CEL expression, as a tree.
//!
//! The `cel` crate's parser is not used for this: it keeps no places for the errors of a type check, it knows neither
//! macros with two variables nor `cel.bind`, and long chains of operators make it recurse as deep as they are long.
//!
//! For programs that read rules without running them:
//!
//! ```
//! use k8s_cel::Version;
//! use k8s_cel::syntax::{AstKind, parse};
//!
//! let rule = parse("!has(self.a) || self.d == 'A'", Version::LATEST).expect("it is an expression");
//! let AstKind::Call { function, args, .. } = &rule.kind else { unreachable!() };
//! assert_eq!((&**function, args.len()), ("_||_", 2));
//! // Macros are expanded: `has` is a selection that is a test.
//! let AstKind::Call { args, .. } = &args[0].kind else { unreachable!() };
//! assert!(matches!(&args[0].kind, AstKind::Select { field, test: true, .. } if field == "a"));
//! ```
//!
//! Operators are calls of functions that are named as `_&&_`, `!_`, `_?_:_`, `_==_`, `@in`, `_[_]`, `_?._`; a tree has at most
//! 200 levels, so that a walk over it needs no other limit of its depth.

mod ast;
mod diagnose;
mod lexer;
mod literal;
mod macros;
mod parser;
mod problem;
mod token;

pub use ast::{Ast, AstKind, Element, Entry, Fold, Literal};
pub use parser::parse;
pub use problem::{Problem, Problems};
