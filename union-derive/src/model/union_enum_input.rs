//! An enum with `#[derive(UnionEnum)]`, before it is checked, and queries about the enum.

use proc_macro2::{Ident, Span};
use syn::ext::IdentExt as _;
use syn::{Attribute, Data, DeriveInput, Fields, Generics, Type, Variant};

use super::field_queries::{last_name, mentions_type};
use crate::attr::{RenameRule, SpannedValue, UnionEnumAttrs, UnionVariantAttrs};
use crate::errors::Errors;

/// An enum with `#[derive(UnionEnum)]`. It does not have attributes of serde and schemars, because
/// this derive replaces their derives.
pub(crate) struct UnionEnumInput<'a> {
    pub(crate) ident: &'a Ident,
    pub(crate) generics: &'a Generics,
    pub(crate) attrs: UnionEnumAttrs,
    pub(crate) syn_attrs: &'a [Attribute],
    pub(crate) variants: Vec<UnionVariantInput<'a>>,
    /// True if the attributes of the enum could be read. Otherwise an attribute that seems to be
    /// missing may be written with an error.
    pub(crate) is_complete: bool,
}

/// A variant of the enum.
pub(crate) struct UnionVariantInput<'a> {
    pub(crate) syn: &'a Variant,
    pub(crate) attrs: UnionVariantAttrs,
    /// True if all attributes of the variant could be read.
    pub(crate) is_complete: bool,
}

/// The fields of a variant.
#[derive(Clone, Copy)]
pub(crate) enum VariantShape<'a> {
    Unit,
    /// A single field without a name.
    One(&'a Type),
    /// Empty braces or parentheses.
    Empty,
    /// Named fields, or several fields.
    Fields,
}

/// A string in JSON, and the span of its source: an attribute, or the name of the variant.
pub(crate) struct SpannedStr {
    pub(crate) span: Span,
    pub(crate) value: String,
}

impl<'a> UnionEnumInput<'a> {
    /// Reads the input. Returns `None` after an error that makes all checks impossible.
    pub(crate) fn from_syn(input: &'a DeriveInput, diag: &Errors) -> Option<Self> {
        let Data::Enum(data) = &input.data else {
            diag.error(
                input.ident.span(),
                "`#[derive(UnionEnum)]` must be on an enum; on a struct use `#[derive(Union)]` (https://docs.rs/union-runtime/latest/union_runtime/derive.Union.html)",
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

    /// Returns true if the enum has `undiscriminated` and does not have `discriminator`.
    pub(crate) fn is_undiscriminated(&self) -> bool {
        self.attrs.undiscriminated.is_some() && self.attrs.discriminator.is_none()
    }

    /// Returns all variants but the variants with `other`.
    pub(crate) fn known_variants(&self) -> impl Iterator<Item = &UnionVariantInput<'a>> {
        let variants = self.variants.iter();
        variants.filter(|variant| variant.attrs.other.is_none())
    }

    /// Returns the discriminator value of a variant.
    pub(crate) fn value(&self, variant: &UnionVariantInput<'_>) -> SpannedStr {
        let rule = self.attrs.values.as_ref();
        let rule = rule.map_or(RenameRule::Pascal, |values| values.value);
        variant.name_in_json(variant.attrs.member.as_ref(), rule)
    }

    /// Returns the JSON name of a variant's member.
    pub(crate) fn field(&self, variant: &UnionVariantInput<'_>) -> SpannedStr {
        let rule = self.attrs.fields.as_ref();
        let rule = rule.map_or(RenameRule::Camel, |fields| fields.value);
        variant.name_in_json(variant.attrs.field.as_ref(), rule)
    }

    /// Returns the span of the declaration that a variant represents an object with neither a
    /// discriminator nor a member. Returns `None` if the variant is not declared so.
    pub(crate) fn empty_variant_span(&self, variant: &UnionVariantInput<'_>) -> Option<Span> {
        let is_unit = matches!(variant.shape(), VariantShape::Unit);
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

    /// Returns true if a variant has a number in the union. With a discriminator, each
    /// discriminator value has a number; without a discriminator, each member.
    pub(crate) fn has_number(&self, variant: &UnionVariantInput<'_>) -> bool {
        let attrs = &variant.attrs;
        if self.is_undiscriminated() {
            attrs.other.is_none() && !matches!(variant.shape(), VariantShape::Unit)
        } else {
            attrs.other.is_none() && attrs.absent.is_none()
        }
    }

    /// Returns true if a type contains the name of the enum or `Self`.
    pub(crate) fn is_named_by(&self, ty: &Type) -> bool {
        let as_self = Ident::new("Self", Span::call_site());
        mentions_type(ty, self.ident) || mentions_type(ty, &as_self)
    }
}

impl<'a> UnionVariantInput<'a> {
    pub(crate) fn shape(&self) -> VariantShape<'a> {
        match &self.syn.fields {
            Fields::Unit => VariantShape::Unit,
            fields if fields.is_empty() => VariantShape::Empty,
            Fields::Unnamed(fields) if fields.unnamed.len() == 1 => fields
                .unnamed
                .first()
                .map_or(VariantShape::Empty, |field| VariantShape::One(&field.ty)),
            _ => VariantShape::Fields,
        }
    }

    /// Returns true if the variant contains a `RawUnion`. The type is recognized by its name.
    pub(crate) fn holds_raw(&self) -> bool {
        match self.shape() {
            VariantShape::One(ty) => last_name(ty).is_some_and(|name| name == "RawUnion"),
            _ => false,
        }
    }

    fn name_in_json(
        &self,
        written: Option<&SpannedValue<syn::LitStr>>,
        rule: RenameRule,
    ) -> SpannedStr {
        match written {
            Some(written) => SpannedStr {
                span: written.value.span(),
                value: written.value.value(),
            },
            None => SpannedStr {
                span: self.syn.ident.span(),
                value: rule.apply(&self.syn.ident.unraw().to_string()),
            },
        }
    }
}
