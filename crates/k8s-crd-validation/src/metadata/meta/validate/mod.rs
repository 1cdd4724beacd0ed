//! Validates decoded metadata.

pub(super) mod errors;
mod finalizers;
mod managed_fields;
pub(crate) mod names;
mod owner_references;
pub(super) mod rules;
mod update;

pub(crate) use finalizers::finalizer_warnings;
pub use rules::Scope;
pub(crate) use rules::{NameValidation, validate_created_object_meta, validate_object_meta};
pub(crate) use update::{validate_object_meta_update, validate_updated_object_meta};
