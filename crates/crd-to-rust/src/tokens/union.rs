//! Generates the attributes of unions, and unions in the enum form.

use proc_macro2::{Ident, TokenStream};
use quote::quote;

use super::attributes;
use super::parts::{doc, ident, type_tokens};
use crate::model::{Field, Item, Module, Struct, UnionEnum, UnionRole, Variant};
use crate::settings::{DeriveTarget, SchemaOutput, Settings};

/// Returns the union attributes of a struct:
///
/// ```text
/// #[union(exactly_one(one_of))]
/// #[schemars(transform = ::union_runtime::add_unions::<Name>)]
/// ```
pub(super) fn container(body: &Struct, name: &Ident, settings: &Settings) -> TokenStream {
    let groups = body.exactly_one.iter().map(|group| ident(group));
    let exactly_one = quote!(#(#[union(exactly_one(#groups))])*);
    // The schema hook also adds the keys of lists to the schema.
    let needs_hook = body.is_union || body.fields.iter().any(|field| !field.list_keys.is_empty());
    let schema_hook = (needs_hook && settings.schema == SchemaOutput::Derived)
        .then(|| quote!(#[schemars(transform = ::union_runtime::add_unions::<#name>)]));
    quote!(#exactly_one #schema_hook)
}

/// Returns the union attributes of a field:
///
/// ```text
/// #[union(key)]
/// #[union(nested, list_map_keys("name"))]
/// ```
pub(super) fn field(field: &Field) -> TokenStream {
    let role = field.role.as_ref().map(role);
    let key = field.is_key.then(|| quote!(#[union(key)]));
    let keys = &field.list_keys;
    let keys = (!keys.is_empty()).then(|| quote!(, list_map_keys(#(#keys),*)));
    let nested = field.is_nested.then(|| quote!(#[union(nested #keys)]));
    quote!(#role #key #nested)
}

/// Returns the attribute of a role:
///
/// ```text
/// #[union(member = "URLRewrite", optional)]
/// ```
fn role(role: &UnionRole) -> TokenStream {
    match role {
        UnionRole::Discriminator => quote!(#[union(discriminator)]),
        UnionRole::NotMember => quote!(#[union(not_member)]),
        UnionRole::Member {
            value,
            optional,
            discriminated_by,
            group,
        } => {
            let value = value.as_ref().map(|value| quote!(= #value));
            let optional = optional.then(|| quote!(, optional));
            let discriminated_by = discriminated_by
                .as_deref()
                .map(ident)
                .map(|discriminated_by| quote!(, discriminated_by = #discriminated_by));
            let group = group
                .as_deref()
                .map(ident)
                .map(|group| quote!(, group = #group));
            quote!(#[union(member #value #optional #discriminated_by #group)])
        }
    }
}

/// Returns a union as an enum:
///
/// ```text
/// #[derive(::union_runtime::UnionEnum, Clone, Debug, PartialEq)]
/// #[union(discriminator = "type")]
/// pub enum Name {
///     #[union(member = "URLRewrite", field = "urlRewrite")]
///     UrlRewrite(NameUrlRewrite),
///     #[union(other)]
///     Other(::union_runtime::RawUnion),
/// }
/// ```
pub(super) fn union_enum(
    item: &Item,
    body: &UnionEnum,
    module: &Module,
    settings: &Settings,
) -> TokenStream {
    let mut description = item.doc.clone();
    if let (Some(discriminator), false) = (&body.discriminator, body.discriminator_doc.is_empty()) {
        if !description.is_empty() {
            description.push_str("\n\n");
        }
        description.extend(["`", discriminator, "`: ", &body.discriminator_doc]);
    }
    let docs = doc(&description, &format!("`{}`.", item.name), &item.comments);
    let custom_derives = attributes::derives(
        settings,
        DeriveTarget::Unions,
        false,
        &attributes::COMMON_DERIVES,
    );
    let discriminator = body.discriminator.as_ref();
    let mut arguments = vec![discriminator.map_or_else(
        || quote!(undiscriminated),
        |name| quote!(discriminator = #name),
    )];
    if body.other.is_none() {
        arguments.push(quote!(strict));
    }
    if settings.schema == SchemaOutput::Disabled {
        arguments.push(quote!(schema = false));
    }
    let is_discriminated = body.discriminator.is_some();
    let variants = body
        .variants
        .iter()
        .map(|body| variant(body, is_discriminated, module));
    let none_variant = body.none.as_ref().map(|name| {
        let name = ident(name);
        let docs = doc("No member is set.", "", &[]);
        let absent = body
            .discriminator
            .is_some()
            .then(|| quote!(#[union(absent)]));
        quote!(#docs #absent #name,)
    });
    let other = body.other.as_ref().map(|name| {
        let name = ident(name);
        let docs = doc("What these types cannot read, as it came.", "", &[]);
        quote!(#docs #[union(other)] #name(::union_runtime::RawUnion),)
    });
    let name = ident(&item.name);
    quote! {
        #docs
        #[derive(::union_runtime::UnionEnum, Clone, Debug, PartialEq #custom_derives)]
        #[union(#(#arguments),*)]
        pub enum #name { #none_variant #(#variants)* #other }
    }
}

/// Returns a variant of a union:
///
/// ```text
/// #[union(member = "URLRewrite", field = "urlRewrite")]
/// UrlRewrite(NameUrlRewrite),
/// ```
fn variant(variant: &Variant, is_discriminated: bool, module: &Module) -> TokenStream {
    let name = ident(&variant.name);
    let value = &variant.value;
    let mut arguments = Vec::new();
    if is_discriminated {
        arguments.push(quote!(member = #value));
    }
    let Some((field, optional)) = &variant.field else {
        let docs = doc("", &format!("`{value}`."), &[]);
        return quote!(#docs #[union(#(#arguments),*)] #name,);
    };
    let json = &field.json;
    arguments.push(quote!(field = #json));
    arguments.extend(field.is_nested.then(|| quote!(nested)));
    let docs = doc(&field.doc, &format!("`{json}`."), &field.comments);
    let mut ty = type_tokens(&field.ty, module);
    if *optional {
        ty = quote!(Option<#ty>);
    }
    quote!(#docs #[union(#(#arguments),*)] #name(#ty),)
}
