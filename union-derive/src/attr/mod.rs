//! The grammar of `#[union(...)]` and `#[enum_type(...)]`.

mod parse;
mod place;
mod rename_rule;
pub(crate) mod schemars;
mod table;
mod values;

pub(crate) use place::Attributes;
pub(crate) use rename_rule::RenameRule;
pub(crate) use table::{
    EnumAttrs, FieldAttrs, StructAttrs, UnionEnumAttrs, UnionVariantAttrs, VariantAttrs,
};
pub(crate) use values::{Enforce, Shape, Valued};
