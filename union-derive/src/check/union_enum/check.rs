//! Checks the input of `#[derive(UnionEnum)]`, and returns the checked enum for the expansion.

use super::{names, variant, whole};
use crate::attr::Shape;
use crate::check::enforcement::enforcement;
use crate::diag::Diag;
use crate::model::{
    Descend, EnumKind, EnumVariant, Form, UnionEnum, UnionEnumInput, UnionVariantInput,
    VariantKind, Written, depends_on_parameters, doc, may_hold_values, union_runtime,
};

/// Checks an enum, and reports all errors.
pub(crate) fn check_union_enum<'a>(
    input: &UnionEnumInput<'a>,
    diag: &Diag,
) -> Option<UnionEnum<'a>> {
    whole::check_whole(input, diag);
    let mut place = 0;
    for variant in &input.variants {
        variant::check_variant(variant, place, input, diag);
        place += usize::from(input.has_number(variant));
    }
    names::check_names(input, diag);
    let attrs = &input.attrs;
    let kind = match &attrs.discriminator {
        Some(name) => EnumKind::Discriminated {
            name: name.value.value(),
        },
        None => EnumKind::Undiscriminated,
    };
    let others = &mut input.variants.iter();
    let other = others.find(|variant| variant.attrs.other.is_some());
    let krate = input.attrs.krate.clone();
    let schema = input.attrs.schema.as_ref();
    Some(UnionEnum {
        ident: input.ident,
        generics: input.generics,
        krate: krate.unwrap_or_else(union_runtime),
        doc: doc(input.syn_attrs),
        kind,
        variants: input
            .choices()
            .map(|found| variant(found, input))
            .collect::<Option<_>>()?,
        other: other.map(|other| &other.syn.ident),
        default: input
            .choices()
            .position(|variant| variant.attrs.default.is_some()),
        schema: schema.is_none_or(|schema| schema.value),
        shape: attrs
            .shape
            .as_ref()
            .map_or(Shape::V2022, |shape| shape.value),
        enforce: enforcement(attrs.enforce.as_ref(), attrs.ratchet, diag),
    })
}

fn variant<'a>(
    variant: &UnionVariantInput<'a>,
    input: &UnionEnumInput<'_>,
) -> Option<EnumVariant<'a>> {
    let value = input.value(variant);
    let kind = match variant.form() {
        Form::Unit if variant.attrs.absent.is_some() || input.is_undiscriminated() => {
            VariantKind::Absent
        }
        Form::Unit => VariantKind::Unit,
        Form::One(written) => {
            let (ty, is_option) = match Written::of(written) {
                Written::Option(ty) => (ty, true),
                _ => (written, false),
            };
            let generics = input.generics;
            let descend = if variant.attrs.nested.is_some() {
                Descend::Unions
            } else if variant.attrs.open.is_none()
                && !depends_on_parameters(ty, generics)
                && may_hold_values(ty)
            {
                Descend::Values
            } else {
                Descend::Nothing
            };
            VariantKind::Member {
                field: input.field(variant).text,
                ty,
                is_option,
                descend,
                open: variant
                    .attrs
                    .open
                    .filter(|_| !depends_on_parameters(ty, generics)),
                names_self: input.is_named_by(ty),
            }
        }
        Form::Empty | Form::Fields => return None,
    };
    Some(EnumVariant {
        ident: &variant.syn.ident,
        value: value.text,
        doc: doc(&variant.syn.attrs),
        kind,
    })
}
