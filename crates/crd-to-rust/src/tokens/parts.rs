//! The parts of items: docs, names and types.

use proc_macro2::{Ident, Span, TokenStream};
use quote::quote;

use crate::model::{Module, Ty};
use crate::rust_text::doc_comments;

/// Doc comments, and behind them comments: those are doc comments with a mark until they are text.
pub(crate) fn doc(text: &str, otherwise: &str, comments: &[String]) -> TokenStream {
    let mut lines = doc_comments::lines(text);
    if lines.is_empty() {
        lines = doc_comments::lines(otherwise);
    }
    let lines = lines.iter().map(|line| {
        let line = if line.is_empty() {
            String::new()
        } else {
            format!(" {line}")
        };
        quote!(#[doc = #line])
    });
    let comments = comments
        .iter()
        .flat_map(|comment| doc_comments::lines(comment))
        .map(|line| {
            let line = format!("{} {line}", doc_comments::COMMENT);
            quote!(#[doc = #line])
        });
    lines.chain(comments).collect()
}

/// A name, raw where it is a word of the language.
pub(crate) fn ident(name: &str) -> Ident {
    // A word of the edition 2024, which syn does not count among them.
    let is_plain = name != "gen";
    let plain = syn::parse_str(name).ok().filter(|_| is_plain);
    plain.unwrap_or_else(|| Ident::new_raw(name, Span::call_site()))
}

/// A type, as it is written in Rust.
pub(crate) fn ty(of: &Ty, module: &Module) -> TokenStream {
    // Paths and names are our own.
    let tokens = ty_text(of, module).parse();
    tokens.unwrap_or_else(|_| quote!(::serde_json::Value))
}

/// A type as the text that an attribute takes.
pub(crate) fn ty_text(of: &Ty, module: &Module) -> String {
    match of {
        Ty::Path(path) => (*path).to_owned(),
        Ty::Named(id) => {
            let named = module.types.get(*id).map(|of| of.name.clone());
            named.unwrap_or_else(|| "::serde_json::Value".to_owned())
        }
        Ty::List(inner) => format!("Vec<{}>", ty_text(inner, module)),
        Ty::Map(inner) => format!(
            "::std::collections::BTreeMap<String, {}>",
            ty_text(inner, module)
        ),
        Ty::Option(inner) => format!("Option<{}>", ty_text(inner, module)),
    }
}
