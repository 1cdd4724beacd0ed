//! Attributes of unions, and unions that are enums.

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
    // The hook also adds the keys of lists to the schema.
    let is_hooked = body.is_union || body.fields.iter().any(|field| !field.list_keys.is_empty());
    let hook = (is_hooked && settings.schema == SchemaOutput::Derived)
        .then(|| quote!(#[schemars(transform = ::union_runtime::add_unions::<#name>)]));
    quote!(#exactly_one #hook)
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
            let by = discriminated_by
                .as_deref()
                .map(ident)
                .map(|by| quote!(, discriminated_by = #by));
            let group = group
                .as_deref()
                .map(ident)
                .map(|group| quote!(, group = #group));
            quote!(#[union(member #value #optional #by #group)])
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
    of: &Item,
    body: &UnionEnum,
    module: &Module,
    settings: &Settings,
) -> TokenStream {
    let mut text = of.doc.clone();
    if let (Some(discriminator), false) = (&body.discriminator, body.discriminator_doc.is_empty()) {
        if !text.is_empty() {
            text.push_str("\n\n");
        }
        text.extend(["`", discriminator, "`: ", &body.discriminator_doc]);
    }
    let docs = doc(&text, &format!("`{}`.", of.name), &of.comments);
    let more = attributes::derives(
        settings,
        DeriveTarget::Unions,
        false,
        &attributes::COMMON_DERIVES,
    );
    let by = body.discriminator.as_ref();
    let mut said = vec![by.map_or_else(
        || quote!(undiscriminated),
        |name| quote!(discriminator = #name),
    )];
    if body.other.is_none() {
        said.push(quote!(strict));
    }
    if settings.schema == SchemaOutput::Disabled {
        said.push(quote!(schema = false));
    }
    let is_discriminated = body.discriminator.is_some();
    let variants = body
        .variants
        .iter()
        .map(|of| variant(of, is_discriminated, module));
    let none = body.none.as_ref().map(|name| {
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
    let name = ident(&of.name);
    quote! {
        #docs
        #[derive(::union_runtime::UnionEnum, Clone, Debug, PartialEq #more)]
        #[union(#(#said),*)]
        pub enum #name { #none #(#variants)* #other }
    }
}

/// Returns a variant of a union:
///
/// ```text
/// #[union(member = "URLRewrite", field = "urlRewrite")]
/// UrlRewrite(NameUrlRewrite),
/// ```
fn variant(of: &Variant, is_discriminated: bool, module: &Module) -> TokenStream {
    let name = ident(&of.name);
    let value = &of.value;
    let mut said = Vec::new();
    if is_discriminated {
        said.push(quote!(member = #value));
    }
    let Some((field, optional)) = &of.field else {
        let docs = doc("", &format!("`{value}`."), &[]);
        return quote!(#docs #[union(#(#said),*)] #name,);
    };
    let json = &field.json;
    said.push(quote!(field = #json));
    said.extend(field.is_nested.then(|| quote!(nested)));
    let docs = doc(&field.doc, &format!("`{json}`."), &field.comments);
    let mut ty = type_tokens(&field.ty, module);
    if *optional {
        ty = quote!(Option<#ty>);
    }
    quote!(#docs #[union(#(#said),*)] #name(#ty),)
}
