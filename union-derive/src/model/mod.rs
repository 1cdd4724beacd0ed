//! A derive's input, as written ([`UnionInput`], [`EnumInput`]) and checked ([`Struct`], [`EnumType`]), and the questions
//! about it: data, no tokens, no messages about unions.

mod checked;
mod input;
mod questions;

pub(crate) use checked::{
    Absent, Child, ChildKind, Discriminator, EnumType, EnumValue, Flattened, HookCheck, KeyField,
    Member, MemberValue, PatchField, Struct, Union, UnionKind, UnknownField, Unmarked,
};
pub(crate) use input::{Container, EnumInput, FieldInput, UnionInput, VariantInput};
pub(crate) use questions::{WhenSet, camel_case, doc, union_runtime};
