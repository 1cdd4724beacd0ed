//! The probe for a schema hook that the macro did not see.

use proc_macro2::TokenStream;
use quote::{quote, quote_spanned};
use syn::{Ident, Path};

use super::{located, probe, respan};
use crate::model::HookCheck;

/// Nothing, or, for `struct Strategy` that lacks its hook:
///
/// ```text
/// const _: () = {
///     use ::union_runtime::__private::NoSchema as _;
///     ::union_runtime::__private::require_hook(<::union_runtime::__private::Probe<Strategy>>::HAS_SCHEMA, "...")
/// };
/// ```
pub(super) fn expand(hook: &HookCheck, krate: &Path, ident: &Ident) -> TokenStream {
    let HookCheck::IfSchema(remedy) = hook else {
        return TokenStream::new();
    };
    let span = ident.span();
    let krate = respan(quote!(#krate), span);
    let call = quote_spanned! {located(span)=>
        require_hook(<#krate::__private::Probe<#ident>>::HAS_SCHEMA, #remedy)
    };
    probe(
        &krate,
        &quote_spanned!(located(span)=> NoSchema as _),
        &call,
        span,
    )
}
