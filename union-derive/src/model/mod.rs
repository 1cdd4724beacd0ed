//! A derive's input, as written ([`UnionInput`], [`EnumInput`]) and checked ([`Struct`], [`EnumType`]), and the questions
//! about it: data, no tokens, no messages about unions.

mod checked;
mod input;
mod questions;
mod union_enum;

pub(crate) use checked::{
    Absent, Child, ChildKind, Discriminator, EnumType, EnumValue, Flattened, HookCheck, KeyField,
    Member, MemberValue, PatchField, Struct, Union, UnionKind, UnknownField, Unmarked,
};
pub(crate) use input::{
    Container, EnumInput, FieldInput, UnionEnumInput, UnionInput, UnionVariantInput, VariantInput,
};
pub(crate) use questions::{WhenSet, camel_case, doc, inside_option, mentions_type};
pub(crate) use union_enum::{EnumKind, EnumVariant, UnionEnum, VariantKind};
