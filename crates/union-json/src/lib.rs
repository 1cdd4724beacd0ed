// Folders, lowest first: error, limits, pointer, document, extension, walk, unions, compile,
// openapi

#![doc = include_str!("../README.md")]
#![forbid(unsafe_code)]
// Schemas and objects may come from untrusted clients, so the crate returns errors and never
// panics.
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
pub mod document;
mod error;
mod extension;
mod limits;
#[cfg(feature = "openapi")]
pub mod openapi;
pub mod pointer;
mod unions;
mod walk;

pub use compile::compiler::{Compiler, SchemaSource};
pub use error::{KeywordError, SchemaError};
pub use extension::annotation::{
    ANNOTATION, OLD_ANNOTATION, UnionsAnnotation, annotation, find_annotation,
};
pub use extension::declared_union::DeclaredUnion;
pub use limits::Limits;
pub use unions::schema_node::{SchemaNode, UnionAtNode};
pub use unions::unions::Unions;
pub use walk::stored::normalize_numbers;

/// The items to which [`union_spec!`] expands. They may change in every version.
#[doc(hidden)]
pub mod __private {
    pub use crate::extension::union_spec::{check, check_value};
    pub use union_runtime::__private::{
        MemberRow, deduced, discriminator, member_with_value, undiscriminated, union,
    };
    pub use union_runtime::{DiscriminatorFacts, UnionSpec};
}
