//! The rules of the enum as a whole: the selection of variants, and the handling of objects that
//! fit no variant.

use proc_macro2::Span;

use super::variant::check_foreign_attributes;
use crate::errors::Errors;
use crate::model::{UnionEnumInput, UnionVariantInput, VariantShape};

pub(super) fn check_enum_level(input: &UnionEnumInput<'_>, errors: &Errors) {
    check_foreign_attributes(
        input.syn_attrs,
        "`#[union(discriminator = \"type\", values = \"..\", fields = \"..\")]`",
        errors,
    );
    check_owned(input, errors);
    check_kind(input, errors);
    check_has_member(input, errors);
    check_other(input, errors);
    check_absent(input, errors);
    check_without_values(input, errors);
}

/// Reports lifetime parameters, because the enum keeps unreadable objects, which cannot borrow from
/// the input.
fn check_owned(input: &UnionEnumInput<'_>, errors: &Errors) {
    for lifetime in input.generics.lifetimes() {
        errors.error(
            lifetime.lifetime.span(),
            "this enum cannot borrow from its input, because it keeps unreadable objects; use owned types",
        );
    }
}

/// Reports an enum with both or neither of `discriminator` and `undiscriminated`.
fn check_kind(input: &UnionEnumInput<'_>, errors: &Errors) {
    let attrs = &input.attrs;
    match (&attrs.discriminator, attrs.undiscriminated) {
        (Some(_), Some(span)) => errors.error(
            span,
            "`undiscriminated` conflicts with `discriminator`; remove one",
        ),
        (None, None) if input.is_complete => errors.error(
            input.ident.span(),
            "missing discriminator; write `#[union(discriminator = \"type\")]`, or `#[union(undiscriminated)]` for a union without a discriminator",
        ),
        _ => {}
    }
}

/// Reports a union without members.
fn check_has_member(input: &UnionEnumInput<'_>, errors: &Errors) {
    let is_value = |variant: &UnionVariantInput<'_>| matches!(variant.shape(), VariantShape::Unit);
    if input.is_whole() && input.known_variants().all(is_value) {
        errors.error(
            input.ident.span(),
            "this enum has no members; use `#[derive(EnumType)]` for an enum of plain strings",
        );
    }
}

/// Reports several variants with `other`, a variant with `other` in an enum with `strict`, and an
/// enum with neither `other` nor `strict`.
fn check_other(input: &UnionEnumInput<'_>, errors: &Errors) {
    let others = input.variants.iter();
    let others = others.filter_map(|variant| Some((variant, variant.attrs.other?)));
    let others: Vec<(&UnionVariantInput<'_>, Span)> = others.collect();
    for (i, (variant, span)) in others.iter().enumerate() {
        if let (0, Some(_)) = (i, input.attrs.strict) {
            let name = &variant.syn.ident;
            errors.error(
                *span,
                format_args!("`strict` conflicts with `{name}`: deserialization cannot both fail and keep unreadable objects; remove one of the two"),
            );
        }
        if let (true, Some((first, _))) = (i > 0, others.first()) {
            let first = &first.syn.ident;
            errors.error(
                *span,
                format_args!("`{first}` is already the `other` variant; remove this one"),
            );
        }
    }
    let has_unmarked_raw = || input.variants.iter().any(UnionVariantInput::holds_raw);
    let is_declared = !others.is_empty() || input.attrs.strict.is_some();
    if !is_declared && input.is_whole() && !has_unmarked_raw() {
        errors.error(
            input.ident.span(),
            "missing `other` variant: a single unknown value of a newer server would make a whole list unreadable; add a last variant `#[union(other)] Other(union_runtime::RawUnion)`, or `#[union(strict)]` if deserialization should fail",
        );
    }
}

/// Reports several variants for an object with neither discriminator nor member, and several
/// variants for an absent discriminator.
fn check_absent(input: &UnionEnumInput<'_>, errors: &Errors) {
    let empty = input.known_variants();
    let empty = empty.filter_map(|variant| Some((variant, input.empty_variant_span(variant)?)));
    let empty: Vec<(&UnionVariantInput<'_>, Span)> = empty.collect();
    let mut defaults = input
        .known_variants()
        .filter_map(|variant| Some((variant, variant.attrs.default?)));
    let mut others = empty.iter().skip(1);
    if let (Some((first, _)), Some((second, span))) = (empty.first(), others.next()) {
        errors.error(
            *span,
            format_args!(
                "`{}` and `{}` both represent an empty union; keep one",
                first.syn.ident, second.syn.ident
            ),
        );
    }
    let Some((default, span)) = defaults.next() else {
        return;
    };
    for (_, span) in defaults {
        let first = &default.syn.ident;
        errors.error(
            span,
            format_args!(
                "`{first}` is already the default for an absent discriminator; keep one `default`"
            ),
        );
    }
    let Some((absent, _)) = empty.first().filter(|_| !input.is_undiscriminated()) else {
        return;
    };
    let (default, absent) = (&default.syn.ident, &absent.syn.ident);
    if default == absent {
        errors.error(
            span,
            format_args!("`{absent}` already represents an absent discriminator; remove `default`"),
        );
    } else {
        errors.error(
            span,
            format_args!(
                "both `{default}` with `default` and `{absent}` represent an absent discriminator; keep one"
            ),
        );
    }
}

/// Reports attributes about discriminator values in a union without a discriminator.
fn check_without_values(input: &UnionEnumInput<'_>, errors: &Errors) {
    if !input.is_undiscriminated() {
        return;
    }
    if let Some(shape) = &input.attrs.shape {
        errors.error(
            shape.span,
            "a union without a discriminator always has the 2019 shape; remove `shape`",
        );
    }
    if let Some(values) = &input.attrs.values {
        errors.error(
            values.span,
            "a union without a discriminator has no values; remove `values`",
        );
    }
    for variant in input.known_variants() {
        let attrs = &variant.attrs;
        if let Some(member) = &attrs.member {
            errors.error(
                member.span,
                "a union without a discriminator has no values; remove `member`, or name the field with `field = \"name\"`",
            );
        }
        if let Some(span) = attrs.default {
            errors.error(
                span,
                "`default` needs a discriminator that can be absent; remove `default`",
            );
        }
        if let (Some(span), VariantShape::Unit) = (attrs.absent, variant.shape()) {
            errors.error(
                span,
                "without a discriminator, a unit variant always represents an empty union; remove `absent`",
            );
        }
    }
}
