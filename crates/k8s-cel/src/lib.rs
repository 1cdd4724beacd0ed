//! CEL as a Kubernetes API server runs it: expressions such as those of `x-kubernetes-validations` are checked against declared
//! types, priced, and evaluated over JSON, with the server's answers, error texts and costs.
//!
//! ```
//! use k8s_cel::cost::CALL_LIMIT;
//! use k8s_cel::{DeclaredType, DeclaredTypes, Environment, Evaluator, Operand};
//! use serde_json::json;
//!
//! let types = DeclaredType::object([
//!     ("min", DeclaredType::int()),
//!     ("max", DeclaredType::int().nullable()),
//! ])
//! .declare()?;
//! let environment = Environment::new(&types, DeclaredTypes::ROOT);
//! let program = environment.compile("!has(self.max) || self.min <= self.max")?;
//!
//! let objects = [json!({"min": 2, "max": 1}), json!({"min": 2, "max": null})];
//! let mut evaluator = Evaluator::new(&types);
//! for (object, wanted) in objects.iter().zip([false, true]) {
//!     let this = Operand::new(&types, object, DeclaredTypes::ROOT);
//!     let evaluation = evaluator.run(&program, &this, None, CALL_LIMIT);
//!     assert_eq!(evaluation.result?.as_bool(), Some(wanted));
//!     assert!(evaluation.cost <= program.max_cost());
//! }
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # The way of an expression
//!
//! 1. [`DeclaredType`] says what values are; it becomes a table, [`DeclaredTypes`]. What reads a schema makes the table itself, of
//!    [`declared::Declaration`]s; sizes are the same either way.
//! 2. [`Environment::compile`] checks the expression, as the server does when a CRD is created, and makes a [`Program`].
//!    [`Program::max_cost`] is the server's estimate, to be held against [`cost::RULE_LIMIT`].
//! 3. [`Evaluator::run`] evaluates it over [`Operand`]s, which borrow from JSON, and counts what that costs. Nothing is copied that
//!    is only looked at.
//!
//! `self` and `oldSelf` are what an expression is about. In a rule with `optionalOldSelf`, `oldSelf` is an optional value:
//! [`Environment::optional_old_self`], [`Operand::into_optional`], [`Operand::none`].
//!
//! # Errors
//!
//! [`CompileError`] is what the server says of an expression. A [`Fault`] is why a run came to nothing: an error of the expression, in
//! the server's words; its cost; or that the server's own code breaks down there. No input makes it panic.
//!
//! What a server does not count is bounded here: comparing what is deep, copying lists, looking at long texts. An evaluation that does
//! millions of such steps ends as one that costs too much ([`Fault::Cost`]), where a server would go on. Expressions of more than
//! 200,000 parts, with what macros make of them, are refused.
//!
//! # Functions
//!
//! [`functions`] lists them, with their types and the version that each came with. [`Environment::version`] asks for those of an older
//! server.
//!
//! # Formats and patterns
//!
//! What schemas say of texts beside CEL: [`format::Formats`] are those that an API server checks, by [`Version`]; [`pattern`] has
//! regular expressions in the syntax of Go's RE2, as `pattern` of a schema and `matches` of CEL take them.
//!
//! # Where this comes from
//!
//! `k8s.io/apiserver/pkg/cel` and `k8s.io/apiextensions-apiserver` of Kubernetes 1.36 are run beside it, and compared on random
//! expressions, objects and texts. The rules of a whole CRD are judged by
//! [`k8s-crd-validation`](https://docs.rs/k8s-crd-validation).
#![forbid(unsafe_code)]
// Whatever a client sends is answered, never a panic. What is left says why it cannot happen.
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
pub use interpreter::answer::Answer;
pub use interpreter::evaluator::{Evaluation, Evaluator, Operand};
pub use interpreter::program::Program;
pub use types::declared;
pub use types::types::Type;
pub use types::version::{ParseVersionError, Version};
pub use values::value::Fault;
