//! What the values of an expression are: declared types, as upstream calls them.
//!
//! [`DeclaredType`] is for declarations by hand. [`DeclaredTypes::new`] takes a table that something else was read into, such as
//! a schema; both give values the same sizes, which is what the estimated cost depends on.

mod size;
mod table;
mod tree;

pub use size::MAX_REQUEST;
pub(crate) use table::find;
pub use table::{
    Declaration, DeclareError, DeclaredId, DeclaredKind, DeclaredTypes, Field, ListType,
};
pub use tree::DeclaredType;
