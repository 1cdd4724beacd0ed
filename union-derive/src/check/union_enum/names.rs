//! The rules of names on the wire: one variant per value, and one member per field.

use std::collections::{HashMap, HashSet};

use crate::diag::Diag;
use crate::model::{Form, UnionEnumInput, UnionVariantInput};

pub(super) fn check_names(input: &UnionEnumInput<'_>, diag: &Diag) {
    check_values(input, diag);
    check_fields(input, diag);
}

/// Reports two variants with the same value.
fn check_values(input: &UnionEnumInput<'_>, diag: &Diag) {
    if input.is_undiscriminated() {
        return;
    }
    let mut seen: HashMap<String, &UnionVariantInput<'_>> = HashMap::new();
    // Variants without a discriminator and a member are compared in `whole.rs`.
    let valued = input
        .choices()
        .filter(|choice| choice.is_complete && input.says_nothing(choice).is_none());
    for variant in valued {
        let value = input.value(variant);
        if let Some(first) = seen.get(&value.text) {
            diag.error(
                value.span,
                format_args!(
                    "`{}` and `{}` have the same discriminator value \"{}\"; give each one of its own with `#[union(member = \"...\")]`",
                    first.syn.ident, variant.syn.ident, value.text
                ),
            );
        } else {
            seen.insert(value.text, variant);
        }
    }
}

/// Reports empty names, and two members, or a member and the discriminator, with the same field.
fn check_fields(input: &UnionEnumInput<'_>, diag: &Diag) {
    let discriminator = input.attrs.discriminator.as_ref();
    let discriminator = discriminator.map(|name| (name.value.value(), name.value.span()));
    if let Some((name, span)) = &discriminator
        && name.is_empty()
    {
        diag.error(
            *span,
            "a field has a name; write `discriminator = \"type\"`",
        );
    }
    let mut taken: HashSet<String> = discriminator.into_iter().map(|(name, _)| name).collect();
    let members = input.choices().filter(|choice| choice.is_complete);
    for member in members.filter(|choice| matches!(choice.form(), Form::One(_))) {
        let field = input.field(member);
        if field.text.is_empty() {
            diag.error(field.span, "a field has a name; write `field = \"name\"`");
        } else if taken.contains(&field.text) {
            diag.error(
                field.span,
                format_args!(
                    "the field \"{}\" of `{}` is taken; give it another with `#[union(field = \"...\")]`",
                    field.text, member.syn.ident
                ),
            );
        }
        taken.insert(field.text);
    }
}
