// Folders, lowest first: table, paths, prepare, unions, compile, switch, skew

#![doc = include_str!("../README.md")]
#![forbid(unsafe_code)]
// Objects may come from untrusted clients, so the crate returns errors and never panics.
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

mod compile;
mod paths;
mod prepare;
mod skew;
mod switch;
mod table;
mod unions;

pub use compile::compiler::KindCompiler;
pub use paths::UnionAtPath;
pub use skew::{AddedMember, OldClientEffect, added_members};
pub use table::data::MemberRule;
pub use table::kind::{BuiltinKind, find_kind, kinds};
pub use table::union::{Arity, BuiltinMember, BuiltinUnion, BuiltinValue, unions};
pub use table::versions::versions;
pub use unions::KindUnions;
