//! The rules of JSON names: a discriminator value belongs to one variant, and a field to one
//! member.

use std::collections::{HashMap, HashSet};

use crate::errors::Errors;
use crate::model::{UnionEnumInput, UnionVariantInput, VariantShape};

pub(super) fn check_names(input: &UnionEnumInput<'_>, errors: &Errors) {
    check_values(input, errors);
    check_fields(input, errors);
    check_old_names(input, errors);
}

/// Reports two variants with the same discriminator value.
fn check_values(input: &UnionEnumInput<'_>, errors: &Errors) {
    if input.is_undiscriminated() {
        return;
    }
    let mut variant_by_value: HashMap<String, &UnionVariantInput<'_>> = HashMap::new();
    // `enum_level` reports several variants for an object with neither discriminator nor member.
    let valued_variants = input
        .known_variants()
        .filter(|variant| variant.is_complete && input.empty_variant_span(variant).is_none());
    for variant in valued_variants {
        let value = input.discriminator_value(variant);
        if let Some(first) = variant_by_value.get(&value.value) {
            errors.error(
                value.span,
                format_args!(
                    "`{}` and `{}` have the same discriminator value \"{}\"; set different values with `#[union(member = \"...\")]`",
                    first.syn.ident, variant.syn.ident, value.value
                ),
            );
        } else {
            variant_by_value.insert(value.value, variant);
        }
    }
}

/// Reports empty names of fields, and a member whose field is also the field of another member or
/// the discriminator.
fn check_fields(input: &UnionEnumInput<'_>, errors: &Errors) {
    let discriminator = input.attrs.discriminator.as_ref();
    let discriminator = discriminator.map(|name| (name.value.value(), name.value.span()));
    if let Some((name, span)) = &discriminator
        && name.is_empty()
    {
        errors.error(
            *span,
            "the name of the discriminator cannot be empty; write `discriminator = \"type\"`",
        );
    }
    let mut used_names: HashSet<String> = discriminator.into_iter().map(|(name, _)| name).collect();
    let members = input.known_variants().filter(|variant| variant.is_complete);
    for member in members.filter(|variant| matches!(variant.shape(), VariantShape::Newtype(_))) {
        let name = input.member_name(member);
        if name.value.is_empty() {
            errors.error(
                name.span,
                "the name of the field cannot be empty; write `field = \"name\"`",
            );
        } else if used_names.contains(&name.value) {
            errors.error(
                name.span,
                format_args!(
                    "the field \"{}\" of `{}` is already used; set another name with `#[union(field = \"...\")]`",
                    name.value, member.syn.ident
                ),
            );
        }
        used_names.insert(name.value);
    }
}

/// Reports names of `read_also` that occur in objects of the new form, because such an object would
/// be read as the variant with the old name.
///
/// An object has a single field in the old form. In the new form, this is the discriminator of a
/// variant without data, or the member of a union without a discriminator. A name is looked up
/// among the old names first, so a member with the old name of another variant is read as that
/// variant.
fn check_old_names(input: &UnionEnumInput<'_>, errors: &Errors) {
    if input.attrs.read_also.is_none() {
        return;
    }
    let members = || {
        let variants = input.known_variants().filter(|variant| variant.is_complete);
        variants.filter(|variant| matches!(variant.shape(), VariantShape::Newtype(_)))
    };
    let discriminator = input.attrs.discriminator.as_ref();
    let discriminator = discriminator.map(|name| name.value.value());
    let mut variant_by_old_name = HashMap::new();
    for variant in members() {
        let old_name = input.discriminator_value(variant);
        let ident = &variant.syn.ident;
        if discriminator.as_ref() == Some(&old_name.value) {
            errors.error(
                old_name.span,
                format_args!(
                    "`read_also` would read the discriminator \"{}\" as the old name of `{ident}`; give the discriminator another name, or remove `read_also`",
                    old_name.value
                ),
            );
        }
        variant_by_old_name.entry(old_name.value).or_insert(ident);
    }
    if discriminator.is_some() {
        return;
    }
    for member in members() {
        let field = input.member_name(member);
        let ident = &member.syn.ident;
        if let Some(old_ident) = variant_by_old_name.get(&field.value)
            && *old_ident != ident
        {
            errors.error(
                field.span,
                format_args!(
                    "`read_also` would read the field \"{}\" of `{ident}` as the old name of `{old_ident}`; set another name with `#[union(field = \"...\")]`",
                    field.value
                ),
            );
        }
    }
}
