//! The extension, in the schema or in the annotation, in the shapes of 2019 and 2022.

pub(crate) mod annotation;
pub(crate) mod declared;
pub(crate) mod extension;
pub(crate) mod property;
pub(crate) mod shape_2019;
pub(crate) mod shape_2022;
pub(crate) mod union_spec;
