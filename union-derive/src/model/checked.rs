//! The checked input. Code is generated only from these types.

use proc_macro2::{Ident, Span};
use syn::{Generics, LitStr, Path, Type};

use crate::attr::{Enforce, Shape};

/// A struct whose unions are well formed, as far as a macro can see.
pub(crate) struct Struct<'a> {
    pub(crate) ident: &'a Ident,
    pub(crate) generics: &'a Generics,
    pub(crate) krate: Path,
    pub(crate) unions: Vec<Union<'a>>,
    /// The fields whose values may contain unions.
    pub(crate) children: Vec<Child<'a>>,
    /// The fields that identify the struct in a list.
    pub(crate) keys: Vec<KeyField<'a>>,
    /// The fields without attributes, which may be forgotten members.
    pub(crate) unmarked: Vec<Unmarked<'a>>,
    /// The fields that may hold values of an enum type outside of unions, which only rustc knows.
    pub(crate) values: Vec<ValuesField<'a>>,
    /// The fields with `open`: the span of the word, and the type.
    pub(crate) open: Vec<(Span, &'a Type)>,
    /// The map of unknown members.
    pub(crate) unknown: Option<UnknownField<'a>>,
    /// The map of unknown fields in a struct that flattens an enum.
    pub(crate) rest: Option<UnknownField<'a>>,
    /// The JSON names of its own fields, if a field is flattened with `inline`.
    pub(crate) names: Vec<String>,
    /// The fields with patch attributes.
    pub(crate) patches: Vec<PatchField<'a>>,
    pub(crate) shape: Shape,
    pub(crate) enforce: Enforce,
}

/// A field whose value may contain unions.
pub(crate) struct Child<'a> {
    pub(crate) ident: &'a Ident,
    pub(crate) ty: &'a Type,
    pub(crate) name: String,
    pub(crate) kind: ChildKind,
}

/// The way to the unions in a child.
pub(crate) enum ChildKind {
    /// A flattened struct or enum: its unions are at the place of the struct.
    Inline {
        flattened: Flattened,
        /// True if its type depends on a parameter of the struct.
        is_generic: bool,
        /// True if the handling of unknown fields of an enum is declared: a map keeps them, they
        /// are rejected, or they may be lost.
        keeps: bool,
    },
    Nested,
    /// A list whose elements correlate by these keys.
    List {
        keys: Vec<LitStr>,
        /// True if the elements depend on a parameter of the struct.
        is_generic: bool,
    },
}

/// The permission of a flattened struct to keep unknown members beside the other fields of the
/// struct.
pub(crate) enum Flattened {
    /// The flattened struct may keep unknown members.
    Keeps,
    /// The flattened struct must not keep unknown members, for this reason.
    KeepsNothing(String),
    /// The type depends on a parameter, so that the runtime cannot check it here.
    Generic,
}

/// A field that may hold values of an enum type.
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

/// An `Option` with neither `member` nor `not_member`.
pub(crate) struct Unmarked<'a> {
    pub(crate) ident: &'a Ident,
    pub(crate) name: String,
    /// The Rust name in `CamelCase`.
    pub(crate) camel: String,
}

/// A field with `unknown`.
pub(crate) struct UnknownField<'a> {
    pub(crate) ident: &'a Ident,
    pub(crate) ty: &'a Type,
    pub(crate) span: Span,
}

/// A field with `patch_strategy`.
pub(crate) struct PatchField<'a> {
    pub(crate) ty: &'a Type,
    pub(crate) name: String,
    /// The strategy with a comma, as Kubernetes writes it.
    pub(crate) strategy: String,
    /// The merge key, `""` if there is none.
    pub(crate) merge_key: String,
    /// The span of an error that elements need a merge key, which is reported if they are objects.
    pub(crate) asks_for_key: Option<Span>,
}

/// A union of a struct.
pub(crate) struct Union<'a> {
    pub(crate) kind: UnionKind<'a>,
    pub(crate) members: Vec<Member<'a>>,
}

/// The part of a union that selects the member.
pub(crate) enum UnionKind<'a> {
    /// The discriminator: the 2022 model.
    Discriminated(Discriminator<'a>),
    /// The members, and the discriminator follows them: the 2019 model.
    Deduced(Discriminator<'a>),
    /// A union without a discriminator.
    Undiscriminated { exactly_one: bool },
}

/// The field that selects a member.
pub(crate) struct Discriminator<'a> {
    pub(crate) ident: &'a Ident,
    pub(crate) ty: &'a Type,
    pub(crate) span: Span,
    pub(crate) name: String,
    pub(crate) has_skip_if: bool,
    pub(crate) default: Absent,
}

/// The value of an absent discriminator.
pub(crate) enum Absent {
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

/// A field of the union.
pub(crate) struct Member<'a> {
    pub(crate) ident: &'a Ident,
    pub(crate) ty: &'a Type,
    pub(crate) span: Span,
    pub(crate) name: String,
    pub(crate) value: MemberValue,
    pub(crate) optional: bool,
    /// True if its type is written as an `Option`, so that the field is most likely a member.
    pub(crate) is_option: bool,
    /// True if its type has a name of its own, which may hide an `Option` of an `Option`.
    pub(crate) is_alias: bool,
}

/// The discriminator's value for a member.
pub(crate) enum MemberValue {
    /// The value that matches the JSON name, or this form of the Rust name.
    ByName {
        camel: String,
    },
    Written(LitStr),
}

/// An enum that is an enum type.
pub(crate) struct EnumType<'a> {
    pub(crate) ident: &'a Ident,
    pub(crate) generics: &'a Generics,
    pub(crate) krate: Path,
    pub(crate) values: Vec<EnumValue<'a>>,
    /// The variant that keeps unknown values.
    pub(crate) other: Option<&'a Ident>,
}

/// A value of an enum type.
pub(crate) struct EnumValue<'a> {
    pub(crate) ident: &'a Ident,
    pub(crate) text: String,
    pub(crate) doc: String,
}

/// A check of the schema hook that needs types.
pub(crate) enum HookCheck {
    /// No check is needed: the hook is present, or not wanted.
    Done,
    /// The hook is missing, and no attribute shows that there is a schema: if the type implements
    /// `JsonSchema` after all, a use of this deprecated constant causes a warning.
    IfSchema(&'static str),
    /// The hook is present, for a type with this path, which must be the type of the derive.
    Names(Box<Type>),
}
