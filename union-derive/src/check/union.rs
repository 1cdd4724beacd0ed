//! The rules of `#[derive(Union)]`.

use std::collections::HashMap;

use proc_macro2::{TokenStream, TokenTree};
use quote::ToTokens as _;
use syn::GenericParam;
use syn::spanned::Spanned as _;

use super::assign::{Assigned, assign, is_member};
use super::children::{belongs_in_schema, children, is_child, key_field};
use super::hook::check_struct_hook;
use super::patch::{patches, says_patch};
use super::unknown::{check_union_of, unknown_field};
use super::{check_conversion, check_one_name, krate};
use crate::attr::{Enforce, Shape};
use crate::diag::Diag;
use crate::hook::Schemars;
use crate::model::{
    Container, Discriminator, FieldInput, Member, MemberValue, Struct, Union, UnionInput,
    UnionKind, camel_case,
};

/// Checks a struct; all mistakes are reported.
pub(crate) fn check_union<'a>(input: &UnionInput<'a>, diag: &Diag) -> Option<Struct<'a>> {
    let container = &input.container;
    check_conversion(container, diag)?;
    check_schema_names(&container.schemars, &["rename_all"], diag);
    for field in &input.fields {
        if field.unknown().is_some() {
            continue;
        }
        check_roles(field, input, diag);
        if field.is_discriminator() || is_member(field, input) {
            check_wire_form(field, diag);
        }
        if is_member(field, input) {
            check_absent_when_unset(field, diag);
        }
        if is_child(field, input) || field.attrs.key.is_some() || says_patch(field) {
            check_place(field, diag);
        }
    }
    let unknown = unknown_field(input, diag);
    let children = children(input, diag);
    let patches = patches(input, diag);
    let is_in_schema = input
        .fields
        .iter()
        .any(|field| belongs_in_schema(field, input));
    let hook = check_struct_hook(input, is_in_schema, diag);
    let assigned = assign(input, diag)?;
    check_shape(input, &assigned, diag);
    check_enforce(input, &assigned, diag);
    if let Some(unknown) = &unknown {
        check_union_of(unknown, &assigned, input, diag);
    }
    let unions = assigned
        .into_iter()
        .map(|assigned| union(assigned, input, diag))
        .collect::<Option<Vec<_>>>()?;
    Some(Struct {
        ident: container.ident,
        generics: container.generics,
        krate: krate(container),
        unions,
        children,
        keys: input.fields.iter().filter_map(key_field).collect(),
        unknown,
        patches,
        shape: input
            .attrs
            .shape
            .as_ref()
            .map_or(Shape::V2022, |shape| shape.value),
        enforce: input
            .attrs
            .enforce
            .as_ref()
            .map_or(Enforce::Cel, |enforce| enforce.value),
        hook,
    })
}

fn union<'a>(assigned: Assigned<'_, 'a>, input: &UnionInput<'a>, diag: &Diag) -> Option<Union<'a>> {
    check_written_values(&assigned.members, diag);
    let kind = match assigned.discriminator {
        Some(field) => {
            check_concrete(field, input, diag);
            let discriminator = discriminator(field, &input.container)?;
            if field.attrs.deduce.is_some() {
                UnionKind::Deduced(discriminator)
            } else {
                UnionKind::Discriminated(discriminator)
            }
        }
        None => UnionKind::Undiscriminated {
            exactly_one: assigned.exactly_one,
        },
    };
    Some(Union {
        kind,
        members: assigned.members.into_iter().map(member).collect(),
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
        name: field.serde.name.read.clone(),
        has_skip_if: field.serde.skip_if.is_some(),
        default: field.absent(container),
    })
}

fn member<'a>(field: &FieldInput<'a>) -> Member<'a> {
    let attr = field.attrs.member.as_ref();
    let written = attr.and_then(|attr| attr.value.clone());
    Member {
        ident: field.ident,
        ty: field.ty,
        // With `all_members` nothing is written on the field; then its name is what there is to point at.
        span: attr.map_or_else(|| field.ident.span(), |attr| attr.span),
        name: field.serde.name.read.clone(),
        value: written.map_or_else(
            || MemberValue::ByName {
                camel: camel_case(&field.rust_name()),
            },
            MemberValue::Written,
        ),
        optional: field.attrs.optional.is_some(),
    }
}

