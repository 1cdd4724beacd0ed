//! The rules of fields whose values may contain unions, and of fields with `key`.

use syn::ext::IdentExt as _;

use super::unknown::unknown_field_support;
use crate::errors::Errors;
use crate::model::{Child, ChildKind, FieldInput, KeyField, UnionInput};

/// Returns the fields whose values may contain unions, in source order.
pub(super) fn children<'a>(input: &UnionInput<'a>, errors: &Errors) -> Vec<Child<'a>> {
    check_nested_names(input, errors);
    let fields = input.fields.iter();
    fields
        .filter(|field| field.unknown_span().is_none())
        .filter_map(|field| checked_child(field, input, errors))
        .collect()
}

/// Returns the field as a key, if it has `key`.
pub(super) fn key_field<'a>(field: &FieldInput<'a>) -> Option<KeyField<'a>> {
    field.attrs.key.filter(|_| field.unknown_span().is_none())?;
    Some(KeyField {
        ident: field.ident,
        ty: field.ty,
        name: field.serde.names.deserialize.clone(),
    })
}

/// Reports names in the struct's `nested(...)` and `not_nested(...)` that are not names of fields.
fn check_nested_names(input: &UnionInput<'_>, errors: &Errors) {
    let lists = [&input.attrs.nested, &input.attrs.not_nested];
    for name in lists.into_iter().flatten().flatten() {
        if !input.fields.iter().any(|field| field.is_called(name)) {
            let names: Vec<String> = input
                .fields
                .iter()
                .map(|field| format!("`{}`", field.ident.unraw()))
                .collect();
            errors.error(
                name.span(),
                format_args!(
                    "unknown field `{name}`; expected one of: {}",
                    names.join(", ")
                ),
            );
        }
    }
}

/// Returns the field as a child, if it has `inline` or `nested`. Reports combinations of attributes
/// that a child cannot have.
fn checked_child<'a>(
    field: &FieldInput<'a>,
    input: &UnionInput<'_>,
    errors: &Errors,
) -> Option<Child<'a>> {
    let attrs = &field.attrs;
    let is_nested = attrs.nested.is_some() || input.names_nested(field);
    if let (Some(keys), false) = (&attrs.list_map_keys, is_nested) {
        let message = if attrs.inline.is_some() {
            "`list_map_keys` conflicts with `inline`, because a flattened struct is not a list; remove `list_map_keys`"
        } else {
            "`list_map_keys` needs `nested`; write `nested, list_map_keys(...)`"
        };
        errors.error(keys.span, message);
    }
    let kind = match (&attrs.inline, &attrs.list_map_keys) {
        (Some(inline), _) if is_nested => {
            errors.error(
                inline.span,
                "`inline` conflicts with `nested`; keep `inline` for a flattened field, and `nested` for other fields",
            );
            return None;
        }
        // `flatten` may be in an attribute that could not be read.
        (Some(_), _) if !field.serde.is_flattened && !field.is_complete => return None,
        (Some(inline), _) if !field.serde.is_flattened => {
            errors.error(
                inline.span,
                "`inline` needs `#[serde(flatten)]`; add it, or write `nested` instead",
            );
            return None;
        }
        (Some(_), _) => ChildKind::Inline {
            unknown_fields: unknown_field_support(field, input),
            is_generic: input.is_generic(field),
            handles_unknown_fields: handles_unknown_fields(field, input, errors),
        },
        (None, _) if !is_nested => return None,
        (None, _) if field.serde.is_flattened => {
            errors.error(
                attrs.nested.unwrap_or_else(|| field.ident.span()),
                "`nested` is not supported on a flattened field; write `inline` instead",
            );
            return None;
        }
        (None, Some(keys)) => ChildKind::List {
            keys: keys.value.clone(),
            is_generic: input.is_generic(field),
        },
        (None, None) => ChildKind::Nested,
    };
    Some(Child {
        ident: field.ident,
        ty: field.ty,
        name: field.serde.names.deserialize.clone(),
        kind,
    })
}

/// Returns true if the struct declares what happens to the unknown fields of a flattened enum: a
/// map with `unknown` keeps them, `deny_unknown_fields` rejects them, or `inline(lossy)` allows
/// their loss. The enum itself cannot declare this.
fn handles_unknown_fields(field: &FieldInput<'_>, input: &UnionInput<'_>, errors: &Errors) -> bool {
    let lossy_span = field.attrs.inline.as_ref().and_then(|inline| inline.lossy);
    let map_field = input
        .fields
        .iter()
        .find(|field| field.unknown_span().is_some());
    if let (Some(lossy_span), Some(map_field)) = (lossy_span, map_field) {
        errors.error(
            lossy_span,
            format_args!(
                "`lossy` has no effect, because `{}` keeps unknown fields; write `inline`",
                map_field.rust_name()
            ),
        );
    }
    let rejects_unknown_fields = input.container.serde.denies_unknown;
    map_field.is_some() || rejects_unknown_fields || lossy_span.is_some()
}
