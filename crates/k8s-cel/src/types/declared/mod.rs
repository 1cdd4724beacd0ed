//! Declared types: the types of the values that an expression reads (`DeclType` of Kubernetes).
//!
//! [`DeclaredType`] builds types by hand. [`DeclaredTypes::new`] accepts a table that a program
//! created from another source, such as a schema. Both compute equal sizes, which determine
//! estimated costs.

mod size;
mod table;
mod tree;

pub use size::MAX_REQUEST;
pub(crate) use table::find_field;
pub use table::{
    Declaration, DeclareError, DeclaredId, DeclaredKind, DeclaredTypes, Field, ListType,
};
pub use tree::DeclaredType;
