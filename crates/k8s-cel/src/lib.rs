//! CEL as a Kubernetes API server runs it. Expressions such as the rules of
//! `x-kubernetes-validations` are checked against declared types, estimated, and evaluated over
//! JSON, with the results, error messages and costs of the server.
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
//! for (object, wanted) in objects.iter().zip([false, true]) {
//!     let this = Binding::new(&types, object, DeclaredTypes::ROOT);
//!     let evaluation = evaluator.run(&program, &this, None, PER_CALL_LIMIT);
//!     assert_eq!(evaluation.result?.as_bool(), Some(wanted));
//!     assert!(evaluation.cost <= program.max_cost());
//! }
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Steps of an evaluation
//!
//! 1. [`DeclaredType`] declares the types of values, and becomes a table, [`DeclaredTypes`]. A
//!    program that reads a schema creates the table itself, from [`declared::Declaration`]s; the
//!    sizes are the same.
//! 2. [`Environment::compile`] checks the expression, as the server does at the creation of a CRD,
//!    and returns a [`Program`]. [`Program::max_cost`] is the server's estimate, to be compared
//!    with [`cost::STATIC_ESTIMATED_COST_LIMIT`].
//! 3. [`Evaluator::run`] evaluates the program over [`Binding`]s, which borrow from JSON, and
//!    counts the cost. Values that are only read are not copied.
//!
//! The variables of an expression are `self` and `oldSelf`. In a rule with `optionalOldSelf`,
//! `oldSelf` is an optional value: [`Environment::optional_old_self`], [`Binding::into_optional`],
//! [`Binding::none`].
//!
//! # Errors
//!
//! [`CompileError`] is the error of the server for an expression. A [`EvalError`] is the reason why
//! a run failed: an error of the expression, with the server's message; its cost; or a panic of the
//! server's own code. No input makes this crate panic.
//!
//! Work that a server does not count is bounded here: comparing deep values, copying lists, reading
//! long strings. An evaluation with millions of such steps ends like an evaluation that costs too
//! much ([`EvalError::CostLimit`]), although a server would continue. Expressions of more than
//! 200,000 parts, including the expansions of macros, are rejected.
//!
//! # Functions
//!
//! [`functions`] lists the functions, with their types and the version that added each.
//! [`Environment::version`] selects the functions of an older server.
//!
//! # Formats and patterns
//!
//! Schemas check strings by other means than CEL, too: [`format::Formats`] are the formats that an
//! API server checks, by [`KubeVersion`]; [`pattern`] has regular expressions in the syntax of Go's
//! RE2, for `pattern` of a schema and `matches` of CEL.
//!
//! # Comparison with Kubernetes
//!
//! `k8s.io/apiserver/pkg/cel` and `k8s.io/apiextensions-apiserver` of Kubernetes 1.36 run beside
//! this crate, and the results are compared on random expressions, objects and strings.
//! [`k8s-crd-validation`](https://docs.rs/k8s-crd-validation) checks the rules of a whole CRD.
#![forbid(unsafe_code)]
// Each input of a client has a result, never a panic. The remaining exceptions have a reason why
// they cannot happen.
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
