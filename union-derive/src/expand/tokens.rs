//! Tokens that several expansions write, and the spans of tokens.

use proc_macro2::{Group, Ident, Punct, Spacing, Span, TokenStream, TokenTree};
use quote::{ToTokens, TokenStreamExt as _, quote_spanned};
use syn::Path;

use super::text;

/// Returns the attributes of each impl.
pub(crate) fn on_impl() -> TokenStream {
    text::read(&on_impl_in_text())
}

pub(super) fn on_impl_in_text() -> String {
    format!("#[automatically_derived] {NAMES_DEPRECATED}")
}

/// The attribute of each item that names the author's type: rustc reports deprecated types in code
/// of a derive too. A macro cannot know that a type is deprecated, because its module may be; hence
/// `allow` and not `expect`.
const NAMES_DEPRECATED: &str = r#"#[allow(deprecated, reason = "a derive does not use the type")]"#;

pub(super) fn names_deprecated() -> TokenStream {
    text::read(NAMES_DEPRECATED)
}

/// Returns a call at compile time that checks other properties of the type. Like an impl, it names
/// the type.
pub(super) fn probe(krate: &TokenStream, call: &TokenStream, span: Span) -> TokenStream {
    let import = import_for_probe(krate, span);
    let names_deprecated = names_deprecated();
    quote_spanned! {located(span)=>
        #names_deprecated
        const _: () = {
            #import
            #krate::__private::#call
        };
    }
}

/// Returns the import of the trait that has the constants of all types without their own constant.
/// If a type has its own constant, the import is unused, and rustc does not warn of code that a
/// derive wrote.
pub(super) fn import_for_probe(krate: &TokenStream, span: Span) -> TokenStream {
    quote_spanned! {located(span)=>
        use #krate::__private::Otherwise as _;
    }
}

/// Returns the tokens at `span`, so that errors in them point there.
///
/// A `$crate` in the author's types keeps its own context, which determines the crate: it may come
/// from a macro of another crate. No other name of a type has hygiene; with one context for all,
/// rustc sees that two errors are the same.
pub(super) fn respan(tokens: TokenStream, span: Span) -> TokenStream {
    respan_at(tokens, located(span))
}

pub(super) fn respan_at(tokens: TokenStream, span: Span) -> TokenStream {
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

/// The path `::union_runtime::__private::member` at a span, so that errors in it point there.
///
/// `ToTokens` appends directly: each token stream that a macro builds on the way is passed to the
/// compiler and back.
pub(super) struct Function<'a> {
    pub(super) krate: &'a Path,
    pub(super) name: &'a str,
    /// A span from [`located`].
    pub(super) span: Span,
}

impl ToTokens for Function<'_> {
    fn to_tokens(&self, tokens: &mut TokenStream) {
        let Self { krate, name, span } = *self;
        let names = ["__private", name];
        Named {
            krate,
            names: &names,
            span,
        }
        .to_tokens(tokens);
    }
}

/// The path `::union_runtime::Discriminator::selected` at a span.
pub(super) struct Named<'a> {
    pub(super) krate: &'a Path,
    pub(super) names: &'a [&'a str],
    /// A span from [`located`].
    pub(super) span: Span,
}

impl ToTokens for Named<'_> {
    fn to_tokens(&self, tokens: &mut TokenStream) {
        let span = self.span;
        let colons = |tokens: &mut TokenStream| {
            for spacing in [Spacing::Joint, Spacing::Alone] {
                let mut colon = Punct::new(':', spacing);
                colon.set_span(span);
                tokens.append(colon);
            }
        };
        if self.krate.leading_colon.is_some() {
            colons(tokens);
        }
        for segment in &self.krate.segments {
            let mut ident = segment.ident.clone();
            ident.set_span(if ident == "$crate" {
                ident.span().located_at(span)
            } else {
                span
            });
            tokens.append(ident);
            segment.arguments.to_tokens(tokens);
            colons(tokens);
        }
        for (position, name) in self.names.iter().enumerate() {
            if position > 0 {
                colons(tokens);
            }
            tokens.append(Ident::new(name, span));
        }
    }
}

/// Returns a span for errors at `span`, with the name resolution of the derive.
pub(super) fn located(span: Span) -> Span {
    Span::call_site().located_at(span)
}

/// Returns the key by which the runtime looks up a value or a name: its FNV-1a hash in lower case,
/// 64 bits.
///
/// Two values of one enum with the same key, unless they differ only in case, are too improbable to
/// matter.
pub(super) fn key(text: &str) -> u64 {
    text.bytes().fold(0xcbf2_9ce4_8422_2325, |hash, byte| {
        (hash ^ u64::from(byte.to_ascii_lowercase())).wrapping_mul(0x0100_0000_01b3)
    })
}
