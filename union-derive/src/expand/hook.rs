//! The probe for a schema hook that the macro did not see.

use proc_macro2::TokenStream;
use quote::quote_spanned;
use syn::{Ident, Path};

use crate::model::HookCheck;

/// Nothing, or, for `struct Strategy` that lacks its hook:
///
/// ```text
/// const _: () = {
///     #[allow(unused_imports)]
///     use ::union_runtime::__private::NoSchema as _;
///     ::union_runtime::__private::require_hook(<::union_runtime::__private::Probe<Strategy>>::HAS_SCHEMA, "...")
/// };
/// ```
pub(super) fn expand(hook: &HookCheck, krate: &Path, ident: &Ident) -> TokenStream {
    let HookCheck::IfSchema(remedy) = hook else {
        return TokenStream::new();
    };
    let krate = super::respan(quote::quote!(#krate), ident.span());
    // The import is unused where the type does have a schema: then the const of the type itself is meant.
    quote_spanned! {super::located(ident.span())=>
        #[allow(deprecated)]
        const _: () = {
            #[allow(unused_imports)]
            use #krate::__private::NoSchema as _;
            #krate::__private::require_hook(<#krate::__private::Probe<#ident>>::HAS_SCHEMA, #remedy)
        };
    }
}
