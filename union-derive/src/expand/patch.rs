//! The tokens for the patch strategies of a struct.

use proc_macro2::TokenStream;
use quote::{quote, quote_spanned};

use super::tokens::{call_site_at, probe_constant, respan};
use crate::model::Struct;

/// Returns the tokens of the method `patch_fields`, which returns
/// `("volumes", "merge,retainKeys", "name")` for each field with a patch strategy. Returns `None`
/// if no field has a patch strategy.
pub(super) fn expand(input: &Struct<'_>) -> Option<TokenStream> {
    let fields = input.patch_fields.iter().map(|patch| {
        let (name, strategy, merge_key) = (&patch.name, &patch.strategy, &patch.merge_key);
        quote!((#name, #strategy, #merge_key))
    });
    (!input.patch_fields.is_empty()).then(|| {
        quote! {
            fn patch_fields() -> &'static [(&'static ::core::primitive::str, &'static ::core::primitive::str, &'static ::core::primitive::str)] {
                &[#(#fields),*]
            }
        }
    })
}

/// The error message for a list of objects that is merged without a merge key.
const NO_MERGE_KEY: &str = "a merged list of objects needs a merge key; add `patch_merge_key = \"name\"`, use another strategy, or write `patch_merge_key = \"\"` if the elements are scalars in JSON";

/// Returns the tokens of a check for each field that is merged without a merge key:
///
/// ```text
/// const _: () = {
///     use ::union_runtime::__private::ProbeDefaults as _;
///     ::union_runtime::__private::reject_if(
///         <::union_runtime::__private::Probe<Vec<Volume>>>::IS_LIST
///             && !<::union_runtime::__private::Probe<Vec<Volume>>>::HAS_SCALARS,
///         "...",
///     )
/// };
/// ```
pub(super) fn checks(input: &Struct<'_>) -> TokenStream {
    let krate = &input.krate;
    let checks = input.patch_fields.iter().filter_map(|patch| {
        let span = patch.missing_key_span?;
        let krate = respan(quote!(#krate), span);
        let ty = patch.ty;
        let call = quote_spanned! {call_site_at(span)=>
            reject_if(
                <#krate::__private::Probe<#ty>>::IS_LIST && !<#krate::__private::Probe<#ty>>::HAS_SCALARS,
                #NO_MERGE_KEY,
            )
        };
        Some(probe_constant(&krate, &call, span))
    });
    quote!(#(#checks)*)
}
