//! The checked input of `Union` and `EnumType`. Code is generated only from checked input. A `name`
//! in these types is a name in JSON.

use proc_macro2::{Ident, Span};
use syn::{Generics, LitStr, Path, Type};

use super::leaf_types::LeafType;
use crate::attr::{Enforcement, ExtensionShape};

/// A struct that has passed all checks that a macro can do.
pub(crate) struct Struct<'a> {
    pub(crate) ident: &'a Ident,
    pub(crate) generics: &'a Generics,
    pub(crate) krate: Path,
    pub(crate) unions: Vec<Union<'a>>,
    /// The fields whose values may contain unions.
    pub(crate) children: Vec<Child<'a>>,
    /// The fields that identify the struct in a list.
    pub(crate) key_fields: Vec<KeyField<'a>>,
    /// The fields with neither `member` nor `not_member`, which the author may have forgotten to
    /// mark as members.
    pub(crate) unmarked_options: Vec<UnmarkedOption<'a>>,
    /// The fields that may contain values of an enum type outside of unions. Only rustc knows if a
    /// type is an enum type.
    pub(crate) values_fields: Vec<ValuesField<'a>>,
    /// The fields with `open`.
    pub(crate) open_fields: Vec<OpenField<'a>>,
    /// The types in the fields without `nested`, `inline`, `not_nested` and `open`.
    pub(crate) unmarked_types: Vec<LeafType<'a>>,
    /// The types of which one must have unions, because the struct has none of its own. The list is
    /// empty for other structs.
    pub(crate) required_types: Vec<LeafType<'a>>,
    /// The fields with `not_nested`.
    pub(crate) not_nested_fields: Vec<NotNestedField<'a>>,
    /// The map of unknown members.
    pub(crate) unknown_members: Option<UnknownField<'a>>,
    /// The map of unknown fields in a struct that flattens an enum.
    pub(crate) unknown_fields: Option<UnknownField<'a>>,
    /// The JSON names of the struct's own fields. The list is empty unless a field has `inline`.
    pub(crate) json_names: Vec<String>,
    /// The fields with patch attributes.
    pub(crate) patch_fields: Vec<PatchField<'a>>,
    pub(crate) shape: ExtensionShape,
    pub(crate) enforce: Enforcement,
}

/// A field whose value may contain unions.
pub(crate) struct Child<'a> {
    pub(crate) ident: &'a Ident,
    pub(crate) ty: &'a Type,
    pub(crate) name: String,
    pub(crate) kind: ChildKind,
}

/// The relation of a child to the JSON object of the struct.
pub(crate) enum ChildKind {
    /// A flattened struct or enum, whose unions are in the same JSON object as the unions of the
    /// struct.
    Inline {
        unknown_fields: UnknownFieldSupport,
        /// True if the child's type depends on a parameter of the struct.
        is_generic: bool,
        /// True if an attribute declares the handling of the unknown fields of a flattened enum: a
        /// map keeps the fields, the struct rejects the fields, or the fields may be lost.
        handles_unknown_fields: bool,
    },
    Nested,
    /// A list whose elements are identified by these keys.
    List {
        keys: Vec<LitStr>,
        /// True if the type of the list depends on a parameter of the struct.
        is_generic: bool,
    },
}

/// The support for unknown members in a flattened struct, which depends on the other fields of the
/// outer struct.
pub(crate) enum UnknownFieldSupport {
    /// The flattened struct may keep unknown members.
    Supported,
    /// The flattened struct must not keep unknown members. The string is the error message.
    Unsupported(String),
    /// The type depends on a parameter, so generated code cannot check the type.
    Generic,
}

/// A field with `open`, which accepts unknown values of an enum type.
pub(crate) struct OpenField<'a> {
    /// The span of `open`.
    pub(crate) span: Span,
    pub(crate) ty: &'a Type,
}

/// A field or the member of a variant with `not_nested`.
pub(crate) struct NotNestedField<'a> {
    /// The span of `not_nested`.
    pub(crate) span: Span,
    /// The types of which one must have unions.
    pub(crate) types: Vec<LeafType<'a>>,
}

/// A field that may contain values of an enum type.
pub(crate) struct ValuesField<'a> {
    pub(crate) ident: &'a Ident,
    pub(crate) name: String,
}

/// A field with `key`.
pub(crate) struct KeyField<'a> {
    pub(crate) ident: &'a Ident,
    pub(crate) ty: &'a Type,
    pub(crate) name: String,
}

