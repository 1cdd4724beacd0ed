//! The checks of a schema hook that only rustc can do: a type with a schema needs a hook, and the
//! hook must name the type with the derive.

use proc_macro2::{Group, TokenStream, TokenTree};
use quote::{ToTokens as _, quote, quote_spanned};
use syn::{Ident, Path};

use super::tokens::{allow_deprecated, call_site_at, import_for_probe, respan, set_spans};
use crate::model::DeferredHookCheck;

/// Returns the tokens of the check for a missing hook. The result is empty if no check is needed.
/// For `struct Strategy`:
///
/// ```text
/// const _: () = {
///     use ::union_runtime::__private::ProbeDefaults as _;
///     type Derived = Strategy;
///     <::union_runtime::__private::Probe<Derived>>::SCHEMA_WITHOUT_UNION
/// };
/// ```
///
/// For a type with a schema, the constant is deprecated, because a deprecation is the only way in
/// which a macro can warn. The alias avoids a second warning if the type itself is deprecated.
pub(crate) fn expand(hook_check: &DeferredHookCheck, krate: &Path, ident: &Ident) -> TokenStream {
    let DeferredHookCheck::IfSchema(warning) = hook_check else {
        return TokenStream::new();
    };
    let span = ident.span();
    let runtime = respan(quote!(#krate), span);
    let import = import_for_probe(&runtime, span);
    let allow_deprecated = allow_deprecated();
    let warning = Ident::new(warning, span);
    // rustc reports no warnings in the code of a derive, so the tokens get the span of the type's
    // name.
    let probe = set_spans(quote!(<#krate::__private::Probe<Derived>>::#warning), span);
    quote_spanned! {call_site_at(span)=>
        const _: () = {
            #import
            #allow_deprecated
            type Derived = #ident;
            #probe
        };
    }
}

/// Returns the tokens of the check that a hook names the type with the derive. Returns `None` if
/// the hook uses the plain name of the type, so that no check is needed. For
/// `add_unions::<v1::Strategy>`:
///
/// ```text
/// let _ = ::union_runtime::__private::assert_hook_type::<v1::Strategy, Self>;
/// ```
///
/// The check is a statement in a method, not a constant, because `Self` may be generic.
pub(super) fn hook_type_check(hook_check: &DeferredHookCheck, krate: &Path) -> Option<TokenStream> {
    let DeferredHookCheck::NamedType(ty) = hook_check else {
        return None;
    };
    let ty = elide_lifetimes(ty.to_token_stream());
    Some(quote!(let _ = #krate::__private::assert_hook_type::<#ty, Self>;))
}

/// Replaces each lifetime in a type by `'_`, because a hook may name `Strategy<'a>` as
/// `Strategy<'static>`.
fn elide_lifetimes(tokens: TokenStream) -> TokenStream {
    let mut is_lifetime = false;
    tokens
        .into_iter()
        .map(|token| match token {
            TokenTree::Ident(ident) if is_lifetime => {
                is_lifetime = false;
                Ident::new("_", ident.span()).into()
            }
            TokenTree::Group(group) => {
                let mut elided_group =
                    Group::new(group.delimiter(), elide_lifetimes(group.stream()));
                elided_group.set_span(group.span());
                elided_group.into()
            }
            token => {
                is_lifetime = matches!(&token, TokenTree::Punct(quote) if quote.as_char() == '\'');
                token
            }
        })
        .collect()
}
