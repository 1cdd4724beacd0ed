//! Values that are not lists or maps, and their types.

mod resolve;
mod scalar;
mod timestamp;

pub(crate) use resolve::{ResolvedScalar, resolve};
pub use scalar::Scalar;
pub(crate) use scalar::Style;
