//! The tokens for the map that keeps unknown members.

use proc_macro2::TokenStream;
use quote::{quote, quote_spanned};
use syn::Path;
use syn::spanned::Spanned as _;

use super::tokens::{call_site_at, respan};
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
    if let Some(map_field) = &input.unknown_fields {
        return keeps_unknown_fields(map_field, krate);
    }
    let Some(map_field) = &input.unknown_members else {
        let keeps_unknown = input.children.iter().filter_map(|child| match &child.kind {
            ChildKind::Inline {
                unknown_fields: UnknownFieldSupport::Supported,
                ..
            } => Some(keeps_unknown(child, krate)),
            _ => None,
        });
        return quote!(#(const KEEPS_UNKNOWN: ::core::primitive::bool = #keeps_unknown;)*);
    };
    let ident = map_field.ident;
    let as_map = as_map(map_field, krate);
    let as_dyn =
        quote_spanned!(call_site_at(map_field.ty.span())=> #as_map::as_dyn(&mut self.#ident));
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
fn keeps_unknown_fields(map_field: &UnknownField<'_>, krate: &Path) -> TokenStream {
    let ty = map_field.ty;
    let as_map = as_map(map_field, krate);
    let map_is_empty = quote_spanned!(call_site_at(ty.span())=> #as_map::is_empty);
    quote! {
        const KEEPS_UNKNOWN: ::core::primitive::bool = {
            let _: fn(&#ty) -> ::core::primitive::bool = #map_is_empty;
            true
        };
    }
}

/// Returns the tokens of
/// `<BTreeMap<String, Value> as ::union_runtime::UnknownMembers>::is_empty(&self.rest)`, if the
/// struct has a map of unknown members.
pub(super) fn map_is_empty(input: &Struct<'_>) -> Option<TokenStream> {
    let map_field = input.unknown_members.as_ref()?;
    let ident = map_field.ident;
    let as_map = as_map(map_field, &input.krate);
    Some(quote_spanned!(call_site_at(map_field.ty.span())=> #as_map::is_empty(&self.#ident)))
}

fn as_map(map_field: &UnknownField<'_>, krate: &Path) -> TokenStream {
    let ty = map_field.ty;
    respan(quote!(<#ty as #krate::UnknownMembers>), ty.span())
}

/// Returns the tokens of `allow_unknown(DECLARATION)` for a struct that keeps unknown members, and
/// the declaration itself for other structs.
pub(super) fn allow_unknown(
    declaration: TokenStream,
    map_field: Option<&UnknownField<'_>>,
    krate: &Path,
) -> TokenStream {
    let Some(map_field) = map_field else {
        return declaration;
    };
    let function = respan(quote!(#krate::__private::allow_unknown), map_field.span);
    quote_spanned!(call_site_at(map_field.span)=> #function(#declaration))
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
    support: &UnknownFieldSupport,
    krate: &Path,
) -> Option<TokenStream> {
    let UnknownFieldSupport::Unsupported(reason) = support else {
        return None;
    };
    let span = child.ty.span();
    let keeps_unknown = keeps_unknown(child, krate);
    let function = respan(quote!(#krate::__private::reject_if), span);
    Some(quote_spanned!(call_site_at(span)=> #function(#keeps_unknown, #reason);))
}

/// Returns the tokens of `<Source as ::union_runtime::Inline>::KEEPS_UNKNOWN`.
fn keeps_unknown(child: &Child<'_>, krate: &Path) -> TokenStream {
    let ty = child.ty;
    let as_inline = respan(quote!(<#ty as #krate::Inline>), ty.span());
    quote_spanned!(call_site_at(ty.span())=> #as_inline::KEEPS_UNKNOWN)
}
