//! The impl of `EnumType`.

use std::collections::HashSet;

use proc_macro2::{Literal, TokenStream};
use quote::quote;

use super::hook_probe;
use super::tokens::{impl_attributes, lookup_key};
use crate::model::{DeferredHookCheck, EnumType, EnumValue};

/// Returns all tokens of `#[derive(EnumType)]`. An example:
///
/// ```text
/// impl ::union_runtime::EnumType for Kind {
///     const VALUES: &'static [&'static str] = &["ALPHA", "BETA"];
///     const DOCS: &'static [&'static str] = &["What ALPHA means.", ""];
///     const KEYS: &'static [u64] = &[...];
///     const KEEPS_UNKNOWN: bool = true;
///     fn value(&self) -> ::union_runtime::EnumValue<'_> { match self { ... } }
///     fn from_index(__union_position: usize) -> Option<Self> { ... }
///     fn json_error() -> Option<String> { Probe::<Self>::json_error() }
/// }
/// ```
pub(crate) fn expand(enum_type: &EnumType<'_>, hook_check: &DeferredHookCheck) -> TokenStream {
    let EnumType {
        ident,
        krate,
        values,
        ..
    } = enum_type;
    let (impl_generics, ty_generics, where_clause) = enum_type.generics.split_for_impl();
    let names = values.iter().map(|value| &value.value);
    let keys = lookup_keys(values);
    let docs = values.iter().map(|value| &value.doc);
    let value_arms = values.iter().enumerate().map(|(index, value)| {
        let variant = value.ident;
        let index = Literal::usize_unsuffixed(index);
        quote!(Self::#variant => #krate::EnumValue::Known(#index),)
    });
    let from_index_arms = values.iter().enumerate().map(|(index, value)| {
        let variant = value.ident;
        let index = Literal::usize_unsuffixed(index);
        quote!(#index => Self::#variant,)
    });
    let other_arm = enum_type.other_variant.map(
        |variant| quote!(Self::#variant(__union_text) => #krate::EnumValue::parse::<Self>(__union_text),),
    );
    let keeps_unknown = enum_type.other_variant.map(|_| {
        quote!(
            const KEEPS_UNKNOWN: ::core::primitive::bool = true;
        )
    });
    let type_check = hook_probe::hook_type_check(hook_check, krate);
    let schema_probe = hook_probe::expand(hook_check, krate, ident);
    let attributes = impl_attributes();
    quote! {
        #attributes
        impl #impl_generics #krate::EnumType for #ident #ty_generics #where_clause {
            const VALUES: &'static [&'static ::core::primitive::str] = &[#(#names),*];
            const DOCS: &'static [&'static ::core::primitive::str] = &[#(#docs),*];
            const KEYS: &'static [::core::primitive::u64] = &[#(#keys),*];
            #keeps_unknown
            #[inline]
            fn value(&self) -> #krate::EnumValue<'_> {
                match self {
                    #(#value_arms)*
                    #other_arm
                }
            }
            fn from_index(__union_position: ::core::primitive::usize) -> ::core::option::Option<Self> {
                #type_check
                ::core::option::Option::Some(match __union_position {
                    #(#from_index_arms)*
                    _ => return ::core::option::Option::None,
                })
            }
            fn json_error() -> ::core::option::Option<#krate::__private::String> {
                use #krate::__private::ProbeDefaults as _;
                #krate::__private::Probe::<Self>::json_error()
            }
        }
        #schema_probe
    }
}

/// Returns the lookup keys of all values. The result is empty if two values have the same key.
fn lookup_keys(values: &[EnumValue<'_>]) -> Vec<u64> {
    let keys: Vec<u64> = values
        .iter()
        .map(|value| lookup_key(&value.value))
        .collect();
    let distinct_keys: HashSet<u64> = keys.iter().copied().collect();
    if distinct_keys.len() == keys.len() {
        keys
    } else {
        Vec::new()
    }
}
