//! Decoding and validation of the metadata of an object (`ObjectMeta`), as an API server does it.
//!
//! [`StructuralSchema`](crate::StructuralSchema) already validates the metadata of custom resources
//! and of their embedded resources. Use these functions for objects of other kinds, for example in
//! a webhook or before a program creates an object.
//!
//! ```
//! use k8s_crd_validation::metadata::{self, Scope};
//! use serde_json::json;
//!
//! let mut new = json!({"name": "Web", "namespace": "shop", "labels": {}, "nickname": "w"});
//! metadata::decode(&mut new)?;
//! // Unknown fields and empty fields are removed.
//! assert_eq!(new, json!({"name": "Web", "namespace": "shop"}));
//!
//! let report = metadata::validate(&new, Scope::Namespaced);
//! assert_eq!(
//!     report.to_string(),
//!     "metadata.name: Invalid value: \"Web\": a lowercase RFC 1123 subdomain must consist of \
//!      lower case alphanumeric characters, '-' or '.', and must start and end with an \
//!      alphanumeric character (e.g. 'example.com', regex used for validation is \
//!      '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')",
//! );
//! # Ok::<(), k8s_crd_validation::Report>(())
//! ```
//!
//! Errors in metadata are never tolerated: [`validate_update`] also reports errors that the old
//! object already has, besides changes of immutable fields.

pub(crate) mod meta;
mod object_meta;

pub(crate) use self::meta::METADATA;
pub use self::meta::Scope;
pub(crate) use self::object_meta::decode_error;
pub use self::object_meta::{
    decode, decode_stored, validate, validate_in_version, validate_update,
    validate_update_in_version,
};
