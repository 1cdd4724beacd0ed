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
    let types = module.items.iter().enumerate().map(|(index, item)| {
        let kube = (index == 0).then(|| root::kube_attributes(module, settings));
        item_tokens(item, kube.as_ref(), module, settings)
    });
    types.collect()
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
    kube: Option<&TokenStream>,
    module: &Module,
    settings: &Settings,
) -> TokenStream {
    let doc = doc(&item.doc, &format!("`{}`.", item.name), &item.comments);
    match &item.body {
        Body::Struct(body) => {
            let schema = attributes::schema_derive(body, settings);
            let custom_derives = attributes::derives(
                settings,
                DeriveTarget::Structs,
                item.has_default,
                &attributes::COMMON_DERIVES,
            );
            let custom_resource = kube.map(|_| quote!(::kube::CustomResource,));
            let name = ident(&item.name);
            let container = attributes::container(body, settings);
            let derive = body
                .has_unions_inside
                .then(|| quote!(::union_runtime::Union,));
            let union = union::container(body, &name, settings);
            let fields = fields(body, module, settings);
            quote! {
                #doc
                #[derive(#custom_resource #derive Clone, Debug, PartialEq, ::serde::Serialize, ::serde::Deserialize #schema #custom_derives)]
                #kube
                #container
                #union
                pub struct #name { #fields }
            }
        }
        Body::Union(body) => union::union_enum(item, body, module, settings),
        Body::IntegerEnum {
            integer_type,
            variants,
            other,
        } => integer_enum::integer_enum(item, integer_type, variants, other.as_deref(), settings),
        Body::StringEnum { variants, other } => {
            string_enum(item, variants, other.as_deref(), settings)
        }
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
    other: Option<&str>,
    settings: &Settings,
) -> TokenStream {
    let doc = parts::doc(&item.doc, &format!("`{}`.", item.name), &item.comments);
    let name = ident(&item.name);
    let existing_derives = &attributes::STRING_ENUM_DERIVES;
    let custom_derives =
        attributes::derives(settings, DeriveTarget::Enums, false, existing_derives);
    let (schema, schema_hook) = match settings.schema {
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
    let other = other.map(|other| {
        let other = ident(other);
        let doc = parts::doc("A value that these types do not know.", "", &[]);
        quote!(#doc #[enum_type(other)] #[serde(untagged)] #other(String),)
    });
    quote! {
        #doc
        #[derive(::union_runtime::EnumType, Clone, Debug, PartialEq, Eq, ::serde::Serialize, ::serde::Deserialize #schema #custom_derives)]
        #schema_hook
        pub enum #name { #(#variants)* #other }
    }
}

fn fields(body: &Struct, module: &Module, settings: &Settings) -> TokenStream {
    let is_camel = attributes::uses_camel_case(body);
    let fields = body.fields.iter().map(|field| {
        let doc = doc(&field.doc, &format!("`{}`.", field.json), &field.comments);
        let serde = serde(field, is_camel);
        let schema =
            (settings.schema == SchemaOutput::Derived).then(|| attributes::field(field, module));
        let name = ident(&field.ident);
        let mut ty = type_tokens(&field.ty, module);
        if field.presence != Presence::Required {
            ty = quote!(Option<#ty>);
        }
        let union = union::field(field);
        quote!(#doc #union #serde #schema pub #name: #ty,)
    });
    let rest = body.rest.as_ref().map(|name| {
        let name = ident(name);
        let skip = (settings.schema == SchemaOutput::Derived).then(|| quote!(#[schemars(skip)]));
        let doc = doc("Fields that the schema does not name.", "", &[]);
        quote!(#doc #[serde(flatten)] #skip pub #name: ::std::collections::BTreeMap<String, ::serde_json::Value>,)
    });
    fields.chain(rest).collect()
}

fn serde(field: &Field, is_camel: bool) -> TokenStream {
    let name = if is_camel {
        identifiers::serde_camel_case(&field.ident)
    } else {
        field.ident.clone()
    };
    let mut arguments = Vec::new();
    if name != field.json {
        let json = &field.json;
        arguments.push(quote!(rename = #json));
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
