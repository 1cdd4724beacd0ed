//! The checked input of `#[derive(UnionEnum)]`: a union that is a Rust enum.

use proc_macro2::{Ident, Span};
use syn::{Generics, Path, Type};

use crate::attr::{Enforce, Shape};

/// An enum whose variants are the members of one union, as far as a macro can see.
pub(crate) struct UnionEnum<'a> {
    pub(crate) ident: &'a Ident,
    pub(crate) generics: &'a Generics,
    pub(crate) krate: Path,
    pub(crate) doc: String,
    pub(crate) kind: EnumKind,
    /// The variants in source order, without the variant that keeps unreadable objects.
    pub(crate) variants: Vec<EnumVariant<'a>>,
    /// The variant that keeps unreadable objects; `None` with `strict`.
    pub(crate) other: Option<&'a Ident>,
    /// The variant for an absent discriminator: an index into `variants`.
    pub(crate) default: Option<usize>,
    /// False with `schema = false`.
    pub(crate) schema: bool,
    pub(crate) shape: Shape,
    pub(crate) enforce: Enforce,
}

/// The part of an object that selects its variant.
pub(crate) enum EnumKind {
    /// The value of this field.
    Discriminated { name: String },
    /// The member that is present.
    Undiscriminated,
}

/// A variant that is read and written.
pub(crate) struct EnumVariant<'a> {
    pub(crate) ident: &'a Ident,
    /// The discriminator's value; unused without a discriminator.
    pub(crate) value: String,
    pub(crate) doc: String,
    pub(crate) kind: VariantKind<'a>,
}

/// The nodes that a walk looks for in a member.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Descend {
    Unions,
    Values,
    Nothing,
}

/// The content of a variant.
pub(crate) enum VariantKind<'a> {
    /// A value without a member; with the value `""` it is read and written as absent.
    Unit,
    /// Neither a discriminator nor a member. Without a discriminator, every unit variant is of this
    /// kind.
    Absent,
    /// A member.
    Member {
        /// The JSON name of the member.
        field: String,
        /// The type inside the `Option`, if there is one.
        ty: &'a Type,
        /// True if the member may be selected and unset.
        is_option: bool,
        /// The nodes in the member: values if it may be of an enum type, which only rustc knows;
        /// otherwise unions, or nothing.
        descend: Descend,
        /// The span of `open`.
        open: Option<Span>,
        /// True if the type names the enum itself, so that a bound on it would be infinite.
        names_self: bool,
    },
}
