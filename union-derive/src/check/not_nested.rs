//! The rules of fields without `nested` and `inline`, whose types may have unions nevertheless.

use proc_macro2::Span;
use syn::Generics;

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
        && input.not_nested_span(field).is_none()
}

/// Returns the fields with `not_nested`, whose types must have unions. Reports `not_nested` on
/// other fields. A type that depends on a parameter is not checked.
pub(super) fn not_nested_fields<'a>(
    input: &UnionInput<'a>,
    errors: &Errors,
) -> Vec<NotNestedField<'a>> {
    let mut fields = Vec::new();
    for field in &input.fields {
        let span = input.not_nested_span(field);
        let Some(span) = span.filter(|_| field.unknown_span().is_none()) else {
            continue;
        };
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
        } else if field.leaf_types.is_empty() {
            errors.error(span, NO_UNIONS);
        } else {
            let generics = input.container.generics;
            fields.extend(not_nested_field(span, &field.leaf_types, generics));
        }
    }
    fields
}

/// Returns a field or member with `not_nested`. Returns `None` if a constant outside of the item
/// cannot name one of the types: generated code then does not check that the types have unions.
pub(super) fn not_nested_field<'a>(
    span: Span,
    types: &[LeafType<'a>],
    generics: &Generics,
) -> Option<NotNestedField<'a>> {
    let is_local = |leaf: &LeafType<'_>| is_local_type(leaf.ty, generics);
    let types = types.to_vec();
    (!types.iter().any(is_local)).then_some(NotNestedField { span, types })
}

/// The error message for `not_nested` on a type without unions.
pub(crate) const NO_UNIONS: &str =
    "`not_nested` has no effect, because this type has no unions; remove `not_nested`";
