//! The parts of items: docs, names and types.

use proc_macro2::{Ident, Span, TokenStream};
use quote::quote;

use crate::model::{Module, RustType};
use crate::rust_text::doc_comments;

/// Returns doc comments and then plain comments, which are doc comments with a mark until the code
/// is formatted.
pub(crate) fn doc(text: &str, otherwise: &str, comments: &[String]) -> TokenStream {
    let mut lines = doc_comments::doc_lines(text);
    if lines.is_empty() {
        lines = doc_comments::doc_lines(otherwise);
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
        .flat_map(|comment| doc_comments::doc_lines(comment))
        .map(|line| {
            let line = format!("{} {line}", doc_comments::COMMENT_MARK);
            quote!(#[doc = #line])
        });
    lines.chain(comments).collect()
}

/// Returns an identifier, raw if it is a keyword.
pub(crate) fn ident(name: &str) -> Ident {
    // A keyword of the 2024 edition, which syn does not know.
    let is_plain = name != "gen";
    let plain = syn::parse_str(name).ok().filter(|_| is_plain);
    plain.unwrap_or_else(|| Ident::new_raw(name, Span::call_site()))
}

/// Returns a type as Rust tokens.
pub(crate) fn type_tokens(of: &RustType, module: &Module) -> TokenStream {
    // Parsing does not fail, because all paths and names are generated.
    let tokens = type_source(of, module).parse();
    tokens.unwrap_or_else(|_| quote!(::serde_json::Value))
}

/// Returns a type as a string, as attributes contain it.
pub(crate) fn type_source(of: &RustType, module: &Module) -> String {
    match of {
        RustType::Path(path) => (*path).to_owned(),
        RustType::Named(id) => {
            let named = module.items.get(*id).map(|of| of.name.clone());
            named.unwrap_or_else(|| "::serde_json::Value".to_owned())
        }
        RustType::List(inner) => format!("Vec<{}>", type_source(inner, module)),
        RustType::Map(inner) => format!(
            "::std::collections::BTreeMap<String, {}>",
            type_source(inner, module)
        ),
        RustType::Option(inner) => format!("Option<{}>", type_source(inner, module)),
    }
}
