//! The flow of a request, in the order of an API server (`docs/ratcheting.md`, "Order of a
//! request").

mod advice;
mod checks;
mod generation;
mod operations;
mod request;
mod scale;
mod stored_object;

pub use advice::Advice;
pub use checks::{RULES_NOT_CHECKED, is_rules_not_checked};
pub use request::Request;
