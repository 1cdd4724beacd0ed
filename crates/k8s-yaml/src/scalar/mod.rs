//! Values that are not lists or maps, and their types.

mod resolve;
mod scalar;
mod tag;
mod timestamp;

pub(crate) use resolve::{ResolvedScalar, exact_digits, is_string_if_plain, resolve};
pub use scalar::Scalar;
pub(crate) use scalar::Style;
pub(crate) use tag::{Tag, YAML_PREFIX};
