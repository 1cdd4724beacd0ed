//! Parses the parts of an attribute, such as a value or a list of names.

use proc_macro2::{Group, Span};
use quote::ToTokens;
use syn::ext::IdentExt as _;
use syn::meta::ParseNestedMeta;
use syn::parse::{Parse, ParseStream, Parser as _};
use syn::punctuated::Punctuated;
use syn::{Ident, LitStr, Token};

/// Reads the optional `(name, ...)` after the name of an attribute. `message` is the error message
/// for a malformed list.
pub(super) fn parse_parenthesized_names(
    meta: &ParseNestedMeta<'_>,
    message: &str,
) -> syn::Result<Vec<Ident>> {
    if is_at_end(meta) {
        return Ok(Vec::new());
    }
    parse_parenthesized(meta, message, Ident::parse_any)
}

/// Reads `("name", ...)` after the name of an attribute. `message` is the error message for a
/// malformed list.
pub(super) fn parse_parenthesized_strings(
    meta: &ParseNestedMeta<'_>,
    message: &str,
) -> syn::Result<Vec<LitStr>> {
    parse_parenthesized(meta, message, <LitStr as Parse>::parse)
}

/// Reads `(name, ...)`. `parse_name` parses one name.
fn parse_parenthesized<T: ToTokens>(
    meta: &ParseNestedMeta<'_>,
    message: &str,
    parse_name: fn(ParseStream<'_>) -> syn::Result<T>,
) -> syn::Result<Vec<T>> {
    let to_error = |error: syn::Error| syn::Error::new(error.span(), message);
    let group: Group = meta.input.parse().map_err(to_error)?;
    let names = (|input: ParseStream<'_>| {
        Punctuated::<T, Token![,]>::parse_terminated_with(input, parse_name)
    })
    .parse2(group.stream())
    .map_err(to_error)?;
    if names.is_empty() {
        return Err(syn::Error::new(group.span(), message));
    }
    let names: Vec<T> = names.into_iter().collect();
    reject_duplicates(&names)?;
    Ok(names)
}

/// Returns an error if a list contains a name twice.
fn reject_duplicates<T: ToTokens>(names: &[T]) -> syn::Result<()> {
    let mut seen_names = Vec::new();
    for name in names {
        let name_string = name.to_token_stream().to_string();
        if seen_names.contains(&name_string) {
            return Err(syn::Error::new_spanned(
                name,
                "duplicate name; remove one of them",
            ));
        }
        seen_names.push(name_string);
    }
    Ok(())
}

/// Reads the value after `=`. `message` is the error message for a malformed value.
pub(super) fn read_value<T>(
    meta: &ParseNestedMeta<'_>,
    parse: impl FnOnce(ParseStream<'_>) -> syn::Result<T>,
    message: &str,
) -> syn::Result<T> {
    let value = meta.value().and_then(parse);
    let value = value.map_err(|error| syn::Error::new(error.span(), message))?;
    if is_at_end(meta) {
        Ok(value)
    } else {
        let key = key_string(meta);
        let message = format!("write the next attribute after a comma: `{key} = ..., ...`");
        Err(meta.input.error(message))
    }
}

/// Returns an error if the attribute has a value.
pub(super) fn reject_value(meta: &ParseNestedMeta<'_>) -> syn::Result<()> {
    if is_at_end(meta) {
        return Ok(());
    }
    let key = key_string(meta);
    let message = if meta.input.peek(Token![=]) || meta.input.peek(syn::token::Paren) {
        format!("`{key}` does not take a value; remove the value")
    } else {
        format!("write the next attribute after a comma: `{key}, ...`")
    };
    Err(meta.input.error(message))
}

/// Returns true if the attribute has no more tokens before the next comma.
pub(super) fn is_at_end(meta: &ParseNestedMeta<'_>) -> bool {
    meta.input.is_empty() || meta.input.peek(Token![,])
}

/// Returns the path of the attribute, such as `member`.
pub(super) fn key_string(meta: &ParseNestedMeta<'_>) -> String {
    let names: Vec<String> = meta
        .path
        .segments
        .iter()
        .map(|segment| segment.ident.to_string())
        .collect();
    names.join("::")
}

/// Returns the span of the attribute's name.
pub(super) fn key_span(meta: &ParseNestedMeta<'_>) -> Span {
    meta.path
        .segments
        .first()
        .map_or_else(Span::call_site, |segment| segment.ident.span())
}

/// Skips the tokens up to the next comma, so that the attributes after an error are read too.
pub(super) fn skip_value(meta: &ParseNestedMeta<'_>) -> syn::Result<()> {
    while !meta.input.is_empty() && !meta.input.peek(Token![,]) {
        meta.input.parse::<proc_macro2::TokenTree>()?;
    }
    Ok(())
}
