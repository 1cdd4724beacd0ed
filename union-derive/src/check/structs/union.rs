//! The rules of `#[derive(Union)]`.

use std::collections::HashMap;

use proc_macro2::{Ident, Span};
use syn::GenericParam;
use syn::spanned::Spanned as _;

use super::children::{children, key_field};
use super::patch::patch_fields;
use super::union_fields::{UnionFields, assign_to_unions, required_types};
use super::unknown::{check_unknown_union, unknown_field};
use super::unmarked::unmarked_options;
use super::values::{open_fields, values_fields};
use crate::attr::{Enforcement, ExtensionShape};
use crate::check::enforcement::{enforcement, reject_enforcement};
use crate::check::not_nested::{not_nested_fields, unmarked_types};
use crate::check::serde_compat::{
    check_absent_is_deserialized, check_absent_is_unset, check_conversion, check_field_attributes,
    check_json_form, check_names_differ, check_schema_form, check_set_is_not_null,
    check_set_is_written, check_skips_are_visible, check_unset_is_omitted,
};
use crate::errors::Errors;
use crate::model::{
    Container, Discriminator, FieldInput, Member, MemberValue, SetForm, Struct, Union, UnionInput,
    UnionKind, camel_case, mentions_type,
};

/// Checks a struct, and reports all errors.
pub(crate) fn check_union<'a>(input: &UnionInput<'a>, errors: &Errors) -> Option<Struct<'a>> {
    let container = &input.container;
    check_conversion(container, errors)?;
    check_schema_form(&container.schemars, errors);
    check_fields(input, errors);
    check_names_differ(input, errors);
    let unknown_field = unknown_field(input, errors);
    let children = children(input, errors);
    let open_fields = open_fields(input, errors);
    let not_nested_fields = not_nested_fields(input, errors);
    let patch_fields = patch_fields(input, errors);
    let unmarked_options = unmarked_options(input, errors);
    let assigned_unions = assign_to_unions(input, errors)?;
    check_shape(input, &assigned_unions, errors);
    let enforce = if assigned_unions.is_empty() {
        reject_enforcement(input.attrs.enforce.as_ref(), input.attrs.ratchet, errors);
        Enforcement::Cel
    } else {
        enforcement(input.attrs.enforce.as_ref(), input.attrs.ratchet, errors)
    };
    if let Some(unknown_field) = &unknown_field {
        check_unknown_union(unknown_field, &assigned_unions, input, errors);
    }
    // The map of a struct without unions keeps the unknown fields of a flattened enum.
    let (unknown_members, unknown_fields) = if assigned_unions.is_empty() {
        (None, unknown_field)
    } else {
        (unknown_field, None)
    };
    let unions = assigned_unions
        .into_iter()
        .map(|union_fields| checked_union(union_fields, input, errors))
        .collect::<Option<Vec<_>>>()?;
    Some(Struct {
        ident: container.ident,
        generics: container.generics,
        krate: container.krate(),
        unions,
        children,
        key_fields: input.fields.iter().filter_map(key_field).collect(),
        unmarked_options,
        values_fields: values_fields(input),
        open_fields,
        unmarked_types: unmarked_types(input),
        required_types: required_types(input),
        not_nested_fields,
        unknown_members,
        unknown_fields,
        json_names: own_json_names(input),
        patch_fields,
        shape: input
            .attrs
            .shape
            .as_ref()
            .map_or(ExtensionShape::V2022, |shape| shape.value),
        enforce,
    })
}

/// Returns the JSON names of the struct's own fields, and the name of serde's `tag`, if a field has
/// `inline`, because a flattened enum must not have fields with these names. Returns an empty list
/// for other structs.
fn own_json_names(input: &UnionInput<'_>) -> Vec<String> {
    let mut fields = input.fields.iter();
    if fields.all(|field| field.attrs.inline.is_none()) {
        return Vec::new();
    }
    let fields = input.fields.iter();
    let own_fields = fields.filter(|field| !field.serde.is_flattened && field.is_in_json());
    own_fields
        .flat_map(|field| field.serde.names.all().cloned())
        .chain(input.container.serde.tag.clone())
        .collect()
}

