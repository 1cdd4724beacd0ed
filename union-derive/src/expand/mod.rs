//! Tokens from checked input: the derive describes, the runtime decides.

mod children;
pub(crate) mod enum_type;
pub(crate) mod hook_probe;
mod parts;
mod patch;
pub(crate) mod union;
mod unknown;

use proc_macro2::{Group, Span, TokenStream, TokenTree};
use quote::{quote, quote_spanned};

/// What stands on each impl.
pub(crate) fn on_impl() -> TokenStream {
    let names_deprecated = names_deprecated();
    quote!(#[automatically_derived] #names_deprecated)
}

/// What stands on each item that names the author's type: rustc tells of deprecated ones in what a derive wrote too. Whether
/// it is one, no macro can know, as a module may be that holds it; hence `allow` and not `expect`.
fn names_deprecated() -> TokenStream {
    quote!(#[allow(deprecated, reason = "a derive is no use of its type")])
}

/// A call that is made while the type compiles, about what it is besides. It names the type, as impls do.
fn probe(krate: &TokenStream, traits: &TokenStream, call: &TokenStream, span: Span) -> TokenStream {
    let import = import_for_probe(krate, traits, span);
    let names_deprecated = names_deprecated();
    quote_spanned! {located(span)=>
        #names_deprecated
        const _: () = {
            #import
            #krate::__private::#call
        };
    }
}

/// An import for a probe: of a trait that stands in where the type has no const or method of that name itself. Where it
/// has, the import is unused, which rustc does not tell of what a derive wrote.
fn import_for_probe(krate: &TokenStream, traits: &TokenStream, span: Span) -> TokenStream {
    quote_spanned! {located(span)=>
        use #krate::__private::{#traits};
    }
}

/// The same tokens as if they stood at `span`, so that errors in them point there.
///
/// A `$crate` in the author's types keeps its own context, which says whose crate that is: it may come out of a macro of
/// another one. No other name of a type has hygiene; with one context for all, rustc sees that two errors are the same.
fn respan(tokens: TokenStream, span: Span) -> TokenStream {
    respan_at(tokens, located(span))
}

fn respan_at(tokens: TokenStream, span: Span) -> TokenStream {
    tokens
        .into_iter()
        .map(|mut token| {
            if let TokenTree::Group(group) = &token {
                token = Group::new(group.delimiter(), respan_at(group.stream(), span)).into();
            }
            let is_of_a_crate = matches!(&token, TokenTree::Ident(ident) if ident == "$crate");
            token.set_span(if is_of_a_crate {
                token.span().located_at(span)
            } else {
                span
            });
            token
        })
        .collect()
}

/// Errors point at `span`; names mean what they mean where the derive stands.
fn located(span: Span) -> Span {
    Span::call_site().located_at(span)
}

/// What the runtime looks a value or a name up by: FNV-1a of it in lower case, 64 bits.
///
/// That two of an enum's values have one key without being equal but for case is not to be feared in one enum's life.
fn key(text: &str) -> u64 {
    text.bytes().fold(0xcbf2_9ce4_8422_2325, |hash, byte| {
        (hash ^ u64::from(byte.to_ascii_lowercase())).wrapping_mul(0x0100_0000_01b3)
    })
}
