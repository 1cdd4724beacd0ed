//! The rules of fields that contain values of an enum type outside of unions.

use proc_macro2::Span;
use syn::Type;

use crate::errors::Errors;
use crate::model::{FieldInput, UnionInput, ValuesField, may_hold_values};

/// Returns the fields whose values the runtime checks if their types are enum types, in source
/// order.
pub(super) fn values<'a>(input: &UnionInput<'a>) -> Vec<ValuesField<'a>> {
    let fields = input
        .fields
        .iter()
        .filter(|field| may_have_values(field, input));
    fields
        .map(|field| ValuesField {
            ident: field.ident,
            name: field.serde.name.read.clone(),
        })
        .collect()
}

/// Returns false if the field contains no values to check. Also returns false for a generic field,
/// whose type the derive does not know, and for a flattened field, which has no path.
fn may_have_values(field: &FieldInput<'_>, input: &UnionInput<'_>) -> bool {
    field.attrs.open.is_none()
        && field.unknown().is_none()
        && !field.is_discriminator()
        && !field.serde.is_flattened
        && field.is_on_wire()
        && !input.is_child(field)
        && !input.is_generic(field)
        && may_hold_values(field.ty)
}

/// Returns the fields with `open`, whose types must be enum types: the span of `open`, and the
/// type.
pub(super) fn open_fields<'a>(input: &UnionInput<'a>, errors: &Errors) -> Vec<(Span, &'a Type)> {
    let mut open = Vec::new();
    for field in &input.fields {
        let Some(span) = field.attrs.open.filter(|_| field.unknown().is_none()) else {
            continue;
        };
        if field.is_discriminator() {
            errors.error(
                span,
                "a discriminator cannot be `open`, because it selects a member; remove `open`, and add a variant with `#[enum_type(other)]` for values of newer versions",
            );
        } else if input.is_child(field) {
            errors.error(
                span,
                "`open` is for fields of an enum type, and cannot be combined with `nested` or `inline`; remove `open`",
            );
        } else if !input.is_generic(field) {
            open.push((span, field.ty));
        }
    }
    open
}
