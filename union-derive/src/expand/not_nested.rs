//! The checks of types in fields without `nested` and `inline`. Only rustc knows if a type has
//! unions, so the checks are in generated code.

use proc_macro2::{Span, TokenStream};
use quote::{quote, quote_spanned};
use syn::spanned::Spanned as _;
use syn::{Generics, Path};

use super::tokens::{call_site_at, import_for_probe, probe_constant, respan};
use crate::check::{NO_UNION, NO_UNIONS};
use crate::model::{LeafType, NotNestedField, Struct, Walk, is_local_type};

/// Returns the tokens of statements that do not compile if a type has unions. An example:
///
/// ```text
/// use ::union_runtime::__private::ProbeDefaults as _;
/// let _ = <::union_runtime::__private::Probe<Target>>::require_mark;
/// ```
///
/// The statements are in a method, so a type may depend on the parameters of its item. They have no
/// cost at run time, because a function that is not called has no data.
pub(super) fn mark_checks<'t>(
    types: impl Iterator<Item = LeafType<'t>>,
    krate: &Path,
) -> Option<TokenStream> {
    let mut types = types.peekable();
    let span = call_site_at(types.peek()?.ty.span());
    let import = import_for_probe(&respan(quote!(#krate), span), span);
    let statements = types.map(|LeafType { ty, .. }| {
        let span = ty.span();
        let probe = respan(quote!(<#krate::__private::Probe<#ty>>::require_mark), span);
        quote_spanned!(call_site_at(span)=> let _ = #probe;)
    });
    Some(quote!(#import #(#statements)*))
}

/// Returns the tokens of the check that a type in a field of a struct without a union has unions:
///
/// ```text
/// const _: () = {
///     use ::union_runtime::__private::ProbeDefaults as _;
///     ::union_runtime::__private::reject_if(
///         true && !<::union_runtime::__private::Probe<Target>>::HAS_UNIONS,
///         "...",
///     )
/// };
/// ```
///
/// Returns `None` if the struct has a union, or an attribute that refers to unions.
pub(super) fn union_check(input: &Struct<'_>) -> Option<TokenStream> {
    let types = &input.required_types;
    let span = input.ident.span();
    (!types.is_empty()).then(|| reject_without_unions(types, NO_UNION, &input.krate, span))
}

/// Returns the tokens of the check that the type of each field with `not_nested` has unions.
pub(super) fn effect_checks<'t>(
    fields: impl Iterator<Item = &'t NotNestedField<'t>>,
    krate: &Path,
) -> TokenStream {
    let checks = fields.map(|NotNestedField { span, types }| {
        reject_without_unions(types, NO_UNIONS, krate, *span)
    });
    quote!(#(#checks)*)
}

/// Returns the tokens of a constant that reports an error if no type has unions.
fn reject_without_unions(
    types: &[LeafType<'_>],
    message: &str,
    krate: &Path,
    span: Span,
) -> TokenStream {
    let types = types.iter().map(|leaf| leaf.ty);
    let call = respan(
        quote!(reject_if(true #(&& !<#krate::__private::Probe<#types>>::HAS_UNIONS)*, #message)),
        span,
    );
    probe_constant(&respan(quote!(#krate), span), &call, span)
}

/// The error message for values of an enum type with `other` that a walk does not visit.
const UNWALKED_VALUES: &str = "unknown values of this enum type would not be rejected, because validation does not visit values in this container; write a `Vec` or a map with string keys, or `#[union(open)]` to accept unknown values";

/// Returns the tokens of a check for each type of values that a walk does not visit: the type must
/// not be an enum type with `other`, because nothing would reject unknown values.
pub(super) fn walked_checks(
    types: &[LeafType<'_>],
    generics: &Generics,
    krate: &Path,
) -> TokenStream {
    let is_checked = |leaf: &&LeafType<'_>| !is_local_type(leaf.ty, generics);
    let conditions = types.iter().filter(is_checked).filter_map(|leaf| {
        let ty = leaf.ty;
        let keeps_unknown = quote!(<#krate::__private::Probe<#ty>>::KEEPS_UNKNOWN);
        let condition = match leaf.walk {
            Walk::Always => return None,
            Walk::IfMap(map) if is_local_type(map, generics) => return None,
            Walk::IfMap(map) => {
                quote!(#keeps_unknown && !<#krate::__private::Probe<#map>>::HOLDS_VALUES)
            }
            Walk::Never => keeps_unknown,
        };
        Some((ty.span(), condition))
    });
    let checks = conditions.map(|(span, condition)| {
        let call = respan(quote!(reject_if(#condition, #UNWALKED_VALUES)), span);
        probe_constant(&respan(quote!(#krate), span), &call, span)
    });
    quote!(#(#checks)*)
}
