//! The tokens for the map that keeps unknown members.

use proc_macro2::TokenStream;
use quote::{quote, quote_spanned};
use syn::Path;
use syn::spanned::Spanned as _;

use super::tokens::{located, respan};
use crate::model::{Child, ChildKind, Struct, UnknownField, UnknownFieldSupport};

/// Returns the tokens of the items for unknown members. The result is empty if no map keeps unknown
/// members. An example:
///
/// ```text
/// const KEEPS_UNKNOWN: bool = true;
/// fn unknown_members(&mut self) -> Option<&mut dyn ::union_runtime::UnknownMembers> {
///     Some(<BTreeMap<String, Value> as ::union_runtime::UnknownMembers>::as_dyn(&mut self.rest))
/// }
/// ```
///
/// A struct that keeps the unknown fields of a flattened enum has only the constant, because these
/// fields are never cleared. A struct that flattens a struct which may keep unknown members also
/// has only the constant:
///
/// ```text
/// const KEEPS_UNKNOWN: bool = <Source as ::union_runtime::Inline>::KEEPS_UNKNOWN;
/// ```
pub(super) fn expand(input: &Struct<'_>) -> TokenStream {
    let krate = &input.krate;
    if let Some(rest) = &input.rest {
        return keeps_rest(rest, krate);
    }
    let Some(unknown) = &input.unknown else {
        let keeps = input.children.iter().filter_map(|child| match &child.kind {
            ChildKind::Inline {
                flattened: UnknownFieldSupport::Allowed,
                ..
            } => Some(keeps(child, krate)),
            _ => None,
        });
        return quote!(#(const KEEPS_UNKNOWN: ::core::primitive::bool = #keeps;)*);
    };
    let ident = unknown.ident;
    let as_map = as_map(unknown, krate);
    let as_dyn = quote_spanned!(located(unknown.ty.span())=> #as_map::as_dyn(&mut self.#ident));
    quote! {
        const KEEPS_UNKNOWN: ::core::primitive::bool = true;
        fn unknown_members(&mut self) -> ::core::option::Option<&mut dyn #krate::UnknownMembers> {
            ::core::option::Option::Some(#as_dyn)
        }
    }
}

/// Returns the tokens of the constant of a struct that keeps the unknown fields of a flattened
/// enum. The constant also checks that the type of the map implements `UnknownMembers`:
///
/// ```text
/// const KEEPS_UNKNOWN: bool = {
///     let _: fn(&BTreeMap<String, Value>) -> bool =
///         <BTreeMap<String, Value> as ::union_runtime::UnknownMembers>::is_empty;
///     true
/// };
/// ```
fn keeps_rest(rest: &UnknownField<'_>, krate: &Path) -> TokenStream {
    let ty = rest.ty;
    let as_map = as_map(rest, krate);
    let is_empty = quote_spanned!(located(ty.span())=> #as_map::is_empty);
    quote! {
        const KEEPS_UNKNOWN: ::core::primitive::bool = {
            let _: fn(&#ty) -> ::core::primitive::bool = #is_empty;
            true
        };
    }
}

/// Returns the tokens of
/// `<BTreeMap<String, Value> as ::union_runtime::UnknownMembers>::is_empty(&self.rest)`, if the
/// struct has a map of unknown members.
pub(super) fn is_empty(input: &Struct<'_>) -> Option<TokenStream> {
    let unknown = input.unknown.as_ref()?;
    let ident = unknown.ident;
    let as_map = as_map(unknown, &input.krate);
    Some(quote_spanned!(located(unknown.ty.span())=> #as_map::is_empty(&self.#ident)))
}

fn as_map(unknown: &UnknownField<'_>, krate: &Path) -> TokenStream {
    let ty = unknown.ty;
    respan(quote!(<#ty as #krate::UnknownMembers>), ty.span())
}

/// Returns the tokens of `allow_unknown(DECLARATION)` for a struct that keeps unknown members, and
/// the declaration itself for other structs.
pub(super) fn allow_unknown(
    declaration: TokenStream,
    unknown: Option<&UnknownField<'_>>,
    krate: &Path,
) -> TokenStream {
    let Some(unknown) = unknown else {
        return declaration;
    };
    let function = respan(quote!(#krate::__private::allow_unknown), unknown.span);
    quote_spanned!(located(unknown.span)=> #function(#declaration))
}

/// Returns the tokens of the check that a flattened struct does not keep unknown members. Returns
/// `None` if the struct may keep them. An example:
///
/// ```text
/// ::union_runtime::__private::reject_if(
///     <Source as ::union_runtime::Inline>::KEEPS_UNKNOWN,
///     "...",
/// );
/// ```
pub(super) fn check(
    child: &Child<'_>,
    flattened: &UnknownFieldSupport,
    krate: &Path,
) -> Option<TokenStream> {
    let UnknownFieldSupport::Forbidden(reason) = flattened else {
        return None;
    };
    let span = child.ty.span();
    let keeps = keeps(child, krate);
    let function = respan(quote!(#krate::__private::reject_if), span);
    Some(quote_spanned!(located(span)=> #function(#keeps, #reason);))
}

/// Returns the tokens of `<Source as ::union_runtime::Inline>::KEEPS_UNKNOWN`.
fn keeps(child: &Child<'_>, krate: &Path) -> TokenStream {
    let ty = child.ty;
    let as_inline = respan(quote!(<#ty as #krate::Inline>), ty.span());
    quote_spanned!(located(ty.span())=> #as_inline::KEEPS_UNKNOWN)
}
