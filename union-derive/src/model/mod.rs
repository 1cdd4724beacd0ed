//! A derive's input, as written ([`UnionInput`], [`EnumInput`]) and checked ([`Struct`],
//! [`EnumType`]), and queries about it. This folder has neither tokens nor messages about unions.

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
