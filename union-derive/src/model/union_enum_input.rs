//! The input of `#[derive(UnionEnum)]` before it is checked, and queries about it.

use proc_macro2::{Ident, Span};
use syn::ext::IdentExt as _;
use syn::{Attribute, Data, DeriveInput, Fields, Generics, Type, Variant};

use super::field_queries::mentions_type;
use super::type_syntax::last_name;
use crate::attr::{RenameRule, SpannedValue, UnionEnumAttrs, UnionVariantAttrs};
use crate::errors::Errors;

/// An enum with `#[derive(UnionEnum)]`. Attributes of serde and schemars are not read, because this
/// derive replaces their derives.
pub(crate) struct UnionEnumInput<'a> {
    pub(crate) ident: &'a Ident,
    pub(crate) generics: &'a Generics,
    pub(crate) attrs: UnionEnumAttrs,
    pub(crate) syn_attrs: &'a [Attribute],
    pub(crate) variants: Vec<UnionVariantInput<'a>>,
    /// True if the attributes of the enum could be read. If false, a missing attribute may be an
    /// attribute with an error.
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
    Newtype(&'a Type),
    /// Empty braces or parentheses.
    Empty,
    /// Named fields, or several fields.
    Fields,
}

/// A string in JSON, and the span of its source, which is an attribute or the name of the variant.
pub(crate) struct SpannedStr {
    pub(crate) span: Span,
    pub(crate) value: String,
}

impl<'a> UnionEnumInput<'a> {
    /// Reads the input. Returns `None` after an error that makes all checks impossible.
    pub(crate) fn from_syn(input: &'a DeriveInput, errors: &Errors) -> Option<Self> {
        let Data::Enum(data) = &input.data else {
            errors.error(
                input.ident.span(),
                "`#[derive(UnionEnum)]` must be on an enum; on a struct use `#[derive(Union)]` (https://docs.rs/union-runtime/latest/union_runtime/derive.Union.html)",
            );
            return None;
        };
        let count_before = errors.count();
        let attrs = UnionEnumAttrs::from_syn(&input.attrs, errors);
        let is_complete = errors.count() == count_before;
        let variants = data.variants.iter().map(|variant| {
            let count_before = errors.count();
            UnionVariantInput {
                syn: variant,
                attrs: UnionVariantAttrs::from_syn(&variant.attrs, errors),
                is_complete: errors.count() == count_before,
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
    pub(crate) fn all_attributes_are_valid(&self) -> bool {
        self.is_complete && self.variants.iter().all(|variant| variant.is_complete)
    }

    /// Returns true if the enum has `undiscriminated`, but not `discriminator`.
    pub(crate) fn is_undiscriminated(&self) -> bool {
        self.attrs.undiscriminated.is_some() && self.attrs.discriminator.is_none()
    }

    /// Returns all variants except those with `other`.
    pub(crate) fn known_variants(&self) -> impl Iterator<Item = &UnionVariantInput<'a>> {
        let variants = self.variants.iter();
        variants.filter(|variant| variant.attrs.other.is_none())
    }

    /// Returns the discriminator value of a variant.
    pub(crate) fn discriminator_value(&self, variant: &UnionVariantInput<'_>) -> SpannedStr {
        let rule = self.attrs.values.as_ref();
        let rule = rule.map_or(RenameRule::Pascal, |values| values.value);
        variant.json_name(variant.attrs.member.as_ref(), rule)
    }

    /// Returns the JSON name of a variant's member.
    pub(crate) fn member_name(&self, variant: &UnionVariantInput<'_>) -> SpannedStr {
        let rule = self.attrs.fields.as_ref();
        let rule = rule.map_or(RenameRule::Camel, |fields| fields.value);
        variant.json_name(variant.attrs.field.as_ref(), rule)
    }

    /// Returns the span at which a variant is declared to represent an object with neither
    /// discriminator nor member. Returns `None` for other variants.
    pub(crate) fn empty_variant_span(&self, variant: &UnionVariantInput<'_>) -> Option<Span> {
        let is_unit = matches!(variant.shape(), VariantShape::Unit);
        let is_undiscriminated_unit = self.is_undiscriminated() && is_unit;
        let empty_value = variant.attrs.member.as_ref();
        let empty_value = empty_value
            .filter(|member| !self.is_undiscriminated() && member.value.value().is_empty());
        variant
            .attrs
            .absent
            .or(empty_value.map(|member| member.value.span()))
            .or(is_undiscriminated_unit.then(|| variant.syn.ident.span()))
    }

    /// Returns true if a variant has a number in the union. In a union with a discriminator, each
    /// discriminator value has a number. In other unions, each member has a number.
    pub(crate) fn is_numbered(&self, variant: &UnionVariantInput<'_>) -> bool {
        let attrs = &variant.attrs;
        if self.is_undiscriminated() {
            attrs.other.is_none() && !matches!(variant.shape(), VariantShape::Unit)
        } else {
            attrs.other.is_none() && attrs.absent.is_none()
        }
    }

    /// Returns true if the type contains the name of the enum or `Self`.
    pub(crate) fn is_mentioned_in(&self, ty: &Type) -> bool {
        let self_ident = Ident::new("Self", Span::call_site());
        mentions_type(ty, self.ident) || mentions_type(ty, &self_ident)
    }
}

impl<'a> UnionVariantInput<'a> {
    pub(crate) fn shape(&self) -> VariantShape<'a> {
        match &self.syn.fields {
            Fields::Unit => VariantShape::Unit,
            fields if fields.is_empty() => VariantShape::Empty,
            Fields::Unnamed(fields) if fields.unnamed.len() == 1 => {
                fields.unnamed.first().map_or(VariantShape::Empty, |field| {
                    VariantShape::Newtype(&field.ty)
                })
            }
            _ => VariantShape::Fields,
        }
    }

    /// Returns true if the variant contains a `RawUnion`. The type is recognized by its name.
    pub(crate) fn contains_raw_union(&self) -> bool {
        match self.shape() {
            VariantShape::Newtype(ty) => last_name(ty).is_some_and(|name| name == "RawUnion"),
            _ => false,
        }
    }

    fn json_name(
        &self,
        explicit_name: Option<&SpannedValue<syn::LitStr>>,
        rule: RenameRule,
    ) -> SpannedStr {
        match explicit_name {
            Some(explicit_name) => SpannedStr {
                span: explicit_name.value.span(),
                value: explicit_name.value.value(),
            },
            None => SpannedStr {
                span: self.syn.ident.span(),
                value: rule.apply(&self.syn.ident.unraw().to_string()),
            },
        }
    }
}
