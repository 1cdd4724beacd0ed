//! A union that is a Rust enum, as it is checked: `#[derive(UnionEnum)]`.

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
    /// In source order, without the one that keeps what could not be read.
    pub(crate) variants: Vec<EnumVariant<'a>>,
    /// The variant that keeps what could not be read; `None` with `strict`.
    pub(crate) other: Option<&'a Ident>,
    /// What an absent discriminator stands for: an index into `variants`.
    pub(crate) default: Option<usize>,
    /// `schema = false` was not said.
    pub(crate) schema: bool,
    pub(crate) shape: Shape,
    pub(crate) enforce: Enforce,
}

/// How an object says which variant it is.
pub(crate) enum EnumKind {
    /// By the value of this field.
    Discriminated { name: String },
    /// By the member that is there.
    Undiscriminated,
}

/// A variant that is read and written.
pub(crate) struct EnumVariant<'a> {
    pub(crate) ident: &'a Ident,
    /// The discriminator's value. Without a discriminator it says nothing.
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

/// What a variant holds.
pub(crate) enum VariantKind<'a> {
    /// A value without a member; with the value `""` it is read and written as absent.
    Unit,
    /// Neither the discriminator nor a member is there. Without a discriminator every unit variant is this.
    Absent,
    /// A member.
    Member {
        /// Its JSON name.
        field: String,
        /// What is inside the `Option`, if there is one.
        ty: &'a Type,
        /// It may be selected and unset.
        is_option: bool,
        /// Its values are checked if it is of an enum type, which rustc knows; else unions inside
        /// of it are descended into, or nothing is.
        descend: Descend,
        /// The span of `open`.
        open: Option<Span>,
        /// Its type names the enum itself, so that a bound on it would not end.
        names_self: bool,
    },
}
