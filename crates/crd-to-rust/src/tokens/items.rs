//! Generates the items of a version: structs, unions and enums.

use proc_macro2::TokenStream;
use quote::quote;

use super::parts::{doc, ident, type_tokens};
use super::{attributes, integer_enum, parts, root, union};
use crate::model::{Body, Field, Item, Module, NamedValue, Presence, Struct};
use crate::rust_text::identifiers;
use crate::settings::{DeriveTarget, SchemaOutput, Settings};

/// Returns all types of a version.
pub(crate) fn items(module: &Module, settings: &Settings) -> TokenStream {
    let flattened_structs = module.items.iter().filter_map(|item| match &item.body {
        Body::Struct(body) if body.is_flattened_in_root => Some(unknown_fields_of_root()),
        _ => None,
    });
    let types = module.items.iter().enumerate().map(|(index, item)| {
        let kube_attributes = (index == 0).then(|| root::kube_attributes(module, settings));
        item_tokens(item, kube_attributes.as_ref(), module, settings)
    });
    types.chain(flattened_structs).collect()
}

/// Returns the function that reads the unknown fields of a root without `apiVersion` and `kind`:
/// kube's root type does not consume these fields, but writes them itself.
fn unknown_fields_of_root() -> TokenStream {
    quote! {
        fn unknown_fields_of_root<'de, D: ::serde::Deserializer<'de>>(
            deserializer: D,
        ) -> ::core::result::Result<
            ::std::collections::BTreeMap<String, ::serde_json::Value>,
            D::Error,
        > {
            let mut fields: ::std::collections::BTreeMap<String, ::serde_json::Value> =
                ::serde::Deserialize::deserialize(deserializer)?;
            fields.retain(|name, _| name != "apiVersion" && name != "kind");
            ::core::result::Result::Ok(fields)
        }
    }
}

/// Returns a type:
///
/// ```text
/// /// Docs.
/// #[derive(Clone, Debug, PartialEq, ::serde::Serialize, ::serde::Deserialize, ::schemars::JsonSchema)]
/// pub struct Name { .. }
/// ```
fn item_tokens(
    item: &Item,
    kube_attributes: Option<&TokenStream>,
    module: &Module,
    settings: &Settings,
) -> TokenStream {
    let doc = doc(&item.doc, &format!("`{}`.", item.name), &item.comments);
    match &item.body {
        Body::Struct(body) => {
            let schema_derive = attributes::schema_derive(body, settings);
            let settings_derives = attributes::settings_derives(
                settings,
                DeriveTarget::Structs,
                item.has_default,
                &attributes::COMMON_DERIVES,
            );
            let custom_resource = kube_attributes.map(|_| quote!(::kube::CustomResource,));
            let name = ident(&item.name);
            let struct_attributes = attributes::struct_attributes(body, settings);
            let union_derive = body
                .contains_unions
                .then(|| quote!(::union_runtime::Union,));
            let union_attributes = union::struct_attributes(body, &name, settings);
            let fields = struct_fields(body, module, settings);
            quote! {
                #doc
                #[derive(#custom_resource #union_derive Clone, Debug, PartialEq, ::serde::Serialize, ::serde::Deserialize #schema_derive #settings_derives)]
                #kube_attributes
                #struct_attributes
                #union_attributes
                pub struct #name { #fields }
            }
        }
        Body::Union(body) => union::union_enum(item, body, module, settings),
        Body::Newtype(field) => newtype(item, field, kube_attributes, module, settings),
        Body::IntegerEnum {
            integer_type,
            variants,
            other_variant,
        } => integer_enum::integer_enum(
            item,
            integer_type,
            variants,
            other_variant.as_deref(),
            settings,
        ),
        Body::StringEnum {
            variants,
            other_variant,
        } => string_enum(item, variants, other_variant.as_deref(), settings),
    }
}

/// Returns a tuple struct around a value:
///
/// ```text
/// #[derive(Clone, Debug, PartialEq, ::serde::Serialize, ::serde::Deserialize, ::schemars::JsonSchema)]
/// pub struct Name(pub Vec<String>);
/// ```
fn newtype(
    item: &Item,
    field: &Field,
    kube_attributes: Option<&TokenStream>,
    module: &Module,
    settings: &Settings,
) -> TokenStream {
    let doc = doc(&item.doc, &format!("`{}`.", item.name), &item.comments);
    let existing_derives = &attributes::COMMON_DERIVES;
    let settings_derives =
        attributes::settings_derives(settings, DeriveTarget::Structs, false, existing_derives);
    let custom_resource = kube_attributes.map(|_| quote!(::kube::CustomResource,));
    let (schema_derive, schema_attributes) = match settings.schema {
        SchemaOutput::Derived => (
            quote!(, ::schemars::JsonSchema),
            attributes::field_attributes(field, module),
        ),
        SchemaOutput::Disabled => (quote!(), quote!()),
    };
    let name = ident(&item.name);
    let ty = type_tokens(&field.ty, module);
    quote! {
        #doc
        #[derive(#custom_resource Clone, Debug, PartialEq, ::serde::Serialize, ::serde::Deserialize #schema_derive #settings_derives)]
        #kube_attributes
        pub struct #name(#schema_attributes pub #ty);
    }
}

