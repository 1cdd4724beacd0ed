//! Tests of this crate's public API: strategic merge patches and their schemas.
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
mod element_orders;
mod errors;
mod fixed_behavior;
mod hostile;
mod impacted;
mod item_schema;
mod kept_behavior;
#[path = "../../../tests/reference/recorded/lines.rs"]
mod lines;
mod properties;
mod proposal;
mod recorded;
mod regressions;
mod replay;
mod schemas;
mod shared_conflicts;
mod shared_errors;
mod shared_keys;
mod shared_pairs;
mod shared_warnings;
mod shared_world;
mod switch;
mod switch_member;
mod tables;
#[path = "../../../tests/reference/recorded/whole_numbers.rs"]
mod whole_numbers;
