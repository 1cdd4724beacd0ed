//! CEL as a Kubernetes API server runs it, for rules such as those of `x-kubernetes-validations`.
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

mod base64;
mod check;
mod code;
mod convert;
mod duration;
mod environment;
mod equal;
mod estimate;
mod evaluator;
pub mod format;
mod library;
mod machine;
pub mod pattern;
pub mod shapes;
mod split;
mod syntax;
mod time;
mod types;
mod unify;
mod value;
mod version;

pub use code::Program;
pub use environment::{CompileError, Environment};
pub use evaluator::{Answer, Evaluator, Operand};
pub use types::Type;
pub use value::Fault;
pub use version::Version;
