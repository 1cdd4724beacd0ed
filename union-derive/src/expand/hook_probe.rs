//! The checks of a schema hook that only the compiler can do: whether a hook is required, and
//! whether its type is the type of the derive.

use proc_macro2::{Group, TokenStream, TokenTree};
use quote::{ToTokens as _, quote, quote_spanned};
use syn::{Ident, Path};

use super::tokens::{import_for_probe, located, names_deprecated, respan, respan_at};
use crate::model::HookCheck;

/// Returns the check of a missing hook; empty if no check is needed. For `struct Strategy`:
///
/// ```text
/// const _: () = {
///     use ::union_runtime::__private::Otherwise as _;
///     type Asked = Strategy;
///     <::union_runtime::__private::Probe<Asked>>::SCHEMA_WITHOUT_UNION
/// };
/// ```
///
/// The constant of types with a schema is deprecated, because a macro can only warn by a
/// deprecation. The alias avoids the warning that the type itself may be deprecated.
pub(crate) fn expand(hook: &HookCheck, krate: &Path, ident: &Ident) -> TokenStream {
    let HookCheck::IfSchema(warning) = hook else {
        return TokenStream::new();
    };
    let span = ident.span();
    let runtime = respan(quote!(#krate), span);
    let import = import_for_probe(&runtime, span);
    let names_deprecated = names_deprecated();
    let warning = Ident::new(warning, span);
    // rustc does not warn of code in a derive, so the tokens have the span of the type's name.
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

/// Returns the check of a hook for another name than the type's; `None` if the hook uses the name.
/// For `add_unions::<v1::Strategy>`:
///
/// ```text
/// let _ = ::union_runtime::__private::hook_is_for::<v1::Strategy, Self>;
/// ```
///
/// The check is not a constant, because `Self` may be generic.
pub(super) fn named(hook: &HookCheck, krate: &Path) -> Option<TokenStream> {
    let HookCheck::Names(ty) = hook else {
        return None;
    };
    let ty = any_lifetimes(ty.to_token_stream());
    Some(quote!(let _ = #krate::__private::hook_is_for::<#ty, Self>;))
}

/// Returns the type with `'_` for each lifetime: a hook may use `Strategy<'static>` for
/// `Strategy<'a>`.
fn any_lifetimes(tokens: TokenStream) -> TokenStream {
    let mut is_lifetime = false;
    tokens
        .into_iter()
        .map(|token| match token {
            TokenTree::Ident(ident) if is_lifetime => {
                is_lifetime = false;
                Ident::new("_", ident.span()).into()
            }
            TokenTree::Group(group) => {
                let mut inner = Group::new(group.delimiter(), any_lifetimes(group.stream()));
                inner.set_span(group.span());
                inner.into()
            }
            token => {
                is_lifetime = matches!(&token, TokenTree::Punct(quote) if quote.as_char() == '\'');
                token
            }
        })
        .collect()
}