/// A field is the discriminator or a member, and only members are optional (KEP-1027, "Go Markers").
fn check_roles(field: &FieldInput<'_>, input: &UnionInput<'_>, diag: &Diag) {
    let attrs = &field.attrs;
    if let (Some(_), Some(member)) = (attrs.discriminator, &attrs.member) {
        diag.error(
            member.span,
            "a field cannot be the discriminator and a member; remove one of the two",
        );
    }
    if let (Some(span), None) = (attrs.deduce, attrs.discriminator) {
        diag.error(
            span,
            "`deduce` is for discriminators that follow the members; write `discriminator, deduce`, or remove it",
        );
    }
    let belongs = attrs.discriminated_by.as_ref().or(attrs.group.as_ref());
    let is_member = is_member(field, input);
    if let (Some(union), false) = (belongs, is_member) {
        diag.error(
            union.span(),
            "only members belong to a union; write `member` too, or remove it",
        );
    }
    if let (Some(_), Some(group)) = (&attrs.discriminated_by, &attrs.group) {
        diag.error(
            group.span(),
            "a member is in one union: with a discriminator, or in a group without one; remove one of the two",
        );
    }
    if let (Some(span), false) = (attrs.optional, is_member) {
        diag.error(
            span,
            "`optional` is for members, which may then be selected and unset; write `member, optional`, or remove it",
        );
    }
}

/// The JSON object has the discriminator and the members under one name each (KEP-1027, `OpenAPI`).
fn check_wire_form(field: &FieldInput<'_>, diag: &Diag) {
    let what = if field.is_discriminator() {
        "a discriminator"
    } else {
        "a member"
    };
    let span = field.ident.span();
    let serde = &field.serde;
    if serde.is_flattened {
        diag.error(
            span,
            format_args!("{what} cannot be flattened: it has no name in JSON then; remove `#[serde(flatten)]`"),
        );
    }
    if serde.is_skipped() {
        diag.error(
            span,
            format_args!("{what} cannot be skipped: it would be lost on the wire; remove serde's `skip`, and for members that are unset use `skip_serializing_if`"),
        );
    }
    if serde.name.has_alias {
        diag.error(
            span,
            format_args!(
                "{what} has one name in JSON, the schema knows no other; remove `#[serde(alias)]`"
            ),
        );
    }
    check_one_name(span, &serde.name, diag);
    check_schema_names(
        &field.schemars,
        &[
            "rename",
            "skip",
            "skip_serializing",
            "skip_deserializing",
            "flatten",
        ],
        diag,
    );
}

/// The schema has the names that JSON has: rules and extension name fields by them.
fn check_schema_names(schemars: &Schemars, refused: &[&str], diag: &Diag) {
    for key in &schemars.keys {
        if refused.iter().any(|refused| key == refused) {
            diag.error(
                key.span(),
                format_args!("the schema must have the names that JSON has, or its rules miss their fields; write `{key}` in `#[serde(...)]`, which schemars reads too"),
            );
        }
    }
}

/// A member is absent when it is unset: a null would still be a value to whoever merges (KEP-1027, "Examples": omitempty).
fn check_absent_when_unset(field: &FieldInput<'_>, diag: &Diag) {
    let is_on_wire = !field.serde.is_flattened && !field.serde.is_skipped();
    if !is_on_wire || field.serde.skip_if.is_some() || field.is_discriminator() {
        return;
    }
    let message = if field.attrs.member.is_some() {
        "an unset member would be written as null; add `#[serde(skip_serializing_if = \"Option::is_none\")]`"
    } else {
        "`all_members` makes this field a member; make it an `Option` with `#[serde(skip_serializing_if = \"Option::is_none\")]`, or mark the members one by one instead"
    };
    diag.error(field.ident.span(), message);
}

