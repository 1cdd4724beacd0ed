//! The impl of `EnumType`.

use std::collections::HashSet;

use proc_macro2::{Literal, TokenStream};
use quote::quote;

use super::hook_probe;
use super::tokens::{impl_attributes, key};
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
/// }
/// ```
pub(crate) fn expand(enum_type: &EnumType<'_>, hook: &DeferredHookCheck) -> TokenStream {
    let EnumType {
        ident,
        krate,
        values,
        ..
    } = enum_type;
    let (impl_generics, ty_generics, where_clause) = enum_type.generics.split_for_impl();
    let names = values.iter().map(|value| &value.value);
    let keys = keys(values);
    let docs = values.iter().map(|value| &value.doc);
    let known = values.iter().enumerate().map(|(i, value)| {
        let variant = value.ident;
        let i = Literal::usize_unsuffixed(i);
        quote!(Self::#variant => #krate::EnumValue::Known(#i),)
    });
    let variants = values.iter().enumerate().map(|(i, value)| {
        let variant = value.ident;
        let i = Literal::usize_unsuffixed(i);
        quote!(#i => Self::#variant,)
    });
    let other = enum_type.other.map(
        |other| quote!(Self::#other(__union_text) => #krate::EnumValue::parse::<Self>(__union_text),),
    );
    let keeps_unknown = enum_type.other.map(|_| {
        quote!(
            const KEEPS_UNKNOWN: ::core::primitive::bool = true;
        )
    });
    let type_check = hook_probe::hook_type_check(hook, krate);
    let hook = hook_probe::expand(hook, krate, ident);
    let on_impl = impl_attributes();
    quote! {
        #on_impl
        impl #impl_generics #krate::EnumType for #ident #ty_generics #where_clause {
            const VALUES: &'static [&'static ::core::primitive::str] = &[#(#names),*];
            const DOCS: &'static [&'static ::core::primitive::str] = &[#(#docs),*];
            const KEYS: &'static [::core::primitive::u64] = &[#(#keys),*];
            #keeps_unknown
            #[inline]
            fn value(&self) -> #krate::EnumValue<'_> {
                match self {
                    #(#known)*
                    #other
                }
            }
            fn from_index(__union_position: ::core::primitive::usize) -> ::core::option::Option<Self> {
                #type_check
                ::core::option::Option::Some(match __union_position {
                    #(#variants)*
                    _ => return ::core::option::Option::None,
                })
            }
        }
        #hook
    }
}

/// Returns the keys of all values. The result is empty if two values have the same key.
fn keys(values: &[EnumValue<'_>]) -> Vec<u64> {
    let keys: Vec<u64> = values.iter().map(|value| key(&value.value)).collect();
    let distinct: HashSet<u64> = keys.iter().copied().collect();
    if distinct.len() == keys.len() {
        keys
    } else {
        Vec::new()
    }
}
