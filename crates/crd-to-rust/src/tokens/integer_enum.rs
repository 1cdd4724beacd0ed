//! Enums of integers with a list of values.

use proc_macro2::{Ident, Literal, TokenStream};
use quote::quote;

use super::attributes;
use super::parts::{doc, ident};
use crate::model::{Item, NamedValue};
use crate::settings::{DeriveTarget, SchemaOutput, Settings};

/// Returns an enum of integers:
///
/// ```text
/// #[derive(Clone, Copy, Debug, PartialEq, Eq, ::serde::Serialize, ::serde::Deserialize)]
/// #[serde(from = "i32", into = "i32")]
/// pub enum Name {
///     /// `301`.
///     Value301,
///     /// A value that these types do not know.
///     Other(i32),
/// }
/// ```
pub(super) fn integer_enum(
    of: &Item,
    number: &str,
    variants: &[NamedValue<i64>],
    other: Option<&str>,
    settings: &Settings,
) -> TokenStream {
    let name = ident(&of.name);
    let docs = doc(&of.doc, &format!("`{}`.", of.name), &of.comments);
    let more = attributes::derives(
        settings,
        DeriveTarget::Enums,
        false,
        &attributes::INTEGER_ENUM_DERIVES,
    );
    let names: Vec<Ident> = variants
        .iter()
        .map(|variant| ident(&variant.name))
        .collect();
    let values = variants
        .iter()
        .map(|variant| Literal::i64_unsuffixed(variant.value));
    let values: Vec<Literal> = values.collect();
    let variant_docs = variants
        .iter()
        .map(|variant| doc(&format!("`{}`.", variant.value), "", &[]));
    let kept = other.map(|other| {
        let other = ident(other);
        let docs = doc("A value that these types do not know.", "", &[]);
        let number = ident(number);
        quote!(#docs #other(#number),)
    });
    let read = if other.is_some() { "from" } else { "try_from" };
    let read = ident(read);
    let impls = impls(&name, number, &names, &values, other);
    let schema = (settings.schema == SchemaOutput::Derived).then(|| schema(&name));
    let number_type = ident(number);
    quote! {
        #docs
        #[derive(Clone, Copy, Debug, PartialEq, Eq, ::serde::Serialize, ::serde::Deserialize #more)]
        #[serde(#read = #number, into = #number)]
        pub enum #name { #(#variant_docs #names,)* #kept }

        impl #name {
            /// The values that these types know.
            pub const VALUES: &'static [#number_type] = &[#(#values),*];
        }

        #impls
        #schema
    }
}

/// Returns the conversions from and to the integer.
fn impls(
    name: &Ident,
    number: &str,
    names: &[Ident],
    values: &[Literal],
    other: Option<&str>,
) -> TokenStream {
    let number = ident(number);
    let (read, kept) = if let Some(other) = other {
        let other = ident(other);
        let read = quote! {
            impl ::core::convert::From<#number> for #name {
                fn from(value: #number) -> Self {
                    match value {
                        #(#values => Self::#names,)*
                        value => Self::#other(value),
                    }
                }
            }
        };
        (read, Some(quote!(#name::#other(value) => value,)))
    } else {
        let read = quote! {
            impl ::core::convert::TryFrom<#number> for #name {
                type Error = ::std::string::String;

                fn try_from(value: #number) -> ::core::result::Result<Self, Self::Error> {
                    match value {
                        #(#values => ::core::result::Result::Ok(Self::#names),)*
                        value => ::core::result::Result::Err(::std::format!(
                            "{value} is not allowed; use one of {:?}", Self::VALUES
                        )),
                    }
                }
            }
        };
        (read, None)
    };
    quote! {
        #read

        impl ::core::convert::From<#name> for #number {
            fn from(value: #name) -> Self {
                match value {
                    #(#name::#names => #values,)*
                    #kept
                }
            }
        }
    }
}

/// Returns an implementation of `JsonSchema`. A derived schema would contain the names of the
/// variants.
fn schema(name: &Ident) -> TokenStream {
    let text = name.to_string();
    quote! {
        impl ::schemars::JsonSchema for #name {
            fn schema_name() -> ::std::borrow::Cow<'static, str> {
                ::std::borrow::Cow::Borrowed(#text)
            }

            fn schema_id() -> ::std::borrow::Cow<'static, str> {
                ::std::borrow::Cow::Borrowed(::core::concat!(::core::module_path!(), "::", #text))
            }

            fn json_schema(_: &mut ::schemars::SchemaGenerator) -> ::schemars::Schema {
                ::schemars::json_schema!({ "type": "integer", "enum": Self::VALUES })
            }
        }
    }
}
