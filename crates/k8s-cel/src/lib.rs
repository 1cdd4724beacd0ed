//! CEL as a Kubernetes API server runs it. The crate checks expressions, such as the rules of
//! `x-kubernetes-validations`, against declared types, estimates their costs, and evaluates them
//! over JSON. Results, error messages and costs match the server's.
//!
//! ```
//! use k8s_cel::cost::PER_CALL_LIMIT;
//! use k8s_cel::{DeclaredType, DeclaredTypes, Environment, Evaluator, Binding};
//! use serde_json::json;
//!
//! let types = DeclaredType::object([
//!     ("min", DeclaredType::int()),
//!     ("max", DeclaredType::int().nullable()),
//! ])
//! .build()?;
//! let environment = Environment::new(&types, DeclaredTypes::ROOT);
//! let program = environment.compile("!has(self.max) || self.min <= self.max")?;
//!
//! let objects = [json!({"min": 2, "max": 1}), json!({"min": 2, "max": null})];
//! let mut evaluator = Evaluator::new(&types);
//! for (object, expected) in objects.iter().zip([false, true]) {
//!     let self_binding = Binding::new(&types, object, DeclaredTypes::ROOT);
//!     let evaluation = evaluator.run(&program, &self_binding, None, PER_CALL_LIMIT);
//!     assert_eq!(evaluation.result?.as_bool(), Some(expected));
//!     assert!(evaluation.cost <= program.max_cost());
//! }
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Usage
//!
//! 1. [`DeclaredType`] declares the types of values. Its `build` returns a table,
//!    [`DeclaredTypes`]. A program that reads a schema can create the table from
//!    [`declared::Declaration`]s instead; the costs are the same.
//! 2. [`Environment::compile`] checks an expression, as a server does when a CRD is created, and
//!    returns a [`Program`]. Compare [`Program::max_cost`], the server's estimate, with
//!    [`cost::STATIC_ESTIMATED_COST_LIMIT`].
//! 3. [`Evaluator::run`] evaluates the program with [`Binding`]s, which borrow JSON values, and
//!    counts the cost. An expression that only reads values does not copy them.
//!
//! The variables of an expression are `self` and `oldSelf`. In a rule with `optionalOldSelf`,
//! `oldSelf` is an optional value; see [`Environment::optional_old_self`],
//! [`Binding::into_optional`] and [`Binding::none`].
//!
//! # Errors
//!
//! [`CompileError`] is the server's error for an expression. [`EvalError`] is the reason why a run
//! failed: an error of the expression, with the server's message; a cost above the limit; or an
//! input that makes the server's own code panic. No input makes this crate panic.
//!
//! This crate also limits work that a server does not count as cost: comparing deep values, copying
//! lists, reading long strings. An evaluation with millions of such steps fails like an evaluation
//! that costs too much ([`EvalError::CostLimit`]), although a server would continue. Expressions
//! whose syntax tree has more than 200,000 nodes, including the expansions of macros, are rejected.
//!
//! # Functions
//!
//! [`functions`] lists the functions, with their types and the version that added each of them.
//! [`DeclaredTypes::with_server_version`] selects the functions, the costs and the rules of
//! equality of an older server.
//!
//! # Formats and patterns
//!
//! Schemas also check strings without CEL. [`format::Formats`] contains the formats that an API
//! server of a [`KubeVersion`] checks. [`pattern`] compiles regular expressions in Go's RE2 syntax,
//! for `pattern` of a schema and `matches` of CEL.
//!
//! # Comparison with Kubernetes
//!
//! Tests run `k8s.io/apiserver/pkg/cel` and `k8s.io/apiextensions-apiserver` of Kubernetes 1.37
//! beside this crate, and compare the results for random expressions, objects and strings.
//! [`k8s-crd-validation`](https://docs.rs/k8s-crd-validation) checks the rules of a whole CRD.
#![forbid(unsafe_code)]
// Every input of a client must have a result, never a panic. Each exception gives the reason why it
// cannot panic.
#![cfg_attr(
    not(test),
    warn(
        clippy::expect_used,
        clippy::get_unwrap,
        clippy::indexing_slicing,
        clippy::panic,
        clippy::string_slice,
        clippy::todo,
        clippy::unimplemented,
        clippy::unreachable,
        clippy::unwrap_used,
    )
)]

// Folders, lowest first: types, syntax, pattern, format, values, cost, functions, interpreter,
// checker
mod checker;
pub mod cost;
pub mod format;
pub mod functions;
mod interpreter;
pub mod pattern;
pub mod syntax;
mod types;
mod values;

pub use checker::environment::Environment;
pub use checker::error::CompileError;
#[doc(no_inline)]
pub use declared::{DeclareError, DeclaredType, DeclaredTypes};
#[doc(hidden)]
pub use functions::table::{Signature, overloads};
pub use interpreter::cel_value::CelValue;
pub use interpreter::evaluator::{Binding, EvalResult, Evaluator};
pub use interpreter::program::Program;
pub use types::declared;
pub use types::feature::{Feature, FeatureKind};
pub use types::types::Type;
pub use types::version::{KubeVersion, ParseVersionError};
pub use values::value::EvalError;