/// Checks the role of each field, and its serde attributes.
fn check_fields(input: &UnionInput<'_>, errors: &Errors) {
    let has_invisible_skips = check_skips_are_visible(input, errors);
    for field in &input.fields {
        if field.unknown_span().is_some() {
            continue;
        }
        check_roles(field, input, errors);
        check_self(field, input, errors);
        if field.is_discriminator() || input.is_member(field) {
            check_json_form(field, errors);
            check_set_is_written(field, errors);
        }
        if input.is_member(field) {
            check_set_is_not_null(field, errors);
            check_absent_is_unset(field, errors);
            if !has_invisible_skips {
                check_unset_is_omitted(field, errors);
            }
        }
        let is_child = input.is_child(field);
        if is_child || field.attrs.key.is_some() || field.has_patch_attrs() {
            check_field_attributes(field, is_child, errors);
        }
        if is_child || input.is_member(field) || field.is_discriminator() {
            check_absent_is_deserialized(field, &input.container, errors);
        }
    }
}

/// Returns the checked union with these fields. Returns `None` if the discriminator is invalid.
fn checked_union<'a>(
    union_fields: UnionFields<'_, 'a>,
    input: &UnionInput<'a>,
    errors: &Errors,
) -> Option<Union<'a>> {
    check_explicit_values(&union_fields.members, errors);
    let kind = match union_fields.discriminator {
        Some(field) => {
            check_discriminator_type(field, input, errors);
            let discriminator = discriminator(field, &input.container)?;
            if field.attrs.deduce.is_some() {
                UnionKind::Deduced(discriminator)
            } else {
                UnionKind::Discriminated(discriminator)
            }
        }
        None => UnionKind::Undiscriminated {
            exactly_one: union_fields.exactly_one,
        },
    };
    let members = union_fields.members.into_iter();
    Some(Union {
        kind,
        members: members.map(|field| member(field, input)).collect(),
    })
}

fn discriminator<'a>(
    field: &FieldInput<'a>,
    container: &Container<'_>,
) -> Option<Discriminator<'a>> {
    Some(Discriminator {
        ident: field.ident,
        ty: field.ty,
        span: field.attrs.discriminator?,
        name: field.serde.names.deserialize.clone(),
        has_skip_if: field.serde.skip_if.is_some(),
        default: field.absent_value(container),
    })
}

fn member<'a>(field: &FieldInput<'a>, input: &UnionInput<'a>) -> Member<'a> {
    let attr = field.attrs.member.as_ref();
    let explicit_value = attr.and_then(|attr| attr.value.clone());
    let is_option = !matches!(field.set_form(), SetForm::Unknown);
    Member {
        ident: field.ident,
        ty: field.ty,
        // A member by `all_members` may have no attribute. Its span is then the span of its name.
        span: attr.map_or_else(|| field.ident.span(), |attr| attr.span),
        name: field.serde.names.deserialize.clone(),
        value: explicit_value.map_or_else(
            || MemberValue::ByName {
                camel_name: camel_case(&field.rust_name()),
            },
            MemberValue::Explicit,
        ),
        optional: field.attrs.optional.is_some(),
        is_option,
        // An alias that depends on a parameter cannot be checked.
        is_alias: !is_option && !input.is_generic(field),
    }
}

