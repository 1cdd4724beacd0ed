//! From input as written to a checked union: one function a rule, each with its Kubernetes source.

use std::collections::HashMap;

use proc_macro2::{Span, TokenStream, TokenTree};
use quote::ToTokens as _;
use syn::ext::IdentExt as _;
use syn::spanned::Spanned as _;
use syn::{Fields, GenericParam, Path, parse_quote};

use crate::diag::Diag;
use crate::hook::Hook;
use crate::model::{
    Container, Discriminator, EnumInput, EnumType, EnumValue, FieldInput, HookCheck, Member,
    MemberValue, Union, UnionInput, VariantInput, camel_case, doc,
};
use crate::name::WireName;

/// Checks a struct; all mistakes are reported.
pub(crate) fn check_union<'a>(input: &UnionInput<'a>, diag: &Diag) -> Option<Union<'a>> {
    let container = &input.container;
    check_conversion(container, diag);
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

/// Checks an enum; all mistakes are reported.
pub(crate) fn check_enum<'a>(input: &EnumInput<'a>, diag: &Diag) -> EnumType<'a> {
    let container = &input.container;
    check_conversion(container, diag);
    check_is_string(container, diag);
    check_has_values(input, diag);
    for variant in &input.variants {
        check_variant(variant, diag);
    }
    check_distinct_values(&input.variants, diag);
    let other = check_other(&input.variants, diag);
    check_listed(input, diag);
    let hook = check_hook(container, "add_enum", other.is_some(), diag);
    let values = input
        .variants
        .iter()
        .filter(|variant| variant.attrs.other.is_none())
        .map(|variant| EnumValue {
            ident: &variant.syn.ident,
            text: variant.serde.name.read.clone(),
            doc: doc(&variant.syn.attrs),
        })
        .collect();
    EnumType {
        ident: container.ident,
        generics: container.generics,
        krate: krate(container),
        values,
        other,
        hook,
    }
}

