//! The metadata of objects and of embedded resources. Errors in metadata are never tolerated.
//!
//! Callers first decode metadata with [`coerce`]: a field of a wrong type makes the request a bad
//! request (400), and unknown fields are removed. All other functions expect decoded metadata.

mod decode;
mod embedded;
mod fields;
pub(crate) mod go_types;
mod prepare;
mod time;
mod unknown;
mod validate;

#[cfg(test)]
mod tests;

pub(crate) use self::decode::{coerce, coerce_stored, first_type_error, is_coerced, json_kind};
pub(crate) use self::embedded::{
    coerce_default, coerce_embedded, coerce_embedded_stored, coerce_object_around_default,
    validate_default, validate_embedded,
};
pub(crate) use self::fields::{METADATA, ObjectFields};
pub(crate) use self::prepare::prepare_update;
pub(crate) use self::unknown::find_unknown;
pub use self::validate::Scope;
pub(crate) use self::validate::{
    NameValidation, finalizer_warnings, names, validate_created_object_meta, validate_object_meta,
    validate_object_meta_update, validate_updated_object_meta,
};
