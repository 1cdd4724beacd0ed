//! Source code for the tokens that do not need spans of the input. The compiler parses source code
//! much faster than a macro builds tokens, because cargo does not optimize macros in debug builds,
//! and because each token is passed to the compiler separately.

use core::fmt;

use proc_macro2::{Group, Ident, Span, TokenStream, TokenTree};
use quote::{ToTokens as _, TokenStreamExt as _};
use syn::{Error, Path};

/// The path of the runtime crate in source code. A path that the author writes is represented by a
/// placeholder, because the tokens of the path have spans.
#[derive(Clone, Copy)]
pub(super) struct Runtime<'a> {
    elsewhere: Option<&'a Path>,
}

const ELSEWHERE: &str = "__union_runtime";

impl fmt::Display for Runtime<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self.elsewhere {
            None => "::union_runtime",
            Some(_) => ELSEWHERE,
        })
    }
}

impl<'a> Runtime<'a> {
    pub(super) fn new(krate: &'a Path) -> Self {
        let mut names = krate.segments.iter().map(|segment| &segment.ident);
        let is_default = krate.leading_colon.is_some()
            && names.len() == 1
            && names.all(|name| name == "union_runtime");
        Self {
            elsewhere: (!is_default).then_some(krate),
        }
    }

    /// Returns the tokens of source code that contains the path of the runtime crate. The other
    /// tokens have the span of the derive.
    fn tokens(self, text: &str) -> TokenStream {
        match self.elsewhere {
            None => read(text),
            Some(krate) => at(read(text), krate),
        }
    }
}

/// Pieces of source code that are parsed together, because the compiler adds a source file for each
/// call of its parser.
pub(super) struct Texts(String);

impl Texts {
    pub(super) const fn new() -> Self {
        Self(String::new())
    }

    pub(super) fn push(&mut self, text: &str) {
        for part in ["{", text, "}"] {
            self.0.push_str(part);
        }
    }

    /// Returns the tokens of each piece, in the order in which the pieces were pushed.
    pub(super) fn read(self, runtime: Runtime<'_>) -> impl Iterator<Item = TokenStream> {
        let groups = runtime.tokens(&self.0).into_iter();
        groups.map(|token| match token {
            TokenTree::Group(group) => group.stream(),
            // The parser returned the tokens of an error.
            token => token.into(),
        })
    }
}

/// Parses source code. In a macro, the code is parsed by `proc_macro`, because `proc_macro2` parses
/// the code twice, to check that it is well formed.
pub(super) fn read(text: &str) -> TokenStream {
    let tokens = if proc_macro::is_available() {
        let tokens = text.parse::<proc_macro::TokenStream>();
        tokens.map_err(|error| error.to_string()).map(Into::into)
    } else {
        text.parse().map_err(|error| format!("{error}: {text}"))
    };
    tokens.unwrap_or_else(|error: String| Error::new(Span::call_site(), error).to_compile_error())
}

fn at(tokens: TokenStream, krate: &Path) -> TokenStream {
    let mut written = TokenStream::new();
    for token in tokens {
        match token {
            TokenTree::Ident(ident) if ident == ELSEWHERE => krate.to_tokens(&mut written),
            TokenTree::Group(group) => {
                let mut inner = Group::new(group.delimiter(), at(group.stream(), krate));
                inner.set_span(group.span());
                written.append(inner);
            }
            token => written.append(token),
        }
    }
    written
}

/// Returns the name of a field as source code. A word that is a keyword only in some editions gets
/// `r#`, because it may be a name in the author's edition.
pub(super) fn name(ident: &Ident) -> String {
    let name = ident.to_string();
    match name.as_str() {
        "async" | "await" | "dyn" | "gen" | "try" => format!("r#{name}"),
        _ => name,
    }
}
