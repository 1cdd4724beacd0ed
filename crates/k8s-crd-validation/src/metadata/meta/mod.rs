//! The metadata of objects and of embedded resources. Errors in metadata are never tolerated.
//!
//! First [`coerce`] decodes metadata as a server does: a field of the wrong type is an error of the
//! request (400), and unknown fields are removed. All other functions expect metadata that
//! [`coerce`] has decoded.

mod decode;
mod embedded;
mod finalizers;
mod managed;
pub(crate) mod names;
mod owners;
mod prepare;
mod read;
mod report;
mod rules;
pub(crate) mod shape;
mod time;
mod update;

#[cfg(test)]
mod tests;

pub(crate) use self::decode::{coerce, coerce_stored, first_wrong, is_coerced};
pub(crate) use self::embedded::{
    coerce_default, coerce_defaulted, coerce_embedded, coerce_embedded_stored, validate_default,
    validate_embedded,
};
pub(crate) use self::finalizers::warnings;
pub(crate) use self::prepare::prepare_update;
pub(crate) use self::read::Meta as Fields;
pub use self::rules::Scope;
pub(crate) use self::rules::{NameRule, common};
pub(crate) use self::update::update;
