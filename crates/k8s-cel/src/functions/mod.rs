#![doc = include_str!("../../functions.md")]
// The functions that rules may call. A function is one row: its types, its versions, its code, its
// costs and its work. Users see only the documentation.

pub(super) mod access;
mod arithmetic;
mod authorizer;
pub(super) mod conversions;
pub(super) mod cost;
pub(super) mod dispatch;
mod estimate;
pub(super) mod form;
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
