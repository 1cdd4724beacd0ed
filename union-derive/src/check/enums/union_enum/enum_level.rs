//! The rules of the enum as a whole: the selection of variants, and the handling of objects that
//! fit no variant.

use proc_macro2::Span;

use super::variant::check_foreign_attributes;
use crate::attr::Enforcement;
use crate::errors::Errors;
use crate::model::{UnionEnumInput, UnionVariantInput, VariantShape};
use crate::name::serde_key;

/// Checks the attributes of the enum, and the variants that are special as a group.
pub(super) fn check_enum_level(input: &UnionEnumInput<'_>, errors: &Errors) {
    check_foreign_attributes(
        input.syn_attrs,
        [
            "write `#[union(discriminator = \"type\", values = \"..\", fields = \"..\")]`",
            "put them on the fields that have this enum, or write `#[union(schema = false)]` and implement `JsonSchema`",
        ],
        errors,
    );
    check_owned(input, errors);
    if !has_only_units(input) {
        check_kind(input, errors);
        check_other(input, errors);
    } else if input.all_attributes_are_valid() {
        // Without a member, the enum is most likely meant as an enum type.
        errors.error(
            input.ident.span(),
            "this enum has no members; use `#[derive(EnumType)]` for an enum of plain strings",
        );
    }
    check_flattened(input, errors);
    check_read_also(input, errors);
    check_absent(input, errors);
    check_no_values(input, errors);
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

/// Returns true if the union has no members.
fn has_only_units(input: &UnionEnumInput<'_>) -> bool {
    let is_unit = |variant: &UnionVariantInput<'_>| matches!(variant.shape(), VariantShape::Unit);
    input.known_variants().all(is_unit)
}

/// Reports several variants with `other`, a variant with `other` in an enum with `strict`, and an
/// enum with neither `other` nor `strict`.
fn check_other(input: &UnionEnumInput<'_>, errors: &Errors) {
    let other_variants = input.variants.iter();
    let other_variants = other_variants.filter_map(|variant| Some((variant, variant.attrs.other?)));
    let other_variants: Vec<(&UnionVariantInput<'_>, Span)> = other_variants.collect();
    for (index, (variant, span)) in other_variants.iter().enumerate() {
        if let (0, Some(_)) = (index, input.attrs.strict) {
            let name = &variant.syn.ident;
            errors.error(
                *span,
                format_args!("`strict` conflicts with `{name}`: deserialization cannot both fail and keep unreadable objects; remove one of the two"),
            );
        }
        if let (true, Some((first, _))) = (index > 0, other_variants.first()) {
            let first = &first.syn.ident;
            errors.error(
                *span,
                format_args!("`{first}` is already the `other` variant; remove this one"),
            );
        }
    }
    // The variant may be declared by `#[serde(other)]`, which is reported elsewhere.
    let is_meant_as_other = |variant: &UnionVariantInput<'_>| {
        variant.contains_raw_union() || serde_key(&variant.syn.attrs, &["other"]).is_some()
    };
    let is_declared = !other_variants.is_empty() || input.attrs.strict.is_some();
    let is_meant = || input.variants.iter().any(is_meant_as_other);
    if !is_declared && input.all_attributes_are_valid() && !is_meant() {
        errors.error(
            input.ident.span(),
            "missing `other` variant: a single unknown value of a newer server would make a whole list unreadable; add a last variant `#[union(other)] Other(union_runtime::RawUnion)`, or `#[union(strict)]` if deserialization should fail",
        );
    }
}

/// Reports `flattened` on an enum that keeps no unknown fields.
fn check_flattened(input: &UnionEnumInput<'_>, errors: &Errors) {
    if let (Some(flattened), Some(_)) = (&input.attrs.flattened, input.attrs.strict) {
        errors.error(
            flattened.span,
            "`flattened` has no effect with `strict`, because a strict enum does not keep unknown fields; remove one",
        );
    }
}

/// Reports attributes that conflict with `read_also`. With these attributes, an unknown variant in
/// the old form, which is the form of serde's externally tagged enums, would be read as a known
/// variant.
fn check_read_also(input: &UnionEnumInput<'_>, errors: &Errors) {
    let Some(span) = input.attrs.read_also else {
        return;
    };
    if input.attrs.flattened.is_some() {
        errors.error(
            span,
            "`read_also` conflicts with `flattened`, because a flattened enum does not see the old form as a whole; remove one",
        );
    }
    check_read_also_rules(span, input, errors);
    if input.is_undiscriminated() {
        return;
    }
    for variant in input.known_variants() {
        let ident = &variant.syn.ident;
        let is_absent = input.empty_variant_span(variant).is_some();
        if is_absent || variant.attrs.default.is_some() {
            errors.error(
                span,
                format_args!("`read_also` conflicts with `{ident}`, because an unknown variant of the old form has no discriminator and would be read as `{ident}`; remove `read_also`, or require the discriminator"),
            );
        }
    }
}

/// Reports CEL rules on an enum that may be stored as a string. A rule of an object fails for a
/// string even if the string is unchanged.
fn check_read_also_rules(span: Span, input: &UnionEnumInput<'_>, errors: &Errors) {
    let attrs = &input.attrs;
    let has_schema = attrs.schema.as_ref().is_none_or(|schema| schema.value);
    let enforce = attrs.enforce.as_ref();
    let has_cel_rules = enforce.is_none_or(|enforce| enforce.value == Enforcement::Cel);
    let is_unit = |variant: &UnionVariantInput<'_>| matches!(variant.shape(), VariantShape::Unit);
    if has_schema && has_cel_rules && input.known_variants().any(is_unit) {
        errors.error(
            span,
            "API servers reject updates of objects with a stored string, because CEL rules cannot evaluate a string; add `enforce = \"one_of\"`, or `enforce = \"none\"`",
        );
    }
}

/// Reports several variants for an object with neither discriminator nor member, and several
/// variants for an absent discriminator.
fn check_absent(input: &UnionEnumInput<'_>, errors: &Errors) {
    let empty_variants = input.known_variants();
    let empty_variants =
        empty_variants.filter_map(|variant| Some((variant, input.empty_variant_span(variant)?)));
    let empty_variants: Vec<(&UnionVariantInput<'_>, Span)> = empty_variants.collect();
    let mut defaults = input
        .known_variants()
        .filter_map(|variant| Some((variant, variant.attrs.default?)));
    if let [(first, _), (second, span), ..] = &empty_variants[..] {
        errors.error(
            *span,
            format_args!(
                "`{}` and `{}` both represent an empty union; keep one",
                first.syn.ident, second.syn.ident
            ),
        );
    }
    let Some((default_variant, span)) = defaults.next() else {
        return;
    };
    for (_, span) in defaults {
        let first = &default_variant.syn.ident;
        errors.error(
            span,
            format_args!(
                "`{first}` is already the default for an absent discriminator; keep one `default`"
            ),
        );
    }
    let Some((absent_variant, _)) = empty_variants
        .first()
        .filter(|_| !input.is_undiscriminated())
    else {
        return;
    };
    let default = &default_variant.syn.ident;
    let absent = &absent_variant.syn.ident;
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
fn check_no_values(input: &UnionEnumInput<'_>, errors: &Errors) {
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
