//! The positions of serde attributes in the source, for the spans of errors. serde's own parser
//! returns the values of attributes without their positions.

use proc_macro2::{Delimiter, Ident, Span, TokenStream, TokenTree};
use syn::{Attribute, Meta};

/// Returns the first serde attribute with one of these names, such as `flatten`.
pub(crate) fn serde_key(attrs: &[Attribute], names: &[&str]) -> Option<Ident> {
    let mut attrs = attrs.iter().filter(|attr| attr.path().is_ident("serde"));
    attrs.find_map(|attr| match &attr.meta {
        Meta::List(list) => find_key(list.tokens.clone(), names),
        Meta::Path(_) | Meta::NameValue(_) => None,
    })
}

/// Returns the span of the first serde attribute with one of these names, or otherwise the span of
/// the item's identifier.
pub(crate) fn serde_key_span(attrs: &[Attribute], names: &[&str], item: &Ident) -> Span {
    serde_key(attrs, names).map_or_else(|| item.span(), |key| key.span())
}

/// Returns the first name of an item that is one of these names. The name of an item is at the
/// start or after a comma.
fn find_key(tokens: TokenStream, names: &[&str]) -> Option<Ident> {
    let mut is_start = true;
    tokens.into_iter().find_map(|token| {
        let was_start = is_start;
        is_start = matches!(&token, TokenTree::Punct(punct) if punct.as_char() == ',');
        match token {
            TokenTree::Ident(key) if was_start => {
                names.iter().any(|name| key == name).then_some(key)
            }
            // An invisible group around a macro fragment.
            TokenTree::Group(group) if was_start && group.delimiter() == Delimiter::None => {
                find_key(group.stream(), names)
            }
            _ => None,
        }
    })
}