fn krate(container: &Container<'_>) -> Path {
    container
        .attrs
        .krate
        .clone()
        .unwrap_or_else(|| parse_quote!(::union_runtime))
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

/// What is on the wire must be the fields or variants that we see: JSON and Rust are one object in two views.
fn check_conversion(container: &Container<'_>, diag: &Diag) {
    if let Some(attr) = container.serde.converts {
        diag.error(
            container.ident.span(),
            format_args!("`#[serde({attr})]` puts another type on the wire than the one that is derived for; derive on that type instead"),
        );
    }
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
}

/// A name is read as it is written: the schema has only one.
fn check_one_name(span: Span, name: &WireName, diag: &Diag) {
    let read = &name.read;
    if let Some(written) = &name.written {
        diag.error(
            span,
            format_args!("written as \"{written}\" and read as \"{read}\"; give serde's `rename` one name for both"),
        );
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
    if first_member.is_none() {
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

/// The schema has what the type has, or the author says that it need not (DESIGN 4).
fn check_hook(container: &Container<'_>, function: &str, demanded: bool, diag: &Diag) -> HookCheck {
    let hooks = &container.schemars.hooks;
    let ident = container.ident;
    let generics = container.generics;
    let argument = if generics.type_params().next().is_some() {
        "Self".to_owned()
    } else {
        ident.to_string()
    };
    let wanted = format!("#[schemars(transform = union_runtime::{function}::<{argument}>)]");
    for hook in hooks {
        check_hook_argument(hook, container, function, &wanted, diag);
    }
    if let Some(schema) = &container.attrs.schema {
        if schema.value {
            diag.error(
                schema.span(),
                format_args!("a schema is the default; remove `schema = true`, and add `{wanted}` where the type derives JsonSchema"),
            );
        } else if let Some(hook) = hooks.first() {
            diag.error(
                hook.span,
                "`schema = false` says that no hook is wanted, and here is one; remove one of the two",
            );
        }
        return HookCheck::Done;
    }
    if !demanded || !hooks.is_empty() {
        return HookCheck::Done;
    }
    let what = if function == "add_enum" {
        "its values"
    } else {
        "its union"
    };
    let remedy = format!(
        "`{ident}` has a schema without {what}; add `{wanted}`, or `schema = false` to the attributes of this derive if that is meant"
    );
    if generics.params.is_empty() {
        return HookCheck::IfSchema(remedy);
    }
    // Whether a generic type has a schema cannot be asked for all its arguments at once.
    if container.schemars.is_there {
        diag.error(ident.span(), remedy);
    }
    HookCheck::Done
}

fn check_hook_argument(
    hook: &Hook,
    container: &Container<'_>,
    function: &str,
    wanted: &str,
    diag: &Diag,
) {
    let ident = container.ident.unraw();
    let found = hook
        .argument
        .as_ref()
        .and_then(|path| path.segments.last())
        .map(|segment| segment.ident.unraw());
    let is_generic = container.generics.type_params().next().is_some();
    let is_self = found.as_ref().is_some_and(|found| found == "Self");
    if hook.function != function {
        diag.error(
            hook.span,
            format_args!(
                "`{}` is the hook of the other derive; write `{wanted}`",
                hook.function
            ),
        );
    } else if is_self && !is_generic {
        diag.error(
            hook.span,
            format_args!(
                "`Self` is another type where KubeSchema copies the attribute; write `{wanted}`"
            ),
        );
    } else if !is_self && found != Some(ident) {
        diag.error(
            hook.span,
            format_args!("the hook is for another type; write `{wanted}`"),
        );
    }
}

/// Enum types are strings (KEP-2887, "Proposal").
fn check_is_string(container: &Container<'_>, diag: &Diag) {
    if container.serde.is_tagged {
        diag.error(
            container.ident.span(),
            "an enum type is a plain string on the wire; remove serde's `tag`, `content` or `untagged` from the enum",
        );
    }
    let repr = container.syn_attrs.iter().find(|attr| {
        let mut is_integer = false;
        // Other representations are of no concern here, and errors are rustc's to report.
        let _ = attr.parse_nested_meta(|meta| {
            is_integer |= meta.path.get_ident().is_some_and(is_integer_type);
            Ok(())
        });
        attr.path().is_ident("repr") && is_integer
    });
    if let Some(repr) = repr {
        diag.error(
            repr.span(),
            "an enum type is a string on the wire, not an integer (KEP-2887); remove `repr`",
        );
    }
}

fn is_integer_type(ident: &proc_macro2::Ident) -> bool {
    let name = ident.to_string();
    matches!(name.as_bytes(), [b'i' | b'u', rest @ ..] if rest == b"size" || rest.iter().all(u8::is_ascii_digit))
}

/// An enum type has values.
fn check_has_values(input: &EnumInput<'_>, diag: &Diag) {
    if input
        .variants
        .iter()
        .all(|variant| variant.attrs.other.is_some())
    {
        diag.error(
            input.container.ident.span(),
            "an enum type has at least one value; add a unit variant for each",
        );
    }
}

/// A value is a unit variant; the one with `other` holds the text of those that are not known.
fn check_variant(variant: &VariantInput<'_>, diag: &Diag) {
    let span = variant.syn.ident.span();
    let serde = &variant.serde;
    if serde.is_other {
        diag.error(
            span,
            "`#[serde(other)]` loses the value that was read; write `#[enum_type(other)] #[serde(untagged)] Unknown(String)`",
        );
        return;
    }
    if serde.is_skipped {
        diag.error(
            span,
            "a skipped variant is no value: it cannot be read or written; remove serde's `skip`, or the variant",
        );
    }
    if let Some(other) = variant.attrs.other {
        check_other_form(variant, other, diag);
        return;
    }
    if !matches!(variant.syn.fields, Fields::Unit) {
        diag.error(
            span,
            "a value of an enum type has no data; for values that this build does not know write `#[enum_type(other)] #[serde(untagged)] Unknown(String)`",
        );
    } else if serde.is_untagged {
        diag.error(
            span,
            "an untagged value is null on the wire; remove `#[serde(untagged)]`",
        );
    }
    if serde.name.has_alias {
        diag.error(
            span,
            "a value has one text, the schema knows no other; make each alias a variant of its own",
        );
    }
    check_one_name(span, &serde.name, diag);
}

/// `#[enum_type(other)] #[serde(untagged)] Unknown(String)`
fn check_other_form(variant: &VariantInput<'_>, other: Span, diag: &Diag) {
    let holds_string = match &variant.syn.fields {
        Fields::Unnamed(fields) if fields.unnamed.len() == 1 => fields
            .unnamed
            .first()
            .is_some_and(|field| is_string(&field.ty)),
        _ => false,
    };
    if !holds_string {
        diag.error(
            variant.syn.ident.span(),
            format_args!(
                "an `other` variant keeps the text of a value; write `{}(String)`",
                variant.syn.ident
            ),
        );
    } else if !variant.serde.is_untagged {
        diag.error(
            other,
            "an `other` variant is read from any text; add `#[serde(untagged)]` to it",
        );
    }
}

/// Only the name tells: the text must be owned, and serde must read any string into it.
fn is_string(ty: &syn::Type) -> bool {
    matches!(ty, syn::Type::Path(ty) if ty.path.segments.last().is_some_and(|last| last.ident == "String"))
}

/// There is one variant for unknown values, and it comes last, as serde tries variants in order.
fn check_other<'a>(variants: &[VariantInput<'a>], diag: &Diag) -> Option<&'a syn::Ident> {
    let mut others = variants
        .iter()
        .enumerate()
        .filter_map(|(i, variant)| Some((i, variant, variant.attrs.other?)));
    let (first, variant, span) = others.next()?;
    let mut last = first;
    for (i, _, span) in others {
        diag.error(
            span,
            format_args!(
                "`{}` keeps unknown values already; remove this one",
                variant.syn.ident
            ),
        );
        last = i;
    }
    if last == first && first + 1 != variants.len() {
        diag.error(
            span,
            "the `other` variant must stand last: serde wants untagged variants there",
        );
    }
    Some(&variant.syn.ident)
}

/// Two variants with one text cannot be told apart on the wire.
fn check_distinct_values(variants: &[VariantInput<'_>], diag: &Diag) {
    let mut seen: HashMap<&str, &VariantInput<'_>> = HashMap::new();
    for variant in variants
        .iter()
        .filter(|variant| variant.attrs.other.is_none())
    {
        if let Some(first) = seen.insert(&variant.serde.name.read, variant) {
            diag.error(
                variant.syn.ident.span(),
                format_args!(
                    "`{}` and `{}` are both \"{}\" on the wire; rename one",
                    first.syn.ident, variant.syn.ident, variant.serde.name.read
                ),
            );
        }
    }
}

/// `extend("enum" = [...])` says what the enum says.
fn check_listed(input: &EnumInput<'_>, diag: &Diag) {
    let Some((listed, span)) = &input.container.schemars.listed else {
        return;
    };
    let values: Vec<&str> = input
        .variants
        .iter()
        .filter(|variant| variant.attrs.other.is_none())
        .map(|variant| variant.serde.name.read.as_str())
        .collect();
    let is_same = listed
        .iter()
        .all(|listed| values.contains(&listed.as_str()))
        && values
            .iter()
            .all(|value| listed.iter().any(|listed| listed == value));
    if !is_same {
        diag.error(
            *span,
            format_args!(
                "the enum's values are \"{}\", and this lists others; remove it, the schema gets the values by itself",
                values.join("\", \"")
            ),
        );
    }
}
