#![doc = include_str!("../../functions.md")]
// The functions that rules may call. A function is one row of a table: its types, versions, code,
// costs and hidden costs. Users see only the documentation.

pub(super) mod access;
pub(super) mod actual_cost;
mod arithmetic;
mod authorizer;
pub(super) mod call_form;
pub(super) mod conversions;
pub(super) mod dispatch;
mod estimated_cost;
pub(super) mod format_string;
mod formats;
mod lists;
mod net;
mod operators;
mod optionals;
mod quantity;
pub(super) mod regexes;
pub(super) mod row;
mod semver;
mod sets;
mod signature;
mod strings;
pub(super) mod table;
mod times;
