//! The grammar of `#[union(...)]` and `#[enum_type(...)]`.

mod near_name;
mod parse;
mod rename_rule;
pub(crate) mod schemars;
mod site;
mod table;
mod values;

pub(crate) use near_name::near_name;
pub(crate) use rename_rule::RenameRule;
pub(crate) use site::AttributeSite;
pub(crate) use table::{
    EnumAttrs, FieldAttrs, StructAttrs, UnionEnumAttrs, UnionVariantAttrs, VariantAttrs,
};
pub(crate) use values::{Enforcement, ExtensionShape, FlattenedFields, SpannedValue};
