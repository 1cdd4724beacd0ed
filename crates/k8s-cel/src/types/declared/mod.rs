//! The types of the values of an expression: declared types, as Kubernetes calls them.
//!
//! [`DeclaredType`] is for declarations by hand. [`DeclaredTypes::new`] accepts a table that a
//! program created from another source, such as a schema. Both result in the same sizes of values,
//! which the estimated cost depends on.

mod size;
mod table;
mod tree;

pub use size::MAX_REQUEST;
pub(crate) use table::find_field;
pub use table::{
    Declaration, DeclareError, DeclaredId, DeclaredKind, DeclaredTypes, Field, ListType,
};
pub use tree::DeclaredType;
