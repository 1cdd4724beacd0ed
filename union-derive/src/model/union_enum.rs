//! The checked input of `#[derive(UnionEnum)]`: a union in the enum form.

use proc_macro2::{Ident, Span};
use syn::{Generics, Path, Type};

use super::checked_input::NotNestedField;
use super::leaf_types::LeafType;
use crate::attr::{Enforcement, ExtensionShape, FlattenedFields};

/// A union in the enum form that has passed all checks that a macro can do.
pub(crate) struct UnionEnum<'a> {
    pub(crate) ident: &'a Ident,
    pub(crate) generics: &'a Generics,
    pub(crate) krate: Path,
    pub(crate) doc: String,
    pub(crate) kind: EnumKind,
    /// The variants in source order, without the variant that keeps unreadable objects.
    pub(crate) variants: Vec<EnumVariant<'a>>,
    /// The variant that keeps unreadable objects, or `None` with `strict`.
    pub(crate) other_variant: Option<&'a Ident>,
    /// The index in `variants` of the variant that an absent discriminator selects.
    pub(crate) default_index: Option<usize>,
    /// False if the enum has `schema = false`.
    pub(crate) has_schema: bool,
    pub(crate) shape: ExtensionShape,
    pub(crate) enforce: Enforcement,
    /// True if the enum also reads the form of serde's externally tagged enums.
    pub(crate) reads_external: bool,
    /// The fields that the enum reads if a struct flattens it, if the author declares them.
    pub(crate) flattened: Option<FlattenedFields>,
}

/// The part of a JSON object that selects the variant.
pub(crate) enum EnumKind {
    /// The value of the field with this name selects the variant.
    Discriminated { name: String },
    /// The member that is present selects the variant.
    Undiscriminated,
}

/// A variant of the enum, except the variant with `other`.
pub(crate) struct EnumVariant<'a> {
    pub(crate) ident: &'a Ident,
    /// The discriminator value of the variant. An enum without a discriminator does not use the
    /// value.
    pub(crate) value: String,
    /// The names of the variant in the form of serde's externally tagged enums.
    pub(crate) external_names: Vec<String>,
    pub(crate) doc: String,
    pub(crate) kind: VariantKind<'a>,
}

/// The items that a walk visits in a member.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum WalkTarget {
    Unions,
    Values,
    Nothing,
}

/// The schema of a member.
pub(crate) enum MemberSchema {
    /// The schema of the member's type.
    OfType,
    /// The schema of the member's type, with the keyword for unknown fields.
    PreserveUnknownFields,
    /// The schema of any JSON value.
    AnyJson,
    /// The result of a function.
    OfFunction(Path),
}

/// The content of a variant.
pub(crate) enum VariantKind<'a> {
    /// A discriminator value without a member. The value `""` is serialized as an absent
    /// discriminator.
    Unit,
    /// The variant of an object with neither discriminator nor member. In an enum without a
    /// discriminator, every unit variant is of this kind.
    Absent,
    /// A discriminator value with a member, or a member without a discriminator.
    Member {
        /// The JSON name of the member.
        json_name: String,
        /// The type of the member, without the `Option` of an optional member.
        ty: &'a Type,
        /// True if the member may be unset when it is selected.
        is_option: bool,
        /// The items that a walk visits in the member. `Values` if the member's type may be an enum
        /// type, which only rustc knows, and otherwise `Unions` or `Nothing`.
        walk_target: WalkTarget,
        /// The types that generated code probes for unions. The list is empty for a member with
        /// `nested`, `not_nested` or `open`.
        unmarked_types: Vec<LeafType<'a>>,
        /// The types that must have unions, because of `not_nested`.
        not_nested: Option<NotNestedField<'a>>,
        /// The span of the attribute `open`.
        open_span: Option<Span>,
        schema: MemberSchema,
        /// True if the type contains the name of the enum. A trait bound on such a type would be
        /// infinitely recursive.
        mentions_enum: bool,
    },
}
