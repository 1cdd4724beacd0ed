//! The rules of JSON names: a discriminator value belongs to one variant, and a field to one
//! member.

use std::collections::{HashMap, HashSet};

use crate::errors::Errors;
use crate::model::{UnionEnumInput, UnionVariantInput, VariantShape};

pub(super) fn check_names(input: &UnionEnumInput<'_>, errors: &Errors) {
    check_values(input, errors);
    check_fields(input, errors);
}

/// Reports two variants with the same discriminator value.
fn check_values(input: &UnionEnumInput<'_>, errors: &Errors) {
    if input.is_undiscriminated() {
        return;
    }
    let mut seen: HashMap<String, &UnionVariantInput<'_>> = HashMap::new();
    // `enum_level` reports several variants for an object with neither discriminator nor member.
    let with_value = input
        .known_variants()
        .filter(|variant| variant.is_complete && input.empty_variant_span(variant).is_none());
    for variant in with_value {
        let value = input.value(variant);
        if let Some(first) = seen.get(&value.value) {
            errors.error(
                value.span,
                format_args!(
                    "`{}` and `{}` have the same discriminator value \"{}\"; set different values with `#[union(member = \"...\")]`",
                    first.syn.ident, variant.syn.ident, value.value
                ),
            );
        } else {
            seen.insert(value.value, variant);
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
    let mut seen: HashSet<String> = discriminator.into_iter().map(|(name, _)| name).collect();
    let members = input.known_variants().filter(|variant| variant.is_complete);
    for member in members.filter(|variant| matches!(variant.shape(), VariantShape::One(_))) {
        let field = input.field(member);
        if field.value.is_empty() {
            errors.error(
                field.span,
                "the name of the field cannot be empty; write `field = \"name\"`",
            );
        } else if seen.contains(&field.value) {
            errors.error(
                field.span,
                format_args!(
                    "the field \"{}\" of `{}` is already used; set another name with `#[union(field = \"...\")]`",
                    field.value, member.syn.ident
                ),
            );
        }
        seen.insert(field.value);
    }
}