/// What is descended into, and what names an element, has one place in JSON.
fn check_place(field: &FieldInput<'_>, diag: &Diag) {
    let span = field.ident.span();
    if field.serde.is_skipped() {
        diag.error(
            span,
            "a skipped field has no place in JSON; remove serde's `skip`, or what is said of it here",
        );
    }
    if let (Some(key), true) = (field.attrs.key, field.serde.is_flattened) {
        diag.error(
            key,
            "a flattened field has no name that a key could have; remove `key`, and put the key's field into this struct",
        );
    }
    if !field.serde.is_flattened {
        check_one_name(span, &field.serde.name, diag);
    }
}

/// Every member has a value of its own, and `""` means no member (KEP-1027, "Discriminator Values").
fn check_written_values(members: &[&FieldInput<'_>], diag: &Diag) {
    let mut values: HashMap<String, &FieldInput<'_>> = HashMap::new();
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
            diag.error(
                value.span(),
                "the value \"\" selects no member; give the member another one",
            );
        }
        if let Some(first) = values.insert(value.value(), field) {
            diag.error(
                value.span(),
                format_args!(
                    "members `{}` and `{}` have the same discriminator value; give each one of its own",
                    first.serde.name.read, field.serde.name.read
                ),
            );
        }
    }
}

/// The 2022 shape says that the discriminator rules; so it is for unions where it does (DESIGN 6).
fn check_shape(input: &UnionInput<'_>, assigned: &[Assigned<'_, '_>], diag: &Diag) {
    let has_choice = assigned.iter().any(|union| {
        let discriminator = union.discriminator;
        discriminator.is_some_and(|discriminator| discriminator.attrs.deduce.is_none())
    });
    if let (Some(shape), false) = (&input.attrs.shape, has_choice) {
        diag.error(
            shape.span,
            "unions without a discriminator, or with one that is deduced, have the 2019 shape alone; remove `shape`",
        );
    }
}

/// Enforcement is a matter of the schema of a struct that has unions (DESIGN 7).
fn check_enforce(input: &UnionInput<'_>, assigned: &[Assigned<'_, '_>], diag: &Diag) {
    let Some(enforce) = &input.attrs.enforce else {
        return;
    };
    if assigned.is_empty() {
        diag.error(
            enforce.span,
            "this struct has no union of its own; write `enforce` on the structs that have, or remove it",
        );
    }
    let schema = &input.container.attrs.schema;
    if schema.as_ref().is_some_and(|schema| !schema.value) {
        diag.error(
            enforce.span,
            "what is enforced stands in the schema, and `schema = false` leaves that alone; remove one of the two",
        );
    }
}

/// The values are looked up while the struct compiles, for all its type arguments at once.
fn check_concrete(discriminator: &FieldInput<'_>, input: &UnionInput<'_>, diag: &Diag) {
    for parameter in &input.container.generics.params {
        let name = match parameter {
            GenericParam::Type(parameter) => &parameter.ident,
            GenericParam::Const(parameter) => &parameter.ident,
            GenericParam::Lifetime(_) => continue,
        };
        if mentions(discriminator.ty.to_token_stream(), name) {
            diag.error(
                discriminator.ty.span(),
                format_args!("the discriminator's type may not depend on `{name}`: its values must be known here; use one enum type"),
            );
        }
    }
}

/// Whether the type of a field depends on a parameter of the struct.
pub(super) fn is_generic(field: &FieldInput<'_>, input: &UnionInput<'_>) -> bool {
    let mut parameters = input.container.generics.params.iter();
    parameters.any(|parameter| {
        let name = match parameter {
            GenericParam::Type(parameter) => &parameter.ident,
            GenericParam::Const(parameter) => &parameter.ident,
            GenericParam::Lifetime(parameter) => &parameter.lifetime.ident,
        };
        is_of(field, name)
    })
}

/// Whether the type of a field has this name in it.
pub(super) fn is_of(field: &FieldInput<'_>, name: &proc_macro2::Ident) -> bool {
    mentions(field.ty.to_token_stream(), name)
}

fn mentions(tokens: TokenStream, name: &proc_macro2::Ident) -> bool {
    tokens.into_iter().any(|token| match token {
        TokenTree::Ident(ident) => ident == *name,
        TokenTree::Group(group) => mentions(group.stream(), name),
        TokenTree::Punct(_) | TokenTree::Literal(_) => false,
    })
}
