//! The rules of the map that keeps unknown members, and of flattening a struct with such a map.

use syn::Ident;
use syn::ext::IdentExt as _;

use super::union_fields::UnionFields;
use crate::attr::AttributeSite as _;
use crate::errors::Errors;
use crate::model::{FieldInput, UnionInput, UnknownField, UnknownFieldSupport};
use crate::name::SerdeDirection;

/// Returns the first field with `unknown`, and reports the others.
pub(super) fn unknown_field<'a>(
    input: &UnionInput<'a>,
    errors: &Errors,
) -> Option<UnknownField<'a>> {
    let mut first_map: Option<UnknownField<'a>> = None;
    for field in &input.fields {
        let Some(span) = field.attrs.unknown else {
            continue;
        };
        let is_only_attribute = check_is_only_attribute(field, input, errors);
        if field.is_discriminator() {
            continue;
        }
        if let Some(first_map) = &first_map {
            let first_name = first_map.ident.unraw();
            let message =
                format!("`{first_name}` already keeps the unknown members; remove one of the two");
            errors.error(span, message);
            continue;
        }
        let unknown = UnknownField {
            ident: field.ident,
            ty: field.ty,
            span,
        };
        if is_only_attribute {
            check_json_form(field, &unknown, errors);
            check_is_last_field(&unknown, input, errors);
            check_schema_skips_map(field, &unknown, input, errors);
        }
        first_map = Some(unknown);
    }
    if let Some(unknown) = &first_map {
        check_struct_attributes(unknown, input, errors);
    }
    first_map
}

/// Returns true if `unknown` is the only attribute of the field. Reports other attributes, because
/// the map is not a member and does not contain unions.
fn check_is_only_attribute(
    field: &FieldInput<'_>,
    input: &UnionInput<'_>,
    errors: &Errors,
) -> bool {
    let Some(span) = field.attrs.unknown else {
        return true;
    };
    let mut other_names = field.attrs.present_names();
    other_names.retain(|name| *name != "unknown");
    if !other_names.is_empty() {
        let other_names = other_names.join("` and `");
        errors.error(
            span,
            format_args!(
                "`unknown` cannot be combined with other attributes; remove `unknown`, or `{other_names}`"
            ),
        );
        return false;
    }
    let nested_name = input
        .attrs
        .nested
        .iter()
        .flatten()
        .find(|name| field.is_called(name));
    if let Some(name) = nested_name {
        errors.error(
            name.span(),
            format_args!(
                "`{name}` keeps unknown members and contains no unions; remove it from `nested`"
            ),
        );
    }
    nested_name.is_none()
}

/// Reports a map that is not a flattened field for serde.
fn check_json_form(field: &FieldInput<'_>, unknown: &UnknownField<'_>, errors: &Errors) {
    let serde = &field.serde;
    let message = if serde.is_skipped() {
        "the map of unknown members cannot be skipped; remove serde's `skip`"
    } else if !serde.is_flattened {
        "the map of unknown members must be flattened; add `#[serde(flatten)]`"
    } else if serde.conversion_span().is_some() {
        "the map of unknown members cannot have its own conversion; remove serde's `with`, `serialize_with` or `deserialize_with`"
    } else if serde
        .skip_if
        .as_ref()
        .is_some_and(|skip_if| skip_if != "is_empty")
    {
        "the map of unknown members must always be serialized; remove `skip_serializing_if`, because an empty map adds no fields"
    } else {
        return;
    };
    errors.error(unknown.span, message);
}

/// Reports a map that is not the last field, because serde fills a flattened map with all JSON
/// fields that no preceding field of the struct has read.
fn check_is_last_field(unknown: &UnknownField<'_>, input: &UnionInput<'_>, errors: &Errors) {
    let mut reversed = input.fields.iter().rev();
    let last_field = reversed.find(|field| field.is_in_json() && field.attrs.unknown.is_none());
    let position = |ident: &Ident| input.fields.iter().position(|field| field.ident == ident);
    if let Some(last_field) = last_field
        && position(last_field.ident) > position(unknown.ident)
    {
        errors.error(
            unknown.span,
            format_args!(
                "the map of unknown members must be the last field; move `{}` behind `{}`",
                unknown.ident.unraw(),
                last_field.ident.unraw()
            ),
        );
    }
}

/// Reports a map without `#[schemars(skip)]`. A schema with the map would allow any field, so that
/// API servers would not prune unknown fields. A struct without attributes of schemars is not
/// reported: it has no schema, or the missing hook is reported.
fn check_schema_skips_map(
    field: &FieldInput<'_>,
    unknown: &UnknownField<'_>,
    input: &UnionInput<'_>,
    errors: &Errors,
) {
    let has_key = |name: &str| field.schemars.keys.iter().any(|key| key == name);
    let is_skipped =
        has_key("skip") || has_key("skip_serializing") && has_key("skip_deserializing");
    let has_schema = input.has_schema_attrs();
    if has_schema && !is_skipped {
        errors.error(
            unknown.span,
            "this map makes the schema allow any field, so that API servers prune nothing; add `#[schemars(skip)]`",
        );
    }
}

