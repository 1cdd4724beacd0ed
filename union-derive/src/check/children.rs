//! The rules of fields whose values may contain unions, and of fields with `key`.

use syn::ext::IdentExt as _;

use super::unknown::unknown_field_support;
use crate::errors::Errors;
use crate::model::{Child, ChildKind, FieldInput, KeyField, UnionInput};

/// Returns the fields whose values may contain unions, in source order.
pub(super) fn children<'a>(input: &UnionInput<'a>, errors: &Errors) -> Vec<Child<'a>> {
    check_named(input, errors);
    let fields = input.fields.iter();
    fields
        .filter(|field| field.unknown().is_none())
        .filter_map(|field| child(field, input, errors))
        .collect()
}

pub(super) fn key_field<'a>(field: &FieldInput<'a>) -> Option<KeyField<'a>> {
    field.attrs.key.filter(|_| field.unknown().is_none())?;
    Some(KeyField {
        ident: field.ident,
        ty: field.ty,
        name: field.serde.name.read.clone(),
    })
}

/// Reports names in the struct's `nested(...)` that are not names of fields.
fn check_named(input: &UnionInput<'_>, errors: &Errors) {
    for name in input.attrs.nested.iter().flatten() {
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

fn child<'a>(field: &FieldInput<'a>, input: &UnionInput<'_>, errors: &Errors) -> Option<Child<'a>> {
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
        (Some(inline), _) if !field.serde.is_flattened => {
            errors.error(
                inline.span,
                "`inline` needs `#[serde(flatten)]`; add it, or write `nested` instead",
            );
            return None;
        }
        (Some(_), _) => ChildKind::Inline {
            flattened: unknown_field_support(field, input),
            is_generic: input.is_generic(field),
            keeps: keeps_unknown_fields(field, input, errors),
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
        name: field.serde.name.read.clone(),
        kind,
    })
}

/// Returns true if the struct declares the handling of the unknown fields of a flattened enum: a
/// map with `unknown` keeps them, `deny_unknown_fields` rejects them, or `inline(lossy)` allows
/// that they are lost. The enum itself cannot declare this.
fn keeps_unknown_fields(field: &FieldInput<'_>, input: &UnionInput<'_>, errors: &Errors) -> bool {
    let lossy = field.attrs.inline.as_ref().and_then(|inline| inline.lossy);
    let rest = input.fields.iter().find(|field| field.unknown().is_some());
    if let (Some(lossy), Some(rest)) = (lossy, rest) {
        errors.error(
            lossy,
            format_args!(
                "`lossy` has no effect, because `{}` keeps unknown fields; write `inline`",
                rest.rust_name()
            ),
        );
    }
    let rejects = input.container.serde.denies_unknown;
    rest.is_some() || rejects || lossy.is_some()
}
