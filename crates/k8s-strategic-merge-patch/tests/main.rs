//! Tests of strategic merge patches with `$retainKeys`.
#![expect(
    clippy::needless_pass_by_value,
    reason = "documents are written where they are used: `apply(json!(..), json!(..))`"
)]
#![expect(
    clippy::from_iter_instead_of_collect,
    reason = "`Value::from_iter` says what is collected"
)]

mod allocation;
#[path = "../../../tests/json/deep_value.rs"]
mod deep;
mod errors;
mod fixed;
mod found;
mod hostile;
mod impacted;
mod kept;
mod once;
mod properties;
mod schemas;
mod seed;
mod shared_conflicts;
mod shared_errors;
mod shared_keys;
mod shared_warnings;
mod shared_world;
mod switch;
mod tables;
mod world;
