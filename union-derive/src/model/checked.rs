//! What is left when all is well: code is generated from nothing else, which the types see to.

use proc_macro2::{Ident, Span};
use syn::{Generics, LitStr, Path, Type};

use crate::attr::{Enforce, Shape};

/// A struct whose unions are well formed, as far as a macro can see.
pub(crate) struct Struct<'a> {
    pub(crate) ident: &'a Ident,
    pub(crate) generics: &'a Generics,
    pub(crate) krate: Path,
    pub(crate) unions: Vec<Union<'a>>,
    /// What it holds, to be descended into.
    pub(crate) children: Vec<Child<'a>>,
    /// The fields that name it in a list.
    pub(crate) keys: Vec<KeyField<'a>>,
    /// The fields that say nothing, and may be members that were forgotten.
    pub(crate) unmarked: Vec<Unmarked<'a>>,
    /// The fields that may hold values of an enum type outside of unions, which rustc knows.
    pub(crate) values: Vec<ValuesField<'a>>,
    /// The fields with `open`: where the word stands, and the type.
    pub(crate) open: Vec<(Span, &'a Type)>,
    /// The map of members that are not known.
    pub(crate) unknown: Option<UnknownField<'a>>,
    /// The map of what no field of a struct that flattens an enum knows.
    pub(crate) rest: Option<UnknownField<'a>>,
    /// The JSON names of its own fields, where something is flattened with `inline`.
    pub(crate) names: Vec<String>,
    /// What the schema says of patches.
    pub(crate) patches: Vec<PatchField<'a>>,
    pub(crate) shape: Shape,
    pub(crate) enforce: Enforce,
}

/// A field to be descended into.
pub(crate) struct Child<'a> {
    pub(crate) ident: &'a Ident,
    pub(crate) ty: &'a Type,
    pub(crate) name: String,
    pub(crate) kind: ChildKind,
}

/// How a child's nodes are reached.
pub(crate) enum ChildKind {
    /// It is flattened: its nodes are at the place of the struct.
    Inline {
        flattened: Flattened,
        /// Its type depends on a parameter of the struct.
        is_generic: bool,
        /// What an enum does not know is kept, refused, or may be lost.
        keeps: bool,
    },
    Nested,
    /// A list whose elements correlate by these keys.
    List {
        keys: Vec<LitStr>,
        /// The elements depend on a parameter of the struct.
        is_generic: bool,
    },
}

/// What a flattened struct may do beside the other fields of the struct.
pub(crate) enum Flattened {
    /// It may keep unknown members.
    Keeps,
    /// It may not; the text says why.
    KeepsNothing(String),
    /// Its type depends on a parameter, so that cannot be asked here.
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

/// An `Option` that is not said to be a member, nor to be none.
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
    /// As Kubernetes writes it: with a comma.
    pub(crate) strategy: String,
    /// `""` where there is none.
    pub(crate) merge_key: String,
    /// Where it is to be said that elements need a merge key, if they are objects.
    pub(crate) asks_for_key: Option<Span>,
}

/// A union of a struct.
pub(crate) struct Union<'a> {
    pub(crate) kind: UnionKind<'a>,
    pub(crate) members: Vec<Member<'a>>,
}

/// What decides which member is to be set.
pub(crate) enum UnionKind<'a> {
    /// The discriminator: the 2022 model.
    Discriminated(Discriminator<'a>),
    /// The members, and the discriminator follows: the 2019 model.
    Deduced(Discriminator<'a>),
    /// There is no discriminator.
    Undiscriminated { exactly_one: bool },
}

/// The field that names the member to respect.
pub(crate) struct Discriminator<'a> {
    pub(crate) ident: &'a Ident,
    pub(crate) ty: &'a Type,
    pub(crate) span: Span,
    pub(crate) name: String,
    pub(crate) has_skip_if: bool,
    pub(crate) default: Absent,
}

/// What an absent discriminator stands for.
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
    /// Its type is written as an `Option`, so that it is most likely a member.
    pub(crate) is_option: bool,
    /// Its type has a name of its own, which may hide an `Option` of an `Option`.
    pub(crate) is_alias: bool,
}

/// How the discriminator names a member.
pub(crate) enum MemberValue {
    /// The value that fits the JSON name, or this form of the Rust name.
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

/// What is still to be found out about the schema hook once types are known.
pub(crate) enum HookCheck {
    /// It is there, or not wanted.
    Done,
    /// It is not there, and nothing in sight says that there is a schema: where the type implements `JsonSchema` after all, a
    /// use of this deprecated constant warns of it.
    IfSchema(&'static str),
    /// It is there, for what is called this: that must be the type.
    Names(Box<Type>),
}
