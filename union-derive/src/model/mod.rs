//! The input of a derive, before the checks ([`UnionInput`], [`EnumInput`], [`UnionEnumInput`]) and
//! after the checks ([`Struct`], [`EnumType`], [`UnionEnum`]), and queries about the input. This
//! folder generates no tokens, and reports only errors of reading the input.

mod checked_input;
mod field_queries;
mod input;
mod leaf_types;
mod type_syntax;
mod union_enum;
mod union_enum_input;

pub(crate) use checked_input::{
    AbsentValue, Child, ChildKind, DeferredHookCheck, Discriminator, EnumType, EnumValue, KeyField,
    Member, MemberValue, NotNestedField, OpenField, PatchField, Struct, Union, UnionKind,
    UnknownField, UnknownFieldSupport, UnmarkedOption, ValuesField,
};
pub(crate) use field_queries::{
    SetForm, SyntacticType, camel_case, depends_on_parameters, doc, doc_in_one_line, is_local_type,
    mentions_type, union_runtime,
};
pub(crate) use input::{Container, EnumInput, FieldInput, UnionInput, VariantInput};
pub(crate) use leaf_types::{LeafType, Walk, leaf_types, type_with_schema};
pub(crate) use type_syntax::{borrow_span, is_same_name, last_name};
pub(crate) use union_enum::{
    EnumKind, EnumVariant, MemberSchema, UnionEnum, VariantKind, WalkTarget,
};
pub(crate) use union_enum_input::{UnionEnumInput, UnionVariantInput, VariantShape};
