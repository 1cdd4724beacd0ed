//! What a struct says of patches.

use proc_macro2::TokenStream;
use quote::{quote, quote_spanned};

use super::{located, probe, respan};
use crate::model::Struct;

/// Nothing where nothing is said; else `("volumes", "merge,retainKeys", "name")` for each field.
pub(super) fn expand(input: &Struct<'_>) -> Option<TokenStream> {
    let fields = input.patches.iter().map(|patch| {
        let (name, strategy, merge_key) = (&patch.name, &patch.strategy, &patch.merge_key);
        quote!((#name, #strategy, #merge_key))
    });
    (!input.patches.is_empty()).then(|| {
        quote! {
            fn patch_fields() -> &'static [(&'static ::core::primitive::str, &'static ::core::primitive::str, &'static ::core::primitive::str)] {
                &[#(#fields),*]
            }
        }
    })
}

/// For each field that is merged without a key:
///
/// ```text
/// const _: () = {
///     use ::union_runtime::__private::{NoList as _, NoScalars as _};
///     ::union_runtime::__private::require_merge_key(
///         <::union_runtime::__private::Probe<Vec<Volume>>>::IS_LIST,
///         <::union_runtime::__private::Probe<Vec<Volume>>>::HAS_SCALARS,
///     )
/// };
/// ```
pub(super) fn checks(input: &Struct<'_>) -> TokenStream {
    let krate = &input.krate;
    let checks = input.patches.iter().filter_map(|patch| {
        let span = patch.asks_for_key?;
        let krate = respan(quote!(#krate), span);
        let ty = patch.ty;
        let call = quote_spanned! {located(span)=>
            require_merge_key(
                <#krate::__private::Probe<#ty>>::IS_LIST,
                <#krate::__private::Probe<#ty>>::HAS_SCALARS,
            )
        };
        let traits = quote_spanned!(located(span)=> NoList as _, NoScalars as _);
        Some(probe(&krate, &traits, &call, span))
    });
    quote!(#(#checks)*)
}
