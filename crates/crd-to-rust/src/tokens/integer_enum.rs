//! Generates enums of integers with listed values.

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
    item: &Item,
    integer_type: &str,
    variants: &[NamedValue<i64>],
    other_name: Option<&str>,
    settings: &Settings,
) -> TokenStream {
    let name = ident(&item.name);
    let docs = doc(&item.doc, &format!("`{}`.", item.name), &item.comments);
    let settings_derives = attributes::settings_derives(
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
    let other_variant = other_name.map(|name| {
        let variant = ident(name);
        let docs = doc("A value that these types do not know.", "", &[]);
        let integer_type = ident(integer_type);
        quote!(#docs #variant(#integer_type),)
    });
    let conversion = if other_name.is_some() {
        "from"
    } else {
        "try_from"
    };
    let conversion = ident(conversion);
    let conversion_impls = conversion_impls(&name, integer_type, &names, &values, other_name);
    let json_schema_impl =
        (settings.schema == SchemaOutput::Derived).then(|| json_schema_impl(&name));
    let integer_ident = ident(integer_type);
    quote! {
        #docs
        #[derive(Clone, Copy, Debug, PartialEq, Eq, ::serde::Serialize, ::serde::Deserialize #settings_derives)]
        #[serde(#conversion = #integer_type, into = #integer_type)]
        pub enum #name { #(#variant_docs #names,)* #other_variant }

        impl #name {
            /// The values that these types know.
            pub const VALUES: &'static [#integer_ident] = &[#(#values),*];
        }

        #conversion_impls
        #json_schema_impl
    }
}

/// Returns the conversions from and to the integer type.
fn conversion_impls(
    name: &Ident,
    integer_type: &str,
    names: &[Ident],
    values: &[Literal],
    other_variant: Option<&str>,
) -> TokenStream {
    let integer_type = ident(integer_type);
    let (conversion, other_arm) = if let Some(other_variant) = other_variant {
        let other_variant = ident(other_variant);
        let conversion = quote! {
            impl ::core::convert::From<#integer_type> for #name {
                fn from(value: #integer_type) -> Self {
                    match value {
                        #(#values => Self::#names,)*
                        value => Self::#other_variant(value),
                    }
                }
            }
        };
        (
            conversion,
            Some(quote!(#name::#other_variant(value) => value,)),
        )
    } else {
        let conversion = quote! {
            impl ::core::convert::TryFrom<#integer_type> for #name {
                type Error = ::std::string::String;

                fn try_from(value: #integer_type) -> ::core::result::Result<Self, Self::Error> {
                    match value {
                        #(#values => ::core::result::Result::Ok(Self::#names),)*
                        value => ::core::result::Result::Err(::std::format!(
                            "{value} is not allowed; use one of {:?}", Self::VALUES
                        )),
                    }
                }
            }
        };
        (conversion, None)
    };
    quote! {
        #conversion

        impl ::core::convert::From<#name> for #integer_type {
            fn from(value: #name) -> Self {
                match value {
                    #(#name::#names => #values,)*
                    #other_arm
                }
            }
        }
    }
}

/// Returns an implementation of `JsonSchema`. A derived schema would contain the names of the
/// variants instead of the integers.
fn json_schema_impl(name: &Ident) -> TokenStream {
    let name_string = name.to_string();
    quote! {
        impl ::schemars::JsonSchema for #name {
            fn schema_name() -> ::std::borrow::Cow<'static, str> {
                ::std::borrow::Cow::Borrowed(#name_string)
            }

            fn schema_id() -> ::std::borrow::Cow<'static, str> {
                ::std::borrow::Cow::Borrowed(::core::concat!(::core::module_path!(), "::", #name_string))
            }

            fn json_schema(_: &mut ::schemars::SchemaGenerator) -> ::schemars::Schema {
                ::schemars::json_schema!({ "type": "integer", "enum": Self::VALUES })
            }
        }
    }
}
