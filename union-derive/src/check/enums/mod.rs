//! The checks of enums with `#[derive(EnumType)]` or `#[derive(UnionEnum)]`.

mod enum_type;
mod union_enum;
mod variant_fields;

pub(crate) use enum_type::check_enum;
pub(crate) use union_enum::check_union_enum;