/// An `Option` field with neither `member` nor `not_member`.
pub(crate) struct UnmarkedOption<'a> {
    pub(crate) ident: &'a Ident,
    pub(crate) name: String,
    /// The Rust name in `CamelCase`.
    pub(crate) camel_name: String,
}

/// A field with `unknown`.
pub(crate) struct UnknownField<'a> {
    pub(crate) ident: &'a Ident,
    pub(crate) ty: &'a Type,
    /// The span of `unknown`.
    pub(crate) span: Span,
}

/// A field with `patch_strategy`.
pub(crate) struct PatchField<'a> {
    pub(crate) ty: &'a Type,
    pub(crate) name: String,
    /// The strategy as Kubernetes writes it, such as `merge,retainKeys`.
    pub(crate) strategy: String,
    /// The merge key, or `""` without a merge key.
    pub(crate) merge_key: String,
    /// The span for the error that the list needs a merge key. rustc reports this error if the
    /// elements of the list are objects.
    pub(crate) missing_key_span: Option<Span>,
}

/// A union of a struct.
pub(crate) struct Union<'a> {
    pub(crate) kind: UnionKind<'a>,
    pub(crate) members: Vec<Member<'a>>,
}

/// The part of a union that selects a member.
pub(crate) enum UnionKind<'a> {
    /// The discriminator: the 2022 model.
    Discriminated(Discriminator<'a>),
    /// The members themselves, which the discriminator follows: the 2019 model.
    Deduced(Discriminator<'a>),
    /// A union without a discriminator.
    Undiscriminated { exactly_one: bool },
}

/// The discriminator field of a union.
pub(crate) struct Discriminator<'a> {
    pub(crate) ident: &'a Ident,
    pub(crate) ty: &'a Type,
    /// The span of `discriminator`.
    pub(crate) span: Span,
    pub(crate) name: String,
    /// True if the field has `skip_serializing_if`.
    pub(crate) has_skip_if: bool,
    pub(crate) default: AbsentValue,
}

/// The value of a discriminator that is absent in JSON.
pub(crate) enum AbsentValue {
    Nothing,
    /// The field's `#[serde(default)]`.
    FieldDefault,
    /// The field's `#[serde(default = "path")]`.
    FieldPath(syn::ExprPath),
    /// The struct's `#[serde(default)]`.
    StructDefault,
    /// The struct's `#[serde(default = "path")]`.
    StructPath(syn::ExprPath),
}

/// A member of a union.
pub(crate) struct Member<'a> {
    pub(crate) ident: &'a Ident,
    pub(crate) ty: &'a Type,
    /// The span of `member`, or of the field's name if the field has no attribute.
    pub(crate) span: Span,
    pub(crate) name: String,
    pub(crate) value: MemberValue,
    /// True if the member may be unset while it is selected.
    pub(crate) optional: bool,
    /// True if the member's type is written as an `Option`, so that the type is most likely valid.
    pub(crate) is_option: bool,
    /// True if the member's type has another name than `Option`, and may be an alias of an `Option`
    /// of an `Option`.
    pub(crate) is_alias: bool,
}

/// The discriminator value of a member.
pub(crate) enum MemberValue {
    /// The value that matches the JSON name or `camel_name`, which is the Rust name in `CamelCase`.
    ByName { camel_name: String },
    /// The value in `member = "VALUE"`.
    Explicit(LitStr),
}

/// An enum with `#[derive(EnumType)]` that has passed all checks.
pub(crate) struct EnumType<'a> {
    pub(crate) ident: &'a Ident,
    pub(crate) generics: &'a Generics,
    pub(crate) krate: Path,
    pub(crate) values: Vec<EnumValue<'a>>,
    /// The variant that keeps unknown values, if the enum has `other`.
    pub(crate) other_variant: Option<&'a Ident>,
}

/// A value of an enum type.
pub(crate) struct EnumValue<'a> {
    pub(crate) ident: &'a Ident,
    pub(crate) value: String,
    pub(crate) doc: String,
}

/// A check of a schema hook that only rustc can do, because it needs types.
pub(crate) enum DeferredHookCheck {
    /// No check is needed: the hook names the type itself, or no hook is needed.
    NotNeeded,
    /// The hook is missing, and no attribute shows that the type has a schema. If the type
    /// implements `JsonSchema` nevertheless, the use of the deprecated constant with this name
    /// causes a warning.
    IfSchema(&'static str),
    /// The hook is present and names a type by this path. The path must lead to the type with the
    /// derive.
    NamedType(Box<Type>),
}
