//! The input of a derive, before the checks ([`UnionInput`], [`EnumInput`]) and after the checks
//! ([`Struct`], [`EnumType`]), and queries about the input. This folder does not generate tokens,
//! and its only error messages are about reading the input.

mod checked;
mod input;
mod questions;
mod union_enum;
mod union_enum_input;

pub(crate) use checked::{
    Absent, Child, ChildKind, Discriminator, EnumType, EnumValue, Flattened, HookCheck, KeyField,
    Member, MemberValue, PatchField, Struct, Union, UnionKind, UnknownField, Unmarked, ValuesField,
};
pub(crate) use input::{Container, EnumInput, FieldInput, UnionInput, VariantInput};
pub(crate) use questions::{
    WhenSet, Written, camel_case, depends_on_parameters, doc, doc_in_one_line, may_hold_values,
    union_runtime,
};
pub(crate) use union_enum::{Descend, EnumKind, EnumVariant, UnionEnum, VariantKind};
pub(crate) use union_enum_input::{Form, UnionEnumInput, UnionVariantInput};