/// Returns an enum of strings:
///
/// ```text
/// /// Docs.
/// #[derive(::union_runtime::EnumType, Clone, Debug, PartialEq, Eq, ::serde::Serialize, ::serde::Deserialize)]
/// pub enum Name { .. }
/// ```
fn string_enum(
    item: &Item,
    variants: &[NamedValue<String>],
    other_variant: Option<&str>,
    settings: &Settings,
) -> TokenStream {
    let doc = parts::doc(&item.doc, &format!("`{}`.", item.name), &item.comments);
    let name = ident(&item.name);
    let existing_derives = &attributes::STRING_ENUM_DERIVES;
    let settings_derives =
        attributes::settings_derives(settings, DeriveTarget::Enums, false, existing_derives);
    let (schema_derive, schema_hook) = match settings.schema {
        SchemaOutput::Derived => (
            quote!(, ::schemars::JsonSchema),
            quote!(#[schemars(transform = ::union_runtime::add_enum::<#name>)]),
        ),
        SchemaOutput::Disabled => (quote!(), quote!()),
    };
    let variants = variants.iter().map(|NamedValue { value, name }| {
        let doc = parts::doc(&format!("`{value}`."), "An empty text.", &[]);
        let rename = (value != name).then(|| quote!(#[serde(rename = #value)]));
        let variant = ident(name);
        quote!(#doc #rename #variant,)
    });
    let other_variant = other_variant.map(|name| {
        let variant = ident(name);
        let doc = parts::doc("A value that these types do not know.", "", &[]);
        quote!(#doc #[enum_type(other)] #[serde(untagged)] #variant(String),)
    });
    quote! {
        #doc
        #[derive(::union_runtime::EnumType, Clone, Debug, PartialEq, Eq, ::serde::Serialize, ::serde::Deserialize #schema_derive #settings_derives)]
        #schema_hook
        pub enum #name { #(#variants)* #other_variant }
    }
}

fn struct_fields(body: &Struct, module: &Module, settings: &Settings) -> TokenStream {
    let uses_camel_case = attributes::uses_camel_case(body);
    let fields = body.fields.iter().map(|field| {
        let doc = doc(
            &field.doc,
            &format!("`{}`.", field.json_name),
            &field.comments,
        );
        let serde_attribute = serde_attribute(field, uses_camel_case);
        let schema_attributes = (settings.schema == SchemaOutput::Derived)
            .then(|| attributes::field_attributes(field, module));
        let name = ident(&field.ident);
        let mut ty = type_tokens(&field.ty, module);
        if field.presence != Presence::Required {
            ty = quote!(Option<#ty>);
        }
        let union_attributes = union::field_attributes(field);
        quote!(#doc #union_attributes #serde_attribute #schema_attributes pub #name: #ty,)
    });
    let unknown_fields = body.unknown_fields.as_ref().map(|name| {
        let name = ident(name);
        let skip = (settings.schema == SchemaOutput::Derived).then(|| quote!(#[schemars(skip)]));
        let doc = doc("Fields that the schema does not name.", "", &[]);
        let deserialize_with = body
            .is_flattened_in_root
            .then(|| quote!(, deserialize_with = "unknown_fields_of_root"));
        quote!(#doc #[serde(flatten #deserialize_with)] #skip pub #name: ::std::collections::BTreeMap<String, ::serde_json::Value>,)
    });
    fields.chain(unknown_fields).collect()
}

fn serde_attribute(field: &Field, uses_camel_case: bool) -> TokenStream {
    let name = if uses_camel_case {
        identifiers::serde_camel_case(&field.ident)
    } else {
        field.ident.clone()
    };
    let mut arguments = Vec::new();
    if name != field.json_name {
        let json_name = &field.json_name;
        arguments.push(quote!(rename = #json_name));
    }
    if field.presence == Presence::Optional {
        arguments.push(quote!(default));
        arguments.push(quote!(skip_serializing_if = "Option::is_none"));
    }
    if arguments.is_empty() {
        quote!()
    } else {
        quote!(#[serde(#(#arguments),*)])
    }
}
