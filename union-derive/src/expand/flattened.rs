//! The checks of flattened unions. They are constants, so they report their errors even if the
//! program does not use the unions.

use proc_macro2::TokenStream;
use quote::{quote, quote_spanned};
use syn::Path;
use syn::ext::IdentExt as _;
use syn::spanned::Spanned as _;

use super::tokens::{allow_deprecated, call_site_at, respan};
use super::unknown;
use crate::check::NO_UNION_TO_KEEP;
use crate::model::{Child, ChildKind, Struct};

/// Returns the tokens of the check of a flattened child. An example:
///
/// ```text
/// const _: () = {
///     ::union_runtime::__private::reject_if(...);
///     ::union_runtime::__private::check_flattened_enum(
///         <Source as ::union_runtime::Inline>::INLINED,
///         "source",
///         &["name"],
///         &[],
///         true,
///     );
/// };
/// ```
///
/// Returns `None` if the type of the child depends on a parameter, because such a type cannot be
/// checked here.
pub(super) fn check(child: &Child<'_>, input: &Struct<'_>) -> Option<TokenStream> {
    let krate = &input.krate;
    let ChildKind::Inline {
        unknown_fields,
        is_generic: false,
        handles_unknown_fields,
    } = &child.kind
    else {
        return None;
    };
    let unknown_check = unknown::check(child, unknown_fields, krate);
    let span = call_site_at(child.ty.span());
    let is_before_child = |sibling: &&Child<'_>| sibling.ident != child.ident;
    let preceding = concrete_inline_children(input).take_while(is_before_child);
    // The tokens of each type have the span of the type. Otherwise rustc would report twice that a
    // type has no unions.
    let preceding = preceding.map(|sibling| inlined_constant(sibling, krate));
    let name = child.ident.unraw().to_string();
    let names = &input.json_names;
    let function = respan(
        quote!(#krate::__private::check_flattened_enum),
        child.ty.span(),
    );
    let inlined = inlined_constant(child, krate);
    let allow_deprecated = allow_deprecated();
    Some(quote_spanned! {span=>
        #allow_deprecated
        const _: () = {
            #unknown_check
            #function(#inlined, #name, &[#(#names),*], &[#(#preceding),*], #handles_unknown_fields);
        };
    })
}

/// Returns the tokens of the check that a struct with a map of unknown fields flattens an enum.
/// Returns `None` if a flattened type depends on a parameter. An example:
///
/// ```text
/// const _: () = ::union_runtime::__private::require_enum(
///     &[<Source as ::union_runtime::Inline>::INLINED],
///     "...",
/// );
/// ```
pub(super) fn check_unknown_fields(input: &Struct<'_>) -> Option<TokenStream> {
    let map_field = input.unknown_fields.as_ref()?;
    let krate = &input.krate;
    let children = input.children.iter();
    let inline_count = children.filter(|child| is_inline(child)).count();
    let children = concrete_inline_children(input).map(|child| inlined_constant(child, krate));
    let children: Vec<TokenStream> = children.collect();
    if children.len() < inline_count {
        return None;
    }
    let function = respan(quote!(#krate::__private::require_enum), map_field.span);
    let message = NO_UNION_TO_KEEP;
    let allow_deprecated = allow_deprecated();
    let span = call_site_at(map_field.span);
    Some(quote_spanned! {span=>
        #allow_deprecated
        const _: () = #function(&[#(#children),*], #message);
    })
}

fn is_inline(child: &Child<'_>) -> bool {
    matches!(child.kind, ChildKind::Inline { .. })
}

/// Returns the flattened children whose types do not depend on parameters.
fn concrete_inline_children<'i, 'a>(input: &'i Struct<'a>) -> impl Iterator<Item = &'i Child<'a>> {
    let children = input.children.iter();
    children.filter(|child| {
        matches!(
            child.kind,
            ChildKind::Inline {
                is_generic: false,
                ..
            }
        )
    })
}

/// Returns the tokens of `<Source as ::union_runtime::Inline>::INLINED`.
fn inlined_constant(child: &Child<'_>, krate: &Path) -> TokenStream {
    let ty = child.ty;
    let as_inline = respan(quote!(<#ty as #krate::Inline>), ty.span());
    quote_spanned!(call_site_at(ty.span())=> #as_inline::INLINED)
}
