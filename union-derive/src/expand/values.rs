//! The tokens for values of enum types outside of unions: the call of the macro that implements
//! `walk_values`, and the check of `open`.

use proc_macro2::TokenStream;
use quote::quote;
use syn::Path;

use super::tokens::{probe_constant, respan};
use crate::model::{OpenField, Struct, Walk, leaf_types};

/// Returns the tokens of `::union_runtime::__private::values!(level "level", ...);`. Returns `None`
/// if no field may contain values of an enum type.
pub(super) fn expand(input: &Struct<'_>) -> Option<TokenStream> {
    let krate = &input.krate;
    let fields = input.values_fields.iter().map(|field| {
        let (ident, name) = (field.ident, &field.name);
        quote!(#ident #name)
    });
    let call = quote!(#krate::__private::values!(#(#fields),*););
    (!input.values_fields.is_empty()).then_some(call)
}

/// The error message for a field with `open` that contains no values of an enum type.
const NO_VALUES: &str =
    "`open` is only for fields of an enum type; remove `open`, or derive `EnumType` on the enum";

/// Returns the tokens of a check for each field with `open`:
///
/// ```text
/// const _: () = {
///     use ::union_runtime::__private::ProbeDefaults as _;
///     ::union_runtime::__private::reject_if(
///         true && !<::union_runtime::__private::Probe<Level>>::HOLDS_VALUES,
///         "...",
///     )
/// };
/// ```
pub(super) fn open_checks(fields: &[OpenField<'_>], krate: &Path) -> TokenStream {
    let checks = fields.iter().map(|field| {
        let OpenField { span, ty } = *field;
        // A walk does not visit the values in some containers, such as sets.
        let leaf_types = leaf_types(ty).into_iter();
        let unwalked_types = leaf_types.filter(|leaf| !matches!(leaf.walk, Walk::Always));
        let types = core::iter::once(ty).chain(unwalked_types.map(|leaf| leaf.ty));
        let call = respan(
            quote!(reject_if(true #(&& !<#krate::__private::Probe<#types>>::HOLDS_VALUES)*, #NO_VALUES)),
            span,
        );
        probe_constant(&respan(quote!(#krate), span), &call, span)
    });
    quote!(#(#checks)*)
}
