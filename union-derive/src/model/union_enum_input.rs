//! An enum with `#[derive(UnionEnum)]`, as written, and queries about it.

use proc_macro2::{Ident, Span};
use syn::ext::IdentExt as _;
use syn::{Attribute, Data, DeriveInput, Fields, Generics, Type, Variant};

use super::questions::{last_name, mentions_type};
use crate::attr::{RenameRule, UnionEnumAttrs, UnionVariantAttrs, Valued};
use crate::diag::Diag;

/// The enum, without attributes of serde and schemars: the derive replaces the derives of both.
pub(crate) struct UnionEnumInput<'a> {
    pub(crate) ident: &'a Ident,
    pub(crate) generics: &'a Generics,
    pub(crate) attrs: UnionEnumAttrs,
    pub(crate) syn_attrs: &'a [Attribute],
    pub(crate) variants: Vec<UnionVariantInput<'a>>,
    /// True if the attributes of the enum could be read, so that a missing attribute was not
    /// written.
    pub(crate) is_complete: bool,
}

/// A variant of the enum.
pub(crate) struct UnionVariantInput<'a> {
    pub(crate) syn: &'a Variant,
    pub(crate) attrs: UnionVariantAttrs,
    /// True if the attributes could be read.
    pub(crate) is_complete: bool,
}

/// The fields of a variant.
#[derive(Clone, Copy)]
pub(crate) enum Form<'a> {
    Unit,
    /// A single field without a name.
    One(&'a Type),
    /// Empty braces or parentheses.
    Empty,
    /// Named fields, or several fields.
    Fields,
}

/// A string on the wire, and its source: an attribute, or the variant's name.
pub(crate) struct Text {
    pub(crate) span: Span,
    pub(crate) text: String,
}

impl<'a> UnionEnumInput<'a> {
    /// Reads the input. Returns `None` after an error that leaves nothing to check.
    pub(crate) fn from_syn(input: &'a DeriveInput, diag: &Diag) -> Option<Self> {
        let Data::Enum(data) = &input.data else {
            diag.error(
                input.ident.span(),
                "`#[derive(UnionEnum)]` is for enums, one variant a member; on a struct write `#[derive(Union)]` (https://docs.rs/union-runtime/latest/union_runtime/derive.Union.html)",
            );
            return None;
        };
        let before = diag.count();
        let attrs = UnionEnumAttrs::from_syn(&input.attrs, diag);
        let is_complete = diag.count() == before;
        let variants = data.variants.iter().map(|variant| {
            let before = diag.count();
            UnionVariantInput {
                syn: variant,
                attrs: UnionVariantAttrs::from_syn(&variant.attrs, diag),
                is_complete: diag.count() == before,
            }
        });
        Some(Self {
            ident: &input.ident,
            generics: &input.generics,
            attrs,
            syn_attrs: &input.attrs,
            variants: variants.collect(),
            is_complete,
        })
    }

    /// Returns true if the attributes of the enum and of all its variants could be read.
    pub(crate) fn is_whole(&self) -> bool {
        self.is_complete && self.variants.iter().all(|variant| variant.is_complete)
    }

    /// Returns true with `undiscriminated` and without a discriminator.
    pub(crate) fn is_undiscriminated(&self) -> bool {
        self.attrs.undiscriminated.is_some() && self.attrs.discriminator.is_none()
    }

    /// Returns the variants that are read and written: all but the variants with `other`.
    pub(crate) fn choices(&self) -> impl Iterator<Item = &UnionVariantInput<'a>> {
        let variants = self.variants.iter();
        variants.filter(|variant| variant.attrs.other.is_none())
    }

    /// Returns the discriminator's value of a variant.
    pub(crate) fn value(&self, variant: &UnionVariantInput<'_>) -> Text {
        let rule = self.attrs.values.as_ref();
        let rule = rule.map_or(RenameRule::Pascal, |values| values.value);
        variant.text(variant.attrs.member.as_ref(), rule)
    }

    /// Returns the JSON name of a variant's member.
    pub(crate) fn field(&self, variant: &UnionVariantInput<'_>) -> Text {
        let rule = self.attrs.fields.as_ref();
        let rule = rule.map_or(RenameRule::Camel, |fields| fields.value);
        variant.text(variant.attrs.field.as_ref(), rule)
    }

    /// Returns the span that declares a variant to have neither a discriminator nor a member, if it
    /// is declared so.
    pub(crate) fn says_nothing(&self, variant: &UnionVariantInput<'_>) -> Option<Span> {
        let is_unit = matches!(variant.form(), Form::Unit);
        let without_kind = self.is_undiscriminated() && is_unit;
        let by_value = variant.attrs.member.as_ref();
        let by_value =
            by_value.filter(|member| !self.is_undiscriminated() && member.value.value().is_empty());
        variant
            .attrs
            .absent
            .or(by_value.map(|member| member.value.span()))
            .or(without_kind.then(|| variant.syn.ident.span()))
    }

    /// Returns true if a variant uses a bit of the union: for its value, or, without a
    /// discriminator, for its member.
    pub(crate) fn has_number(&self, variant: &UnionVariantInput<'_>) -> bool {
        let attrs = &variant.attrs;
        if self.is_undiscriminated() {
            attrs.other.is_none() && !matches!(variant.form(), Form::Unit)
        } else {
            attrs.other.is_none() && attrs.absent.is_none()
        }
    }

    /// Returns true if a type names the enum.
    pub(crate) fn is_named_by(&self, ty: &Type) -> bool {
        let as_self = Ident::new("Self", Span::call_site());
        mentions_type(ty, self.ident) || mentions_type(ty, &as_self)
    }
}

impl<'a> UnionVariantInput<'a> {
    pub(crate) fn form(&self) -> Form<'a> {
        match &self.syn.fields {
            Fields::Unit => Form::Unit,
            fields if fields.is_empty() => Form::Empty,
            Fields::Unnamed(fields) if fields.unnamed.len() == 1 => fields
                .unnamed
                .first()
                .map_or(Form::Empty, |field| Form::One(&field.ty)),
            _ => Form::Fields,
        }
    }

    /// Returns true if the variant holds an unreadable object, by the name of the type.
    pub(crate) fn holds_raw(&self) -> bool {
        match self.form() {
            Form::One(ty) => last_name(ty).is_some_and(|name| name == "RawUnion"),
            _ => false,
        }
    }

    fn text(&self, written: Option<&Valued<syn::LitStr>>, rule: RenameRule) -> Text {
        match written {
            Some(written) => Text {
                span: written.value.span(),
                text: written.value.value(),
            },
            None => Text {
                span: self.syn.ident.span(),
                text: rule.apply(&self.syn.ident.unraw().to_string()),
            },
        }
    }
}
