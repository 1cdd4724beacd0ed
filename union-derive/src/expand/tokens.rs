//! Tokens that several modules of this folder generate, and functions for spans.

use proc_macro2::{Group, Ident, Punct, Spacing, Span, TokenStream, TokenTree};
use quote::{ToTokens, TokenStreamExt as _, quote, quote_spanned};
use syn::Path;

/// Returns the tokens of the attributes of every generated impl.
pub(crate) fn impl_attributes() -> TokenStream {
    let allow_deprecated = allow_deprecated();
    quote!(#[automatically_derived] #allow_deprecated)
}

/// Returns the tokens of the attribute of each generated item that names the author's type, because
/// rustc reports the use of a deprecated type in generated code too. The attribute is `allow`, not
/// `expect`, because a macro does not know if a type is deprecated. Its module may be deprecated
/// instead.
pub(super) fn allow_deprecated() -> TokenStream {
    quote!(#[allow(deprecated, reason = "a derive does not use the type")])
}

/// Returns the tokens of a constant that calls a function of the runtime at compile time. The call
/// checks a property of a type. The constant has the attribute for deprecated types, because the
/// call names the type.
pub(super) fn probe_constant(krate: &TokenStream, call: &TokenStream, span: Span) -> TokenStream {
    let import = import_for_probe(krate, span);
    let allow_deprecated = allow_deprecated();
    quote_spanned! {call_site_at(span)=>
        #allow_deprecated
        const _: () = {
            #import
            #krate::__private::#call
        };
    }
}

/// Returns the tokens of the import of the trait `ProbeDefaults`, whose constants apply to types
/// without the inherent constants of `Probe`. For other types, the import is unused, but rustc does
/// not report unused imports in the code of a derive.
pub(super) fn import_for_probe(krate: &TokenStream, span: Span) -> TokenStream {
    quote_spanned! {call_site_at(span)=>
        use #krate::__private::ProbeDefaults as _;
    }
}

/// Returns the tokens with the position of `span`, at which rustc reports errors in the tokens.
///
/// A `$crate` in the author's types keeps its own hygiene context, which determines the crate,
/// because the token may come from a macro of another crate. Other names of types are not hygienic.
/// All other tokens get the same context, so that rustc recognizes equal errors and reports them
/// once.
pub(super) fn respan(tokens: TokenStream, span: Span) -> TokenStream {
    set_spans(tokens, call_site_at(span))
}

/// Sets the span of all tokens. A `$crate` gets only the position of the span.
pub(super) fn set_spans(tokens: TokenStream, span: Span) -> TokenStream {
    tokens
        .into_iter()
        .map(|mut token| {
            if let TokenTree::Group(group) = &token {
                token = Group::new(group.delimiter(), set_spans(group.stream(), span)).into();
            }
            let is_dollar_crate = matches!(&token, TokenTree::Ident(ident) if ident == "$crate");
            token.set_span(if is_dollar_crate {
                token.span().located_at(span)
            } else {
                span
            });
            token
        })
        .collect()
}

/// The path of a private function of the runtime, such as `::union_runtime::__private::member`.
/// rustc reports errors in the path at the span.
///
/// The impl of `ToTokens` appends each token to the output. An intermediate token stream would be
/// slower, because it is passed to the compiler and back.
pub(super) struct SpannedFunction<'a> {
    pub(super) krate: &'a Path,
    pub(super) name: &'a str,
    /// A span that [`call_site_at`] returned.
    pub(super) span: Span,
}

impl ToTokens for SpannedFunction<'_> {
    fn to_tokens(&self, tokens: &mut TokenStream) {
        let Self { krate, name, span } = *self;
        let names = ["__private", name];
        SpannedPath {
            krate,
            names: &names,
            span,
        }
        .to_tokens(tokens);
    }
}

/// The path of an item of the runtime, such as `::union_runtime::Discriminator::selected`, at a
/// span.
pub(super) struct SpannedPath<'a> {
    pub(super) krate: &'a Path,
    pub(super) names: &'a [&'a str],
    /// A span that [`call_site_at`] returned.
    pub(super) span: Span,
}

impl ToTokens for SpannedPath<'_> {
    fn to_tokens(&self, tokens: &mut TokenStream) {
        let span = self.span;
        let append_colons = |tokens: &mut TokenStream| {
            for spacing in [Spacing::Joint, Spacing::Alone] {
                let mut colon = Punct::new(':', spacing);
                colon.set_span(span);
                tokens.append(colon);
            }
        };
        if self.krate.leading_colon.is_some() {
            append_colons(tokens);
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
            append_colons(tokens);
        }
        for (index, name) in self.names.iter().enumerate() {
            if index > 0 {
                append_colons(tokens);
            }
            tokens.append(Ident::new(name, span));
        }
    }
}

/// Returns a span at the position of `span`. Names with this span are resolved like names in the
/// code that the derive generates.
pub(super) fn call_site_at(span: Span) -> Span {
    Span::call_site().located_at(span)
}

/// Returns the key by which the runtime looks up a discriminator value or a JSON name: the 64-bit
/// FNV-1a hash of the string in lower case.
///
/// Two values of an enum that differ only in case have the same key. Other collisions are too
/// improbable to matter.
pub(super) fn lookup_key(string: &str) -> u64 {
    string.bytes().fold(0xcbf2_9ce4_8422_2325, |hash, byte| {
        (hash ^ u64::from(byte.to_ascii_lowercase())).wrapping_mul(0x0100_0000_01b3)
    })
}