/// Reports `deny_unknown_fields` and `#[serde(tag)]` on a struct with a map, because the struct
/// must accept every field, and must read all fields that it writes.
fn check_struct_attributes(unknown: &UnknownField<'_>, input: &UnionInput<'_>, errors: &Errors) {
    let container = &input.container;
    let message =
        "`deny_unknown_fields` conflicts with the map of unknown members; remove one of the two";
    if container.serde.denies_unknown {
        errors.error(unknown.span, message);
    } else {
        let mut keys = container.schemars.keys.iter();
        if let Some(key) = keys.find(|key| *key == "deny_unknown_fields") {
            errors.error(key.span(), message);
        }
    }
    if container.serde.is_tagged {
        errors.error(
            unknown.span,
            "the field of `#[serde(tag)]` would be kept in this map and written twice; remove one of the two",
        );
    }
}

/// The error message for a map of unknown members in a struct without a union.
pub(crate) const NO_UNION_TO_KEEP: &str = "`unknown` needs a union with a discriminator in the same struct; move this map into the struct that has the union";

/// Reports a map of unknown members unless the struct has a single union whose discriminator
/// selects the member. In such a struct, an unknown discriminator value is the name of an unknown
/// member (KEP-1027, "Go Markers"). In other structs, an unknown field may have another role.
pub(super) fn check_unknown_union(
    unknown: &UnknownField<'_>,
    unions: &[UnionFields<'_, '_>],
    input: &UnionInput<'_>,
    errors: &Errors,
) {
    let message = match unions {
        // A flattened field may be an enum, which has a union. Only rustc knows its type, so
        // generated code checks this.
        [] if input
            .fields
            .iter()
            .any(|field| field.attrs.inline.is_some()) =>
        {
            return;
        }
        [] => NO_UNION_TO_KEEP,
        [union] => match union.discriminator {
            Some(discriminator) if discriminator.attrs.deduce.is_none() => {
                return check_is_only_union(unknown, input, errors);
            }
            Some(_) => {
                "`unknown` conflicts with `deduce`, because an unknown member cannot determine the discriminator; remove `deduce` or `unknown`"
            }
            None => {
                "`unknown` needs a discriminator, which names the unknown member; add a discriminator, or remove `unknown`"
            }
        },
        _ => {
            "`unknown` is not supported in a struct with several unions, because an unknown member could belong to any of them; move each union into a struct of its own"
        }
    };
    errors.error(unknown.span, message);
}

/// Reports a map in a struct that also has fields outside of its union.
fn check_is_only_union(unknown: &UnknownField<'_>, input: &UnionInput<'_>, errors: &Errors) {
    let other_fields = input.fields.iter().filter(|field| {
        let is_in_union = field.is_discriminator() || input.is_member(field);
        field.is_in_json() && !is_in_union && field.attrs.unknown.is_none()
    });
    let other_fields: Vec<String> = other_fields.map(FieldInput::rust_name).collect();
    if !other_fields.is_empty() && input.is_complete {
        errors.error(
            unknown.span,
            format_args!(
                "`unknown` is not supported beside `{}`, because an unknown field may not be a member; move the discriminator, the members and this map into a struct of their own, which can be flattened with `inline`",
                other_fields.join("`, `")
            ),
        );
    }
}

/// Returns the support for unknown members in a flattened struct. The map of the flattened struct
/// keeps every JSON field that no other field of this struct reads. So each other field must read
/// all JSON fields that it writes.
pub(super) fn unknown_field_support(
    field: &FieldInput<'_>,
    input: &UnionInput<'_>,
) -> UnknownFieldSupport {
    let Some(reason) = rejection_reason(field, input) else {
        return UnknownFieldSupport::Supported;
    };
    if input.is_generic(field) {
        return UnknownFieldSupport::Generic;
    }
    UnknownFieldSupport::Unsupported(format!(
        "`{}` keeps all unknown fields of this struct: {reason}, or remove `unknown` from the flattened struct",
        field.rust_name()
    ))
}

/// Returns the reason why a flattened struct must not keep unknown members, with the remedy, or
/// `None` if the struct may keep them.
fn rejection_reason(field: &FieldInput<'_>, input: &UnionInput<'_>) -> Option<String> {
    let other_fields = || {
        input
            .fields
            .iter()
            .filter(|other_field| other_field.ident != field.ident)
    };
    if let Some(other_field) = other_fields()
        .find(|other_field| other_field.serde.is_flattened && other_field.is_in_json())
    {
        return Some(format!(
            "the fields of `{}` would be written twice; flatten only `{}`",
            other_field.rust_name(),
            field.rust_name()
        ));
    }
    if let Some(other_field) = other_fields().find(|other_field| {
        let has_two_names = other_field.serde.names.serialize.is_some();
        other_field.serde.direction == SerdeDirection::SerializeOnly
            || other_field.serde.direction == SerdeDirection::Both && has_two_names
    }) {
        return Some(format!(
            "`{0}` is not deserialized as it is serialized, so it would be written twice; remove serde's attribute from `{0}`",
            other_field.rust_name()
        ));
    }
    if other_fields()
        .any(|other_field| other_field.is_discriminator() || input.is_member(other_field))
    {
        return Some(
            "an unknown field could belong to the union of either struct; move the union of this struct into a struct of its own"
                .to_owned(),
        );
    }
    let serde = &input.container.serde;
    if serde.denies_unknown {
        return Some("`deny_unknown_fields` rejects them; remove `deny_unknown_fields`".to_owned());
    }
    serde.is_tagged.then(|| {
        "the field of `#[serde(tag)]` would be written twice; remove `#[serde(tag)]`".to_owned()
    })
}
