//! The rules of `#[derive(UnionEnum)]`.

mod check;
mod enum_level;
mod names;
mod variant;

pub(crate) use self::check::check_union_enum;
