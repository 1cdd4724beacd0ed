//! The `x-kubernetes-unions` extension in the shapes of 2019 and 2022, in a schema or in an
//! annotation, and unions that are declared without the extension.

pub(crate) mod annotation;
pub(crate) mod declared_union;
pub(crate) mod object_unions;
pub(crate) mod property_schemas;
pub(crate) mod shape_2019;
pub(crate) mod shape_2022;
pub(crate) mod union_spec;
