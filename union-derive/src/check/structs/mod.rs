//! The checks of structs with `#[derive(Union)]`.

mod children;
mod patch;
mod union;
mod union_fields;
mod unknown;
mod unmarked;
mod values;

pub(crate) use union::check_union;
pub(crate) use union_fields::NO_UNION;
pub(crate) use unknown::NO_UNION_TO_KEEP;