/// Reports conflicting roles: a field cannot be both a discriminator and a member, and only members
/// are optional (KEP-1027, "Go Markers").
fn check_roles(field: &FieldInput<'_>, input: &UnionInput<'_>, errors: &Errors) {
    let attrs = &field.attrs;
    if let (Some(_), Some(member)) = (attrs.discriminator, &attrs.member) {
        errors.error(
            member.span,
            "a field cannot be both the discriminator and a member; remove one of the two attributes",
        );
    }
    if let (Some(span), None) = (attrs.deduce, attrs.discriminator) {
        errors.error(
            span,
            "`deduce` needs `discriminator` on the same field; write `discriminator, deduce`, or remove `deduce`",
        );
    }
    let union = attrs.discriminated_by.as_ref().or(attrs.group.as_ref());
    let is_member = input.is_member(field);
    if let (Some(union), false) = (union, is_member) {
        errors.error(
            union.span(),
            "`group` and `discriminated_by` need `member` on the same field; add `member`, or remove this attribute",
        );
    }
    if let (Some(_), Some(group)) = (&attrs.discriminated_by, &attrs.group) {
        errors.error(
            group.span(),
            "`group` conflicts with `discriminated_by`, because a member belongs to only one union; remove one",
        );
    }
    if let (Some(span), None) = (attrs.alone, &attrs.group) {
        errors.error(
            span,
            "`alone` needs `group` on the same field; write `group = name, alone`, or remove `alone`",
        );
    }
    if let (Some(span), false) = (attrs.optional, is_member) {
        errors.error(
            span,
            "`optional` needs `member` on the same field; write `member, optional`, or remove `optional`",
        );
    }
}

/// Reports `Self` in the type of a field with a rule of `KubeSchema`, which copies the field to
/// another struct. There, the schema of `Self` would have no other field and no union.
fn check_self(field: &FieldInput<'_>, input: &UnionInput<'_>, errors: &Errors) {
    let mut attrs = field.syn_attrs.iter();
    let has_rule = attrs.any(|attr| attr.path().is_ident("x_kube"));
    if has_rule && mentions_type(field.ty, &Ident::new("Self", Span::call_site())) {
        let name = input.container.ident;
        errors.error(
            field.ty.span(),
            format_args!("`KubeSchema` copies a field with a rule to another type, which would be `Self` there; write `{name}` in place of `Self`"),
        );
    }
}

/// Reports two members with the same discriminator value, and a member with the value `""`, which
/// selects no member (KEP-1027, "Discriminator Values").
fn check_explicit_values(members: &[&FieldInput<'_>], errors: &Errors) {
    let mut field_by_value: HashMap<String, &FieldInput<'_>> = HashMap::new();
    for field in members {
        let Some(value) = field
            .attrs
            .member
            .as_ref()
            .and_then(|member| member.value.as_ref())
        else {
            continue;
        };
        if value.value().is_empty() {
            errors.error(
                value.span(),
                "a member cannot have the value \"\", which selects nothing; use another value",
            );
        }
        if let Some(first) = field_by_value.insert(value.value(), field) {
            errors.error(
                value.span(),
                format_args!(
                    "members `{}` and `{}` have the same discriminator value; use different values",
                    first.serde.names.deserialize, field.serde.names.deserialize
                ),
            );
        }
    }
}

/// Reports `shape` on a struct without a union whose discriminator selects the member, because only
/// such a union can have the 2022 shape (`docs/design.md`, "Schema output").
fn check_shape(input: &UnionInput<'_>, unions: &[UnionFields<'_, '_>], errors: &Errors) {
    let has_discriminated_union = unions.iter().any(|union| {
        let discriminator = union.discriminator;
        discriminator.is_some_and(|discriminator| discriminator.attrs.deduce.is_none())
    });
    if let (Some(shape), false) = (&input.attrs.shape, has_discriminated_union) {
        errors.error(
            shape.span,
            "a union without a discriminator, or with `deduce`, always has the 2019 shape; remove `shape`",
        );
    }
}

/// Reports a discriminator whose type depends on a generic parameter, because the values of the
/// type are looked up once, for all generic arguments.
fn check_discriminator_type(
    discriminator: &FieldInput<'_>,
    input: &UnionInput<'_>,
    errors: &Errors,
) {
    for parameter in &input.container.generics.params {
        if discriminator.depends_on(parameter) {
            let parameter_name = match parameter {
                GenericParam::Type(parameter) => parameter.ident.to_string(),
                GenericParam::Const(parameter) => parameter.ident.to_string(),
                GenericParam::Lifetime(parameter) => parameter.lifetime.to_string(),
            };
            errors.error(
                discriminator.ty.span(),
                format_args!("the discriminator's type cannot depend on `{parameter_name}`, because its values must be known here; use a concrete enum type"),
            );
        }
    }
}
