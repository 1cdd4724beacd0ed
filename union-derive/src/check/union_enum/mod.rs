//! The rules of `#[derive(UnionEnum)]`.

mod check;
mod names;
mod variant;
mod whole;

pub(crate) use self::check::check_union_enum;
