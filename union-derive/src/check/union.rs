//! The rules of `#[derive(Union)]`.

use std::collections::HashMap;

use proc_macro2::{TokenStream, TokenTree};
use quote::ToTokens as _;
use syn::GenericParam;
use syn::spanned::Spanned as _;

use super::hook::check_hook;
use super::{check_conversion, check_one_name, krate};
use crate::diag::Diag;
use crate::hook::Schemars;
use crate::model::{Discriminator, FieldInput, Member, MemberValue, Union, UnionInput, camel_case};

/// Checks a struct; all mistakes are reported.
pub(crate) fn check_union<'a>(input: &UnionInput<'a>, diag: &Diag) -> Option<Union<'a>> {
    let container = &input.container;
    check_conversion(container, diag)?;
    check_schema_names(&container.schemars, &["rename_all"], diag);
    for field in &input.fields {
        check_roles(field, diag);
        if field.is_discriminator() || field.attrs.member.is_some() {
            check_wire_form(field, diag);
        }
    }
    check_member_fields(&input.fields, diag);
    let discriminator = check_discriminator(input, diag);
    let hook = check_hook(container, "add_unions", true, diag);
    let members: Vec<Member<'a>> = input.fields.iter().filter_map(member).collect();
    let discriminator = discriminator?;
    Some(Union {
        ident: container.ident,
        generics: container.generics,
        krate: krate(container),
        discriminator: Discriminator {
            ident: discriminator.ident,
            ty: discriminator.ty,
            span: discriminator.attrs.discriminator?,
            name: discriminator.serde.name.read.clone(),
            has_skip_if: discriminator.serde.has_skip_if,
            default: discriminator.absent(container),
        },
        members,
        hook,
    })
}

fn member<'a>(field: &FieldInput<'a>) -> Option<Member<'a>> {
    let attr = field.attrs.member.as_ref()?;
    Some(Member {
        ident: field.ident,
        ty: field.ty,
        span: attr.span,
        name: field.serde.name.read.clone(),
        value: match &attr.value {
            Some(value) => MemberValue::Written(value.clone()),
            None => MemberValue::ByName {
                camel: camel_case(&field.rust_name()),
            },
        },
        optional: field.attrs.optional.is_some(),
    })
}

/// A field is the discriminator or a member, and only members are optional (KEP-1027, "Go Markers").
fn check_roles(field: &FieldInput<'_>, diag: &Diag) {
    let attrs = &field.attrs;
    if let (Some(_), Some(member)) = (attrs.discriminator, &attrs.member) {
        diag.error(
            member.span,
            "a field cannot be the discriminator and a member; remove one of the two",
        );
    }
    if let (Some(span), None) = (attrs.optional, &attrs.member) {
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
    if serde.is_skipped {
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
fn check_member_fields(fields: &[FieldInput<'_>], diag: &Diag) {
    let mut values: HashMap<String, &FieldInput<'_>> = HashMap::new();
    for field in fields {
        let Some(member) = &field.attrs.member else {
            continue;
        };
        let is_on_wire = !field.serde.is_flattened && !field.serde.is_skipped;
        if is_on_wire && !field.serde.has_skip_if && !field.is_discriminator() {
            diag.error(
                field.ident.span(),
                "an unset member would be written as null; add `#[serde(skip_serializing_if = \"Option::is_none\")]`",
            );
        }
        let Some(value) = &member.value else {
            continue;
        };
        check_written_value(field, value, &mut values, diag);
    }
}

/// Every member has a value of its own, and `""` means no member (KEP-1027, "Discriminator Values").
fn check_written_value<'a, 'b>(
    field: &'a FieldInput<'b>,
    value: &syn::LitStr,
    values: &mut HashMap<String, &'a FieldInput<'b>>,
    diag: &Diag,
) {
    if value.value().is_empty() {
        diag.error(
            value.span(),
            "the value \"\" selects no member; give the member a value that the enum has",
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

/// A union has one discriminator, and members (KEP-1027, "Discriminator Field").
fn check_discriminator<'i, 'a>(
    input: &'i UnionInput<'a>,
    diag: &Diag,
) -> Option<&'i FieldInput<'a>> {
    let mut discriminators = input.fields.iter().filter(|field| field.is_discriminator());
    let first_member = input
        .fields
        .iter()
        .find_map(|field| field.attrs.member.as_ref());
    let Some(discriminator) = discriminators.next() else {
        match first_member {
            _ if !input.is_complete => {}
            Some(member) => diag.error(
                member.span,
                "a member needs a discriminator that selects it; mark the field with `#[union(discriminator)]`",
            ),
            None => diag.error(
                input.container.ident.span(),
                "there is no union here; mark a field with `#[union(discriminator)]` and others with `#[union(member)]`",
            ),
        }
        return None;
    };
    let span = discriminator.attrs.discriminator?;
    for second in discriminators {
        if let Some(span) = second.attrs.discriminator {
            diag.error(
                span,
                format_args!(
                    "`{}` is a discriminator already, and a union has one; remove this one",
                    discriminator.serde.name.read
                ),
            );
        }
    }
    if first_member.is_none() && input.is_complete {
        diag.error(
            span,
            "a discriminator without members selects nothing; mark at least one field with `#[union(member)]`",
        );
    }
    check_concrete(discriminator, input, diag);
    Some(discriminator)
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

fn mentions(tokens: TokenStream, name: &proc_macro2::Ident) -> bool {
    tokens.into_iter().any(|token| match token {
        TokenTree::Ident(ident) => ident == *name,
        TokenTree::Group(group) => mentions(group.stream(), name),
        TokenTree::Punct(_) | TokenTree::Literal(_) => false,
    })
}
