//! Generates the attributes of unions, and unions in the enum form.

use proc_macro2::{Ident, TokenStream};
use quote::quote;

use super::attributes;
use super::parts::{doc, ident, type_tokens};
use crate::model::{Field, Item, Module, Struct, UnionEnum, UnionRole, Variant, VariantMember};
use crate::settings::{DeriveTarget, SchemaOutput, Settings};

/// Returns the union attributes of a struct:
///
/// ```text
/// #[union(exactly_one(one_of))]
/// #[schemars(transform = ::union_runtime::add_unions::<Name>)]
/// ```
pub(super) fn struct_attributes(body: &Struct, name: &Ident, settings: &Settings) -> TokenStream {
    let groups = body.exactly_one.iter().map(|group| ident(group));
    let exactly_one = quote!(#(#[union(exactly_one(#groups))])*);
    // The schema hook also adds the keys of lists to the schema.
    let needs_hook = body.has_unions || body.fields.iter().any(|field| !field.list_keys.is_empty());
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
pub(super) fn field_attributes(field: &Field) -> TokenStream {
    let role_attribute = field.role.as_ref().map(role_attribute);
    let key_attribute = field.is_key.then(|| quote!(#[union(key)]));
    let list_keys = &field.list_keys;
    let keys_argument = (!list_keys.is_empty()).then(|| quote!(, list_map_keys(#(#list_keys),*)));
    let nested_attribute = field
        .is_nested
        .then(|| quote!(#[union(nested #keys_argument)]));
    quote!(#role_attribute #key_attribute #nested_attribute)
}

/// Returns the attribute of a role:
///
/// ```text
/// #[union(member = "URLRewrite", optional)]
/// ```
fn role_attribute(role: &UnionRole) -> TokenStream {
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

/// Returns a union as an enum. The enum has no field for the discriminator, so the description of
/// the discriminator is added to the docs of the enum:
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
    let settings_derives = attributes::settings_derives(
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
    if body.other_variant.is_none() {
        arguments.push(quote!(strict));
    }
    if settings.schema == SchemaOutput::Disabled {
        arguments.push(quote!(schema = false));
    }
    let is_discriminated = body.discriminator.is_some();
    let variants = body
        .variants
        .iter()
        .map(|variant| variant_tokens(variant, is_discriminated, module));
    let empty_variant = body.empty_variant.as_ref().map(|name| {
        let name = ident(name);
        let docs = doc("No member is set.", "", &[]);
        // The derive requires `absent` for an absent discriminator. Without a discriminator, a
        // variant without a field is the empty variant.
        let absent = body
            .discriminator
            .is_some()
            .then(|| quote!(#[union(absent)]));
        quote!(#docs #absent #name,)
    });
    let other_variant = body.other_variant.as_ref().map(|name| {
        let name = ident(name);
        let docs = doc("What these types cannot read, as it came.", "", &[]);
        quote!(#docs #[union(other)] #name(::union_runtime::RawUnion),)
    });
    let name = ident(&item.name);
    quote! {
        #docs
        #[derive(::union_runtime::UnionEnum, Clone, Debug, PartialEq #settings_derives)]
        #[union(#(#arguments),*)]
        pub enum #name { #empty_variant #(#variants)* #other_variant }
    }
}

/// Returns a variant of a union:
///
/// ```text
/// #[union(member = "URLRewrite", field = "urlRewrite")]
/// UrlRewrite(NameUrlRewrite),
/// ```
fn variant_tokens(variant: &Variant, is_discriminated: bool, module: &Module) -> TokenStream {
    let name = ident(&variant.name);
    let value = &variant.value;
    let mut arguments = Vec::new();
    if is_discriminated {
        arguments.push(quote!(member = #value));
    }
    let Some(VariantMember { field, is_optional }) = &variant.member else {
        let docs = doc("", &format!("`{value}`."), &[]);
        return quote!(#docs #[union(#(#arguments),*)] #name,);
    };
    let json_name = &field.json_name;
    arguments.push(quote!(field = #json_name));
    arguments.extend(field.is_nested.then(|| quote!(nested)));
    let docs = doc(&field.doc, &format!("`{json_name}`."), &field.comments);
    let mut ty = type_tokens(&field.ty, module);
    if *is_optional {
        ty = quote!(Option<#ty>);
    }
    quote!(#docs #[union(#(#arguments),*)] #name(#ty),)
}
