//! The probe for a schema hook that is missing where nothing in sight says that there is a schema.

use proc_macro2::TokenStream;
use quote::{quote, quote_spanned};
use syn::{Ident, Path};

use super::{import_for_probe, located, names_deprecated, respan, respan_at};
use crate::model::HookCheck;

/// Nothing, or, for `struct Strategy` that lacks its hook:
///
/// ```text
/// const _: () = {
///     use ::union_runtime::__private::NoSchema as _;
///     type Asked = Strategy;
///     <::union_runtime::__private::Probe<Asked>>::SCHEMA_WITHOUT_UNION
/// };
/// ```
///
/// The constant of types with a schema is deprecated, which is how a macro warns. That the type itself may be deprecated is
/// left to its alias.
pub(super) fn expand(hook: &HookCheck, krate: &Path, ident: &Ident) -> TokenStream {
    let HookCheck::IfSchema(warning) = hook else {
        return TokenStream::new();
    };
    let span = ident.span();
    let runtime = respan(quote!(#krate), span);
    let import = import_for_probe(
        &runtime,
        &quote_spanned!(located(span)=> NoSchema as _),
        span,
    );
    let names_deprecated = names_deprecated();
    let warning = Ident::new(warning, span);
    // rustc does not warn of what stands in a derive, so this stands where the type's name does.
    let asked = respan_at(quote!(<#krate::__private::Probe<Asked>>::#warning), span);
    quote_spanned! {located(span)=>
        const _: () = {
            #import
            #names_deprecated
            type Asked = #ident;
            #asked
        };
    }
}
