//! Reads the extension `x-kubernetes-unions` in the shapes of 2019 and 2022, from a schema or from
//! an annotation. Also contains the unions that are declared without the extension.

pub(crate) mod annotation;
pub(crate) mod declared_union;
pub(crate) mod object_unions;
pub(crate) mod property_schemas;
pub(crate) mod shape_2019;
pub(crate) mod shape_2022;
pub(crate) mod union_spec;
