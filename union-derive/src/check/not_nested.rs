//! The rules of fields without `nested` and `inline`, whose types may have unions nevertheless.

use proc_macro2::{Ident, Span};

use crate::errors::Errors;
use crate::model::{FieldInput, LeafType, NotNestedField, UnionInput, is_local_type};

/// Returns the types in the fields that no attribute describes, in source order. Generated code
/// reports a type with unions, because nothing would check the unions.
pub(super) fn unmarked_types<'a>(input: &UnionInput<'a>) -> Vec<LeafType<'a>> {
    let fields = input
        .fields
        .iter()
        .filter(|field| is_unmarked(field, input));
    fields
        .flat_map(|field| field.leaf_types.iter().copied())
        .collect()
}

fn is_unmarked(field: &FieldInput<'_>, input: &UnionInput<'_>) -> bool {
    field.attrs.open.is_none()
        && field.unknown_span().is_none()
        && !field.is_discriminator()
        && field.is_in_json()
        && !input.is_child(field)
        && !input.is_not_nested(field)
}

/// Returns the fields with `not_nested`, whose types must have unions. Reports `not_nested` on
/// other fields. A type that depends on a parameter is not checked.
pub(super) fn not_nested_fields<'a>(
    input: &UnionInput<'a>,
    errors: &Errors,
) -> Vec<NotNestedField<'a>> {
    let mut fields = Vec::new();
    for field in &input.fields {
        let Some(span) = not_nested_span(field, input).filter(|_| field.unknown_span().is_none())
        else {
            continue;
        };
        let types = &field.leaf_types;
        let generics = input.container.generics;
        let is_unknown = |leaf: &LeafType<'_>| is_local_type(leaf.ty, generics);
        if input.is_child(field) {
            errors.error(
                span,
                "`not_nested` contradicts `nested` or `inline` on the same field; remove one",
            );
        } else if !field.is_in_json() {
            errors.error(
                span,
                "`not_nested` has no effect, because the field is skipped; remove `not_nested`",
            );
        } else if types.is_empty() {
            errors.error(span, NO_UNIONS);
        } else if !types.iter().any(is_unknown) {
            let types = types.clone();
            fields.push(NotNestedField { span, types });
        }
    }
    fields
}

/// The error message for `not_nested` on a type without unions.
pub(crate) const NO_UNIONS: &str =
    "`not_nested` has no effect, because this type has no unions; remove `not_nested`";

/// Returns the span of the field's `not_nested`, or of the field's name in the `not_nested` of the
/// struct.
fn not_nested_span(field: &FieldInput<'_>, input: &UnionInput<'_>) -> Option<Span> {
    let mut names = input.attrs.not_nested.iter().flatten();
    let own_name = names.find(|name| field.is_called(name));
    field.attrs.not_nested.or(own_name.map(Ident::span))
}
