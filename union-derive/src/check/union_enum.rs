//! The rules of `#[derive(UnionEnum)]`.

use syn::ext::IdentExt as _;
use syn::{Fields, parse_quote};

use crate::attr::{Enforce, RenameRule, Shape};
use crate::diag::Diag;
use crate::model::{
    EnumKind, EnumVariant, UnionEnum, UnionEnumInput, UnionVariantInput, VariantKind, doc,
    inside_option, mentions_type,
};

/// Checks an enum; all mistakes are reported.
pub(crate) fn check_union_enum<'a>(
    input: &UnionEnumInput<'a>,
    diag: &Diag,
) -> Option<UnionEnum<'a>> {
    let attrs = &input.attrs;
    let kind = match &attrs.discriminator {
        Some(name) => EnumKind::Discriminated {
            name: name.value.value(),
            span: name.value.span(),
        },
        None => EnumKind::Undiscriminated,
    };
    let other = input
        .variants
        .iter()
        .find(|variant| variant.attrs.other.is_some());
    let variants = || {
        input
            .variants
            .iter()
            .filter(|variant| variant.attrs.other.is_none())
    };
    let _ = diag;
    Some(UnionEnum {
        ident: input.ident,
        generics: input.generics,
        krate: input
            .container
            .krate
            .clone()
            .unwrap_or_else(|| parse_quote!(::union_runtime)),
        doc: doc(input.syn_attrs),
        kind,
        variants: variants()
            .map(|found| variant(found, input))
            .collect::<Option<_>>()?,
        other: other.map(|other| &other.syn.ident),
        default: variants().position(|variant| variant.attrs.default.is_some()),
        schema: input
            .container
            .schema
            .as_ref()
            .is_none_or(|schema| schema.value),
        shape: attrs
            .shape
            .as_ref()
            .map_or(Shape::V2022, |shape| shape.value),
        enforce: attrs
            .enforce
            .as_ref()
            .map_or(Enforce::Cel, |enforce| enforce.value),
    })
}

fn variant<'a>(
    variant: &UnionVariantInput<'a>,
    input: &UnionEnumInput<'a>,
) -> Option<EnumVariant<'a>> {
    let ident = &variant.syn.ident;
    let name = ident.unraw().to_string();
    let attrs = &variant.attrs;
    let (span, value) = match (&attrs.member, input.attrs.values) {
        (Some(member), _) => (member.value.span(), member.value.value()),
        (None, Some(rule)) => (ident.span(), rule.apply(&name)),
        (None, None) => (ident.span(), name.clone()),
    };
    let kind = match &variant.syn.fields {
        Fields::Unit if attrs.absent.is_some() || input.attrs.discriminator.is_none() => {
            VariantKind::Absent
        }
        Fields::Unit => VariantKind::Unit,
        fields => {
            let held = &fields.iter().next()?.ty;
            let rule = input.attrs.fields.unwrap_or(RenameRule::Camel);
            VariantKind::Member {
                field: attrs
                    .field
                    .as_ref()
                    .map_or_else(|| rule.apply(&name), |field| field.value.value()),
                ty: inside_option(held).unwrap_or(held),
                is_option: inside_option(held).is_some(),
                nested: attrs.nested.is_some(),
                names_self: mentions_type(held, input.ident),
            }
        }
    };
    Some(EnumVariant {
        ident,
        span,
        value,
        doc: doc(&variant.syn.attrs),
        kind,
    })
}
