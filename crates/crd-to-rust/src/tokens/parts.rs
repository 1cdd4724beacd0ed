//! Generates the parts of items: doc comments, identifiers and types.

use proc_macro2::{Ident, Span, TokenStream};
use quote::quote;

use crate::model::{Module, RustType};
use crate::rust_text::doc_comments;

/// Returns doc comments, and then plain comments, which are doc comments with a mark until the code
/// is formatted.
pub(crate) fn doc(description: &str, fallback: &str, comments: &[String]) -> TokenStream {
    let mut lines = doc_comments::doc_lines(description);
    if lines.is_empty() {
        lines = doc_comments::doc_lines(fallback);
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

/// Returns an identifier, which is a raw identifier for a keyword.
pub(crate) fn ident(name: &str) -> Ident {
    // A keyword of the 2024 edition that syn accepts as an identifier.
    let is_allowed = name != "gen";
    let ident = syn::parse_str(name).ok().filter(|_| is_allowed);
    ident.unwrap_or_else(|| Ident::new_raw(name, Span::call_site()))
}

/// Returns the tokens of a type.
pub(crate) fn type_tokens(ty: &RustType, module: &Module) -> TokenStream {
    // Parsing cannot fail, because all paths and names are generated.
    let tokens = type_source(ty, module).parse();
    tokens.unwrap_or_else(|_| quote!(::serde_json::Value))
}

/// Returns the source of a type, as arguments of attributes contain it.
pub(crate) fn type_source(ty: &RustType, module: &Module) -> String {
    match ty {
        RustType::Path(path) => (*path).to_owned(),
        RustType::Named(id) => {
            let name = module.items.get(*id).map(|item| item.name.clone());
            name.unwrap_or_else(|| "::serde_json::Value".to_owned())
        }
        RustType::List(element) => format!("Vec<{}>", type_source(element, module)),
        RustType::Map(element) => format!(
            "::std::collections::BTreeMap<String, {}>",
            type_source(element, module)
        ),
        RustType::Option(element) => format!("Option<{}>", type_source(element, module)),
    }
}
