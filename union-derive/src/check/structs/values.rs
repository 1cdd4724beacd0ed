//! The rules of fields that contain values of an enum type outside of unions.

use crate::errors::Errors;
use crate::model::{FieldInput, LeafType, OpenField, UnionInput, ValuesField};

/// Returns the fields that may contain values of an enum type, in source order. The runtime rejects
/// unknown values in these fields.
pub(super) fn values_fields<'a>(input: &UnionInput<'a>) -> Vec<ValuesField<'a>> {
    let fields = input.fields.iter().filter(|field| has_values(field, input));
    fields
        .map(|field| ValuesField {
            ident: field.ident,
            name: field.serde.names.deserialize.clone(),
        })
        .collect()
}

/// Returns false if the field contains no values to check. Also returns false for a generic field,
/// whose type the derive does not know, and for a flattened field, which has no path.
fn has_values(field: &FieldInput<'_>, input: &UnionInput<'_>) -> bool {
    field.attrs.open.is_none()
        && field.unknown_span().is_none()
        && !field.is_discriminator()
        && !field.serde.is_flattened
        && field.is_in_json()
        && !input.is_child(field)
        && input.not_nested_span(field).is_none()
        && !input.is_generic(field)
        && field.leaf_types.iter().any(LeafType::may_be_walked)
}

/// Returns the fields with `open`, whose types must be enum types.
pub(super) fn open_fields<'a>(input: &UnionInput<'a>, errors: &Errors) -> Vec<OpenField<'a>> {
    let mut open_fields = Vec::new();
    for field in &input.fields {
        let Some(span) = field.attrs.open.filter(|_| field.unknown_span().is_none()) else {
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
            let ty = field.ty;
            open_fields.push(OpenField { span, ty });
        }
    }
    open_fields
}
