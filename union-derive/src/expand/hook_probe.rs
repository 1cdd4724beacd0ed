//! What only the compiler knows of a schema hook: whether there must be one, and whose the one is that is there.

use proc_macro2::{Group, TokenStream, TokenTree};
use quote::{ToTokens as _, quote, quote_spanned};
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
pub(crate) fn expand(hook: &HookCheck, krate: &Path, ident: &Ident) -> TokenStream {
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

/// Nothing where the hook says the type by its name; else, for `add_unions::<v1::Strategy>`:
///
/// ```text
/// let _ = ::union_runtime::__private::hook_is_for::<v1::Strategy, Self>;
/// ```
///
/// It is no constant, as `Self` may be generic.
pub(super) fn named(hook: &HookCheck, krate: &Path) -> Option<TokenStream> {
    let HookCheck::Names(ty) = hook else {
        return None;
    };
    let ty = any_lifetimes(ty.to_token_stream());
    Some(quote!(let _ = #krate::__private::hook_is_for::<#ty, Self>;))
}

/// The type with `'_` for each lifetime: `Strategy<'static>` is a hook's name for `Strategy<'a>`.
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
